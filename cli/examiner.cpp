#include "cli/examiner.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <format>
#include <iterator>
#include <optional>
#include <print>
#include <ranges>
#include <string>
#include <utility>
#include <vector>

#include "reports/escape.h"
#include "validator/counted.h"
#include "validator/format.h"
#include "validator/incoming.h"
#include "validator/isolate/report_stream.h"

namespace hepcheck::cli {

namespace {

constexpr const char* kLate = "the limit of time was reached while waiting for standard input";

// Standard input as a file in memory, examined like any other file.
Result<Descriptor> collected(Incoming& input, std::uint64_t most) {
  Descriptor file{memfd_create("standard input", MFD_CLOEXEC)};
  if (!file) return failure("-", "there is not enough memory to hold it");
  constexpr std::uint64_t kStep = std::uint64_t{1} << 16;
  std::uint64_t total = 0;
  for (bool more = true; more;) {
    more = input.reach(total + kStep);
    const std::span<const std::byte> part =
        input.held(total, std::min(kStep, input.size() - total));
    if (input.late()) return failure("-", kLate);
    total += part.size();
    if (total > most)
      return failure("-", "standard input is larger than the limit of " + counted(most, "byte"));
    if (write(file.get(), part.data(), part.size()) != static_cast<ssize_t>(part.size()))
      return failure("-", "there is not enough memory to hold it");
    input.let_go(total);
  }
  if (total == 0) return failure("-", "the file is empty");
  return file;
}

// The results of one specification, combined with those of the others.
void join(FileReport& whole, FileReport part) {
  whole.lacked_memory |= part.lacked_memory;
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

Specifications Examiner::specifications_for(const Input& input) const {
  Specifications wanted = specs_;
  if (wanted.size() == 1) return wanted;
  // A specification does not apply to a file of another format; a file that none recognises is
  // examined by each, so that every reason is reported.
  if (!input.members) {
    Specifications fit = wanted;
    std::erase_if(fit, [&](const Specification* each) {
      return each && format_of(*each).recognise(input.file) == Likeness::kNone;
    });
    if (std::ranges::any_of(fit, [](const Specification* each) { return each != nullptr; }) ||
        (!fit.empty() && recognise(input.file)))
      wanted = std::move(fit);
  }
  if (!std::ranges::contains(wanted, nullptr)) return wanted;
  const Format* recognised = input.members ? input.format : recognise(input.file);
  const bool named = std::ranges::any_of(
      wanted, [&](const Specification* each) { return each && &format_of(*each) == recognised; });
  if (named) std::erase(wanted, nullptr);
  return wanted;
}

// The specification for standard input if it can be examined while it arrives; null if not.
const Specification* Examiner::forwards(Incoming& input) const {
  constexpr std::uint64_t kBegin = std::uint64_t{1} << 20;
  input.reach(kBegin);
  const std::span<const std::byte> begin = input.held(0, std::min(kBegin, input.size()));
  const Specification* const named = specs_.front();
  if (specs_.size() > 1 || (begin.empty() && !named)) return nullptr;
  const Format* const format = named ? &format_of(*named) : recognise(Bytes::of_image(begin, "-"));
  if (!format || !format->reads_forwards || !format->reads_forwards(begin)) return nullptr;
  return named ? named : &default_revision(format->name);
}

Result<Examiner::Opened> Examiner::open(const Target& target) const {
  if (target.error) return std::unexpected(*target.error);
  Opened opened;
  if (target.path == "-") {
    opened.incoming = std::make_unique<Incoming>(STDIN_FILENO, options_.examine.memory_limit);
    opened.incoming->wait_until(std::chrono::steady_clock::now() +
                                std::chrono::seconds(bounds_.seconds));
    const Specification* const spec = forwards(*opened.incoming);
    if (opened.incoming->late()) return failure("-", kLate);
    if (spec) {
      opened.incoming->wait_without_limit();  // its worker has a limit of its own
      opened.input = Bytes::of_incoming(*opened.incoming, target.path);
      opened.specs = {spec};
      return opened;
    }
    Result<Descriptor> file = collected(*opened.incoming, bounds_.memory);
    if (!file) return std::unexpected(file.error());
    opened.file.file = *std::move(file);
    opened.input = Bytes::of_descriptor(opened.file.file.get(), target.path);
  } else {
    // The intended format of an empty file is unknown; but a format that reads streams reports an
    // empty stream itself.
    const Specification* const named = specs_.size() == 1 ? specs_.front() : nullptr;
    Result<OpenedInput> file =
        open_input(target.path, options_.limits, named && format_of(*named).reads_forwards);
    if (!file) return std::unexpected(file.error());
    opened.file = *std::move(file);
    opened.input = opened.file.input;
  }
  opened.specs = specifications_for(opened.input);
  return opened;
}

FileReport Examiner::examine_here(const Target& target) const {
  const Result<Opened> opened = open(target);
  if (!opened) return {.path = target.path, .error = opened.error()};
  const Input& input = opened->input;
  const Specifications& specs = opened->specs;
  if (specs.size() == 1) return examine_within_memory(input, request(target, specs.front()));
  FileOptions options = options_;
  options.allow_no_subjects = true;
  const auto by = [&](const Specification* spec) {
    return examine_within_memory(input,
                                 {.spec = spec, .subject = target.group, .options = options});
  };
  FileReport whole = by(specs.front());
  for (const Specification* spec : specs | std::views::drop(1)) join(whole, by(spec));
  if (whole.subjects.empty() && !whole.error && whole.unreadable.empty() &&
      !options_.allow_no_subjects)
    return examine_within_memory(input, request(target, specs.back()));
  return whole;
}

void Examiner::examine(const Target& target, const isolate::Send& send) {
  const Result<Opened> opened = open(target);
  if (!opened)
    return isolate::ReportSender(send).rest({.path = target.path, .error = opened.error()});
  if (opened->specs.size() == 1)
    isolated(opened->input, request(target, opened->specs.front()), send);
  else
    isolate::ReportSender(send).whole(by_each(target, *opened));
}

FileReport Examiner::by_each(const Target& target, const Opened& opened) {
  std::optional<FileReport> whole;
  // A file that is judged by one specification need not hold a subject of the others.
  FileOptions options = options_;
  options.allow_no_subjects = true;
  for (const Specification* spec : opened.specs) {
    isolate::ReportReader reader(options_.limits.subjects);
    isolated(opened.input, {.spec = spec, .subject = target.group, .options = options},
             [&](std::string_view message) { reader.take(message); });
    FileReport part = std::move(reader).report(target.path);
    if (whole)
      join(*whole, std::move(part));
    else
      whole = std::move(part);
  }
  if (whole->subjects.empty() && !whole->error && whole->unreadable.empty() &&
      !options_.allow_no_subjects) {
    isolate::ReportReader reader(options_.limits.subjects);
    isolated(opened.input, request(target, opened.specs.back()),
             [&](std::string_view message) { reader.take(message); });
    return std::move(reader).report(target.path);
  }
  return *std::move(whole);
}

void Examiner::isolated(const Input& input, const Request& wanted, const isolate::Send& send) {
  const std::string refused = isolate::examine_isolated(input, wanted, bounds_, send);
  if (!refused.empty() && !std::exchange(reported_, true))
    std::println(stderr, "hepcheck: this system refuses part of the sandbox: {}",
                 reports::escaped(refused));
}

}  // namespace hepcheck::cli
