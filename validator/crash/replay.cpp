#include "validator/crash/replay.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <format>
#include <functional>
#include <map>
#include <stdexcept>
#include <tuple>
#include <utility>

#include "validator/descriptor.h"
#include "validator/formats/hdf5/trace/check.h"
#include "validator/formats/hdf5/trace/seen.h"
#include "validator/formats/hep001/libhdf5/read_content.h"
#include "validator/isolate/worker.h"

namespace hepcheck::crash {

namespace {

using trace::Content;
using trace::CrashVerdict;
using trace::Image;
using trace::Judgement;
using trace::State;
using trace::Story;

constexpr isolate::Bounds kBounds{.seconds = 20, .cpu_seconds = 4};
constexpr std::size_t kLongestWhy = 4096;

// An open file in memory that holds the bytes of an image.
Descriptor file_of(const Image& image) {
  Descriptor file{::memfd_create("image", MFD_CLOEXEC)};
  for (std::size_t at = 0; at < image.size();) {
    const ssize_t done = ::write(file.get(), image.data() + at, image.size() - at);
    if (done <= 0 && errno != EINTR) throw std::runtime_error("no space for an image");
    at += static_cast<std::size_t>(std::max<ssize_t>(done, 0));
  }
  return file;
}

// Runs `work` on an image in the sandbox. Returns its message, or sets `trouble`.
using Work = std::function<std::string(int descriptor)>;
std::string safely(const Image& image, const Work& work, std::string& trouble) {
  std::string answer;
  const Descriptor file = file_of(image);
  const isolate::Outcome outcome = isolate::run_in_worker(
      file.get(), [&](const isolate::Send& send, WorkerPosition&) { send(work(file.get())); },
      [&](std::string_view message) { answer = message; }, kBounds);
  if (outcome.stop) trouble = outcome.stop->text();
  if (outcome.error) trouble = outcome.error->text();
  return answer;
}

// The image as a reader meets it: with the marks of a SWMR writer, which may still be at work, or
// after a crash, when other marks have been cleared.
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
  return {.unreadable = "the reader failed: " + trouble};
}

// The words that begin a reason which the reader of the container gives.
const std::string kContainerReader = "our reader: ";

// What hepcheck's own reader of the container makes of an image; libhdf5 is the first reader.
trace::SecondReader own_reader(const Image& image) {
  const hdf5::trace::Seen seen = hdf5::trace::see_on_disk(image);
  trace::SecondReader second{.residue = !seen.beyond.empty()};
  if (!seen.readable) second.trouble = kContainerReader + seen.unreadable;
  for (const hdf5::trace::Trouble& each : seen.errors) {
    // Until the header of an array is written it has its earlier numbers, which readers go by.
    constexpr std::string_view kNumbers[] = {"-count", "-bytes", "-max-index", "-realized"};
    if (each.clause.starts_with("swmr-earray-") &&
        std::ranges::any_of(kNumbers, [&](auto end) { return each.clause.ends_with(end); })) {
      second.residue = true;
      continue;
    }
    if (each.clause == "swmr-chunk-no-overlap" || each.clause == "swmr-metadata-no-overlap")
      continue;
    second.trouble = std::format("{}{} @ {}: {} ({})", kContainerReader, each.kind, each.block,
                                 each.observed, each.clause);
    break;
  }
  return second;
}

class Replay {
 public:
  Replay(const Story& story, const ReplayOptions& options, std::string name)
      : story_(story), options_(options), images_(story),
        deadline_(std::chrono::steady_clock::now() + std::chrono::seconds(options.seconds)) {
    done_.name = std::move(name);
  }

  Replayed run() {
    find_swmr();
    for (std::size_t i = 0; i < story_.changes.size(); ++i)
      if (story_.changes[i]->kind == trace::Event::Kind::kResize &&
          story_.changes[i]->position == 0)
        truncations_.push_back(i);
    first_ = content_of(story_.start);
    last_ = content_of(story_.whole());
    if (story_.start.empty()) first_ = Content();
    if (!last_.unreadable.empty()) {
      done_.notes.push_back("the final file cannot be read: " + last_.unreadable);
      return std::move(done_);
    }
    if (!first_.unreadable.empty()) {
      done_.notes.push_back("the original file cannot be read: " + first_.unreadable);
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
                                .seed = options_.seed,
                                .sample = options_.sample};
    const std::uint64_t all = trace::count_states(story_, options);
    trace::Sample sample(options_.most, all, options_.seed);
    if (options_.most > 0 && all > options_.most) {
      options.wanted = [&](std::uint64_t) { return sample.next(); };
      done_.notes.push_back(
          std::format("a sample of {1} of {0} states was examined, with the seed {2}", all,
                      options_.most, options_.seed));
    }
    std::uint64_t count = 0;
    trace::each_state(story_, options, [&](const State& state) {
      if (std::chrono::steady_clock::now() >= deadline_) {
        done_.notes.push_back(std::format("the time limit was reached after {} states", count));
        return false;
      }
      take(state);
      ++count;
      return true;
    });
  }

