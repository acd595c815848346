#include "fuzz/hep001/grammar/column.h"

#include <murmurhash.h>

#include <algorithm>
#include <bit>
#include <cassert>
#include <cmath>
#include <cstring>
#include <format>
#include <limits>
#include <numeric>
#include <utility>

#include "fuzz/hep001/grammar/unusual_types.h"

namespace hepcheck::hep001::grammar {

namespace {

using Bits = std::uint64_t;

std::vector<std::byte> bytes_of(std::string_view text) {
  const auto bytes = std::as_bytes(std::span(text));
  return {bytes.begin(), bytes.end()};
}

std::vector<std::byte> bytes_of(Bits bits, std::size_t size, ByteOrder order) {
  std::vector<std::byte> bytes;
  for (std::size_t i = 0; i < size; ++i) bytes.push_back(static_cast<std::byte>(bits >> (8 * i)));
  if (order == ByteOrder::kBig) std::ranges::reverse(bytes);
  return bytes;
}

void append(std::vector<std::byte>& into, const std::vector<std::byte>& more) {
  into.insert(into.end(), more.begin(), more.end());
}

// The integer type of a type: an enumeration's base, or the type itself.
const Datatype& number_type(const Datatype& type) {
  return type.is(TypeClass::kEnum) ? *type.base : type;
}

Integer lowest(const Datatype& number) {
  return number.is_signed ? -(Integer{1} << (number.precision - 1)) : 0;
}
Integer highest(const Datatype& number) {
  return (Integer{1} << (number.precision - (number.is_signed ? 1 : 0))) - 1;
}

// The bits of a floating-point number that fits into `size` bytes exactly.
Bits float_bits(double value, std::size_t size) {
  if (size == 2) return std::bit_cast<std::uint16_t>(static_cast<_Float16>(value));
  if (size == 4) return std::bit_cast<std::uint32_t>(static_cast<float>(value));
  return std::bit_cast<std::uint64_t>(value);
}
double from_float_bits(Bits bits, std::size_t size) {
  if (size == 2)
    return static_cast<double>(std::bit_cast<_Float16>(static_cast<std::uint16_t>(bits)));
  if (size == 4) return std::bit_cast<float>(static_cast<std::uint32_t>(bits));
  return std::bit_cast<double>(bits);
}
Bits infinity_bits(std::size_t size) {
  return float_bits(std::numeric_limits<double>::infinity(), size);
}

std::string decimal(Integer n) {
  if (n < 0) return "-" + decimal(-n);
  return (n >= 10 ? decimal(n / 10) : "") + static_cast<char>('0' + static_cast<int>(n % 10));
}

Value random_integer(Choices& choices, const Datatype& number) {
  const Integer low = lowest(number), high = highest(number);
  const Integer small = static_cast<Integer>(choices.below(3));
  const auto within = [&](Integer n) { return std::clamp(n, low, high); };
  switch (choices.below(8)) {
    default: return within(small);
    case 3: return within(-small);
    case 4: return within(low + small);
    case 5: return within(high - small);
    case 6: return within((low + high) / 2 + small);
    case 7: return low + static_cast<Integer>(choices.bits() & static_cast<Bits>(high - low));
  }
}

Value random_float(Choices& choices, std::size_t size) {
  const double small = static_cast<double>(choices.below(3));
  const Bits infinity = infinity_bits(size);
  switch (choices.below(10)) {
    default: return small;
    case 3: return 0.0 - small + 0.0;
    case 4: return 1.5 + small;
    case 5: return std::numeric_limits<double>::quiet_NaN();
    case 6: return from_float_bits(infinity, size);
    case 7: return -from_float_bits(infinity, size);
    case 8: return from_float_bits(infinity - 1 - choices.below(2), size);  // the greatest
    case 9: {
      const Bits mask = ~Bits{0} >> (64 - 8 * size);
      return from_float_bits(choices.bits() & mask, size) + 0.0;
    }
  }
}

std::string random_text(Choices& choices, std::size_t most) {
  constexpr std::string_view kPieces[] = {"a",        "b",    "",     " ",
                                          "\xc3\xa9", "\xff", "\x01", std::string_view("\0", 1)};
  std::string text;
  for (std::uint64_t n = choices.below(4); n > 0; --n) text += choices.of(kPieces);
  text.resize(std::min(text.size(), most));
  return text;
}

char padding_byte(const Datatype& type) {
  return type.padding == StringPadding::kSpacePad ? ' ' : '\0';
}

// The stored form of a text in a string type: variable-length and NULLTERM strings end at the first
// NUL, padding at the end does not count.
std::string as_held(const Datatype& type, std::string text) {
  if (type.variable_length || type.padding == StringPadding::kNullTerm)
    return text.substr(0, text.find('\0'));
  while (!text.empty() && text.back() == padding_byte(type)) text.pop_back();
  return text;
}

std::vector<std::byte> encode_text(const Datatype& type, const std::string& text, Choices& noise) {
  std::vector<std::byte> bytes = bytes_of(text);
  if (type.is(TypeClass::kOpaque) || type.variable_string()) return bytes;
  bytes.resize(type.size, static_cast<std::byte>(padding_byte(type)));
  if (type.padding == StringPadding::kNullTerm)
    for (std::size_t i = text.size() + 1; i < type.size; ++i)
      bytes[i] = static_cast<std::byte>(noise.below(256));
  return bytes;
}

std::vector<std::byte> encode_float(const Datatype& type, double value, Choices& noise) {
  const std::size_t size = type.size;
  const Bits sign = Bits{1} << (8 * size - 1);
  Bits bits = float_bits(value, size);
  if (std::isnan(value)) {
    const Bits infinity = infinity_bits(size);
    bits = infinity + 1 + noise.below(sign - infinity - 1);  // any mantissa except zero
  }
  if ((std::isnan(value) || value == 0) && noise.maybe()) bits |= sign;
  return bytes_of(bits, size, type.order);
}

std::vector<std::byte> encode_integer(const Datatype& number, Integer value, Choices& noise) {
  const Bits mask = ~Bits{0} >> (64 - number.precision);
  Bits bits = (static_cast<Bits>(value) & mask) << number.bit_offset;
  if (number.precision < 8 * number.size) bits |= noise.bits() & ~(mask << number.bit_offset);
  return bytes_of(bits, number.size, number.order);
}

void list(TestTable& table, const std::string& column, const std::string& index,
          std::string_view kind) {
  table.set(index, ascii("KIND", kind));
  table.set(index, utf8("description", "2026-06-16, built for a property"));
  std::vector<Reference> listed;
  if (table.attributes(column).contains("SEARCH_INDEX_LIST"))
    listed = table.attribute(column, "SEARCH_INDEX_LIST").references;
  listed.push_back(table.to(index));
  table.set(column, references("SEARCH_INDEX_LIST", std::move(listed)));
}

std::string index_path(TestTable& table, const std::string& column, const char* suffix) {
  if (!table.has("SEARCH_INDEXES")) table.add_group("SEARCH_INDEXES");
  return "SEARCH_INDEXES/" + column + suffix;
}

}  // namespace

bool is_nan(const Value& value) {
  const auto* number = std::get_if<double>(&value);
  return number && std::isnan(*number);
}

bool equal(const Value& a, const Value& b) { return a == b; }

bool less(const Value& a, const Value& b) {
  assert(a.index() == b.index());
  if (const auto* text = std::get_if<std::string>(&a)) {
    const auto& other = std::get<std::string>(b);
    return std::ranges::lexicographical_compare(*text, other, [](char x, char y) {
      return static_cast<unsigned char>(x) < static_cast<unsigned char>(y);
    });
  }
  if (const auto* number = std::get_if<double>(&a)) return *number < std::get<double>(b);
  return std::get<Integer>(a) < std::get<Integer>(b);
}

std::string show(const Value& value) {
  if (const auto* number = std::get_if<double>(&value)) return std::format("{}", *number);
  if (const auto* integer = std::get_if<Integer>(&value)) return decimal(*integer);
  std::string shown = "\"";
  for (const char c : std::get<std::string>(value)) {
    const auto byte = static_cast<unsigned char>(c);
    shown += byte < 0x20 || byte >= 0x7f ? std::format("\\x{:02x}", byte) : std::string(1, c);
  }
  return shown + '"';
}

bool hashable(const Datatype& type) {
  if (type.is(TypeClass::kEnum)) return is_hep001_boolean(type);
  const bool whole = type.precision == 8 * type.size && std::has_single_bit(type.size);
  return !type.is(TypeClass::kInteger) || whole;
}

Datatype random_type(Choices& choices, Family family) {
  constexpr std::size_t kWhole[] = {1, 2, 4, 8};
  constexpr std::size_t kFloats[] = {4, 8, 2};
  constexpr StringPadding kPaddings[] = {StringPadding::kNullPad, StringPadding::kNullTerm,
                                         StringPadding::kSpacePad};
  const auto order = [&] { return choices.maybe() ? ByteOrder::kBig : ByteOrder::kLittle; };
  const auto set = [&] { return choices.maybe() ? CharacterSet::kAscii : CharacterSet::kUtf8; };
  switch (family) {
    case Family::kUnsigned: return integer_type(choices.of(kWhole), false, order());
    case Family::kSigned: return integer_type(choices.of(kWhole), true, order());
    case Family::kFloat: return ieee_float_type(choices.of(kFloats), order());
    case Family::kBoolean: return boolean_type();
    case Family::kEnum: {
      const Datatype base = integer_type(choices.of(kWhole), choices.maybe(), order());
      return enum_type(base, {{"GOOD", 1}, {"BAD", 2}, {"UGLY", 100}, {"MISSING", 0}});
    }
    case Family::kFixedString:
      return fixed_string_type(1 + choices.below(10), choices.of(kPaddings), set());
    case Family::kVariableString: return variable_string_type(set());
    case Family::kOpaque: return opaque_type(1 + choices.below(9), choices.maybe() ? "tag" : "");
    case Family::kUnusualInteger: {
      Datatype type = integer_type(1 + choices.below(8), choices.maybe(), order());
      type.precision = 1 + static_cast<std::uint32_t>(choices.below(8 * type.size));
      type.bit_offset =
          static_cast<std::uint32_t>(choices.below(8 * type.size - type.precision + 1));
      return type;
    }
  }
  std::unreachable();
}

Value random_value(Choices& choices, const Datatype& type) {
  if (type.is(TypeClass::kFloat)) return random_float(choices, type.size);
  if (type.is(TypeClass::kString))
    return as_held(type, random_text(choices, type.variable_length ? 12 : type.size));
  if (type.is(TypeClass::kOpaque)) {
    std::string text = random_text(choices, type.size);
    text.resize(type.size, '\0');
    return text;
  }
  if (is_hep001_boolean(type)) return static_cast<Integer>(choices.below(2));
  if (type.is(TypeClass::kEnum)) {
    constexpr Integer kCodes[] = {1, 2, 100};
    return choices.of(kCodes);
  }
  return random_integer(choices, type);
}

Datatype other_storage(Choices& choices, const Datatype& type) {
  const auto flipped = [](Datatype number) {
    number.order = number.order == ByteOrder::kBig ? ByteOrder::kLittle : ByteOrder::kBig;
    return number;
  };
  if (type.is(TypeClass::kString)) {
    if (choices.maybe()) return random_type(choices, Family::kVariableString);
    Datatype made = random_type(choices, Family::kFixedString);
    made.size += type.variable_length ? 12 : type.size;
    return made;
  }
  if (type.is(TypeClass::kOpaque)) return opaque_type(type.size, "another tag");
  if (is_hep001_boolean(type)) return type;
  if (type.is(TypeClass::kEnum)) {
    Datatype made = flipped(type);
    made.base = std::make_shared<const Datatype>(flipped(*type.base));
    for (TypeMember& member : made.members) std::ranges::reverse(member.value);
    return made;
  }
  return flipped(type);
}

bool can_hold(const Datatype& type, const Value& value) {
  const auto* text = std::get_if<std::string>(&value);
  if (!text || !type.is(TypeClass::kString)) return true;
  return (type.variable_length || text->size() <= type.size) && as_held(type, *text) == *text;
}

std::vector<std::byte> encode(const Datatype& type, const Value& value, Choices& noise) {
  if (is_unusual(type)) return encode_unusual(type, value, noise);
  if (const auto* text = std::get_if<std::string>(&value)) return encode_text(type, *text, noise);
  if (const auto* number = std::get_if<double>(&value)) return encode_float(type, *number, noise);
  return encode_integer(number_type(type), std::get<Integer>(value), noise);
}

std::vector<std::byte> encode(const Datatype& type, const Value& value) {
  NoChoice none;
  return encode(type, value, none);
}

std::vector<std::byte> canonical(const Datatype& type, const Value& value) {
  assert(!is_nan(value));
  if (const auto* text = std::get_if<std::string>(&value)) return bytes_of(*text);
  if (const auto* number = std::get_if<double>(&value))
    return bytes_of(*number == 0 ? 0 : float_bits(*number, type.size), type.size,
                    ByteOrder::kLittle);
  return bytes_of(static_cast<Bits>(std::get<Integer>(value)), type.size, ByteOrder::kLittle);
}

bool RandomColumn::missing(const Value& value) const {
  if (!fill) return false;
  return is_nan(*fill) ? is_nan(value) : equal(value, *fill);
}

std::ostream& operator<<(std::ostream& out, const RandomColumn& column) {
  out << describe(column.type) << ", NROWS " << column.nrows << ", fill "
      << (column.fill ? show(*column.fill) : "none") << ", chunk " << column.chunk << ": [";
  for (std::size_t i = 0; i < column.rows.size(); ++i)
    out << (i == 0 ? "" : i == column.nrows ? " | " : ", ") << show(column.rows[i]);
  return out << ']';
}

namespace {

Value random_fill(Choices& choices, Family family, const Datatype& type) {
  if (family == Family::kBoolean) return static_cast<Integer>(choices.maybe() ? 2 : -1);
  if (family == Family::kEnum) return Integer{0};
  return random_value(choices, type);
}

}  // namespace

RandomColumn random_column(Choices& choices, Family family, std::uint64_t most_rows) {
  RandomColumn column{.type = random_type(choices, family)};
  // Without a fill value (fill-user-defined), the contents are not judged.
  column.fill = random_fill(choices, family, column.type);
  column.nrows = choices.below(most_rows + 1);
  const std::uint64_t extent = column.nrows + choices.below(5);
  constexpr std::uint64_t kChunks[] = {0, 4, 1, 3, 7, 16};
  column.chunk = choices.of(kChunks);
  for (std::uint64_t i = 0; i < extent; ++i)
    column.rows.push_back(
        column.fill && choices.below(5) == 4 ? *column.fill : random_value(choices, column.type));
  return column;
}

std::uint64_t place_near(Choices& choices, std::uint64_t n, std::vector<std::uint64_t> lengths) {
  for (const std::uint64_t length : {256, 8, 64, 512}) lengths.push_back(length);
  std::erase_if(lengths, [&](std::uint64_t length) { return length == 0 || length > n; });
  if (lengths.empty() || choices.one_in(4)) return choices.below(n);
  const std::uint64_t length = lengths[choices.below(lengths.size())];
  const std::uint64_t place = length * choices.below(n / length + 1);
  constexpr std::uint64_t kBehind[] = {0, 1, 2};
  const std::uint64_t behind = choices.of(kBehind);  // of the previous position
  return std::min(n - 1, place + behind - (place + behind > 0));
}

RandomColumn boundary_column(Choices& choices, Choices& values, Family family,
                             std::vector<std::uint64_t> lengths) {
  RandomColumn column{.type = random_type(choices, family)};
  column.fill = random_fill(values, family, column.type);
  constexpr std::uint64_t kChunks[] = {0, 256, 255, 257, 8, 64, 512, 1, 3, 100};
  column.chunk = choices.of(kChunks);
  lengths.push_back(column.chunk);
  column.nrows = place_near(choices, kMostRows - 4, lengths);
  const std::uint64_t extent = column.nrows + choices.below(5);

  const auto any = [&] { return random_value(values, column.type); };
  const std::vector<Value> few{any(), any(), any(), *column.fill};
  const std::uint64_t mixture = choices.below(5);
  const std::uint64_t piece = 1 + place_near(choices, kMostRows, lengths);
  for (std::uint64_t row = 0; row < extent; ++row) switch (mixture) {
      default: column.rows.push_back(few[0]); break;
      case 1: column.rows.push_back(few[row / piece % 4]); break;
      case 2: column.rows.push_back(few[values.below(4)]); break;
      case 3: column.rows.push_back(any()); break;
      case 4: column.rows.push_back(few[3]); break;
    }
  if (extent == 0) return column;
  for (std::uint64_t n = choices.below(5); n > 0; --n) {
    Value& row = column.rows[place_near(choices, extent, lengths)];
    switch (choices.below(4)) {
      default: row = random_value(choices, column.type); break;
      case 2: row = *column.fill; break;
      case 3:
        if (family == Family::kFloat) row = std::numeric_limits<double>::quiet_NaN();
        break;
    }
  }
  return column;
}

void store(TestTable& table, const std::string& path, const Datatype& type,
           const std::vector<Value>& values, Choices& noise) {
  const ObjectToken token = table.dataset(path).token;
  if (type.variable_string()) {
    std::vector<std::string> texts;
    for (const Value& value : values) texts.push_back(std::get<std::string>(value));
    return table.values.set_strings(token, std::move(texts));
  }
  std::vector<std::byte> bytes;
  for (const Value& value : values) append(bytes, encode(type, value, noise));
  table.values.set(token, std::move(bytes));
}

void add(TestTable& table, const std::string& name, const RandomColumn& column, Choices& noise) {
  Dataset& made = table.add_dataset(name, column.type, {column.extent()});
  if (column.fill) {
    made.storage.fill_state = FillState::kUserDefined;
    if (column.type.variable_string())
      made.storage.fill_string = std::get<std::string>(*column.fill);
    else
      made.storage.fill = encode(column.type, *column.fill, noise);
  }
  if (column.chunk > 0) {
    made.storage.layout = StorageLayout::kChunked;
    made.storage.chunk = {column.chunk};
    made.space.max_extent = {Dataspace::kUnlimited};
  }
  store(table, name, column.type, column.rows, noise);
}

Value placeholder(const RandomColumn& column) {
  if (column.fill) return *column.fill;
  if (column.type.is(TypeClass::kFloat)) return 0.0;
  if (column.type.is(TypeClass::kString)) return std::string();
  if (column.type.is(TypeClass::kOpaque)) return std::string(column.type.size, '\0');
  return Integer{0};
}

std::vector<ExpectedChunk> expected_minmax(const RandomColumn& column) {
  std::vector<ExpectedChunk> chunks(column.chunks());
  for (std::uint64_t row = 0; row < column.nrows; ++row) {
    ExpectedChunk& chunk = chunks[row / column.chunk_rows()];
    const Value& value = column.rows[row];
    ++chunk.n;
    chunk.nan_count += is_nan(value);
    chunk.fill_count += column.missing(row);
    if (!column.plain(row)) continue;
    if (!chunk.min || less(value, *chunk.min)) chunk.min = value;
    if (!chunk.max || less(*chunk.max, value)) chunk.max = value;
  }
  return chunks;
}

ExpectedOrder expected_order(const RandomColumn& column) {
  // 0: values, 1: missing rows, 2: NaN rows; a NaN fill makes all of them missing rows.
  const auto tail = [&](std::uint64_t row) {
    return is_nan(column.rows[row]) ? 2 : column.missing(row) ? 1 : 0;
  };
  ExpectedOrder order;
  order.rows.resize(column.nrows);
  std::iota(order.rows.begin(), order.rows.end(), std::uint64_t{0});
  std::ranges::stable_sort(order.rows, [&](std::uint64_t a, std::uint64_t b) {
    if (tail(a) != tail(b)) return tail(a) < tail(b);
    return tail(a) == 0 && less(column.rows[a], column.rows[b]);
  });
  order.nan_tail = static_cast<std::uint64_t>(
      std::ranges::count_if(order.rows, [&](std::uint64_t row) { return tail(row) == 2; }));
  order.fill_tail = static_cast<std::uint64_t>(
      std::ranges::count_if(order.rows, [&](std::uint64_t row) { return tail(row) == 1; }));
  return order;
}

std::vector<Value> distinct(const RandomColumn& column) {
  std::vector<Value> values;
  for (std::uint64_t row = 0; row < column.nrows; ++row)
    if (column.plain(row) && !std::ranges::contains(values, column.rows[row]))
      values.push_back(column.rows[row]);
  return values;
}

std::vector<std::byte> expected_bitmap(const RandomColumn& column, const std::vector<Value>& values,
                                       std::uint64_t more) {
  const std::uint64_t row_bytes = (column.nrows + 7) / 8 + more;
  std::vector<std::byte> bits(values.size() * row_bytes);
  for (std::size_t k = 0; k < values.size(); ++k)
    for (std::uint64_t row = 0; row < column.nrows; ++row)
      if (equal(column.rows[row], values[k]))
        bits[k * row_bytes + row / 8] |= std::byte{1} << (row % 8);
  return bits;
}

std::vector<std::uint64_t> bloom_bits(std::span<const std::byte> bytes, const Filter& filter,
                                      bool wrapped) {
  std::uint64_t hash[2];
  lmmh_x64_128(bytes.data(), static_cast<unsigned>(bytes.size()), filter.seed, hash);
  std::vector<std::uint64_t> bits;
  for (std::uint32_t i = 0; i < filter.k; ++i) {
    const auto sum = static_cast<unsigned __int128>(hash[1]) * i + hash[0];
    bits.push_back(wrapped ? static_cast<std::uint64_t>(sum) % filter.m_bits
                           : static_cast<std::uint64_t>(sum % filter.m_bits));
  }
  return bits;
}
std::vector<std::uint64_t> bloom_bits(const Datatype& type, const Value& value,
                                      const Filter& filter, bool wrapped) {
  return bloom_bits(canonical(type, value), filter, wrapped);
}

std::vector<std::byte> expected_bloom(const RandomColumn& column, const Filter& filter) {
  const std::uint64_t m_bytes = filter.m_bits / 8;
  std::vector<std::byte> filters(column.chunks() * m_bytes);
  for (std::uint64_t row = 0; row < column.nrows; ++row) {
    if (!column.plain(row)) continue;
    for (const std::uint64_t bit : bloom_bits(column.type, column.rows[row], filter))
      filters[row / column.chunk_rows() * m_bytes + bit / 8] |= std::byte{1} << (bit % 8);
  }
  return filters;
}

void add_minmax(TestTable& table, const std::string& column, const RandomColumn& data,
                const std::vector<ExpectedChunk>& chunks) {
  const std::string index = index_path(table, column, "__minmax");
  const Datatype entry = chunk_minmax_type(data.type);
  // The element in memory: for a variable-length string, a pointer to it.
  const auto element = [&](const std::optional<Value>& extreme) {
    const Value stored = extreme ? *extreme : placeholder(data);
    if (!data.type.variable_string()) return encode(data.type, stored);
    const char* text = table.texts.emplace_back(std::get<std::string>(stored)).c_str();
    const auto pointer = std::as_bytes(std::span(&text, 1));
    return std::vector<std::byte>(pointer.begin(), pointer.end());
  };
  std::vector<std::byte> bytes;
  for (const ExpectedChunk& chunk : chunks) {
    append(bytes, element(chunk.min));
    append(bytes, element(chunk.max));
    for (const std::uint64_t n : {chunk.nan_count, chunk.fill_count, chunk.n})
      append(bytes, bytes_of(n, 8, ByteOrder::kLittle));
  }
  table.values.set(table.add_dataset(index, entry, {chunks.size()}).token, std::move(bytes));
  list(table, column, index, "CHUNK_MINMAX");
}

void add_sorted(TestTable& table, const std::string& column, const ExpectedOrder& order,
                const Datatype& element) {
  const Datatype count = integer_type(8, false);
  const std::string index = index_path(table, column, "__sorted");
  table.add_dataset(index, element, {order.rows.size()},
                    Cells(order.rows.begin(), order.rows.end()));
  table.set(index, attribute("nan_tail_length", count, Cell(order.nan_tail)));
  table.set(index, attribute("fill_tail_length", count, Cell(order.fill_tail)));
  table.set(index, boolean("ordered", true));
  list(table, column, index, "SORTED_ROWS");
}

void add_bitmap(TestTable& table, const std::string& column, const RandomColumn& data,
                const std::vector<Value>& values, const std::vector<std::byte>& bits) {
  const std::string index = index_path(table, column, "__bitmap");
  const std::string indexed = index_path(table, column, "__values");
  table.add_dataset(indexed, data.type, {values.size()});
  NoChoice plain;
  store(table, indexed, data.type, values, plain);
  const std::uint64_t row_bytes =
      values.empty() ? (data.nrows + 7) / 8 : bits.size() / values.size();
  const Dataset& made =
      table.add_dataset(index, integer_type(1, false), {values.size(), row_bytes});
  table.values.set(made.token, bits);
  table.set(index, reference("VALUES", table.to(indexed)));
  table.set(index, boolean("ordered", false));
  list(table, column, index, "BITMAP");
}

void add_bloom(TestTable& table, const std::string& column, const Filter& filter,
               const std::vector<std::byte>& bits) {
  const std::string index = index_path(table, column, "__bloom");
  const std::uint64_t m_bytes = filter.m_bits / 8;
  const Dataset& made =
      table.add_dataset(index, integer_type(1, false), {bits.size() / m_bytes, m_bytes});
  table.values.set(made.token, bits);
  table.set(index, attribute("k", integer_type(2, false), Cell(filter.k)));
  table.set(index, attribute("m_bits", integer_type(8, false), Cell(filter.m_bits)));
  table.set(index, ascii("hash_family", "murmur3_x64_128_double"));
  table.set(index, attribute("seed", integer_type(4, false), Cell(filter.seed)));
  list(table, column, index, "CHUNK_BLOOM");
}

}  // namespace hepcheck::hep001::grammar
