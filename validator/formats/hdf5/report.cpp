#include "validator/formats/hdf5/report.h"

#include <algorithm>
#include <format>
#include <map>

namespace hepcheck::hdf5 {

namespace {

constexpr std::string_view kYes = "yes", kNo = "no", kUndecided = "undecided";

std::vector<std::string> ids_of(const ClauseSet& clauses) {
  std::vector<std::string> ids;
  for (std::size_t i = 0; i < clauses.size(); ++i)
    if (clauses[i]) ids.emplace_back(kClauseIds[i]);
  return ids;
}

// The role of each dataset in a table, by its number: "column of /t".
std::multimap<std::size_t, std::string> roles(const ContainerWalk& walk) {
  std::multimap<std::size_t, std::string> made;
  for (const TableRecord& table : walk.tables()) {
    const std::string path = walk.objects().path(table.object);
    for (const auto& [datasets, role] :
         {std::pair(&table.columns, "column of "), std::pair(&table.indexes, "index of "),
          std::pair(&table.categories, "categories of ")})
      for (const std::size_t dataset : *datasets) made.emplace(dataset, role + path);
  }
  return made;
}

Part part_of(const DatasetRecord& dataset, const ContainerWalk& walk) {
  Part part{.name = walk.objects().path(dataset.object)};
  part.type = dataset.type;
  part.figures = {{"header_version", dataset.header_version}};
  if (dataset.described) {
    part.figures.push_back({"layout_version", dataset.layout_version});
    part.figures.push_back({"elements", dataset.elements});
    part.figures.push_back({"stored_bytes", dataset.stored_bytes});
    part.labels.emplace_back(to_string(dataset.layout_class));
    if (dataset.layout_class == LayoutClass::kChunked) {
      part.labels.emplace_back(to_string(dataset.index));
      part.figures.push_back({"chunk_bytes", dataset.chunk_bytes});
      part.figures.push_back({"chunks", dataset.chunks});
    }
  }
  if (walk.container().whole_format) return part;
  part.answer = dataset.against.any() ? kNo : dataset.open ? kUndecided : kYes;
  part.reasons = ids_of(dataset.against);
  return part;
}

Part part_of(const TableRecord& table, const ContainerWalk& walk) {
  Part part{.name = walk.objects().path(table.object), .type = "table"};
  part.figures = {{"columns", table.columns.size()}};
  if (walk.container().whole_format) return part;
  part.figures.push_back({"eligible_columns", table.eligible});
  ClauseSet against;
  bool open = false;
  for (const std::size_t column : table.columns) {
    against |= walk.datasets()[column].against;
    open |= walk.datasets()[column].open;
  }
  part.answer = against.any() ? kNo : open ? kUndecided : kYes;
  part.reasons = ids_of(against);
  return part;
}

}  // namespace

void describe(const ContainerWalk& walk, std::uint64_t most, SubjectReport& into) {
  const std::vector<DatasetRecord>& datasets = walk.datasets();
  const auto eligible = static_cast<std::uint64_t>(
      std::ranges::count_if(datasets, [](const DatasetRecord& each) { return each.eligible(); }));
  into.figures = {{"datasets", datasets.size()}};
  if (!walk.container().whole_format) into.figures.push_back({"eligible", eligible});
  into.figures.push_back({"objects", walk.objects().size()});
  into.figures.push_back({"tables", walk.tables().size()});
  const Superblock& superblock = walk.superblock();
  into.notes.push_back(superblock.no_version
                           ? "no superblock version"
                           : std::format("superblock version {}", superblock.version));
  if (superblock.version == 3)
    into.notes.back() += std::format(", status flags {:#04x}", superblock.status);
  if (superblock.position > 0)
    into.notes.back() += std::format(", after {} bytes of other data", superblock.position);
  std::uint64_t left = most;
  for (const Notes::NotExamined& each : walk.notes().not_examined()) {
    if (left-- == 0) {
      into.notes.push_back("more is not examined");
      break;
    }
    into.notes.push_back(
        std::format("{}: not examined: {}", brief(walk.objects().path(each.object)), each.reason));
  }
}

void describe_parts(const ContainerWalk& walk, SubjectReport& into) {
  const std::vector<DatasetRecord>& datasets = walk.datasets();
  for (const TableRecord& table : walk.tables()) into.parts.push_back(part_of(table, walk));
  const std::multimap<std::size_t, std::string> role = roles(walk);
  for (std::size_t i = 0; i < datasets.size(); ++i) {
    Part part = part_of(datasets[i], walk);
    const auto [begin, end] = role.equal_range(i);
    for (auto it = begin; it != end; ++it) part.labels.push_back(it->second);
    into.parts.push_back(std::move(part));
  }
}

void describe_layout(const ContainerWalk& walk, SubjectReport& into) {
  const Container& file = walk.container();
  ByteMap& map = into.layout.emplace(ByteMap::of(file.file().size(), {"metadata", "raw data"}));
  for (const Extent& extent : file.extents.all())
    map.add(file.base + extent.address, extent.size, file.extents.is_raw(extent) ? 1 : 0);
}

}  // namespace hepcheck::hdf5
