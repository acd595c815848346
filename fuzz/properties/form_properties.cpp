// The parts of a report that services read, parsed and compared with the report: counts by level,
// identity of alerts, escapes, and that an unchecked clause is not an alert.
#include <algorithm>
#include <format>
#include <map>
#include <nlohmann/json.hpp>
#include <pugixml.hpp>
#include <ranges>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "fuzz/properties/random_report.h"
#include "reports/escape.h"
#include "reports/formats.h"
#include "reports/json.h"
#include "reports/tally.h"
#include "reports/text.h"

namespace hepcheck::reports {

namespace {

using namespace hepcheck::fuzz;
using Json = nlohmann::json;
using Counts = std::map<std::string, std::uint64_t>;

// Names and values with a meaning in a format, a terminal or a CI log.
std::string nasty(Choices& c) {
  constexpr const char* kParts[] = {"x", "{0}",    "[a](b)", "::error::", "%0A", ",",        "]]>",
                                    "&", "<b>",    "\"",     "'",         "\\",  "\n",       "\r",
                                    ":", "\x01",   "\xff",   "|",         "`",   "\u202e",   "#",
                                    "=", "\u20ac", " ",      "/",         "%",   "\x1b[31m", "\t"};
  std::string text;
  for (std::uint64_t n = 1 + c.below(4); n > 0; --n) text += c.of(kParts);
  return text;
}

Report draw_report() {
  static const Clauses clauses;
  Noise noise(*rc::gen::arbitrary<std::uint64_t>().as("report") + 1);
  Report report = marked_report(noise, clauses);
  for (FileReport& file : report.files) {
    file.path += nasty(noise);
    if (noise.one_in(6)) file.unreadable.push_back({"/" + nasty(noise), nasty(noise)});
    for (SubjectReport& subject : file.subjects) {
      subject.path += nasty(noise);
      subject.kind = noise.one_in(4) ? "program" : format_of(*subject.spec).subject;
      std::vector<ClauseResult> results(subject.clauses.begin(), subject.clauses.end());
      // A refused subject is not judged.
      if (subject.verdict == SubjectVerdict::kUnsupported) {
        subject.reason = nasty(noise);
        for (ClauseResult& result : results)
          result = {.clause = result.clause, .verdict = Verdict::kNotChecked, .reason = "refused"};
      }
      for (ClauseResult& result : results) {
        if (result.verdict == Verdict::kPass) result.examined = 1;
        for (Finding& finding : result.findings) {
          if (noise.maybe()) finding.object += nasty(noise);
          finding.observed = nasty(noise);
          if (noise.maybe()) finding.expected = nasty(noise);
          if (noise.maybe()) finding.hint = nasty(noise);
          if (noise.maybe()) finding.witness = nasty(noise);
        }
      }
      subject.clauses = ClauseResults(std::move(results));
    }
  }
  return report;
}

std::string written(const Report& report, std::string_view form) {
  std::ostringstream out;
  find_form(form)->write(out, report);
  return out.str();
}

// One line of printable text, as produced by escaped().
bool harmless(std::string_view text) {
  return std::ranges::none_of(
      text, [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; });
}

// Calls visit(file, subject, result) for each.
void for_each_result(const Report& report, const auto& visit) {
  for (const FileReport& file : report.files)
    for (const SubjectReport& subject : file.subjects)
      for (const ClauseResult& result : subject.clauses) visit(file, subject, result);
}

bool without_subject(const FileReport& file) {
  return !file.error && file.unreadable.empty() && file.subjects.empty();
}

bool is_open(const SubjectReport& subject) {
  return subject.verdict == SubjectVerdict::kUnsupported ||
         subject.verdict == SubjectVerdict::kUnchecked;
}

// Files that could not be examined, parts of others, and undecided subjects.
std::uint64_t obstacles(const Report& report) {
  std::uint64_t n = 0;
  for (const FileReport& file : report.files) {
    n += file.error.has_value();
    n += file.unreadable.size();
    n += static_cast<std::uint64_t>(std::ranges::count_if(file.subjects, is_open));
  }
  return n;
}

// --- SARIF --------------------------------------------------------------------------------------

// The text of a message as a viewer displays it.
std::string shown(const std::string& message) {
  std::string out;
  for (std::size_t i = 0; i < message.size(); ++i) {
    const bool pair = i + 1 < message.size() && message[i] == message[i + 1];
    const bool quoted = message[i] == '\\' && i + 1 < message.size() &&
                        (message[i + 1] == '[' || message[i + 1] == ']');
    if (quoted || (pair && (message[i] == '{' || message[i] == '}'))) ++i;
    out += message[i];
  }
  return out;
}

RC_GTEST_PROP(Sarif, HasExactlyOneResultPerFinding, ()) {
  const Report report = draw_report();
  const Json run = Json::parse(written(report, "sarif")).at("runs").at(0);
  std::vector<const Finding*> wanted;
  for_each_result(report, [&](const auto&, const auto&, const ClauseResult& result) {
    for (const Finding& finding : result.findings) wanted.push_back(&finding);
  });
  const Json& results = run.at("results");
  RC_ASSERT(results.size() == wanted.size());
  const std::map<Severity, std::string> levels{
      {Severity::kError, "error"}, {Severity::kWarning, "warning"}, {Severity::kInfo, "note"}};
  std::set<std::pair<std::string, std::string>> prints;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    const Json& result = results[i];
    const Finding& finding = *wanted[i];
    RC_ASSERT(result.at("kind") == "fail");
    RC_ASSERT(result.at("level") == levels.at(finding.severity));
    RC_ASSERT(result.contains("suppressions") == finding.known);
    RC_ASSERT(result.contains("baselineState") == report.compared);
    if (report.compared)
      RC_ASSERT(result.at("baselineState") == (finding.known ? "unchanged" : "new"));
    const std::string text = result.at("message").at("text");
    RC_ASSERT(harmless(text));
    RC_ASSERT(
        shown(text).starts_with(escaped(std::format("{} ({})", failing(finding), place(finding)))));
    RC_ASSERT(run.at("tool")
                  .at("driver")
                  .at("rules")
                  .at(result.at("ruleIndex").get<std::size_t>())
                  .at("id") == result.at("ruleId"));
    const Json& where = result.at("locations").at(0).at("physicalLocation");
    RC_ASSERT(where.at("region").at("startLine") == 1);
    const Json& artifact = where.at("artifactLocation");
    RC_ASSERT(
        run.at("artifacts").at(artifact.at("index").get<std::size_t>()).at("location").at("uri") ==
        artifact.at("uri"));
    const Json& both = result.at("partialFingerprints");
    RC_ASSERT(both.at("primaryLocationLineHash") == both.at("hepcheck/v1"));
    RC_ASSERT(prints.emplace(artifact.at("uri"), both.at("hepcheck/v1")).second);
  }
}

RC_GTEST_PROP(Sarif, ReportsUncheckedClausesSeparately, ()) {
  const Report report = draw_report();
  const Json run = Json::parse(written(report, "sarif")).at("runs").at(0);
  Counts wanted, found;
  bool whole = true;
  for (const FileReport& file : report.files) {
    whole &= !file.error && file.unreadable.empty();
    wanted["error"] += file.error.has_value() + file.unreadable.size();
    wanted["note"] += without_subject(file);
    for (const SubjectReport& subject : file.subjects) {
      if (subject.verdict == SubjectVerdict::kUnsupported) {
        whole = false;
        ++wanted["error"];
        continue;
      }
      std::set<std::string> reasons;
      for (const ClauseResult& result : subject.clauses) {
        if (result.verdict == Verdict::kNotChecked) reasons.insert(result.reason);
        wanted["note"] += result.suppressed > 0;
      }
      wanted[subject.verdict == SubjectVerdict::kUnchecked ? "warning" : "note"] += reasons.size();
    }
  }
  const Json& invocation = run.at("invocations").at(0);
  for (const Json& each : invocation.at("toolExecutionNotifications")) ++found[each.at("level")];
  std::erase_if(wanted, [](const auto& each) { return each.second == 0; });
  RC_ASSERT(found == wanted);
  RC_ASSERT(invocation.at("executionSuccessful") == whole);
}

// A finding is identified by its place, whatever else it contains.
RC_GTEST_PROP(Sarif, FingerprintsIdentifyPlaces, ()) {
  const Report report = draw_report();
  const Json run = Json::parse(written(report, "sarif")).at("runs").at(0);
  std::map<std::string, std::string> by_print;
  std::size_t i = 0;
  for_each_result(report, [&](const FileReport&, const SubjectReport& subject,
                              const ClauseResult& result) {
    for (const Finding& finding : result.findings) {
      const std::string print = run.at("results")[i++].at("partialFingerprints").at("hepcheck/v1");
      const std::string known_by =
          std::format("{}\n{}\n{}", result.clause->id, subject.path, place(finding));
      const auto [at, fresh] = by_print.emplace(print.substr(0, print.find(':')), known_by);
      RC_ASSERT(at->second == known_by);
    }
  });
  std::set<std::string> places;
  for (const auto& [print, known_by] : by_print) RC_ASSERT(places.insert(known_by).second);
}

// --- JUnit --------------------------------------------------------------------------------------

struct Case {
  std::string outcome{};  // the element; "" if it passed
  std::string message{}, lines{};
};

struct Suite {
  std::string file{};
  std::map<std::string, Case> cases{};  // by their names
};

// Asserts that the counts of each level match its contents.
std::vector<Suite> suites_of(const std::string& text) {
  for (const char c : text) RC_ASSERT(c == '\n' || static_cast<unsigned char>(c) >= 0x20);
  pugi::xml_document document;
  RC_ASSERT(document.load_buffer(text.data(), text.size(), pugi::parse_full));
  std::vector<Suite> suites;
  Counts all;
  for (const pugi::xml_node& suite : document.child("testsuites").children("testsuite")) {
    Suite made{.file = suite.attribute("file").value()};
    Counts counts;
    for (const pugi::xml_node& each : suite.children("testcase")) {
      Case& one = made.cases[each.attribute("name").value()];
      const pugi::xml_node inside = each.first_child();
      const std::string name = inside.name();
      if (name != "system-out") one.outcome = name;
      one.message = inside.attribute("message").value();
      one.lines = inside.text().get();
      RC_ASSERT(each.attribute("classname").value() ==
                std::string_view(suite.attribute("name").value()));
      ++counts[one.outcome];
      ++counts["tests"];
    }
    RC_ASSERT(made.cases.size() == counts["tests"]);  // no name twice
    for (const auto& [attribute, element] : {std::pair{"tests", "tests"},
                                             {"failures", "failure"},
                                             {"errors", "error"},
                                             {"skipped", "skipped"}}) {
      RC_ASSERT(suite.attribute(attribute).as_ullong(~0ull) == counts[element]);
      all[attribute] += counts[element];
    }
    suites.push_back(std::move(made));
  }
  for (const char* attribute : {"tests", "failures", "errors"})
    RC_ASSERT(document.child("testsuites").attribute(attribute).as_ullong(~0ull) == all[attribute]);
  return suites;
}

std::string outcome_of(Claim claim) {
  switch (claim) {
    case Claim::kConformant: return "";
    case Claim::kAccepted: return "skipped";
    case Claim::kNotConformant: return "failure";
    case Claim::kNotDecided: return "error";
  }
  return "?";
}

RC_GTEST_PROP(JUnit, HasACaseForEachSubjectAndFile, ()) {
  const Report report = draw_report();
  const std::vector<Suite> suites = suites_of(written(report, "junit"));
  RC_ASSERT(suites.size() == report.files.size());
  for (std::size_t i = 0; i < suites.size(); ++i) {
    const FileReport& file = report.files[i];
    RC_ASSERT(suites[i].file == escaped(file.path));
    std::map<std::string, std::string> wanted;
    if (file.error || !file.unreadable.empty())
      wanted["readable"] = "error";
    else if (file.subjects.empty())
      wanted["judged"] = "skipped";
    for (const SubjectReport& subject : file.subjects)
      wanted[escaped(subject.path)] = outcome_of(claim_of(subject));
    std::map<std::string, std::string> found;
    for (const auto& [name, each] : suites[i].cases) found[name] = each.outcome;
    RC_ASSERT(found == wanted);
    for (const SubjectReport& subject : file.subjects) {
      const Case& each = suites[i].cases.at(escaped(subject.path));
      const Tally tally(subject);
      if (each.outcome == "skipped")
        RC_ASSERT(each.message == "accepted: " + tally.accepted.words());
      const std::size_t more = each.message.rfind("; and ");
      if (each.outcome != "failure") continue;
      RC_ASSERT(tally.broken > 0);
      if (tally.broken > 1)
        RC_ASSERT(each.message.substr(more) ==
                  "; and " + counted(tally.broken - 1, "more broken clause"));
      else
        RC_ASSERT(more == std::string::npos);
    }
  }
}

// For a clause, next to the case of the whole subject.
RC_GTEST_PROP(JUnit, HasACaseForEachClause, ()) {
  const Report report = draw_report();
  std::vector<Suite> suites = suites_of(written(report, "junit-clauses"));
  auto suite = suites.begin();
  for (const FileReport& file : report.files) {
    if (file.error || !file.unreadable.empty() || file.subjects.empty()) ++suite;
    for (const SubjectReport& subject : file.subjects) {
      RC_ASSERT(suite != suites.end());
      const Claim claim = claim_of(subject);
      RC_ASSERT(suite->cases.at("fully-checked").outcome ==
                (claim == Claim::kNotConformant ? "" : outcome_of(claim)));
      RC_ASSERT(suite->cases.size() == subject.clauses.size() + 1);
      for (const ClauseResult& result : subject.clauses) {
        const Case& each = suite->cases.at(std::string(result.clause->id));
        const bool skipped = result.verdict == Verdict::kNotApplicable ||
                             result.verdict == Verdict::kNotChecked || result.known();
        RC_ASSERT(each.outcome == (result.open_severity() == Severity::kError ? "failure"
                                   : skipped                                  ? "skipped"
                                                                              : ""));
        if (result.verdict == Verdict::kNotChecked)
          RC_ASSERT(each.message == "not checked: " + result.reason);
        if (each.outcome != "failure") continue;
        const auto first = std::ranges::find_if(result.findings, [](const Finding& finding) {
          return !finding.known && finding.severity == Severity::kError;
        });
        if (first != result.findings.end())
          RC_ASSERT(each.message == escaped(failing(*first) + " (" + place(*first) + ')'));
        for (const Finding& finding : result.findings)
          RC_ASSERT(each.lines.contains(escaped(failing(finding))));
      }
      ++suite;
    }
  }
  RC_ASSERT(suite == suites.end());
}

TEST(JUnit, HasTheTimeOfTheRunWithoutItsZone) {
  Report report{.spec = &default_specification(), .date = "2026-06-16T12:34:56Z"};
  report.files = {{.path = "f"}};
  EXPECT_NE(written(report, "junit").find(" timestamp=\"2026-06-16T12:34:56\""), std::string::npos);
  report.date.clear();
  EXPECT_EQ(written(report, "junit").find("time"), std::string::npos);
}

// --- EARL ---------------------------------------------------------------------------------------

RC_GTEST_PROP(Earl, AssertsEachClauseOfEachSubjectOnce, ()) {
  const Report report = draw_report();
  const Json graph = Json::parse(written(report, "earl")).at("@graph");
  std::set<std::string> nodes;
  std::map<std::string, std::string> outcomes;
  for (const Json& node : graph) {
    if (!node.contains("@id")) continue;
    nodes.insert(node.at("@id"));
    if (node.contains("outcome")) outcomes[node.at("@id")] = node.at("outcome");
  }
  std::vector<std::pair<std::string, bool>> wanted, found;  // outcome, known
  for_each_result(report, [&](const auto&, const auto&, const ClauseResult& result) {
    const bool open = result.verdict == Verdict::kFail && result.severity == Severity::kWarning;
    const std::map<Verdict, std::string> words{{Verdict::kPass, "earl:passed"},
                                               {Verdict::kFail, "earl:failed"},
                                               {Verdict::kNotApplicable, "earl:inapplicable"},
                                               {Verdict::kNotChecked, "earl:untested"}};
    wanted.emplace_back(open ? "earl:cantTell" : words.at(result.verdict), result.known());
  });
  for (const Json& node : graph) {
    if (node.at("@type") != "earl:Assertion") continue;
    RC_ASSERT(nodes.contains(node.at("test")));
    RC_ASSERT(nodes.contains(node.at("subject")));
    RC_ASSERT(nodes.contains(node.at("assertedBy")));
    const Json& result = node.at("result");
    found.emplace_back(
        result.is_string() ? outcomes.at(result) : result.at("outcome").get<std::string>(),
        result.contains("info"));
  }
  RC_ASSERT(found == wanted);
}

// --- GitLab -------------------------------------------------------------------------------------

RC_GTEST_PROP(CodeQuality, HasAnEntryForEachNewOrOpenFinding, ()) {
  const Report report = draw_report();
  const Json entries = Json::parse(written(report, "gitlab"));
  Counts wanted{{"critical", obstacles(report)}}, found;
  const std::map<Severity, std::string> words{
      {Severity::kError, "major"}, {Severity::kWarning, "minor"}, {Severity::kInfo, "info"}};
  for_each_result(report, [&](const auto&, const auto&, const ClauseResult& result) {
    for (const Finding& finding : result.findings)
      wanted[words.at(finding.severity)] += !finding.known;
    if (result.suppressed > 0 && !result.suppressed_known) ++wanted[words.at(result.severity)];
  });
  for (const FileReport& file : report.files) wanted["info"] += without_subject(file);
  std::erase_if(wanted, [](const auto& each) { return each.second == 0; });
  std::set<std::string> prints, paths;
  std::map<std::string, std::string> by_hash;
  for (const FileReport& file : report.files) paths.insert(escaped(file.path));
  for (const Json& each : entries) {
    ++found[each.at("severity")];
    const std::string print = each.at("fingerprint");
    RC_ASSERT(prints.insert(print).second);
    // Equal hashes, distinguished by number, belong to one check and file.
    const std::string about = each.at("check_name").get<std::string>() + '\n' +
                              each.at("location").at("path").get<std::string>();
    RC_ASSERT(by_hash.emplace(print.substr(0, 16), about).first->second == about);
    RC_ASSERT(paths.contains(each.at("location").at("path")));
    RC_ASSERT(each.at("location").at("lines").at("begin") == 1);
    RC_ASSERT(harmless(each.at("description").get<std::string>()));
    RC_ASSERT(!each.at("check_name").get<std::string>().empty());
  }
  RC_ASSERT(found == wanted);
}

// --- GitHub -------------------------------------------------------------------------------------

struct Command {
  std::string name{}, text{};
  std::map<std::string, std::string> properties{};
};

std::string decoded(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '%' && i + 2 < text.size()) {
      out += static_cast<char>(std::stoi(std::string(text.substr(i + 1, 2)), nullptr, 16));
      i += 2;
    } else {
      out += text[i];
    }
  }
  return out;
}

