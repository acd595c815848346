#include "cli/examine_many.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "cli/examiner.h"
#include "cli/report_store.h"
#include "validator/isolate/lanes.h"
#include "validator/machine.h"

namespace hepcheck::cli {

namespace {

// If less memory is available per worker, fewer workers are used. A small file needs a few MiB, but
// each thread has a stack.
constexpr std::uint64_t kLeastMemory = std::uint64_t{512} << 20;

}  // namespace

Shares shares_of(std::size_t files, const FileOptions& options, const isolate::Bounds& bounds) {
  const std::size_t jobs = options.examine.jobs ? options.examine.jobs : cores();
  const std::size_t by_memory = bounds.memory / kLeastMemory;
  Shares made{.lanes = std::max<std::size_t>(1, std::min({jobs, files, by_memory})),
              .options = options,
              .bounds = bounds};
  made.options.examine.jobs = static_cast<unsigned>(jobs / made.lanes);
  made.options.examine.memory_limit =
      std::max<std::uint64_t>(1, options.examine.memory_limit / made.lanes);
  made.bounds.memory /= made.lanes;
  return made;
}

bool lacked_memory(const FileReport& report) {
  if (report.stop && report.stop->lacked_memory) return true;
  if (!report.lacked_memory) return false;
  if (report.error || !report.unreadable.empty()) return true;
  return std::ranges::any_of(report.subjects, [](const SubjectReport& subject) {
    return subject.verdict != SubjectVerdict::kPass &&
           std::ranges::contains(subject.clauses, Verdict::kNotChecked, &ClauseResult::verdict);
  });
}

std::vector<FileReport> examine_many(const std::vector<Target>& targets,
                                     const Specifications& specs, const FileOptions& options,
                                     const RunBounds& bounds, bool isolated,
                                     TerminalProgress* progress) {
  Shares shares = shares_of(targets.size(), options, bounds.workers);
  ReportStore store(targets, options.limits.subjects * specs.size(), bounds.reports);
  std::vector<std::size_t> left;
  std::size_t done = 0;
  if (isolated && shares.lanes > 1) {
    // Prepared once, and inherited by the lanes and their workers.
    prepare(options);
    // Lanes are processes, so each has its own copy.
    std::optional<Examiner> examiner;
    const auto work = [&](std::size_t task, std::size_t, Progress& counted,
                          const isolate::Send& send) {
      if (!examiner) {
        if (options.examine.progress) shares.options.examine.progress = &counted;
        examiner.emplace(specs, shares.options, shares.bounds);
        // The lane with the first file prints messages that appear once.
        if (task > 0) examiner->mute();
      }
      examiner->examine(targets[task], send);
    };
    // Files for which a share of the memory was too small: they are examined again with all of it.
    std::vector<std::size_t> again;
    const isolate::LaneEvents events{
        .receive = [&](std::size_t task, std::string_view m) { store.take(task, m); },
        .finished =
            [&](std::size_t task) {
              FileReport report = store.finish(task);
              if (lacked_memory(report))
                again.push_back(task);
              else
                store.keep(task, std::move(report));
              if (progress)
                progress->begin_file(std::min(++done + 1, targets.size()), targets.size());
            }};
    left =
        isolate::run_in_lanes(targets.size(), shares.lanes, work, events, options.examine.progress);
    left.insert(left.end(), again.begin(), again.end());
    std::ranges::sort(left);
  } else {
    for (std::size_t i = 0; i < targets.size(); ++i) left.push_back(i);
  }

  // Tasks that no lane completed, perhaps all of them.
  Examiner examiner(specs, options, bounds.workers);
  for (const std::size_t i : left) {
    if (progress) progress->begin_file(std::min(++done, targets.size()), targets.size());
    if (!isolated) {
      store.keep(i, examiner.examine_here(targets[i]));
      continue;
    }
    store.finish(i);  // of a lane that ended during it
    examiner.examine(targets[i], [&](std::string_view message) { store.take(i, message); });
    store.keep(i, store.finish(i));
  }
  return std::move(store).all();
}

}  // namespace hepcheck::cli
