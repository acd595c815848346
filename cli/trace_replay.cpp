// hepcheck trace replay: what crashes in the midst of a log would have left of its files.
#include <sys/mman.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <deque>
#include <expected>
#include <format>
#include <fstream>
#include <functional>
#include <iostream>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <print>
#include <stdexcept>
#include <tuple>

#include "cli/trace.h"
#include "reports/escape.h"
#include "validator/descriptor.h"
#include "validator/formats/hdf5/trace/check.h"
#include "validator/formats/hdf5/trace/seen.h"
#include "validator/formats/hep001/libhdf5/read_content.h"
#include "validator/isolate/worker.h"
#include "validator/trace/content.h"
#include "validator/trace/replay.h"
#include "validator/trace/told.h"

namespace hepcheck::cli {

namespace {

using trace::Content;
using trace::Image;
using trace::Judgement;
using trace::State;
using trace::Story;
using trace::Verdict;

struct TraceReplayArguments {
  std::string log{}, keep{};
  std::uint64_t seed = 1, sample = 24, most = 5'000, seconds = 3600;
  OutputOptions output{};
};

constexpr isolate::Bounds kBounds{.seconds = 20, .cpu_seconds = 4};
constexpr std::size_t kLongestWhy = 4096;

// The bytes of an image as those of a file that is open.
Descriptor file_of(const Image& image) {
  Descriptor file{::memfd_create("image", MFD_CLOEXEC)};
  for (std::size_t at = 0; at < image.size();) {
    const ssize_t done = ::write(file.get(), image.data() + at, image.size() - at);
    if (done <= 0 && errno != EINTR) throw std::runtime_error("no room for an image");
    at += static_cast<std::size_t>(std::max<ssize_t>(done, 0));
  }
  return file;
}

// Runs `work` on an image where it can do no harm; its one message, or why there is none.
using Work = std::function<std::string(int descriptor)>;
std::string safely(const Image& image, const Work& work, std::string& trouble) {
  std::string said;
  const Descriptor file = file_of(image);
  const isolate::Outcome outcome = isolate::run_in_worker(
      file.get(), [&](const isolate::Send& send, Place&) { send(work(file.get())); },
      [&](std::string_view message) { said = message; }, kBounds);
  if (outcome.stop) trouble = outcome.stop->text();
  if (outcome.error) trouble = outcome.error->text();
  return said;
}

// As a reader finds it: one beside a SWMR writer whose marks it has, otherwise one that comes after
// a crash, when the marks have been cleared.
Image as_found(Image image) {
  if (!hdf5::trace::swmr_marked(image)) hdf5::trace::clear_marks(image);
  return image;
}
// `found` is what `descriptor` is open on.
Content read_with_libhdf5(int descriptor, const Image& found) {
  using namespace hep001::libhdf5;
  const bool swmr = hdf5::trace::swmr_marked(found);
  Content content = read_content(descriptor, swmr ? Opening::kSwmrReader : Opening::kPlain);
  if (!content.unreadable.empty()) return content;
  Image closed = found;
  if (swmr) hdf5::trace::clear_marks(closed, /*end=*/true);
  judge_tables(std::as_bytes(std::span(closed)), content);
  return content;
}

Content content_of(const Image& image) {
  std::string trouble;
  const Image found = as_found(image);
  const std::string bytes = safely(
      found, [&](int descriptor) { return trace::encoded(read_with_libhdf5(descriptor, found)); },
      trouble);
  std::optional<Content> content = trace::decoded(bytes);
  if (content && trouble.empty()) return std::move(*content);
  return {.unreadable = "the reader does not survive it: " + trouble};
}

const std::string kOurs = "our reader: ";  // begins what it alone says

trace::SecondReader own_reader(const Image& image) {
  const hdf5::trace::Seen seen = hdf5::trace::see_on_disk(image);
  trace::SecondReader second{.residue = !seen.beyond.empty()};
  if (!seen.readable) second.trouble = kOurs + seen.unreadable;
  for (const hdf5::trace::Trouble& each : seen.errors) {
    // While the header of an array is not written, its numbers are those of before; readers go by
    // them.
    constexpr std::string_view kNumbers[] = {"-count", "-bytes", "-max-index", "-realized"};
    if (each.clause.starts_with("swmr-earray-") &&
        std::ranges::any_of(kNumbers, [&](auto end) { return each.clause.ends_with(end); })) {
      second.residue = true;
      continue;
    }
    if (each.clause == "swmr-chunk-no-overlap" || each.clause == "swmr-metadata-no-overlap")
      continue;
    second.trouble =
        std::format("{}{} @ {}: {} ({})", kOurs, each.kind, each.block, each.observed, each.clause);
    break;
  }
  return second;
}

// --- Counting

constexpr std::array<std::string_view, 4> kKinds = {"prefix", "torn", "any", "dropped"};

struct Example {
  std::string how{}, why{};
  std::vector<std::size_t> fewest{};  // the operations that show it
};

struct Replayed {
  std::string name{};
  std::array<std::array<std::uint64_t, trace::kVerdicts>, 4> counts{};
  std::vector<Example> wrong[4]{};
  std::vector<Example> detected[4]{};
  std::uint64_t images = 0;
  // Under SWMR every state of those can be read: prefixes from the one on, to the other.
  std::size_t swmr_from = ~std::size_t{0}, swmr_to = 0;
  std::vector<Example> detected_under_swmr{};
  // Images that are DETECTED by our reader, and that libhdf5 reads without a word.
  std::uint64_t ours_alone = 0;
  // Images that a SWMR reader can read, and nobody else once the marks are cleared.
  std::uint64_t swmr_only = 0;
  Example swmr_only_example{};
  bool swmr() const { return swmr_from <= swmr_to; }
  std::vector<std::string> notes{};
};

class Replay {
 public:
  Replay(const Story& story, const TraceReplayArguments& arguments, std::string name)
      : story_(story), arguments_(arguments), images_(story),
        deadline_(std::chrono::steady_clock::now() + std::chrono::seconds(arguments.seconds)) {
    done_.name = std::move(name);
  }