// "::NAME KEY=VALUE,...::TEXT", as parsed by a runner.
Command command_of(const std::string& line) {
  RC_ASSERT(line.starts_with("::"));
  const std::size_t end = line.find("::", 2), space = line.find(' ');
  RC_ASSERT(end != std::string::npos);
  RC_ASSERT(space < end);
  Command made{.name = line.substr(2, space - 2), .text = decoded(line.substr(end + 2))};
  std::istringstream properties(line.substr(space + 1, end - space - 1));
  for (std::string each; std::getline(properties, each, ',');) {
    const std::size_t equals = each.find('=');
    RC_ASSERT(equals != std::string::npos);
    RC_ASSERT(
        made.properties.emplace(each.substr(0, equals), decoded(each.substr(equals + 1))).second);
  }
  return made;
}

RC_GTEST_PROP(Annotations, AreOnePerOpenClauseInOrderOfSeverity, ()) {
  const Report report = draw_report();
  std::istringstream lines(written(report, "github"));
  std::vector<Command> found;
  for (std::string line; std::getline(lines, line);) {
    RC_ASSERT(harmless(line));
    found.push_back(command_of(line));
  }
  RC_ASSERT(!found.empty());
  RC_ASSERT(found.front().text == title_of(report) + ": " + headline(report).text);
  std::vector<std::string> wanted;
  std::set<std::string> files;
  for (const FileReport& file : report.files) {
    files.insert(escaped(file.path));
    for (const SubjectReport& subject : file.subjects)
      if (is_open(subject)) wanted.push_back(escaped(subject.path) + " is not fully checked");
  }
  std::vector<std::string> texts(wanted.size());
  std::vector<std::string> commands(wanted.size(), "error");
  const std::pair<Severity, const char*> kLevels[] = {
      {Severity::kError, "error"}, {Severity::kWarning, "warning"}, {Severity::kInfo, "notice"}};
  for (const auto& [severity, command] : kLevels)
    for_each_result(
        report, [&](const auto&, const SubjectReport& subject, const ClauseResult& result) {
          if (result.open_severity() != severity) return;
          wanted.push_back(std::string(result.clause->id) + " in " + escaped(subject.path));
          commands.push_back(command);
          std::uint64_t open = result.suppressed_known ? 0 : result.suppressed;
          const Finding* first = nullptr;
          for (const Finding& finding : result.findings) {
            if (finding.known) continue;
            open += 1 + finding.more;
            if (!first || finding.severity > first->severity) first = &finding;
          }
          if (first) {
            --open;
            texts.push_back(escaped(place(*first)) + ": " + escaped(failing(*first)));
            if (open > 0) texts.back() += '\n' + counted(open, "more place");
          } else {
            texts.push_back('\n' + counted(open, "more place"));
          }
        });
  std::size_t troubles_told = 0, i = 0;
  for (const Command& each : found | std::views::drop(1)) {
    if (!each.properties.contains("file")) {
      ++troubles_told;
      continue;
    }
    RC_ASSERT(files.contains(each.properties.at("file")));
    RC_ASSERT(i < wanted.size());
    RC_ASSERT(each.properties.at("title") == wanted[i]);
    RC_ASSERT(each.name == commands[i]);
    RC_ASSERT(each.text.starts_with(texts[i]));
    ++i;
  }
  RC_ASSERT(i == wanted.size());
  std::size_t wanted_troubles = 0;
  for (const Trouble& trouble : troubles(report))
    wanted_troubles += trouble.places.size() <= 3 ? trouble.places.size() : 1;
  RC_ASSERT(troubles_told == wanted_troubles);
}

