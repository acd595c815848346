#include "validator/examine_file.h"

#include <new>

#include "validator/descriptor.h"
#include "validator/place.h"
#include "validator/shortage.h"
#include "validator/shorten.h"

namespace hepcheck {

namespace {

// What nothing recognises, the first format is asked about: it says what it misses.
const Format& chosen(const Bytes& file, const Specification* spec) {
  if (spec) return format_of(*spec);
  const Format* recognised = recognise(file);
  return recognised ? *recognised : *all_formats().front();
}

}  // namespace

void prepare(const FileOptions& options) {
  for (const Format* format : all_formats())
    if (format->prepare) format->prepare(options);
}

FileReport examine_bytes(const Bytes& file, const Request& wanted) {
  prepare(wanted.options);
  now_at(Stage::kOpening);
  take_memory_shortage();
  FileReport report{.path = file.name()};
  chosen(file, wanted.spec).examine(file, wanted, report);
  report.lacked_memory = take_memory_shortage();
  shorten(report);
  return report;
}

FileReport examine_within_memory(const Bytes& file, const Request& wanted) {
  try {
    return examine_bytes(file, wanted);
  } catch (const std::bad_alloc&) {
    return {
        .path = file.name(), .error = Error{file.name(), "out of memory"}, .lacked_memory = true};
  }
}

FileReport examine_file(const std::string& path, const std::optional<std::string>& subject,
                        const Specification* spec, const FileOptions& options) {
  const Result<Descriptor> file = open_for_reading(path);
  if (!file) return {.path = path, .error = file.error()};
  return examine_within_memory(Bytes::of_descriptor(file->get(), path),
                               {.spec = spec, .subject = subject, .options = options});
}

FileReport examine_image(std::span<const std::byte> image, const std::string& name,
                         const std::optional<std::string>& subject, const Specification* spec,
                         const FileOptions& options) {
  return examine_within_memory(Bytes::of_image(image, name),
                               {.spec = spec, .subject = subject, .options = options});
}

}  // namespace hepcheck
