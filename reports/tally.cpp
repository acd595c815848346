#include "reports/tally.h"

#include <algorithm>
#include <format>

#include "reports/escape.h"

namespace hepcheck::reports {

Tally::Tally(const SubjectReport& subject) {
  for (const ClauseResult& result : subject.clauses) {
    switch (result.verdict) {
      case Verdict::kPass: ++passed; break;
      case Verdict::kNotApplicable: ++not_applicable; break;
      case Verdict::kNotChecked: ++not_checked; break;
      case Verdict::kFail:
        if (result.known()) {
          ++known;
          break;
        }
        (result.open_severity() == Severity::kError     ? broken
         : result.open_severity() == Severity::kWarning ? warned
                                                        : advised)++;
        if (result.open_severity() != Severity::kError) break;
        places += result.suppressed;
        for (const Finding& finding : result.findings)
          places += finding.severity == Severity::kError && !finding.known ? 1 + finding.more : 0;
    }
  }
}

Totals::Totals(const Report& report) : files(report.files.size()) {
  for (const FileReport& file : report.files) {
    unexamined += file.error.has_value() || !file.unreadable.empty();
    for (const SubjectReport& table : file.subjects)
      (table.verdict == SubjectVerdict::kPass   ? passed
       : table.verdict == SubjectVerdict::kFail ? failed
                                                : open)++;
  }
}

std::string counted(std::uint64_t n, std::string_view word) {
  return std::format("{} {}{}", n, word, n == 1 ? "" : "s");
}

std::string counted(std::uint64_t n, const FigureWords& words) {
  return std::format("{} {}", n, n == 1 ? words.one : words.many);
}

std::string capitalised(std::string words) {
  if (!words.empty() && words[0] >= 'a' && words[0] <= 'z')
    words[0] = static_cast<char>(words[0] - 'a' + 'A');
  return words;
}

std::string kind_of(const Report& report) {
  const std::string* kind = nullptr;
  for (const FileReport& file : report.files)
    for (const SubjectReport& subject : file.subjects) {
      if (kind && *kind != subject.kind) return "subject";
      kind = &subject.kind;
    }
  if (kind) return *kind;
  return report.spec ? std::string(format_of(*report.spec).subject) : "subject";
}

std::vector<const Specification*> specifications_of(const Report& report) {
  std::vector<const Specification*> all{report.spec};
  for (const FileReport& file : report.files)
    for (const SubjectReport& subject : file.subjects)
      if (subject.spec && !std::ranges::contains(all, subject.spec)) all.push_back(subject.spec);
  return all;
}

std::string_view title_of(const Report& report) { return format_of(*report.spec).title; }

std::vector<LeadFigure> lead_figures(const SubjectReport& subject) {
  std::vector<LeadFigure> made;
  for (const FigureWords& words : format_of(*subject.spec).figures) {
    if (!words.leads) continue;
    const Figure* figure = subject.figure(words.key);
    made.push_back({&words, figure ? figure->value : std::nullopt});
  }
  return made;
}

std::string_view word(SubjectVerdict verdict) {
  switch (verdict) {
    case SubjectVerdict::kPass: return "conformant";
    case SubjectVerdict::kFail: return "NOT CONFORMANT";
    case SubjectVerdict::kUnsupported: return "UNSUPPORTED";
    case SubjectVerdict::kUnchecked: return "NOT FULLY CHECKED";
  }
  return "?";
}

std::vector<std::string> settings_lines(const Settings& settings) {
  std::vector<std::string> made{"settings in force"};
  for (const std::string& path : settings.paths) made.push_back("chose the path " + path);
  for (const Relaxation& each : settings.relaxed) made.push_back("relaxed by " + each.text());
  return made;
}

Headline headline(const Report& report) {
  const Totals totals(report);
  if (totals.failed > 0)
    return {totals.subjects() == 1 ? "not conformant"
                                   : std::format("{} of {} not conformant", totals.failed,
                                                 counted(totals.subjects(), kind_of(report))),
            SubjectVerdict::kFail};
  if (totals.open > 0 || totals.unexamined > 0)
    return {"not fully checked", SubjectVerdict::kUnchecked};
  if (totals.subjects() == 0)
    return {std::format("no {}s", kind_of(report)), SubjectVerdict::kUnchecked};
  const bool relaxed = std::ranges::any_of(
      report.settings, [](const Settings& each) { return !each.relaxed.empty(); });
  return {(totals.subjects() == 1
               ? "conformant"
               : std::format("{} conformant", counted(totals.subjects(), kind_of(report)))) +
              (relaxed ? " by relaxed settings" : ""),
          SubjectVerdict::kPass};
}

std::string place(const Finding& finding) {
  std::string text = finding.object;
  if (!finding.attribute.empty()) text += '@' + finding.attribute;
  if (!finding.where.empty()) text += ' ' + finding.where;
  return text;
}

std::string describe(const KnownFinding& known) {
  if (known.suppressed > 0)
    return std::format("{}:{}: {}, {} findings beyond --max-findings", escaped(known.file),
                       escaped(known.subject), known.clause, known.suppressed);
  const Finding finding{.object = known.object, .attribute = known.attribute, .where = known.where};
  return std::format("{}:{}: {}", escaped(known.file), escaped(place(finding)), known.clause);
}

std::string file_trouble(const FileReport& file) {
  if (!file.error) return {};
  const std::string text = file.error->text();
  return text.starts_with(file.path + ": ") ? text.substr(file.path.size() + 2) : text;
}

}  // namespace hepcheck::reports
