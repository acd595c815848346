#include "fuzz/hep001/properties/mutated_tables.h"

#include <limits>

#include "fuzz/hep001/grammar/judge.h"
#include "fuzz/hep001/grammar/list.h"
#include "fuzz/hep001/grammar/model.h"
#include "fuzz/properties/random_values.h"
#include "validator/formats/hep001/derive/bloom.h"

namespace hepcheck::hep001::grammar {

namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr std::uint64_t kRows = 10;

struct Kind {
  std::string name{};
  Datatype type{};
  std::vector<Value> rows{};
  std::optional<Value> fill{};
  std::uint64_t chunk = 0;
  std::vector<Value> range{};   // valid_min and valid_max
  std::vector<Value> listed{};  // by the bitmap; empty: all of them
};

std::vector<Value> integers(std::initializer_list<int> values) {
  std::vector<Value> made;
  for (const int value : values) made.emplace_back(Integer{value});
  return made;
}

Datatype part_of(Datatype type, std::uint32_t precision, std::uint32_t offset) {
  type.precision = precision;
  type.bit_offset = offset;
  return type;
}
Datatype of_class(Datatype type, TypeClass cls) {
  type.cls = cls;
  return type;
}

std::vector<Kind> kinds_of_integers() {
  const auto big = ByteOrder::kBig;
  const std::vector<Value> some = integers({5, -1, 5, 0, -9, 3, -7, -9, 5, 3, 9, -9});
  const std::vector<Value> few = integers({5, 1, 5, 0, 9, 3, 7, 9, 5, 3, 8, 9});
  const std::vector<Value> flags = integers({0, 1, 1, 0, 0, 0, 1, 1, 0, 1, 7, 0});
  return {
      {"int16 big-endian", integer_type(2, true, big), some, Integer{-9}, 4, integers({-8, 7})},
      {"uint8 contiguous", integer_type(1, false), few, Integer{9}, 0, integers({0, 7})},
      {"uint64 of one chunk", integer_type(8, false), few, Integer{9}, 100, {}},
      {"int of 12 bits", part_of(integer_type(2, true), 12, 3), some, Integer{-9}, 3,
       integers({-7, 5})},
      {"int of 100 bits", part_of(integer_type(16, true, big), 100, 1), some, Integer{-9}, 4,
       integers({-8, 7})},
      {"enumeration",
       enum_type(integer_type(2, true, big), {{"A", 5}, {"B", 3}, {"MISSING", -9}}),
       some,
       Integer{-9},
       4,
       {}},
      {"boolean", boolean_type(), flags, Integer{2}, 4, {}},
      {"boolean over uint8",
       enum_type(integer_type(1, false), {{"FALSE", 0}, {"TRUE", 1}}),
       flags,
       Integer{2},
       0,
       {}},
      {"boolean with a value listed twice",
       boolean_type(),
       flags,
       Integer{2},
       4,
       {},
       integers({0, 1, 0})},
      {"enumeration of 12 bits",
       enum_type(part_of(integer_type(2, true), 12, 3), {{"A", 5}, {"B", 3}, {"MISSING", -9}}),
       some,
       Integer{-9},
       4,
       {}},
      {"int32 with its fill value in its range", integer_type(4, true), some, Integer{-9}, 4,
       integers({-20, 7})},
      {"int16 with the recommended fill value among its own", integer_type(2, true),
       integers({5, -1, -32767, 0, -9, 3, -7, -9, 5, 3, 9, -9}), Integer{-9}, 4, integers({-8, 7})},
      {"one bit", part_of(integer_type(1, false), 1, 2), flags, Integer{1}, 4, {}},
      {"bitfield", of_class(integer_type(3, false), TypeClass::kBitfield), few, Integer{9}, 4,
       integers({0, 7})},
      {"time", of_class(integer_type(4, false), TypeClass::kTime), some, Integer{-9}, 0,
       integers({-8, 7})}};
}

std::vector<Kind> kinds_of_floats() {
  const std::vector<Value> some{1.5,   kNan, -0.0, 0.0,   9.0,  kInf,
                                -kInf, kNan, 1.5,  -2.25, kNan, 9.0};
  std::vector<Value> nans = some;
  for (Value& value : nans)
    if (equal(value, 9.0)) value = kNan;
  const Datatype bfloat{.cls = TypeClass::kFloat,
                        .size = 2,
                        .order = ByteOrder::kLittle,
                        .precision = 16,
                        .floating = {15, 7, 8, 0, 7, 127, true}};
  return {{"float16 contiguous", ieee_float_type(2), some, 9.0, 0, {-2.25, 8.0}},
          {"float32 big-endian", ieee_float_type(4, ByteOrder::kBig), some, 9.0, 4, {-3.0, 2.0}},
          {"float64 without NaN rows", ieee_float_type(8), nans, kNan, 4, {-3.0, 2.0}},
          {"bfloat16", bfloat, some, 9.0, 4, {-3.0, 2.0}}};
}

std::vector<Kind> kinds_of_texts() {
  const auto text = [](std::size_t size, StringPadding padding) {
    return fixed_string_type(size, padding, CharacterSet::kUtf8);
  };
  const std::vector<Value> some{"b",        "a",  "",   "ab",  "zz", "b",
                                "\xc3\xa9", "zz", "ab", "a b", "x",  "zz"};
  const std::vector<Value> bytes{"abc",
                                 "abd",
                                 "abc",
                                 "\xff"
                                 "bc",
                                 "zzz",
                                 "aaa",
                                 "abc",
                                 "zzz",
                                 "bbb",
                                 "ab\x01",
                                 "xxx",
                                 "zzz"};
  // The first seven and eight bytes of them are equal.
  const std::vector<Value> longer{"abcdefgh", "abcdefg", "abcdefgi", "",  "none", "abcdefgh",
                                  "abcdefg",  "none",    "abcdefgh", "z", "x",    "none"};
  const auto range = std::vector<Value>{"a", "c"};
  return {{"NULLTERM", text(5, StringPadding::kNullTerm), some, "zz", 4, range},
          {"SPACEPAD", text(9, StringPadding::kSpacePad), some, "zz", 0, range},
          {"NULLPAD of 8", text(8, StringPadding::kNullPad), longer, "none", 4, range},
          {"NULLPAD of 9", text(9, StringPadding::kNullPad), longer, "none", 0, range},
          {"NULLPAD", text(12, StringPadding::kNullPad), some, "zz", 4, range},
          {"variable-length string", variable_string_type(CharacterSet::kUtf8), some, "zz", 4, {}},
          {"opaque", opaque_type(3, "tag"), bytes, "zzz", 4, {"aaa", "bbb"}}};
}

std::vector<Kind> kinds_of_parts() {
  const auto part = [](Datatype type) { return std::make_shared<const Datatype>(std::move(type)); };
  const std::vector<Value> some = integers({5, 1, 5, 0, 8, 3, 7, 8, 5, 3, 4, 8});
  return {{"array",
           {.cls = TypeClass::kArray, .size = 8, .base = part(ieee_float_type(4)), .dims = {2}},
           some,
           Integer{8},
           4,
           integers({0, 7})},
          {"compound",
           compound_type(9, {{"a", 0, part(integer_type(2, true)), {}},
                             {"b", 4, part(ieee_float_type(4, ByteOrder::kBig)), {}}}),
           some, Integer{8}, 0, integers({0, 7})}};
}

TestTable table_of(const Kind& kind, const Specification& spec) {
  const Revision& revision = revision_of(spec);
  Noise noise(7);  // zeros and NaN of either sign, irrelevant bits
  RandomColumn column{
      .type = kind.type, .rows = kind.rows, .nrows = kRows, .fill = kind.fill, .chunk = kind.chunk};
  TestTable table("/t", kRows);
  if (revision.is_boolean_column(kind.type)) column.fill.reset();
  add(table, "c", column, noise);
  if (kind.range.size() == 2)
    for (const auto& [name, bound] :
         {std::pair("valid_min", kind.range[0]), std::pair("valid_max", kind.range[1])}) {
      Attribute made{.name = name, .type = kind.type};
      made.bytes = encode(kind.type, bound);
      table.set("c", made);
    }
  add_minmax(table, "c", column, expected_minmax(column));
  add_sorted(table, "c", expected_order(column), integer_type(2, false));
  const std::vector<Value> values = kind.listed.empty() ? distinct(column) : kind.listed;
  add_bitmap(table, "c", column, values, expected_bitmap(column, values));
  if (has_canonical_bytes(kind.type, revision_of(newest())))
    add_bloom(table, "c", {}, expected_bloom(column, {}));
  table.list_columns();
  if (!revision.tokens) return table;
  NoChoice plain;
  make_newer(table, plain);
  table.set("SEARCH_INDEXES/c__bitmap", boolean("exhaustive", true));
  return table;
}

}  // namespace

