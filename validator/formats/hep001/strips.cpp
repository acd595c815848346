#include "validator/formats/hep001/strips.h"

#include <type_traits>

#include "validator/probe.h"

namespace hepcheck::hep001 {

namespace {

// --- What counts as a difference, by family ----------------------------------------------------

void fill(const MinmaxFacts& facts, const Dataset&, IndexMap& into) {
  into.unit = IndexMap::Unit::kChunk;
  for (const auto each :
       {&MinmaxFacts::nan_count, &MinmaxFacts::fill_count, &MinmaxFacts::n_full,
        &MinmaxFacts::n_last, &MinmaxFacts::min, &MinmaxFacts::max, &MinmaxFacts::nan_included,
        &MinmaxFacts::fill_included, &MinmaxFacts::all_missing_min, &MinmaxFacts::all_missing_max})
    into.differences.add((facts.*each).where);
}

void fill(const SortedFacts& facts, const Dataset&, IndexMap& into) {
  into.unit = IndexMap::Unit::kElement;
  for (const auto each :
       {&SortedFacts::permutation, &SortedFacts::order, &SortedFacts::ties, &SortedFacts::zero_ties,
        &SortedFacts::nan_placement, &SortedFacts::fill_placement, &SortedFacts::nan_order,
        &SortedFacts::fill_order})
    into.differences.add((facts.*each).where);
  into.fill_tail = facts.fill_rows;
  into.nan_tail = facts.nan_rows;
}

void fill(const BitmapFacts& facts, const Dataset&, IndexMap& into) {
  into.unit = IndexMap::Unit::kRow;
  into.differences.add(facts.missing_bit.where);
  into.differences.add(facts.extra_bit.where);
}

void fill(const BloomFacts& facts, const Dataset& column, IndexMap& into) {
  into.unit = IndexMap::Unit::kChunk;
  // Lost values are known by row.
  const Spread& lost = facts.lost.where;
  if (const std::uint64_t rows = chunk_rows(column); rows > 0)
    for (const Spread::Cell& cell : lost.cells())
      into.differences.add(cell.at * lost.width() / rows, cell.count);
  into.differences.add(facts.nan_inserted.where);
}

void fill(const std::monostate&, const Dataset&, IndexMap&) {}

// As the rules say it.
std::string text_of(const Obstacle& obstacle) {
  Probe probe;
  probe.blocked(obstacle.reason, obstacle.by);
  return probe.reason();
}

IndexMap map_of(const SearchIndex& index, const IndexFacts& facts, const Dataset& column) {
  const Attribute* kind = index.data->attribute("KIND");
  IndexMap map{.kind = kind ? string_value(*kind).value_or("?") : "?", .path = index.data->path};
  std::visit(
      [&](const auto& each) {
        if constexpr (std::is_same_v<decltype(each), const std::monostate&>) {
          map.reason = "of no known kind";
        } else {
          map.compared = !each.obstacle;
          if (each.obstacle) map.reason = text_of(*each.obstacle);
        }
        fill(each, column, map);
      },
      facts);
  return map;
}

}  // namespace

void add_maps(const Table& table, const TableFacts& facts, TableShape& shape) {
  for (std::size_t c = 0; c < table.columns.size(); ++c)
    shape.columns[c].missing = facts.columns[c].missing_cells;
  for (std::size_t i = 0; i < table.indexes.size(); ++i)
    for (const std::size_t c : table.indexes[i].columns)
      shape.columns[c].maps.push_back(
          map_of(table.indexes[i], facts.indexes[i], *table.columns[c].data));
}

}  // namespace hepcheck::hep001
