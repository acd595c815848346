#include "validator/isolate/wire.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <format>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "validator/format.h"
#include "validator/isolate/report_parts.h"
#include "validator/isolate/report_stream.h"
#include "validator/shorten.h"
#include "validator/testing/random.h"

namespace hepcheck::isolate {
namespace {

const Specification& spec() { return default_specification(); }

SubjectReport example() {
  SubjectReport table{
      .kind = "table",
      .path = "/t",
      .spec = &spec(),
      .verdict = SubjectVerdict::kFail,
      .reason = "r",
      .notes = {"n", ""},
      .figures = {{"nrows", 5}, {"columns", std::nullopt}},
      .parts = {{.name = std::string("x\0y", 3),
                 .type = "int8",
                 .figures = {{"extent", 6}},
                 .labels = {"a", "b"},
                 .missing = {.rows_per_cell = 2, .missing = {0, 2, 1}},
                 .strips = {{.kind = "BITMAP",
                             .path = "/t/b",
                             .compared = true,
                             .reason = "m",
                             .unit = "row",
                             .differences = Spread::of(4, {{1, 3}, {7, 1}}),
                             .marks = {{"nan_tail", 6}}}}}},
      .layout = ByteMap{.size = 9, .kinds = {"a", "b"}, .bytes = {1, 2, 0, 4}},
      .map = FileMap{.size = 9,
                     .base = 1,
                     .end = 8,
                     .kinds = {"raw data", "k"},
                     .objects = {"/o"},
                     .ranges = {{.address = 2, .size = 3, .kind = 1}},
                     .fields = {{.address = 2, .size = 3, .name = "f", .value = "v"}},
                     .findings = {{.address = 3,
                                   .severity = Severity::kWarning,
                                   .decoded = true,
                                   .clause = "c",
                                   .object = "/o",
                                   .observed = "a",
                                   .expected = "b"}},
                     .trouble = {"t"},
                     .ranges_left_out = 4,
                     .fields_left_out = 5}};
  table.clauses = ClauseResults({{.clause = &spec().clauses.back(),
                                  .verdict = Verdict::kNotChecked,
                                  .severity = Severity::kWarning,
                                  .reason = "why",
                                  .blocked_by = {&spec().clauses.front()},
                                  .examined = 9,
                                  .findings = {{.object = "/t/x",
                                                .attribute = "A",
                                                .where = "row 1",
                                                .observed = "\xff",
                                                .expected = "e",
                                                .hint = "h",
                                                .witness = "w",
                                                .more = 3,
                                                .severity = Severity::kInfo}},
                                  .suppressed = 4,
                                  .left_out = LeftOut::kOnly,
                                  .reason_known = true,
                                  .lowered = true}});
  return table;
}

// The first message about a table, and its contents.
std::string first_message(const SubjectReport& table) {
  ClauseResults none;
  return to_wire(table, none);
}
std::optional<SubjectReport> from_first_message(std::string_view bytes) {
  ClauseResults none;
  return subject_from_wire(bytes, none);
}

TEST(Wire, TableRoundTrips) {
  const std::string bytes = first_message(example());
  const auto back = from_first_message(bytes);
  ASSERT_TRUE(back);
  EXPECT_EQ(first_message(*back), bytes);
  EXPECT_EQ(back->kind, "table");
  EXPECT_EQ(back->spec, &spec());
  EXPECT_EQ(back->figures, example().figures);
  EXPECT_EQ(back->parts.at(0).name, std::string("x\0y", 3));
  EXPECT_EQ(back->parts.at(0).missing, example().parts.at(0).missing);
  EXPECT_EQ(back->parts.at(0).strips, example().parts.at(0).strips);
  EXPECT_EQ(back->map, example().map);
  const ClauseResult& result = back->clauses[0];
  EXPECT_EQ(result.clause, &spec().clauses.back());
  EXPECT_EQ(result.verdict, Verdict::kNotChecked);
  EXPECT_EQ(result.blocked_by, std::vector<const Clause*>{&spec().clauses.front()});
  EXPECT_EQ(result.left_out, LeftOut::kOnly);
  EXPECT_TRUE(result.reason_known);
  EXPECT_TRUE(result.lowered);
  EXPECT_EQ(result.findings.at(0).observed, "\xff");
  EXPECT_EQ(result.findings.at(0).more, 3u);
  EXPECT_EQ(result.findings.at(0).severity, Severity::kInfo);
}

TEST(Wire, MapWithPartsThatDoNotExistIsRefused) {
  SubjectReport table = example();
  table.map->ranges[0].kind = 2;
  EXPECT_FALSE(from_first_message(first_message(table)));
}

TEST(Wire, KeysOfFiguresAreShortWords) {
  const auto comes_back = [](const std::string& key) {
    SubjectReport table = example();
    table.figures = {{key, 5}};
    return from_first_message(first_message(table)).has_value();
  };
  EXPECT_TRUE(comes_back(std::string(32, 'k')));
  EXPECT_FALSE(comes_back(std::string(33, 'k')));
  EXPECT_FALSE(comes_back(""));
  EXPECT_FALSE(comes_back("k\n"));
}

TEST(Wire, FileRoundTripsWithoutItsSubjects) {
  const FileReport file{.path = "f.h5",
                        .error = Error{"a", "b"},
                        .unreadable = {{"c", "d"}},
                        .subjects = {example()},
                        .lacked_memory = true};
  const auto back = file_from_wire(to_wire(file));
  ASSERT_TRUE(back);
  EXPECT_EQ(back->path, "");
  EXPECT_EQ(back->error, file.error);
  EXPECT_EQ(back->unreadable, file.unreadable);
  EXPECT_TRUE(back->subjects.empty());
  EXPECT_TRUE(back->lacked_memory);
}

TEST(Wire, SharedResultsAreSentOnce) {
  std::vector<ClauseResult> results;
  for (const Clause& clause : spec().clauses) results.push_back({.clause = &clause});
  ClauseResults sent, received;
  std::size_t first = 0;
  for (int table = 0; table < 4; ++table) {
    results[7].examined = static_cast<std::uint64_t>(table);
    SubjectReport report = example();
    report.clauses = ClauseResults(results);
    const std::string bytes = to_wire(report, sent);
    if (table == 0) first = bytes.size();
    EXPECT_TRUE(table == 0 || bytes.size() < first / 10);
    const auto back = subject_from_wire(bytes, received);
    ASSERT_TRUE(back);
    EXPECT_TRUE(std::ranges::equal(back->clauses, results));
    EXPECT_EQ(back->clauses[7].examined, static_cast<std::uint64_t>(table));
  }
}

// The result of decoding differences must not depend on their order.
TEST(Wire, DifferencesMustBeOrdered) {
  SubjectReport table = example();
  std::vector<ClauseResult> results(300, {.clause = &spec().clauses[7]});
  table.clauses = ClauseResults(results);
  ClauseResults sent, taken;
  ASSERT_TRUE(subject_from_wire(to_wire(table, sent), taken));
  for (const std::size_t at : {211u, 213u}) results[at].verdict = Verdict::kPass;
  table.clauses = ClauseResults(results);
  std::string bytes = to_wire(table, sent);
  const auto place_of = [&](char number) {
    const std::string raw{number, 0, 0, 0, 0, 0, 0, 0};
    EXPECT_EQ(bytes.find(raw), bytes.rfind(raw));
    return bytes.find(raw);
  };
  const std::size_t first = place_of('\xD3'), second = place_of('\xD5');
  for (const auto& [one, two] : {std::pair('\xD5', '\xD3'), {'\xD3', '\xD3'}, {'\xD4', '\xD5'}}) {
    bytes.at(first) = one;
    bytes.at(second) = two;
    ClauseResults base = taken;
    EXPECT_EQ(subject_from_wire(bytes, base).has_value(), one < two);
  }
}

TEST(Wire, SubjectOfAnotherSpecificationMayFollow) {
  ClauseResults sent, received;
  SubjectReport report = example();
  for (const std::size_t size : {5u, 2u, 7u}) {
    std::vector<ClauseResult> results;
    for (std::size_t i = 0; i < size; ++i)
      results.push_back({.clause = &spec().clauses[size + i], .examined = size});
    report.clauses = ClauseResults(results);
    const auto back = subject_from_wire(to_wire(report, sent), received);
    ASSERT_TRUE(back) << size;
    EXPECT_TRUE(std::ranges::equal(back->clauses, results)) << size;
  }
}

TEST(Wire, SubjectMayHaveNoResults) {
  SubjectReport report = example();
  report.clauses = {};
  ClauseResults sent, received;
  for (int time = 0; time < 2; ++time) {
    const auto back = subject_from_wire(to_wire(report, sent), received);
    ASSERT_TRUE(back);
    EXPECT_TRUE(back->clauses.empty());
  }
}

TEST(Wire, KindIsAWord) {
  SubjectReport report = example();
  for (const char* kind : {"", "<b>", "table\n", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"}) {
    report.kind = kind;
    EXPECT_FALSE(from_first_message(first_message(report))) << kind;
  }
}

TEST(Wire, RejectsTruncatedMessages) {
  const std::string bytes = first_message(example());
  for (std::size_t length = 0; length < bytes.size(); ++length)
    EXPECT_FALSE(from_first_message(bytes.substr(0, length))) << length;
  EXPECT_FALSE(from_first_message(bytes + '\0'));
}

TEST(Wire, RejectsTooLongTexts) {
  for (const std::size_t size : {kLongestText, kLongestText + 1}) {
    SubjectReport report = example();
    report.notes = {std::string(size, 'x')};
    EXPECT_EQ(from_first_message(first_message(report)).has_value(), size <= kLongestText);
    const FileReport file{.error = Error{"a", std::string(size, 'x')}};
    EXPECT_EQ(file_from_wire(to_wire(file)).has_value(), size <= kLongestText);
    const Stop stop{.object = std::string(size, 'x')};
    EXPECT_EQ(stop_from_wire(to_wire(stop)).has_value(), size <= kLongestText);
  }
}

// The maxima of the numbers in a message that select one of several: how many numbers have each.
// `whole`: whether a changed message is accepted.
std::vector<std::string> maxima(const std::string& message, auto whole) {
  constexpr std::uint64_t kMostOfAnEnumeration = 4;
  const std::uint64_t specifications = all_specifications().size(), clauses = spec().clauses.size();
  std::vector<std::uint64_t> tried;
  for (std::uint64_t i = 0; i <= kMostOfAnEnumeration + 1; ++i) tried.push_back(i);
  for (const std::uint64_t each : {specifications, clauses})
    for (const std::uint64_t value : {each - 1, each, each + 1}) tried.push_back(value);
  std::ranges::sort(tried);
  std::map<std::string, int> found;
  for (std::size_t at = 0; at + 8 <= message.size(); ++at) {
    std::uint64_t most = 0;
    for (const std::uint64_t value : tried) {
      std::string changed = message;
      std::memcpy(changed.data() + at, &value, sizeof value);
      if (!whole(changed)) break;
      most = value;
    }
    if (most == specifications - 1)
      ++found["a specification"];
    else if (most == clauses - 1)
      ++found["a clause"];
    else if (most > 0 && most <= kMostOfAnEnumeration)
      ++found[std::to_string(most)];
  }
  std::vector<std::string> texts;
  for (const auto& [most, count] : found) texts.push_back(std::format("{}: {}", most, count));
  return texts;
}

TEST(Wire, NumbersHaveMaxima) {
  using Texts = std::vector<std::string>;
  const auto is_subject = [](const std::string& it) { return from_first_message(it).has_value(); };
  SubjectReport table = example();
  table.map.reset();
  EXPECT_EQ(maxima(first_message(table), is_subject),
            (Texts{"1: 5", "2: 3", "3: 5", "a clause: 2"}));
  table.clauses = {};
  table.parts.clear();
  EXPECT_EQ(maxima(first_message(table), is_subject),
            (Texts{"2: 1", "3: 1", "a specification: 1"}));
  const Stop stop{.cause = StopCause::kLimit, .name = "n", .stage = "s"};
  EXPECT_EQ(
      maxima(to_wire(stop), [](const std::string& it) { return stop_from_wire(it).has_value(); }),
      (Texts{"1: 1", "2: 1"}));
  const FileReport file{.lacked_memory = true};
  EXPECT_EQ(
      maxima(to_wire(file), [](const std::string& it) { return file_from_wire(it).has_value(); }),
      Texts{"1: 1"});
}

// With the sanitizers, this also shows that nothing is accessed out of bounds.
TEST(Wire, SurvivesAnyChangedByte) {
  const std::string good = first_message(example());
  std::size_t refused = 0;
  for (std::size_t i = 0; i < good.size(); ++i)
    for (const char wrong : {'\x00', '\x01', '\x7f', '\x80', '\xff'}) {
      std::string bytes = good;
      bytes[i] = wrong;
      const auto back = from_first_message(bytes);
      if (!back) {
        ++refused;
        continue;
      }
      EXPECT_EQ(first_message(*back), bytes);
      for (const ClauseResult& result : back->clauses)
        EXPECT_TRUE(result.clause >= &back->spec->clauses.front() &&
                    result.clause <= &back->spec->clauses.back());
    }
  EXPECT_GT(refused, good.size());
}

// --- Messages about a file -----------------------------------------------------------------------

// Any messages in any order: up to as many subjects as are wanted, before the rest, which comes
// once; of several ends of a worker the last one, which this process has seen; and nothing else.
TEST(ReportReader, MessagesInAnyOrder) {
  for (std::uint64_t seed = 0; seed < 2'000; ++seed) {
    Random random(seed);
    const std::uint64_t most = 1 + random.below(3);
    std::vector<std::string> subjects, wanted;
    ReportReader reader(most);
    ReportSender sender([&](std::string_view message) { reader.take(message); });
    bool complete = false, nonsense = false;
    std::optional<Stop> stop;
    FileReport rest;
    for (std::uint64_t i = 0, end = random.below(6); i < end; ++i) {
      switch (random.below(7)) {
        case 0:
        case 1:
        case 2: {
          SubjectReport subject{.kind = "table", .path = std::format("/{}", i), .spec = &spec()};
          sender.subject(subject);
          if (complete || wanted.size() == most)
            nonsense = true;
          else
            wanted.push_back(subject.path);
          break;
        }
        case 3:
          stop = Stop{.cause = StopCause::kLimit, .name = std::format("limit {}", i)};
          sender.stopped(*stop);
          break;
        case 4:
        case 5: {
          FileReport next{.unreadable = {{"a", std::to_string(i)}}, .lacked_memory = i % 2 == 0};
          if (random.once_in(2)) next.error = Error{"f", std::to_string(i)};
          sender.rest(next);
          if (!complete) rest = next;
          nonsense |= complete;
          complete = true;
          break;
        }
        default: {
          constexpr const char* kOthers[] = {"", "?", "s", "x", "r", "rest"};
          reader.take(random.one_of(kOthers));
          nonsense = true;
        }
      }
    }
    const FileReport report = std::move(reader).report("file");
    for (const SubjectReport& each : report.subjects) subjects.push_back(each.path);
    ASSERT_EQ(subjects, wanted) << seed;
    ASSERT_EQ(report.path, "file");
    ASSERT_EQ(report.unreadable, rest.unreadable) << seed;
    ASSERT_EQ(report.lacked_memory, rest.lacked_memory) << seed;
    ASSERT_EQ(report.stop.has_value(), stop.has_value()) << seed;
    if (stop) {
      ASSERT_EQ(report.stop->name, stop->name) << seed;
      ASSERT_EQ(report.error, (Error{"file", stop->text()})) << seed;
    } else if (nonsense || !complete) {
      ASSERT_EQ(report.error, (Error{"file", "the worker process sent an invalid answer"})) << seed;
    } else {
      ASSERT_EQ(report.error, rest.error) << seed;
    }
  }
}

// --- Long texts ----------------------------------------------------------------------------------

// Gives every text of a report a length, with several elements in each list; or collects them.
class EveryText {
 public:
  explicit EveryText(std::size_t size) : size_(size) {}
  EveryText() = default;

  void operator()(auto&... values) { (visit(values), ...); }
  const std::vector<std::string>& all() const { return all_; }

 private:
  void visit(std::string& text) {
    if (size_) text = std::string(*size_, 'x') + std::to_string(all_.size());
    all_.push_back(text);
  }
  void visit(Figure&) {}  // with a word of the format
  template <class T>
  void visit(std::vector<T>& values) {
    if (size_) values.resize(3);
    for (T& each : values) visit(each);
  }
  template <class T>
  void visit(std::optional<T>& value) {
    if (size_) value.emplace();
    if (value) visit(*value);
  }
  template <class T>
  void visit(T& value) {
    if constexpr (requires { parts(*this, value); }) parts(*this, value);
  }

  std::optional<std::size_t> size_{};
  std::vector<std::string> all_{};
};

// Every text from a file is long; afterwards none is.
TEST(ReportParts, AreShortenedWithEveryText) {
  constexpr std::size_t kSize = 10'000;
  SubjectReport report;
  FileReport file{.path = std::string(kSize, 'p')};
  EveryText before(kSize), after;
  parts(before, report);
  parts(before, file);
  for (std::string& each : report.scope) each = "float";  // words of the program
  shorten(report);
  shorten(file);
  parts(after, report);
  parts(after, file);
  ASSERT_EQ(after.all().size(), before.all().size());
  EXPECT_GT(after.all().size(), 90u);
  for (std::size_t i = 0; i < after.all().size(); ++i) {
    const std::string& text = after.all()[i];
    if (text == "float") continue;
    EXPECT_LE(text.size(), kLongestText) << i;
    EXPECT_TRUE(text.contains(std::format("... ({} bytes", before.all()[i].size()))) << i;
  }
  EXPECT_EQ(file.path, std::string(kSize, 'p'));  // given by the user
}

}  // namespace
}  // namespace hepcheck::isolate
