// hepcheck reduce: finds a small table that still breaks a clause.
#include "validator/formats/hep001/reduce.h"

#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <initializer_list>
#include <memory>
#include <new>
#include <print>
#include <string_view>
#include <utility>

#include "cli/commands.h"
#include "cli/limits.h"
#include "cli/suggest.h"
#include "cli/target.h"
#include "reports/escape.h"
#include "validator/descriptor.h"
#include "validator/formats/hep001/model/revision.h"
#include "validator/isolate/worker.h"
#include "validator/shorten.h"

namespace hepcheck::cli {

namespace {

using namespace hep001;

struct ReduceArguments {
  std::string table{}, keep{}, output{};
  std::string spec = "auto";
  std::vector<std::string> limits{};
  bool allow_plugins = false, no_isolation = false;
};

// The table to reduce.
struct Start {
  std::string path{}, group{};
  Bytes bytes{};
};

// Set by a signal, in memory shared with the worker: the result so far is then written.
std::atomic<bool>* enough = nullptr;

extern "C" void on_interrupt(int) { enough->store(true); }

void catch_interrupts() {
  void* shared =
      mmap(nullptr, sizeof *enough, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (shared == MAP_FAILED) return;
  enough = new (shared) std::atomic<bool>(false);
  static_assert(std::atomic<bool>::is_always_lock_free);
  struct sigaction action{};
  action.sa_handler = on_interrupt;
  action.sa_flags = static_cast<int>(SA_RESETHAND | SA_RESTART);  // the second one ends the process
  for (const int number : {SIGINT, SIGTERM}) sigaction(number, &action, nullptr);
}

// Stops for a signal, and while enough time is left to answer.
class Watch {
 public:
  using Clock = std::chrono::steady_clock;

  explicit Watch(std::uint64_t seconds)
      : until_(Clock::now() + std::chrono::milliseconds(800 * seconds)) {}

  template <class Tried>
  ReduceWatch with(Tried tried) const {
    return {.stop = [until = until_] { return (enough && enough->load()) || Clock::now() > until; },
            .tried = std::move(tried)};
  }

 private:
  Clock::time_point until_;
};

// On a terminal, at most ten times per second.
void show_progress(std::uint64_t tries, std::uint64_t steps) {
  if (isatty(STDERR_FILENO) == 0) return;
  std::print(stderr, "\r\x1b[K{} tries, {} changes kept", tries, steps);
  std::fflush(stderr);
}
void end_progress() {
  if (isatty(STDERR_FILENO) != 0) std::print(stderr, "\r\x1b[K");
}

// Limits the rate of calls of `show`.
auto at_times(auto show) {
  return [show, last = Watch::Clock::time_point{}](std::size_t tries, std::size_t steps) mutable {
    constexpr std::chrono::milliseconds kPause(100);
    const auto now = Watch::Clock::now();
    if (now - last < kPause) return;
    last = now;
    show(tries, steps);
  };
}

Result<Reduced> reduce_here(const Start& start, const ReduceArguments& arguments,
                            const Specification* spec, const FileOptions& options,
                            const ReduceWatch& watch) {
  std::vector<std::byte> image(start.bytes.size());
  if (!start.bytes.read(0, image)) return failure("it cannot be read");
  return reduce(image, start.group, arguments.keep, spec, options, watch);
}

// --- In a worker --------------------------------------------------------------------------------

// The first byte of a message. kTrying is followed by the numbers of tries and changes; kReduced by
// the same, whether it was stopped, the length of the reason why it is not smaller, the reason, and
// the image.
constexpr char kTrying = 't', kReduced = 'r', kFailed = 'f';

std::string message(char kind, std::initializer_list<std::uint64_t> numbers) {
  std::string bytes(1, kind);
  for (const std::uint64_t number : numbers)
    bytes.append(reinterpret_cast<const char*>(&number), sizeof number);
  return bytes;
}

std::string answer(const Result<Reduced>& reduced) {
  if (!reduced) return kFailed + reduced.error().text();
  return message(kReduced, {reduced->tries, reduced->steps, std::uint64_t{reduced->stopped},
                            reduced->why.size()}) +
         reduced->why +
         std::string(reinterpret_cast<const char*>(reduced->image.data()), reduced->image.size());
}

// Removes the numbers at the beginning of a message; false if it is too short.
template <std::size_t kCount>
bool take(std::string_view& message, std::uint64_t (&numbers)[kCount]) {
  if (message.size() < 1 + sizeof numbers) return false;
  std::memcpy(numbers, message.data() + 1, sizeof numbers);
  message.remove_prefix(1 + sizeof numbers);
  return true;
}

// The worker is untrusted: its result is checked to be a file that still breaks the clause.
Result<Reduced> reduced_from(std::string_view answer) {
  std::uint64_t numbers[4] = {};
  if (answer.starts_with(kFailed)) {
    std::string why(answer.substr(1));
    shorten(why);
    return failure(std::move(why));
  }
  if (!answer.starts_with(kReduced) || !take(answer, numbers) || numbers[3] > answer.size())
    return failure("the worker process sent an invalid answer");
  std::string why(answer.substr(0, numbers[3]));
  shorten(why);
  const auto image = std::as_bytes(std::span(answer.substr(numbers[3])));
  return Reduced{.image = {image.begin(), image.end()},
                 .steps = numbers[1],
                 .tries = numbers[0],
                 .stopped = numbers[2] != 0,
                 .why = std::move(why)};
}

Result<Reduced> reduce_isolated(const Start& start, const ReduceArguments& arguments,
                                const Specification* spec, const FileOptions& options,
                                isolate::Bounds bounds) {
  // A smaller table may be in a larger file until it is rewritten.
  bounds.answer = std::max(bounds.answer, 2 * start.bytes.size());
  std::string answered;
  const isolate::Outcome outcome = isolate::run_in_worker(
      start.bytes.descriptor(),
      [&](const isolate::Send& send, WorkerPosition&) {
        const Watch watch(bounds.seconds);
        send(answer(reduce_here(start, arguments, spec, options,
                                watch.with(at_times([&](std::size_t tries, std::size_t steps) {
                                  send(message(kTrying, {tries, steps}));
                                })))));
      },
      [&](std::string_view message) {
        std::uint64_t numbers[2] = {};
        if (!message.starts_with(kTrying))
          answered = message;
        else if (take(message, numbers))
          show_progress(numbers[0], numbers[1]);
      },
      bounds);
  if (!outcome.refused.empty())
    std::println(stderr, "hepcheck: this system refuses part of the sandbox: {}",
                 reports::escaped(outcome.refused));
  if (outcome.error) return std::unexpected(*outcome.error);
  if (outcome.stop) return failure(outcome.stop->text());
  return reduced_from(answered);
}

// Null: chosen by the features of the table. The clause must belong to the revision, or to any.
const Specification* spec_of(const ReduceArguments& arguments) {
  if (arguments.spec != "auto") {
    const Specification& spec = specification_named(arguments.spec);
    if (spec.format != "hep001")
      throw CLI::ValidationError("--spec",
                                 "\"" + arguments.spec + "\" is not a clause about tables");
    clause_named(spec, arguments.keep, "--keep");
    return &spec;
  }
  const std::span<const Revision> revisions = all_revisions();
  const auto known = [&](const Revision& revision) {
    return find_specification(revision.spec)->find(arguments.keep) != nullptr;
  };
  if (std::ranges::none_of(revisions, known))
    clause_named(*find_specification(revisions.back().spec), arguments.keep, "--keep");
  return nullptr;
}

int run(const ReduceArguments& arguments) {
  const Specification* spec = spec_of(arguments);
  const std::size_t colon = arguments.table.rfind(":/");
  if (colon == std::string::npos)
    throw CLI::ValidationError("table", "\"" + reports::escaped(arguments.table) +
                                            "\" names no group; expected FILE:/group");
  const auto failed = [](const std::string& what) {
    std::println(stderr, "hepcheck: {}", reports::escaped(what));
    return 3;
  };
  if (is_url(arguments.table)) return failed(arguments.table + ": " + kNoUrls);
  const AllLimits limits = limits_of(arguments.limits);
  FileOptions options{.limits = limits.reading,
                      .allow_plugins = arguments.allow_plugins,
                      // What it writes has to be readable by the library that writes it.
                      .reader = Reader::kLibrary};
  const isolate::Bounds bounds = isolate::settled(limits.worker);
  Start start{.path = arguments.table.substr(0, colon), .group = arguments.table.substr(colon + 1)};
  std::error_code trouble;
  if (std::filesystem::equivalent(start.path, arguments.output, trouble))
    throw CLI::ValidationError("--output", "is the original file, which is never changed");

  const Result<Descriptor> file = open_for_reading(start.path);
  if (!file) return failed(file.error().text());
  start.bytes = Bytes::of_descriptor(file->get(), start.path);
  if (start.bytes.size() > bounds.memory) return failed(start.path + ": exceeds the memory limit");
  prepare(options);
  catch_interrupts();
  const Result<Reduced> reduced =
      arguments.no_isolation ? reduce_here(start, arguments, spec, options,
                                           Watch(bounds.seconds).with(at_times(show_progress)))
                             : reduce_isolated(start, arguments, spec, options, bounds);
  end_progress();
  if (!reduced) return failed(start.path + ": " + reduced.error().text());

  std::ofstream out(arguments.output, std::ios::binary);
  out.write(reinterpret_cast<const char*>(reduced->image.data()),
            static_cast<std::streamsize>(reduced->image.size()));
  if (!out.flush()) return failed(arguments.output + ": cannot be written");
  const std::string name = reports::escaped(arguments.output);
  std::println("{}: {} bytes, was {}; {} change{} kept in {} tries, still violates {}", name,
               reduced->image.size(), start.bytes.size(), reduced->steps,
               reduced->steps == 1 ? "" : "s", reduced->tries, arguments.keep);
  if (reduced->stopped)
    std::println(stderr, "hepcheck: {}: stopped early; the file may become smaller", name);
  if (!reduced->why.empty())
    std::println(stderr, "hepcheck: {}: {}: {}", name,
                 reduced->image.size() < start.bytes.size() ? "it could be smaller" : "no smaller",
                 reports::escaped(reduced->why));
  return 0;
}

}  // namespace

void add_reduce(CLI::App& app, int& status) {
  auto* command = app.add_subcommand("reduce", "Find a small table that still violates a clause");
  auto a = std::make_shared<ReduceArguments>();
  command->add_option("table", a->table, "The original table, as FILE:/group; it is not changed")
      ->required()
      ->type_name("FILE:/group");
  command->add_option("--keep", a->keep, "The clause that must stay violated")
      ->required()
      ->type_name("ID");
  command->add_option("-o,--output", a->output, "The file to write")->required()->type_name("FILE");
  command
      ->add_option("--spec", a->spec,
                   "Revision of the specification; auto: chosen by the features of the table")
      ->capture_default_str();
  command
      ->add_option("--limit", a->limits,
                   "Set a limit, such as time=3600; see hepcheck validate --help")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->type_name("NAME=N,...");
  command->add_flag("--allow-plugins", a->allow_plugins,
                    "Load the filter plugins on the HDF5 library's path");
  command->add_flag("--no-isolation", a->no_isolation,
                    "Work in this process, without a sandbox: for debuggers");
  command->footer(
      "Removes attributes, links, indexes, columns, categories and rows, unused elements of "
      "lists,\nand everything outside the table, as long as the clause stays violated and no other "
      "error or\nwarning appears. Indexes with matching validity tokens keep matching tokens.\nIf "
      "interrupted, or at the time limit, it writes the result so far.\nExit status: 0 written; 2 "
      "usage error; 3 the table cannot be examined or does not violate the clause.");
  command->callback([a, &status] { status = run(*a); });
}

}  // namespace hepcheck::cli
