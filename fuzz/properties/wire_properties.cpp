// Reports between processes: they round-trip, and invalid ones are rejected.
#include <algorithm>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "fuzz/properties/random_values.h"
#include "validator/format.h"
#include "validator/isolate/frame.h"
#include "validator/isolate/report_size.h"
#include "validator/isolate/report_stream.h"
#include "validator/isolate/wire.h"
#include "validator/shorten.h"

namespace hepcheck::isolate {

namespace {

using namespace hepcheck::fuzz;

// --- Reports ------------------------------------------------------------------------------------

// Whether every text is longer than a report may have it, and of one letter.
bool all_are_long = false;

std::string some_text(Choices& c) {
  if (all_are_long) return std::string(kLongestText + 1 + c.below(2 * kLongestText), 'x');
  constexpr std::size_t kLengths[] = {0, 1, 7, 8, 9, 40, kLongestText};
  std::string text(c.one_in(30) ? kLongestText : c.of(kLengths) % 50, 'x');
  for (char& each : text) each = static_cast<char>(c.below(256));
  return text;
}

std::vector<std::string> some_texts(Choices& c) {
  std::vector<std::string> texts(c.below(3));
  for (std::string& each : texts) each = some_text(c);
  return texts;
}

std::vector<Figure> some_figures(Choices& c) {
  std::vector<Figure> figures(c.below(3));
  for (Figure& each : figures) {
    each.key = std::string(1 + c.below(32), static_cast<char>('a' + c.below(26)));
    if (c.maybe()) each.value = c.bits();
  }
  return figures;
}

Strip some_strip(Choices& c) {
  return {.kind = some_text(c),
          .path = some_text(c),
          .state = some_text(c),
          .compared = c.maybe(),
          .reason = some_text(c),
          .unit = some_text(c),
          .differences = Spread::of(std::uint64_t{1} << c.below(4), {{c.below(4), 1 + c.below(9)}}),
          .marks = some_figures(c)};
}

Part some_part(Choices& c) {
  Part part{.name = some_text(c),
            .type = some_text(c),
            .figures = some_figures(c),
            .labels = some_texts(c),
            .answer = some_text(c),
            .reasons = some_texts(c)};
  part.missing = {.rows_per_cell = c.below(5), .missing = {c.below(2), c.bits()}};
  for (std::uint64_t n = c.below(3); n > 0; --n) part.strips.push_back(some_strip(c));
  for (std::uint64_t n = c.below(3); n > 0; --n)
    part.layers.push_back({.kind = some_text(c),
                           .path = some_text(c),
                           .figures = some_figures(c),
                           .reason = some_text(c)});
  return part;
}

// A map whose parts belong together.
FileMap some_map(Choices& c) {
  FileMap map{.size = c.bits(),
              .base = c.bits(),
              .end = c.bits(),
              .kinds = some_texts(c),
              .objects = some_texts(c),
              .trouble = some_texts(c),
              .ranges_left_out = c.below(3),
              .fields_left_out = c.below(3)};
  map.kinds.push_back(some_text(c));
  map.objects.push_back(some_text(c));
  std::uint64_t at = 0;
  for (std::uint64_t i = 0, n = c.below(4); i < n; ++i) {
    at += c.below(100);
    map.ranges.push_back({.address = at,
                          .size = 10 + c.below(100),
                          .kind = c.below(map.kinds.size()),
                          .object = c.below(map.objects.size())});
    for (std::uint64_t k = c.below(3); k > 0; --k)
      map.fields.push_back({.address = at + c.below(5),
                            .size = c.below(6),
                            .range = i,
                            .name = some_text(c),
                            .value = some_text(c)});
  }
  for (std::uint64_t n = c.below(3); n > 0; --n)
    map.findings.push_back({.address = c.bits(),
                            .severity = Severity::kWarning,
                            .decoded = c.maybe(),
                            .clause = some_text(c),
                            .object = some_text(c),
                            .observed = some_text(c),
                            .expected = some_text(c)});
  return map;
}

Finding some_finding(Choices& c) {
  constexpr Severity kSeverities[] = {Severity::kNone, Severity::kInfo, Severity::kWarning,
                                      Severity::kError};
  return {.object = some_text(c),
          .attribute = some_text(c),
          .where = some_text(c),
          .observed = some_text(c),
          .expected = some_text(c),
          .hint = some_text(c),
          .witness = some_text(c),
          .more = c.bits(),
          .severity = c.of(kSeverities),
          .known = c.maybe()};
}

ClauseResult some_result(Choices& c, const Specification& spec, std::size_t clause) {
  constexpr Verdict kVerdicts[] = {Verdict::kPass, Verdict::kFail, Verdict::kNotApplicable,
                                   Verdict::kNotChecked};
  constexpr LeftOut kWays[] = {LeftOut::kNot, LeftOut::kSkip, LeftOut::kOnly, LeftOut::kDepth};
  ClauseResult made{.clause = &spec.clauses[clause],
                    .verdict = c.of(kVerdicts),
                    .reason = some_text(c),
                    .examined = c.bits(),
                    .suppressed = c.below(3),
                    .left_out = c.of(kWays),
                    .suppressed_known = c.maybe(),
                    .reason_known = c.maybe(),
                    .lowered = c.maybe()};
  if (c.one_in(3)) made.blocked_by = {&spec.clauses.front(), &spec.clauses.back()};
  for (std::uint64_t n = c.below(3); n > 0; --n) made.findings.push_back(some_finding(c));
  return made;
}

SubjectReport some_subject(Choices& c) {
  constexpr SubjectVerdict kVerdicts[] = {SubjectVerdict::kPass, SubjectVerdict::kFail,
                                          SubjectVerdict::kUnsupported, SubjectVerdict::kUnchecked};
  constexpr ChosenBy kWays[] = {ChosenBy::kOption, ChosenBy::kDefault, ChosenBy::kSign};
  const Specification& spec = all_specifications()[c.below(all_specifications().size())];
  SubjectReport made{.kind = "table", .path = some_text(c), .spec = &spec};
  made.choice = {.by = c.of(kWays), .sign = some_text(c), .path = some_text(c)};
  made.verdict = c.of(kVerdicts);
  made.reason = some_text(c);
  if (c.maybe()) made.scope = {"integer", "a b"};
  made.notes = some_texts(c);
  made.figures = some_figures(c);
  for (std::uint64_t n = c.below(3); n > 0; --n) made.parts.push_back(some_part(c));
  if (c.maybe())
    made.layout =
        ByteMap{.size = c.bits(), .kinds = {"k", some_text(c)}, .bytes = {c.bits(), 0, c.bits()}};
  if (c.one_in(3)) made.map = some_map(c);
  return made;
}

// As many results as differ from those of the previous subject, at the threshold: a quarter of
// them.
std::vector<SubjectReport> some_subjects(Choices& c) {
  std::vector<SubjectReport> made;
  for (std::uint64_t n = c.below(4); n > 0; --n) {
    SubjectReport each = some_subject(c);
    if (!made.empty() && c.maybe()) each.spec = made.back().spec;
    const std::size_t size = std::min<std::size_t>(c.below(4) * 4, each.spec->clauses.size());
    std::vector<ClauseResult> results;
    if (!made.empty() && made.back().spec == each.spec && c.maybe()) {
      results.assign(made.back().clauses.begin(), made.back().clauses.end());
      const std::uint64_t changed = c.below(results.size() / 4 + 2);
      for (std::uint64_t i = 0; i < std::min<std::uint64_t>(changed, results.size()); ++i)
        results[i] = some_result(c, *each.spec, i);
    } else {
      for (std::size_t i = 0; i < size; ++i) results.push_back(some_result(c, *each.spec, i));
    }
    each.clauses = ClauseResults(std::move(results));
    made.push_back(std::move(each));
  }
  return made;
}

Stop some_stop(Choices& c) {
  constexpr StopCause kCauses[] = {StopCause::kSignal, StopCause::kLimit, StopCause::kExit};
  return {.cause = c.of(kCauses),
          .name = some_text(c),
          .stage = some_text(c),
          .object = some_text(c),
          .subject = some_text(c)};
}

FileReport some_file(Choices& c) {
  FileReport made{.path = "f.h5", .subjects = some_subjects(c)};
  if (c.one_in(3)) made.error = Error{some_text(c), some_text(c)};
  for (std::uint64_t n = c.below(3); n > 0; --n)
    made.unreadable.push_back({some_text(c), some_text(c)});
  if (c.one_in(3)) made.stop = some_stop(c);
  made.lacked_memory = c.maybe();
  return made;
}

bool same(const Part& a, const Part& b) {
  return a.name == b.name && a.type == b.type && a.figures == b.figures && a.labels == b.labels &&
         a.missing == b.missing && a.strips == b.strips && a.layers == b.layers &&
         a.answer == b.answer && a.reasons == b.reasons;
}

bool same(const SubjectReport& a, const SubjectReport& b) {
  return a.kind == b.kind && a.path == b.path && a.spec == b.spec && a.choice == b.choice &&
         a.verdict == b.verdict && a.reason == b.reason && a.scope == b.scope &&
         a.notes == b.notes && a.figures == b.figures &&
         std::ranges::equal(a.parts, b.parts, [](auto& x, auto& y) { return same(x, y); }) &&
         a.layout == b.layout && a.map == b.map && std::ranges::equal(a.clauses, b.clauses);
}

bool same(const std::vector<SubjectReport>& a, const std::vector<SubjectReport>& b) {
  return std::ranges::equal(a, b, [](auto& x, auto& y) { return same(x, y); });
}

bool same(const Stop& a, const Stop& b) {
  return a.cause == b.cause && a.name == b.name && a.stage == b.stage && a.object == b.object &&
         a.subject == b.subject;
}

std::vector<std::string> messages_of(const FileReport& file) {
  std::vector<std::string> messages;
  ReportSender([&](std::string_view message) { messages.emplace_back(message); }).whole(file);
  return messages;
}

FileReport read(const std::vector<std::string>& messages, std::uint64_t most = 100) {
  ReportReader reader(most);
  for (const std::string& message : messages) reader.take(message);
  return std::move(reader).report("g.h5");
}

constexpr const char* kNonsense = "the worker process sent an invalid answer";

FileReport draw_file() {
  Noise noise(*rc::gen::arbitrary<std::uint64_t>().as("file") + 1);
  return some_file(noise);
}

// --- Round trips ---------------------------------------------------------------------------------

RC_GTEST_PROP(Messages, RoundTrip, ()) {
  const FileReport file = draw_file();
  const FileReport back = read(messages_of(file));
  RC_ASSERT(back.path == "g.h5");
  RC_ASSERT(same(back.subjects, file.subjects));
  RC_ASSERT(back.unreadable == file.unreadable);
  RC_ASSERT(back.lacked_memory == file.lacked_memory);
  RC_ASSERT(back.stop.has_value() == file.stop.has_value());
  if (file.stop) {
    RC_ASSERT(same(*back.stop, *file.stop));
    const Error wanted{"g.h5", file.stop->text()};
    RC_ASSERT(back.error == wanted);
  } else {
    RC_ASSERT(back.error == file.error);
  }
}

// No text of a shortened report is too long, wherever it is. Rules shorten their own findings.
RC_GTEST_PROP(Messages, OfShortenedReportsHaveNoLongText, ()) {
  all_are_long = true;
  FileReport file = draw_file();
  all_are_long = false;
  shorten(file);
  for (SubjectReport& subject : file.subjects) {
    shorten(subject);
    subject.clauses = {};
  }
  file.stop.reset();
  for (const std::string& message : messages_of(file))
    RC_ASSERT(message.find(std::string(kLongestText + 1, 'x')) == message.npos);
}

// A message that is missing, or unexpected.
RC_GTEST_PROP(Messages, OfAnIncompleteReportAreRejected, ()) {
  FileReport file = draw_file();
  file.stop.reset();
  std::vector<std::string> messages = messages_of(file);
  const auto is_nonsense = [](const FileReport& report) {
    return report.error == Error{"g.h5", kNonsense} && !report.stop;
  };
  std::vector<std::string> half = messages;
  half.pop_back();  // the message about the file itself, not about a subject
  RC_ASSERT(is_nonsense(read(half)));
  RC_ASSERT(read(half).subjects.size() == file.subjects.size());
  for (const std::string& more : {std::string(), std::string("?"), messages.front()}) {
    std::vector<std::string> longer = messages;
    longer.push_back(more);
    RC_ASSERT(is_nonsense(read(longer)));
  }
  const std::uint64_t subjects = file.subjects.size();
  RC_ASSERT(!is_nonsense(read(messages, subjects)));
  if (subjects > 0) {
    RC_ASSERT(is_nonsense(read(messages, subjects - 1)));
    RC_ASSERT(read(messages, subjects - 1).subjects.size() == subjects - 1);
  }
}

// Any of the messages with a byte changed, removed or inserted: rejected, or decoded as it is.
RC_GTEST_PROP(Messages, ThatWereChangedAreRejectedOrValid, ()) {
  FileReport file = draw_file();
  file.stop.reset();
  Noise noise(*rc::gen::arbitrary<std::uint64_t>().as("change") + 1);
  std::vector<std::string> messages = messages_of(file);
  std::string& message = messages[noise.below(messages.size())];
  const std::size_t at = noise.below(message.size());
  const std::uint64_t way = noise.below(4);
  if (way == 0)
    message.erase(at);
  else if (way == 1)
    message += '\0';
  else
    message[at] =
        way == 2 ? static_cast<char>(noise.below(256)) : static_cast<char>(message[at] + 1);
  const FileReport back = read(messages);
  if (back.error == Error{"g.h5", kNonsense}) return;
  RC_ASSERT(way > 1);
  const std::vector<std::string> again = messages_of(back);
  const FileReport twice = read(again);
  RC_ASSERT(same(twice.subjects, back.subjects));
}

// --- Boundaries ----------------------------------------------------------------------------------

bool comes_back(const SubjectReport& subject) {
  ClauseResults sent, received;
  return subject_from_wire(to_wire(subject, sent), received).has_value();
}

SubjectReport plain() { return {.kind = "table", .path = "/t", .spec = &default_specification()}; }

TEST(Wire, AcceptsTextsUpToTheLimitsOfReports) {
  for (const std::size_t size : {kLongestText - 1, kLongestText, kLongestText + 1}) {
    SubjectReport subject = plain();
    subject.path = std::string(size, 'x');
    EXPECT_EQ(comes_back(subject), size <= kLongestText) << size;
    FileReport file{.error = Error{std::string(size, 'x'), ""}};
    EXPECT_EQ(file_from_wire(to_wire(file)).has_value(), size <= kLongestText) << size;
    const Stop stop{.stage = std::string(size, 'x')};
    EXPECT_EQ(stop_from_wire(to_wire(stop)).has_value(), size <= kLongestText) << size;
  }
}

TEST(Wire, AcceptsOnlyValidKeysOfFigures) {
  const auto with = [](std::vector<Figure> figures) {
    SubjectReport subject = plain();
    subject.figures = std::move(figures);
    return comes_back(subject);
  };
  for (const std::size_t count : {0u, 15u, 16u, 17u})
    EXPECT_EQ(with(std::vector<Figure>(count, Figure{"key", 1})), count <= 16) << count;
  for (const std::size_t size : {0u, 1u, 31u, 32u, 33u})
    EXPECT_EQ(with({{std::string(size, 'z'), {}}}), size > 0 && size <= 32) << size;
  for (const char* key : {"a", "z", "_", "abcxyz_", "a_b"}) EXPECT_TRUE(with({{key, 7}})) << key;
  for (const char* key : {"A", "Z", "0", "9", "-", ".", " ", "a ", "{", "`", "\n"})
    EXPECT_FALSE(with({{key, 7}})) << key;
}

TEST(Wire, AcceptsOnlyWordsForKindsAndScopes) {
  SubjectReport subject = plain();
  EXPECT_TRUE(comes_back(subject));
  subject.scope = {"integer", ""};
  EXPECT_FALSE(comes_back(subject));
  subject.scope = {"integer"};
  EXPECT_TRUE(comes_back(subject));
  subject.kind = "<b>";
  EXPECT_FALSE(comes_back(subject));
}

// Each text of a report: one that is too long is rejected, and accepted when shortened; names keep
// a digest.
TEST(Wire, AcceptsShortenedTexts) {
  const std::string text(kLongestText + 50, 'x');
  const auto part = [](auto change) {
    return [=](SubjectReport& subject) {
      subject.parts = {{.name = "p", .strips = {{.kind = "k"}}, .layers = {{.kind = "l"}}}};
      change(subject.parts[0]);
    };
  };
  const std::vector<std::pair<bool, std::function<void(SubjectReport&)>>> changes{
      {true, [&](SubjectReport& it) { it.path = text; }},
      {false, [&](SubjectReport& it) { it.choice.sign = text; }},
      {true, [&](SubjectReport& it) { it.choice.path = text; }},
      {false, [&](SubjectReport& it) { it.reason = text; }},
      {false, [&](SubjectReport& it) { it.notes = {"a", text}; }},
      {false, [&](SubjectReport& it) { it.layout = ByteMap{.kinds = {"a", text}}; }},
      {true, part([&](Part& it) { it.name = text; })},
      {false, part([&](Part& it) { it.type = text; })},
      {true, part([&](Part& it) { it.labels = {"a", text}; })},
      {false, part([&](Part& it) { it.answer = text; })},
      {false, part([&](Part& it) { it.reasons = {"a", text}; })},
      {false, part([&](Part& it) { it.strips[0].kind = text; })},
      {true, part([&](Part& it) { it.strips[0].path = text; })},
      {false, part([&](Part& it) { it.strips[0].state = text; })},
      {false, part([&](Part& it) { it.strips[0].reason = text; })},
      {false, part([&](Part& it) { it.strips[0].unit = text; })},
      {true, part([&](Part& it) { it.layers[0].path = text; })},
      {false, part([&](Part& it) { it.layers[0].reason = text; })}};
  const std::string ending = "... (" + std::to_string(text.size()) + " bytes";
  for (std::size_t i = 0; i < changes.size(); ++i) {
    const auto& [name, change] = changes[i];
    SubjectReport subject = plain();
    change(subject);
    EXPECT_FALSE(comes_back(subject)) << i;
    shorten(subject);
    EXPECT_TRUE(comes_back(subject)) << i;
    ClauseResults none;
    EXPECT_TRUE(to_wire(subject, none).contains(ending + (name ? ", " : ")"))) << i;
  }
  FileReport file{.error = Error{text, text}, .unreadable = {{text, text}}};
  EXPECT_FALSE(file_from_wire(to_wire(file)));
  shorten(file);
  EXPECT_TRUE(file_from_wire(to_wire(file)));
  for (const Error& each : {*file.error, file.unreadable[0]}) {
    EXPECT_TRUE(each.context.contains(ending + ", "));
    EXPECT_TRUE(each.cause.ends_with(ending + ")"));
  }
  Finding finding{text, text, text, text, text, text, text};
  shorten(finding);
  for (const std::string& each : {finding.object, finding.attribute, finding.where})
    EXPECT_TRUE(each.contains(ending + ", "));
  for (const std::string& each :
       {finding.observed, finding.expected, finding.hint, finding.witness})
    EXPECT_TRUE(each.ends_with(ending + ")"));
}

std::vector<ClauseResult> results_of(const Specification& spec, std::size_t size) {
  std::vector<ClauseResult> made;
  for (std::size_t i = 0; i < size; ++i) made.push_back({.clause = &spec.clauses[i]});
  return made;
}

// Results that only refer to those of a previous subject are rejected if there was none, or one of
// another specification.
TEST(Wire, RejectsReferencesToUnsentResults) {
  SubjectReport subject = plain();
  subject.clauses = ClauseResults(results_of(*subject.spec, 16));
  ClauseResults sent;
  const std::string first = to_wire(subject, sent), second = to_wire(subject, sent);
  EXPECT_LT(second.size(), first.size());
  ClauseResults received;
  EXPECT_FALSE(subject_from_wire(second, received));
  ASSERT_TRUE(subject_from_wire(first, received));
  EXPECT_TRUE(subject_from_wire(second, received));
  for (const Specification& other : all_specifications()) {
    if (&other == subject.spec) continue;
    SubjectReport another = plain();
    another.spec = &other;
    another.clauses = ClauseResults(results_of(other, 16));
    ClauseResults others, begun;
    ASSERT_TRUE(subject_from_wire(to_wire(another, others), begun));
    EXPECT_FALSE(subject_from_wire(second, begun)) << other.id;
  }
}

// Few differences from the previous ones are sent alone; more than a quarter sends everything.
TEST(Wire, SendsDifferences) {
  for (const std::size_t changed : {0u, 1u, 3u, 4u, 5u, 15u, 16u}) {
    SubjectReport subject = plain();
    std::vector<ClauseResult> results = results_of(*subject.spec, 16);
    subject.clauses = ClauseResults(results);
    ClauseResults sent, received;
    const std::string first = to_wire(subject, sent);
    ASSERT_TRUE(subject_from_wire(first, received));
    for (std::size_t i = 0; i < changed; ++i) results[i].examined = 5;
    subject.clauses = ClauseResults(results);
    const std::string second = to_wire(subject, sent);
    EXPECT_EQ(second.size() < first.size(), changed <= 4) << changed;
    const auto back = subject_from_wire(second, received);
    ASSERT_TRUE(back) << changed;
    EXPECT_TRUE(std::ranges::equal(back->clauses, results)) << changed;
  }
}

// --- Frames -------------------------------------------------------------------------------------

std::string frame(FrameKind kind, std::string_view bytes, std::uint64_t task) {
  const FrameHead head{.kind = kind, .task = task, .size = bytes.size()};
  return std::string(reinterpret_cast<const char*>(&head), sizeof head).append(bytes);
}

// For any division into pieces, and up to the maximum number of bytes.
RC_GTEST_PROP(Frames, AreDecodedForAnyDivision, ()) {
  Noise noise(*rc::gen::arbitrary<std::uint64_t>().as("frames") + 1);
  constexpr FrameKind kKinds[] = {FrameKind::kRefused, FrameKind::kMessage, FrameKind::kFinished};
  std::vector<std::string> wanted, found;
  std::string all;
  for (std::uint64_t n = noise.below(6); n > 0; --n) {
    const FrameKind kind = noise.of(kKinds);
    const std::string bytes(noise.below(60), static_cast<char>('a' + noise.below(26)));
    wanted.push_back(frame(kind, bytes, noise.bits()));
    all += wanted.back();
  }
  const bool enough = noise.maybe() || all.empty();
  FrameReader reader(
      [&](const FrameHead& head, std::string_view bytes) {
        found.push_back(frame(head.kind, bytes, head.task));
      },
      enough ? all.size() : all.size() - 1);
  bool taken = true;
  for (std::string_view rest = all; !rest.empty();) {
    const std::size_t size = 1 + noise.below(std::min<std::size_t>(rest.size(), 40));
    taken = taken && reader.take(rest.substr(0, size));
    rest.remove_prefix(size);
  }
  RC_ASSERT(taken == enough);
  if (!enough) wanted.pop_back();
  found.resize(std::min(found.size(), wanted.size()));
  RC_ASSERT(std::ranges::equal(found, std::span(wanted).first(found.size())));
  if (enough) RC_ASSERT(found == wanted);
}

// --- Memory --------------------------------------------------------------------------------------

TEST(Sizes, GrowWithTheContents) {
  const FileReport empty{.path = "f"};
  const std::uint64_t none = bytes_held(empty);
  EXPECT_GE(none, sizeof(FileReport));
  const auto more = [&](auto add) {
    FileReport file = empty;
    add(file);
    return bytes_held(file) - none;
  };
  const std::string text(1000, 'x');
  EXPECT_GE(more([&](FileReport& file) { file.path = text; }), 1000u);
  EXPECT_GE(more([&](FileReport& file) { file.error = Error{text, text}; }), 2000u);
  EXPECT_GE(more([&](FileReport& file) { file.stop = Stop{.object = text}; }), 1000u);
  EXPECT_GE(more([&](FileReport& file) { file.unreadable.assign(3, {text, text}); }), 6000u);
  const auto subject = [&](auto add) {
    return more([&](FileReport& file) {
      file.subjects = {plain()};
      add(file.subjects[0]);
    });
  };
  const std::uint64_t one = subject([](SubjectReport&) {});
  EXPECT_GE(one, sizeof(SubjectReport));
  EXPECT_GE(subject([&](SubjectReport& it) { it.notes.assign(2, text); }), one + 2000);
  EXPECT_GE(subject([&](SubjectReport& it) { it.parts.assign(2, {.name = text}); }), one + 2000);
  EXPECT_GE(subject([&](SubjectReport& it) {
              it.layout = ByteMap{.bytes = std::vector<std::uint64_t>(100)};
            }),
            one + 800);
  std::vector<ClauseResult> results = results_of(default_specification(), 16);
  const ClauseResults shared(results);
  EXPECT_EQ(subject([&](SubjectReport& it) { it.clauses = shared; }), one);
  EXPECT_GE(bytes_held(shared), 16 * sizeof(ClauseResult));
  results[3].reason = text;
  EXPECT_GE(bytes_held(ClauseResults(results)), bytes_held(shared) + 1000);
  EXPECT_GE(subject([&](SubjectReport& it) {
              it.clauses = ClauseResults::with(shared, {{3, results[3]}});
            }),
            one + sizeof(ClauseResults::Difference) + 1000);
}

}  // namespace

}  // namespace hepcheck::isolate