  Replayed run() {
    find_swmr();
    first_ = content_of(story_.start);
    last_ = content_of(story_.whole());
    if (story_.start.empty()) first_ = Content();
    if (!last_.unreadable.empty()) {
      done_.notes.push_back("in the end the file cannot be read: " + last_.unreadable);
      return std::move(done_);
    }
    if (!first_.unreadable.empty()) {
      done_.notes.push_back("in the beginning the file cannot be read: " + first_.unreadable);
      first_ = Content();
    }
    for (const std::string& left_out : last_.left_out)
      done_.notes.push_back("not compared: " + left_out);
    take_states();
    add_notes();
    return std::move(done_);
  }

 private:
  void take_states() {
    trace::StateOptions options{.torn = true,
                                .any = true,
                                .dropped = true,
                                .seed = arguments_.seed,
                                .sample = arguments_.sample};
    const std::uint64_t all = trace::count_states(story_, options);
    trace::Sample sample(arguments_.most, all, arguments_.seed);
    if (arguments_.most > 0 && all > arguments_.most) {
      options.wanted = [&](std::uint64_t) { return sample.next(); };
      done_.notes.push_back(std::format("of {} states a sample of {} was looked at, by the seed {}",
                                        all, arguments_.most, arguments_.seed));
    }
    std::uint64_t count = 0;
    trace::each_state(story_, options, [&](const State& state) {
      if (std::chrono::steady_clock::now() >= deadline_) {
        done_.notes.push_back(std::format("the time was over after {} states", count));
        return false;
      }
      take(state);
      ++count;
      return true;
    });
  }

  // The prefixes under SWMR writing, by the marks in the superblocks that were written.
  void find_swmr() {
    Image image = story_.start;
    for (std::size_t i = 0; i <= story_.changes.size(); ++i) {
      if (i > 0) trace::apply(*story_.changes[i - 1], image);
      if (i > 0 && !story_.changes[i - 1]->data.starts_with("\x89HDF")) continue;
      const bool swmr = hdf5::trace::swmr_marked(image);
      if (swmr && !done_.swmr()) done_.swmr_from = i;
      if (swmr) done_.swmr_to = story_.changes.size();
      if (!swmr && done_.swmr() && done_.swmr_to == story_.changes.size()) done_.swmr_to = i - 1;
    }
  }

  void add_notes() {
    if (done_.ours_alone > 0)
      done_.notes.push_back(std::format(
          "{} of the images are DETECTED by our reader alone; libhdf5 reads them without a word",
          done_.ours_alone));
    if (done_.swmr_only > 0)
      done_.notes.push_back(std::format(
          "{} of the images are to be read beside the SWMR writer, but after a crash not when "
          "h5clear -s has cleared the marks, without -i (first: {}: {})",
          done_.swmr_only, done_.swmr_only_example.how, done_.swmr_only_example.why));
  }

