// hepcheck trace modes: tests which open modes can coexist in the libhdf5 of this build.
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cstdlib>
#include <filesystem>
#include <format>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <print>

#include "cli/suggest.h"
#include "cli/trace.h"
#include "reports/escape.h"
#include "validator/formats/hep001/libhdf5/open_modes.h"

namespace hepcheck::cli {

namespace {

namespace fs = std::filesystem;
using namespace hep001::libhdf5;

struct Row {
  bool locking = true;
  OpenAttempt opening{};
  bool should = false;        // allowed by section 3
  std::string_view clause{};  // the clause
};

// Section 3. Combinations that it does not mention (a SWMR reader with plain readers) are allowed.
Row row_of(bool locking, const OpenAttempt& opening) {
  const bool holder_writes =
      opening.held == OpenMode::kWrite || opening.held == OpenMode::kSwmrWrite;
  const bool writes = opening.tried == OpenMode::kWrite || opening.tried == OpenMode::kSwmrWrite;
  if (holder_writes && writes) return {locking, opening, false, "swmr-open-one-writer"};
  if (writes) return {locking, opening, false, "swmr-open-no-writer-beside-readers"};
  if (opening.held == OpenMode::kWrite)
    return {locking, opening, false, "swmr-open-no-reader-beside-plain-writer"};
  if (opening.held == OpenMode::kSwmrWrite && opening.tried == OpenMode::kRead)
    return {locking, opening, false, "swmr-open-plain-reader-refused"};
  if (opening.held == OpenMode::kSwmrWrite) return {locking, opening, true, "swmr-open-swmr-pair"};
  return {locking, opening, true, "swmr-open-readers-alone"};
}

void print(const std::vector<Row>& rows, const Appends& appends) {
  std::println("libhdf5 {}", library_version());
  std::println("{:8}{:12}{:12}{:10}{:10}{}", "locks", "held", "tried", "is", "should", "clause");
  std::uint64_t others = 0;
  for (const Row& row : rows) {
    const bool as_said = row.opening.opened == row.should;
    others += !as_said;
    std::println("{:8}{:12}{:12}{:10}{:10}{}{}{}", row.locking ? "on" : "off",
                 to_string(row.opening.held), to_string(row.opening.tried),
                 row.opening.opened ? "open" : "refused", row.should ? "open" : "refused",
                 row.clause, as_said ? "" : "  <- differs from section 3",
                 row.opening.opened || !row.opening.changed ? "" : "  (and the file was changed)");
  }
  std::println("{} of {} differ from section 3", others, rows.size());
  std::println("swmr-open-swmr-pair: two SWMR readers {} the growth of a dataset",
               appends.followed ? "follow" : "do not follow");
  std::println("swmr-unchecksummed-refused: SWMR writing on a version 1 tree is {}{}",
               appends.unchecksummed_refused ? "refused: " : "let through",
               reports::escaped(appends.refusal));
  std::println(
      "swmr-write-throughput: an append with its flush takes {:.0f} us, under SWMR {:.0f} us",
      appends.plain_seconds * 1e6, appends.swmr_seconds * 1e6);
}

nlohmann::ordered_json to_json(const std::vector<Row>& rows, const Appends& appends) {
  nlohmann::ordered_json json{{"hepcheck", HEPCHECK_VERSION}, {"libhdf5", library_version()}};
  for (const Row& row : rows) {
    nlohmann::ordered_json one{{"locks", row.locking},
                               {"held", to_string(row.opening.held)},
                               {"tried", to_string(row.opening.tried)},
                               {"opened", row.opening.opened},
                               {"should_open", row.should},
                               {"file_changed", row.opening.changed},
                               {"clause", row.clause}};
    if (!row.opening.message.empty()) one["message"] = reports::escaped(row.opening.message);
    json["openings"].push_back(std::move(one));
  }
  json["readers_follow"] = appends.followed;
  json["unchecksummed_refused"] = appends.unchecksummed_refused;
  json["append_seconds"] = appends.plain_seconds;
  json["swmr_append_seconds"] = appends.swmr_seconds;
  return json;
}

int run(const std::string& format) {
  std::string pattern = (fs::temp_directory_path() / "hepcheck-XXXXXX").string();
  if (!::mkdtemp(pattern.data())) {
    std::println(stderr, "hepcheck: {}: no temporary directory", pattern);
    return kNotExamined;
  }
  const auto removed_in_the_end =
      std::unique_ptr<std::string, void (*)(std::string*)>(&pattern, [](std::string* folder) {
        std::error_code ignored;
        fs::remove_all(*folder, ignored);
      });
  std::vector<Row> rows;
  for (const bool locking : {true, false}) {
    const auto openings = try_openings(pattern, locking);
    if (!openings) {
      std::println(stderr, "hepcheck: {}", reports::escaped(openings.error().text()));
      return kNotExamined;
    }
    for (const OpenAttempt& opening : *openings) rows.push_back(row_of(locking, opening));
  }
  const auto appends = try_appends(pattern);
  if (!appends) {
    std::println(stderr, "hepcheck: {}", reports::escaped(appends.error().text()));
    return kNotExamined;
  }
  if (format == "json")
    std::cout << to_json(rows, *appends).dump(1) << '\n';
  else
    print(rows, *appends);
  return std::cout.flush() ? 0 : kNotExamined;
}

}  // namespace

void add_trace_modes(CLI::App& trace, int& status) {
  CLI::App* command = trace.add_subcommand(
      "modes", "Test which open modes can coexist in the libhdf5 of this build");
  auto format = std::make_shared<std::string>("text");
  command->add_option("--format", *format, "text or json")
      ->check(one_of({"text", "json"}))
      ->capture_default_str();
  command->footer(
      "Tests the modes of section 3 of the SWMR design with two processes each, with file locks "
      "and\nwithout; a reader that follows a writer; a writer of structures without "
      "checksums.\nExit status: 0 everything was tested; 2 usage error; 3 something could not be "
      "tested.");
  command->callback([format, &status] { status = run(*format); });
}

}  // namespace hepcheck::cli
