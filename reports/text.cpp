#include "reports/text.h"

#include <algorithm>
#include <format>
#include <ostream>

#include "reports/escape.h"
#include "reports/tally.h"

namespace hepcheck::reports {

namespace {

class TextWriter {
 public:
  TextWriter(std::ostream& out, const TextStyle& style) : out_(out), style_(style) {}

  void write(const Report& report) {
    absent_ = format_of(*report.spec).absent;
    // First, so that a later run recognises a file that its settings name as a report (former.cpp).
    for (const Settings& settings : report.settings)
      for (const std::string& line : settings_lines(settings))
        out_ << escaped(settings.file) << ": " << escaped(line) << '\n';
    if (style_.summary) return write_totals(report);
    for (const FileReport& file : report.files) write(file);
    for (const KnownFinding& gone : report.gone)
      out_ << "gone from the baseline: " << describe(gone) << '\n';
    if (report.against) write_comparison(*report.against);
    if (report.stamped) write_stamp(report);
    if (report.files.size() > 1) write_totals(report);
    const bool advice_alone = pointed_to_ <= Severity::kInfo && Totals(report).failed == 0;
    if (style_.terminal && explain_ && !advice_alone)
      out_ << "To fix it: hepcheck explain " << explain_->id << '\n';
  }

 private:
  void write(const FileReport& file) {
    const std::string path = escaped(file.path);
    if (file.error) write_unexamined(path, file_trouble(file));
    if (file.subjects.empty() && file.unreadable.size() > 1) {
      // The file has another format: one line is sufficient.
      const Error& first = file.unreadable.front();
      write_unexamined(
          path + ':' + escaped(first.context),
          std::format("{}; {} unreadable too", first.cause,
                      file.unreadable.size() == 2
                          ? std::string("1 other object is")
                          : counted(file.unreadable.size() - 1, "other object") + " are"));
      return;
    }
    for (const Error& error : file.unreadable)
      write_unexamined(path + ':' + escaped(error.context), error.cause);
    if (!file.error && file.subjects.empty() && file.unreadable.empty())
      out_ << path << ": " << absent_ << '\n';
    for (const SubjectReport& table : file.subjects) write(path, table);
  }

  void write_unexamined(const std::string& place, const std::string& reason) {
    out_ << place << ": " << paint("31", "cannot be examined") << ": " << escaped(reason) << '\n';
  }

  void write(const std::string& file, const SubjectReport& table) {
    const std::string place = (table.path == "/" ? file : file + ':' + escaped(table.path)) + ": ";
    if (style_.terminal) write_verdict(place, table);
    std::vector<const ClauseResult*> broken = gravest_first(table);
    const auto profile = std::ranges::stable_partition(
        broken, [](const ClauseResult* result) { return !is_risk(*result); });
    const std::vector<const ClauseResult*> risks(profile.begin(), profile.end());
    broken.erase(profile.begin(), profile.end());
    const bool brief = keeps_advice_brief(table, broken);
    for (const ClauseResult* result : broken)
      if (!brief || !is_advice(*result)) write(file, place, *result);
    if (brief) write_advice(place, broken);
    if (!risks.empty()) write_risks(file, place, risks);
    if (style_.verbose)
      for (const ClauseResult& result : table.clauses)
        if (result.verdict != Verdict::kFail) write_quiet_clause(result);
    // Verbose output has one line for each.
    if (table.verdict == SubjectVerdict::kFail && !style_.verbose) write_unchecked(place, table);
    for (const std::string& note : table.notes)
      out_ << indent() << place << "note: " << escaped(note) << '\n';
    write_answers(file, table);
    if (style_.terminal)
      out_ << '\n';
    else
      write_verdict(place, table);
  }

  // After the defects, and apart from them.
  void write_risks(const std::string& file, const std::string& place,
                   const std::vector<const ClauseResult*>& risks) {
    out_ << indent() << place << paint("35", "risks") << ": "
         << counted(risks.size(), "clause of the risk profile", "clauses of the risk profile")
         << (style_.risks ? ":" : " (--risks shows each): ");
    if (!style_.risks)
      for (std::size_t i = 0; i < risks.size(); ++i)
        out_ << (i == 0 ? "" : ", ") << risks[i]->clause->id;
    out_ << '\n';
    if (style_.risks)
      for (const ClauseResult* result : risks) write(file, place, *result);
  }

