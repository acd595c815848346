// Formats of single services: annotations of GitHub workflows and Code Quality of GitLab. Both
// services show the entries next to the changed files, so these formats contain violations only.
#include <format>
#include <map>
#include <nlohmann/json.hpp>
#include <ostream>
#include <ranges>

#include "reports/escape.h"
#include "reports/fingerprint.h"
#include "reports/formats.h"
#include "reports/json_stream.h"
#include "reports/tally.h"

namespace hepcheck::reports {

namespace {

using Json = nlohmann::ordered_json;

// --- GitHub -------------------------------------------------------------------------------------

// Escaped text for a workflow command; in a property, two more characters have a meaning.
std::string for_command(std::string_view text, bool property) {
  std::string out;
  for (const char c : text) {
    if (c == '%' || c == '\n' || (property && (c == ':' || c == ',')))
      out += std::format("%{:02X}", static_cast<unsigned char>(c));
    else
      out += c;
  }
  return out;
}

struct Annotation {
  const char* command = "error";
  std::string file{}, title{}, text{};  // escaped; the text may have several lines
};

std::ostream& operator<<(std::ostream& out, const Annotation& each) {
  out << "::" << each.command << ' ';
  if (!each.file.empty()) out << "file=" << for_command(each.file, true) << ',';
  return out << "title=" << for_command(each.title, true) << "::" << for_command(each.text, false)
             << '\n';
}

// One annotation for all places where a clause of a subject is violated and that are not known: a
// service shows no more than ten of each command per step.
Annotation annotation(const FileReport& file, const SubjectReport& subject,
                      const ClauseResult& result) {
  const Severity severity = result.open_severity();
  const Clause& clause = *result.clause;
  Annotation made{.command = severity == Severity::kError     ? "error"
                             : severity == Severity::kWarning ? "warning"
                                                              : "notice",
                  .file = escaped(file.path),
                  .title = std::format("{}{} in {}", is_risk(result) ? "risk: " : "", clause.id,
                                       escaped(short_name(file, subject)))};
  std::uint64_t places = result.suppressed_known ? 0 : result.suppressed;
  const Finding* first = nullptr;
  for (const Finding& finding : result.findings) {
    if (finding.known) continue;
    places += 1 + finding.more;
    if (!first || finding.severity > first->severity) first = &finding;
  }
  if (first) {
    made.text = std::format("{}: {}", escaped(place(*first)), escaped(failing(*first)));
    --places;
  }
  if (places > 0) made.text += std::format("\n{}", counted(places, "more place"));
  if (first && !first->witness.empty()) made.text += "\nwitness: " + escaped(first->witness);
  if (first && !first->hint.empty())
    made.text += std::format("\n{}: {}", hint_word(subject), escaped(first->hint));
  made.text += std::format("\n{} ({}, section {})", escaped(demand(clause)),
                           to_string(clause.level), clause.section);
  return made;
}

// One entry for each file, or, if many files have the same problem, one that names them.
void write_trouble(std::ostream& out, const Trouble& trouble) {
  constexpr std::size_t kMostAlone = 3, kMostNames = 50;
  const char* const command = trouble.examined ? "notice" : "error";
  const std::string title = trouble.examined ? "not judged" : "cannot be examined";
  if (trouble.places.size() <= kMostAlone) {
    for (const std::string& place : trouble.places)
      out << Annotation{.command = command,
                        .title = escaped(place) + ' ' + title,
                        .text = escaped(trouble.reason)};
    return;
  }
  std::string text = escaped(trouble.reason);
  for (const std::string& place : trouble.places | std::views::take(kMostNames))
    text += '\n' + escaped(place);
  if (trouble.places.size() > kMostNames)
    text += std::format("\nand {} more", trouble.places.size() - kMostNames);
  out << Annotation{.command = command,
                    .title = counted(trouble.places.size(), "place") + ' ' + title,
                    .text = std::move(text)};
}

void write_undecided(std::ostream& out, const FileReport& file) {
  for (const SubjectReport& subject : file.subjects)
    if (subject.verdict == SubjectVerdict::kUnsupported ||
        subject.verdict == SubjectVerdict::kUnchecked)
      out << Annotation{.file = escaped(file.path),
                        .title = escaped(short_name(file, subject)) + " is not fully checked",
                        .text = escaped(subject.reason)};
}

// --- GitLab -------------------------------------------------------------------------------------

class CodeQuality {
 public:
  explicit CodeQuality(JsonStream& to) : to_(to) {}

