// The interface of RNTuples in ROOT files to the core.
#include "validator/format.h"

#include <algorithm>
#include <array>
#include <format>
#include <utility>

#include "validator/formats/rntuple/examination.h"
#include "validator/formats/rntuple/report.h"
#include "validator/formats/rntuple/rules.h"
#include "validator/judge.h"
#include "validator/machine.h"
#include "validator/worker_position.h"

namespace hepcheck::rntuple {

namespace {

constexpr std::string_view kEndings[] = {".root"};

bool begins_with(const Bytes& file, std::string_view magic) {
  std::array<std::byte, 8> first{};
  const auto begin = std::span(first).first(magic.size());
  return file.read(0, begin) && std::ranges::equal(begin, std::as_bytes(std::span(magic)));
}

Likeness looks_like_root(const Bytes& file) {
  return begins_with(file, "root") ? Likeness::kCertain : Likeness::kNone;
}

// What decoding may make: more than any real file has.
Budget budget_for(std::uint64_t size, const Limits& limits) {
  constexpr std::uint64_t kAlways = std::uint64_t{1} << 30, kRatio = 1'000;
  return Budget(
      std::min(limits.value_bytes, sum(kAlways, product(size, std::min(kRatio, limits.ratio)))));
}

void examine(const Bytes& file, const Request& wanted, FileReport& into) {
  if (!begins_with(file, "root")) {
    into.error = Error{into.path, begins_with(file, "rntuple")
                                      ? "an RNTuple in a file without the container of ROOT, which "
                                        "is not examined"
                                      : "not a ROOT file: it does not begin with \"root\""};
    return;
  }
  const Specification& spec = wanted.spec ? *wanted.spec : default_revision("rntuple");
  const ExamineOptions& options = wanted.options.examine;
  const Limits& limits = wanted.options.limits;
  constexpr std::uint64_t kLeastMemory = std::uint64_t{64} << 20;
  const std::uint64_t memory = std::min(
      limits.block_bytes, std::max(kLeastMemory, options.memory_limit > 0 ? options.memory_limit
                                                                          : machine_memory() / 4));
  const RootFile root(file, limits, options.max_findings, spec);
  const Judge judge(spec, rule_heads(), options);
  Budget decoded = budget_for(file.size(), limits);
  const auto asked = [&](const AnchorKey& anchor) {
    return !wanted.subject || *wanted.subject == anchor.path ||
           *wanted.subject == "/" + anchor.path;
  };
  std::string first;
  for (const AnchorKey& anchor : root.anchors()) {
    if (!asked(anchor)) continue;
    if (into.subjects.size() >= limits.subjects) {
      into.unreadable.push_back({anchor.path, "more RNTuples than the limit"});
      break;
    }
    now_in(anchor.path);
    Examination seen(root, anchor, spec, wanted.options, decoded, memory);
    seen.notes().adopt(root.notes(), first);
    if (first.empty()) first = anchor.path;
    seen.run();
    now_at(Stage::kChecking);
    SubjectReport report{.kind = "RNTuple", .path = "/" + anchor.path};
    describe(seen, report);
    if (options.describe_columns) describe_parts(seen, file.size(), report);
    judge.report(std::move(report), std::move(seen.notes()).probes(), wanted.options, into);
  }
  if (!into.subjects.empty()) return;
  if (wanted.subject && !root.broken()) {
    into.error = Error{into.path, "no RNTuple " + *wanted.subject};
    return;
  }
  const bool container_broken = !root.notes().broken().empty();
  if (!container_broken && !root.broken()) {
    if (!wanted.options.allow_no_subjects)
      into.error = Error{into.path, "no RNTuple in this ROOT file"};
    return;
  }
  // What is wrong with the container is reported without an RNTuple.
  Notes notes(spec, options.max_findings);
  notes.adopt(root.notes(), "");
  for (const RuleHead& rule : rule_heads())
    if (rule.file != "root_file.cpp")
      notes.block_files({rule.file}, "no RNTuple was found in the container", {});
  judge.report({.kind = "file", .path = "/"}, std::move(notes).probes(), wanted.options, into);
}

constexpr FigureWords kFigures[] = {{"entries", "entry", "entries", true},
                                    {"fields", "field", "fields", true},
                                    {"columns", "column", "columns"},
                                    {"clusters", "cluster", "clusters"},
                                    {"pages", "page", "pages"},
                                    {"stored", "byte stored", "bytes stored"},
                                    {"uncompressed", "byte uncompressed", "bytes uncompressed"}};
constexpr FigureWords kPartFigures[] = {
    {"elements", "element", "elements"},
    {"nulls", "null", "nulls"},
    {"pages", "page", "pages"},
    {"bytes", "byte stored", "bytes stored"},
    {"uncompressed", "byte uncompressed", "bytes uncompressed"}};
constexpr std::string_view kTags[] = {"ROOT", "RNTuple"};

}  // namespace

extern const Format kFormat;
const Format kFormat = {.name = "rntuple",
                        .title = "RNTuple",
                        .subject = "RNTuple",
                        .absent = "no RNTuple",
                        .parts = "columns",
                        .labels = "encodings",
                        .tags = kTags,
                        .figures = kFigures,
                        .part_figures = kPartFigures,
                        .endings = kEndings,
                        .recognise = looks_like_root,
                        .prepare = nullptr,
                        .examine = examine,
                        .rules = rule_heads};

}  // namespace hepcheck::rntuple
