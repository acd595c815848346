#include "validator/cli/examine_many.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "validator/cli/examiner.h"
#include "validator/isolate/lanes.h"
#include "validator/isolate/wire.h"
#include "validator/machine.h"

namespace hepcheck::cli {

namespace {

FileReport examine(const Target& target, Examiner& examiner) {
  if (target.error) return {.path = target.path, .error = target.error};
  return examiner.examine(target.path, target.group);
}

// A report on its way from a lane: each table, what stopped the examination, the rest; each marked
// by a byte.
void send_report(const FileReport& report, const Specification& spec, const isolate::Send& send) {
  isolate::Common common;
  for (const TableReport& table : report.tables) send('t' + isolate::to_wire(table, spec, common));
  if (report.stop) send('s' + isolate::to_wire(*report.stop, spec));
  send('f' + isolate::to_wire(report, spec));
}

void take_message(std::string_view message, const Specification& spec, isolate::Common& common,
                  FileReport& report) {
  const std::string_view bytes = message.substr(1);
  if (message.front() == 't') {
    if (auto table = isolate::table_from_wire(bytes, spec, common))
      report.tables.push_back(std::move(*table));
  } else if (message.front() == 's') {
    report.stop = isolate::stop_from_wire(bytes, spec);
  } else if (auto rest = isolate::file_from_wire(bytes, spec)) {
    report.path = std::move(rest->path);
    report.error = std::move(rest->error);
    report.unreadable = std::move(rest->unreadable);
  }
}

// Every lane has its part of what the run may use.
FileOptions part_of(const FileOptions& options, std::size_t jobs, std::size_t lanes) {
  FileOptions part = options;
  part.examine.jobs = static_cast<unsigned>(std::max<std::size_t>(1, jobs / lanes));
  part.examine.memory_limit = std::max<std::uint64_t>(1, options.examine.memory_limit / lanes);
  return part;
}

}  // namespace

std::vector<FileReport> examine_many(const std::vector<Target>& targets, const Specification& spec,
                                     const FileOptions& options, const isolate::Bounds& bounds,
                                     bool isolated, TerminalProgress* progress) {
  const std::size_t jobs = options.examine.jobs ? options.examine.jobs : cores();
  const std::size_t lanes = isolated ? std::min(jobs, targets.size()) : 1;
  std::vector<FileReport> reports(targets.size());
  std::vector<isolate::Common> commons(targets.size());
  std::vector<std::size_t> left;
  std::size_t done = 0;
  if (lanes > 1) {
    // Got ready once, and inherited by the lanes and their workers.
    prepare(options);
    const FileOptions part = part_of(options, jobs, lanes);
    std::optional<Examiner> examiner;  // each lane makes its own
    FileOptions mine = part;
    const auto work = [&](std::size_t task, std::size_t lane, Progress& counted,
                          const isolate::Send& send) {
      if (!examiner) {
        if (options.examine.progress) mine.examine.progress = &counted;
        examiner.emplace(spec, mine, true, bounds);
        if (lane > 0) examiner->mute();
      }
      send_report(examine(targets[task], *examiner), spec, send);
    };
    const isolate::LaneEvents events{
        .receive =
            [&](std::size_t task, std::string_view message) {
              take_message(message, spec, commons[task], reports[task]);
            },
        .finished =
            [&](std::size_t) {
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
    reports[i] = examine(targets[i], examiner);
  }
  return reports;
}

}  // namespace hepcheck::cli
