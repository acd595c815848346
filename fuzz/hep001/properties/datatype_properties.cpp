// The properties of native numbers and strings for datatypes without a native equivalent
// (grammar/unusual_types.h): integers of any width, floats of other formats, times, bitfields,
// arrays and compounds. Correct contents have no findings, wrong ones have some, and nothing is
// left unchecked.
#include <algorithm>
#include <set>

#include "fuzz/hep001/grammar/unusual_types.h"
#include "fuzz/hep001/properties/random_values.h"
#include "validator/formats/hep001/derive/build_index.h"
#include "validator/formats/hep001/derive/order.h"
#include "validator/formats/hep001/judge.h"
#include "validator/formats/hep001/model/integers.h"
#include "validator/formats/hep001/testing/build.h"

namespace hepcheck::hep001::grammar {

namespace {

using Found = std::set<std::string>;

// The clauses that fail or could not be checked, except for those about columns and the warning
// that HEP001 defines no order for the float.
Found found_in(TestTable& table) {
  Found found;
  for (const ClauseResult& result :
       examine(table.finish(), table.values, older_revision(), {.jobs = 1}).clauses) {
    const std::string id(result.clause->id);
    const bool of_values = id.starts_with("minmax-") || id.starts_with("sorted-") ||
                           id.starts_with("bitmap-") || id == "code-in-range" ||
                           id == "fill-not-a-valid-code" || id.contains("valid-range");
    if (!of_values || id.ends_with("-orderable-type")) continue;
    if (result.verdict == Verdict::kFail) found.insert(id);
    if (result.verdict == Verdict::kNotChecked && result.clause->file_checkable())
      found.insert(id + " not checked: " + result.reason);
  }
  return found;
}

TestTable unusual_table(const RandomColumn& column, Choices& noise) {
  TestTable table("/t", column.nrows);
  add(table, "c", column, noise);
  return table;
}

template <std::size_t kCount>
RandomColumn draw_unusual(const Unusual (&among)[kCount]) {
  return draw("column", [&among](Choices& c) { return unusual_column(c, c.of(among), 24); });
}

std::uint64_t draw_number(const std::string& name, std::uint64_t n) {
  return draw(name, [n](Choices& c) { return c.below(n); });
}
Value draw_unusual_value(const std::string& name, const Datatype& type) {
  return draw(name, [type](Choices& c) { return Shown{unusual_value(c, type)}; }).value;
}

bool may_be_built(IndexKind kind, const RandomColumn& column) {
  return !index_refusal(kind, column.type, revision_of(older_revision()));
}

RC_GTEST_PROP(UnusualDatatypes, CompareLikeTheirValues, ()) {
  const Datatype type =
      draw("datatype", [](Choices& c) { return unusual_type(c, c.of(kNumbers)); });
  const Value a = draw_unusual_value("a", type), b = draw_unusual_value("b", type);
  Noise noise = draw_noise();
  const auto stored = encode(type, a, noise), other = encode(type, b, noise);
  const auto wanted = grammar::is_nan(a) || grammar::is_nan(b) ? std::partial_ordering::unordered
                      : less(a, b)                             ? std::partial_ordering::less
                      : less(b, a)                             ? std::partial_ordering::greater
                                                               : std::partial_ordering::equivalent;
  RC_ASSERT(compare_values(type, stored, other) == wanted);
  RC_ASSERT(hep001::is_nan(type, stored) == grammar::is_nan(a));
  RC_ASSERT(equal_values(type, stored, other) == equal(a, b));
}

RC_GTEST_PROP(UnusualDatatypes, OfPartsAreEqualIfTheirPartsAre, ()) {
  static constexpr Unusual kOfParts[] = {Unusual::kArray, Unusual::kCompound};
  const Datatype type =
      draw("datatype", [&](Choices& c) { return unusual_type(c, c.of(kOfParts)); });
  const Value a = draw_unusual_value("a", type), b = draw_unusual_value("b", type);
  Noise noise = draw_noise();
  RC_ASSERT(equal_values(type, encode(type, a, noise), encode(type, b, noise)) == equal(a, b));
}

RC_GTEST_PROP(UnusualDatatypes, ChunkExtremesAreJudged, ()) {
  const RandomColumn column = draw_unusual(kIndexable);
  const std::vector<ExpectedChunk> right = expected_minmax(column);
  std::vector<ExpectedChunk> entries = right;
  ExpectedChunk& entry = entries[draw_number("chunk", entries.size())];
  const ExpectedChunk before = entry;
  const std::uint64_t change = draw_number("change", 4);
  if (change == 1 && entry.min) entry.min = draw_unusual_value("min", column.type);
  if (change == 2 && entry.max) entry.max = draw_unusual_value("max", column.type);
  if (change == 3) ++(draw_number("count", 2) == 0 ? entry.nan_count : entry.fill_count);
  const auto same = [](const std::optional<Value>& a, const std::optional<Value>& b) {
    return a.has_value() == b.has_value() && (!a || equal(*a, *b));
  };
  const bool wrong = !same(entry.min, before.min) || !same(entry.max, before.max) || change == 3;
  Noise noise = draw_noise();
  TestTable table = unusual_table(column, noise);
  add_minmax(table, "c", column, entries);
  const Found found = found_in(table);
  RC_ASSERT(found.empty() == !wrong);

  const auto built = build_chunk_minmax(table.dataset("c"),
                                        **table.values.stream(table.dataset("c"), column.nrows));
  RC_ASSERT(built.has_value() == may_be_built(IndexKind::kChunkMinmax, column));
  for (std::size_t i = 0; built && i < right.size(); ++i) {
    RC_ASSERT((*built)[i].fill_count == right[i].fill_count);
    if (right[i].min)
      RC_ASSERT(equal_values(column.type, (*built)[i].min, encode(column.type, *right[i].min)));
    if (right[i].max)
      RC_ASSERT(equal_values(column.type, (*built)[i].max, encode(column.type, *right[i].max)));
  }
}

// In memory and in windows.
RC_GTEST_PROP(UnusualDatatypes, SortedRowsAreJudged, ()) {
  const RandomColumn column = draw_unusual(kIndexable);
  const ExpectedOrder right = expected_order(column);
  ExpectedOrder order = right;
  if (draw_number("change", 2) == 1)
    std::swap(order.rows[draw_number("one", column.nrows)],
              order.rows[draw_number("another", column.nrows)]);
  Noise noise = draw_noise();
  TestTable table = unusual_table(column, noise);
  add_sorted(table, "c", order);
  RC_ASSERT(found_in(table).empty() == (order.rows == right.rows));

  const auto built = build_sorted_rows(
      table.dataset("c"), **table.values.stream(table.dataset("c"), column.nrows), 1 << 20);
  RC_ASSERT(built.has_value() == may_be_built(IndexKind::kSortedRows, column));
  if (built) RC_ASSERT(built->rows == right.rows);
}

// The index itself may have any unsigned integer type.
RC_GTEST_PROP(UnusualDatatypes, SortedRowsMayHaveUnusualTypes, ()) {
  const RandomColumn column = draw_unusual(kIndexable);
  const ExpectedOrder right = expected_order(column);
  Datatype type = draw("element", [](Choices& c) {
    Datatype made = unusual_type(c, Unusual::kWideInteger);
    if (c.maybe())
      made.size = 4, made.precision = 16 + static_cast<std::uint32_t>(c.below(9)),
      made.bit_offset = static_cast<std::uint32_t>(c.below(8));
    made.is_signed = false;
    return made;
  });
  std::vector<std::uint64_t> rows = right.rows;
  const bool wrong = draw_number("wrong", 2) == 1;
  if (wrong) rows[draw_number("at", rows.size())] = column.nrows + draw_number("beyond", 3);
  NoChoice plain;
  TestTable table = unusual_table(column, plain);
  add_sorted(table, "c", right);
  const std::string index = "SEARCH_INDEXES/c__sorted";
  table.dataset(index).type = type;
  std::vector<std::byte> elements;
  for (const std::uint64_t row : rows) {
    const auto stored = stored_integer(type, row);
    RC_PRE(stored.has_value());
    elements.insert(elements.end(), stored->begin(), stored->end());
  }
  table.values.set(table.dataset(index).token, elements);
  Found found = found_in(table);
  std::erase_if(found, [](const std::string& id) { return id.contains("sorted-permutation)"); });
  RC_ASSERT(found == (wrong ? Found{"sorted-permutation"} : Found{}));
}

// Any one bit, also of NaN rows; NaN may be listed among the values.
RC_GTEST_PROP(UnusualDatatypes, BitmapsAreJudged, ()) {
  const RandomColumn column = draw_unusual(kAnyUnusual);
  std::vector<Value> values = distinct(column);
  const bool floats = column.type.is(TypeClass::kFloat);
  if (floats && draw_number("NaN listed", 2) == 1)
    values.push_back(std::numeric_limits<double>::quiet_NaN());
  RC_PRE(!values.empty());
  auto bits = expected_bitmap(column, values);
  const std::uint64_t value = draw_number("value", values.size());
  const std::uint64_t row = draw_number("row", column.nrows);
  const bool flip = draw_number("flip", 2) == 1;
  if (flip) bits[value * ((column.nrows + 7) / 8) + row / 8] ^= std::byte{1} << (row % 8);
  const bool open = grammar::is_nan(values[value]) && grammar::is_nan(column.rows[row]);
  Noise noise = draw_noise();
  TestTable table = unusual_table(column, noise);
  add_bitmap(table, "c", column, values, bits);
  store(table, "SEARCH_INDEXES/c__values", column.type, values, noise);
  RC_ASSERT(found_in(table).empty() == (!flip || open));

  const auto built = build_bitmap(
      table.dataset("c"), **table.values.stream(table.dataset("c"), column.nrows), 1000, 1 << 20);
  RC_ASSERT(built.has_value());
  RC_ASSERT(built->values.size() == distinct(column).size());
}

RC_GTEST_PROP(UnusualDatatypes, DuplicateValuesAreFound, ()) {
  const RandomColumn column = draw_unusual(kAnyUnusual);
  std::vector<Value> values = distinct(column);
  RC_PRE(!values.empty());
  values.push_back(values[draw_number("twice", values.size())]);
  Noise noise = draw_noise();
  TestTable table = unusual_table(column, noise);
  add_bitmap(table, "c", column, values, expected_bitmap(column, values));
  store(table, "SEARCH_INDEXES/c__values", column.type, values, noise);
  RC_ASSERT(found_in(table) == Found{"bitmap-values-distinct"});
}

RC_GTEST_PROP(UnusualDatatypes, RangesAreJudged, ()) {
  RandomColumn column = draw_unusual(kNumbers);
  Value low = draw_unusual_value("valid_min", column.type),
        high = draw_unusual_value("valid_max", column.type);
  RC_PRE(!grammar::is_nan(low) && !grammar::is_nan(high));
  if (less(high, low)) std::swap(low, high);
  const auto within = [&](const Value& v) { return !less(v, low) && !less(high, v); };
  Found wanted;
  if (!grammar::is_nan(*column.fill) && within(*column.fill))
    wanted.insert("fill-strictly-outside-valid-range");
  for (std::uint64_t row = 0; row < column.nrows; ++row)
    if (!column.missing(row) && !grammar::is_nan(column.rows[row]) && !within(column.rows[row]))
      wanted.insert("data-within-valid-range");
  Noise noise = draw_noise();
  TestTable table = unusual_table(column, noise);
  for (const auto& [name, bound] : {std::pair("valid_min", low), std::pair("valid_max", high)}) {
    Attribute made{.name = name};
    made.type = column.type;
    made.bytes = encode(column.type, bound, noise);
    table.set("c", made);
  }
  RC_ASSERT(found_in(table) == wanted);
}

RC_GTEST_PROP(UnusualDatatypes, CodesAreJudged, ()) {
  static constexpr Unusual kCodes[] = {Unusual::kWideInteger};
  RandomColumn column = draw_unusual(kCodes);
  const std::uint64_t labels = draw_number("labels", 4);
  const std::uint32_t precision = column.type.precision;
  RC_PRE(precision <= 120 ||
         column.type.bit_offset % 2 == 1);  // codes in stored form (unusual_types.cpp)
  const auto is_code = [&](const Value& value) {
    const Integer code = std::get<Integer>(value);
    return code >= 0 && code < static_cast<Integer>(labels);
  };
  Found wanted;
  if (is_code(*column.fill)) wanted.insert("fill-not-a-valid-code");
  for (std::uint64_t row = 0; row < column.nrows; ++row)
    if (!column.missing(row) && !is_code(column.rows[row])) wanted.insert("code-in-range");
  Noise noise = draw_noise();
  TestTable table = unusual_table(column, noise);
  table.add_group("CATEGORIES");
  table.add_dataset("CATEGORIES/c", integer_type(1, false), {labels}, Cells(labels, Cell(0)));
  table.set("c", reference("CATEGORIES", table.to("CATEGORIES/c")));
  RC_ASSERT(found_in(table) == wanted);
}

}  // namespace

}  // namespace hepcheck::hep001::grammar
