// Whole tables: conformant ones are clean, in any order; a mutation triggers the right clause and
// no other; a mutated table is judged in the same way each time.
#include <algorithm>
#include <functional>
#include <map>

#include "fuzz/hep001/grammar/judge.h"
#include "fuzz/hep001/grammar/model.h"
#include "fuzz/hep001/properties/random_values.h"
#include "validator/formats/hep001/judge.h"

namespace hepcheck::hep001::grammar {

namespace {

using Verdicts = std::map<std::string, std::string>;

// Clauses with findings, by severity, and mandatory clauses that were not checked.
Verdicts verdicts(TestTable& table, Depth depth = Depth::kFull,
                  const Specification& spec = oldest()) {
  Verdicts all;
  for (const ClauseResult& result :
       examine(table.finish(spec), table.values, spec, {.depth = depth, .jobs = 1}).clauses) {
    if (result.verdict == Verdict::kFail)
      all[std::string(result.clause->id)] = to_string(result.severity);
    if (depth == Depth::kFull && result.verdict == Verdict::kNotChecked &&
        result.clause->mandatory())
      all[std::string(result.clause->id)] = "not checked";
  }
  return all;
}

// The table of a seed; tables cannot be copied and displayed by RapidCheck.
TestTable table_from(std::uint64_t seed) {
  Noise choices(seed);
  return random_table(choices);
}

std::uint64_t draw_seed() { return *rc::gen::arbitrary<std::uint64_t>().as("table"); }

Verdicts without_advice(Verdicts all) {
  std::erase_if(
      all, [](const auto& entry) { return entry.second == "info" || entry.second == "warning"; });
  return all;
}

RC_GTEST_PROP(Tables, ConformantTablesHaveNoFindings, ()) {
  TestTable table = table_from(draw_seed());
  RC_ASSERT(without_advice(verdicts(table)) == Verdicts{});
}

TestTable newer_table_from(std::uint64_t seed) {
  TestTable table = table_from(seed);
  Noise choices(seed + 2);
  make_newer(table, choices);
  return table;
}

RC_GTEST_PROP(Tables, ConformantTablesOfTheNewestRevisionHaveNoFindings, ()) {
  TestTable table = newer_table_from(draw_seed());
  RC_ASSERT(without_advice(verdicts(table, Depth::kFull, newest())) == Verdicts{});
}

// Structure is judged equally with and without the data, in the newest revision too, and the order
// of links never matters.
RC_GTEST_PROP(Tables, MutatedTablesOfTheNewestRevisionAreJudgedConsistently, ()) {
  const std::uint64_t seed = draw_seed();
  const auto mutated = [&] {
    TestTable table = newer_table_from(seed);
    Noise choices(seed + 1);
    for (int i = 0; i < 3; ++i) mutate(table, choices);
    return table;
  };
  TestTable table = mutated(), turned = mutated();
  const Verdicts full = verdicts(table, Depth::kFull, newest());
  for (const auto& [id, severity] : verdicts(table, Depth::kStructure, newest()))
    RC_ASSERT(full.contains(id) && full.at(id) == severity);
  std::ranges::reverse(turned.table.group.children);
  RC_ASSERT(verdicts(turned, Depth::kFull, newest()) == full);
}

RC_GTEST_PROP(Tables, OrderOfCreationDoesNotMatter, ()) {
  const std::uint64_t seed = draw_seed();
  const auto mutations = draw("mutations", [](Choices& c) { return c.below(4); });
  const auto mutated = [&] {
    TestTable table = table_from(seed);
    Noise choices(seed + 1);
    for (std::uint64_t i = 0; i < mutations; ++i) mutate(table, choices);
    return table;
  };
  TestTable table = mutated(), turned = mutated();
  std::ranges::reverse(turned.table.group.children);
  for (Child& child : turned.table.group.children)
    if (child.group) std::ranges::reverse(child.group->children);
  RC_ASSERT(verdicts(table) == verdicts(turned));
}

// Chunk shape and layout are free as long as no index by chunks depends on them.
RC_GTEST_PROP(Tables, StorageDoesNotMatter, ()) {
  const std::uint64_t seed = draw_seed();
  TestTable table = table_from(seed), other = table_from(seed);
  Noise choices(seed + 1);
  for (const Child& child : other.table.group.children) {
    if (!child.dataset) continue;
    bool by_chunks = false;
    if (const Attribute* listed = child.dataset->attribute("SEARCH_INDEX_LIST"))
      for (const Reference& to : listed->references)
        by_chunks |= to.path.ends_with("__minmax") || to.path.ends_with("__bloom");
    if (by_chunks) continue;
    Storage& storage = child.dataset->storage;
    storage.layout = choices.maybe() ? StorageLayout::kChunked : StorageLayout::kCompact;
    storage.chunk.clear();
    if (storage.layout == StorageLayout::kChunked) storage.chunk = {1 + choices.below(9)};
    if (storage.layout == StorageLayout::kChunked && choices.maybe())
      storage.filters.push_back({.id = 1, .name = "deflate", .parameters = {6}});
  }
  RC_ASSERT(verdicts(table) == verdicts(other));
}

// User attributes.
RC_GTEST_PROP(Tables, UserAttributesDoNotMatter, ()) {
  const std::uint64_t seed = draw_seed();
  TestTable table = table_from(seed), other = table_from(seed);
  other.set("", utf8("instrument", "spectrometer"));
  other.set("c0", attribute("gain", ieee_float_type(8), Cell(1.5)));
  RC_ASSERT(verdicts(table) == verdicts(other));
}

// Judging only the structure agrees with the structure part of the full judgement: no clause
// changes its result.
RC_GTEST_PROP(Tables, DepthDoesNotChangeStructure, ()) {
  const std::uint64_t seed = draw_seed();
  TestTable table = table_from(seed);
  Noise choices(seed + 1);
  for (int i = 0; i < 3; ++i) mutate(table, choices);
  const Verdicts full = verdicts(table);
  for (const auto& [id, severity] : verdicts(table, Depth::kStructure)) {
    RC_ASSERT(full.contains(id));
    RC_ASSERT(full.at(id) == severity);
  }
}

// One change in a conformant table, and the clause that prohibits it.
struct Operator {
  const char* clause;
  std::function<void(TestTable&)> apply;
  // The operator requires something that the table does not have.
  std::function<bool(TestTable&)> applies = [](TestTable&) { return true; };
};

bool has_rows(TestTable& t) { return unsigned_value(t.attribute("", "NROWS")) > 0; }
std::function<bool(TestTable&)> with(const char* suffix) {
  return [suffix](TestTable& t) {
    return has_rows(t) && t.has("SEARCH_INDEXES/c0" + std::string(suffix));
  };
}
std::string index(const char* suffix) { return "SEARCH_INDEXES/c0" + std::string(suffix); }

const std::vector<Operator>& operators() {
  static const Datatype count = integer_type(8, false);
  static const std::vector<Operator> all{
      {"version-present", [](TestTable& t) { t.erase("", "VERSION"); }},
      {"version-scalar", [](TestTable& t) { t.set("", shaped(ascii("VERSION", "1.0"), {1})); }},
      {"nrows-present", [](TestTable& t) { t.erase("", "NROWS"); }},
      {"nrows-uint64",
       [](TestTable& t) {
         const auto rows = *unsigned_value(t.attribute("", "NROWS"));
         t.set("", attribute("NROWS", integer_type(4, false), Cell(rows)));
       }},
      {"title-scalar", [](TestTable& t) { t.set("", shaped(utf8("TITLE", "x"), {1})); }},
      {"extent-ge-nrows",
       [](TestTable& t) {
         const auto rows = *unsigned_value(t.attribute("", "NROWS"));
         for (const Child& child : t.table.group.children)
           if (child.dataset) child.dataset->space.extent[0] = rows - 1;
       },
       has_rows},
      {"equal-extents", [](TestTable& t) { ++t.dataset("c0").space.extent[0]; },
       [](TestTable& t) { return t.has("c1"); }},
      {"fill-user-defined",
       [](TestTable& t) {
         t.dataset("c0").storage.fill_state = FillState::kDefault;
         t.dataset("c0").storage.fill.clear();
         t.dataset("c0").storage.fill_string.reset();
       },
       [](TestTable& t) { return !t.attributes("c0").contains("SEARCH_INDEX_LIST"); }},
      {"column-order-complete",
       [](TestTable& t) {
         auto names = string_elements(t.attribute("", "column-order"));
         names.pop_back();
         t.set("", utf8_list("column-order", names));
       },
       [](TestTable& t) { return t.has("c1") && !t.attributes("").contains("_index"); }},
      {"no-soft-link", [](TestTable& t) { t.add_soft_link("soft", "/elsewhere"); }},
      {"no-user-subgroup", [](TestTable& t) { t.add_group("subgroup"); }},
      {"no-multidimensional-dataset",
       [](TestTable& t) { t.add_dataset("image", integer_type(1, false), {2, 2}, {1, 2, 3, 4}); }},
      {"index-columns-resolve-to-column",
       [](TestTable& t) { t.set("", references("INDEX_COLUMNS", {dangling_reference()})); },
       [](TestTable& t) { return !t.attributes("").contains("_index"); }},
      {"search-index-list-resolves",
       [](TestTable& t) { t.set("c0", references("SEARCH_INDEX_LIST", {dangling_reference()})); },
       [](TestTable& t) { return !t.attributes("c0").contains("SEARCH_INDEX_LIST"); }},
      {"kind-scalar",
       [](TestTable& t) { t.set(index("__sorted"), shaped(ascii("KIND", "SORTED_ROWS"), {1})); },
       with("__sorted")},
      {"sorted-length", [](TestTable& t) { --t.dataset(index("__sorted")).space.extent[0]; },
       with("__sorted")},
      {"sorted-ordered-true",
       [](TestTable& t) { t.set(index("__sorted"), boolean("ordered", false)); }, with("__sorted")},
      {"sorted-nan-tail-length-present",
       [](TestTable& t) { t.erase(index("__sorted"), "nan_tail_length"); }, with("__sorted")},
      {"sorted-fill-tail-length-present",
       [](TestTable& t) { t.erase(index("__sorted"), "fill_tail_length"); }, with("__sorted")},
      {"bitmap-values-attr-present",
       [](TestTable& t) {
         t.erase(index("__bitmap"), "VALUES");
         t.remove(index("__values"));
       },
       with("__bitmap")},
      {"accompanying-no-kind",
       [](TestTable& t) { t.set(index("__values"), ascii("KIND", "BITMAP")); }, with("__bitmap")},
      {"bitmap-rank-2", [](TestTable& t) { t.dataset(index("__bitmap")).space.extent = {4}; },
       with("__bitmap")},
      {"bloom-k-present", [](TestTable& t) { t.erase(index("__bloom"), "k"); }, with("__bloom")},
      {"bloom-k-uint16",
       [](TestTable& t) {
         t.set(index("__bloom"), attribute("k", integer_type(4, false), Cell(2)));
       },
       with("__bloom")},
      {"bloom-m-bits-equals-8-m-bytes",
       [](TestTable& t) { t.set(index("__bloom"), attribute("m_bits", count, Cell(128))); },
       with("__bloom")},
      {"bloom-hash-family-value",
       [](TestTable& t) { t.set(index("__bloom"), ascii("hash_family", "sha1")); },
       with("__bloom")},
      {"bloom-seed-present", [](TestTable& t) { t.erase(index("__bloom"), "seed"); },
       with("__bloom")},
      {"minmax-rank-1",
       [](TestTable& t) { t.dataset(index("__minmax")).space.extent.push_back(1); },
       with("__minmax")},
      {"no-stray-dataset",
       [](TestTable& t) {
         if (!t.has("SEARCH_INDEXES")) t.add_group("SEARCH_INDEXES");
         t.add_dataset("SEARCH_INDEXES/stray", count, {1}, {1});
       }},
  };
  return all;
}

// On every table to which it applies: its clause is found, and no other error is.
TEST(Operators, TriggerExactlyTheirClause) {
  for (const Operator& op : operators()) {
    int applied = 0;
    for (std::uint64_t seed = 1; seed < 300 && applied < 20; ++seed) {
      TestTable table = table_from(seed * 0x9e3779b97f4a7c15u);
      if (!op.applies(table)) continue;
      ++applied;
      op.apply(table);
      Verdicts found = without_advice(verdicts(table));
      std::erase_if(found, [](const auto& entry) { return entry.second == "not checked"; });
      EXPECT_EQ(found, (Verdicts{{op.clause, "error"}})) << "table " << seed;
    }
    EXPECT_GT(applied, 0) << op.clause;
  }
}

}  // namespace

}  // namespace hepcheck::hep001::grammar