std::vector<MutatedTable> tables_of_datatypes(const Specification& spec) {
  std::vector<MutatedTable> tables;
  for (const auto kinds : {kinds_of_integers, kinds_of_floats, kinds_of_texts, kinds_of_parts})
    for (const Kind& kind : kinds())
      tables.push_back({kind.name, [kind, &spec] { return table_of(kind, spec); }});
  return tables;
}

TestTable nested_lists() {
  TestTable table("/t", 4);
  add(table, "numbers",
      {.nrows = 4,
       .levels = {{{0, 2, 2, 3, 4}, true, {1, 0, 1, 1}},
                  {{0, 1, 1, 4, 4, 9}, true, {1, 0, 1, 1, 9}},
                  {{0, 2, 3, 3, 5}, true, {1, 1, 0, 1}}},
       .leaf = 6,
       .big_endian = true});
  add(table, "signed", {.nrows = 4, .levels = {{{0, 0, 2, 2, 2}, false, {}}}, .leaf = 2});
  Dataset& offsets = table.dataset("signed/OFFSETS");
  offsets.type = integer_type(2, true, ByteOrder::kBig);
  table.store("signed/OFFSETS", {0, 0, 2, 2, 2});
  add(table, "names",
      {.nrows = 4,
       .levels = {{{0, 1, 3, 3, 4, 8}, false, {}}, {{0, 1, 1, 4, 8, 9}, true, {1, 0, 1, 1}}},
       .strings = true,
       .chars = "ab\xc3\xa9x\xe2\x82\xac"});
  table.list_columns();
  NoChoice plain;
  make_newer(table, plain);
  table.set("", utf8_list("column-order", {"numbers", "signed", "names"}));
  const std::string leaf = "numbers/VALUES/VALUES/VALUES";
  const Datatype type = table.dataset(leaf).type;
  const std::vector<Value> values = integers({5, -1, 5, 0, 3, 99});
  store(table, leaf, type, values, plain);
  for (const auto& [name, bound] : {std::pair("valid_min", -1), std::pair("valid_max", 5)})
    table.set(leaf, attribute(name, type, Cell(bound)));
  table.set("numbers", utf8("units", "m"));
  table.set("names", utf8("description", "Names."));
  return table;
}

