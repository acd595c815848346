#include "validator/cli/examine_many.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "validator/cli/examiner.h"
#include "validator/isolate/lanes.h"
#include "validator/isolate/report_stream.h"
#include "validator/machine.h"

namespace hepcheck::cli {

namespace {

// Every lane has its part of what the run may use.
FileOptions part_of(const FileOptions& options, std::size_t jobs, std::size_t lanes) {
  FileOptions part = options;
  part.examine.jobs = static_cast<unsigned>(std::max<std::size_t>(1, jobs / lanes));
  part.examine.memory_limit = std::max<std::uint64_t>(1, options.examine.memory_limit / lanes);
  return part;
}

}  // namespace

std::vector<FileReport> examine_many(const std::vector<Target>& targets, const Specification* spec,
                                     const FileOptions& options, const isolate::Bounds& bounds,
                                     bool isolated, TerminalProgress* progress) {
  const std::size_t jobs = options.examine.jobs ? options.examine.jobs : cores();
  const std::size_t lanes = isolated ? std::min(jobs, targets.size()) : 1;
  std::vector<FileReport> reports(targets.size());
  std::vector<std::size_t> left;
  std::size_t done = 0;
  if (lanes > 1) {
    // Got ready once, and inherited by the lanes and their workers.
    prepare(options);
    // What each lane makes of it is its own: they are processes.
    FileOptions mine = part_of(options, jobs, lanes);
    std::optional<Examiner> examiner;
    const auto work = [&](std::size_t task, std::size_t lane, Progress& counted,
                          const isolate::Send& send) {
      if (!examiner) {
        if (options.examine.progress) mine.examine.progress = &counted;
        examiner.emplace(spec, mine, true, bounds);
        if (lane > 0) examiner->mute();
      }
      examiner->examine(targets[task], send);
    };
    std::vector<isolate::ReportReader> readers(targets.size());
    const isolate::LaneEvents events{
        .receive = [&](std::size_t task, std::string_view m) { readers[task].take(m); },
        .finished =
            [&](std::size_t task) {
              reports[task] = std::move(readers[task]).report(targets[task].path);
              if (progress)
                progress->begin_file(std::min(++done + 1, targets.size()), targets.size());
            }};
    left = isolate::run_in_lanes(targets.size(), lanes, work, events, options.examine.progress);
  } else {
    for (std::size_t i = 0; i < targets.size(); ++i) left.push_back(i);
  }

  // What no lane could do, or all of it.
  Examiner examiner(spec, options, isolated, bounds);
  for (const std::size_t i : left) {
    if (progress) progress->begin_file(++done, targets.size());
    reports[i] = examiner.examine(targets[i]);
  }
  return reports;
}

}  // namespace hepcheck::cli
