// Tables in transit between formats: values, nulls and metadata, independent of how either format
// stores them.
//
// Two tables are equal if names, types, order, number of rows, null masks and the bytes of the
// non-null values are equal. NaN payloads count; values under a null do not, nor does the width of
// offsets.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "validator/result.h"

namespace hepcheck::exchange {

enum class Kind : std::uint8_t {
  kNull,        // no values at all
  kBoolean,     // one byte per value, 0 or 1
  kInteger,     // little-endian
  kFloat,       // IEEE 754, little-endian
  kText,        // UTF-8
  kBytes,       // of any length
  kFixedBytes,  // of one length
  kList,
  kFixedList,  // of one length
  kStruct,
};

struct Field;
struct Labels;

// A template only so that Field may be incomplete, which clang requires.
template <class Child>
struct TypeOf {
  Kind kind = Kind::kNull;
  std::uint64_t width = 0;  // bytes of an integer, a float or fixed bytes; elements of a fixed list
  bool is_signed = false;
  bool large = false;  // text, bytes, list: a single value may need 64-bit offsets
  // The logical type of integers and structs, as text of the source format that is preserved:
  // "timestamp[ns, UTC]"; empty: none.
  std::string meaning{};
  std::vector<Child> children{};           // list and fixed list: one; struct: any number
  std::shared_ptr<const Labels> labels{};  // integers that are positions in these labels
  bool ordered = false;                    // the order of the labels is significant
};
using Type = TypeOf<Field>;

using Metadata = std::vector<std::pair<std::string, std::string>>;

struct Field {
  std::string name{};
  Type type{};
  bool nullable = false;
  Metadata metadata{};

  // The value of a key; null if it does not exist.
  const std::string* find(std::string_view key) const;
};

// Memory that is not initialised before use.
template <class T>
struct Uninitialised {
  using value_type = T;
  Uninitialised() = default;
  template <class U>
  Uninitialised(const Uninitialised<U>&) {}
  T* allocate(std::size_t n) { return std::allocator<T>().allocate(n); }
  void deallocate(T* at, std::size_t n) { std::allocator<T>().deallocate(at, n); }
  template <class U>
  void construct(U* at) {
    ::new (static_cast<void*>(at)) U;
  }
  template <class U, class... Arguments>
  void construct(U* at, Arguments&&... arguments) {
    ::new (static_cast<void*>(at)) U(std::forward<Arguments>(arguments)...);
  }
  friend bool operator==(const Uninitialised&, const Uninitialised&) { return true; }
};
using Buffer = std::vector<std::byte, Uninitialised<std::byte>>;

}  // namespace hepcheck::exchange

// Instantiated once: unoptimised code would visit every byte when a buffer is destroyed.
extern template class std::vector<std::byte, hepcheck::exchange::Uninitialised<std::byte>>;

namespace hepcheck::exchange {

struct Array {
  std::uint64_t length = 0;
  std::uint64_t nulls = 0;
  std::vector<std::uint8_t> valid{};  // one bit per value, least significant first; empty: no nulls
  Buffer bytes{};  // values of fixed width; of text and bytes, all of them concatenated
  std::vector<std::uint64_t> offsets{};  // text, bytes, list: length + 1 of them, beginning with 0
  std::vector<Array> children{};

  bool null(std::uint64_t i) const { return nulls > 0 && (valid[i / 8] >> (i % 8) & 1) == 0; }
  // Marks the existing value i as null.
  void set_null(std::uint64_t i);
  // Appends a value.
  void push(bool is_null) {
    ++length;
    if (!valid.empty() && valid.size() * 8 < length) valid.push_back(0xFF);
    if (is_null) set_null(length - 1);
  }
  std::string_view text(std::uint64_t i) const {
    return {reinterpret_cast<const char*>(bytes.data()) + offsets[i],
            static_cast<std::size_t>(offsets[i + 1] - offsets[i])};
  }
  std::string_view fixed(std::uint64_t i, std::uint64_t width) const {
    return {reinterpret_cast<const char*>(bytes.data()) + i * width,
            static_cast<std::size_t>(width)};
  }
};

struct Labels {
  Type type{};
  Array values{};
};

struct Schema {
  std::vector<Field> fields{};
  Metadata metadata{};

  const std::string* find(std::string_view key) const;
};

struct Batch {
  std::uint64_t rows = 0;
  std::vector<Array> columns{};
};

// A table, delivered batch by batch.
class Source {
 public:
  virtual ~Source() = default;
  virtual const Schema& schema() const = 0;
  // The next rows; nothing after the last ones. There may be no batch at all.
  virtual Result<std::optional<Batch>> next() = 0;
};

struct Table {
  Schema schema{};
  std::uint64_t rows = 0;
  std::vector<Array> columns{};
};

// An array without values, with everything that its type requires.
Array empty_array(const Type& type);
// `count` values beginning with `first`.
Array slice(const Type& type, const Array& array, std::uint64_t first, std::uint64_t count);
// Appends the values of `from` to those of `to`. Labels must be equal.
void append(const Type& type, Array& to, const Array& from);
Batch slice(const Schema& schema, const Batch& batch, std::uint64_t first, std::uint64_t count);
// All batches of a source.
Result<Table> whole(Source& source);

// Signed or not, of 1, 2, 4 or 8 bytes.
std::int64_t integer_at(const Type& type, const Array& array, std::uint64_t i);

// One line: "int32", "list<item: text>", "int8 among 3 labels of text, ordered".
std::string describe(const Type& type);
// The common form of two equal values of one type. For labelled integers it is that of the label.
std::string identity(const Type& type, const Array& array, std::uint64_t i);
// The first difference of two tables, in words; empty if they are equal.
std::string difference(const Table& a, const Table& b);
inline bool operator==(const Table& a, const Table& b) { return difference(a, b).empty(); }

}  // namespace hepcheck::exchange