TestTable tangled_table() {
  TestTable t("/t", 3);
  const Datatype number = integer_type(4, true);
  for (const char* name : {"a", "b", "c", "d"})
    t.add_column(name, number, {0, 1, 9}, 9, name[0] == 'a' ? 2 : 0);
  t.add_hard_link("a again", "a");
  t.set("", references("INDEX_COLUMNS", {t.to("a"), null_reference(), t.to("a"), t.to("d")}));
  t.set("", utf8("_index", "b"));
  t.set("",
        utf8_list("column-order", {"a", "b", "soft", "nobody", "label", "b", "nobody", "flag"}));

  t.add_soft_link("soft", "/t/b").soft_target = t.child("b").token;
  t.child("soft").object = ObjectKind::kDataset;
  t.add_soft_link("soft of a label", "/t/d").soft_target = t.child("d").token;
  t.add_soft_link("loose", "/nowhere");
  t.add_external_link("outside", "o.h5", "/x");
  t.add_user_link("user");
  t.add_named_datatype("type");
  t.add_dataset("matrix", number, {3, 2}, Cells(6, Cell(1)));
  t.add_group("group");
  t.add_dataset("group/OFFSETS", integer_type(8, false), {1}, {0});

  const Datatype text = fixed_string_type(1, StringPadding::kNullPad, CharacterSet::kUtf8);
  t.add_group("CATEGORIES");
  t.add_group("CATEGORIES/deep");
  t.add_dataset("CATEGORIES/deep/label", text, {2}, {"x", "y"});
  t.add_dataset("CATEGORIES/label", text, {2}, {"x", "y"});
  t.add_dataset("CATEGORIES/unused", text, {2}, {"x", "y"});
  t.add_soft_link("CATEGORIES/soft", "/t/a");
  for (const char* name : {"b", "c"})
    t.set(name, reference("CATEGORIES", t.to("CATEGORIES/deep/label")));
  t.set("d", reference("CATEGORIES", t.to("CATEGORIES/label")));
  t.add_hard_link("label", "CATEGORIES/label");

  t.add_group("SEARCH_INDEXES");
  const auto index = [&](const std::string& name, const char* kind) {
    t.add_dataset("SEARCH_INDEXES/" + name, integer_type(8, false), {3}, {0, 1, 2});
    if (*kind != 0) t.set("SEARCH_INDEXES/" + name, ascii("KIND", kind));
    return t.to("SEARCH_INDEXES/" + name);
  };
  const Reference sorted = index("sorted", "SORTED_ROWS"), other = index("other", "SUFFIX_TREE"),
                  misspelt = index("misspelt", "sorted_rows"), nameless = index("nameless", "");
  const Reference companion = index("companion", ""), stray = index("stray", "");
  t.set("SEARCH_INDEXES/sorted", attribute("nan_tail_length", integer_type(8, false), Cell(0)));
  t.set("SEARCH_INDEXES/sorted", attribute("fill_tail_length", integer_type(8, false), Cell(1)));
  t.set("SEARCH_INDEXES/sorted", boolean("ordered", true));
  t.set("SEARCH_INDEXES/other", reference("VALUES", companion));
  t.set("SEARCH_INDEXES/misspelt", reference("COLUMN", t.to("a")));
  index("unlisted", "BITMAP");
  t.set("SEARCH_INDEXES/unlisted", reference("VALUES", stray));
  t.set("SEARCH_INDEXES/stray", ascii("KIND", "CHUNK_BLOOM"));
  t.add_soft_link("SEARCH_INDEXES/soft", "/t/a");
  t.set("a",
        references("SEARCH_INDEX_LIST", {sorted, null_reference(), sorted, misspelt, nameless}));
  t.set("b", references("SEARCH_INDEX_LIST", {other, misspelt, t.to("c"), dangling_reference()}));

  t.add_dataset("flag", boolean_type(), {4}, {0, 1, 1, 0});
  return t;
}

}  // namespace hepcheck::hep001::grammar
