#include "validator/cli/examiner.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <format>
#include <print>
#include <utility>
#include <vector>

#include "reports/escape.h"
#include "validator/descriptor.h"
#include "validator/isolate/report_stream.h"

namespace hepcheck::cli {

namespace {

// Standard input as a file in memory, so that it is examined like any other.
Result<Descriptor> standard_input(std::uint64_t most) {
  Descriptor file{memfd_create("standard input", MFD_CLOEXEC)};
  if (!file) return failure("-", "no memory to keep it");
  std::vector<char> buffer(std::size_t{1} << 16);
  std::uint64_t total = 0;
  while (true) {
    const ssize_t got = read(STDIN_FILENO, buffer.data(), buffer.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return failure("-", "it cannot be read");
    if (got == 0) break;
    const auto part = static_cast<std::size_t>(got);
    total += part;
    if (total > most)
      return failure("-", std::format("standard input is larger than the limit of {} bytes", most));
    if (write(file.get(), buffer.data(), part) != got) return failure("-", "no memory to keep it");
  }
  if (total == 0) return failure("-", "the file is empty");
  return file;
}

Result<Descriptor> open(const Target& target, std::uint64_t most) {
  if (target.error) return std::unexpected(*target.error);
  return target.path == "-" ? standard_input(most) : open_for_reading(target.path);
}

}  // namespace

FileReport Examiner::examine_here(const Target& target) const {
  const Result<Descriptor> file = open(target, bounds_.memory);
  if (!file) return {.path = target.path, .error = file.error()};
  return examine_within_memory(Bytes::of_descriptor(file->get(), target.path),
                               {.spec = spec_, .subject = target.group, .options = options_});
}

void Examiner::examine(const Target& target, const isolate::Send& send) {
  const Result<Descriptor> file = open(target, bounds_.memory);
  if (!file) return isolate::ReportSender(send).rest({.path = target.path, .error = file.error()});
  const std::string refused = isolate::examine_isolated(
      Bytes::of_descriptor(file->get(), target.path),
      {.spec = spec_, .subject = target.group, .options = options_}, bounds_, send);
  if (!refused.empty() && !std::exchange(said_, true))
    std::println(stderr, "hepcheck: this system refuses part of the isolation: {}",
                 reports::escaped(refused));
}

}  // namespace hepcheck::cli
