// The interface of Arrow IPC files and streams to the core.
#include "validator/format.h"

#include <algorithm>
#include <format>
#include <utility>
#include <vector>

#include "validator/formats/arrow/examination.h"
#include "validator/formats/arrow/report.h"
#include "validator/formats/arrow/revision.h"
#include "validator/formats/arrow/rules.h"
#include "validator/judge.h"
#include "validator/machine.h"
#include "validator/worker_position.h"

namespace hepcheck::arrow {

namespace {

constexpr std::string_view kEndings[] = {".arrow", ".arrows", ".feather", ".ipc"};

Likeness recognise(const Bytes& file) {
  if (is_file(file) || is_feather_v1(file)) return Likeness::kCertain;
  const bool named = std::ranges::any_of(
      kEndings, [&](std::string_view ending) { return file.name().ends_with(ending); });
  return named || looks_like_stream(file) ? Likeness::kPossible : Likeness::kNone;
}

// A stream; a file needs its end.
bool reads_forwards(std::span<const std::byte> begin) {
  const Bytes image = Bytes::of_image(begin, "-");
  return !is_file(image) && !is_feather_v1(image);
}

void examine(const Bytes& file, const Request& wanted, FileReport& into) {
  const ExamineOptions& options = wanted.options.examine;
  if (is_feather_v1(file)) {
    into.error = Error{into.path, "Feather V1 is another format and was not judged"};
    return;
  }
  if (wanted.subject && *wanted.subject != "/") {
    into.error = Error{into.path, "no object " + *wanted.subject};
    return;
  }
  RevisionChoice chosen = choose_revision(file, wanted);
  const Specification& spec = *chosen.spec;
  const Judge judge(spec, rule_heads(), options);
  const std::uint64_t memory =
      options.memory_limit > 0 ? options.memory_limit : machine_memory() / 4;
  Examination seen(file, spec, wanted.options, memory);
  seen.run();
  now_at(Stage::kChecking);
  SubjectReport report{.kind = seen.file() ? "file" : "stream", .path = "/"};
  describe(seen, report);
  if (chosen.choice.by == ChosenBy::kSign)
    report.notes.push_back(std::format("judged by {}, because it has {}: {}", spec.id,
                                       chosen.choice.sign, chosen.choice.path));
  report.choice = std::move(chosen.choice);
  if (options.describe_columns) describe_parts(seen, report);
  judge.report(std::move(report), std::move(seen.notes()).probes(), wanted.options, into);
}

constexpr FigureWords kFigures[] = {{"batches", "record batch", "record batches", true},
                                    {"rows", "row", "rows", true},
                                    {"fields", "field", "fields"},
                                    {"dictionaries", "dictionary", "dictionaries"},
                                    {"buffers", "buffer", "buffers"}};
constexpr FigureWords kPartFigures[] = {{"nulls", "null", "nulls"},
                                        {"bytes", "byte of buffers", "bytes of buffers"}};
constexpr std::string_view kTags[] = {"Arrow", "IPC"};

}  // namespace

extern const Format kFormat;
const Format kFormat = {.name = "arrow",
                        .title = "Arrow columnar format",
                        .subject = "input",
                        .absent = "no Arrow file or stream",
                        .parts = "fields",
                        .labels = "dictionaries",
                        .tags = kTags,
                        .figures = kFigures,
                        .part_figures = kPartFigures,
                        .endings = kEndings,
                        .recognise = recognise,
                        .prepare = nullptr,
                        .examine = examine,
                        .rules = rule_heads,
                        .reads_forwards = reads_forwards};

}  // namespace hepcheck::arrow