  static bool is_advice(const ClauseResult& result) {
    return std::ranges::all_of(
               result.findings,
               [](const Finding& finding) { return finding.severity == Severity::kInfo; }) &&
           result.severity != Severity::kError;
  }

  // Violated clauses: errors before warnings before advice, each in the order of the text.
  static std::vector<const ClauseResult*> gravest_first(const SubjectReport& table) {
    std::vector<const ClauseResult*> broken;
    for (const ClauseResult& result : table.clauses)
      if (!result.findings.empty() || result.suppressed > 0) broken.push_back(&result);
    const auto rank = [](const ClauseResult* result) {
      Severity gravest = Severity::kNone;
      for (const Finding& finding : result->findings) gravest = std::max(gravest, finding.severity);
      return -static_cast<int>(gravest);
    };
    std::ranges::stable_sort(broken, {}, rank);
    return broken;
  }

  // A little advice is shown in full. A lot of it would hide everything else, so it is one line,
  // unless it is the reason for which the subject fails.
  bool keeps_advice_brief(const SubjectReport& table,
                          const std::vector<const ClauseResult*>& broken) const {
    constexpr std::size_t kFew = 3;
    std::size_t advice = 0;
    bool others = table.verdict != SubjectVerdict::kFail;
    for (const ClauseResult* result : broken) {
      if (is_advice(*result))
        advice += result->findings.size();
      else
        others = true;
    }
    return !style_.verbose && others && advice > kFew;
  }

  void write_advice(const std::string& place, const std::vector<const ClauseResult*>& broken) {
    constexpr std::size_t kMostClauses = 4;
    std::uint64_t places = 0;
    std::vector<std::string> words;
    for (const ClauseResult* result : broken) {
      if (!is_advice(*result)) continue;
      std::uint64_t here = result->suppressed;
      for (const Finding& finding : result->findings) here += 1 + finding.more;
      places += here;
      words.push_back(std::string(result->clause->id) +
                      (here > 1 ? std::format(" ({} times)", here) : ""));
    }
    out_ << indent() << place << paint("36", "advice") << ": "
         << counted(words.size(), "recommendation") << " not followed in "
         << counted(places, "place") << " (--verbose shows each): ";
    for (std::size_t i = 0; i < std::min(kMostClauses, words.size()); ++i)
      out_ << (i == 0 ? "" : ", ") << words[i];
    if (words.size() > kMostClauses) out_ << " and " << words.size() - kMostClauses << " more";
    out_ << '\n';
  }

  void write(const std::string& file, const std::string& place, const ClauseResult& result) {
    point_to(result);
    if (style_.terminal)
      for (const auto& group : alike(result)) write_group(result, group);
    else
      for (const Finding& finding : result.findings) write_line(file, result, finding);
    if (result.suppressed > 0)
      out_ << indent() << place << result.clause->id << ": "
           << counted(result.suppressed, "more finding") << " not shown (--max-findings)\n";
  }

  // The last line names the gravest clause; advice alone needs no repair.
  void point_to(const ClauseResult& result) {
    Severity gravest = Severity::kNone;
    for (const Finding& finding : result.findings) gravest = std::max(gravest, finding.severity);
    if (gravest <= pointed_to_) return;
    pointed_to_ = gravest;
    explain_ = result.clause;
  }

