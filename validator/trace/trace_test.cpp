#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <set>

#include "validator/fnv1a.h"
#include "validator/trace/content.h"
#include "validator/trace/dependencies.h"
#include "validator/trace/log.h"
#include "validator/trace/parts.h"
#include "validator/trace/replay.h"
#include "validator/trace/story_stream.h"

namespace hepcheck::trace {
namespace {

// Section 5.4: A is the parent of C, B of D, C of E and F; A to E are dirty, F is clean. Of all
// orders of five writes, those are legal in which C follows E, A follows C, and B follows D.
TEST(Dependencies, TheExampleHasTenOrders) {
  std::array<char, 5> order = {'A', 'B', 'C', 'D', 'E'};
  int legal = 0;
  std::vector<std::string> some;
  do {
    Dependencies cache;
    for (const auto& [parent, child] :
         {std::pair('A', 'C'), std::pair('B', 'D'), std::pair('C', 'E'), std::pair('C', 'F')})
      EXPECT_TRUE(cache.add(static_cast<Dependencies::Entry>(parent),
                            static_cast<Dependencies::Entry>(child)));
    for (const char entry : order) cache.dirty(static_cast<Dependencies::Entry>(entry));
    const bool kept = std::ranges::all_of(order, [&](char entry) {
      return cache.write(static_cast<Dependencies::Entry>(entry)).empty();
    });
    legal += kept;
    if (kept) some.emplace_back(order.begin(), order.end());
  } while (std::ranges::next_permutation(order).found);
  EXPECT_EQ(10, legal);
  for (const char* wanted : {"EDCBA", "DEBCA", "ECADB"})
    EXPECT_TRUE(std::ranges::contains(some, wanted)) << wanted;
}

TEST(Dependencies, AreAcyclic) {
  Dependencies cache;
  EXPECT_TRUE(cache.add(1, 2));
  EXPECT_TRUE(cache.add(2, 3));
  EXPECT_FALSE(cache.add(3, 1));
  EXPECT_FALSE(cache.add(1, 1));
}

// Whether a cycle is found does not depend on what else an entry leads to.
TEST(Dependencies, AreAcyclicBesideOtherEntries) {
  for (Dependencies::Entry other = 0; other < 8; ++other) {
    Dependencies cache;
    EXPECT_TRUE(cache.add(3, 4));
    EXPECT_TRUE(cache.add(4, 5));
    if (other != 3 && other != 4 && other != 5) {
      EXPECT_TRUE(cache.add(3, other)) << other;
      EXPECT_TRUE(cache.add(4, other)) << other;
    }
    EXPECT_FALSE(cache.add(5, 3)) << other;
  }
}

std::string record(char kind, std::uint64_t position, std::string_view data,
                   std::uint64_t file = 7) {
  std::string made(24, '\0');
  made[0] = kind;
  made[1] = static_cast<char>(255);
  const auto length = static_cast<std::uint32_t>(data.size());
  std::memcpy(made.data() + 4, &length, 4);
  std::memcpy(made.data() + 8, &file, 8);
  std::memcpy(made.data() + 16, &position, 8);
  return made + std::string(data);
}

std::string file_of(const std::string& records) {
  return std::string("\x89HEPTRC\n\x01\0\0\0\0\0\0", 16) + records;
}
std::expected<Log, LogTrouble> read(const std::string& records, const LogLimits& limits = {}) {
  return read_log(std::make_shared<const std::string>(file_of(records)), limits);
}

// "0123", which four writes and a flush change to "aBcd!".
std::vector<std::string> records_of_a_story() {
  return {record('B', 4, ""),    record('I', 0, "0123"), record('O', 0, "f.h5"),
          record('W', 0, "a"),   record('W', 1, "b"),    record('A', 0, "flush"),
          record('W', 2, "cd!"), record('W', 1, "B")};
}
std::string a_story() {
  std::string all;
  for (const std::string& each : records_of_a_story()) all += each;
  return all;
}

TEST(Log, LeadsFromStateToState) {
  const auto log = read(a_story());
  ASSERT_TRUE(log) << log.error().text;
  ASSERT_EQ(1U, log->files.size());
  const Story story = story_of(*log, 0);
  EXPECT_EQ("0123", story.start);
  EXPECT_EQ("ab23", story.after(2));
  EXPECT_EQ("aBcd!", story.whole());
  EXPECT_EQ((std::vector<std::size_t>{2, 4}), story.barriers);
}

TEST(Log, MayHaveAsManyBytesAsTheLimit) {
  const std::string all = file_of(a_story());
  const Bytes file = Bytes::of_image(std::as_bytes(std::span(all)), "log");
  EXPECT_TRUE(read_log(file, {.log_bytes = all.size()}));
  const auto refused = read_log(file, {.log_bytes = all.size() - 1});
  ASSERT_FALSE(refused);
  EXPECT_FALSE(refused.error().broken);
}

// A log that ends between two records ends earlier; one that ends anywhere else is invalid.
TEST(Log, TruncationIsAnErrorExceptBetweenRecords) {
  const std::vector<std::string> parts = records_of_a_story();
  std::string whole;
  for (const std::string& part : parts) {
    for (std::size_t size = 1; size < part.size(); ++size) {
      const auto log = read(whole + part.substr(0, size));
      ASSERT_FALSE(log) << whole.size() + size;
      EXPECT_TRUE(log.error().broken);
      EXPECT_NE(std::string::npos, log.error().text.find("truncated")) << log.error().text;
    }
    whole += part;
    EXPECT_TRUE(read(whole));
  }
}

TEST(Log, ExceedingALimitIsNotAnError) {
  const auto far = read(record('O', 0, "f") + record('W', std::uint64_t{1} << 62, "x"));
  ASSERT_FALSE(far);
  EXPECT_FALSE(far.error().broken);
  const auto many = read(a_story(), {.records = 3});
  ASSERT_FALSE(many);
  EXPECT_FALSE(many.error().broken);
  const std::string two = record('O', 0, "f", 7) + record('O', 0, "g", 8);
  EXPECT_TRUE(read(two, {.files = 2}));
  const auto files = read(two, {.files = 1});
  ASSERT_FALSE(files);
  EXPECT_FALSE(files.error().broken);
}

// 10 bytes at the beginning, 90 after them, 50 again after they were truncated, and 10 of another
// file.
std::string that_grows_by_160() {
  return record('B', 10, "") + record('O', 0, "f") + record('W', 99, "x") + record('T', 50, "") +
         record('T', 60, "") + record('W', 99, "x") + record('B', 10, "", 8) +
         record('O', 0, "g", 8);
}

TEST(Log, RepeatedlyGrowingFilesExceedTheLimit) {
  EXPECT_TRUE(read(that_grows_by_160(), {.grown_bytes = 160}));
  const auto log = read(that_grows_by_160(), {.grown_bytes = 159});
  ASSERT_FALSE(log);
  EXPECT_FALSE(log.error().broken);
}

TEST(Log, MissingPartsAreReported) {
  std::string end(8, '\0');
  const std::uint64_t sum = fnv1a("aBcd!");
  std::memcpy(end.data(), &sum, 8);
  const auto log = read(a_story() + record('F', 5, end));
  ASSERT_TRUE(log);
  EXPECT_EQ("", missing(*log, 0));
  const auto other = read(a_story() + record('F', 6, end));
  ASSERT_TRUE(other);
  EXPECT_NE("", missing(*other, 0));
}

std::string eight(std::uint64_t number) {
  std::string bytes(8, '\0');
  std::memcpy(bytes.data(), &number, 8);
  return bytes;
}

// Each event belongs to its own file, in whichever order the files are named.
TEST(Log, EventsOfTwoFiles) {
  const auto log = read(record('B', 2, "", 7) + record('I', 0, "ab", 7) + record('O', 0, "f", 7) +
                        record('B', 3, "", 8) + record('I', 0, "xyz", 8) + record('O', 0, "g", 8) +
                        record('B', 2, "", 7) + record('I', 0, "??", 7) +  // known already
                        record('B', 1, "", 9) + record('I', 0, "k", 9) +   // another new one
                        record('W', 0, "A", 7) + record('S', 0, "", 7) + record('W', 1, "Y", 8) +
                        record('C', 0, "", 8) + record('W', 1, "B", 7) + record('O', 0, "h", 9));
  ASSERT_TRUE(log) << log.error().text;
  ASSERT_EQ(log->files.size(), 3u);
  const Story first = story_of(*log, 0), second = story_of(*log, 1);
  EXPECT_EQ(first.start, "ab");
  EXPECT_EQ(first.whole(), "AB");
  EXPECT_EQ(first.barriers, (std::vector<std::size_t>{1, 2}));
  EXPECT_EQ(second.start, "xyz");
  EXPECT_EQ(second.whole(), "xYz");
  EXPECT_EQ(second.barriers, (std::vector<std::size_t>{1}));
  EXPECT_EQ(story_of(*log, 2).start, "k");
}

// A call that names no file, or one that is not known, concerns all of them.
TEST(Log, CallsWithoutAFileAreBarriersOfEach) {
  const auto log =
      read(record('O', 0, "f", 7) + record('O', 0, "g", 8) + record('W', 0, "a", 7) +
           record('W', 0, "x", 8) + record('A', 0, "flush", 0) + record('W', 1, "b", 7) +
           record('A', 0, "flush", 8) + record('W', 2, "c", 7));
  ASSERT_TRUE(log) << log.error().text;
  EXPECT_EQ(story_of(*log, 0).barriers, (std::vector<std::size_t>{1, 3}));
  EXPECT_EQ(story_of(*log, 1).barriers, (std::vector<std::size_t>{1}));
}

// A file that is created under the number of one that was removed is another file.
TEST(Log, CallsHaveWords) {
  std::string text;
  for (const std::string_view call :
       {"", "flush", "dataset-flush /t/x", "append /t 2 rows", "a  b", "c "}) {
    text += std::format("{}:{}", verb_of(call), is_barrier(call) ? " barrier" : "");
    for (unsigned words = 0; words < 4; ++words)
      text += std::format(" [{}]", behind_words(call, words));
    text += '\n';
  }
  EXPECT_EQ(text,
            ": [] [] [] []\n"
            "flush: barrier [flush] [] [] []\n"
            "dataset-flush: barrier [dataset-flush /t/x] [/t/x] [] []\n"
            "append: [append /t 2 rows] [/t 2 rows] [2 rows] [rows]\n"
            "a: [a  b] [ b] [b] []\n"
            "c: [c ] [] [] []\n");
}

TEST(Log, FilesWithTheNumberOfAnEarlierOne) {
  const auto log = read(record('N', 0, "f", 7) + record('W', 0, "old", 7) + record('U', 0, "f", 7) +
                        record('N', 0, "f", 7) + record('W', 0, "new", 7) + record('O', 0, "f", 7) +
                        record('W', 3, "er", 7));
  ASSERT_TRUE(log) << log.error().text;
  ASSERT_EQ(log->files.size(), 2u);
  EXPECT_EQ(story_of(*log, 0).whole(), "old");
  EXPECT_EQ(story_of(*log, 1).whole(), "newer");
}

// A system call has the purpose that the library announced last for these bytes of this file.
TEST(Log, WritesHaveTheirAnnouncedPurpose) {
  const auto announced = [](std::uint64_t at, std::uint64_t size, Memory memory,
                            std::uint64_t file) {
    std::string made = record('K', at, eight(size), file);
    made[1] = static_cast<char>(memory);
    return made;
  };
  const auto log =
      read(record('O', 0, "f", 7) + record('O', 0, "g", 8) + announced(10, 4, Memory::kRawData, 7) +
           record('W', 10, "ab", 7) + record('W', 13, "d", 7) + record('W', 14, "e", 7) +
           record('W', 9, "z", 7) + announced(20, 4, Memory::kObjectHeader, 7) +
           announced(10, 4, Memory::kTree, 8) + record('W', 20, "ab", 7) +
           record('W', 10, "ab", 7) + record('W', 10, "ab", 8));
  ASSERT_TRUE(log) << log.error().text;
  std::vector<Memory> kinds;
  for (const Event& event : log->events)
    if (event.kind == Event::Kind::kWrite) kinds.push_back(event.memory);
  EXPECT_EQ(kinds,
            (std::vector{Memory::kRawData, Memory::kRawData, Memory::kUnknown, Memory::kUnknown,
                         Memory::kObjectHeader, Memory::kUnknown, Memory::kTree}));
}

TEST(States, PrefixesSubsetsAndTornWrites) {
  const auto log = read(a_story());
  const Story story = story_of(*log, 0);
  const auto made = states(story, {.torn = true, .any = true, .dropped = true});
  const auto count = [&](State::Kind kind) { return std::ranges::count(made, kind, &State::kind); };
  EXPECT_EQ(5, count(State::Kind::kPrefix));
  EXPECT_EQ(4 + 4 + 1, count(State::Kind::kAny));  // two and two writes; and none left at the end
  EXPECT_EQ(4, count(State::Kind::kDropped));
  std::set<Image> torn;
  Images images(story);
  for (const State& state : made) {
    const Image image = images.of(state);
    if (state.kind == State::Kind::kDropped || state.kind == State::Kind::kAny) {
      for (std::size_t i = 0; i < state.settled; ++i) {
        EXPECT_TRUE(std::ranges::contains(state.applied, i));
      }
    }
    if (state.kind == State::Kind::kTorn) torn.insert(image);
  }
  // Only "cd!" can be torn, in the middle and at another byte, and either part can exist.
  EXPECT_TRUE(torn.contains("abc3") && torn.contains(std::string("ab2d!")));
  EXPECT_FALSE(torn.contains("ab23") || torn.contains("abcd!"));
}

// The operations before the last barrier that is not directly behind them are durable, whichever
// other barriers there are.
TEST(States, OfPrefixesFollowTheBarriers) {
  const std::vector<std::uint64_t> sizes(6, 1);
  for (unsigned chosen = 0; chosen < 1u << 12; chosen += 5) {
    // None, one or two barriers at each place.
    std::vector<Settling> settlings;
    for (std::size_t before = 0; before < 6; ++before)
      for (unsigned n = chosen >> 2 * before & 3; n > 1; --n)
        settlings.push_back({.before = before, .settles = {}});
    std::size_t number = 0;
    for (const State& state : states(sizes, settlings, {})) {
      std::size_t settled = 0;
      for (const Settling& each : settlings)
        if (each.before < number) settled = each.before;
      EXPECT_EQ(state.settled, settled) << chosen << " after " << number;
      ++number;
    }
    EXPECT_EQ(number, 7u);
  }
}

TEST(States, WritesAreTornAtSectorBoundaries) {
  const std::uint64_t size = 9000;
  std::set<std::uint64_t> cuts;
  std::size_t parts[2] = {0, 0};
  for (const State& state : states(std::span(&size, 1), {}, {.torn = true}))
    if (state.kind == State::Kind::kTorn) {
      cuts.insert(state.cut);
      ++parts[state.first_part];
    }
  for (const std::uint64_t cut : {512, 4096, 4500, 8704}) EXPECT_TRUE(cuts.contains(cut)) << cut;
  EXPECT_EQ(5U, cuts.size());  // and one at another byte
  EXPECT_EQ(5U, parts[0]);
  EXPECT_EQ(5U, parts[1]);
}

TEST(States, AllOfSixAndASampleOfMore) {
  const auto of = [](std::size_t count, std::uint64_t seed) {
    const std::vector<std::uint64_t> sizes(count, 1);
    const Settling end{.before = count};
    std::vector<std::vector<std::size_t>> made;
    for (const State& state : states(sizes, std::span(&end, 1), {.any = true, .seed = seed}))
      if (state.kind == State::Kind::kAny && !state.finished) made.push_back(state.applied);
    return made;
  };
  const auto six = of(6, 1);
  EXPECT_EQ(64U, six.size());
  EXPECT_EQ(64U, std::set(six.begin(), six.end()).size());
  EXPECT_EQ(24U, of(7, 1).size());
  EXPECT_EQ(of(40, 1), of(40, 1));
  EXPECT_NE(of(40, 1), of(40, 2));
}

TEST(States, EndOnRequest) {
  const auto log = read(a_story());
  const Story story = story_of(*log, 0);
  std::size_t count = 0;
  each_state(story, {.torn = true, .any = true}, [&](const State&) { return ++count < 3; });
  EXPECT_EQ(3U, count);
}

TEST(States, ManyStatesAreSampled) {
  const auto log = read(a_story());
  const Story story = story_of(*log, 0);
  StateOptions options{.torn = true, .any = true, .dropped = true};
  const std::vector<State> all = states(story, options);
  ASSERT_EQ(all.size(), count_states(story, options));
  const auto some = [&](std::uint64_t seed) {
    Sample sample(7, all.size(), seed);
    options.wanted = [&](std::uint64_t) { return sample.next(); };
    std::vector<std::string> made;
    for (const State& state : states(story, options)) made.push_back(state.how());
    return made;
  };
  EXPECT_EQ(7U, some(1).size());
  EXPECT_EQ(some(1), some(1));
  EXPECT_NE(some(1), some(2));
  options.wanted = [](std::uint64_t number) { return number % 3 == 1; };
  const std::vector<State> third = states(story, options);
  ASSERT_EQ((all.size() + 1) / 3, third.size());
  for (std::size_t i = 0; i < third.size(); ++i) {
    EXPECT_EQ(all[3 * i + 1].how(), third[i].how());
    EXPECT_EQ(all[3 * i + 1].applied, third[i].applied);
  }
}

std::vector<std::string> log_lines(const Log& log) {
  std::vector<std::string> messages;
  send_stories(log, [&](std::string_view message) { messages.emplace_back(message); });
  return messages;
}

std::optional<std::deque<LoggedFile>> heard(const std::vector<std::string>& messages,
                                            const LogLimits& limits = {}) {
  StoryReader listener(limits);
  for (const std::string& message : messages) listener.take(message);
  return std::move(listener).take_all();
}

TEST(LoggedFile, StoriesRoundTrip) {
  const auto log = read(a_story());
  const Story story = story_of(*log, 0);
  const auto files = heard(log_lines(*log));
  ASSERT_TRUE(files);
  ASSERT_EQ(log->files.size(), files->size());
  const LoggedFile& first = files->front();
  EXPECT_EQ(log->files[0].name, first.name);
  EXPECT_EQ(missing(*log, 0), first.missing);
  EXPECT_EQ(story.start, first.story.start);
  EXPECT_EQ(story.barriers, first.story.barriers);
  ASSERT_EQ(story.changes.size(), first.story.changes.size());
  for (std::size_t i = 0; i <= story.changes.size(); ++i)
    EXPECT_EQ(story.after(i), first.story.after(i));
}

TEST(LoggedFile, InvalidStoriesAreRefused) {
  const auto log = read(a_story());
  const std::vector<std::string> sound = log_lines(*log);
  ASSERT_TRUE(heard(sound));
  for (std::size_t i = 0; i < sound.size(); ++i) {
    auto mutated = sound;
    mutated[i].pop_back();
    EXPECT_FALSE(heard(mutated)) << i;
    mutated = sound;
    mutated[i][0] = 9;  // there is no such part
    EXPECT_FALSE(heard(mutated)) << i;
  }
  EXPECT_FALSE(heard({sound.begin(), sound.end() - 1})) << "without an end";
  EXPECT_FALSE(heard({sound.begin() + 1, sound.end()})) << "without a file";
  // Numbers that would need more memory than a file may have, or lead beyond the existing data.
  for (const std::uint64_t part : {1, 2, 3, 4}) {
    PartWriter made;
    made.number(part);
    made.number(std::uint64_t{1} << 40);
    if (part == 2) made.number(255);
    if (part < 3) made.text("x");
    auto mutated = sound;
    mutated.insert(mutated.end() - 1, made.bytes);
    EXPECT_FALSE(heard(mutated)) << part;
  }
}

// Barriers increase, and the first may precede all changes.
TEST(LoggedFile, BarriersThatDoNotIncreaseAreRefused) {
  const auto log = read(record('O', 0, "f") + record('W', 0, "a") + record('W', 1, "b"));
  const std::vector<std::string> sound = log_lines(*log);
  const auto with = [&](const std::vector<std::uint64_t>& barriers) {
    // Those of the log itself are after all changes.
    auto mutated = sound;
    mutated.erase(mutated.end() - 2);
    for (const std::uint64_t barrier : barriers) {
      PartWriter made;
      made.number(4);
      made.number(barrier);
      mutated.insert(mutated.end() - 1, made.bytes);
    }
    return heard(mutated).has_value();
  };
  EXPECT_TRUE(with({0, 1, 2}));
  EXPECT_TRUE(with({2}));
  EXPECT_FALSE(with({1, 1}));
  EXPECT_FALSE(with({0, 0}));
  EXPECT_FALSE(with({2, 1}));
  EXPECT_FALSE(with({3}));
}

TEST(LoggedFile, StoriesOfTwoFilesRoundTrip) {
  const auto log = read(record('B', 4, "", 7) + record('I', 0, "0123", 7) + record('O', 0, "f", 7) +
                        record('B', 2, "", 8) + record('I', 0, "xy", 8) + record('O', 0, "g", 8) +
                        record('W', 3, "abc", 7) + record('T', 1, "", 8) + record('S', 0, "", 8) +
                        record('W', 0, "Z", 8));
  ASSERT_TRUE(log) << log.error().text;
  const auto files = heard(log_lines(*log));
  ASSERT_TRUE(files);
  ASSERT_EQ(files->size(), 2u);
  for (FileNumber file = 0; file < 2; ++file) {
    const Story story = story_of(*log, file);
    const LoggedFile& each = (*files)[file];
    EXPECT_EQ(each.name, log->files[file].name);
    EXPECT_EQ(each.story.start, story.start);
    EXPECT_EQ(each.story.whole(), story.whole());
    EXPECT_EQ(each.story.barriers, story.barriers);
  }
  EXPECT_EQ((*files)[0].story.whole(), "012abc");
  EXPECT_EQ((*files)[1].story.whole(), "Z");
}

// A reader of the log may report more than the log contains.
TEST(LoggedFile, ExceedingALimitIsRefused) {
  const auto log = read(that_grows_by_160());
  ASSERT_TRUE(log);
  EXPECT_TRUE(heard(log_lines(*log), {.files = 2, .grown_bytes = 160}));
  EXPECT_FALSE(heard(log_lines(*log), {.grown_bytes = 159}));
  EXPECT_FALSE(heard(log_lines(*log), {.files = 1}));
}

// Like those of all operations, one by one from the start.
TEST(Images, CorrespondToTheirStates) {
  const auto log = read(a_story());
  const Story story = story_of(*log, 0);
  Images images(story);
  for (const State& state : states(story, {.any = true, .dropped = true})) {
    Image wanted = story.start;
    for (const std::size_t i : state.applied) apply(*story.changes[i], wanted);
    EXPECT_EQ(wanted, images.of(state)) << state.how();
  }
}

TEST(Smallest, FindsTheSmallestSubset) {
  const auto shows = [](const std::vector<std::size_t>& some) {
    return std::ranges::contains(some, 3U) && std::ranges::contains(some, 8U);
  };
  EXPECT_EQ((std::vector<std::size_t>{3, 8}), smallest({0, 1, 2, 3, 4, 5, 6, 7, 8, 9}, shows));
}

Content table(std::uint64_t rows, std::string values) {
  Content made;
  made.values["/t/x"] = {.sizes = {values.size()}, .element = 1, .bytes = std::move(values)};
  made.tables["/t"] = {.rows = rows, .columns = {"/t/x"}};
  return made;
}

TEST(Judge, RowsThatCount) {
  const Content old = table(2, "ab"), now = table(4, "abcd");
  const auto verdict = [&](const Content& state) {
    return to_string(judge(state, {old, now, old, now}, {}).verdict);
  };
  EXPECT_EQ("OLD", verdict(old));
  EXPECT_EQ("RESIDUE", verdict(table(2, "ab00")));  // rows that do not count yet
  EXPECT_EQ("RESIDUE", verdict(table(2, "abcd")));
  EXPECT_EQ("BETWEEN", verdict(table(3, "abc0")));
  EXPECT_EQ("NEW", verdict(now));
  EXPECT_EQ("WRONG", verdict(table(4, "ab")));    // rows that do not exist
  EXPECT_EQ("WRONG", verdict(table(4, "ab00")));  // fill values
  EXPECT_EQ("WRONG", verdict(table(2, "xb")));
  EXPECT_EQ("WRONG", verdict(table(5, "abcde")));
  Content torn = old;
  torn.unreadable = "a checksum";
  EXPECT_EQ("DETECTED", verdict(torn));
  Content index = now;
  index.broken = {"sorted-ties of /t"};
  EXPECT_EQ("WRONG", verdict(index));
  EXPECT_EQ(CrashVerdict::kResidue, judge(old, {old, now, old, now}, {.residue = true}).verdict);
  const Judgement by_second = judge(old, {old, now, old, now}, {.trouble = "x"});
  EXPECT_EQ(CrashVerdict::kDetected, by_second.verdict);
  EXPECT_TRUE(by_second.by_second_reader);
}

// Rows are added, but their number is never updated: the end state is new, and all states before it
// are residue.
TEST(Judge, RowsThatNeverCount) {
  const Content old = table(2, "ab"), now = table(2, "abcd");
  const auto verdict = [&](const Content& state, bool residue = false) {
    return to_string(judge(state, {old, now, old, now}, {.residue = residue}).verdict);
  };
  EXPECT_EQ("OLD", verdict(old));
  EXPECT_EQ("RESIDUE", verdict(old, true));
  EXPECT_EQ("RESIDUE", verdict(table(2, "ab00")));
  EXPECT_EQ("NEW", verdict(now));
  // Between two flushes without changes, nothing is new.
  EXPECT_EQ("OLD", to_string(judge(now, {old, now, now, now}, {.residue = true}).verdict));
}

// A dataset outside tables: all of its contents count.
TEST(Judge, AllRowsOfALooseDatasetCount) {
  const auto loose = [](std::string values) {
    Content made;
    made.values["/x"] = {.sizes = {values.size()}, .element = 1, .bytes = std::move(values)};
    return made;
  };
  const Content old = loose("ab"), now = loose("abcd");
  const auto verdict = [&](const Content& state, bool residue = false) {
    return to_string(judge(state, {old, now, old, now}, {.residue = residue}).verdict);
  };
  EXPECT_EQ("OLD", verdict(old));
  EXPECT_EQ("RESIDUE", verdict(old, true));
  EXPECT_EQ("BETWEEN", verdict(loose("abc")));
  EXPECT_EQ("NEW", verdict(now));
  EXPECT_EQ("WRONG", verdict(loose("ab00")));   // fill values
  EXPECT_EQ("WRONG", verdict(loose("abcde")));  // longer than it ever was
  EXPECT_EQ("WRONG", verdict(loose("xb")));
  EXPECT_EQ("WRONG", verdict(Content()));  // it is missing
  // The contents at a flush in between are correct, too.
  const Content once = loose("abX");
  EXPECT_EQ(CrashVerdict::kNew, judge(once, {old, now, old, once}, {}).verdict);
}

// The new contents are complete with their last dataset.
TEST(Judge, DatasetsThatAppear) {
  const auto loose = [](const std::vector<std::string>& paths, const char* bytes) {
    Content made;
    for (const std::string& path : paths)
      made.values[path] = {.sizes = {2}, .element = 1, .bytes = bytes};
    return made;
  };
  const Content old = loose({"/b"}, "ab"), now = loose({"/a", "/b", "/c"}, "xy");
  const auto verdict = [&](const Content& state) {
    return to_string(judge(state, {old, now, old, now}, {}).verdict);
  };
  EXPECT_EQ("BETWEEN", verdict(loose({"/b"}, "xy")));
  EXPECT_EQ("BETWEEN", verdict(loose({"/a", "/b"}, "xy")));
  EXPECT_EQ("BETWEEN", verdict(loose({"/b", "/c"}, "xy")));
  EXPECT_EQ("NEW", verdict(now));
}

// Every table and dataset counts, wherever it is among the others.
TEST(Judge, EachOfSeveralTables) {
  const auto made = [](const std::string& a, const std::string& b, std::uint64_t rows) {
    Content content;
    for (const auto& [path, values] : {std::pair("/t", a), std::pair("/u", b)}) {
      for (const char* name : {"/x", "/y"})
        content.values[std::string(path) + name] = {
            .sizes = {values.size()}, .element = 1, .bytes = values};
      content.tables[path] = {.rows = rows,
                              .columns = {std::string(path) + "/x", std::string(path) + "/y"}};
    }
    return content;
  };
  const Content old = made("ab", "cd", 2), now = made("abef", "cdgh", 4);
  const auto verdict = [&](const Content& state) {
    return to_string(judge(state, {old, now, old, now}, {}).verdict);
  };
  EXPECT_EQ("OLD", verdict(old));
  EXPECT_EQ("NEW", verdict(now));
  EXPECT_EQ("BETWEEN", verdict(made("abe", "cdg", 3)));
  EXPECT_EQ("WRONG", verdict(made("abef", "cdXX", 4)));
  EXPECT_EQ("WRONG", verdict(made("abXX", "cdgh", 4)));
  for (const char* path : {"/t/x", "/t/y", "/u/x", "/u/y"}) {
    Content state = now;
    state.values[path].bytes[0] = '?';
    EXPECT_EQ("WRONG", verdict(state)) << path;
    state = now;
    state.values.erase(path);
    EXPECT_EQ("WRONG", verdict(state)) << path;
  }
  for (const char* path : {"/t", "/u"}) {
    Content state = now;
    state.tables.erase(path);
    EXPECT_EQ("WRONG", verdict(state)) << path;
    // One of the tables is as before, which is neither state.
    state = now;
    state.tables[path].rows = 2;
    EXPECT_EQ("BETWEEN", verdict(state)) << path;
  }
}

// A column that does not exist yet does not excuse the ones after it.
TEST(Judge, ColumnsOfATableWithoutRows) {
  Content first;
  first.tables["/t"] = {.rows = 0, .columns = {}};
  Content last;
  last.tables["/t"] = {.rows = 1, .columns = {"/t/x", "/t/y"}};
  for (const char* path : {"/t/x", "/t/y"})
    last.values[path] = {.sizes = {1, 1}, .element = 1, .bytes = "a"};
  Content state = first;
  state.tables["/t"].columns = {"/t/y"};
  const auto verdict = [&](const Content::Values& values) {
    state.values["/t/y"] = values;
    return to_string(judge(state, {first, last, first, last}, {}).verdict);
  };
  EXPECT_EQ("BETWEEN", verdict({.sizes = {0, 1}, .element = 1, .bytes = ""}));
  // Of another shape.
  EXPECT_EQ("WRONG", verdict({.sizes = {0, 2}, .element = 1, .bytes = ""}));
}

// The cells of a column have several dimensions; each of them counts.
TEST(Judge, ShapesOfCells) {
  const auto with = [](std::vector<std::uint64_t> sizes) {
    std::uint64_t bytes = 1;
    for (const std::uint64_t size : sizes) bytes *= size;
    Content made;
    made.values["/t/x"] = {
        .sizes = std::move(sizes), .element = 1, .bytes = std::string(bytes, 'a')};
    made.tables["/t"] = {.rows = 1, .columns = {"/t/x"}};
    return made;
  };
  const Content whole = with({1, 2, 3});
  EXPECT_EQ(CrashVerdict::kOld, judge(whole, {whole, whole, whole, whole}, {}).verdict);
  for (const std::vector<std::uint64_t>& sizes :
       {std::vector<std::uint64_t>{1, 4, 3}, {1, 2, 4}, {1, 1, 6}, {1, 6}, {1, 3, 2}})
    EXPECT_EQ(CrashVerdict::kWrong, judge(with(sizes), {whole, whole, whole, whole}, {}).verdict)
        << sizes.size() << ' ' << sizes[1];
}

// A clause that the first or the last state violates as well was not broken by the crash.
TEST(Judge, ViolationsOfEitherState) {
  const Content sound = table(2, "ab");
  Content broken = sound;
  broken.broken = {"sorted-ties of /t"};
  const auto verdict = [&](const Content& first, const Content& last) {
    return judge(broken, {first, last, sound, sound}, {}).verdict;
  };
  EXPECT_EQ(CrashVerdict::kWrong, verdict(sound, sound));
  EXPECT_NE(CrashVerdict::kWrong, verdict(broken, sound));
  EXPECT_NE(CrashVerdict::kWrong, verdict(sound, broken));
}

// What is in a state and not in the one it is compared with.
TEST(Judge, DatasetsThatOnlyOneStateHas) {
  const auto with = [](const std::vector<std::string>& paths) {
    Content made;
    for (const std::string& path : paths)
      made.values[path] = {.sizes = {1}, .element = 1, .bytes = "a"};
    return made;
  };
  const Content none, one = with({"/x"}), two = with({"/x", "/y"});
  const auto verdict = [](const Content& state, const Content& first, const Content& last) {
    return to_string(judge(state, {first, last, first, last}, {}).verdict);
  };
  EXPECT_EQ("OLD", verdict(one, one, two));
  EXPECT_EQ("NEW", verdict(two, one, two));
  EXPECT_EQ("OLD", verdict(none, none, one));
  EXPECT_EQ("NEW", verdict(one, none, one));
  EXPECT_EQ("WRONG", verdict(none, one, two));
  // The new contents of one, and nothing yet of the other.
  Content last = two;
  last.values["/x"].bytes = "b";
  Content state = one;
  state.values["/x"].bytes = "b";
  EXPECT_EQ("BETWEEN", verdict(state, one, last));
}

TEST(Content, IsTransferredBetweenProcesses) {
  Content made = table(3, "abc");
  made.left_out = {"/v"};
  const std::string bytes = encoded(made);
  const auto read = decoded(bytes);
  ASSERT_TRUE(read);
  EXPECT_EQ(bytes, encoded(*read));
  for (std::size_t size = 0; size < bytes.size(); ++size)
    EXPECT_FALSE(decoded(std::string_view(bytes).substr(0, size))) << size;
}

// Numbers of any size, each in turn.
TEST(Content, KeepsLargeNumbers) {
  for (const std::uint64_t large : {std::uint64_t{1} << 32, (std::uint64_t{1} << 32) + 7,
                                    std::uint64_t{1} << 63, ~std::uint64_t{0}}) {
    Content made;
    made.tables["/t"].rows = large;
    made.values["/t/a"] = {.sizes = {large, 2, large - 1}, .element = large};
    const std::optional<Content> read = decoded(encoded(made));
    ASSERT_TRUE(read);
    EXPECT_EQ(read->tables.at("/t").rows, large);
    EXPECT_EQ(read->values.at("/t/a").sizes, (std::vector<std::uint64_t>{large, 2, large - 1}));
    EXPECT_EQ(read->values.at("/t/a").element, large);
  }
}

}  // namespace
}  // namespace hepcheck::trace
