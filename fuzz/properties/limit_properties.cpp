// Limits of the command line: each sets its own number, up to the maximum, in any unit.
#include <CLI/CLI.hpp>
#include <array>
#include <functional>
#include <string>
#include <vector>

#include "cli/limits.h"
#include "cli/output.h"
#include "fuzz/properties/random_values.h"

namespace hepcheck::cli {

namespace {

using namespace hepcheck::fuzz;

constexpr std::uint64_t kMostSeconds = 1'000'000'000;
constexpr std::uint64_t kMost = std::uint64_t{1} << 50;

// The numbers of all limits, in the order of the names.
constexpr const char* kNames[] = {
    "time",         "cpu-time", "memory",      "answer",      "reports",        "links",
    "objects",      "subjects", "group-depth", "attributes",  "attribute-size", "type-depth",
    "type-members", "chunks",   "chunk-size",  "string-size", "values-size",    "ratio"};
std::vector<std::uint64_t> numbers(const AllLimits& limits) {
  const auto& [worker, reading, reports] = limits;
  return {worker.seconds,
          worker.cpu_seconds,
          worker.memory,
          worker.answer,
          reports,
          reading.links,
          reading.objects,
          reading.subjects,
          reading.group_depth,
          reading.attributes,
          reading.attribute_bytes,
          reading.type_depth,
          reading.type_members,
          reading.chunks,
          reading.block_bytes,
          reading.string_bytes,
          reading.value_bytes,
          reading.ratio};
}

bool refused(const std::string& word) {
  try {
    limits_of({word});
    return false;
  } catch (const CLI::ValidationError&) {
    return true;
  }
}

RC_GTEST_PROP(Limits, EachSetsItsOwnNumberUpToTheMaximum, ()) {
  const std::size_t i = draw("limit", [](Choices& c) { return c.below(std::size(kNames)); });
  const std::uint64_t most = i < 2 ? kMostSeconds : kMost;
  const std::uint64_t number = draw("number", [most](Choices& c) {
    const std::uint64_t kNumbers[] = {0, 1, most - 1, most, most + 1, c.below(most), most * 2};
    return c.of(kNumbers);
  });
  const std::string word = std::string(kNames[i]) + "=" + std::to_string(number);
  RC_ASSERT(refused(word) == (number > most));
  if (number > most) return;
  std::vector<std::uint64_t> wanted = numbers({});
  wanted[i] = number;
  RC_ASSERT(numbers(limits_of({word})) == wanted);
  RC_ASSERT(numbers(limits_of({std::string(kNames[i]) + "=7", word})) == wanted);
}

// Each is 1024 times the previous one.
constexpr const char* kUnits[] = {"", "k", "m", "g", "t"};

RC_GTEST_PROP(Limits, HaveUnits, ()) {
  const std::size_t unit = draw("unit", [](Choices& c) { return c.below(std::size(kUnits)); });
  const std::uint64_t number = draw("number", [](Choices& c) { return c.below(1024); });
  const auto endings =
      unit == 0 ? std::vector<std::string>{"", "b"} : std::vector<std::string>{"", "b", "i", "ib"};
  for (const std::string& ending : endings)
    RC_ASSERT(
        limits_of({"memory=" + std::to_string(number) + kUnits[unit] + ending}).worker.memory ==
        number << 10 * unit);
}

TEST(Limits, UnknownNamesAreRefused) {
  for (const char* word :
       {"", "memory", "memory=", "memory=k", "memory=GiB", "memory=+1", "memory=-1", "memory=1x",
        "memory=1 2", "Memory=1", "memory =1", "mem=1", "memory=0x10", "memory=1.5", "memory=16EiB",
        "memory=99999999999999999999"})
    EXPECT_TRUE(refused(word)) << word;
}

TEST(Limits, SimilarNamesAreSuggested) {
  try {
    limits_of({"memry=1"});
    FAIL() << "it was taken";
  } catch (const CLI::ValidationError& error) {
    EXPECT_TRUE(std::string_view(error.what()).contains("memory")) << error.what();
  }
}

TEST(Limits, AreInTheHelpWithTheirDefaults) {
  const std::string help = limits_help();
  const std::vector<std::uint64_t> defaults = numbers({});
  for (std::size_t i = 0; i < std::size(kNames); ++i) {
    const std::size_t line = help.find("\n  " + std::string(kNames[i]) + " ");
    ASSERT_NE(line, help.npos) << kNames[i];
    const std::string rest = help.substr(line + 1, help.find('\n', line + 1) - line - 1);
    EXPECT_TRUE(rest.contains(" " + std::to_string(defaults[i]) + "  ")) << rest;
  }
}

// Sizes as accepted by options.
RC_GTEST_PROP(Limits, SizesAreAllowedUpToTheMaximum, ()) {
  const std::uint64_t number = draw("number", [](Choices& c) {
    const std::uint64_t kNumbers[] = {0, 1, kMost - 1, kMost, kMost + 1, c.below(kMost), 2 * kMost};
    return c.of(kNumbers);
  });
  CLI::App app;
  std::uint64_t value = 0;
  take_size(app.add_option("--size", value));
  bool taken = true;
  try {
    app.parse("--size " + std::to_string(number));
  } catch (const CLI::ParseError&) {
    taken = false;
  }
  RC_ASSERT(taken == (number <= kMost));
  if (taken) RC_ASSERT(value == number);
}

// Destinations of reports: formats with a file, and at most one without.
TEST(Destinations, AreFormatsAndFiles) {
  const auto made = destinations({"json=a=b", "text", "junit=c"});
  ASSERT_EQ(made.size(), 3u);
  EXPECT_EQ(made[0].format, "json");
  EXPECT_EQ(made[0].file, "a=b");
  EXPECT_EQ(made[1].format, "text");
  EXPECT_EQ(made[1].file, "");
  EXPECT_EQ(made[2].file, "c");
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"text", "json"}, {"json="}, {"Json"}, {""}, {"=a"}})
    EXPECT_THROW(destinations(words), CLI::ValidationError) << words.front();
}

}  // namespace

}  // namespace hepcheck::cli
