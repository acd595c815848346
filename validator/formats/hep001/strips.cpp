#include "validator/formats/hep001/strips.h"

#include <type_traits>

#include "validator/probe.h"

namespace hepcheck::hep001 {

namespace {

// --- What counts as a difference, by family ----------------------------------------------------

void fill(const MinmaxFacts& facts, const Dataset&, Strip& into) {
  into.unit = "chunk";
  for (const auto each :
       {&MinmaxFacts::nan_count, &MinmaxFacts::fill_count, &MinmaxFacts::n_full,
        &MinmaxFacts::n_last, &MinmaxFacts::min, &MinmaxFacts::max, &MinmaxFacts::nan_included,
        &MinmaxFacts::fill_included, &MinmaxFacts::all_missing_min, &MinmaxFacts::all_missing_max})
    into.differences.add((facts.*each).where);
}

void fill(const SortedFacts& facts, const Dataset&, Strip& into) {
  into.unit = "element";
  for (const auto each :
       {&SortedFacts::permutation, &SortedFacts::order, &SortedFacts::ties, &SortedFacts::zero_ties,
        &SortedFacts::nan_placement, &SortedFacts::fill_placement, &SortedFacts::nan_order,
        &SortedFacts::fill_order})
    into.differences.add((facts.*each).where);
  if (facts.fill_rows > 0) into.marks.push_back({"fill_tail", facts.fill_rows});
  if (facts.nan_rows > 0) into.marks.push_back({"nan_tail", facts.nan_rows});
}

void fill(const BitmapFacts& facts, const Dataset&, Strip& into) {
  into.unit = "row";
  into.differences.add(facts.missing_bit.where);
  into.differences.add(facts.extra_bit.where);
}

void fill(const BloomFacts& facts, const Dataset& column, Strip& into) {
  into.unit = "chunk";
  // Lost values are known by row.
  const Spread& lost = facts.lost.where;
  if (const std::uint64_t rows = chunk_rows(column); rows > 0)
    for (const Spread::Cell& cell : lost.cells())
      into.differences.add(cell.at * lost.width() / rows, cell.count);
  into.differences.add(facts.excluded_inserted.where);
}

void fill(const std::monostate&, const Dataset&, Strip&) {}

Strip strip_of(const SearchIndex& index, const IndexFacts& facts, const Dataset& column) {
  const Attribute* kind = index.data->attribute("KIND");
  Strip strip{.kind = kind ? string_value(*kind).value_or("?") : "?",
              .path = index.data->path,
              .unit = "chunk"};
  std::visit(
      [&](const auto& each) {
        if constexpr (std::is_same_v<decltype(each), const std::monostate&>) {
          strip.reason = "of no known kind";
        } else {
          strip.compared = !each.obstacle;
          if (each.obstacle) strip.reason = reason_with(each.obstacle->reason, each.obstacle->by);
        }
        fill(each, column, strip);
      },
      facts);
  return strip;
}

}  // namespace

void add_strips(const Table& table, const TableFacts& facts, std::vector<Part>& columns) {
  for (std::size_t c = 0; c < table.columns.size(); ++c)
    columns[c].missing = facts.columns[c].missing_cells;
  for (std::size_t i = 0; i < table.indexes.size(); ++i)
    for (const std::size_t c : table.indexes[i].columns)
      columns[c].strips.push_back(
          strip_of(table.indexes[i], facts.indexes[i], *table.columns[c].data));
}

}  // namespace hepcheck::hep001