  void issue(std::string_view check, const char* severity, const std::string& path,
             const std::string& text, std::initializer_list<std::string_view> known_by) {
    Fingerprint fingerprint;
    fingerprint.add(check);
    fingerprint.add(path);
    for (const std::string_view field : known_by) fingerprint.add(field);
    const std::uint64_t hash = fingerprint.value();
    to_.value({{"check_name", check},
               {"description", escaped(text)},
               {"fingerprint", std::format("{:016x}{:x}", hash, ++seen_[hash])},
               {"severity", severity},
               {"location", {{"path", escaped(path)}, {"lines", {{"begin", 1}}}}}});
  }

  void write(const FileReport& file, std::string_view absent) {
    if (!file.error && file.unreadable.empty() && file.subjects.empty())
      issue("judged", "info", file.path, std::format("not judged: {}", absent), {});
    if (file.error) issue("readable", "critical", file.path, file_trouble(file), {});
    for (const Error& error : file.unreadable)
      issue("readable", "critical", file.path, error.context + ": " + error.cause, {error.context});
    for (const SubjectReport& subject : file.subjects) {
      if (subject.verdict == SubjectVerdict::kUnsupported ||
          subject.verdict == SubjectVerdict::kUnchecked)
        issue("fully-checked", "critical", file.path,
              std::format("{} is not fully checked: {}", short_name(file, subject), subject.reason),
              {subject.path, subject.spec->id});
      for (const ClauseResult& result : subject.clauses) write(file, subject, result);
    }
  }

 private:
  static const char* severity_of(Severity severity) {
    return severity == Severity::kError     ? "major"
           : severity == Severity::kWarning ? "minor"
                                            : "info";
  }

  void write(const FileReport& file, const SubjectReport& subject, const ClauseResult& result) {
    const Clause& clause = *result.clause;
    for (const Finding& finding : result.findings) {
      if (finding.known) continue;
      std::string text = std::format("{}{}: {}", is_risk(result) ? "risk: " : "", place(finding),
                                     failing(finding));
      if (finding.more > 0) text += std::format("; and {} more", finding.more);
      if (!finding.hint.empty()) text += std::format("; {}: {}", hint_word(subject), finding.hint);
      text += std::format("; {} ({}, section {})", demand(clause), to_string(clause.level),
                          clause.section);
      issue(clause.id, severity_of(finding.severity), file.path, text,
            {subject.path, subject.spec->id, finding.object, finding.attribute, finding.where});
    }
    if (result.suppressed > 0 && !result.suppressed_known)
      issue(clause.id, severity_of(result.severity), file.path,
            std::format("{}: {} not listed (--max-findings)", short_name(file, subject),
                        counted(result.suppressed, "more finding")),
            {subject.path, subject.spec->id});
  }

  JsonStream& to_;
  std::map<std::uint64_t, unsigned> seen_{};
};

}  // namespace

void write_github(std::ostream& out, const Report& report) {
  out << Annotation{.command = "notice",
                    .title = "hepcheck",
                    .text = std::format("{}: {}", title_of(report), headline(report).text)};
  for (const Settings& settings : report.settings) {
    std::string text;
    for (const std::string& line : settings_lines(settings))
      text += (text.empty() ? "" : "\n") + escaped(line);
    out << Annotation{.command = settings.relaxed.empty() ? "notice" : "warning",
                      .file = escaped(settings.file),
                      .title = "settings",
                      .text = std::move(text)};
  }
  for (const Trouble& trouble : troubles(report)) write_trouble(out, trouble);
  for (const FileReport& file : report.files) write_undecided(out, file);
  const auto write_those = [&](auto belongs) {
    for (const FileReport& file : report.files)
      for (const SubjectReport& subject : file.subjects)
        for (const ClauseResult& result : subject.clauses)
          if (belongs(result)) out << annotation(file, subject, result);
  };
  for (const Severity severity : {Severity::kError, Severity::kWarning, Severity::kInfo})
    write_those([&](const ClauseResult& result) {
      return result.open_severity() == severity && !is_risk(result);
    });
  write_those(is_risk);
}

void write_gitlab(std::ostream& out, const Report& report) {
  JsonStream to(out, JsonStream::Form::kIndented);
  to.begin_array();
  CodeQuality quality(to);
  for (const Settings& settings : report.settings)
    for (const std::string& line : settings_lines(settings))
      quality.issue("settings", "info", settings.file, line, {line});
  for (const FileReport& file : report.files) quality.write(file, format_of(*report.spec).absent);
  to.end();
  out << '\n';
}

}  // namespace hepcheck::reports
