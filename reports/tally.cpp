#include "reports/tally.h"

#include <algorithm>
#include <format>
#include <map>
#include <tuple>

#include "reports/escape.h"
#include "validator/catalogue/risk.h"

namespace hepcheck::reports {

namespace {

// A violation that the baseline lists.
bool known_violation(const ClauseResult& result) {
  if (result.verdict != Verdict::kFail) return false;
  return (result.suppressed_known && result.severity == Severity::kError) ||
         std::ranges::any_of(result.findings, [](const Finding& finding) {
           return finding.known && finding.severity == Severity::kError;
         });
}

// Whether a clause that was not checked counts.
std::uint64_t& place_of(const ClauseResult& result, Acceptance& in) {
  if (result.reason_known) return in.known_unchecked;
  switch (result.left_out) {
    case LeftOut::kSkip: return in.skipped;
    case LeftOut::kOnly: return in.not_asked;
    case LeftOut::kDepth: return in.structure;
    case LeftOut::kNot: break;
  }
  return in.unchecked;
}

}  // namespace

std::string_view to_string(Claim claim) {
  switch (claim) {
    case Claim::kConformant: return "conformant";
    case Claim::kAccepted: return "accepted";
    case Claim::kNotConformant: return "not conformant";
    case Claim::kNotDecided: return "not decided";
  }
  return "?";
}

Acceptance& Acceptance::operator+=(const Acceptance& other) {
  for (const auto member :
       {&Acceptance::known, &Acceptance::lowered, &Acceptance::skipped, &Acceptance::not_asked,
        &Acceptance::structure, &Acceptance::known_unchecked, &Acceptance::unchecked,
        &Acceptance::without_subject})
    this->*member += other.*member;
  return *this;
}

std::vector<Acceptance::Item> Acceptance::items() const {
  std::vector<Item> all{
      {"known", known, counted(known, "known violation")},
      {"lowered", lowered, counted(lowered, "violation") + " of a lowered level"},
      {"skipped", skipped, counted(skipped, "clause") + " skipped"},
      {"not_asked", not_asked, counted(not_asked, "clause") + " not selected"},
      {"structure_only", structure, counted(structure, "clause") + " excluded by --depth"},
      {"known_unchecked", known_unchecked, counted(known_unchecked, "clause") + " known unchecked"},
      {"unchecked", unchecked, counted(unchecked, "clause") + " not checked"},
      {"files_without_tables", without_subject,
       counted(without_subject, "file") + " with nothing to judge"}};
  std::erase_if(all, [](const Item& each) { return each.count == 0; });
  return all;
}

std::string Acceptance::words() const {
  std::string text;
  for (const Item& each : items()) text += (text.empty() ? "" : ", ") + each.words;
  return text;
}

bool is_risk(const ClauseResult& result) {
  return result.verdict == Verdict::kFail && is_of_profile(*result.clause) && !result.known() &&
         result.open_severity() <= Severity::kInfo;
}

std::vector<const ClauseResult*> risks_of(const SubjectReport& subject) {
  std::vector<const ClauseResult*> made;
  for (const ClauseResult& result : subject.clauses)
    if (is_risk(result)) made.push_back(&result);
  return made;
}

Tally::Tally(const SubjectReport& subject) {
  for (const ClauseResult& result : subject.clauses) {
    accepted.lowered += result.lowered;
    accepted.known += known_violation(result);
    switch (result.verdict) {
      case Verdict::kPass: ++passed; break;
      case Verdict::kNotApplicable: ++not_applicable; break;
      case Verdict::kNotChecked:
        ++not_checked;
        ++place_of(result, accepted);
        break;
      case Verdict::kFail:
        if (result.known()) {
          ++known;
          break;
        }
        (is_risk(result)                                ? risks
         : result.open_severity() == Severity::kError   ? broken
         : result.open_severity() == Severity::kWarning ? warned
                                                        : advised)++;
        if (result.open_severity() != Severity::kError) break;
        if (!result.suppressed_known) places += result.suppressed;
        for (const Finding& finding : result.findings)
          places += finding.severity == Severity::kError && !finding.known ? 1 + finding.more : 0;
    }
  }
}

namespace {

Claim claim_by_tally(const SubjectReport& subject, const Tally& tally) {
  switch (subject.verdict) {
    case SubjectVerdict::kPass:
      return tally.accepted.nothing() ? Claim::kConformant : Claim::kAccepted;
    case SubjectVerdict::kFail: return Claim::kNotConformant;
    default: return Claim::kNotDecided;
  }
}

}  // namespace

Claim claim_of(const SubjectReport& subject) { return claim_by_tally(subject, Tally(subject)); }

Totals::Totals(const Report& report) : files(report.files.size()) {
  for (const FileReport& file : report.files) {
    const bool whole = !file.error && file.unreadable.empty();
    unexamined += !whole;
    acceptance.without_subject += whole && file.subjects.empty();
    for (const SubjectReport& subject : file.subjects) {
      const Tally tally(subject);
      switch (claim_by_tally(subject, tally)) {
        case Claim::kConformant: ++conformant; break;
        case Claim::kAccepted:
          ++accepted;
          acceptance += tally.accepted;
          break;
        case Claim::kNotConformant: ++failed; break;
        case Claim::kNotDecided: ++open;
      }
    }
  }
}

Claim Totals::claim() const {
  if (failed > 0) return Claim::kNotConformant;
  if (open > 0 || unexamined > 0 || subjects() == 0) return Claim::kNotDecided;
  return acceptance.nothing() ? Claim::kConformant : Claim::kAccepted;
}

std::string counted(std::uint64_t n, const FigureWords& words) {
  return counted(n, words.one, words.many);
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
  std::vector<const Specification*> all;
  for (const FileReport& file : report.files)
    for (const SubjectReport& subject : file.subjects)
      if (subject.spec && !std::ranges::contains(all, subject.spec)) all.push_back(subject.spec);
  if (all.empty()) all.push_back(report.spec);
  std::ranges::stable_partition(all, [&](const auto* spec) { return spec == report.spec; });
  return all;
}

std::vector<const Format*> formats_of(const Report& report) {
  std::vector<const Format*> all;
  for (const Specification* spec : specifications_of(report))
    if (const Format* format = &format_of(*spec); !std::ranges::contains(all, format))
      all.push_back(format);
  return all;
}

std::string subject_name(const FileReport& file, const SubjectReport& subject) {
  return subject.path == "/" ? file.path : file.path + ':' + subject.path;
}

const std::string& short_name(const FileReport& file, const SubjectReport& subject) {
  return subject.path == "/" ? file.path : subject.path;
}

std::string title_of(const Report& report) {
  std::string text;
  for (const Format* format : formats_of(report))
    text += (text.empty() ? "" : ", ") + std::string(format->title);
  return text;
}

bool has_figures(const SubjectReport& subject) {
  return std::ranges::none_of(subject.clauses, [](const ClauseResult& result) {
    return result.clause->subject != Subject::kFile;
  });
}

std::string_view hint_word(const SubjectReport& subject) {
  return subject.kind == "program" ? "reproduce" : "fix";
}

std::vector<LeadFigure> lead_figures(const SubjectReport& subject) {
  std::vector<LeadFigure> made;
  if (!has_figures(subject)) return made;
  for (const FigureWords& words : format_of(*subject.spec).figures) {
    if (!words.leads) continue;
    if (const Figure* figure = subject.figure(words.key)) made.push_back({&words, figure->value});
  }
  return made;
}

namespace {

// A result for integers and floats only is not a result for all types.
std::string conformant_for(const std::vector<std::string>& scope) {
  std::string text = "conformant";
  for (const std::string& each : scope) text += (text == "conformant" ? " for " : ", ") + each;
  return text;
}

std::string conformant_for(const Report& report) {
  const std::vector<std::string>* scope = nullptr;
  for (const FileReport& file : report.files)
    for (const SubjectReport& subject : file.subjects) {
      if (scope && *scope != subject.scope) return "conformant for what each declares";
      scope = &subject.scope;
    }
  return conformant_for(*scope);
}

}  // namespace

std::string word(const SubjectReport& subject) {
  switch (subject.verdict) {
    case SubjectVerdict::kPass:
      return claim_of(subject) == Claim::kAccepted ? "accepted" : conformant_for(subject.scope);
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
  const Claim claim = totals.claim();
  const std::uint64_t subjects = totals.subjects();
  const auto of = [&](std::uint64_t some) {
    return some == subjects ? counted(subjects, kind_of(report))
                            : std::format("{} of {}", some, counted(subjects, kind_of(report)));
  };
  const auto made = [&](std::string text) { return Headline{std::move(text), claim}; };
  switch (claim) {
    case Claim::kNotConformant:
      return made(subjects == 1 ? "not conformant"
                                : std::format("{} of {} not conformant", totals.failed,
                                              counted(subjects, kind_of(report))));
    case Claim::kNotDecided:
      return made(totals.open + totals.unexamined > 0 ? "not fully checked"
                                                      : std::format("no {}s", kind_of(report)));
    case Claim::kAccepted:
      return made((subjects == 1 || totals.accepted == 0 ? "" : of(totals.accepted) + " ") +
                  "accepted: " + totals.acceptance.words());
    case Claim::kConformant: break;
  }
  const std::string words = conformant_for(report);
  return {(subjects == 1 ? "" : of(subjects) + " ") + words, claim, words != "conformant"};
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
  if (is_of_profile(clause)) return std::format("risk: {}", clause.statement);
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

int rank(Claim claim) {
  switch (claim) {
    case Claim::kNotConformant: return 0;
    case Claim::kNotDecided: return 1;
    case Claim::kAccepted: return 2;
    case Claim::kConformant: return 3;
  }
  return 3;
}

std::vector<Judged> worst_first(const Report& report) {
  std::vector<Judged> made;
  for (const FileReport& file : report.files)
    for (const SubjectReport& subject : file.subjects)
      made.push_back({&file, &subject, Tally(subject)});
  const auto order = [](const Judged& each) {
    return std::tuple(rank(claim_by_tally(*each.subject, each.tally)),
                      -static_cast<std::int64_t>(each.tally.broken),
                      -static_cast<std::int64_t>(each.tally.warned),
                      -static_cast<std::int64_t>(each.tally.advised),
                      -static_cast<std::int64_t>(each.tally.risks));
  };
  std::ranges::stable_sort(made, {}, order);
  return made;
}

std::string describe(const KnownFinding& known) {
  if (known.suppressed > 0)
    return std::format("{}:{}: {}, {} beyond --max-findings", escaped(known.file),
                       escaped(known.subject), escaped(known.clause),
                       counted(known.suppressed, "finding"));
  if (!known.not_checked.empty())
    return std::format("{}:{}: {}, not checked: {}", escaped(known.file), escaped(known.subject),
                       escaped(known.clause), escaped(known.not_checked));
  const Finding finding{.object = known.object, .attribute = known.attribute, .where = known.where};
  return std::format("{}:{}: {}", escaped(known.file), escaped(place(finding)),
                     escaped(known.clause));
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
