// Random logs, states and contents: what is read of a log and of its stories, which states a crash
// could have left, and what is said about the contents of one. All of it equals the golden files: a
// line for each set, with a digest.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <format>
#include <iterator>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "validator/testing/golden_files.h"
#include "validator/testing/number.h"
#include "validator/testing/random.h"
#include "validator/trace/content.h"
#include "validator/trace/log.h"
#include "validator/trace/parts.h"
#include "validator/trace/replay.h"
#include "validator/trace/story_stream.h"

namespace hepcheck::trace::random_traces {
namespace {

// --- Logs ----------------------------------------------------------------------------------------

// Mostly what a record of that kind has.
std::string data_of(char kind, Random& random) {
  using std::string_view;
  constexpr string_view kBytes[] = {"a", "bc", "0123", "defghijk"};
  constexpr string_view kNames[] = {"f.h5", "g", "x/y"};
  constexpr string_view kTwo[] = {string_view("f.h5\0g", 6), string_view("g\0x/y", 5)};
  constexpr string_view kCalls[] = {"flush", "close", "dataset-flush /d", "extent 7 /d",
                                    "object-flush"};
  constexpr string_view kSizes[] = {string_view("\3\0\0\0\0\0\0\0", 8),
                                    string_view("\x40\0\0\0\0\0\0\0", 8)};
  constexpr string_view kOthers[] = {
      "",    "one", string_view("a\0b", 3), string_view("a\0b\0c", 5),
      "abc", "x",   string_view("a\0", 2)};
  if (random.once_in(50)) return std::string(random.one_of(kOthers));
  switch (kind) {
    case 'I': return "0123";
    case 'W': return std::string(random.one_of(kBytes));
    case 'O':
    case 'N':
    case 'U':
    case 'D': return std::string(random.one_of(kNames));
    case 'R':
    case 'L': return std::string(random.one_of(kTwo));
    case 'A': return std::string(random.one_of(kCalls));
    case 'K':
    case 'F': return std::string(random.one_of(kSizes));
    case 'X': return "it is copied";
    default: return "";
  }
}

std::string record(char kind, std::uint64_t file, std::uint64_t position, Random& random) {
  constexpr std::uint64_t kMemories[] = {255, 255, 0, 1, 3, 6};
  const std::uint64_t memory = random.once_in(80) ? 7 : random.one_of(kMemories);
  const std::uint64_t zero = random.once_in(80) ? 1 : 0;
  if (random.once_in(80)) file = 0;
  const std::string data = data_of(kind, random);
  return std::string(1, kind) + number(memory, 1) + number(zero, 2) + number(data.size(), 4) +
         number(file, 8) + number(position, 8) + data;
}

std::string log_of(Random& random) {
  constexpr char kKinds[] = {'B', 'I', 'O', 'N', 'W', 'W', 'W', 'W', 'W', 'T', 'K', 'K', 'R',
                             'L', 'U', 'S', 'C', 'D', 'A', 'A', 'M', 'X', 'F', 'W', '?'};
  std::string made("\x89HEPTRC\n\x01\0\0\0\0\0\0", 16);
  for (const std::uint64_t file : {7U, 8U, 9U}) {
    if (random.once_in(2)) continue;
    const std::uint64_t size = 4 * random.below(4);
    made += record('B', file, size, random);
    for (std::uint64_t at = 0; at < size; at += 4)
      if (random.once_in(2)) made += record('I', file, at, random);
    if (!random.once_in(6)) made += record('O', file, 0, random);
  }
  for (std::uint64_t n = 2 + random.below(10); n > 0; --n) {
    char kind = random.one_of(kKinds);
    if ((kind == '?' || kind == 'I') && !random.once_in(4)) kind = 'W';
    const std::uint64_t file = 7 + random.below(3);
    std::uint64_t position = random.below(12);
    if (random.once_in(20)) position = 60 + random.below(10);
    made += record(kind, file, position, random);
  }
  return made;
}

std::string text_of(const Event& each) {
  return std::format(" {} {} {} {} {} {}|{}| {}\n", static_cast<int>(each.kind),
                     static_cast<int>(each.memory), each.file, each.position, each.size, each.data,
                     each.from, each.record);
}
std::string text_of(const Story& story) {
  std::string made = std::format("{} {}\n", story.start, numbers_text(story.barriers));
  for (std::size_t i = 0; i <= story.changes.size(); ++i) made += story.after(i) + '\n';
  return made;
}

std::string text_of(const Log& log) {
  std::string made;
  for (FileNumber i = 0; i < log.files.size(); ++i) {
    const File& file = log.files[i];
    made += std::format("{} {} {} {} {} |{}| |{}|", file.name, file.inode, file.opened, file.made,
                        file.size, file.unseen, missing(log, i));
    for (const File::Piece& piece : file.pieces)
      made += std::format(" {}:{}", piece.position, piece.data);
    if (file.end) made += std::format(" {} {}", file.end->size, file.end->sum);
    made += '\n' + text_of(story_of(log, i));
  }
  for (const Event& each : log.events) made += text_of(each);
  return made;
}

std::vector<std::string> messages_of(const Log& log) {
  std::vector<std::string> made;
  send_stories(log, [&](std::string_view message) { made.emplace_back(message); });
  return made;
}

// As another process receives them.
std::string received(const std::vector<std::string>& messages, const LogLimits& limits) {
  StoryReader reader(limits);
  for (const std::string& each : messages) reader.take(each);
  const auto files = std::move(reader).take_all();
  if (!files) return "no stories\n";
  std::string made;
  for (const LoggedFile& file : *files) {
    made += std::format("{} |{}|\n{}", file.name, file.missing, text_of(file.story));
    for (const Event* each : file.story.changes) made += text_of(*each);
  }
  return made;
}

TEST(RandomTraces, LogsAreReadAsInTheGoldenFile) {
  constexpr std::uint64_t kSets = 20, kLogs = 200;
  std::string text;
  for (std::uint64_t set = 0; set < kSets; ++set) {
    std::string all;
    std::size_t good = 0;
    for (std::uint64_t i = 0; i < kLogs; ++i) {
      Random random(1'000 * set + i);
      const std::string bytes = log_of(random);
      LogLimits limits;
      switch (random.below(12)) {
        case 0: limits.log_bytes = bytes.size() - random.below(2); break;
        case 1: limits.file_bytes = 8 + random.below(8); break;
        case 2: limits.records = 6 + random.below(4); break;
        case 3: limits.files = 2 + random.below(2); break;
        case 4: limits.grown_bytes = 20 + random.below(20); break;
        default: break;
      }
      const auto log = read_log(std::make_shared<const std::string>(bytes), limits);
      if (!log) {
        all += std::format("{} {}\n", log.error().broken, log.error().text);
        continue;
      }
      ++good;
      const std::vector<std::string> messages = messages_of(*log);
      all += text_of(*log) + received(messages, {});
      all += received(messages, {.file_bytes = 12, .files = 2, .grown_bytes = 30});
    }
    text += std::format("{}: {} logs, {}\n", set, good, golden::digest_of(all));
  }
  EXPECT_TRUE(golden::equals(text, "validator/trace/golden/random_logs.txt"));
}

// The inode of a file, positions and sizes, in records of every kind that have them.
TEST(RandomTraces, NumbersOfRecordsHave64Bits) {
  constexpr std::uint64_t kInode = (std::uint64_t{3} << 32) + 7,
                          kFar = (std::uint64_t{5} << 32) + 9, kMost = std::uint64_t{1} << 40;
  const auto record_of = [&](char kind, std::uint64_t position, const std::string& data) {
    return std::string(1, kind) + number(255, 1) + number(0, 2) + number(data.size(), 4) +
           number(kInode, 8) + number(position, 8) + data;
  };
  const std::string bytes = std::string("\x89HEPTRC\n\x01\0\0\0\0\0\0", 16) +
                            record_of('B', kFar, "") + record_of('I', kFar - 4, "0123") +
                            record_of('O', 0, "f.h5") + record_of('W', kFar, "abc") +
                            record_of('K', kFar, number(kFar, 8)) + record_of('T', kFar + 1, "") +
                            record_of('F', kFar + 1, number(kFar, 8));
  const auto log = read_log(std::make_shared<const std::string>(bytes),
                            {.file_bytes = kMost, .grown_bytes = kMost});
  ASSERT_TRUE(log) << log.error().text;
  ASSERT_EQ(log->files.size(), 1u);
  const File& file = log->files[0];
  EXPECT_EQ(file.inode, kInode);
  EXPECT_EQ(file.size, kFar);
  ASSERT_EQ(file.pieces.size(), 1u);
  EXPECT_EQ(file.pieces[0].position, kFar - 4);
  ASSERT_TRUE(file.end);
  EXPECT_EQ(file.end->size, kFar + 1);
  EXPECT_EQ(file.end->sum, kFar);
  std::vector<std::uint64_t> numbers;
  for (const Event& each : log->events)
    if (each.kind != Event::Kind::kOpen) numbers.insert(numbers.end(), {each.position, each.size});
  EXPECT_EQ(numbers, (std::vector<std::uint64_t>{kFar, 3, kFar, kFar, kFar + 1, 0}));
}

// One message is missing, there twice, late, shorter or longer, or one of its numbers is another.
void change(std::vector<std::string>& messages, Random& random) {
  const auto at = static_cast<std::ptrdiff_t>(random.below(messages.size()));
  std::string& message = messages[static_cast<std::size_t>(at)];
  switch (random.below(8)) {
    case 0: messages.erase(messages.begin() + at); break;
    case 1: messages.insert(messages.begin() + at, std::string(message)); break;
    case 2: std::swap(message, messages[random.below(messages.size())]); break;
    case 3: message.resize(message.size() - std::min<std::size_t>(message.size(), 8)); break;
    case 4: message += '\0'; break;
    default:
      const std::size_t numbers = std::min<std::size_t>(message.size() / 8, 4);
      if (numbers == 0) break;
      const std::size_t place = 8 * random.below(numbers);
      const std::uint64_t old = PartReader(std::string_view(message).substr(place)).number();
      const std::uint64_t values[] = {0,       1,       2,   3,   4,   5,     6,      7,
                                      old + 1, old - 1, 255, 256, 8,   12,    13,     64,
                                      2 * old, old / 2, 9,   10,  255, 1'024, 65'536, ~old};
      message.replace(place, 8, number(random.one_of(values), 8));
  }
}

TEST(RandomTraces, ChangedStoriesAreReceivedAsInTheGoldenFile) {
  constexpr std::uint64_t kSets = 20, kLogs = 100, kTimes = 20;
  std::string text;
  for (std::uint64_t set = 0; set < kSets; ++set) {
    std::string all;
    std::size_t refused = 0;
    for (std::uint64_t i = 0; i < kLogs; ++i) {
      Random random(1'000 * set + i);
      const auto log = read_log(std::make_shared<const std::string>(log_of(random)));
      if (!log) continue;
      const std::vector<std::string> messages = messages_of(*log);
      for (std::uint64_t n = 0; n < kTimes; ++n) {
        std::vector<std::string> changed = messages;
        change(changed, random);
        if (random.once_in(3) && !changed.empty()) change(changed, random);
        LogLimits limits;
        if (random.once_in(4)) limits.file_bytes = 8 + random.below(8);
        if (random.once_in(4)) limits.grown_bytes = 20 + random.below(20);
        const std::string said = received(changed, limits);
        refused += said.starts_with("no stories");
        all += said;
      }
    }
    text += std::format("{}: {} refused, {}\n", set, refused, golden::digest_of(all));
  }
  EXPECT_TRUE(golden::equals(text, "validator/trace/golden/changed_stories.txt"));
}

// --- States --------------------------------------------------------------------------------------

TEST(RandomTraces, StatesAreThoseOfTheGoldenFile) {
  constexpr std::uint64_t kSets = 20, kStories = 40;
  constexpr std::uint64_t kSizes[] = {0, 1, 2, 3, 16, 511, 512, 513, 1'024, 4'096, 5'000};
  std::string text;
  for (std::uint64_t set = 0; set < kSets; ++set) {
    std::string all;
    std::size_t count = 0;
    for (std::uint64_t i = 0; i < kStories; ++i) {
      Random random(1'000 * set + i);
      std::vector<std::uint64_t> sizes(random.below(9));
      for (std::uint64_t& each : sizes) each = random.one_of(kSizes);
      std::vector<Settling> settlings;
      for (std::size_t before = random.below(4); before <= sizes.size();
           before += 1 + random.below(4)) {
        settlings.push_back({.before = before});
        if (random.once_in(3))
          settlings.back().settles = [even = random.below(2)](std::size_t at) {
            return at % 2 == even;
          };
      }
      StateOptions options{.seed = i};
      options.torn = random.once_in(2);
      options.any = random.once_in(2);
      options.dropped = random.once_in(2);
      options.few = 1 + random.below(4);
      options.sample = 5 + random.below(4);
      const std::uint64_t last = random.once_in(3) ? random.below(30) : 1'000'000;
      std::uint64_t taken = 0;
      each_state(sizes, settlings, options, [&](const State& each) {
        all += std::format("{} {} {} {}|", each.how(), numbers_text(each.applied), each.settled,
                           each.finished);
        return ++taken < last;
      });
      count += taken;
      const std::uint64_t third = random.below(3);
      options.wanted = [&](std::uint64_t at) { return at % 3 == third; };
      for (const State& each : states(sizes, settlings, options)) all += each.how() + '|';
      all += '\n';
    }
    text += std::format("{}: {} states, {}\n", set, count, golden::digest_of(all));
  }
  EXPECT_TRUE(golden::equals(text, "validator/trace/golden/random_states.txt"));
}

// The image of a state has the changes that the state names, in whatever order states are asked
// for.
TEST(RandomTraces, ImagesHaveTheChangesOfTheirStates) {
  constexpr std::uint64_t kStories = 200;
  for (std::uint64_t i = 0; i < kStories; ++i) {
    Random random(i);
    std::vector<std::string> bytes;
    std::vector<Event> events;
    const std::size_t count = 1 + random.below(7);
    for (std::size_t n = 0; n < count; ++n) {
      bytes.emplace_back(1 + random.below(9), static_cast<char>('A' + n));
      events.push_back({.kind = Event::Kind::kWrite, .position = random.below(20)});
      if (random.once_in(5)) events.back().kind = Event::Kind::kResize;
    }
    Story story{.start = "0123456789"};
    for (std::size_t n = 0; n < count; ++n) {
      if (events[n].kind == Event::Kind::kWrite) events[n].data = bytes[n];
      story.changes.push_back(&events[n]);
      if (random.once_in(3)) story.barriers.push_back(n + 1);
    }
    std::vector<State> all = states(story, {.torn = true, .any = true, .dropped = true});
    // Not std::shuffle, whose order depends on the library.
    if (random.once_in(2))
      for (std::size_t at = 0; at + 1 < all.size(); ++at)
        std::swap(all[at], all[at + random.below(all.size() - at)]);
    Images images(story);
    for (const State& state : all) {
      Image wanted = story.start;
      for (const std::size_t at : state.applied) {
        const Event& event = *story.changes[at];
        if (event.kind == Event::Kind::kResize) {
          wanted.resize(event.position);
          continue;
        }
        const bool torn = state.kind == State::Kind::kTorn && at == state.applied.back();
        for (std::size_t byte = 0; byte < event.data.size(); ++byte) {
          if (torn && (byte < state.cut) != state.first_part) continue;
          wanted.resize(std::max(wanted.size(), event.position + byte + 1));
          wanted[event.position + byte] = event.data[byte];
        }
      }
      EXPECT_EQ(images.of(state), wanted) << state.how();
    }
  }
}

// --- Contents ------------------------------------------------------------------------------------

Content::Values values_of(std::vector<std::uint64_t> sizes, Random& random) {
  Content::Values made{.sizes = std::move(sizes), .element = 2};
  std::uint64_t count = made.element;
  for (const std::uint64_t each : made.sizes) count *= each;
  for (std::uint64_t i = 0; i < count; ++i)
    made.bytes += static_cast<char>('a' + (random.once_in(30) ? i + 1 : i) % 26);
  return made;
}

// Two tables, one of which has a column of rows of two elements, and two other datasets. All
// contents have the same elements at the same positions, with few exceptions.
Content content_of(Random& random) {
  Content made;
  if (random.once_in(20)) made.unreadable = "no superblock";
  for (const char* table : {"/t", "/u"}) {
    if (random.once_in(12)) continue;
    const std::uint64_t rows = 1 + random.below(4);
    Content::Table& into = made.tables[table];
    into.rows = random.once_in(12) ? 0 : rows;
    for (const char* name : {"/a", "/b"}) {
      if (random.once_in(16)) continue;
      const std::string path = std::string(table) + name;
      into.columns.push_back(path);
      std::uint64_t there = rows + random.below(3);
      if (random.once_in(12)) --there;
      if (!random.once_in(16))
        made.values[path] =
            name[1] == 'a' ? values_of({there}, random) : values_of({there, 2}, random);
    }
  }
  if (!random.once_in(12)) {
    const std::uint64_t rows = 1 + random.below(3);
    const std::uint64_t columns = 1 + random.below(3);
    made.values["/x"] = values_of({rows, columns}, random);
  }
  if (!random.once_in(12)) made.values["/y"] = values_of({}, random);
  for (const char* each : {"one of /t", "two of /u"})
    if (random.once_in(12)) made.broken.insert(each);
  for (const char* each : {"filtered values", "/v: references"})
    if (random.once_in(12)) made.left_out.emplace_back(each);
  return made;
}

TEST(RandomTraces, ContentsAreJudgedAsInTheGoldenFile) {
  constexpr std::uint64_t kSets = 20, kFrames = 100;
  std::string text;
  for (std::uint64_t set = 0; set < kSets; ++set) {
    std::string all;
    std::map<std::string_view, std::size_t> verdicts;
    for (std::uint64_t i = 0; i < kFrames; ++i) {
      Random random(1'000 * set + i);
      const Content before = content_of(random), between = content_of(random),
                    behind = content_of(random), other = content_of(random);
      const Content* ends[] = {&before, &between, &behind};
      const Frame frame{*ends[random.below(2)], *ends[1 + random.below(2)], before, behind};
      const SecondReader second{.trouble = random.once_in(8) ? "another reader" : "",
                                .residue = random.once_in(2)};
      // The first rows of what a state has may be those of the next one.
      Content mixed = before;
      for (const auto& [path, values] : behind.values)
        if (random.once_in(2)) mixed.values[path] = values;
      for (const auto& [path, table] : behind.tables)
        if (random.once_in(3)) mixed.tables[path] = table;
      mixed.unreadable.clear();
      for (const Content* state :
           {&before, &between, &behind, &other, static_cast<const Content*>(&mixed)}) {
        const Judgement made = judge(*state, frame, second);
        ++verdicts[to_string(made.verdict)];
        all += std::format("{} {} {}\n", to_string(made.verdict), made.why, made.by_second_reader);
        const std::string sent = encoded(*state);
        const auto received = decoded(sent);
        ASSERT_TRUE(received);
        EXPECT_EQ(encoded(*received), sent);
        EXPECT_EQ(received->values, state->values);
        EXPECT_EQ(received->tables, state->tables);
        EXPECT_EQ(received->broken, state->broken);
        EXPECT_EQ(received->left_out, state->left_out);
        EXPECT_EQ(received->unreadable, state->unreadable);
      }
    }
    text += std::format("{}:", set);
    for (const auto& [verdict, times] : verdicts) text += std::format(" {} {},", times, verdict);
    text += std::format(" {}\n", golden::digest_of(all));
  }
  EXPECT_TRUE(golden::equals(text, "validator/trace/golden/random_contents.txt"));
}

}  // namespace
}  // namespace hepcheck::trace::random_traces
