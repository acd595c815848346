// The part of FlatBuffers that Arrow needs: tables with fields found through a vtable, vectors,
// strings, unions. All offsets are relative, all numbers little-endian.
//
// A flatbuffer is verified once, by the shapes of its tables (shapes.h), and then read. Reading
// also
// never leaves the bytes: missing values are absent.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "validator/formats/arrow/notes.h"
#include "validator/integers.h"

namespace hepcheck::arrow {

using ByteSpan = std::span<const std::byte>;

class Table;

// A vector of scalars, of structs or of offsets to tables; empty if absent.
class Vector {
 public:
  Vector() = default;
  Vector(ByteSpan bytes, std::uint64_t first, std::uint32_t count)
      : bytes_(bytes), first_(first), count_(count), present_(true) {}

  bool present() const { return present_; }
  std::uint32_t size() const { return count_; }
  // A scalar at offset `within` of an element of `width` bytes.
  template <class T>
  T get(std::uint32_t i, std::uint64_t width = sizeof(T), std::uint64_t within = 0) const {
    const std::uint64_t at = first_ + i * width + within;
    return at + sizeof(T) <= bytes_.size() ? load<T>(bytes_.data() + at) : T{};
  }
  Table table(std::uint32_t i) const;
  // The beginning of an element, from the start of the flatbuffer.
  std::uint64_t at(std::uint32_t i, std::uint64_t width) const { return first_ + i * width; }

 private:
  ByteSpan bytes_{};
  std::uint64_t first_ = 0;
  std::uint32_t count_ = 0;
  bool present_ = false;
};

class Table {
 public:
  Table() = default;  // absent
  Table(ByteSpan bytes, std::uint64_t at);
  static Table root(ByteSpan bytes);

  bool present() const { return !bytes_.empty(); }
  std::uint64_t at() const { return at_; }
  ByteSpan bytes() const { return bytes_; }
  // The position of a field, from the start of the flatbuffer; none if it is absent.
  std::optional<std::uint64_t> field(unsigned id) const;
  bool has(unsigned id) const { return field(id).has_value(); }

  template <class T>
  T get(unsigned id, T absent = {}) const {
    const std::optional<std::uint64_t> place = field(id);
    return place && *place + sizeof(T) <= bytes_.size() ? load<T>(bytes_.data() + *place) : absent;
  }
  Table table(unsigned id) const;
  Vector vector(unsigned id) const;
  std::optional<std::string_view> string(unsigned id) const;

 private:
  std::optional<std::uint64_t> target(unsigned id) const;

  ByteSpan bytes_{};
  std::uint64_t at_ = 0, vtable_ = 0;
  std::uint32_t vtable_size_ = 0;
};

// --- Verifying ----------------------------------------------------------------------------------

enum class FieldKind : std::uint8_t { kScalar, kStruct, kString, kTable, kTables, kVector, kUnion };

struct Shape;

// A field of a table. The id of a union is that of its value; its tag has the preceding id.
struct FieldShape {
  FieldKind kind = FieldKind::kScalar;
  std::uint8_t width = 4;  // of the scalar, the struct or the elements of the vector
  std::uint8_t align = 4;
  const Shape* shape = nullptr;             // of the table or tables
  std::span<const Shape* const> members{};  // of the union, by tag; the first is for none
};

// A kind of table, as far as it is known.
struct Shape {
  std::string_view name{};
  std::span<const FieldShape> fields{};
};

enum class Soundness : std::uint8_t {
  kSound,
  kBroken,   // the first defect was reported
  kTooMuch,  // not everything was examined: its tables are nested too deeply, or too many
};

struct VerifyLimits {
  std::uint64_t depth = 80;  // of tables; fields nest up to 64 levels
  std::uint64_t tables = 0;  // in total; a repeated visit counts again
  std::uint64_t texts = 0;   // total bytes; likewise
};

// The root table and its vtable; an absent table if it is invalid. `at` is the position of the
// first byte.
Table verify_root(ByteSpan bytes, const Place& at, Notes& notes);
// One scalar of the root table, if present.
bool verify_scalar(const Table& root, unsigned id, unsigned width, const Place& at, Notes& notes);
// Everything reachable.
Soundness verify(ByteSpan bytes, const Shape& shape, const VerifyLimits& limits, const Place& at,
                 Notes& notes);

}  // namespace hepcheck::arrow