  void write_verdict(const std::string& place, const SubjectReport& table) {
    const Tally tally(table);
    const Claim claim = claim_of(table);
    out_ << place << paint(colour(claim), escaped(word(table)));
    if (!table.reason.empty()) out_ << ": " << escaped(table.reason);
    out_ << ": ";
    if (claim == Claim::kAccepted) out_ << tally.accepted.words() << "; ";
    if (tally.broken > 0)
      out_ << std::format("{} broken in {}; ", counted(tally.broken, "clause"),
                          counted(tally.places, "place"));
    if (tally.warned > 0) out_ << std::format("{}; ", counted(tally.warned, "warning"));
    if (tally.known > 0 && claim != Claim::kAccepted)
      out_ << std::format("{} known; ", tally.known);
    if (tally.advised > 0)
      out_ << std::format("{} not followed; ", counted(tally.advised, "recommendation"));
    if (tally.risks > 0) out_ << std::format("{}; ", counted(tally.risks, "risk"));
    out_ << std::format("{} passed, {} not applicable, {} not checked",
                        counted(tally.passed, "clause"), tally.not_applicable, tally.not_checked);
    write_figures(table);
    out_ << '\n';
  }

  // The answer to the question that the format asks about each part, if any.
  void write_answers(const std::string& file, const SubjectReport& subject) {
    constexpr std::size_t kMost = 100, kMostReasons = 4;
    std::size_t shown = 0, left = 0;
    for (const Part& part : subject.parts) {
      if (part.answer.empty()) continue;
      if (!style_.verbose && shown == kMost) {
        ++left;
        continue;
      }
      ++shown;
      out_ << indent() << file << ':' << escaped(part.name) << ": "
           << format_of(*subject.spec).question_words << ": " << escaped(part.answer);
      for (std::size_t i = 0; i < part.reasons.size() && (i < kMostReasons || style_.verbose); ++i)
        out_ << (i == 0 ? ", because of " : ", ") << escaped(part.reasons[i]);
      if (!style_.verbose && part.reasons.size() > kMostReasons)
        out_ << " and " << part.reasons.size() - kMostReasons << " more";
      for (std::size_t i = 0; i < part.labels.size(); ++i)
        out_ << (i == 0 ? "; " : ", ") << escaped(part.labels[i]);
      out_ << '\n';
    }
    if (left > 0) out_ << indent() << file << ": " << left << " more are shown with --verbose\n";
  }

  // The sizes that are known.
  void write_figures(const SubjectReport& subject) {
    const std::vector<LeadFigure> figures = lead_figures(subject);
    if (figures.empty() || !std::ranges::all_of(figures, [](const LeadFigure& each) {
          return each.value.has_value();
        }))
      return;
    for (std::size_t i = 0; i < figures.size(); ++i)
      out_ << (i == 0 ? "; " : ", ") << counted(*figures[i].value, *figures[i].words);
  }

  void write_line(const std::string& file, const ClauseResult& result, const Finding& finding) {
    const Clause& clause = *result.clause;
    out_ << file << ':' << shown_place(finding) << ": " << shown_severity(finding) << ' '
         << clause.id << " (" << clause.section << "): " << shown_observed(finding) << "; expected "
         << escaped(finding.expected);
    if (!finding.witness.empty()) out_ << "; witness: " << escaped(finding.witness);
    if (!finding.hint.empty()) out_ << "; fix: " << escaped(finding.hint);
    out_ << '\n';
  }

  // Several lines, once for all places with the same text.
  void write_group(const ClauseResult& result, const std::vector<const Finding*>& group) {
    constexpr std::size_t kMostPlaces = 5;
    const Finding& finding = *group.front();
    const Clause& clause = *result.clause;
    out_ << "  " << shown_severity(finding) << ' ' << paint("1", clause.id)
         << std::format("  [{} {}]\n", clause.section, to_string(clause.level));
    const std::size_t shown =
        style_.verbose || group.size() <= kMostPlaces ? group.size() : kMostPlaces - 1;
    for (std::size_t i = 0; i < shown; ++i)
      out_ << (i == 0 ? "    at        " : "              ") << shown_place(*group[i]) << '\n';
    if (shown < group.size())
      out_ << "              and " << group.size() - shown << " more places (--verbose)\n";
    out_ << "    found     " << shown_observed(finding) << "\n    expected  "
         << escaped(finding.expected) << '\n';
    if (!finding.witness.empty()) out_ << "    witness   " << escaped(finding.witness) << '\n';
    if (!finding.hint.empty()) out_ << "    fix       " << escaped(finding.hint) << '\n';
  }

