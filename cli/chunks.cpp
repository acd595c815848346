// hepcheck chunks: the chunks in the indexes of an HDF5 file, in a form that can be compared.
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
#include "validator/formats/hdf5/chunk_list.h"

namespace hepcheck::cli {

namespace {

using hdf5::ChunkList;
using hdf5::ChunkLists;

// "0,16 0 4096 512": offsets in elements, mask, address, size.
std::string line_of(const ChunkList& list, std::size_t i) {
  const auto numbers = list.at(i);
  std::string line;
  for (std::size_t d = 0; d < list.rank(); ++d)
    line += std::format("{}{}", d == 0 ? "" : ",", numbers[d]);
  for (const std::uint64_t number : numbers.subspan(list.rank()))
    line += std::format(" {}", number);
  return line;
}

// The chunks by their lines, in the order of sorted text.
std::vector<std::pair<std::string, std::size_t>> sorted_lines(const ChunkList& list) {
  std::vector<std::pair<std::string, std::size_t>> lines;
  lines.reserve(list.count());
  for (std::size_t i = 0; i < list.count(); ++i) lines.emplace_back(line_of(list, i), i);
  std::ranges::sort(lines);
  return lines;
}

// The argument names a dataset: only its lines are printed.
void print_text(const ChunkLists& lists, bool alone) {
  for (const ChunkList& list : lists.datasets) {
    if (!alone)
      std::println("# {} {} chunk{}, {}", reports::escaped(list.path), list.count(),
                   list.count() == 1 ? "" : "s", reports::escaped(list.index));
    for (const auto& [line, i] : sorted_lines(list)) std::println("{}", line);
  }
}

void print_json(const ContainerArguments& arguments, const ChunkLists& lists) {
  reports::JsonStream to(std::cout, reports::JsonStream::Form::kCompact);
  to.begin_object();
  to.member("hepcheck", HEPCHECK_VERSION);
  to.member("file", reports::escaped(arguments.path));
  to.member("whole", lists.whole);
  reports::write_array(to, "trouble", lists.trouble,
                       [&](const std::string& each) { to.value(reports::escaped(each)); });
  reports::write_array(to, "datasets", lists.datasets, [&](const ChunkList& list) {
    to.begin_object();
    to.member("path", reports::escaped(list.path));
    to.member("index", reports::escaped(list.index));
    to.member("whole", list.whole);
    to.member("shape", list.shape);
    to.member("chunk_shape", list.chunk);
    reports::write_array(to, "chunks", sorted_lines(list), [&](const auto& each) {
      const auto numbers = list.at(each.second);
      const auto offset = numbers.first(list.rank());
      const auto rest = numbers.subspan(list.rank());
      to.value({{"offset", std::vector<std::uint64_t>(offset.begin(), offset.end())},
                {"mask", rest[0]},
                {"address", rest[1]},
                {"size", rest[2]}});
    });
    to.end();
  });
  to.end();
  std::cout << '\n';
}

int show(const ContainerArguments& arguments) {
  hdf5::ChunkListReader reader;
  const auto trouble = run_on_container(
      arguments,
      {.read = hdf5::tell_chunks, .receive = [&](std::string_view m) { reader.take(m); }});
  ChunkLists lists = std::move(reader).lists();
  if (trouble) lists = {.datasets = std::move(lists.datasets), .trouble = {*trouble}};
  // FILE:/dataset
  const bool named =
      lists.datasets.size() == 1 && arguments.path.ends_with(":" + lists.datasets.front().path);
  if (arguments.format == "json")
    print_json(arguments, lists);
  else
    print_text(lists, named);
  for (const std::string& each : lists.trouble)
    std::println(stderr, "hepcheck: {}", reports::escaped(each));
  return lists.whole ? 0 : 3;
}

}  // namespace

void add_chunks(CLI::App& app, int& status) {
  auto* command =
      app.add_subcommand("chunks", "List the chunks of HDF5 datasets and their addresses");
  auto a = std::make_shared<ContainerArguments>();
  command->add_option("path", a->path, "FILE, or FILE:/object for the objects below it")
      ->required()
      ->type_name("PATH");
  add_container_options(*command, *a);
  command->footer(
      "Prints one line for each chunk in an index, sorted as text: its offsets in elements, "
      "joined\nby commas; its filter mask, its address in the file and its size, all decimal. If "
      "more than\none dataset is printed, a line \"# PATH ...\" precedes the lines of each.\nThe "
      "file is read from its raw bytes, without the HDF5 library.\n\nExit status: 0 the list is "
      "complete; 2 usage error; 3 something could not be read, or is\ninvalid.");
  command->callback([a, &status] { status = show(*a); });
}

}  // namespace hepcheck::cli