  // Finds the prefixes during SWMR writing by the marks in the superblocks that were written.
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
          "{} of the images are DETECTED only by the reader of hepcheck; libhdf5 reports no error",
          done_.ours_alone));
    if (done_.swmr_only > 0)
      done_.notes.push_back(std::format(
          "{} of the images can be read while the SWMR writer has the file open, but not after a "
          "crash when h5clear -s, without -i, has cleared the marks (first: {}: {})",
          done_.swmr_only, done_.swmr_only_example.how, done_.swmr_only_example.why));
  }

  // The flushes before and after the state, as numbers of operations.
  struct Around {
    std::size_t before = 0, behind = 0;
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
  // A program that truncates a file to nothing begins anew: the contents between two truncations
  // are those of a file of its own. A span is numbered by the truncations before it.
  std::size_t span_of(const State& state) const {
    return static_cast<std::size_t>(std::ranges::count_if(
        truncations_, [&](std::size_t i) { return std::ranges::binary_search(state.applied, i); }));
  }
  const Content& first_of(std::size_t span) const { return span == 0 ? first_ : nothing_; }
  const Content& last_of(std::size_t span) {
    if (span == truncations_.size()) return last_;
    const auto [it, fresh] = ends_.try_emplace(span);
    if (fresh) it->second = content_of(story_.after(truncations_[span]));
    return it->second.unreadable.empty() ? it->second : last_;
  }

  trace::Frame frame_of(const Around& around, const State& state) {
    // States come in order, so the contents at other flushes are not needed any more.
    std::erase_if(barriers_, [&](const auto& each) {
      return each.first != around.before && each.first != around.behind;
    });
    const Content& before = at_barrier(around.before);
    const std::size_t span = span_of(state);
    return {first_of(span), last_of(span), before, at_barrier(around.behind)};
  }

  Judgement judged(const Image& image, const trace::Frame& frame) {
    ++done_.images;
    // A file that was just created and holds nothing counts as absent.
    if (image == story_.start) return {.verdict = CrashVerdict::kOld};
    std::string trouble;
    const Image found = as_found(image);
    const std::string answer = safely(
        found,
        [&](int descriptor) {
          const Judgement made =
              trace::judge(read_with_libhdf5(descriptor, found), frame, own_reader(image));
          return std::string{static_cast<char>('0' + static_cast<int>(made.verdict)),
                             made.by_second_reader ? 's' : 'f'} +
                 made.why;
        },
        trouble);
    const auto verdict =
        answer.size() < 2 ? trace::kVerdicts : static_cast<std::size_t>(answer[0] - '0');
    if (!trouble.empty() || verdict >= trace::kVerdicts)
      return {.verdict = CrashVerdict::kWrong, .why = "the reader failed: " + trouble};
    return {static_cast<CrashVerdict>(verdict), answer.substr(2, kLongestWhy), answer[1] == 's'};
  }

  // An image that SWMR readers can read may have an end of file, in its superblock, that lies
  // before its last bytes; other readers refuse it.
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
    const trace::Frame frame = frame_of(at, state);
    const std::tuple key(at.before, at.behind, span_of(state), std::hash<std::string>{}(image));
    auto known = seen_.find(key);
    if (known == seen_.end()) {
      known = seen_.emplace(key, judged(image, frame)).first;
      const bool detected = known->second.verdict == CrashVerdict::kDetected;
      done_.ours_alone += detected && known->second.by_second_reader;
      if (!detected) after_a_crash(state, image);
    }
    const auto kind = static_cast<std::size_t>(state.kind);
    const Judgement& made = known->second;
    ++done_.counts[kind][static_cast<std::size_t>(made.verdict)];
    const std::size_t count = state.applied.size();
    if (state.kind == State::Kind::kPrefix && made.verdict == CrashVerdict::kDetected &&
        count >= done_.swmr_from && count <= done_.swmr_to)
      done_.detected_under_swmr.push_back({state.how(), made.why, {}});
    if (made.verdict == CrashVerdict::kDetected && done_.detected[kind].size() < 3)
      done_.detected[kind].push_back({state.how(), made.why, {}});
    if (made.verdict != CrashVerdict::kWrong || done_.wrong[kind].size() >= 3) return;
    Example example{state.how(), made.why, {}};
    if (done_.wrong[kind].empty()) example.fewest = fewest(state, frame);
    if (done_.wrong[kind].empty() && options_.first_wrong) options_.first_wrong(kind, image);
    done_.wrong[kind].push_back(std::move(example));
  }

  // The fewest of the unsettled operations that still show it. A torn write stays, and stays torn.
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
      return judged(images_.of(fewer), frame).verdict == CrashVerdict::kWrong;
    };
    std::vector<std::size_t> least = trace::smallest(open, with, 60);
    if (torn) least.push_back(state.applied.back());
    return least;
  }

  const Story& story_;
  const ReplayOptions& options_;
  trace::Images images_;
  std::chrono::steady_clock::time_point deadline_;
  Replayed done_{};
  Content first_{}, last_{};
  std::map<std::size_t, Content> barriers_{};
  // Where the file was truncated to nothing, except at the beginning of a log of an empty file.
  std::vector<std::size_t> truncations_{};
  Content nothing_{};                      // before anything is written
  std::map<std::size_t, Content> ends_{};  // the contents before each truncation
  // The judgements of states, by the flushes around them, the truncations before them, and the
  // hashes of their images.
  std::map<std::tuple<std::size_t, std::size_t, std::size_t, std::size_t>, Judgement> seen_{};
};

