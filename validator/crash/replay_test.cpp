// Replays of small stories over a table of the corpus: the counts, and the verdict of each reader.
#include "validator/crash/replay.h"

#include <gtest/gtest.h>

#include <deque>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

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

}  // namespace
}  // namespace hepcheck::crash
