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
#include "reports/bytes_page.h"
#include "reports/escape.h"
#include "reports/json_stream.h"
#include "reports/map_json.h"
#include "validator/formats/hdf5/file_map.h"

namespace hepcheck::cli {

namespace {

struct MapArguments : ContainerArguments {
  bool fields = false;
  bool one_object = false;  // hepcheck show
};

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

void print_range(const FileMap& map, std::size_t number, FieldsOfRanges& fields) {
  const FileRange& range = map.ranges[number];
  print_line(range.address, range.size, name_of(map, range));
  for (const FileField& each : fields.of(number))
    std::println("  {} {} {}: {}", each.address, each.size,
                 each.name.empty() ? "-" : reports::escaped(each.name),
                 reports::escaped(each.value));
}

// The ranges of one object.
void print_object(const FileMap& map) {
  FieldsOfRanges fields(map);
  for (std::size_t i = 0; i < map.ranges.size(); ++i) print_range(map, i, fields);
}

void print_text(const FileMap& map) {
  FieldsOfRanges fields(map);
  const std::vector<FileMap::Gap> gaps = map.gaps();
  const std::vector<FileMap::Overlap> overlaps = map.overlaps();
  auto gap = gaps.begin();
  if (map.base > 0) print_line(0, map.base, "user block");
  for (std::size_t i = 0; i < map.ranges.size(); ++i) {
    for (; gap != gaps.end() && gap->address < map.ranges[i].address; ++gap)
      print_line(gap->address, gap->size, "not referenced");
    print_range(map, i, fields);
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

void write_json(std::ostream& out, reports::JsonStream::Form form, const MapArguments& arguments,
                const FileMap& map) {
  using Json = nlohmann::ordered_json;
  // Between the ranges of one object are others.
  const std::vector<FileMap::Gap> gaps =
      arguments.one_object ? std::vector<FileMap::Gap>() : map.gaps();
  const std::vector<FileMap::Overlap> overlaps = map.overlaps();
  const Totals totals(map, gaps, overlaps);
  reports::JsonStream to(out, form);
  to.begin_object();
  to.member("hepcheck", HEPCHECK_VERSION);
  to.member("file", reports::escaped(arguments.path));
  to.member("whole", map.trouble.empty());
  reports::write_array(to, "trouble", map.trouble,
                       [&](const std::string& each) { to.value(reports::escaped(each)); });
  to.member("size", map.size);
  to.member("base", map.base);
  to.member("end", map.end);
  reports::write_ranges(to, map, arguments.fields);
  reports::write_gaps(to, gaps);
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
  if (arguments.fields) reports::write_findings(to, map);
  to.end();
}

void print_page(const MapArguments& arguments, const FileMap& map) {
  reports::write_bytes_page(std::cout, arguments.path, HEPCHECK_VERSION, [&] {
    write_json(std::cout, reports::JsonStream::Form::kScript, arguments, map);
  });
}

int show(const MapArguments& arguments) {
  hdf5::FileMapReader reader;
  const auto read = [&](const Bytes& file, const std::optional<std::string>& object,
                        const Limits& limits, const hdf5::Tell& tell) {
    hdf5::MapOptions options{.fields = arguments.fields};
    if (arguments.one_object) options.only = object.value_or("/");
    hdf5::tell_map(file, limits, options, tell);
  };
  const auto trouble = run_on_container(
      arguments, {.read = read, .receive = [&](std::string_view m) { reader.take(m); }});
  FileMap map = std::move(reader).map();
  if (trouble) map.trouble = {*trouble};
  if (arguments.format == "json") {
    write_json(std::cout, reports::JsonStream::Form::kCompact, arguments, map);
    std::cout << '\n';
  } else if (arguments.format == "html") {
    print_page(arguments, map);
  } else if (!trouble && arguments.one_object) {
    print_object(map);
  } else if (!trouble) {
    print_text(map);
  }
  for (const std::string& each : map.trouble)
    std::println(stderr, "hepcheck: {}", reports::escaped(each));
  return map.trouble.empty() ? 0 : 3;
}

}  // namespace

void add_layout(CLI::App& app, int& status) {
  auto* command = app.add_subcommand("layout", "Show what each byte of an HDF5 file is used for");
  auto a = std::make_shared<MapArguments>();
  command->add_option("file", a->path, "File to examine")->required()->type_name("FILE");
  command->add_flag("--fields", a->fields,
                    "Also list the bytes of every structure: address, size, name of the field, and "
                    "its value");
  add_container_options(*command, *a, {"text", "json", "html"});
  command->footer(
      "Prints one line for each range of bytes: its address, its size, the kind of block and "
      "its\nowner; then overlaps and totals. Adjacent raw data of one dataset is one range. Ranges "
      "that\nare not referenced may be free space, or a heap of values. With --format html, a page "
      "in "
      "which\neach block can be opened to see its fields, with what validate finds at their "
      "bytes.\n"
      "The file is read from its "
      "raw bytes, without the HDF5 library.\n\nExit status: 0 all metadata was read; 2 usage "
      "error; 3 something could not be read, or is\ninvalid: the gaps may contain more metadata.");
  command->callback([a, &status] {
    a->fields |= a->format == "html";
    status = show(*a);
  });
}

void add_show(CLI::App& app, int& status) {
  auto* command =
      app.add_subcommand("show", "Show the structures of one object of an HDF5 file, by field");
  auto a = std::make_shared<MapArguments>();
  a->fields = a->one_object = true;
  command->add_option("object", a->path, "The object, as FILE:/path; FILE alone: the root group")
      ->required()
      ->type_name("FILE:/path");
  add_container_options(*command, *a);
  command->footer(
      "Prints the header of the object, with its messages, attributes and links; its heaps, trees "
      "and\nchunk indexes; and where its values are. Each structure is followed by its bytes: "
      "address, size,\nname of the field (- if it has none) and value. hepcheck chunks lists the "
      "chunks of a dataset.\n\nExit status: 0 the metadata was read; 2 usage error; 3 something "
      "could not be read, or is invalid.");
  command->callback([a, &status] { status = show(*a); });
}

}  // namespace hepcheck::cli
