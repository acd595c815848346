// Protocols of repairs, reports about programs, and matrices of several programs, all random, in
// every format: a golden file has a digest for each format and each of several groups.
#include <gtest/gtest.h>

#include <format>
#include <map>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "reports/formats.h"
#include "reports/repair_report.h"
#include "reports/suite_matrix.h"
#include "reports/suite_report.h"
#include "reports/testing/random_texts.h"
#include "validator/format.h"
#include "validator/testing/golden_files.h"

namespace hepcheck::reports {
namespace {

constexpr std::uint64_t kProtocolGroups = 3, kProtocols = 6;

// What make(number) writes, by the name of the format, for several groups of numbers.
std::string digests(auto make) {
  std::string text;
  for (std::uint64_t group = 0; group < kProtocolGroups; ++group) {
    std::map<std::string, std::string> all;
    for (std::uint64_t i = 0; i < kProtocols; ++i)
      for (const auto& [name, each] : make(group * kProtocols + i)) all[name] += each;
    for (const auto& [name, each] : all)
      text += std::format("{} {} {}\n", name, group, golden::digest_of(each));
  }
  return text;
}

std::string text_of(auto write) {
  std::ostringstream out;
  write(out);
  return std::move(out).str();
}

// --- Repairs -------------------------------------------------------------------------------------

class RandomProtocol : RandomTexts {
 public:
  using RandomTexts::RandomTexts;

  RepairProtocol make() {
    constexpr SubjectVerdict kVerdicts[] = {SubjectVerdict::kPass, SubjectVerdict::kFail,
                                            SubjectVerdict::kUnsupported,
                                            SubjectVerdict::kUnchecked};
    RepairProtocol made{.hepcheck = "1.2.3",
                        .from = word() + ".h5",
                        .to = word() + "-repaired.h5",
                        .dry_run = c_.maybe(),
                        .reader = "h5py",
                        .unused = texts(),
                        .identical = c_.maybe()};
    for (std::uint64_t n = c_.below(3); n > 0; --n) made.subjects.push_back(subject());
    for (std::uint64_t n = count(); n > 0; --n) {
      const ValueDigest before = digest();
      ValueDigest after = c_.maybe() ? before : digest();
      made.values.push_back({before, after});
    }
    for (std::uint64_t n = c_.below(3); n > 0; --n)
      made.verdict.subjects.push_back({.path = path(),
                                       .spec = c_.one_in(4) ? nullptr : &default_specification(),
                                       .verdict = c_.of(kVerdicts)});
    if (c_.one_in(4)) made.verdict.error = Error{word(), text()};
    return made;
  }

