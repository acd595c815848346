#include "validator/examine_file.h"

#include <algorithm>
#include <new>
#include <utility>

#include "validator/descriptor.h"
#include "validator/read_failure.h"
#include "validator/shortage.h"
#include "validator/shorten.h"
#include "validator/worker_position.h"

namespace hepcheck {

namespace {

// If no format recognises the input, the first format examines it and reports what is missing.
const Format& chosen(const Bytes& file, const Specification* spec) {
  if (spec) return format_of(*spec);
  const Format* recognised = recognise(file);
  return recognised ? *recognised : *all_formats().front();
}

// Why the subjects of a file cannot be reached: its container is broken. Otherwise nothing is said
// about the container, and what the format itself has reported stays.
void explain_by(const Format& container, const Bytes& file, const Request& wanted,
                FileReport& into) {
  FileOptions options = wanted.options;
  options.on_subject = nullptr;
  FileReport found{.path = into.path};
  container.examine(file, {.options = options, .instead_of = wanted.instead_of}, found);
  const bool broken =
      std::ranges::contains(found.subjects, SubjectVerdict::kFail, &SubjectReport::verdict);
  if (!broken || found.subjects.size() > options.limits.subjects) return;
  into.error.reset();
  for (SubjectReport& each : found.subjects) {
    if (wanted.options.on_subject) wanted.options.on_subject(each);
    into.subjects.push_back(std::move(each));
  }
}

// A file that has no subject of its format, or none that can be reached, is examined as a
// container.
void examine_by(const Format& format, const Bytes& file, const Request& wanted, FileReport& into) {
  const Format* container = find_format(format.container);
  if (!container || wanted.spec || wanted.subject || wanted.options.allow_no_subjects)
    return format.examine(file, wanted, into);
  Absence absent;
  format.examine(file, {.options = wanted.options, .absent = &absent}, into);
  if (absent.why.empty()) return;
  const Request of_container{.options = wanted.options, .instead_of = absent.why};
  if (absent.unreachable)
    explain_by(*container, file, of_container, into);
  else
    container->examine(file, of_container, into);
}

void examine_members(const Input& input, const Request& wanted, FileReport& into) {
  const Format& format = wanted.spec ? format_of(*wanted.spec) : *input.format;
  if (!format.examine_directory) {
    into.error = Error{into.path, "it is a directory"};
    return;
  }
  format.examine_directory(*input.members, wanted, into);
  // What was found may hold for neither state of such a file.
  for (const std::string& name : input.members->changed())
    into.unreadable.push_back({name, "it changed while it was examined"});
}

}  // namespace

void prepare(const FileOptions& options) {
  for (const Format* format : all_formats())
    if (format->prepare) format->prepare(options);
}

std::vector<int> Input::descriptors() const {
  if (members) return members->descriptors();
  return file.descriptor() < 0 ? std::vector<int>{} : std::vector{file.descriptor()};
}

Result<OpenedInput> open_input(const std::string& path, const Limits& limits, bool may_be_empty) {
  OpenedInput opened;
  if (const Format* const format = recognise_directory(path)) {
    Result<Members> members = Members::open(path, limits);
    if (!members) return std::unexpected(members.error());
    opened.members = std::make_unique<const Members>(*std::move(members));
    opened.input = Input(*opened.members, *format);
    return opened;
  }
  Result<Descriptor> file = open_for_reading(path, may_be_empty);
  if (!file) return std::unexpected(file.error());
  opened.file = *std::move(file);
  opened.input = Bytes::of_descriptor(opened.file.get(), path);
  return opened;
}

FileReport examine_bytes(const Input& input, const Request& wanted) {
  prepare(wanted.options);
  now_at(Stage::kOpening);
  take_memory_shortage();
  forget_read_failures();
  FileReport report{.path = input.name()};
  if (input.members)
    examine_members(input, wanted, report);
  else
    examine_by(chosen(input.file, wanted.spec), input.file, wanted, report);
  if (const std::optional<std::string> failure = read_failure(); failure && !report.error)
    report.error = Error{report.path, *failure};
  report.lacked_memory = take_memory_shortage();
  shorten(report);
  return report;
}

FileReport examine_within_memory(const Input& input, const Request& wanted) {
  try {
    return examine_bytes(input, wanted);
  } catch (const std::bad_alloc&) {
    return {
        .path = input.name(), .error = Error{input.name(), "out of memory"}, .lacked_memory = true};
  }
}

FileReport examine_file(const std::string& path, const std::optional<std::string>& subject,
                        const Specification* spec, const FileOptions& options) {
  const Result<OpenedInput> opened = open_input(path, options.limits);
  if (!opened) return {.path = path, .error = opened.error()};
  return examine_within_memory(opened->input,
                               {.spec = spec, .subject = subject, .options = options});
}

FileReport examine_image(std::span<const std::byte> image, const std::string& name,
                         const std::optional<std::string>& subject, const Specification* spec,
                         const FileOptions& options) {
  return examine_within_memory(Bytes::of_image(image, name),
                               {.spec = spec, .subject = subject, .options = options});
}

}  // namespace hepcheck
