// Every report format, and the text for terminals, over random reports: with everything that a
// report may contain, and with as many of each as the limits of the formats, one more and one less.
// A golden file has a digest for each format and each of several groups of reports.
#include <gtest/gtest.h>

#include <algorithm>
#include <format>
#include <map>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "reports/baseline.h"
#include "reports/formats.h"
#include "reports/json.h"
#include "reports/merge.h"
#include "reports/testing/random_texts.h"
#include "reports/testing/written.h"
#include "reports/text.h"
#include "reports/wrap.h"
#include "validator/catalogue/risk.h"
#include "validator/format.h"
#include "validator/judge.h"
#include "validator/testing/golden_files.h"

namespace hepcheck::reports {
namespace {

// The clauses that a specification has reports about: so many, and so many risks, so that they
// differ in few places.
std::vector<const Clause*> some_clauses(const Specification& spec, std::ptrdiff_t plain,
                                        std::ptrdiff_t of_risks) {
  std::vector<const Clause*> made;
  for (const bool risks : {false, true})
    for (const Clause& clause : spec.clauses)
      if (clause.file_checkable() && is_of_profile(clause) == risks &&
          std::ranges::count_if(made, [&](const Clause* each) {
            return is_of_profile(*each) == risks;
          }) < (risks ? of_risks : plain))
        made.push_back(&clause);
  return made;
}

class RandomReport : RandomTexts {
 public:
  // `few`: there are none, one or two of most things.
  explicit RandomReport(std::uint64_t seed, bool few = false) : RandomTexts(seed), few_(few) {}

  Report make() {
    Report report{.hepcheck = "1.2.3", .spec = &default_specification()};
    for (std::uint64_t n = 1 + c_.below(few_ ? 2 : 3); n > 0; --n) report.files.push_back(file());
    report.compared = c_.maybe();
    if (c_.maybe()) stamp(report);
    for (std::uint64_t n = c_.below(3); n > 0; --n) report.settings.push_back(settings());
    report.gone = places();
    if (c_.maybe())
      report.against =
          Comparison{.earlier = word(), .fresh = places(), .gone = places(), .still = number(3)};
    return report;
  }

 private:
  std::uint64_t count() { return few_ ? c_.below(3) : RandomTexts::count(); }
  std::uint64_t number(std::uint64_t end) {
    return RandomTexts::number(few_ ? std::min<std::uint64_t>(end, 3) : end);
  }

