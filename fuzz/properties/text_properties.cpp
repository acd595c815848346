// The texts shared by all formats: verdicts, causes, texts that are too long.
#include <algorithm>
#include <string>
#include <vector>

#include "fuzz/properties/random_values.h"
#include "validator/report.h"
#include "validator/shorten.h"
#include "validator/worker_position.h"

namespace hepcheck {

namespace {

using namespace hepcheck::fuzz;

TEST(Words, OfVerdictsAndChoices) {
  EXPECT_EQ(to_string(Verdict::kPass), "pass");
  EXPECT_EQ(to_string(Verdict::kFail), "fail");
  EXPECT_EQ(to_string(Verdict::kNotApplicable), "not-applicable");
  EXPECT_EQ(to_string(Verdict::kNotChecked), "not-checked");
  EXPECT_EQ(to_string(SubjectVerdict::kPass), "pass");
  EXPECT_EQ(to_string(SubjectVerdict::kFail), "fail");
  EXPECT_EQ(to_string(SubjectVerdict::kUnsupported), "unsupported");
  EXPECT_EQ(to_string(SubjectVerdict::kUnchecked), "unchecked");
  EXPECT_EQ(to_string(ChosenBy::kOption), "option");
  EXPECT_EQ(to_string(ChosenBy::kDefault), "default");
  EXPECT_EQ(to_string(ChosenBy::kSign), "auto");
  EXPECT_EQ(to_string(StopCause::kSignal), "signal");
  EXPECT_EQ(to_string(StopCause::kLimit), "limit");
  EXPECT_EQ(to_string(StopCause::kExit), "exit");
}

TEST(Words, OfCausesThatStopAWorker) {
  Stop stop{.cause = StopCause::kLimit, .name = "--max-memory", .stage = "opening", .object = "/t"};
  EXPECT_EQ(stop.text(), "the limit of --max-memory was reached while opening /t");
  stop.subject = "/s";
  EXPECT_EQ(stop.text(), "the limit of --max-memory was reached while opening /t of /s");
  stop = {.cause = StopCause::kSignal, .name = "SIGSEGV", .stage = "judging"};
  EXPECT_EQ(stop.text(), "the worker process died of SIGSEGV while judging");
  stop.cause = StopCause::kExit;
  stop.name = "status 4";
  EXPECT_EQ(stop.text(), "the worker process ended with status 4 while judging");
}

TEST(Words, OfSuppressedFindings) {
  EXPECT_EQ((Relaxation{.setting = "skip", .clause = "a", .value = "why"}).text(), "skip a: why");
  EXPECT_EQ((Relaxation{.setting = "fail-on", .value = "never"}).text(), "fail-on: never");
}

TEST(Words, OfKinds) {
  for (const char* word : {"table", "Arrow stream", "A", "z", "Z", "a", "utf8", "0"})
    EXPECT_TRUE(is_kind(word)) << word;
  for (const char* word : {"", "a_1", "a/", "a:", "a-b", "a@", "a[", "a`", "a{", "a\n"})
    EXPECT_FALSE(is_kind(word)) << word;
  EXPECT_TRUE(is_kind(std::string(32, 'k')));
  EXPECT_FALSE(is_kind(std::string(33, 'k')));
}

// Characters of one to four bytes, with this many bytes in total, or up to three fewer.
std::string random_text(Choices& c, std::size_t bytes) {
  constexpr const char* kCharacters[] = {"a", "\u00e9", "\u20ac", "\U0001f600"};
  const std::string shift(c.below(4), 'x');
  const char* character = c.of(kCharacters);
  std::string text = shift;
  while (text.size() + std::string_view(character).size() <= bytes) text += character;
  return text;
}

bool is_whole(std::string_view text) {
  std::size_t follow = 0;
  for (const char each : text) {
    const auto byte = static_cast<unsigned char>(each);
    if ((byte & 0xC0) == 0x80) {
      if (follow-- == 0) return false;
    } else {
      if (follow != 0) return false;
      follow = byte >= 0xF0 ? 3 : byte >= 0xE0 ? 2 : byte >= 0xC0 ? 1 : 0;
    }
  }
  return follow == 0;
}

// A text of at most the limit is unchanged; a longer one keeps as much of its beginning as fits,
// and states its length.
RC_GTEST_PROP(Texts, AreTruncatedBetweenCharacters, ()) {
  const std::size_t bytes = kLongestText - 3 + draw("bytes", [](Choices& c) { return c.below(9); });
  const std::string text = draw("text", [bytes](Choices& c) { return random_text(c, bytes); });
  const bool name = draw("name", [](Choices& c) { return c.maybe(); });
  std::string kept = text;
  name ? shorten_name(kept) : shorten(kept);
  if (text.size() <= kLongestText) {
    RC_ASSERT(kept == text);
    return;
  }
  const std::string ending = "... (" + std::to_string(text.size()) + " bytes";
  const std::size_t at = kept.rfind(ending);
  RC_ASSERT(at != std::string::npos);
  RC_ASSERT(kept.ends_with(")"));
  RC_ASSERT(kept.size() <= kLongestText);
  RC_ASSERT(kept.size() + 3 >= kLongestText);
  RC_ASSERT(kept.substr(0, at) == text.substr(0, at));
  RC_ASSERT(is_whole(kept));
  if (!name) RC_ASSERT(kept.substr(at) == ending + ")");
}

// Bytes that are not text are truncated, too.
TEST(Texts, OfInvalidBytesAreTruncated) {
  std::string text(kLongestText + 1, '\x80');
  shorten(text);
  EXPECT_EQ(text.size(), kLongestText);
}

// Names that differ after the limit stay different.
RC_GTEST_PROP(Texts, ShortenedNamesDiffer, ()) {
  std::string one(kLongestText + 50, 'n');
  std::string other = one;
  const std::size_t at =
      one.size() - 1 - draw("from its end", [](Choices& c) { return c.below(60); });
  other[at] = draw("letter", [](Choices& c) { return static_cast<char>('a' + c.below(13)); });
  shorten_name(one);
  shorten_name(other);
  RC_ASSERT(one != other);
}

}  // namespace

}  // namespace hepcheck
