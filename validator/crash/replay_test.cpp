// Replays of small stories over a table of the corpus: the counts, and the verdict of each reader.
#include "validator/crash/replay.h"

#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <filesystem>
#include <format>
#include <fstream>
#include <iterator>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "validator/formats/hdf5/lookup3.h"
#include "validator/testing/golden_files.h"
#include "validator/trace/log.h"

namespace hepcheck::crash {
namespace {

using trace::CrashVerdict;
using trace::Image;
using trace::Story;

Image fixture(std::string_view name) {
  std::ifstream file(std::filesystem::path(HEPCHECK_FIXTURES) / name, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// A table of five rows with the columns id (uint32, at byte 1068) and energy (float, at byte 1088).
Image table_of_five_rows() {
  Image image = fixture("hep001/valid/7.3/nrows-uint64--big-endian.h5");
  EXPECT_EQ(image.size(), 1108u);
  return image;
}
constexpr std::uint64_t kValues = 1068;

// Writes to one file, none of which is ever synced.
class Writes {
 public:
  explicit Writes(Image start) { story_.start = std::move(start); }
  Writes& write(std::uint64_t position, std::string bytes) {
    const std::string& kept = bytes_.emplace_back(std::move(bytes));
    story_.changes.push_back(&events_.emplace_back(
        trace::Event{.kind = trace::Event::Kind::kWrite, .position = position, .data = kept}));
    return *this;
  }
  Writes& resize(std::uint64_t size) {
    story_.changes.push_back(
        &events_.emplace_back(trace::Event{.kind = trace::Event::Kind::kResize, .position = size}));
    return *this;
  }
  const Story& story() const { return story_; }

 private:
  Story story_{};
  std::deque<trace::Event> events_{};
  std::deque<std::string> bytes_{};
};

std::uint64_t prefixes(const Replayed& done, CrashVerdict verdict) {
  return done.counts[0][static_cast<std::size_t>(verdict)];
}

const ClauseResult* result_of(const SubjectReport& subject, std::string_view clause) {
  for (const ClauseResult& each : subject.clauses)
    if (each.clause->id == clause) return &each;
  return nullptr;
}

TEST(Replay, FileWrittenInTwoHalves) {
  const Image whole = table_of_five_rows();
  Writes writes{Image()};
  writes.write(0, whole.substr(0, 500)).write(500, whole.substr(500));
  const Replayed done = replay(writes.story(), {}, "t.h5");
  EXPECT_EQ(done.name, "t.h5");
  EXPECT_EQ(prefixes(done, CrashVerdict::kOld), 1u);
  EXPECT_EQ(prefixes(done, CrashVerdict::kDetected), 1u);
  EXPECT_EQ(prefixes(done, CrashVerdict::kNew), 1u);
  ASSERT_EQ(done.detected[0].size(), 1u);
  EXPECT_EQ(done.detected[0][0].how, "after 1 of 2 operations");
  EXPECT_EQ(done.ours_alone, 0u);
  EXPECT_FALSE(done.swmr());
  const SubjectReport subject = subject_of(done);
  const ClauseResult* clause = result_of(subject, "swmr-crash-prefix-readable");
  ASSERT_TRUE(clause);
  EXPECT_EQ(clause->verdict, Verdict::kPass);
  EXPECT_EQ(clause->examined, 3u);
}

// The same columns, of one row.
Image table_of_one_row() { return fixture("hep001/valid/8.1/extent-ge-nrows--one-row.h5"); }

// A program that makes its file anew over an older one: fewer rows than before the truncation are
// right after it.
TEST(Replay, TruncationBeginsAnew) {
  const Image old = table_of_five_rows(), one = table_of_one_row();
  Writes writes(old);
  writes.resize(0).write(0, one).write(0, old);
  const Replayed done = replay(writes.story(), {}, "t.h5");
  EXPECT_EQ(prefixes(done, CrashVerdict::kWrong), 0u);

  Writes without(old);
  without.write(0, one).write(0, old);
  EXPECT_EQ(prefixes(replay(without.story(), {}, "t.h5"), CrashVerdict::kWrong), 1u);
}

// What was written before a truncation is compared with the contents directly before it.
TEST(Replay, ContentsBeforeATruncationAreNotThoseAfterIt) {
  const Image old = table_of_five_rows();
  Image other = old;
  other.replace(kValues, 4, std::string(4, '\x63'));
  Writes writes(old);
  writes.write(0, other).resize(0).write(0, old);
  EXPECT_EQ(prefixes(replay(writes.story(), {}, "t.h5"), CrashVerdict::kWrong), 0u);

  Writes later(old);
  later.resize(0).write(0, old).write(0, other).write(0, old);
  EXPECT_EQ(prefixes(replay(later.story(), {}, "t.h5"), CrashVerdict::kWrong), 1u);
}

TEST(Replay, ValuesThatNeverExistedAreWrong) {
  Writes writes(table_of_five_rows());
  writes.write(kValues, std::string(4, '\x63')).write(kValues, std::string(4, '\x01'));
  std::vector<std::pair<std::size_t, Image>> kept;
  const Replayed done =
      replay(writes.story(),
             {.first_wrong = [&](std::size_t kind,
                                 const Image& image) { kept.emplace_back(kind, image); }},
             "t.h5");
  EXPECT_EQ(prefixes(done, CrashVerdict::kOld), 1u);
  EXPECT_EQ(prefixes(done, CrashVerdict::kWrong), 1u);
  EXPECT_EQ(prefixes(done, CrashVerdict::kNew), 1u);
  ASSERT_EQ(done.wrong[0].size(), 1u);
  EXPECT_EQ(done.wrong[0][0].fewest, std::vector<std::size_t>{0});
  ASSERT_FALSE(kept.empty());
  EXPECT_EQ(kept[0], (std::pair<std::size_t, Image>(0, writes.story().after(1))));
  const SubjectReport subject = subject_of(done);
  const ClauseResult* clause = result_of(subject, "swmr-crash-prefix-readable");
  ASSERT_TRUE(clause);
  EXPECT_EQ(clause->verdict, Verdict::kFail);
  EXPECT_EQ(clause->findings.size(), 1u);
}

// libhdf5 does not compare the number of messages in an object header without a checksum with the
// existing ones; the reader of hepcheck does, and the replay counts what only that reader detects.
TEST(Replay, DamageThatLibhdf5ReadsWithoutAnError) {
  const Image whole = fixture("hdf5/valid/6/swmr-chunk-decodes--library-earliest.h5");
  constexpr std::uint64_t kMessages = 802;  // their number, in the header of a dataset
  ASSERT_GT(whole.size(), kMessages);
  ASSERT_EQ(whole[kMessages], 6);
  Writes writes(whole);
  writes.write(kMessages, "\x07").write(kMessages, "\x06");
  const Replayed done = replay(writes.story(), {}, "t.h5");
  EXPECT_EQ(prefixes(done, CrashVerdict::kDetected), 1u);
  EXPECT_GE(done.ours_alone, 1u);
  ASSERT_EQ(done.notes.size(), 1u);
  EXPECT_TRUE(done.notes[0].contains("libhdf5 reports no error")) << done.notes[0];
}

// A reason is counted by the reader that gives it, regardless of its text.
TEST(Replay, CountsEachReaderSeparately) {
  Writes writes(table_of_five_rows());
  writes.write(0, "our reader: ").write(0, table_of_five_rows().substr(0, 12));
  const Replayed done = replay(writes.story(), {}, "t.h5");
  EXPECT_EQ(prefixes(done, CrashVerdict::kDetected), 1u);
  EXPECT_EQ(done.ours_alone, 0u);
}

TEST(Replay, SamplesAreNoted) {
  Writes writes(table_of_five_rows());
  for (int i = 0; i < 4; ++i) writes.write(kValues, std::string(4, static_cast<char>(i)));
  const Replayed done = replay(writes.story(), {.most = 2}, "t.h5");
  std::uint64_t states = 0;
  for (const auto& kind : done.counts)
    for (const std::uint64_t count : kind) states += count;
  EXPECT_EQ(states, 2u);
  ASSERT_FALSE(done.notes.empty());
  EXPECT_TRUE(done.notes[0].contains("a sample of 2")) << done.notes[0];
}

// What stands in the way of a comparison is noted.
TEST(Replay, FilesThatCannotBeReadAreNoted) {
  const Image whole = table_of_five_rows();
  Writes last(whole);
  last.write(0, "no HDF5 file");
  const Replayed ends_badly = replay(last.story(), {}, "t.h5");
  ASSERT_EQ(ends_badly.notes.size(), 1u);
  EXPECT_TRUE(ends_badly.notes[0].starts_with("the final file cannot be read: "))
      << ends_badly.notes[0];
  EXPECT_EQ(ends_badly.images, 0u);

  Writes first("no HDF5 file");
  first.write(0, whole);
  const Replayed begins_badly = replay(first.story(), {}, "t.h5");
  ASSERT_FALSE(begins_badly.notes.empty());
  EXPECT_TRUE(begins_badly.notes[0].starts_with("the original file cannot be read: "))
      << begins_badly.notes[0];
  EXPECT_EQ(prefixes(begins_badly, CrashVerdict::kOld), 1u);
  EXPECT_EQ(prefixes(begins_badly, CrashVerdict::kNew), 1u);
}

TEST(Replay, EndsAtTheTimeLimit) {
  Writes writes(table_of_five_rows());
  writes.write(kValues, std::string(4, '\x63'));
  const Replayed done = replay(writes.story(), {.seconds = 0}, "t.h5");
  EXPECT_EQ(done.notes, std::vector<std::string>{"the time limit was reached after 0 states"});
  EXPECT_EQ(done.images, 0u);
}

// Of many prefixes that readers detect under SWMR, the first ten are findings.
TEST(Replay, FindingsAreTheFirstOnes) {
  Replayed done{.name = "t.h5"};
  done.counts[0] = {1, 2, 3, 4, 12, 5};
  done.counts[1] = {1, 0, 0, 0, 2, 4};
  done.counts[2] = {1, 0, 0, 0, 2, 3};
  done.counts[3] = {2, 0, 0, 0, 0, 3};
  for (int i = 0; i < 12; ++i)
    done.detected_under_swmr.push_back({std::format("prefix {}", i), "an error", {}});
  for (const std::size_t kind : {0U, 1U, 2U, 3U})
    for (std::size_t i = 0; i < std::array{2U, 3U, 2U, 1U}[kind]; ++i)
      done.wrong[kind].push_back({std::format("state {} of kind {}", i, kind), "other rows", {}});
  done.notes = {"a note"};
  const SubjectReport subject = subject_of(done);
  EXPECT_EQ(subject.path, "t.h5");
  EXPECT_EQ(subject.notes, done.notes);
  std::string text;
  for (const char* clause :
       {"swmr-crash-prefix-readable", "swmr-torn-write-detected", "swmr-reordered-writes-told"}) {
    const ClauseResult* each = result_of(subject, clause);
    ASSERT_TRUE(each);
    text += std::format("{} {} {} {}", to_string(each->verdict), each->examined,
                        each->findings.size(), each->suppressed);
    for (const Finding& finding : each->findings)
      text += std::format("; {}, {}, {}", finding.object, finding.where, finding.observed);
    text += '\n';
  }
  EXPECT_EQ(text,
            "fail 27 10 7; /, state 0 of kind 0, WRONG: other rows"
            "; /, state 1 of kind 0, WRONG: other rows"
            "; /, prefix 0, DETECTED: an error; /, prefix 1, DETECTED: an error"
            "; /, prefix 2, DETECTED: an error; /, prefix 3, DETECTED: an error"
            "; /, prefix 4, DETECTED: an error; /, prefix 5, DETECTED: an error"
            "; /, prefix 6, DETECTED: an error; /, prefix 7, DETECTED: an error\n"
            "fail 7 3 1; /, state 0 of kind 1, WRONG: other rows"
            "; /, state 1 of kind 1, WRONG: other rows; /, state 2 of kind 1, WRONG: other rows\n"
            "fail 11 3 3; /, state 0 of kind 2, WRONG: other rows"
            "; /, state 1 of kind 2, WRONG: other rows; /, state 0 of kind 3, WRONG: other rows\n");
}

// A superblock of version 3, with this end of the file and a checksum that fits.
void set_end(std::string& superblock, std::uint64_t end) {
  constexpr std::size_t kEndAt = 28, kSum = 44, kWidth = 8;
  for (std::size_t i = 0; i < kWidth; ++i)
    superblock[kEndAt + i] = static_cast<char>(end >> (8 * i));
  const std::uint32_t sum = hdf5::lookup3(std::as_bytes(std::span(superblock)).first(kSum));
  for (std::size_t i = 0; i < sizeof sum; ++i)
    superblock[kSum + i] = static_cast<char>(sum >> (8 * i));
}

// The story of a log, in a file that had its final size from the beginning, as its superblocks say.
// (The library does not read beyond the end that the superblock of a closed file states.)
class LoggedStory {
 public:
  explicit LoggedStory(std::string_view name)
      : log_(trace::read_log_file((std::filesystem::path(HEPCHECK_SOURCE) /
                                   "validator/formats/hdf5/trace/logs" / name)
                                      .string())
                 .value()),
        story_(trace::story_of(log_, 0)) {
    const std::size_t end = story_.whole().size();
    story_.start.resize(end);
    set_end(story_.start, end);
    for (const trace::Event*& each : story_.changes) {
      if (!each->data.starts_with("\x89HDF")) continue;
      trace::Event& changed = events_.emplace_back(*each);
      std::string& bytes = bytes_.emplace_back(changed.data);
      set_end(bytes, end);
      changed.data = bytes;
      each = &changed;
    }
  }
  const Story& story() const { return story_; }

 private:
  trace::Log log_;
  Story story_;
  std::deque<trace::Event> events_{};
  std::deque<std::string> bytes_{};
};

// States that cannot be read count from the mark of a SWMR writer to its removal.
TEST(Replay, DetectedUnderSwmr) {
  const Image closed = LoggedStory("two-appends.good.log").story().whole();
  constexpr std::size_t kHeader = 48, kFlagsAt = 11, kBegun = 100;
  std::string marked = closed.substr(0, kHeader);
  marked[kFlagsAt] = 5;
  set_end(marked, closed.size());
  Writes writes{Image()};
  writes.write(0, closed.substr(0, kBegun)).write(0, marked).write(50, closed.substr(50, 1));
  writes.write(0, closed.substr(0, kHeader)).write(kBegun, closed.substr(kBegun));
  const Replayed done = replay(writes.story(), {.most = 1000}, "t.h5");
  EXPECT_EQ(done.swmr_from, 2u);
  EXPECT_EQ(done.swmr_to, 3u);
  EXPECT_EQ(prefixes(done, CrashVerdict::kDetected), 4u);
  std::string under;
  for (const Example& each : done.detected_under_swmr) under += each.how + '\n';
  EXPECT_EQ(under, "after 2 of 5 operations\nafter 3 of 5 operations\n");
}

// Everything about logs of writers under SWMR and of others, except the reasons that libhdf5 gives.
TEST(Replay, ReplaysOfLogsEqualTheGoldenFile) {
  if (HEPCHECK_HDF5 < 2) GTEST_SKIP() << "other versions of the library detect other states";
  constexpr std::string_view kLogs[] = {
      "attributes-and-columns-of-different-tables.good.log",
      "chunk-grown-in-place.good.log",
      "references-to-an-object.good.log",
      "swmr-btree1-children-first.broken.log",
      "swmr-chunk-before-index.broken.log",
      "swmr-chunk-old-place-kept.broken.log",
      "swmr-commit-attribute-not-covered--root-group.broken.log",
      "swmr-earray-header-statistics.broken.log",
      "swmr-index-before-extent.broken.log",
      "two-appends.good.log",
  };
  constexpr std::uint64_t kStates = 40;
  std::string text;
  for (const std::string_view name : kLogs) {
    const LoggedStory logged(name);
    const Replayed done = replay(logged.story(), {.most = kStates}, "t.h5");
    text += std::format("[{}]\n{} images, {} to {}, {} by ours alone, {} under SWMR only {}\n",
                        name, done.images, done.swmr_from, done.swmr_to, done.ours_alone,
                        done.swmr_only, done.swmr_only_example.how);
    for (std::size_t kind = 0; kind < kKinds.size(); ++kind) {
      text += std::format(" {}:", kKinds[kind]);
      for (std::size_t i = 0; i < trace::kVerdicts; ++i)
        text += std::format(" {} {},", done.counts[kind][i],
                            trace::to_string(static_cast<CrashVerdict>(i)));
      text += '\n';
      for (const Example& each : done.wrong[kind]) {
        text += std::format("  {}: {};", each.how, each.why);
        for (const std::size_t operation : each.fewest) text += std::format(" {}", operation);
        text += '\n';
      }
      for (const Example& each : done.detected[kind]) text += "  " + each.how + '\n';
    }
    for (const Example& each : done.detected_under_swmr) text += " under SWMR: " + each.how + '\n';
    for (const std::string& each : done.notes)
      text += " note: " + each.substr(0, each.find("(first: ")) + '\n';
  }
  EXPECT_TRUE(golden::equals(text, "validator/crash/golden/replays.txt"));
}

}  // namespace
}  // namespace hepcheck::crash
