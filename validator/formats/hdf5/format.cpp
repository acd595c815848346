// The interface of the HDF5 container to the core.
#include "validator/format.h"

#include <algorithm>
#include <format>
#include <optional>
#include <utility>
#include <vector>

#include "validator/formats/hdf5/fields.h"
#include "validator/formats/hdf5/file_map.h"
#include "validator/formats/hdf5/report.h"
#include "validator/formats/hdf5/rules.h"
#include "validator/formats/hdf5/superblock.h"
#include "validator/formats/hdf5/walk.h"
#include "validator/judge.h"
#include "validator/worker_position.h"

namespace hepcheck::hdf5 {

namespace {

Likeness recognise(const Bytes& file) {
  return find_signature(file) ? Likeness::kCertain : Likeness::kNone;
}

// What was examined, and what was not.
std::string instead(const Request& wanted, const ContainerWalk& walk) {
  const bool values = wanted.options.examine.depth == Depth::kFull;
  return std::format("{}; examined instead: the HDF5 file itself, {}", wanted.instead_of,
                     !walk.objects()[0].sound
                         ? "but only its superblock and what belongs to it, because the root "
                           "group cannot be read"
                     : values ? "its structures and stored values, but not what the values mean"
                              : "its structures, but no values");
}

void examine(const Bytes& file, const Request& wanted, FileReport& into) {
  const Specification& spec = wanted.spec ? *wanted.spec : default_revision("hdf5");
  const ExamineOptions& options = wanted.options.examine;
  const std::optional<std::uint64_t> position = find_signature(file);
  if (!position) {
    into.error = Error{into.path, "not an HDF5 file: the superblock signature is missing"};
    return;
  }
  const Judge judge(spec, rule_heads(), options);
  std::optional<FieldRecording> recording;
  if (options.map_lines > 0) recording.emplace();
  ContainerWalk walk(file, *position, spec, options.max_findings, wanted.options.limits,
                     {.decode = options.depth == Depth::kFull, .only = wanted.subject});
  if (recording) walk.notes().keep_places(std::min<std::uint64_t>(kMostPlaced, options.map_lines));
  walk.run();
  if (!walk.found()) {
    into.error = Error{into.path, "no object " + *wanted.subject};
    return;
  }
  now_at(Stage::kChecking);
  SubjectReport report{.kind = "container", .path = wanted.subject.value_or("/")};
  if (!wanted.spec) report.choice.by = ChosenBy::kDefault;
  if (!wanted.instead_of.empty()) report.notes.push_back(instead(wanted, walk));
  describe(walk, options.max_findings, report);
  if (options.describe_columns || options.describe_answers) describe_parts(walk, report);
  if (options.describe_columns) describe_layout(walk, report);
  if (recording) report.map = limited_map(walk, *recording, options.map_lines);
  judge.report(std::move(report), std::move(walk.notes()).probes(), wanted.options, into);
}

constexpr FigureWords kFigures[] = {
    {"datasets", "dataset", "datasets", true},
    {"eligible", "of them SWMR-eligible", "of them SWMR-eligible", true, true},
    {"objects", "object", "objects"},
    {"tables", "table", "tables"}};
constexpr FigureWords kPartFigures[] = {{"chunks", "chunk", "chunks"},
                                        {"stored_bytes", "byte of values", "bytes of values"}};
constexpr std::string_view kTags[] = {"HDF5", "SWMR"};
constexpr std::string_view kEndings[] = {".h5", ".hdf5", ".he5", ".hdf"};

}  // namespace

extern const Format kFormat;
const Format kFormat = {.name = "hdf5",
                        .title = "HDF5 container",
                        .subject = "container",
                        .absent = "no HDF5 container",
                        .parts = "datasets",
                        .labels = "storage",
                        .question = "swmr_eligible",
                        .question_words = "SWMR-eligible",
                        .tags = kTags,
                        .figures = kFigures,
                        .part_figures = kPartFigures,
                        .endings = kEndings,
                        .recognise = recognise,
                        .prepare = nullptr,
                        .examine = examine,
                        .rules = rule_heads};

}  // namespace hepcheck::hdf5
