// A schema of a Schema message or a footer: its contents, valid or not.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "validator/formats/arrow/flatbuffer.h"
#include "validator/formats/arrow/layout.h"
#include "validator/formats/arrow/place.h"
#include "validator/formats/arrow/shapes.h"

namespace hepcheck::arrow {

struct KeyValue {
  std::optional<std::string_view> key{}, value{};
  std::uint64_t at = 0;  // in the flatbuffer

  friend bool operator==(const KeyValue& a, const KeyValue& b) {
    return a.key == b.key && a.value == b.value;
  }
};
std::vector<KeyValue> read_metadata(const Vector& pairs);

// Parameters that the type does not have are 0.
struct Type {
  TypeTag tag{};
  std::int32_t bit_width = 0;  // Int, Decimal, Time
  bool is_signed = false;
  std::int16_t unit = 0;  // Date, Time, Timestamp, Interval, Duration; FloatingPoint: precision
  std::int32_t precision = 0, scale = 0;  // Decimal
  std::int32_t size = 0;                  // FixedSizeBinary: byteWidth; FixedSizeList: listSize
  std::int16_t mode = 0;                  // Union
  bool has_type_ids = false;              // Union: it states the ids of its children
  std::vector<std::int32_t> type_ids{};
  bool keys_sorted = false;
  std::string_view timezone{};

  friend bool operator==(const Type&, const Type&) = default;
};

// The canonical extension types with requirements on values; fields whose storage or metadata are
// invalid have none of them.
struct Extension {
  enum class Kind : std::uint8_t { kNone, kJson, kBool8, kVariableTensor, kOffsetMinutes };
  Kind kind = Kind::kNone;
  std::vector<std::int64_t> uniform{};  // of tensors: the size of each dimension; -1 if it varies

  friend bool operator==(const Extension&, const Extension&) = default;
};

struct Encoding {
  std::int64_t id = 0;
  std::int32_t bit_width = 32;
  bool is_signed = true, ordered = false;
  std::int16_t kind = 0;

  friend bool operator==(const Encoding&, const Encoding&) = default;
};

struct Field {
  std::optional<std::string_view> name{};
  bool nullable = false;
  Type type{};
  std::vector<Field> children{};
  bool whole = true;  // false: not all of its children are included
  std::optional<Encoding> encoding{};
  std::vector<KeyValue> metadata{};
  std::uint64_t at = 0;      // in the flatbuffer
  std::uint32_t number = 0;  // in pre-order, all fields of the schema

  // --- Found when it is judged -------------------------------------------------------------------
  ArrayLayout layout{};  // of its values
  std::string_view
      invalidated_by{};  // the clause because of which it, or a child, has no known layout
  // A union: its type ids identify the children. Run-end encoded: its run ends have a valid type.
  bool slots_known = true;
  Extension extension{};  // that its values have to follow

  // Dictionary-encoded or not, as in the arrays of record batches.
  ArrayLayout array_layout() const;
  // The clause because of which its arrays in record batches have no known layout.
  std::string_view arrays_invalidated_by() const;
};

struct Schema {
  std::shared_ptr<const std::vector<std::byte>> bytes{};  // that contains the strings
  std::uint64_t byte = 0;  // of the file, the beginning of the metadata
  std::int16_t endianness = 0;
  std::vector<Field> fields{};
  std::vector<KeyValue> metadata{};
  std::vector<std::int64_t> features{};
  std::uint32_t count = 0;  // of all fields
  bool whole = true;        // false: there are too many to be read

  // --- Found when it is judged
  // -------------------------------------------------------------------- The fields of each
  // dictionary id; ids of which nothing can be judged.
  std::map<std::int64_t, std::vector<const Field*>> dictionaries{};
  std::map<std::int64_t, bool> unusable{};
  std::string_view invalidated_by{};  // the clause because of which no batch can be read

  std::endian order() const { return endianness == 1 ? std::endian::big : std::endian::little; }
};

// `most`: the maximum number of fields.
Schema read_schema(const Table& table, std::uint64_t most);

// One path for each field on the way.
Path path_of(const Path& up, std::string_view kind, std::uint64_t index, const Field& field);

}  // namespace hepcheck::arrow
