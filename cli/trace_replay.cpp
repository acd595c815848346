// hepcheck trace replay: what a crash at any point of a log would have left of its files.
#include <CLI/CLI.hpp>
#include <deque>
#include <expected>
#include <format>
#include <fstream>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <print>

#include "cli/ticker.h"
#include "cli/trace.h"
#include "reports/escape.h"
#include "validator/crash/replay.h"
#include "validator/descriptor.h"
#include "validator/isolate/worker.h"
#include "validator/trace/content.h"
#include "validator/trace/replay.h"
#include "validator/trace/story_stream.h"

namespace hepcheck::cli {

namespace {

using crash::Example;
using crash::kKinds;
using crash::Replayed;
using trace::CrashVerdict;
using trace::Story;

struct TraceReplayArguments {
  std::string log{}, keep{};
  crash::ReplayOptions replay{};
  OutputOptions output{};
};

std::string operation(const Story& story, std::size_t i) {
  const trace::Event& event = *story.changes[i];
  if (event.kind == trace::Event::Kind::kResize)
    return std::format("{}: size {}", i, event.position);
  const bool metadata =
      event.memory != trace::Memory::kRawData && event.memory != trace::Memory::kUnknown;
  std::string_view kind = metadata ? "metadata" : "values";
  for (const std::string_view each :
       {"OHDR", "OCHK", "BTHD", "BTIN", "BTLF", "EAHD", "EAIB", "EASB", "EADB", "FAHD", "FADB",
        "FRHP", "FHIB", "FHDB", "TREE", "SNOD", "HEAP", "GCOL"})
    if (event.data.starts_with(each)) kind = each;
  if (event.data.starts_with("\x89HDF")) kind = "superblock";
  return std::format("{}: {} bytes @ {} ({})", i, event.data.size(), event.position, kind);
}

std::uint64_t states(const Replayed& done, std::size_t kind, CrashVerdict verdict) {
  return done.counts[kind][static_cast<std::size_t>(verdict)];
}

// The verdict in a sentence.
std::string conclusion(const Replayed& done) {
  std::uint64_t all = 0, wrong = 0, detected = 0;
  for (const std::uint64_t count : done.counts[0]) all += count;
  for (std::size_t kind = 0; kind < kKinds.size(); ++kind)
    wrong += states(done, kind, CrashVerdict::kWrong);
  const std::uint64_t of_prefixes = states(done, 0, CrashVerdict::kWrong);
  detected = states(done, 0, CrashVerdict::kDetected);
  if (done.images == 0) return "no state was examined";
  if (of_prefixes > 0)
    return std::format("{} of {} crash points show wrong data", of_prefixes, all);
  std::string text = "no crash point shows wrong data";
  if (detected > 0) text += std::format("; at {} of {} a reader reports an error", detected, all);
  if (wrong > 0) text += std::format("; {} states of torn, reordered or lost writes do", wrong);
  return text;
}

void print(std::ostream& out, const Replayed& done, const Story& story) {
  const std::string name = reports::escaped(done.name);
  std::println(out, "{}: {} writes, {} barriers, {} images", name, story.changes.size(),
               story.barriers.size(), done.images);
  std::println(out, "{}: {}", name, conclusion(done));
  std::print(out, "{:10}", "");
  for (std::size_t v = 0; v < trace::kVerdicts; ++v)
    std::print(out, "{:>10}", trace::to_string(static_cast<CrashVerdict>(v)));
  std::println(out);
  for (std::size_t kind = 0; kind < kKinds.size(); ++kind) {
    std::print(out, "{:10}", kKinds[kind]);
    for (const std::uint64_t count : done.counts[kind]) std::print(out, "{:>10}", count);
    std::println(out);
  }
  for (std::size_t kind = 0; kind < kKinds.size(); ++kind) {
    for (const Example& each : done.wrong[kind]) {
      std::println(out, "{}: WRONG {}: {}", name, each.how, reports::escaped(each.why));
      for (const std::size_t i : each.fewest)
        std::println(out, "    {}", reports::escaped(operation(story, i)));
    }
    for (const Example& each : done.detected[kind])
      std::println(out, "{}: DETECTED {}: {}", name, each.how, reports::escaped(each.why));
  }
  for (const std::string& note : done.notes)
    std::println(out, "{}: note: {}", name, reports::escaped(note));
}

nlohmann::ordered_json to_json(const Replayed& done, const Story& story) {
  nlohmann::ordered_json json{{"file", reports::escaped(done.name)},
                              {"writes", story.changes.size()},
                              {"barriers", story.barriers.size()},
                              {"images", done.images},
                              {"swmr", done.swmr()}};
  for (std::size_t kind = 0; kind < kKinds.size(); ++kind) {
    nlohmann::ordered_json counts;
    for (std::size_t v = 0; v < trace::kVerdicts; ++v)
      counts[std::string(trace::to_string(static_cast<CrashVerdict>(v)))] = done.counts[kind][v];
    json["states"][std::string(kKinds[kind])] = std::move(counts);
  }
  json["examples"] = nlohmann::ordered_json::array();
  const auto add = [&](std::size_t kind, CrashVerdict verdict,
                       const std::vector<Example>& examples) {
    for (const Example& each : examples) {
      nlohmann::ordered_json one{{"states", kKinds[kind]},
                                 {"verdict", trace::to_string(verdict)},
                                 {"how", each.how},
                                 {"why", reports::escaped(each.why)}};
      for (const std::size_t i : each.fewest)
        one["fewest"].push_back(reports::escaped(operation(story, i)));
      json["examples"].push_back(std::move(one));
    }
  };
  for (std::size_t kind = 0; kind < kKinds.size(); ++kind) {
    add(kind, CrashVerdict::kWrong, done.wrong[kind]);
    add(kind, CrashVerdict::kDetected, done.detected[kind]);
  }
  json["notes"] = nlohmann::ordered_json::array();
  for (const std::string& note : done.notes) json["notes"].push_back(reports::escaped(note));
  return json;
}

// Reads the log, which is untrusted, in the sandbox.
std::expected<std::deque<trace::LoggedFile>, std::string> stories_of(
    const TraceReplayArguments& arguments) {
  const Result<Descriptor> file = open_for_reading(arguments.log);
  if (!file) return std::unexpected(file.error().text());
  const Bytes bytes = Bytes::of_descriptor(file->get(), arguments.log);
  constexpr char kStory = 's', kTrouble = 't';  // the first byte of a message
  const trace::LogLimits limits;
  trace::StoryReader stories(limits);
  std::string trouble;
  const isolate::Outcome outcome = isolate::run_in_worker(
      file->get(),
      [&](const isolate::Send& send, WorkerPosition&) {
        const auto log = trace::read_log(bytes, limits);
        if (log)
          trace::send_stories(
              *log, [&](std::string_view part) { send(std::string{kStory}.append(part)); });
        else
          send(kTrouble + log_trouble(log.error()));
      },
      [&](std::string_view message) {
        const char kind = message.empty() ? '\0' : message.front();
        if (kind == kTrouble)
          trouble = message.substr(1);
        else
          stories.take(message.substr(kind == kStory ? 1 : 0));
      },
      {.seconds = arguments.replay.seconds, .answer = 2 * limits.log_bytes});
  if (outcome.error) return std::unexpected(outcome.error->text());
  if (outcome.stop) trouble = outcome.stop->text();
  std::optional<std::deque<trace::LoggedFile>> told = std::move(stories).take_all();
  if (trouble.empty() && told) return std::move(*told);
  return std::unexpected(arguments.log + ": " +
                         (trouble.empty() ? "the log cannot be read" : trouble));
}

int run(const TraceReplayArguments& arguments) {
  const bool own_json = arguments.output.formats == std::vector<std::string>{"counts"};
  const std::string_view told = form_by_suffix(arguments.output.output);
  const bool own_text = arguments.output.formats.empty() && (told.empty() || told == "text");
  if (!own_json && !own_text) checked_destinations(arguments.output);
  const Ticker ticker("replaying", arguments.output.quiet);
  const auto files = stories_of(arguments);
  if (!files) {
    std::println(stderr, "hepcheck: {}", reports::escaped(files.error()));
    return kNotExamined;
  }
  if (files->empty()) {
    Ticker::stop();
    std::println(stderr, "hepcheck: {}: no file was recorded", reports::escaped(arguments.log));
    return kNotExamined;
  }
  Report report{.hepcheck = HEPCHECK_VERSION, .spec = find_specification("hdf5-swmr-2013-10-10")};
  report.files.push_back({.path = arguments.log});
  FileReport& into = report.files.back();
  nlohmann::ordered_json json = nlohmann::ordered_json::array();
  const bool silent = arguments.output.quiet && arguments.output.output.empty();
  const std::string& output = arguments.output.output;
  std::ofstream file;
  if ((own_json || own_text) && !output.empty()) file.open(output, std::ios::binary);
  std::ostream& own = output.empty() ? std::cout : file;
  crash::ReplayOptions options = arguments.replay;
  if (!arguments.keep.empty())
    options.first_wrong = [&](std::size_t kind, const trace::Image& image) {
      std::ofstream(std::format("{}.{}.h5", arguments.keep, kKinds[kind]), std::ios::binary)
          .write(image.data(), static_cast<std::streamsize>(image.size()));
    };
  for (const auto& [name, missing, story, events, bytes] : *files) {
    if (!missing.empty()) {
      into.unreadable.push_back({name, missing});
      std::println(stderr, "hepcheck: {}: not examined: {}", reports::escaped(name),
                   reports::escaped(missing));
      continue;
    }
    const Replayed done = crash::replay(story, options, name);
    Ticker::stop();
    if (own_text && !silent) print(own, done, story);
    if (own_json) json.push_back(to_json(done, story));
    into.subjects.push_back(crash::subject_of(done));
    if (done.images == 0 && !done.notes.empty())
      into.unreadable.push_back({name, done.notes.front()});
  }
  if (own_json && !silent) own << json.dump(1) << '\n';
  if (!own_json && !own_text)
    return write_all(report, arguments.output) ? exit_status(report) : kNotExamined;
  if (own.flush()) return exit_status(report);
  std::println(stderr, "hepcheck: {}: cannot be written",
               output.empty() ? "the report" : reports::escaped(output));
  return kNotExamined;
}

}  // namespace

void add_trace_replay(CLI::App& trace, int& status) {
  CLI::App* command = trace.add_subcommand(
      "replay", "Examine the states that a crash at any point of a log would have left");
  auto a = std::make_shared<TraceReplayArguments>();
  command->add_option("log", a->log, "A log written by hepcheck trace record")
      ->required()
      ->type_name("LOG");
  command->add_option("--seed", a->replay.seed, "Seed of the samples if there are many states")
      ->capture_default_str();
  command
      ->add_option("--sample", a->replay.sample,
                   "Number of sampled states between two barriers with more than 6 writes")
      ->capture_default_str();
  command
      ->add_option("--most", a->replay.most,
                   "Sample at most this many states per file, selected by the seed; 0: no limit")
      ->capture_default_str()
      ->type_name("N");
  command->add_option("--timeout", a->replay.seconds, "Limit of wall time in seconds per file")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  command
      ->add_option("--keep", a->keep, "Write the first WRONG image of each kind to this directory")
      ->type_name("PREFIX");
  command
      ->add_option("--format", a->output.formats,
                   "counts (JSON), or a report format of hepcheck validate [a table]")
      ->type_name("FORMAT[=FILE]");
  command
      ->add_option("-o,--output", a->output.output,
                   "Write the report to this file, in the format of its suffix")
      ->type_name("FILE");
  command->add_flag("-q,--quiet", a->output.quiet, "Print nothing; set the exit status only");
  command->footer(
      "States: every prefix of the writes; the last write torn at 512, 4096 and other bytes; "
      "every\ncombination of writes between two barriers, or a sample; all writes except one. Each "
      "is read\nby hepcheck's container reader and by libhdf5 with the rules of HEP001:\n  OLD, "
      "NEW  the contents at the flush before, after\n  BETWEEN   part of the new, nothing wrong    "
      "      RESIDUE   new, but no reader uses it\n  DETECTED  a reader reports an error           "
      "    WRONG     values that never existed\nExit status: 0 no violation; 1 a violation; 2 "
      "usage error; 3 something was not examined.");
  command->callback([a, &status] { status = run(*a); });
}

}  // namespace hepcheck::cli