  // --- Findings
  Finding finding() {
    constexpr Severity kSeverities[] = {Severity::kInfo, Severity::kWarning, Severity::kError};
    return {.object = path(),
            .attribute = c_.one_in(3) ? word() : std::string(),
            .where = c_.maybe() ? "row " + std::to_string(c_.below(3)) : std::string(),
            .observed = text(),
            .expected = text(),
            .hint = maybe_text(),
            .witness = maybe_text(),
            .more = c_.one_in(3) ? number(2'000) : 0,
            .severity = c_.of(kSeverities),
            .known = c_.one_in(3)};
  }

  ClauseResult result(const Clause& clause, const std::vector<const Clause*>& all) {
    constexpr Verdict kVerdicts[] = {Verdict::kPass, Verdict::kFail, Verdict::kNotApplicable,
                                     Verdict::kNotChecked};
    constexpr LeftOut kWays[] = {LeftOut::kNot, LeftOut::kNot, LeftOut::kSkip, LeftOut::kOnly,
                                 LeftOut::kDepth};
    constexpr const char* kReasons[] = {"because", "a header that is none",
                                        "the data\nis not read"};
    ClauseResult made{.clause = &clause, .verdict = c_.of(kVerdicts), .severity = Severity::kNone};
    if (made.verdict == Verdict::kPass) made.examined = 1 + number(2'000);
    if (made.verdict == Verdict::kNotApplicable && c_.one_in(3)) made.reason = text();
    if (made.verdict == Verdict::kNotChecked) {
      made.severity = clause.default_severity;
      made.reason = c_.of(kReasons);
      made.left_out = c_.of(kWays);
      made.reason_known = c_.one_in(4);
      for (std::uint64_t n = c_.below(3); n > 0; --n)
        made.blocked_by.push_back(all[c_.below(all.size())]);
    }
    if (made.verdict != Verdict::kFail) return made;
    const bool alone = c_.one_in(3);
    for (std::uint64_t n = 1 + count(); n > 0; --n) {
      // Some say the same of several places.
      made.findings.push_back(made.findings.empty() || c_.maybe() ? finding()
                                                                  : made.findings.back());
      made.findings.back().object = path();
      if (alone || is_of_profile(clause)) made.findings.back().severity = Severity::kInfo;
      made.severity = std::max(made.severity, made.findings.back().severity);
    }
    if (c_.one_in(3)) {
      made.suppressed = 1 + number(2'000);
      made.suppressed_known = c_.one_in(3);
    }
    made.lowered = made.severity < Severity::kError && c_.one_in(4);
    return made;
  }

  // --- Parts
  std::vector<Figure> figures(std::initializer_list<const char*> keys) {
    std::vector<Figure> made;
    for (const char* key : keys)
      if (c_.maybe())
        made.push_back({key, c_.one_in(5) ? std::nullopt : std::optional(number(30'000))});
    return made;
  }

  Spread spread() {
    std::vector<Spread::Cell> cells;
    for (std::uint64_t n = count(), at = 0; n > 0; --n) {
      at += 1 + number(9);
      cells.push_back({.at = at, .count = 1 + number(4)});
    }
    return Spread::of(std::uint64_t{1} << c_.below(3), cells);
  }

  Part part(const Format& format) {
    constexpr const char *kAnswers[] = {"", "yes", "no", "undecided"},
                         *kIndexes[] = {"CHUNK_MINMAX", "BITMAP", "SORTED_ROWS", "CHUNK_BLOOM"};
    Part made{.name = word(),
              .type = text(),
              .labels = texts(),
              .answer = c_.of(kAnswers),
              .reasons = texts()};
    for (const FigureWords& words : format.part_figures)
      if (c_.maybe()) made.figures.push_back({std::string(words.key), number(3'000)});
    made.missing.rows_per_cell = 1 + c_.below(3);
    for (std::uint64_t n = count(); n > 0; --n)
      made.missing.missing.push_back(c_.below(made.missing.rows_per_cell + 1));
    for (std::uint64_t n = c_.below(3); n > 0; --n)
      made.strips.push_back({.kind = c_.of(kIndexes),
                             .path = path(),
                             .state = maybe_text(),
                             .compared = c_.maybe(),
                             .reason = maybe_text(),
                             .unit = "row",
                             .differences = spread(),
                             .marks = figures({"nan_tail", "fill_tail"})});
    for (std::uint64_t n = c_.below(3); n > 0; --n)
      made.layers.push_back({.kind = "list",
                             .path = path(),
                             .figures = figures({"entries", "nulls", "elements"}),
                             .reason = maybe_text()});
    return made;
  }

  ByteMap layout() {
    ByteMap made = ByteMap::of(1 + c_.below(2'000), {"metadata", "raw data", word()});
    for (std::uint64_t n = count(); n > 0; --n)
      made.add(c_.below(made.size), c_.below(200), c_.below(3));
    return made;
  }

  FileMap map() {
    FileMap made{.size = 4'000,
                 .base = c_.below(9),
                 .end = 4'000 - c_.below(9),
                 .kinds = {"raw data", word()},
                 .objects = {"/", path()},
                 .trouble = texts(),
                 .ranges_left_out = c_.one_in(4) ? number(4) : 0,
                 .fields_left_out = number(2)};
    std::uint64_t at = made.base;
    for (std::uint64_t i = 0, n = count(); i < n; ++i) {
      at += c_.below(100);
      made.ranges.push_back(
          {.address = at, .size = 10 + c_.below(90), .kind = c_.below(2), .object = c_.below(2)});
      for (std::uint64_t k = c_.below(3); k > 0; --k)
        made.fields.push_back({.address = at + c_.below(5),
                               .size = c_.below(6),
                               .range = i,
                               .name = word(),
                               .value = text()});
    }
    for (std::uint64_t n = count(); n > 0; --n)
      made.findings.push_back({.address = c_.below(4'000),
                               .severity = c_.maybe() ? Severity::kError : Severity::kInfo,
                               .decoded = c_.one_in(4),
                               .clause = "class-value",
                               .object = path(),
                               .observed = text(),
                               .expected = text()});
    return made;
  }

  // --- Subjects and files
  SubjectReport subject() {
    constexpr const char* kSpecs[] = {"hep001-2026-07-09",    "hep001-2026-07-09",
                                      "hdf5-file-format-4.0", "hdf5-swmr-2013-10-10",
                                      "arrow-columnar-1.5",   "rntuple-0.2.0.0"};
    constexpr ChosenBy kWays[] = {ChosenBy::kOption, ChosenBy::kDefault, ChosenBy::kSign};
    const Specification& spec = *find_specification(c_.of(kSpecs));
    const Format& format = format_of(spec);
    SubjectReport made{.kind = c_.one_in(5) ? "program" : std::string(format.subject),
                       .path = c_.one_in(3) ? "/" : path(),
                       .spec = &spec};
    made.choice = {.by = c_.of(kWays), .sign = maybe_text(), .path = path()};
    if (c_.one_in(3)) made.scope = {"integer", "float"};
    made.notes = texts();
    for (const FigureWords& words : format.figures)
      if (c_.maybe())
        made.figures.push_back(
            {std::string(words.key), c_.one_in(5) ? std::nullopt : std::optional(number(9))});
    for (std::uint64_t n = !few_ && c_.one_in(12) ? 99 + c_.below(4) : c_.below(few_ ? 3 : 4);
         n > 0; --n)
      made.parts.push_back(part(format));
    if (c_.maybe()) made.layout = layout();
    if (c_.one_in(3)) made.map = map();
    std::vector<ClauseResult> results;
    const bool few = c_.one_in(3);  // violations
    const std::vector<const Clause*> clauses =
        few_ ? some_clauses(spec, 3, 2) : some_clauses(spec, 14, 4);
    for (const Clause* clause : clauses) {
      ClauseResult each = result(*clause, clauses);
      if (few && each.verdict == Verdict::kFail && c_.below(4) > 0) each = {.clause = clause};
      results.push_back(std::move(each));
    }
    made.clauses = ClauseResults(std::move(results));
    decide(made, {.strict = c_.one_in(4)});
    if (c_.one_in(9)) {
      made.verdict = SubjectVerdict::kUnsupported;
      made.reason = text();
    }
    return made;
  }

  FileReport file() {
    FileReport made{.path = "f" + std::to_string(c_.below(5)) + word() + ".h5"};
    for (std::uint64_t n = c_.below(few_ ? 3 : 4); n > 0; --n) made.subjects.push_back(subject());
    if (c_.one_in(4)) made.error = Error{made.path, text()};
    if (c_.one_in(9)) {
      constexpr StopCause kCauses[] = {StopCause::kSignal, StopCause::kLimit, StopCause::kExit};
      made.stop = Stop{.cause = c_.of(kCauses),
                       .name = "time",
                       .stage = "reading the values of",
                       .object = path(),
                       .subject = c_.maybe() ? path() : std::string()};
      made.error = Error{made.path, made.stop->text()};
    }
    if (c_.one_in(3))
      for (std::uint64_t n = count(); n > 0; --n) made.unreadable.push_back({path(), text()});
    return made;
  }

  // --- The run
  void stamp(Report& report) {
    report.stamped = true;
    report.date = "2026-06-16T12:00:00Z";
    report.options = texts();
    for (FileReport& file : report.files)
      if (c_.maybe())
        file.stamp = {.bytes = number(3), .sha256 = std::string(64, "0aF"[c_.below(3)])};
  }

  Settings settings() {
    Settings made{.file = word() + ".toml"};
    if (c_.maybe()) made.paths = texts();
    for (std::uint64_t n = count(); n > 0; --n)
      made.relaxed.push_back({"skip", c_.maybe() ? "nrows-uint64" : std::string(), maybe_text()});
    return made;
  }

  std::vector<KnownFinding> places() {
    std::vector<KnownFinding> made(!few_ && c_.one_in(12) ? 1'000 + c_.below(2) : count());
    for (KnownFinding& each : made) {
      each = {.file = "f.h5", .subject = path(), .clause = "class-value", .object = path()};
      if (c_.maybe()) each.attribute = word();
      if (c_.maybe()) each.where = "row 1";
      if (c_.one_in(3)) each.more = number(3);
      if (c_.one_in(4)) each.suppressed = number(3);
      if (c_.one_in(4)) each.not_checked = text();
    }
    return made;
  }

  bool few_;
};

// What is written of one report, by the name of the format.
std::map<std::string, std::string> all_texts(const Report& report) {
  std::map<std::string, std::string> made;
  for (const Form& form : all_forms()) made[std::string(form.name)] = written(form, report);
  constexpr TextStyle kStyles[] = {
      {.terminal = true}, {.colour = true, .terminal = true, .risks = true},
      {.verbose = true},  {.terminal = true, .verbose = true},
      {.risks = true},    {.summary = true}};
  for (std::size_t i = 0; i < std::size(kStyles); ++i) {
    std::ostringstream out;
    write_text(out, report, kStyles[i]);
    made[std::format("text, style {}", i)] = out.str();
    for (const std::size_t width : {40u, 71u})
      made[std::format("text, style {}, {} columns", i, width)] = wrapped(out.str(), width);
  }
  return made;
}

constexpr std::uint64_t kGroups = 3, kReports = 6;

TEST(RandomReports, FormatsEqualTheGoldenFile) {
  std::string text;
  for (std::uint64_t group = 0; group < kGroups; ++group) {
    std::map<std::string, std::string> all;
    for (std::uint64_t i = 0; i < kReports; ++i)
      for (const auto& [name, each] : all_texts(RandomReport(group * kReports + i).make()))
        all[name] += golden::digest_of(each);
    for (const auto& [name, each] : all)
      text += std::format("{} {} {}\n", name, group, golden::digest_of(each));
  }
  EXPECT_TRUE(golden::equals(text, "reports/golden/random.txt"));
}

// With none, one or two of most things, and numbers beyond 32 bits.
TEST(RandomReports, OfFewThingsEqualTheGoldenFile) {
  constexpr std::uint64_t kSmall = 8;
  std::string text;
  for (std::uint64_t group = 0; group < kGroups; ++group) {
    std::map<std::string, std::string> all;
    for (std::uint64_t i = 0; i < kSmall; ++i)
      for (const auto& [name, each] :
           all_texts(RandomReport(10'000 + group * kSmall + i, true).make()))
        all[name] += golden::digest_of(each);
    for (const auto& [name, each] : all)
      text += std::format("{} {} {}\n", name, group, golden::digest_of(each));
  }
  EXPECT_TRUE(golden::equals(text, "reports/golden/random-small.txt"));
}

// Every two reports compared and merged, and one as the baseline of the other.
TEST(RandomReports, OfTwoRunsEqualTheGoldenFile) {
  const auto whole = [](const std::string& path) { return path.size() % 2 == 0; };
  const auto same = [](const std::string& path) { return path; };
  const Form& json = *find_form("json");
  std::string text;
  for (std::uint64_t group = 0; group < kGroups; ++group) {
    std::string compared, merged, known, updates;
    for (std::uint64_t i = 0; i < kReports; ++i) {
      const std::uint64_t number = 1'000 + group * kReports + i;
      const Report earlier = RandomReport(number).make();
      Report later = RandomReport(number).make(), another = RandomReport(number + 500).make();
      // Half of the files of another run.
      for (std::size_t k = 0; k < std::min(later.files.size(), another.files.size()); k += 2)
        std::swap(later.files[k], another.files[k]);
      Report with = later;
      with.against = compare(later, earlier, "earlier.json", whole);
      compared += written(json, with);
      const Baseline baseline = baseline_of(earlier, same), found = baseline_of(later, same);
      std::ostringstream out;
      write_baseline(out, baseline);
      apply(baseline, same, whole, {}, later);
      known += out.str() + written(json, later);
      for (const bool add : {false, true}) {
        std::ostringstream update;
        write_baseline(update, updated(baseline, found, later.gone, add));
        updates += update.str();
      }
      Report both;
      for (const Report& each : {earlier, another})
        if (const auto why = merge(both, each)) merged += *why + '\n';
      merged += written(json, both);
    }
    text += std::format("{} compared {}, known {}, updated {}, merged {}\n", group,
                        golden::digest_of(compared), golden::digest_of(known),
                        golden::digest_of(updates), golden::digest_of(merged));
  }
  EXPECT_TRUE(golden::equals(text, "reports/golden/random-runs.txt"));
}

}  // namespace
}  // namespace hepcheck::reports
