// Converts the arrays of a batch to neutral arrays.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "validator/exchange/table.h"
#include "validator/formats/arrow/body.h"
#include "validator/formats/arrow/schema.h"

namespace hepcheck::arrow {

// Thrown if a field, or a value of it, has no neutral form.
struct Unreadable {
  std::string where{}, why{};
};

// The neutral type of a field's values, dictionary-encoded or not. Throws for maps and unions.
exchange::Type neutral_type(const Field& field);
exchange::Field neutral_field(const Field& field);

// The memory of neutral arrays.
class Memory {
 public:
  explicit Memory(std::uint64_t bytes) : left_(bytes) {}
  void take(std::uint64_t count, std::uint64_t width) {
    if (!takes(count, width)) throw Unreadable{"the table", "it takes more memory than the limit"};
  }
  // Returns false, and takes nothing, if it is more than is left.
  bool takes(std::uint64_t count, std::uint64_t width) {
    const std::uint64_t bytes = product(count, width);
    if (bytes > left_) return false;
    left_ -= bytes;
    return true;
  }

 private:
  std::uint64_t left_;
};

class ArrayReader {
 public:
  // Converts dictionary keys, 64-bit integers: in columns to positions among labels, below them to
  // the values themselves.
  using Decode =
      std::function<exchange::Array(const Field& field, exchange::Array keys, bool below)>;

  ArrayReader(Body& body, std::endian order, Memory& memory, Notes& silent, Decode decode)
      : body_(body), batch_(body.batch()), order_(order), memory_(memory), silent_(silent),
        decode_(std::move(decode)) {}

  // The next column.
  exchange::Array column(const Field& field, const ArrayLayout& layout) {
    return array(field, layout, false);
  }

 private:
  struct Span {
    std::uint64_t begin, end;
  };

  ByteSpan buffer(std::uint64_t least);
  void copy_validity(const Field& field, bool present, exchange::Array& into);
  void fixed(const Field& field, std::uint64_t width, exchange::Array& into);
  void decimals(const Field& field, std::uint64_t width, exchange::Array& into);
  void parts(const Field& field, exchange::Array& into);
  void booleans(exchange::Array& into);
  void texts(const Field& field, std::uint64_t width, exchange::Array& into);
  void views(const Field& field, exchange::Array& into);
  void list(const Field& field, const ArrayLayout& layout, exchange::Array& into);
  void run_ends(const Field& field, exchange::Array& into);
  void keys(std::uint64_t width, bool is_signed, exchange::Array& into);
  void gather(const Field& child, const exchange::Array& from, const std::vector<Span>& spans,
              exchange::Array& into);
  std::int64_t number(ByteSpan bytes, std::uint64_t i, std::uint64_t width) const;
  exchange::Array array(const Field& field, const ArrayLayout& layout, bool below);
  exchange::Array child(const Field& field) { return array(field, field.array_layout(), true); }

  Body& body_;
  const Batch& batch_;
  std::endian order_;
  Memory& memory_;
  Notes& silent_;
  Decode decode_;
  std::uint32_t node_ = 0, buffer_ = 0, view_ = 0;
};

}  // namespace hepcheck::arrow