std::uint64_t total(const Replayed& done, std::size_t kind, CrashVerdict verdict) {
  return done.counts[kind][static_cast<std::size_t>(verdict)];
}

// The result of the replay for one of the three clauses about crashes.
hdf5::trace::ClauseOutcome outcome_of(std::string_view clause, const Replayed& done,
                                      std::size_t kind) {
  hdf5::trace::ClauseOutcome outcome{.clause = clause};
  for (const std::uint64_t count : done.counts[kind]) outcome.examined += count;
  const auto add = [&](const Example& each, CrashVerdict verdict) {
    outcome.findings.push_back(
        {.object = "/",
         .where = each.how,
         .observed = std::format("{}: {}", trace::to_string(verdict), each.why),
         .expected = "the previous rows, followed by new rows"});
  };
  for (const Example& each : done.wrong[kind]) add(each, CrashVerdict::kWrong);
  outcome.more = total(done, kind, CrashVerdict::kWrong) - done.wrong[kind].size();
  if (kind != 0) return outcome;
  // No write is torn in a prefix: what readers detect there was written in the wrong order.
  for (const Example& each : done.detected_under_swmr) {
    if (outcome.findings.size() < 10)
      add(each, CrashVerdict::kDetected);
    else
      ++outcome.more;
  }
  return outcome;
}

}  // namespace

Replayed replay(const Story& story, const ReplayOptions& options, std::string name) {
  if (const char* why = hep001::libhdf5::why_unavailable()) throw std::runtime_error(why);
  return Replay(story, options, std::move(name)).run();
}

SubjectReport subject_of(const Replayed& done) {
  std::vector<hdf5::trace::ClauseOutcome> outcomes;
  outcomes.push_back(outcome_of("swmr-crash-prefix-readable", done, 0));
  outcomes.push_back(outcome_of("swmr-torn-write-detected", done, 1));
  hdf5::trace::ClauseOutcome any = outcome_of("swmr-reordered-writes-told", done, 2);
  const hdf5::trace::ClauseOutcome dropped = outcome_of("swmr-reordered-writes-told", done, 3);
  any.examined += dropped.examined;
  any.more += dropped.more;
  any.findings.insert(any.findings.end(), dropped.findings.begin(), dropped.findings.end());
  outcomes.push_back(std::move(any));
  SubjectReport subject = hdf5::trace::subject_of(outcomes, "hepcheck trace check judges it", 100);
  subject.path = done.name;
  subject.notes = done.notes;
  return subject;
}

}  // namespace hepcheck::crash
