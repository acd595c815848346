// The statements of the report formats, compared with slow and obvious computations: severities,
// counts, known findings.
#include <algorithm>
#include <format>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "fuzz/properties/random_report.h"
#include "reports/baseline.h"
#include "reports/formats.h"
#include "reports/merge.h"
#include "reports/tally.h"

namespace hepcheck::reports {

namespace {

using namespace hepcheck::fuzz;

Report draw_marked_report() {
  static const Clauses clauses;
  Noise noise(*rc::gen::arbitrary<std::uint64_t>().as("report") + 1);
  Report report = marked_report(noise, clauses);
  for (FileReport& file : report.files)
    if (noise.one_in(8)) file.unreadable.push_back({"/o", "odd"});
  return report;
}

Severity gravest_of(const ClauseResult& result, bool known) {
  Severity gravest =
      result.suppressed > 0 && result.suppressed_known == known ? result.severity : Severity::kNone;
  for (const Finding& finding : result.findings)
    if (finding.known == known) gravest = std::max(gravest, finding.severity);
  return gravest;
}

RC_GTEST_PROP(Tallies, CountClausesByNewFindings, ()) {
  const Report report = draw_marked_report();
  for (const FileReport& file : report.files)
    for (const SubjectReport& subject : file.subjects) {
      std::map<Severity, std::uint64_t> broken;  // by new findings; none: all of them are known
      std::map<Verdict, std::uint64_t> verdicts;
      std::uint64_t places = 0;
      Acceptance wanted;
      for (const ClauseResult& result : subject.clauses) {
        ++verdicts[result.verdict];
        wanted.lowered += result.lowered;
        if (result.verdict == Verdict::kFail) {
          const Severity gravest = gravest_of(result, false);
          ++broken[gravest];
          wanted.known += gravest_of(result, true) == Severity::kError;
          if (gravest != Severity::kError) continue;
          if (!result.suppressed_known) places += result.suppressed;
          for (const Finding& finding : result.findings)
            if (!finding.known && finding.severity == Severity::kError) places += 1 + finding.more;
        } else if (result.verdict == Verdict::kNotChecked) {
          ++(result.reason_known                  ? wanted.known_unchecked
             : result.left_out == LeftOut::kSkip  ? wanted.skipped
             : result.left_out == LeftOut::kOnly  ? wanted.not_asked
             : result.left_out == LeftOut::kDepth ? wanted.structure
                                                  : wanted.unchecked);
        }
      }
      const Tally tally(subject);
      RC_ASSERT(tally.broken == broken[Severity::kError]);
      RC_ASSERT(tally.warned == broken[Severity::kWarning]);
      RC_ASSERT(tally.advised == broken[Severity::kInfo]);
      RC_ASSERT(tally.known == broken[Severity::kNone]);
      RC_ASSERT(tally.places == places);
      RC_ASSERT(tally.passed == verdicts[Verdict::kPass]);
      RC_ASSERT(tally.not_applicable == verdicts[Verdict::kNotApplicable]);
      RC_ASSERT(tally.not_checked == verdicts[Verdict::kNotChecked]);
      RC_ASSERT(tally.accepted == wanted);
    }
}

// Accepted if nothing prevents it and something was suppressed.
Claim slow_claim(const SubjectReport& subject) {
  if (subject.verdict == SubjectVerdict::kFail) return Claim::kNotConformant;
  if (subject.verdict != SubjectVerdict::kPass) return Claim::kNotDecided;
  for (const ClauseResult& result : subject.clauses)
    if (result.lowered || result.verdict == Verdict::kNotChecked ||
        gravest_of(result, true) == Severity::kError)
      return Claim::kAccepted;
  return Claim::kConformant;
}

RC_GTEST_PROP(Tallies, OfARunFollowFromItsSubjects, ()) {
  const Report report = draw_marked_report();
  std::map<Claim, std::uint64_t> claims;
  std::uint64_t unexamined = 0, empty = 0;
  Acceptance accepted;
  for (const FileReport& file : report.files) {
    const bool whole = !file.error && file.unreadable.empty();
    unexamined += whole ? 0 : 1;
    empty += whole && file.subjects.empty();
    for (const SubjectReport& subject : file.subjects) {
      RC_ASSERT(claim_of(subject) == slow_claim(subject));
      ++claims[slow_claim(subject)];
      if (slow_claim(subject) == Claim::kAccepted) accepted += Tally(subject).accepted;
    }
  }
  const Totals totals(report);
  RC_ASSERT(totals.files == report.files.size());
  RC_ASSERT(totals.unexamined == unexamined);
  RC_ASSERT(totals.conformant == claims[Claim::kConformant]);
  RC_ASSERT(totals.accepted == claims[Claim::kAccepted]);
  RC_ASSERT(totals.failed == claims[Claim::kNotConformant]);
  RC_ASSERT(totals.open == claims[Claim::kNotDecided]);
  accepted.without_subject = empty;
  RC_ASSERT(totals.acceptance == accepted);
  const bool undecided = claims[Claim::kNotDecided] > 0 || unexamined > 0 || totals.subjects() == 0;
  const Claim claim = claims[Claim::kNotConformant] > 0           ? Claim::kNotConformant
                      : undecided                                 ? Claim::kNotDecided
                      : claims[Claim::kAccepted] > 0 || empty > 0 ? Claim::kAccepted
                                                                  : Claim::kConformant;
  RC_ASSERT(totals.claim() == claim);

  std::ostringstream badge;
  write_badge(badge, report);
  const auto json = nlohmann::json::parse(badge.str());
  const std::map<Claim, std::string> colours{{Claim::kConformant, "brightgreen"},
                                             {Claim::kAccepted, "yellow"},
                                             {Claim::kNotConformant, "red"},
                                             {Claim::kNotDecided, "lightgrey"}};
  RC_ASSERT(json.at("color") == colours.at(claim));
  RC_ASSERT(json.at("isError") == (claim == Claim::kNotConformant));
}

// Compared with itself nothing has changed; compared with nothing everything is new.
RC_GTEST_PROP(Compared, WithItselfAndWithNothing, ()) {
  const Report report = draw_marked_report();
  std::size_t all = 0;
  for (const FileReport& file : report.files)
    for (const SubjectReport& subject : file.subjects)
      for (const ClauseResult& result : subject.clauses)
        all += result.findings.size() + (result.suppressed > 0 ? 1 : 0);
  const auto whole = [](const std::string&) { return true; };
  const Comparison same = compare(report, report, "same", whole);
  RC_ASSERT(same.still == all);
  RC_ASSERT(same.fresh.empty());
  RC_ASSERT(same.gone.empty());
  Report nothing = report;
  for (FileReport& file : nothing.files) file.subjects.clear();
  const Comparison fresh = compare(report, nothing, "nothing", whole);
  RC_ASSERT(fresh.still == 0u);
  RC_ASSERT(fresh.fresh.size() == all);
}

// Parts of a run merge to the run; those of another specification are refused.
RC_GTEST_PROP(Merged, PartsEqualTheWhole, ()) {
  const Report report = draw_marked_report();
  Report whole;
  for (const FileReport& file : report.files) {
    Report part = report;
    part.files = {file};
    part.settings = {{.file = "s"}};
    part.compared = report.compared && &file == &report.files.front();
    part.gone = {{.file = file.path}};
    RC_ASSERT(!merge(whole, std::move(part)));
  }
  RC_ASSERT(whole.spec == report.spec);
  RC_ASSERT(whole.hepcheck == report.hepcheck);
  RC_ASSERT(whole.compared == report.compared);
  RC_ASSERT(whole.settings.size() == 1);
  RC_ASSERT(whole.files.size() == report.files.size());
  RC_ASSERT(whole.gone.size() == report.files.size());
  for (std::size_t i = 0; i < report.files.size(); ++i) {
    RC_ASSERT(whole.files[i].path == report.files[i].path);
    RC_ASSERT(whole.gone[i].file == report.files[i].path);
    RC_ASSERT(whole.files[i].subjects.size() == report.files[i].subjects.size());
  }
  // A duplicate part is refused; other subjects of the same file are another part.
  Report again = report;
  again.files = {report.files.front()};
  RC_ASSERT(merge(whole, again).has_value());
  RC_ASSERT(whole.files.size() == report.files.size());
  again.files.front().subjects = {{.path = "/other", .spec = report.spec}};
  RC_ASSERT(!merge(whole, again));
  RC_ASSERT(whole.files.size() == report.files.size() + 1);
  whole.files.pop_back();
  Report other;
  other.spec = &all_specifications()[report.spec == &all_specifications()[0]];
  RC_ASSERT(merge(whole, std::move(other)).has_value());
  RC_ASSERT(whole.files.size() == report.files.size());
}

// Each of several parts may have its own notes.
TEST(Merged, IsStampedIfAnyPartIs) {
  Report whole, first{.spec = &default_specification()}, other{.spec = &default_specification()};
  first.stamped = true;
  first.date = "today";
  first.files = {{.path = "f", .subjects = {{.path = "/s", .spec = &all_specifications()[0]}}}};
  other.files = {{.path = "f", .subjects = {{.path = "/s", .spec = &all_specifications()[1]}}}};
  EXPECT_FALSE(merge(whole, first));
  EXPECT_FALSE(merge(whole, other)) << "the same file by another specification";
  EXPECT_TRUE(whole.stamped);
  EXPECT_EQ(whole.date, "today");
  EXPECT_EQ(whole.files.size(), 2u);
}

TEST(Merged, ComparisonsAreAdded) {
  const auto part = [](const char* file, const char* earlier, const char* clause) {
    Report report{.spec = &default_specification()};
    report.files = {{.path = file}};
    if (earlier)
      report.against = Comparison{.earlier = earlier,
                                  .fresh = {{.file = file, .clause = clause}},
                                  .gone = {{.file = file, .clause = "gone"}},
                                  .still = 2};
    return report;
  };
  Report whole;
  EXPECT_FALSE(merge(whole, part("a", nullptr, "")));
  EXPECT_FALSE(whole.against);
  EXPECT_FALSE(merge(whole, part("b", "old.json", "b")));
  EXPECT_EQ(whole.against, part("b", "old.json", "b").against);
  EXPECT_FALSE(merge(whole, part("c", "old.json", "c")));
  EXPECT_FALSE(merge(whole, part("d", "other.json", "d")));
  ASSERT_TRUE(whole.against);
  EXPECT_EQ(whole.against->earlier, "old.json, other.json");
  ASSERT_EQ(whole.against->fresh.size(), 3u);
  EXPECT_EQ(whole.against->fresh[1].clause, "c");
  ASSERT_EQ(whole.against->gone.size(), 3u);
  EXPECT_EQ(whole.against->gone[2].file, "d");
  EXPECT_EQ(whole.against->still, 6u);
}

// --- Texts ---------------------------------------------------------------------------------------

SubjectReport of_kind(const char* kind, const Specification& spec = default_specification()) {
  return {.kind = kind, .path = "/s", .spec = &spec};
}

TEST(Words, OfJudgedSubjects) {
  Report report{.spec = &default_specification()};
  EXPECT_EQ(kind_of(report), format_of(default_specification()).subject);
  report.files = {{.path = "f", .subjects = {of_kind("leaf"), of_kind("leaf")}}};
  EXPECT_EQ(kind_of(report), "leaf");
  report.files.push_back({.path = "g", .subjects = {of_kind("root")}});
  EXPECT_EQ(kind_of(report), "subject");
}

TEST(Words, OfDistinctSpecifications) {
  const Specification& first = default_specification();
  const Specification& other = all_specifications()[&first == &all_specifications()[0]];
  Report report{.spec = &first};
  report.files = {
      {.path = "f", .subjects = {of_kind("k", other), of_kind("k", first), of_kind("k", other)}}};
  EXPECT_EQ(specifications_of(report), (std::vector{&first, &other}));
}

// The title names what was judged, not what was intended.
TEST(Words, OfJudgedFormats) {
  const Format& usual = format_of(default_specification());
  const auto other = std::ranges::find_if(
      all_specifications(), [&](const Specification& spec) { return &format_of(spec) != &usual; });
  ASSERT_NE(other, all_specifications().end());
  Report report{.spec = &default_specification()};
  EXPECT_EQ(title_of(report), usual.title);
  report.files = {{.path = "f", .subjects = {of_kind("k", *other)}}};
  EXPECT_EQ(title_of(report), format_of(*other).title);
  report.files.push_back({.path = "g", .subjects = {of_kind("k"), of_kind("k")}});
  EXPECT_EQ(title_of(report), std::format("{}, {}", usual.title, format_of(*other).title));
}

TEST(Words, OfAFileThatCouldNotBeExamined) {
  Report report{.spec = &default_specification()};
  EXPECT_EQ(headline(report).text,
            std::format("no {}s", format_of(default_specification()).subject));
  report.files = {{.path = "f", .error = Error{"f", "damaged"}}};
  EXPECT_EQ(headline(report).text, "not fully checked");
}

TEST(Words, OfNumbers) {
  EXPECT_EQ(counted(0, "row"), "0 rows");
  EXPECT_EQ(counted(1, "row"), "1 row");
  EXPECT_EQ(counted(2, "row"), "2 rows");
  EXPECT_EQ(capitalised("az"), "Az");
  EXPECT_EQ(capitalised("za"), "Za");
  EXPECT_EQ(capitalised("{a"), "{a");
  EXPECT_EQ(capitalised(""), "");
}

TEST(Words, OfFilesThatCouldNotBeJudged) {
  Report report{.spec = &default_specification()};
  report.files = {
      {.path = "a", .error = Error{"a", "damaged"}},
      {.path = "b", .unreadable = {Error{"/t", "odd"}, Error{"/u", "odd"}}},
      {.path = "c"},
      {.path = "d", .error = Error{"d", "damaged"}},
      {.path = "e"},
      {.path = "f", .subjects = {of_kind("k")}},
  };
  std::vector<std::string> listed;
  for (const Trouble& trouble : troubles(report)) {
    listed.push_back(trouble.reason + (trouble.examined ? " (examined)" : ""));
    listed.insert(listed.end(), trouble.places.begin(), trouble.places.end());
  }
  const std::string absent(format_of(default_specification()).absent);
  EXPECT_EQ(listed, (std::vector<std::string>{"damaged", "a", "d", "odd", "b:/t", "b:/u",
                                              absent + " (examined)", "c", "e"}));
}

TEST(Words, OfEqualFindings) {
  ClauseResult result{.verdict = Verdict::kFail};
  for (const char* observed : {"0", "1", "0", "2", "1", "0"})
    result.findings.push_back({.object = "/o", .observed = observed});
  std::vector<std::vector<std::ptrdiff_t>> places;
  for (const auto& group : alike(result)) {
    places.emplace_back();
    for (const Finding* finding : group) places.back().push_back(finding - result.findings.data());
  }
  EXPECT_EQ(places, (std::vector<std::vector<std::ptrdiff_t>>{{0, 2, 5}, {1, 4}, {3}}));
  SubjectReport subject = of_kind("k");
  const Clause* const clause = &default_specification().clauses[0];
  subject.clauses =
      ClauseResults({{.clause = clause, .verdict = Verdict::kNotChecked, .reason = "a"},
                     {.clause = clause + 1, .verdict = Verdict::kPass, .reason = "a"},
                     {.clause = clause + 2, .verdict = Verdict::kNotChecked, .reason = "b"},
                     {.clause = clause + 3, .verdict = Verdict::kNotChecked, .reason = "a"}});
  const std::vector<Unchecked> open = not_checked(subject);
  ASSERT_EQ(open.size(), 2u);
  EXPECT_EQ(open[0].clauses, (std::vector{clause, clause + 3}));
  EXPECT_EQ(open[1].clauses, (std::vector{clause + 2}));
}

TEST(Words, OfAStamp) {
  Report report{.hepcheck = "1", .spec = &default_specification()};
  report.date = "today";
  EXPECT_EQ(stamp_line(report), "hepcheck 1 on today");
  report.options = {"--a", "--b", "--c"};
  EXPECT_EQ(stamp_line(report), "hepcheck 1 on today, with --a --b --c");
}

TEST(Words, OfAcceptedClauses) {
  EXPECT_EQ((Acceptance{.known = 1, .skipped = 2}).words(), "1 known violation, 2 clauses skipped");
  EXPECT_EQ((Acceptance{.not_asked = 1, .structure = 1}).words(),
            "1 clause not selected, 1 clause excluded by --depth");
  EXPECT_EQ(Acceptance().words(), "");
}

TEST(Words, OfLeadingFigures) {
  SubjectReport subject = of_kind("");
  subject.kind = format_of(*subject.spec).subject;
  std::vector<std::optional<std::uint64_t>> wanted;
  for (const FigureWords& words : format_of(*subject.spec).figures) {
    subject.figures.push_back({.key = std::string(words.key), .value = subject.figures.size()});
    if (words.leads) wanted.push_back(subject.figures.back().value);
  }
  ASSERT_FALSE(wanted.empty());
  std::vector<std::optional<std::uint64_t>> led;
  for (const LeadFigure& each : lead_figures(subject)) led.push_back(each.value);
  EXPECT_EQ(led, wanted);
}

// For a clause that is not violated, whatever else is reported about it.
TEST(Verdicts, OnlyViolatedClausesHaveASeverity) {
  ClauseResult result{.verdict = Verdict::kFail, .severity = Severity::kWarning, .suppressed = 1};
  EXPECT_EQ(result.open_severity(), Severity::kWarning);
  result.verdict = Verdict::kNotChecked;
  EXPECT_EQ(result.open_severity(), Severity::kNone);
}

TEST(Verdicts, UnreadableObjectsPreventSuccess) {
  Report report{.spec = &default_specification()};
  report.files = {{.path = "f", .subjects = {of_kind("k")}}};
  EXPECT_EQ(exit_status(report), 0);
  report.files[0].unreadable = {Error{"/o", "damaged"}};
  EXPECT_EQ(exit_status(report), 3);
}

}  // namespace

}  // namespace hepcheck::reports
