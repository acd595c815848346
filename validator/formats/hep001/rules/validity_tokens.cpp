// HEP001 12.2 "Index validity tokens": GENERATION, SOURCE_GENERATION, SOURCE_NROWS.
#include "validator/formats/hep001/rules/names.h"

namespace hepcheck::hep001 {

namespace {

// kind-present covers the other possible roles of an index without KIND.
bool carries_kind(const SearchIndex& index) { return index.data->attribute("KIND") != nullptr; }

// Tokens are required because of an index; the values dataset of a bitmap is not an index, even
// with KIND (accompanying-no-kind).
void generation_present(const Table& table, Probe& probe) {
  if (!std::ranges::any_of(table.indexes, carries_kind)) {
    if (has_unreadable_member(table.search_indexes_group) && !table.attribute("GENERATION"))
      probe.blocked("a dataset in SEARCH_INDEXES cannot be read");
    return;
  }
  table_has<"GENERATION">(
      table, "a scalar uint64 attribute GENERATION on a table with search indexes",
      "Write GENERATION, and its value as SOURCE_GENERATION to every index with correct contents.",
      probe);
}

template <Name kName>
void token_present(const Table&, const SearchIndex& index, Probe& probe) {
  if (!carries_kind(index)) return;  // kind-present
  const Dataset& data = *index.data;
  if (!data.attribute(kName.str()) && data.attributes_unreadable)
    return probe.blocked(data.path + ": " + *data.attributes_unreadable);
  probe.looked();
  if (data.attribute(kName.str())) return;
  probe.fail({.object = data.path,
              .attribute = std::string(kName.str()),
              .observed = "absent, so that consumers ignore the index",
              .expected = std::format("a scalar uint64 attribute {} on the index", kName.str()),
              .hint = "Rebuild the index, then write the tokens of the state that it describes."});
}

template <Name kName, AttributeCheck kCheck>
void on_kind(const Table& table, const SearchIndex& index, Probe& probe) {
  if (carries_kind(index)) on_index<SearchIndex, kName, kCheck>(table, index, probe);
}

constexpr Rule kValidityTokensRules[] = {
    {"generation-present", generation_present, Sees::kIndexes},
    {"generation-scalar", on_table<"GENERATION", is_scalar>, Sees::kEverything},
    {"generation-uint64", on_table<"GENERATION", is_uint<8>>, Sees::kEverything},
    {"source-generation-present", token_present<"SOURCE_GENERATION">},
    {"source-generation-scalar", on_kind<"SOURCE_GENERATION", is_scalar>},
    {"source-generation-uint64", on_kind<"SOURCE_GENERATION", is_uint<8>>},
    {"source-nrows-present", token_present<"SOURCE_NROWS">},
    {"source-nrows-scalar", on_kind<"SOURCE_NROWS", is_scalar>},
    {"source-nrows-uint64", on_kind<"SOURCE_NROWS", is_uint<8>>},
};

}  // namespace

std::span<const Rule> validity_token_rules() { return kValidityTokensRules; }

}  // namespace hepcheck::hep001
