#include "cli/stamp.h"

#include <sys/stat.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <array>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <cstdlib>
#include <format>
#include <optional>
#include <print>
#include <string_view>

#include "reports/escape.h"
#include "validator/descriptor.h"
#include "validator/sha256.h"

namespace hepcheck::cli {

namespace {

std::optional<FileStamp> stamp_of(int descriptor) {
  constexpr std::size_t kPiece = std::size_t{1} << 18;
  std::vector<unsigned char> piece(kPiece);
  FileStamp stamp;
  Sha256 digest;
  while (true) {
    const ssize_t got =
        pread(descriptor, piece.data(), piece.size(), static_cast<off_t>(stamp.bytes));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return std::nullopt;
    if (got == 0) break;
    digest.add(std::span(piece).first(static_cast<std::size_t>(got)));
    stamp.bytes += static_cast<std::uint64_t>(got);
  }
  stamp.sha256 = digest.hexadecimal();
  return stamp;
}

// The stamp of a directory: the digest of a line for each member, ordered by name: what it is,
// and of a file its size and digest; the name ends with a NUL, which no name holds.
std::optional<FileStamp> stamp_of(const Members& members) {
  FileStamp stamp;
  Sha256 digest;
  for (const Member& member : members.all()) {
    if (member.error) return std::nullopt;
    std::string line = member.name + '\0' + std::string(to_string(member.kind));
    if (member.kind == MemberKind::kFile) {
      const std::optional<FileStamp> file = stamp_of(member.bytes.descriptor());
      if (!file) return std::nullopt;
      stamp.bytes += file->bytes;
      line += ' ' + std::to_string(file->bytes) + ' ' + file->sha256;
    }
    line += '\n';
    digest.add({reinterpret_cast<const unsigned char*>(line.data()), line.size()});
  }
  stamp.sha256 = digest.hexadecimal();
  return stamp;
}

}  // namespace

std::string date_of_run() {
  using std::chrono::sys_seconds;
  sys_seconds at = std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now());
  if (const char* const epoch = std::getenv("SOURCE_DATE_EPOCH")) {
    const std::string_view text(epoch);
    std::uint32_t seconds = 0;
    const auto [end, trouble] = std::from_chars(text.data(), text.data() + text.size(), seconds);
    if (trouble == std::errc() && end == text.data() + text.size())
      at = sys_seconds(std::chrono::seconds(seconds));
  }
  return std::format("{:%FT%TZ}", at);
}

std::vector<std::string> options_given(const CLI::App& command) {
  std::vector<std::string> made;
  for (const CLI::Option* option : command.get_options()) {
    if (option->count() == 0 || option->get_positional()) continue;
    if (option->get_items_expected_max() == 0)
      made.push_back(option->get_name());
    else
      for (const std::string& value : option->results())
        made.push_back(option->get_name() + '=' + value);
  }
  return made;
}

Stamper::State Stamper::state_of(int descriptor, const std::string& name) {
  struct stat status{};
  if (fstat(descriptor, &status) != 0) return {.name = name};
  return {.name = name,
          .device = status.st_dev,
          .inode = status.st_ino,
          .size = static_cast<std::uint64_t>(status.st_size),
          .seconds = status.st_mtim.tv_sec,
          .nanoseconds = status.st_mtim.tv_nsec};
}

std::vector<Stamper::State> Stamper::states_of(const OpenedInput& input) {
  if (!input.members) return {state_of(input.file.get(), {})};
  std::vector<State> states;
  for (const Member& member : input.members->all())
    states.push_back(member.bytes.descriptor() < 0
                         ? State{.name = member.name}
                         : state_of(member.bytes.descriptor(), member.name));
  return states;
}

Stamper::Stamper(const std::vector<Target>& targets, const Limits& limits) : limits_(limits) {
  for (const Target& target : targets) {
    if (target.error || target.path == "-") continue;
    if (const Result<OpenedInput> input = open_input(target.path, limits_))
      before_.emplace(target.path, states_of(*input));
  }
}

void Stamper::stamp(std::vector<FileReport>& files) const {
  for (FileReport& report : files) {
    const auto before = before_.find(report.path);
    if (before == before_.end()) continue;
    if (const Result<OpenedInput> input = open_input(report.path, limits_))
      report.stamp = input->members ? stamp_of(*input->members) : stamp_of(input->file.get());
    // Opened again by name: the file may have been replaced.
    const Result<OpenedInput> now = open_input(report.path, limits_);
    if (report.stamp && now && states_of(*now) == before->second) continue;
    report.stamp.reset();
    std::println(stderr, "hepcheck: {}: changed while it was examined, and is not stamped",
                 reports::escaped(report.path));
  }
}

}  // namespace hepcheck::cli