  // What is there at the flushes before and behind the state.
  struct Around {
    std::size_t before = 0, behind = 0;  // so many operations
  };
  Around around(const State& state) const {
    const auto behind = std::ranges::lower_bound(story_.barriers,
                                                 std::max(state.settled + 1, state.applied.size()));
    return {state.settled, behind == story_.barriers.end() ? story_.changes.size() : *behind};
  }
  const Content& at_barrier(std::size_t count) {
    if (count == 0) return first_;
    if (count == story_.changes.size()) return last_;
    const auto [it, fresh] = barriers_.try_emplace(count);
    if (fresh) it->second = content_of(story_.after(count));
    return it->second;
  }
  // States come in order, so that those at other flushes are needed no more.
  trace::Frame frame_of(const Around& around) {
    std::erase_if(barriers_, [&](const auto& each) {
      return each.first != around.before && each.first != around.behind;
    });
    const Content& before = at_barrier(around.before);
    return {first_, last_, before, at_barrier(around.behind)};
  }

  Judgement judged(const Image& image, const trace::Frame& frame) {
    ++done_.images;
    // A file that was just begun and holds nothing is as good as none.
    if (image == story_.start) return {Verdict::kOld, {}};
    std::string trouble;
    const Image found = as_found(image);
    const std::string said = safely(
        found,
        [&](int descriptor) {
          const Judgement made =
              trace::judge(read_with_libhdf5(descriptor, found), frame, own_reader(image));
          return static_cast<char>('0' + static_cast<int>(made.verdict)) + made.why;
        },
        trouble);
    const auto verdict = said.empty() ? trace::kVerdicts : static_cast<std::size_t>(said[0] - '0');
    if (!trouble.empty() || verdict >= trace::kVerdicts)
      return {Verdict::kWrong, "the reader does not survive it: " + trouble};
    return {static_cast<Verdict>(verdict), said.substr(1, kLongestWhy)};
  }

  // What SWMR readers can read may have its end, as the superblock says it, before its last bytes.
  void after_a_crash(const State& state, const Image& image) {
    Image cleared = image;
    if (!hdf5::trace::swmr_marked(image) || !hdf5::trace::clear_marks(cleared)) return;
    Content content = content_of(cleared);
    if (content.unreadable.empty()) return;
    if (done_.swmr_only++ == 0)
      done_.swmr_only_example = {state.how(), std::move(content.unreadable), {}};
  }

  void take(const State& state) {
    const Image image = images_.of(state);
    const Around at = around(state);
    const trace::Frame frame = frame_of(at);
    const std::tuple key(at.before, at.behind, std::hash<std::string>{}(image));
    auto known = seen_.find(key);
    if (known == seen_.end()) {
      known = seen_.emplace(key, judged(image, frame)).first;
      const bool detected = known->second.verdict == Verdict::kDetected;
      done_.ours_alone += detected && known->second.why.starts_with(kOurs);
      if (!detected) after_a_crash(state, image);
    }
    const auto kind = static_cast<std::size_t>(state.kind);
    const Judgement& made = known->second;
    ++done_.counts[kind][static_cast<std::size_t>(made.verdict)];
    const std::size_t count = state.applied.size();
    if (state.kind == State::Kind::kPrefix && made.verdict == Verdict::kDetected &&
        count >= done_.swmr_from && count <= done_.swmr_to)
      done_.detected_under_swmr.push_back({state.how(), made.why, {}});
    if (made.verdict == Verdict::kDetected && done_.detected[kind].size() < 3)
      done_.detected[kind].push_back({state.how(), made.why, {}});
    if (made.verdict != Verdict::kWrong || done_.wrong[kind].size() >= 3) return;
    Example example{state.how(), made.why, {}};
    if (done_.wrong[kind].empty()) example.fewest = fewest(state, frame);
    if (done_.wrong[kind].empty() && !arguments_.keep.empty())
      std::ofstream(std::format("{}.{}.h5", arguments_.keep, kKinds[kind]), std::ios::binary)
          .write(image.data(), static_cast<std::streamsize>(image.size()));
    done_.wrong[kind].push_back(std::move(example));
  }

  // Of what was not settled, the least that shows it. A torn write stays, and stays torn.
  std::vector<std::size_t> fewest(const State& state, const trace::Frame& frame) {
    const bool torn = state.kind == State::Kind::kTorn;
    std::vector<std::size_t> open;
    for (const std::size_t i : state.applied)
      if (i >= state.settled) open.push_back(i);
    if (torn) open.pop_back();
    const auto with = [&](const std::vector<std::size_t>& some) {
      if (std::chrono::steady_clock::now() >= deadline_) return false;
      State fewer = state;
      if (!torn) fewer.kind = State::Kind::kAny;
      std::erase_if(fewer.applied, [&](std::size_t i) {
        return i >= state.settled && !(torn && i == state.applied.back()) &&
               !std::ranges::binary_search(some, i);
      });
      return judged(images_.of(fewer), frame).verdict == Verdict::kWrong;
    };
    std::vector<std::size_t> least = trace::smallest(open, with, 60);
    if (torn) least.push_back(state.applied.back());
    return least;
  }

