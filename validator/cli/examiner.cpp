#include "validator/cli/examiner.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <format>
#include <iterator>
#include <optional>
#include <print>
#include <ranges>
#include <string>
#include <utility>
#include <vector>

#include "reports/escape.h"
#include "validator/descriptor.h"
#include "validator/format.h"
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

// What one specification says of a file, beside what others said.
void join(FileReport& whole, FileReport part) {
  std::ranges::move(part.subjects, std::back_inserter(whole.subjects));
  if (!whole.error) {
    whole.error = std::move(part.error);
    whole.stop = std::move(part.stop);
  } else if (part.error && part.error->cause != whole.error->cause) {
    whole.unreadable.push_back({"/", std::move(part.error->cause)});
  }
  for (Error& each : part.unreadable)
    if (!std::ranges::contains(whole.unreadable, each)) whole.unreadable.push_back(std::move(each));
}

}  // namespace

Specifications Examiner::specifications_for(const Bytes& file) const {
  Specifications wanted = specs_;
  if (wanted.size() == 1 || !std::ranges::contains(wanted, nullptr)) return wanted;
  const Format* recognised = recognise(file);
  const bool named = std::ranges::any_of(
      wanted, [&](const Specification* each) { return each && &format_of(*each) == recognised; });
  if (named) std::erase(wanted, nullptr);
  return wanted;
}

FileReport Examiner::examine_here(const Target& target) const {
  const Result<Descriptor> file = open(target, bounds_.memory);
  if (!file) return {.path = target.path, .error = file.error()};
  const Bytes bytes = Bytes::of_descriptor(file->get(), target.path);
  const Specifications specs = specifications_for(bytes);
  FileReport whole = examine_within_memory(bytes, request(target, specs.front()));
  for (const Specification* spec : specs | std::views::drop(1))
    join(whole, examine_within_memory(bytes, request(target, spec)));
  return whole;
}

void Examiner::examine(const Target& target, const isolate::Send& send) {
  const Result<Descriptor> file = open(target, bounds_.memory);
  if (!file) return isolate::ReportSender(send).rest({.path = target.path, .error = file.error()});
  const Bytes bytes = Bytes::of_descriptor(file->get(), target.path);
  const Specifications specs = specifications_for(bytes);
  if (specs.size() == 1) return isolated(bytes, request(target, specs.front()), send);
  std::optional<FileReport> whole;
  for (const Specification* spec : specs) {
    isolate::ReportReader reader(options_.limits.subjects);
    isolated(bytes, request(target, spec), [&](std::string_view message) { reader.take(message); });
    FileReport part = std::move(reader).report(target.path);
    if (whole)
      join(*whole, std::move(part));
    else
      whole = std::move(part);
  }
  isolate::ReportSender(send).whole(*std::move(whole));
}

void Examiner::isolated(const Bytes& file, const Request& wanted, const isolate::Send& send) {
  const std::string refused = isolate::examine_isolated(file, wanted, bounds_, send);
  if (!refused.empty() && !std::exchange(said_, true))
    std::println(stderr, "hepcheck: this system refuses part of the isolation: {}",
                 reports::escaped(refused));
}

}  // namespace hepcheck::cli