// --- Formats for people --------------------------------------------------------------------------

// A lot of advice is one line, unless the report is verbose.
RC_GTEST_PROP(Text, HasALineForEachFinding, ()) {
  const Report report = draw_report();
  const bool verbose = *rc::gen::arbitrary<bool>();
  std::ostringstream text;
  write_text(text, report, {.verbose = verbose});
  std::istringstream lines(text.str());
  std::multiset<std::string> found, wanted;
  for (std::string line; std::getline(lines, line);) {
    RC_ASSERT(harmless(line));
    found.insert(line);
  }
  for_each_result(report, [&](const FileReport& file, const auto&, const ClauseResult& result) {
    for (const Finding& finding : result.findings) {
      if (!verbose && finding.severity == Severity::kInfo) continue;
      std::string line = std::format(
          "{}:{}: {}{} {} ({}): {}{}; expected {}", escaped(file.path), escaped(place(finding)),
          to_string(finding.severity), finding.known ? " (known)" : "", result.clause->id,
          result.clause->section, escaped(finding.observed),
          finding.more > 0 ? std::format(" (and {} more)", finding.more) : "",
          escaped(finding.expected));
      if (!finding.witness.empty()) line += "; witness: " + escaped(finding.witness);
      if (!finding.hint.empty()) line += "; fix: " + escaped(finding.hint);
      wanted.insert(std::move(line));
    }
  });
  RC_ASSERT(std::ranges::includes(found, wanted));
}

