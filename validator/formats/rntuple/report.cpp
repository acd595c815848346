#include "validator/formats/rntuple/report.h"

#include <algorithm>
#include <format>

#include "validator/shorten.h"

namespace hepcheck::rntuple {

namespace {

// Names of the fields from the top: "vector._0.pt".
std::string name_of(const Schema& schema, std::uint32_t id) {
  constexpr std::size_t kMostLevels = 20;
  std::string name(schema.fields[id].name);
  for (std::size_t i = 0; i < kMostLevels && schema.fields[id].parent != id; ++i) {
    id = schema.fields[id].parent;
    if (id >= schema.fields.size()) break;
    name = std::string(schema.fields[id].name) + "." + name;
  }
  return name;
}

// What a column has in each cluster, or in each of some runs of clusters.
std::vector<Layer> cells_of(const Totals& totals, std::uint32_t column) {
  std::vector<Layer> made;
  const std::uint64_t width = totals.clusters_per_cell;
  for (const ColumnTotals& it : totals.cells[column]) {
    const std::uint64_t first = made.size() * width;
    const std::uint64_t last = std::min(first + width, totals.clusters) - 1;
    Layer cell{.kind = "cluster",
               .path = first == last ? std::format("cluster {}", first)
                                     : std::format("clusters {} to {}", first, last),
               .figures = {{"elements", it.elements},
                           {"pages", it.pages},
                           {"bytes", it.stored},
                           {"uncompressed", it.plain / 8 + (it.plain % 8 != 0)}}};
    if (it.nulls) cell.figures.push_back({"nulls", it.nulls});
    made.push_back(std::move(cell));
  }
  return made;
}

}  // namespace

void describe(const Examination& seen, SubjectReport& into) {
  into.notes.push_back(seen.dialect_seen());
  if (!seen.header().writer.empty())
    into.notes.push_back("written by " + std::string(seen.header().writer));
  const Schema& schema = seen.schema();
  into.figures = {{"entries", seen.totals() ? std::optional(seen.entries()) : std::nullopt},
                  {"fields", schema.fields.size()},
                  {"columns", schema.columns.size()}};
  if (const Totals* totals = seen.totals()) {
    into.figures.push_back({"clusters", totals->clusters});
    into.figures.push_back({"pages", totals->pages});
    into.figures.push_back({"stored", totals->stored});
    into.figures.push_back({"uncompressed", totals->plain});
  }
}

void describe_parts(const Examination& seen, std::uint64_t file_size, SubjectReport& into) {
  const Schema& schema = seen.schema();
  into.layout = ByteMap::of(file_size, {"envelopes", "pages"});
  for (const Referenced& each : seen.referenced())
    into.layout->add(each.range.begin, each.range.end - each.range.begin, each.page ? 1 : 0);
  for (std::uint32_t i = 0; i < schema.columns.size(); ++i) {
    const Column& column = schema.columns[i];
    if (column.field >= schema.fields.size()) continue;
    const Field& field = schema.fields[column.field];
    Part part{.name = name_of(schema, column.field), .type = std::string(field.type)};
    if (field.columns.size() > 1) part.name += std::format("#{}", i);
    shorten_name(part.name);
    const std::string_view type = column.kind().name;
    part.labels.push_back(type.empty() ? std::format("type {:#x}", column.type)
                                       : std::string(type));
    if (const Totals* totals = seen.totals()) {
      const ColumnTotals& it = totals->columns[i];
      part.figures = {{"elements", it.elements},
                      {"pages", it.pages},
                      {"bytes", it.stored},
                      {"uncompressed", it.plain / 8 + (it.plain % 8 != 0)}};
      if (it.nulls) part.figures.push_back({"nulls", it.nulls});
      part.layers = cells_of(*totals, i);
    }
    into.parts.push_back(std::move(part));
  }
}

}  // namespace hepcheck::rntuple
