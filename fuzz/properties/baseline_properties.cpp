// Baselines: known, new and gone findings; at one more and one less than the baseline states, with
// several findings at a place and of several severities.
#include <algorithm>
#include <map>
#include <sstream>

#include "fuzz/properties/random_report.h"
#include "reports/baseline.h"
#include "validator/format.h"

namespace hepcheck::reports {

namespace {

using namespace hepcheck::fuzz;

std::string same(const std::string& path) { return path; }
bool always(const std::string&) { return true; }

// A place, and the entries of the baseline for it, in order.
using Place = std::tuple<std::string, std::string, std::string, std::string, std::string,
                         std::string, std::string>;
Place place_of(const KnownFinding& k) {
  return {k.file, k.subject, k.clause, k.object, k.attribute, k.where, k.not_checked};
}

// Everything of a report that a baseline covers, in order.
struct Met {
  KnownFinding finding{};
  Severity severity = Severity::kNone;
  bool known = false;
};
std::vector<Met> findings_of(const Report& report) {
  std::vector<Met> all;
  for (const FileReport& file : report.files)
    for (const SubjectReport& subject : file.subjects)
      for (const ClauseResult& result : subject.clauses) {
        const std::string id(result.clause->id);
        if (result.verdict == Verdict::kNotChecked)
          all.push_back({{file.path, subject.path, id, "", "", "", 0, 0, result.reason},
                         Severity::kNone,
                         result.reason_known});
        for (const Finding& f : result.findings)
          all.push_back({{file.path, subject.path, id, f.object, f.attribute, f.where, f.more, 0},
                         f.severity,
                         f.known});
        if (result.suppressed > 0)
          all.push_back({{file.path, subject.path, id, "", "", "", 0, result.suppressed},
                         result.severity,
                         result.suppressed_known});
      }
  return all;
}

// The n-th finding at a place is known if the baseline lists as many there, and the n-th of those
// is not smaller.
std::vector<bool> slow_known(const std::vector<Met>& before, const std::vector<Met>& now) {
  std::map<Place, std::vector<KnownFinding>> listed;
  for (const Met& each : before) listed[place_of(each.finding)].push_back(each.finding);
  std::map<Place, std::size_t> met;
  std::vector<bool> known;
  for (const Met& each : now) {
    const auto& at = listed[place_of(each.finding)];
    const std::size_t n = met[place_of(each.finding)]++;
    known.push_back(n < at.size() && each.finding.more <= at[n].more &&
                    each.finding.suppressed <= at[n].suppressed);
  }
  return known;
}

// The subject fails if an error is new; findings that are not shown may be as severe as any.
SubjectVerdict slow_verdict(const SubjectReport& subject) {
  bool open = false;
  for (const ClauseResult& result : subject.clauses) {
    for (const Finding& finding : result.findings)
      if (!finding.known && finding.severity == Severity::kError) return SubjectVerdict::kFail;
    if (result.suppressed > 0 && !result.suppressed_known && result.severity == Severity::kError)
      return SubjectVerdict::kFail;
    open |= result.verdict == Verdict::kNotChecked && result.clause->mandatory() &&
            !result.reason_known;
  }
  return open ? SubjectVerdict::kUnchecked : SubjectVerdict::kPass;
}

struct Two {
  Report before{}, now{};
};
// The later report is the earlier one with a few numbers changed by one, or another one.
Two draw_reports() {
  static const Clauses clauses;
  const auto seed = *rc::gen::arbitrary<std::uint64_t>().as("reports");
  Noise noise(seed + 1);
  Two two{.before = random_report(noise, clauses)};
  two.now = draw("another", [](Choices& c) { return c.maybe(); }) ? random_report(noise, clauses)
                                                                  : two.before;
  for (FileReport& file : two.now.files)
    for (SubjectReport& subject : file.subjects) {
      std::vector<ClauseResult> results(subject.clauses.begin(), subject.clauses.end());
      for (ClauseResult& result : results) {
        if (noise.one_in(8))
          result = {.clause = result.clause,
                    .verdict = Verdict::kNotChecked,
                    .severity = Severity::kNone,
                    .reason = "because"};
        for (Finding& finding : result.findings)
          if (noise.one_in(4)) finding.more += noise.maybe() ? 1 : -(finding.more > 0);
        if (result.suppressed > 0 && noise.one_in(4)) result.suppressed += 1;
        if (result.suppressed > 1 && noise.one_in(4)) result.suppressed -= 1;
        if (result.findings.size() > 1 && noise.one_in(4)) result.findings.pop_back();
      }
      subject.clauses = ClauseResults(std::move(results));
    }
  return two;
}

RC_GTEST_PROP(Baselines, ListedFindingsThatHaveNotGrownAreKnown, ()) {
  Two two = draw_reports();
  const Baseline baseline = baseline_of(two.before, same);
  const auto before = findings_of(two.before), now = findings_of(two.now);
  RC_ASSERT(baseline.known.size() == before.size());
  const std::vector<bool> wanted = slow_known(before, now);
  apply(baseline, same, always, {}, two.now);
  const auto marked = findings_of(two.now);
  for (std::size_t i = 0; i < wanted.size(); ++i) RC_ASSERT(marked[i].known == wanted[i]);
  for (const FileReport& file : two.now.files)
    for (const SubjectReport& subject : file.subjects)
      RC_ASSERT(subject.verdict == slow_verdict(subject));
}

RC_GTEST_PROP(Baselines, ExaminedButNotFoundFindingsAreGone, ()) {
  Two two = draw_reports();
  const Baseline baseline = baseline_of(two.before, same);
  const bool whole = draw("whole", [](Choices& c) { return c.maybe(); });
  apply(baseline, same, [=](const std::string&) { return whole; }, {}, two.now);

  std::map<Place, std::size_t> met, listed, gone;
  for (const Met& each : findings_of(two.now)) ++met[place_of(each.finding)];
  for (const KnownFinding& each : two.now.gone) ++gone[place_of(each)];
  for (const KnownFinding& each : baseline.known) ++listed[place_of(each)];
  for (const auto& [place, count] : listed) {
    // Looked for: if its subject does not exist, the file was examined completely; if it does, the
    // clause was checked, and all its findings are shown.
    bool looked_for = false;
    for (const FileReport& file : two.now.files) {
      if (file.path != std::get<0>(place)) continue;
      looked_for = whole && !file.error;
      for (const SubjectReport& subject : file.subjects)
        if (subject.path == std::get<1>(place))
          for (const ClauseResult& result : subject.clauses)
            if (result.clause->id == std::get<2>(place))
              looked_for = !std::get<6>(place).empty() ||
                           (result.verdict != Verdict::kNotChecked && result.suppressed == 0);
    }
    const std::size_t left = count - std::min(count, met[place]);
    RC_ASSERT(gone[place] == (looked_for ? left : 0));
  }
  for (const auto& [place, count] : gone) RC_ASSERT(listed.contains(place));

  // Without gone entries: the remaining ones are listed.
  const Baseline smaller = updated(baseline, {}, two.now.gone, false);
  RC_ASSERT(smaller.known.size() == baseline.known.size() - two.now.gone.size());
  const Baseline again = [&] {
    std::ostringstream text;
    write_baseline(text, smaller);
    return read_baseline(text.str(), "baseline").value();
  }();
  RC_ASSERT(again.known.size() == smaller.known.size());
  Report later = two.now;
  apply(again, same, [=](const std::string&) { return whole; }, {}, later);
  RC_ASSERT(later.gone.empty());
}

// A file that is named twice was examined completely if it was so once.
TEST(Baselines, FilesMayBeNamedTwice) {
  const Baseline baseline{.known = {{.file = "f", .subject = "/gone", .clause = "c"}}};
  for (const bool first : {true, false}) {
    Report report;
    report.files = {{.path = "f"}, {.path = "f"}};
    report.files[first ? 1 : 0].error = Error{"f", "it cannot be read"};
    apply(baseline, same, always, {}, report);
    EXPECT_EQ(report.gone.size(), 1u) << first;
  }
}

// With the findings added, all of them are known from now on. An entry is gone if it was checked or
// has another reason, but not if the user skipped it.
TEST(Baselines, UncheckedFindingsAreGoneOnlyOnRequest) {
  static const Clauses clauses;
  const auto gone = [](ClauseResult result) {
    result.clause = clauses.all[0];
    Report report{.hepcheck = "0", .spec = &default_specification()};
    report.files = {{.path = "f", .subjects = {{.path = "/s", .spec = &default_specification()}}}};
    report.files[0].subjects[0].clauses = ClauseResults({std::move(result)});
    const Baseline baseline{.spec = std::string(default_specification().id),
                            .known = {{.file = "f",
                                       .subject = "/s",
                                       .clause = std::string(clauses.all[0]->id),
                                       .not_checked = "because"}}};
    apply(
        baseline, [](const std::string& path) { return path; },
        [](const std::string&) { return true; }, {}, report);
    return report.gone.size();
  };
  EXPECT_EQ(gone({.verdict = Verdict::kNotChecked, .reason = "because"}), 0);
  EXPECT_EQ(gone({.verdict = Verdict::kNotChecked, .reason = "for another reason"}), 1);
  EXPECT_EQ(gone({.verdict = Verdict::kPass}), 1);
  EXPECT_EQ(
      gone({.verdict = Verdict::kNotChecked, .reason = "by the user", .left_out = LeftOut::kSkip}),
      0);
}

RC_GTEST_PROP(Baselines, AddedFindingsAreKnown, ()) {
  Two two = draw_reports();
  const Baseline baseline = baseline_of(two.before, same);
  apply(baseline, same, always, {}, two.now);
  const Baseline grown = updated(baseline, baseline_of(two.now, same), two.now.gone, true);
  Report later = two.now;
  apply(grown, same, always, {}, later);
  for (const Met& each : findings_of(later)) RC_ASSERT(each.known);
  RC_ASSERT(later.gone.empty());
  for (const FileReport& file : later.files)
    for (const SubjectReport& subject : file.subjects)
      RC_ASSERT(subject.verdict == SubjectVerdict::kPass);
}

// By file, subject, clause, object, attribute and place, in any order of discovery; the same for
// gone entries.
RC_GTEST_PROP(Baselines, AreWrittenInOrder, ()) {
  Two two = draw_reports();
  Baseline baseline = baseline_of(two.before, same);
  std::ranges::reverse(baseline.known);
  std::ostringstream text;
  write_baseline(text, baseline);
  const Baseline read = read_baseline(text.str(), "baseline").value();
  RC_ASSERT(read.spec == baseline.spec);
  const auto by_place = [](const KnownFinding& a, const KnownFinding& b) {
    return place_of(a) < place_of(b);
  };
  RC_ASSERT(std::ranges::is_sorted(read.known, by_place));
  std::ranges::stable_sort(baseline.known, by_place);
  RC_ASSERT(std::ranges::equal(
      read.known, baseline.known, [](const KnownFinding& a, const KnownFinding& b) {
        return place_of(a) == place_of(b) && a.more == b.more && a.suppressed == b.suppressed;
      }));
  apply(baseline, same, always, {}, two.now);
  RC_ASSERT(std::ranges::is_sorted(two.now.gone, by_place));
}

// Entries that a run did not examine stay, whatever is added.
TEST(Baselines, KeepUnexaminedFindingsInAnUpdate) {
  const KnownFinding looked_at{.file = "a", .subject = "/s", .clause = "c", .object = "/o"};
  const KnownFinding elsewhere{.file = "b", .subject = "/s", .clause = "c", .object = "/o"};
  const Baseline grown =
      updated({.known = {looked_at, elsewhere}}, {.known = {looked_at}}, {}, true);
  EXPECT_EQ(grown.known, (std::vector{elsewhere, looked_at}));
}

}  // namespace

}  // namespace hepcheck::reports