// Subjects that fail or are undecided are visible; others are folded after them.
RC_GTEST_PROP(Markdown, ShowsFailuresFirst, ()) {
  const Report report = draw_report();
  const std::string text = written(report, "markdown");
  const std::size_t folded = text.find("<details>");
  const bool failing = Totals(report).failed + Totals(report).open > 0;
  for (const FileReport& file : report.files)
    for (const SubjectReport& subject : file.subjects) {
      const std::string verdict = std::format("{} | {} |", word(subject), Tally(subject).broken);
      RC_ASSERT(text.contains(verdict));
      const bool fails = rank(claim_of(subject)) < rank(Claim::kAccepted);
      if (failing && fails) RC_ASSERT(text.find(verdict) < folded);
      if (failing && !fails) RC_ASSERT(text.rfind(verdict) > folded);
    }
}

// --- JSON ---------------------------------------------------------------------------------------

// The statements of a report about its subjects are preserved in JSON, including what was accepted
// and why.
RC_GTEST_PROP(Json, IsReadAsWritten, ()) {
  const Report report = draw_report();
  const Result<Report> read = read_json(written(report, "json"), "report");
  RC_ASSERT(read.has_value());
  RC_ASSERT(written(*read, "json") == written(report, "json"));
  for (std::size_t f = 0; f < report.files.size(); ++f)
    for (std::size_t s = 0; s < report.files[f].subjects.size(); ++s) {
      const SubjectReport& was = report.files[f].subjects[s];
      const SubjectReport& is = read->files[f].subjects[s];
      RC_ASSERT(claim_of(is) == claim_of(was));
      RC_ASSERT(Tally(is).accepted == Tally(was).accepted);
      RC_ASSERT(std::ranges::equal(is.clauses, was.clauses));
    }
}