  const Story& story_;
  const TraceReplayArguments& arguments_;
  trace::Images images_;
  std::chrono::steady_clock::time_point deadline_;
  Replayed done_{};
  Content first_{}, last_{};
  std::map<std::size_t, Content> barriers_{};
  // By the flushes around a state, and the hash of its image.
  std::map<std::tuple<std::size_t, std::size_t, std::size_t>, Judgement> seen_{};
};

// --- Telling

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

std::uint64_t total(const Replayed& done, std::size_t kind, Verdict verdict) {
  return done.counts[kind][static_cast<std::size_t>(verdict)];
}

void print(std::ostream& out, const Replayed& done, const Story& story) {
  const std::string name = reports::escaped(done.name);
  std::println(out, "{}: {} writes, {} barriers, {} images", name, story.changes.size(),
               story.barriers.size(), done.images);
  std::print(out, "{:10}", "");
  for (std::size_t v = 0; v < trace::kVerdicts; ++v)
    std::print(out, "{:>10}", trace::to_string(static_cast<Verdict>(v)));
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
      counts[std::string(trace::to_string(static_cast<Verdict>(v)))] = done.counts[kind][v];
    json["states"][std::string(kKinds[kind])] = std::move(counts);
  }
  json["examples"] = nlohmann::ordered_json::array();
  const auto add = [&](std::size_t kind, Verdict verdict, const std::vector<Example>& examples) {
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
    add(kind, Verdict::kWrong, done.wrong[kind]);
    add(kind, Verdict::kDetected, done.detected[kind]);
  }
  json["notes"] = nlohmann::ordered_json::array();
  for (const std::string& note : done.notes) json["notes"].push_back(reports::escaped(note));
  return json;
}

// What it says of the three clauses about crashes.
hdf5::trace::Said said_of(std::string_view clause, const Replayed& done, std::size_t kind) {
  hdf5::trace::Said said{.clause = clause};
  for (const std::uint64_t count : done.counts[kind]) said.examined += count;
  const auto add = [&](const Example& each, Verdict verdict) {
    said.findings.push_back(
        {.object = "/",
         .where = each.how,
         .observed = std::format("{}: {}", trace::to_string(verdict), each.why),
         .expected = "the rows of before, and of the new ones as many as there are"});
  };
  for (const Example& each : done.wrong[kind]) add(each, Verdict::kWrong);
  said.more = total(done, kind, Verdict::kWrong) - done.wrong[kind].size();
  if (kind != 0) return said;
  // Nothing is torn there: what readers stumble over was written in the wrong order.
  for (const Example& each : done.detected_under_swmr) {
    if (said.findings.size() < 10)
      add(each, Verdict::kDetected);
    else
      ++said.more;
  }
  return said;
}

SubjectReport subject_of(const Replayed& done) {
  std::vector<hdf5::trace::Said> said;
  said.push_back(said_of("swmr-crash-prefix-readable", done, 0));
  said.push_back(said_of("swmr-torn-write-detected", done, 1));
  hdf5::trace::Said any = said_of("swmr-reordered-writes-told", done, 2);
  const hdf5::trace::Said dropped = said_of("swmr-reordered-writes-told", done, 3);
  any.examined += dropped.examined;
  any.more += dropped.more;
  any.findings.insert(any.findings.end(), dropped.findings.begin(), dropped.findings.end());
  said.push_back(std::move(any));
  SubjectReport subject = hdf5::trace::subject_of(said, "hepcheck trace check judges it", 100);
  subject.path = done.name;
  subject.notes = done.notes;
  return subject;
}

// The log is a stranger's: it is read where it can do no harm.
std::expected<std::deque<trace::Told>, std::string> stories_of(
    const TraceReplayArguments& arguments) {
  const Result<Descriptor> file = open_for_reading(arguments.log);
  if (!file) return std::unexpected(file.error().text());
  const Bytes bytes = Bytes::of_descriptor(file->get(), arguments.log);
  constexpr std::string_view kTrouble = "trouble: ";  // no part begins so
  const trace::LogLimits limits;
  trace::Listener listener(limits);
  std::string trouble;
  const isolate::Outcome outcome = isolate::run_in_worker(
      file->get(),
      [&](const isolate::Send& send, Place&) {
        const auto log = trace::read_log(bytes, limits);
        if (log)
          trace::tell(*log, send);
        else
          send(std::string(kTrouble) + log_trouble(log.error()));
      },
      [&](std::string_view message) {
        if (message.starts_with(kTrouble))
          trouble = message.substr(kTrouble.size());
        else
          listener.take(message);
      },
      {.seconds = arguments.seconds, .answer = 2 * limits.log_bytes});
  if (outcome.error) return std::unexpected(outcome.error->text());
  if (outcome.stop) trouble = outcome.stop->text();
  std::optional<std::deque<trace::Told>> told = std::move(listener).take_all();
  if (trouble.empty() && told) return std::move(*told);
  return std::unexpected(arguments.log + ": " +
                         (trouble.empty() ? "the log cannot be read" : trouble));
}

int run(const TraceReplayArguments& arguments) {
  const bool own_json = arguments.output.formats == std::vector<std::string>{"counts"};
  const std::string_view told = form_by_suffix(arguments.output.output);
  const bool own_text = arguments.output.formats.empty() && (told.empty() || told == "text");
  if (!own_json && !own_text) checked_destinations(arguments.output);
  const auto files = stories_of(arguments);
  if (!files) {
    std::println(stderr, "hepcheck: {}", reports::escaped(files.error()));
    return kNotExamined;
  }
  Report report{.hepcheck = HEPCHECK_VERSION, .spec = &default_revision("hdf5")};
  report.files.push_back({.path = arguments.log});
  FileReport& into = report.files.back();
  nlohmann::ordered_json json = nlohmann::ordered_json::array();
  const bool silent = arguments.output.quiet && arguments.output.output.empty();
  const std::string& output = arguments.output.output;
  std::ofstream file;
  if ((own_json || own_text) && !output.empty()) file.open(output, std::ios::binary);
  std::ostream& own = output.empty() ? std::cout : file;
  for (const auto& [name, missing, story, events, bytes] : *files) {
    if (!missing.empty()) {
      into.unreadable.push_back({name, missing});
      std::println(stderr, "hepcheck: {}: not examined: {}", reports::escaped(name),
                   reports::escaped(missing));
      continue;
    }
    Replayed done = Replay(story, arguments, name).run();
    if (own_text && !silent) print(own, done, story);
    if (own_json) json.push_back(to_json(done, story));
    into.subjects.push_back(subject_of(done));
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
      "replay", "What a crash at any point of a log would have left, and what readers make of it");
  auto a = std::make_shared<TraceReplayArguments>();
  command->add_option("log", a->log, "A log that hepcheck trace record made")
      ->required()
      ->type_name("LOG");
  command->add_option("--seed", a->seed, "Of the samples where there are many states")
      ->capture_default_str();
  command->add_option("--sample", a->sample, "States between two barriers with more than 6 writes")
      ->capture_default_str();
  command
      ->add_option(
          "--most", a->most,
          "Of more states of a file than this look at so many, drawn by the seed; 0: at all")
      ->capture_default_str()
      ->type_name("N");
  command
      ->add_option("--timeout", a->seconds,
                   "Seconds by the clock for a file; then no more states are looked at")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  command->add_option("--keep", a->keep, "Write the first WRONG image of each kind here")
      ->type_name("PREFIX");
  command
      ->add_option("--format", a->output.formats,
                   "counts (JSON), or a report as hepcheck validate has them [a table]")
      ->type_name("FORMAT[=FILE]");
  command
      ->add_option("-o,--output", a->output.output,
                   "Write the report to this file, in the form that its suffix tells")
      ->type_name("FILE");
  command->add_flag("-q,--quiet", a->output.quiet, "Print nothing; the exit status tells");
  command->footer(
      "States: every prefix of the writes; the last write torn at 512, 4096 and other bytes; "
      "every\n"
      "combination of writes between two barriers, or a sample; one dropped write each. Each is\n"
      "read by our own reader of the container and by libhdf5 with the rules of HEP001:\n"
      "  OLD, NEW  what is there at the flush before, and behind\n"
      "  BETWEEN   some of the new, and nothing wrong      RESIDUE   new, which no reader sees\n"
      "  DETECTED  a reader is told that it is broken      WRONG     values that never were\n"
      "Exit status: 0 no violation; 1 a violation; 2 usage error; 3 something was not examined.");
  command->callback([a, &status] { status = run(*a); });
}

}  // namespace hepcheck::cli
