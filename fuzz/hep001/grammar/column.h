// Columns as logical values, and the statements of HEP001 about them, computed in the slowest and
// most obvious way. Nothing here uses validator/formats/hep001/derive: values are created as
// numbers and text and then encoded, while the validator decodes; expectations are counted value by
// value.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <ostream>
#include <string>
#include <variant>
#include <vector>

#include "fuzz/choices.h"
#include "validator/formats/hep001/testing/build.h"

namespace hepcheck::hep001::grammar {

using namespace hepcheck::fuzz;  // the source of choices

// Integers (and codes), floating-point numbers (a NaN represents any NaN), text (and opaque bytes).
using Integer = __int128;
using Value = std::variant<Integer, double, std::string>;

bool is_nan(const Value& value);
bool equal(const Value& a, const Value& b);  // NaN equals nothing
bool less(const Value& a, const Value& b);   // the HEP001 order; false if either is NaN
std::string show(const Value& value);

enum class Family : std::uint8_t {
  kUnsigned,
  kSigned,
  kFloat,
  kBoolean,
  kEnum,
  kFixedString,
  kVariableString,
  kOpaque,
  kUnusualInteger,  // 1 to 8 bytes, any precision and offset: no canonical bytes
};
constexpr Family kFamilies[] = {Family::kUnsigned,       Family::kSigned, Family::kFloat,
                                Family::kBoolean,        Family::kEnum,   Family::kFixedString,
                                Family::kVariableString, Family::kOpaque, Family::kUnusualInteger};
// Those whose values may have canonical bytes.
constexpr Family kHashable[] = {Family::kUnsigned, Family::kSigned,      Family::kFloat,
                                Family::kBoolean,  Family::kFixedString, Family::kVariableString,
                                Family::kOpaque};
// It has canonical bytes: every family except kEnum and kUnusualInteger.
bool hashable(const Datatype& type);

// Any datatype of the family: size, byte order, padding, character set.
Datatype random_type(Choices& choices, Family family);
// A value of the datatype. There are few distinct ones, so ties are common, and the ends of the
// range occur.
Value random_value(Choices& choices, const Datatype& type);
// The same kind of value in another storage form: byte order, padding mode, spare size. Strings
// may become variable-length.
Datatype other_storage(Choices& choices, const Datatype& type);
bool can_hold(const Datatype& type, const Value& value);

// One element as stored in a file. `noise` decides irrelevant bits: the sign of zero, the bits of a
// NaN, bits outside the precision, bytes after a terminator. For a variable-length string, its
// text.
std::vector<std::byte> encode(const Datatype& type, const Value& value, Choices& noise);
std::vector<std::byte> encode(const Datatype& type, const Value& value);

// The canonical bytes of 10.7; not for NaN.
std::vector<std::byte> canonical(const Datatype& type, const Value& value);

struct RandomColumn {
  Datatype type{};
  std::vector<Value> rows{};    // extent() of them
  std::uint64_t nrows = 0;      // the number of rows that belong to the table
  std::optional<Value> fill{};  // nothing: not user-defined
  std::uint64_t chunk = 0;      // rows per chunk; 0: contiguous

  std::uint64_t extent() const { return rows.size(); }
  bool missing(std::uint64_t row) const { return missing(rows[row]); }
  bool missing(const Value& value) const;
  // A row whose value has a place in the order: neither missing nor NaN.
  bool plain(std::uint64_t row) const { return !missing(row) && !is_nan(rows[row]); }
  std::uint64_t chunk_rows() const { return chunk ? chunk : std::max<std::uint64_t>(1, nrows); }
  std::uint64_t chunks() const { return (nrows + chunk_rows() - 1) / chunk_rows(); }
};
std::ostream& operator<<(std::ostream& out, const RandomColumn& column);

RandomColumn random_column(Choices& choices, Family family, std::uint64_t most_rows);

// A number below n, often a boundary of this length, or one less or more. Rows are processed in
// groups of 8, 64, 256 and 512.
std::uint64_t place_near(Choices& choices, std::uint64_t n, std::vector<std::uint64_t> lengths);
// A column of up to kMostRows rows that ends near such a boundary, with chunks that do as well.
// Most of its rows are equal, except for a few at such boundaries: `choices` selects them, `values`
// their contents.
constexpr std::uint64_t kMostRows = 530;
RandomColumn boundary_column(Choices& choices, Choices& values, Family family,
                             std::vector<std::uint64_t> lengths);

// A table under construction, with the texts of its variable-length elements.
struct TestTable : TableBuilder {
  using TableBuilder::TableBuilder;
  std::deque<std::string> texts{};
};

// Adds the column to a table; `noise` as for encode.
void add(TestTable& table, const std::string& name, const RandomColumn& column, Choices& noise);
// Replaces the values of an existing column (or categories, or values dataset).
void store(TestTable& table, const std::string& path, const Datatype& type,
           const std::vector<Value>& values, Choices& noise);

// --- Expected contents of the four families of indexes -------------------------------------------

struct ExpectedChunk {
  std::optional<Value> min{}, max{};  // nothing: a chunk without values, which has the placeholder
  std::uint64_t nan_count = 0, fill_count = 0, n = 0;
};
// The stored extremes of a chunk without values: the fill value, or zeros without one.
Value placeholder(const RandomColumn& column);
std::vector<ExpectedChunk> expected_minmax(const RandomColumn& column);

struct ExpectedOrder {
  std::vector<std::uint64_t> rows{};
  std::uint64_t nan_tail = 0, fill_tail = 0;
};
ExpectedOrder expected_order(const RandomColumn& column);

// The distinct plain values in order of first occurrence.
std::vector<Value> distinct(const RandomColumn& column);
// One row of ceil(nrows / 8) bytes per value, and `more`.
std::vector<std::byte> expected_bitmap(const RandomColumn& column, const std::vector<Value>& values,
                                       std::uint64_t more = 0);

struct Filter {
  std::uint32_t k = 3;
  std::uint64_t m_bits = 64;
  std::uint32_t seed = 0;
};
// The k bit positions of bytes, with sums of exact integers or sums that wrap at 64 bits, by
// another implementation of the hash.
std::vector<std::uint64_t> bloom_bits(std::span<const std::byte> bytes, const Filter& filter,
                                      bool wrapped = false);
std::vector<std::uint64_t> bloom_bits(const Datatype& type, const Value& value,
                                      const Filter& filter, bool wrapped = false);
// chunks() rows of m_bits / 8 bytes.
std::vector<std::byte> expected_bloom(const RandomColumn& column, const Filter& filter);

// Adds the index that the expectation describes, and lists it with its column.
void add_minmax(TestTable& table, const std::string& column, const RandomColumn& data,
                const std::vector<ExpectedChunk>& chunks);
void add_sorted(TestTable& table, const std::string& column, const ExpectedOrder& order,
                const Datatype& element = integer_type(8, false));
void add_bitmap(TestTable& table, const std::string& column, const RandomColumn& data,
                const std::vector<Value>& values, const std::vector<std::byte>& bits);
void add_bloom(TestTable& table, const std::string& column, const Filter& filter,
               const std::vector<std::byte>& bits);

}  // namespace hepcheck::hep001::grammar
