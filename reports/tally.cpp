#include "reports/tally.h"

#include <algorithm>
#include <format>
#include <map>
#include <tuple>

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

bool has_figures(const SubjectReport& subject) {
  return subject.kind == format_of(*subject.spec).subject;
}

std::vector<LeadFigure> lead_figures(const SubjectReport& subject) {
  std::vector<LeadFigure> made;
  if (!has_figures(subject)) return made;
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

std::string failing(const Finding& finding) {
  std::string text = "found " + finding.observed;
  if (!finding.expected.empty()) text += "; expected " + finding.expected;
  return text;
}

std::string demand(const Clause& clause) {
  return std::format("{} hold: {}", clause.mandatory() ? "must" : "should", clause.statement);
}

std::vector<std::vector<const Finding*>> alike(const ClauseResult& result) {
  const auto words = [](const Finding& each) {
    return std::tie(each.observed, each.expected, each.hint, each.witness, each.more, each.severity,
                    each.known);
  };
  std::vector<std::vector<const Finding*>> groups;
  std::map<decltype(words(Finding())), std::size_t> by_words;
  for (const Finding& each : result.findings) {
    const auto [at, fresh] = by_words.emplace(words(each), groups.size());
    if (fresh) groups.emplace_back();
    groups[at->second].push_back(&each);
  }
  return groups;
}

std::vector<Unchecked> not_checked(const SubjectReport& subject) {
  std::vector<Unchecked> made;
  for (const ClauseResult& result : subject.clauses) {
    if (result.verdict != Verdict::kNotChecked) continue;
    auto same = std::ranges::find(made, result.reason, &Unchecked::reason);
    if (same == made.end()) same = made.insert(same, {.reason = result.reason});
    same->clauses.push_back(result.clause);
  }
  return made;
}

std::vector<Trouble> troubles(const Report& report) {
  std::vector<Trouble> made;
  std::map<std::pair<std::string, bool>, std::size_t> by_reason;
  const auto add = [&](std::string reason, std::string place, bool examined = false) {
    const auto [at, fresh] = by_reason.emplace(std::pair(reason, examined), made.size());
    if (fresh) made.push_back({.reason = std::move(reason), .places = {}, .examined = examined});
    made[at->second].places.push_back(std::move(place));
  };
  const std::string absent(format_of(*report.spec).absent);
  for (const FileReport& file : report.files) {
    if (file.error) {
      std::string reason = file_trouble(file);
      if (reason.starts_with(absent)) reason += " (--allow-no-tables lets such files pass)";
      add(std::move(reason), file.path);
    }
    for (const Error& error : file.unreadable) add(error.cause, file.path + ':' + error.context);
    if (!file.error && file.unreadable.empty() && file.subjects.empty())
      add(absent, file.path, true);
  }
  return made;
}

std::vector<Judged> worst_first(const Report& report) {
  std::vector<Judged> made;
  for (const FileReport& file : report.files)
    for (const SubjectReport& subject : file.subjects)
      made.push_back({&file, &subject, Tally(subject)});
  const auto rank = [](const Judged& each) {
    const SubjectVerdict verdict = each.subject->verdict;
    return std::tuple(verdict == SubjectVerdict::kFail   ? 0
                      : verdict == SubjectVerdict::kPass ? 2
                                                         : 1,
                      -static_cast<std::int64_t>(each.tally.broken),
                      -static_cast<std::int64_t>(each.tally.warned),
                      -static_cast<std::int64_t>(each.tally.advised));
  };
  std::ranges::stable_sort(made, {}, rank);
  return made;
}

std::string describe(const KnownFinding& known) {
  if (known.suppressed > 0)
    return std::format("{}:{}: {}, {} findings beyond --max-findings", escaped(known.file),
                       escaped(known.subject), known.clause, known.suppressed);
  const Finding finding{.object = known.object, .attribute = known.attribute, .where = known.where};
  return std::format("{}:{}: {}", escaped(known.file), escaped(place(finding)), known.clause);
}

std::string comparison_line(const Comparison& against) {
  return std::format("since {}: {} new, {} gone, {} still there", escaped(against.earlier),
                     counted(against.fresh.size(), "finding"), against.gone.size(), against.still);
}

std::string stamp_line(const Report& report) {
  std::string text = std::format("hepcheck {} on {}", report.hepcheck, report.date);
  for (std::size_t i = 0; i < report.options.size(); ++i)
    text += (i == 0 ? ", with " : " ") + report.options[i];
  return text;
}

std::string file_trouble(const FileReport& file) {
  if (!file.error) return {};
  const std::string text = file.error->text();
  return text.starts_with(file.path + ": ") ? text.substr(file.path.size() + 2) : text;
}

}  // namespace hepcheck::reports
