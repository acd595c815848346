#include "cli/limits.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <cstdint>
#include <format>
#include <optional>
#include <string_view>

#include "cli/suggest.h"
#include "reports/escape.h"

namespace hepcheck::cli {

namespace {

constexpr std::uint64_t kMostSeconds = 1'000'000'000;  // clocks count nanoseconds in 63 bits

struct NamedLimit {
  const char* name;
  const char* bounds;
  std::uint64_t& value;
  std::uint64_t most = kMostOfAll;
};

std::vector<NamedLimit> named(AllLimits& limits) {
  auto& [worker, reading, reports] = limits;
  return {
      {"time", "seconds per file, wall time", worker.seconds, kMostSeconds},
      {"cpu-time", "seconds of CPU time per file; 0: the same per core", worker.cpu_seconds,
       kMostSeconds},
      {"memory", "bytes of all worker processes together; 0: half of the machine's", worker.memory},
      {"answer", "bytes of the report of a file", worker.answer},
      {"reports", "bytes of the reports of all files; 0: a quarter of the machine's", reports},
      {"links", "links per file", reading.links},
      {"objects", "groups and datasets per file", reading.objects},
      {"subjects", "tables per file", reading.subjects},
      {"group-depth", "nesting of groups", reading.group_depth},
      {"attributes", "attributes per object", reading.attributes},
      {"attribute-size", "bytes of an attribute", reading.attribute_bytes},
      {"type-depth", "nesting of datatypes", reading.type_depth},
      {"type-members", "members of a datatype", reading.type_members},
      {"chunks", "chunks of a dataset", reading.chunks},
      {"chunk-size", "bytes of a chunk, or of a row, decoded", reading.block_bytes},
      {"string-size", "bytes of a variable-length string", reading.string_bytes},
      {"values-size", "bytes of all values that are read, decoded", reading.value_bytes},
      {"members", "members of a directory that is judged as one", reading.members},
      {"member-depth", "directories inside directories of it", reading.member_depth},
      {"member-name", "bytes of a member's path inside it", reading.member_name},
      {"members-size", "bytes of all its files", reading.member_bytes},
      {"ratio", "ratio of values to the size of the file, beyond 1 GiB", reading.ratio}};
}

// 1000, 64k, 2GiB; CLI11 would also accept a unit alone.
std::optional<std::uint64_t> size_of(std::string text) {
  if (text.empty() || text.front() > '9') return std::nullopt;
  try {
    if (!CLI::AsSizeValue(false)(text).empty()) return std::nullopt;
  } catch (const CLI::ValidationError&) {  // an unknown unit
    return std::nullopt;
  }
  std::uint64_t value = 0;
  const char* const end = text.data() + text.size();
  const auto parsed = std::from_chars(text.data(), end, value);
  if (parsed.ec != std::errc() || parsed.ptr != end) return std::nullopt;
  return value;
}

std::uint64_t number(const NamedLimit& limit, const std::string& text) {
  if (const auto value = size_of(text); value && *value <= limit.most) return *value;
  throw CLI::ValidationError(
      "--limit",
      std::format("{0} requires a number up to {1}, such as {0}=1000", limit.name, limit.most));
}

void set(AllLimits& limits, const std::string& word) {
  const std::size_t equals = std::min(word.find('='), word.size());
  const std::string name = word.substr(0, equals);
  std::vector<std::string_view> known;
  for (const NamedLimit& limit : named(limits)) {
    known.push_back(limit.name);
    if (limit.name != name) continue;
    limit.value = number(limit, equals == word.size() ? "" : word.substr(equals + 1));
    return;
  }
  throw CLI::ValidationError("--limit", "no limit \"" + name + "\"" + did_you_mean(name, known));
}

}  // namespace

AllLimits limits_of(const std::vector<std::string>& words) {
  AllLimits limits;
  for (const std::string& word : words) set(limits, word);
  return limits;
}

CLI::Option* take_size(CLI::Option* option) {
  const auto in_bytes = [](std::string& text) -> std::string {
    const auto value = size_of(text);
    if (!value)
      return std::format("\"{}\" is not a size such as 1000, 512MB or 2GiB",
                         reports::escaped(text));
    if (*value > kMostOfAll) return std::format("more than {} bytes", kMostOfAll);
    text = std::to_string(*value);
    return {};
  };
  return option->transform(CLI::Validator(in_bytes, ""))->type_name("SIZE");
}

std::string limits_help() {
  AllLimits limits;
  std::string text = "Limits and their defaults (content beyond a limit is not examined):\n";
  for (const NamedLimit& limit : named(limits))
    text += std::format("  {:<15} {:>15}  {}\n", limit.name, limit.value, limit.bounds);
  return text;
}

}  // namespace hepcheck::cli
