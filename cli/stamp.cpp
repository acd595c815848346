#include "cli/stamp.h"

#include <sys/stat.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <array>
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
    if (got < 0) return std::nullopt;
    if (got == 0) break;
    digest.add(std::span(piece).first(static_cast<std::size_t>(got)));
    stamp.bytes += static_cast<std::uint64_t>(got);
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

Stamper::State Stamper::state_of(int descriptor) {
  struct stat status{};
  if (fstat(descriptor, &status) != 0) return {};
  return {.device = status.st_dev,
          .inode = status.st_ino,
          .size = static_cast<std::uint64_t>(status.st_size),
          .seconds = status.st_mtim.tv_sec,
          .nanoseconds = status.st_mtim.tv_nsec};
}

Stamper::Stamper(const std::vector<Target>& targets) {
  for (const Target& target : targets) {
    if (target.error || target.path == "-") continue;
    if (const Result<Descriptor> file = open_for_reading(target.path))
      before_.emplace(target.path, state_of(file->get()));
  }
}

void Stamper::stamp(std::vector<FileReport>& files) const {
  for (FileReport& report : files) {
    const auto before = before_.find(report.path);
    if (before == before_.end()) continue;
    if (const Result<Descriptor> file = open_for_reading(report.path))
      report.stamp = stamp_of(file->get());
    // Looked at once more by its name: it may have been replaced.
    const Result<Descriptor> now = open_for_reading(report.path);
    if (report.stamp && now && state_of(now->get()) == before->second) continue;
    report.stamp.reset();
    std::println(stderr, "hepcheck: {}: it changed while it was examined, and gets no stamp",
                 reports::escaped(report.path));
  }
}

}  // namespace hepcheck::cli
