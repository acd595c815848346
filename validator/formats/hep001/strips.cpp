#include "validator/formats/hep001/strips.h"

#include <format>
#include <type_traits>

#include "validator/counted.h"
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
  // Lost values are reported by row.
  const Spread& lost = facts.lost.where;
  if (const std::uint64_t rows = chunk_rows(column); rows > 0)
    for (const Spread::Cell& cell : lost.cells())
      into.differences.add(cell.at * lost.width() / rows, cell.count);
  into.differences.add(facts.excluded_inserted.where);
}

void fill(const std::monostate&, const Dataset&, Strip&) {}

Strip strip_of(const SearchIndex& index, bool has_gate, const IndexFacts& facts,
               const Dataset& column) {
  const Attribute* kind = index.data->attribute("KIND");
  Strip strip{.kind = kind ? string_value(*kind).value_or("?") : "?",
              .path = index.data->path,
              .state = has_gate ? index.gate.text() : std::string(),
              .unit = "chunk"};
  std::visit(
      [&](const auto& each) {
        if constexpr (std::is_same_v<decltype(each), const std::monostate&>) {
          strip.reason = "of unknown kind";
        } else {
          strip.compared = !each.obstacle;
          if (each.obstacle) strip.reason = reason_with(each.obstacle->reason, each.obstacle->by);
        }
        fill(each, column, strip);
      },
      facts);
  return strip;
}

// "list<list<int16>>", "list<string>"
std::string type_of(const ListColumn& list) {
  std::string text, end;
  for (const ListLevel& level : list.levels) {
    if (level.cls == ListClass::kStrings) return text + "string" + end;
    text += "list<";
    end += '>';
  }
  const Dataset* leaf = list.leaf();
  return text + (leaf ? describe(leaf->type) : "?") + end;
}

std::vector<Layer> layers_of(const ListColumn& list, const ListFacts& facts) {
  std::vector<Layer> layers;
  for (std::size_t i = 0; i < list.levels.size(); ++i) {
    const ListLevelFacts& level = facts.levels[i];
    Layer layer{.kind = list.levels[i].cls == ListClass::kStrings ? "string" : "list",
                .path = list.levels[i].path,
                .figures = {{"entries", level.entries}}};
    const bool read = level.entries && !level.unread && !level.offsets && list.levels[i].judged;
    const auto figure = [&](const char* name, std::optional<std::uint64_t> value) {
      layer.figures.push_back({name, read ? value : std::nullopt});
    };
    figure("nulls", level.null_entries);
    figure("empty", level.empty_entries);
    figure("longest", level.longest);
    figure("elements", level.end);
    if (level.unread)
      layer.reason = *level.unread;
    else if (level.no_entries)
      layer.reason = reason_with(level.no_entries->reason, level.no_entries->by);
    else if (level.offsets)
      layer.reason = reason_with(level.offsets->reason, level.offsets->by);
    else if (!list.levels[i].judged)
      layer.reason = "its KIND is unknown";
    layers.push_back(std::move(layer));
  }
  return layers;
}

}  // namespace

void add_strips(const Table& table, const TableFacts& facts, std::vector<Part>& columns) {
  for (std::size_t c = 0; c < table.columns.size(); ++c)
    columns[c].missing = facts.columns[c].missing_cells;
  for (std::size_t i = 0; i < table.indexes.size(); ++i)
    for (const std::size_t c : table.indexes[i].columns)
      columns[c].strips.push_back(strip_of(table.indexes[i], table.revision->tokens,
                                           facts.indexes[i], *table.columns[c].data));
  for (std::size_t i = 0; i < table.lists.size(); ++i)
    columns[table.columns.size() + i].layers = layers_of(table.lists[i], facts.lists[i]);
}

Part part_of(const Table& table, const ListColumn& list) {
  const Dataset* offsets = list.levels.front().offsets.data();
  const std::uint64_t extent = offsets ? offsets->extent().value_or(0) : 0;
  return {.name = list.name,
          .type = type_of(list),
          .figures = {{"extent", extent > 0 ? extent - 1 : 0},
                      {"chunk_rows", offsets ? chunk_rows(*offsets) : 0},
                      {"chunks", offsets ? data_bearing_chunks(table, *offsets) : 0}}};
}

void note_lists(const Table& table, const TableFacts& facts, std::vector<std::string>& notes) {
  constexpr std::size_t kMost = 20;
  for (std::size_t i = 0; i < table.lists.size(); ++i) {
    if (i == kMost) {
      notes.push_back(counted(table.lists.size() - kMost, "more list column"));
      return;
    }
    std::string text = std::format("{}: {}", table.lists[i].path(), type_of(table.lists[i]));
    for (const ListLevelFacts& level : facts.lists[i].levels)
      text += level.entries && level.end && !level.unread
                  ? std::format("; {} entries, {} null, {} empty, of {} elements, at most {}",
                                *level.entries, level.null_entries, level.empty_entries, *level.end,
                                level.longest)
                  : std::string("; not known");
    notes.push_back(std::move(text));
  }
}

}  // namespace hepcheck::hep001