 private:
  std::string clause() {
    constexpr const char* kClauses[] = {"nrows-uint64", "class-value", "no such clause", ""};
    return c_.of(kClauses);
  }
  std::vector<std::string> code() {
    constexpr const char* kLines[] = {"np.zeros(3)", "ctypes.c_int(1)", "file[\"x\"]", ""};
    std::vector<std::string> made(count());
    for (std::string& each : made) each = c_.of(kLines);
    return made;
  }
  RepairedSubject subject() {
    RepairedSubject made{.kind = "table", .path = path(), .spec = "hep001-2026-07-09"};
    if (c_.one_in(4)) made.spec = "an unknown one";
    for (std::uint64_t n = count(); n > 0; --n)
      made.changes.push_back({.clause = clause(),
                              .object = path(),
                              .attribute = c_.maybe() ? word() : "",
                              .act = text(),
                              .from = maybe_text(),
                              .to = maybe_text(),
                              .code = code(),
                              .c = code()});
    for (std::uint64_t n = count(); n > 0; --n)
      made.left.push_back({.clause = clause(),
                           .object = path(),
                           .attribute = c_.maybe() ? word() : "",
                           .where = c_.maybe() ? "row 1" : "",
                           .observed = maybe_text(),
                           .expected = maybe_text(),
                           .why = maybe_text(),
                           .options = texts()});
    made.notes = texts();
    return made;
  }
  ValueDigest digest() {
    ValueDigest made{.subject = "/t", .path = path(), .values = number(3'000)};
    if (c_.below(4) > 0)
      made.sha256 = std::string(64, "0af"[c_.below(3)]);
    else
      made.trouble = text();
    return made;
  }
};

TEST(RandomProtocols, OfRepairsEqualTheGoldenFile) {
  const auto make = [](std::uint64_t number) {
    const RepairProtocol protocol = RandomProtocol(number).make();
    using Write = void (*)(std::ostream&, const RepairProtocol&);
    std::map<std::string, std::string> made{
        {"figures", std::format("{} {} {}\n", protocol.changes(), protocol.left(),
                                protocol.values_unchanged())}};
    for (const auto& [name, write] : {std::pair<const char*, Write>("text", write_repair_text),
                                      std::pair<const char*, Write>("json", write_repair_json),
                                      std::pair<const char*, Write>("html", write_repair_html),
                                      std::pair<const char*, Write>("python", write_repair_python),
                                      std::pair<const char*, Write>("c", write_repair_c)})
      made[name] = text_of([&](std::ostream& out) { write(out, protocol); });
    return made;
  };
  EXPECT_TRUE(golden::equals(digests(make), "reports/golden/random-repairs.txt"));
}

// --- Programs ------------------------------------------------------------------------------------

class RandomProgram : RandomTexts {
 public:
  using RandomTexts::RandomTexts;

  suite::SuiteReport make() {
    using Kind = suite::FileOutcome::Kind;
    suite::SuiteReport made{.role = c_.maybe() ? "reader" : "writer",
                            .program = word(),
                            .about = {{"name", "p" + std::to_string(c_.below(9))}},
                            .spec = &default_specification(),
                            .partial = c_.one_in(3),
                            .files = number(9),
                            .requests = number(9),
                            .notes = texts()};
    if (c_.one_in(3)) made.scope = {"integer", "float"};
    const bool open = c_.one_in(5);
    std::size_t number = 0;
    for (const Clause& clause : made.spec->clauses)
      if (++number % 23 == 5) made.clauses.push_back(result(clause, open));
    for (std::uint64_t n = 3 * count(); n > 0; --n) made.known.push_back(known(made.clauses));
    for (std::uint64_t n = count(); n > 0; --n)
      made.outcomes.push_back({.file = file(),
                               .clause = std::string(a_clause(made.clauses).id),
                               .sound = c_.maybe(),
                               .kind = static_cast<Kind>(c_.below(10)),
                               .detail = text()});
    return made;
  }

 private:
  static constexpr std::uint64_t kFiles = 6;
  std::string file() { return "f" + std::to_string(c_.below(kFiles)); }
  const Clause& a_clause(const std::vector<ClauseResult>& all) {
    return *all[c_.below(all.size())].clause;
  }
  ClauseResult result(const Clause& clause, bool open) {
    constexpr Verdict kVerdicts[] = {Verdict::kPass, Verdict::kFail, Verdict::kFail,
                                     Verdict::kNotApplicable, Verdict::kNotChecked};
    ClauseResult made{.clause = &clause,
                      .verdict = open ? Verdict::kNotChecked : c_.of(kVerdicts),
                      .examined = number(9)};
    if (made.verdict == Verdict::kNotChecked)
      made.reason = c_.maybe() ? suite::kNotSelected : text();
    if (made.verdict == Verdict::kNotApplicable) made.reason = maybe_text();
    if (made.verdict != Verdict::kFail) return made;
    for (std::uint64_t n = 1 + count(); n > 0; --n)
      made.findings.push_back({.object = file(),
                               .where = c_.maybe() ? "row 1" : "",
                               .observed = text(),
                               .expected = maybe_text(),
                               .hint = c_.one_in(3) ? "run it again" : ""});
    if (c_.one_in(4)) made.suppressed = 1 + number(9);
    return made;
  }
  suite::KnownFailure known(const std::vector<ClauseResult>& all) {
    constexpr const char* kWhere[] = {"", "", "*", "f[0-2]", "f1", "f*4"};
    return {.clause = std::string(a_clause(all).id), .where = c_.of(kWhere), .reason = text()};
  }
};

suite::SuiteReport program(std::uint64_t number) {
  suite::SuiteReport made = RandomProgram(number).make();
  suite::apply_known(made);
  return made;
}

constexpr const char* kForms[] = {"text", "markdown", "json", "junit", "junit-clauses", "sarif"};

TEST(RandomProtocols, OfProgramsEqualTheGoldenFile) {
  const auto make = [](std::uint64_t number) {
    const suite::SuiteReport report = program(number);
    std::map<std::string, std::string> made{{"status", std::to_string(exit_status(report))}};
    for (const char* form : kForms)
      for (const bool verbose : {false, true})
        made[form] += text_of([&](std::ostream& out) {
          suite::write(out, report, {.form = form, .hepcheck = "1", .verbose = verbose});
        });
    return made;
  };
  EXPECT_TRUE(golden::equals(digests(make), "reports/golden/random-programs.txt"));
}

TEST(RandomProtocols, OfSeveralProgramsEqualTheGoldenFile) {
  const auto make = [](std::uint64_t number) {
    std::vector<std::pair<std::string, std::string>> reports;
    for (std::uint64_t i = 0; i <= number % 3; ++i)
      reports.emplace_back("report", text_of([&](std::ostream& out) {
                             suite::write(out, program(100 * i + number), {.form = "json"});
                           }));
    const auto matrix = suite::make_matrix(reports, default_specification());
    std::map<std::string, std::string> made;
    if (!matrix) return std::map<std::string, std::string>{{"refused", matrix.error().text()}};
    for (const char* form : kForms) {
      made[form] = text_of([&](std::ostream& out) { suite::write(out, *matrix, {.form = form}); });
      made["files as " + std::string(form)] =
          text_of([&](std::ostream& out) { suite::write_files(out, *matrix, {.form = form}); });
    }
    return made;
  };
  EXPECT_TRUE(golden::equals(digests(make), "reports/golden/random-matrices.txt"));
}

// Each member of a report is another, or missing.
TEST(RandomProtocols, OfProgramsAreReadOrRefused) {
  const std::string report =
      text_of([](std::ostream& out) { suite::write(out, program(7), {.form = "json"}); });
  const suite::Json whole = suite::Json::parse(report);
  std::string text;
  const auto read = [&](const std::string& what, const suite::Json& changed) {
    const auto made = suite::make_matrix({{"report", changed.dump()}}, default_specification());
    text += what + ": " + (made ? "read" : made.error().cause) + '\n';
  };
  for (const auto& [key, value] : whole.items()) {
    suite::Json without = whole, other = whole;
    without.erase(key);
    read("without " + key, without);
    for (const suite::Json& instead :
         {suite::Json(7), suite::Json("x"), suite::Json::array({"x y"}), suite::Json::array({"<"}),
          suite::Json::object()}) {
      other[key] = instead;
      read(key + " " + instead.dump(), other);
    }
  }
  for (const char* list : {"clauses", "outcomes"})
    for (const auto& [key, value] : whole.at(list).at(0).items()) {
      suite::Json without = whole, other = whole;
      without[list][0].erase(key);
      read(std::format("{} without {}", list, key), without);
      for (const char* word : {"fail", "x"}) {
        other[list][0][key] = word;
        read(std::format("{} {} {}", list, key, word), other);
      }
    }
  EXPECT_TRUE(golden::equals(text, "reports/golden/changed-programs.txt"));
}

}  // namespace
}  // namespace hepcheck::reports