  static std::string shown_place(const Finding& finding) {
    std::string place = escaped(finding.object);
    if (!finding.attribute.empty()) place += '@' + escaped(finding.attribute);
    if (!finding.where.empty()) place += ' ' + escaped(finding.where);
    return place;
  }

  std::string shown_severity(const Finding& finding) const {
    const char* colour = finding.severity == Severity::kError     ? "31"
                         : finding.severity == Severity::kWarning ? "33"
                                                                  : "36";
    return paint(colour, to_string(finding.severity)) + (finding.known ? " (known)" : "");
  }

  static std::string shown_observed(const Finding& finding) {
    return escaped(finding.observed) +
           (finding.more > 0 ? std::format(" (and {} more)", finding.more) : "");
  }

  void write_unchecked(const std::string& place, const SubjectReport& table) {
    constexpr std::size_t kMostClauses = 8;
    for (const Unchecked& each : not_checked(table)) {
      out_ << indent() << place << "not checked: ";
      for (std::size_t i = 0; i < std::min(kMostClauses, each.clauses.size()); ++i)
        out_ << (i == 0 ? "" : ", ") << each.clauses[i]->id;
      if (each.clauses.size() > kMostClauses)
        out_ << " and " << each.clauses.size() - kMostClauses << " more (--verbose)";
      out_ << ": " << escaped(each.reason) << '\n';
    }
  }

  void write_quiet_clause(const ClauseResult& result) {
    out_ << "  " << to_string(result.verdict) << ' ' << result.clause->id << " ("
         << result.clause->section << ')';
    if (result.verdict == Verdict::kPass) out_ << ": looked at " << result.examined;
    if (!result.reason.empty()) out_ << ": " << escaped(result.reason);
    out_ << '\n';
  }

  void write_comparison(const Comparison& against) {
    const std::string name = escaped(against.earlier);
    for (const KnownFinding& each : against.fresh)
      out_ << "new since " << name << ": " << describe(each) << '\n';
    for (const KnownFinding& each : against.gone)
      out_ << "gone since " << name << ": " << describe(each) << '\n';
    out_ << comparison_line(against) << '\n';
  }

  void write_stamp(const Report& report) {
    for (const FileReport& file : report.files)
      if (file.stamp)
        out_ << escaped(file.path) << ": " << counted(file.stamp->bytes, "byte") << ", SHA-256 "
             << escaped(file.stamp->sha256) << '\n';
    out_ << escaped(stamp_line(report)) << '\n';
  }

  void write_totals(const Report& report) {
    const Totals totals(report);
    out_ << counted(totals.files, "file") << ": " << counted(totals.conformant, kind_of(report))
         << " conformant, ";
    if (totals.accepted > 0) out_ << totals.accepted << " accepted, ";
    out_ << totals.failed << " not conformant, " << totals.open << " not decided; "
         << counted(totals.unexamined, "file") << " could not be examined";
    if (const std::uint64_t without = totals.acceptance.without_subject; without > 0)
      out_ << "; " << counted(without, "file") << " with " << absent_;
    out_ << '\n';
  }

  static const char* colour(Claim claim) {
    switch (claim) {
      case Claim::kConformant: return "32";
      case Claim::kNotConformant: return "31";
      default: return "33";
    }
  }

  std::string paint(const char* code, std::string_view text) const {
    return style_.colour ? std::format("\x1b[{}m{}\x1b[0m", code, text) : std::string(text);
  }
  const char* indent() const { return style_.terminal ? "  " : ""; }

  std::ostream& out_;
  const TextStyle& style_;
  std::string_view absent_{};        // the part that a file without subjects lacks
  const Clause* explain_ = nullptr;  // the first of the gravest violated clauses
  Severity pointed_to_ = Severity::kNone;
};

}  // namespace

void write_text(std::ostream& out, const Report& report, const TextStyle& style) {
  TextWriter(out, style).write(report);
}

}  // namespace hepcheck::reports
