// hepcheck layout: shows what each byte of an HDF5 file is used for.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <format>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <print>
#include <string>
#include <vector>

#include "cli/commands.h"
#include "cli/container.h"
#include "reports/escape.h"
#include "reports/json_stream.h"
#include "validator/formats/hdf5/file_map.h"

namespace hepcheck::cli {

namespace {

using hdf5::FileMap;
using hdf5::FileRange;

struct KindTotal {
  std::uint64_t blocks = 0, bytes = 0;
};

struct Totals {
  std::vector<KindTotal> kinds{};  // as FileMap::kinds
  std::uint64_t metadata = 0, raw = 0, gaps = 0, shared = 0;

  Totals(const FileMap& map, const std::vector<FileMap::Gap>& all_gaps,
         const std::vector<FileMap::Overlap>& overlaps)
      : kinds(map.kinds.size()) {
    for (const FileRange& range : map.ranges) {
      ++kinds[range.kind].blocks;
      kinds[range.kind].bytes += range.size;
      (range.kind == FileMap::kRaw ? raw : metadata) += range.size;
    }
    for (const FileMap::Gap& gap : all_gaps) gaps += gap.size;
    for (const FileMap::Overlap& overlap : overlaps) shared += overlap.size;
  }
  // The percentage of the used bytes.
  double metadata_share() const {
    return metadata + raw == 0
               ? 0
               : 100.0 * static_cast<double>(metadata) / static_cast<double>(metadata + raw);
  }
};

std::string name_of(const FileMap& map, const FileRange& range) {
  return map.kinds[range.kind] + " of " + map.objects[range.object];
}

void print_line(std::uint64_t address, std::uint64_t size, const std::string& what) {
  std::println("{} {} {}", address, size, reports::escaped(what));
}

void print_text(const FileMap& map) {
  const std::vector<FileMap::Gap> gaps = map.gaps();
  const std::vector<FileMap::Overlap> overlaps = map.overlaps();
  auto gap = gaps.begin();
  if (map.base > 0) print_line(0, map.base, "user block");
  for (const FileRange& range : map.ranges) {
    for (; gap != gaps.end() && gap->address < range.address; ++gap)
      print_line(gap->address, gap->size, "not referenced");
    print_line(range.address, range.size, name_of(map, range));
  }
  for (; gap != gaps.end(); ++gap) print_line(gap->address, gap->size, "not referenced");
  if (map.size > map.end) print_line(map.end, map.size - map.end, "beyond the end of the file");
  for (const FileMap::Overlap& each : overlaps)
    std::println("overlap: {} bytes at {} of {} and {}", each.size, each.address,
                 reports::escaped(name_of(map, map.ranges[each.first])),
                 reports::escaped(name_of(map, map.ranges[each.second])));
  const Totals totals(map, gaps, overlaps);
  for (std::size_t i = 0; i < map.kinds.size(); ++i)
    if (totals.kinds[i].blocks > 0)
      std::println("total: {} bytes in {} of {}", totals.kinds[i].bytes, totals.kinds[i].blocks,
                   reports::escaped(map.kinds[i]));
  std::println(
      "total: {} bytes of metadata ({:.1f} % of the used bytes), {} of raw data; {} bytes in {} "
      "gap{} are not referenced; {} overlap{}",
      totals.metadata, totals.metadata_share(), totals.raw, totals.gaps, gaps.size(),
      gaps.size() == 1 ? "" : "s", overlaps.size(), overlaps.size() == 1 ? "" : "s");
}

void print_json(const ContainerArguments& arguments, const FileMap& map) {
  using Json = nlohmann::ordered_json;
  const std::vector<FileMap::Gap> gaps = map.gaps();
  const std::vector<FileMap::Overlap> overlaps = map.overlaps();
  const Totals totals(map, gaps, overlaps);
  reports::JsonStream to(std::cout, reports::JsonStream::Form::kCompact);
  to.begin_object();
  to.member("hepcheck", HEPCHECK_VERSION);
  to.member("file", reports::escaped(arguments.path));
  to.member("whole", map.trouble.empty());
  reports::write_array(to, "trouble", map.trouble,
                       [&](const std::string& each) { to.value(reports::escaped(each)); });
  to.member("size", map.size);
  to.member("base", map.base);
  to.member("end", map.end);
  reports::write_array(to, "ranges", map.ranges, [&](const FileRange& each) {
    to.value({{"address", each.address},
              {"size", each.size},
              {"kind", reports::escaped(map.kinds[each.kind])},
              {"object", reports::escaped(map.objects[each.object])}});
  });
  reports::write_array(to, "gaps", gaps, [&](const FileMap::Gap& each) {
    to.value({{"address", each.address}, {"size", each.size}});
  });
  reports::write_array(to, "overlaps", overlaps, [&](const FileMap::Overlap& each) {
    to.value({{"address", each.address},
              {"size", each.size},
              {"ranges", Json::array({each.first, each.second})}});
  });
  Json kinds = Json::object();
  for (std::size_t i = 0; i < map.kinds.size(); ++i)
    if (totals.kinds[i].blocks > 0)
      kinds[reports::escaped(map.kinds[i])] = {{"blocks", totals.kinds[i].blocks},
                                               {"bytes", totals.kinds[i].bytes}};
  to.member("totals", {{"metadata", totals.metadata},
                       {"raw", totals.raw},
                       {"gaps", totals.gaps},
                       {"overlaps", totals.shared},
                       {"kinds", std::move(kinds)}});
  to.end();
  std::cout << '\n';
}

int show(const ContainerArguments& arguments) {
  hdf5::FileMapReader reader;
  const auto read = [](const Bytes& file, const std::optional<std::string>&, const Limits& limits,
                       const hdf5::Tell& tell) { hdf5::tell_map(file, limits, tell); };
  const auto trouble = run_on_container(
      arguments, {.read = read, .receive = [&](std::string_view m) { reader.take(m); }});
  FileMap map = std::move(reader).map();
  if (trouble) map.trouble = {*trouble};
  if (arguments.format == "json")
    print_json(arguments, map);
  else if (!trouble)
    print_text(map);
  for (const std::string& each : map.trouble)
    std::println(stderr, "hepcheck: {}", reports::escaped(each));
  return map.trouble.empty() ? 0 : 3;
}

}  // namespace

void add_layout(CLI::App& app, int& status) {
  auto* command = app.add_subcommand("layout", "Show what each byte of an HDF5 file is used for");
  auto a = std::make_shared<ContainerArguments>();
  command->add_option("file", a->path, "File to examine")->required()->type_name("FILE");
  add_container_options(*command, *a);
  command->footer(
      "Prints one line for each range of bytes: its address, its size, the kind of block and "
      "its\nowner; then overlaps and totals. Adjacent raw data of one dataset is one range. Ranges "
      "that\nare not referenced may be free space, or a heap of values.\nThe file is read from its "
      "raw bytes, without the HDF5 library.\n\nExit status: 0 all metadata was read; 2 usage "
      "error; 3 something could not be read, or is\ninvalid: the gaps may contain more metadata.");
  command->callback([a, &status] { status = show(*a); });
}

}  // namespace hepcheck::cli
