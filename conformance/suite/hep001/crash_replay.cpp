#include "conformance/suite/hep001/crash_replay.h"

#include <algorithm>
#include <cstring>
#include <format>
#include <functional>
#include <set>
#include <utility>

#include "conformance/suite/hep001/memory_file.h"
#include "validator/examine_file.h"
#include "validator/formats/hep001/model/revision.h"
#include "validator/isolate/worker.h"

namespace hepcheck::hep001::suite {

namespace {

bool same_rows(const TableContent& is, const TableContent& should) {
  if (is.rows != should.rows || is.columns.size() != should.columns.size()) return false;
  return std::ranges::all_of(should.columns, [&](const ColumnContent& column) {
    const ColumnContent* twin = is.column(column.name);
    return twin && std::ranges::equal(twin->values, column.values, same) &&
           std::ranges::equal(twin->labels, column.labels, same);
  });
}

bool has_indexes(const TableContent& table) {
  return std::ranges::any_of(table.columns,
                             [](const ColumnContent& column) { return !column.indexes.empty(); });
}

// Whether an index with valid tokens has wrong contents. An index that fails the validity check may
// be in any state.
bool has_wrong_index(const FileReport& report, const FileContent& content, const Step& step) {
  const auto counts = [&](const Finding& finding) {
    return std::ranges::any_of(content, [&](const TableContent& table) {
      return std::ranges::any_of(table.columns, [&](const ColumnContent& column) {
        return std::ranges::any_of(column.indexes, [&](const IndexContent& index) {
          return index.valid && finding.object.starts_with(index.path);
        });
      });
    });
  };
  for (const SubjectReport& table : report.subjects)
    for (const ClauseResult& result : table.clauses)
      if (breaks_mandatory(result) && about_index_content(*result.clause) &&
          !step.broken_before.contains(result.clause->id) &&
          std::ranges::any_of(result.findings, counts))
        return true;
  return false;
}

constexpr int kDetected = 0x10;  // additional: some index fails the validity check

// Reading some files does not terminate: two seconds of work are a thousand times the requirement.
constexpr isolate::Bounds kWorkerBounds{
    .seconds = 30, .cpu_seconds = 2, .memory = std::uint64_t{2} << 30, .answer = 1024};

}  // namespace

int CrashReplay::look_at(const Bytes& file, const Step& step) const {
  const Result<FileContent> content = read_content(file.descriptor(), file.name(), *options_.spec);
  if (!content) return static_cast<int>(Shows::kUnreadable);
  const Shows rows = rows_at(*content, step);
  if (rows == Shows::kUnreadable || !revision_of(*options_.spec).tokens ||
      !std::ranges::any_of(*content, has_indexes))
    return static_cast<int>(rows);
  if (has_wrong_index(examine_bytes(file, {.spec = options_.spec, .subject = {}, .options = {}}),
                      *content, step))
    return static_cast<int>(Shows::kWrongIndex);
  const bool detected = std::ranges::any_of(*content, [](const TableContent& table) {
    return std::ranges::any_of(table.columns, [](const ColumnContent& column) {
      return std::ranges::any_of(column.indexes,
                                 [](const IndexContent& index) { return !index.valid; });
    });
  });
  return static_cast<int>(rows) | (detected ? kDetected : 0);
}

CrashReplay::Shows CrashReplay::rows_at(const FileContent& content, const Step& step) const {
  const auto at = std::ranges::find(content, step.before.path, &TableContent::path);
  if (at == content.end()) return Shows::kUnreadable;
  for (const ColumnContent& column : step.before.columns) {
    const ColumnContent* is = at->column(column.name);
    if (!is || !is->unreadable.empty()) return Shows::kUnreadable;
  }
  // An edit in place may be interrupted anywhere (inplace-atomicity-external).
  if (step.operation != kAppend) return at->rows == step.before.rows ? Shows::kOld : Shows::kNew;
  return same_rows(*at, step.before)    ? Shows::kOld
         : same_rows(*at, step.should)  ? Shows::kNew
         : at->rows == step.before.rows ? Shows::kOldChanged
                                        : Shows::kMixture;
}

// In a sandboxed process, because the HDF5 library may fail on an incomplete file.
CrashReplay::Shows CrashReplay::look_safely(const Image& image, const Step& step) {
  const Result<Descriptor> file = memory_file(image);
  if (!file) return Shows::kUnreadable;
  prepare({});
  std::optional<int> shows;
  const isolate::Outcome outcome = isolate::run_in_worker(
      file->get(),
      [&](const isolate::Send& send, WorkerPosition&) {
        const int seen = look_at(Bytes::of_descriptor(file->get(), step.file), step);
        send({reinterpret_cast<const char*>(&seen), sizeof seen});
      },
      [&](std::string_view message) {
        int seen = 0;
        if (message.size() == sizeof seen) std::memcpy(&seen, message.data(), sizeof seen);
        shows = seen;
      },
      kWorkerBounds);
  if (!shows || outcome.stop || outcome.error) return Shows::kUnreadable;
  detected_ += (*shows & kDetected) != 0;
  return static_cast<Shows>(*shows & ~kDetected);
}

// The rows of a state, after h5clear if necessary.
CrashReplay::Shows CrashReplay::shown_by(Image image, const Step& step) {
  ++states_;
  Shows shows = look_safely(image, step);
  if (shows == Shows::kUnreadable && clear_consistency_flags(image)) {
    shows = look_safely(image, step);
    flagged_ += shows != Shows::kUnreadable;
  }
  return shows;
}

// HDF5 writes its metadata in pieces: during a flush the file may be unreadable, whatever the
// program does. And without flushes it guarantees no order.
bool CrashReplay::excused(const trace::State& state, Shows shows, const Step& step) {
  const bool settled = state.kind == trace::State::Kind::kPrefix &&
                       std::ranges::contains(step.recording->barriers, state.applied.size());
  const bool torn = shows == Shows::kUnreadable && !options_.every_state;
  if (settled || (!torn && durable_)) return false;
  if (!torn) ++unsettled_;
  if (torn && torn_++ == 0) torn_example_ = std::format("{}, crash {}", step.name, state.how());
  return true;
}

void CrashReplay::fail(const trace::State& state, Shows shows, const Step& step,
                       StepProbe& probe) const {
  if (shows == Shows::kWrongIndex)
    return probe.on("producer-stale-content-fails-check")
        .fail(std::format("crash {} (--seed {})", state.how(), options_.seed),
              "an index passes the validity check, and its contents are wrong",
              "at every moment correct contents, or tokens that fail the check");
  const ClauseId clause = shows != Shows::kMixture ? ClauseId("append-preserves-existing-rows")
                          : durable_               ? ClauseId("append-durable-flush-before-commit")
                                                   : ClauseId("append-writes-rows-before-commit");
  probe.on(clause).fail(
      std::format("crash {} (--seed {})", state.how(), options_.seed),
      shows == Shows::kMixture      ? "the new NROWS with other rows than the new ones"
      : shows == Shows::kOldChanged ? "the old NROWS with other rows than the old ones"
                                    : "the table cannot be read",
      std::format("exactly {} rows or exactly {}", step.before.rows, step.should.rows));
}

void CrashReplay::judge(const Step& step, StepProbe probe) {
  if (!step.recording || step.recording->operations.empty()) return;
  const Recording& recording = *step.recording;
  if (recording.unseen || !same_contents(recording.replay(step.before_files), step.after_files)) {
    unseen_.push_back(step.name + ": not all file operations were recorded; no crash was replayed");
    return;
  }
  std::set<std::size_t> seen;
  if (revision_of(*options_.spec).tokens && has_indexes(step.before))
    probe.on("producer-stale-content-fails-check").looked();
  bool held = true;
  for (const trace::State& state :
       crash_states(recording, {.states = {.any = durable_, .seed = options_.seed}})) {
    const Folder folder = folder_of(state, recording, step.before_files);
    const Image* image = folder.find(step.file);
    if (image && !seen.insert(std::hash<std::string>{}(*image)).second) continue;
    const Shows shows = image ? shown_by(*image, step) : Shows::kUnreadable;
    old_ += shows == Shows::kOld;
    new_ += shows == Shows::kNew;
    if (shows == Shows::kOld || shows == Shows::kNew || excused(state, shows, step)) continue;
    // One place per step; further ones are counted.
    if (std::exchange(held, false)) fail(state, shows, step, probe);
  }
}

std::vector<std::string> CrashReplay::notes() const {
  std::vector<std::string> notes = unseen_;
  if (states_ > 0)
    notes.push_back(
        std::format("{} states that a crash could leave were replayed: {} show the old "
                    "rows, {} the new ones",
                    states_, old_, new_));
  if (detected_ > 0)
    notes.push_back(
        std::format("in {} of them an index fails the validity check, as it should during a change",
                    detected_));
  if (torn_ > 0)
    notes.push_back(
        std::format("{} of them, during a flush, cannot be read: HDF5 does not make a flush atomic "
                    "(first: {}; --every-state counts them as failures)",
                    torn_, torn_example_));
  if (unsettled_ > 0)
    notes.push_back(
        std::format("{} of them, between flushes, show neither the old rows nor the new ones; HDF5 "
                    "guarantees no order there, and the program no durability",
                    unsettled_));
  if (flagged_ > 0)
    notes.push_back(std::format(
        "{} of them open only after `h5clear -s`: the file was marked as open for writing",
        flagged_));
  return notes;
}

}  // namespace hepcheck::hep001::suite