// The short form contains the parts of the whole one that failed or were not checked.
RC_GTEST_PROP(JsonFindings, EqualThoseOfTheWholeReport, ()) {
  const Report report = draw_report();
  const Json whole = Json::parse(written(report, "json"));
  const Json some = Json::parse(written(report, "json-findings"));
  RC_ASSERT(whole.at("claim") == some.at("claim"));
  RC_ASSERT(whole.at("files").size() == some.at("files").size());
  for (std::size_t f = 0; f < whole.at("files").size(); ++f) {
    const Json& file = whole.at("files")[f];
    RC_ASSERT(some.at("files")[f].value("error", Json()) == file.at("error"));
    RC_ASSERT(some.at("files")[f].value("unreadable", Json::array()) == file.at("unreadable"));
    const Json& tables = whole.at("files")[f].at("tables");
    RC_ASSERT(tables.size() == some.at("files")[f].at("tables").size());
    for (std::size_t t = 0; t < tables.size(); ++t) {
      const Json& table = some.at("files")[f].at("tables")[t];
      RC_ASSERT(table.at("verdict") == tables[t].at("verdict"));
      RC_ASSERT(table.at("claim") == tables[t].at("claim"));
      Json found = Json::array(), wanted = Json::array();
      if (table.contains("findings")) found = table.at("findings");
      std::set<std::string> left_out, open;
      for (const Json& clause : tables[t].at("clauses")) {
        if (clause.at("verdict") == "not-checked") left_out.insert(clause.at("id"));
        for (Json finding : clause.at("findings")) {
          finding["clause"] = clause.at("id");
          wanted.push_back(std::move(finding));
        }
        if (clause.contains("suppressed"))
          wanted.push_back({{"clause", clause.at("id")}, {"suppressed", clause.at("suppressed")}});
      }
      RC_ASSERT(found == wanted);
      if (table.contains("not_checked"))
        for (const Json& each : table.at("not_checked"))
          open.insert(each.at("clauses").begin(), each.at("clauses").end());
      RC_ASSERT(open == left_out);
    }
  }
}

}  // namespace

}  // namespace hepcheck::reports
