// HEP001 9 "Row index columns". Section 12 requires what section 9 recommends about column-order:
// column-order-complete.
#include "validator/formats/hep001/rules/attributes.h"

namespace hepcheck::hep001 {

namespace {

void positional_table_omits_index_columns(const Table& table, Probe& probe) {
  const Attribute* labels = readable(table.attribute("INDEX_COLUMNS"), probe);
  if (!labels || !labels->space.one_dimensional()) return;
  probe.looked();
  if (labels->space.extent[0] == 0)
    probe.fail({.object = table.path(),
                .attribute = "INDEX_COLUMNS",
                .observed = "an empty array",
                .expected = "no INDEX_COLUMNS on a table without row labels",
                .hint = "Delete the attribute; both forms have the same meaning."});
}

constexpr Rule kRowIndexesRules[] = {{"positional-table-omits-index-columns",
                                      positional_table_omits_index_columns,
                                      Sees::kTableAttributes}};

}  // namespace

std::span<const Rule> row_index_rules() { return kRowIndexesRules; }

}  // namespace hepcheck::hep001
