// Markdown for pull requests and job summaries: the verdict and a line a table first, the
// findings folded under them. Everything from a file stands in a code span, where it is no
// markup, no mention and no link.
#include <algorithm>
#include <format>
#include <ostream>

#include "reports/escape.h"
#include "reports/formats.h"
#include "reports/tally.h"

namespace hepcheck::reports {

namespace {

// A pull request comment holds 65536 characters, a job summary 1 MiB.
constexpr std::size_t kMostTables = 200, kMostFindings = 300, kMostOfAClause = 5;

std::string code(std::string_view text) {
  const std::string shown = escaped(text);
  if (shown.empty()) return "(empty)";
  std::string out = "`";
  for (std::size_t i = 0; i < shown.size(); ++i) {
    const char c = shown[i];
    // A space at the edge would be stripped, the others would end the span or the cell.
    const bool edge = c == ' ' && (i == 0 || i + 1 == shown.size());
    if (c == '`' || c == '|' || edge)
      out += std::format("\\x{:02X}", static_cast<unsigned>(c));
    else
      out += c;
  }
  return out + '`';
}

// The same in HTML; a lone backtick could pair with that of a code span further down.
std::string html_code(std::string_view text) {
  std::string out = "<code>";
  for (const char c : escaped_xml(text)) {
    if (c == '`')
      out += "&#96;";
    else
      out += c;
  }
  return out + "</code>";
}

const char* sign(Claim claim) {
  switch (claim) {
    case Claim::kConformant: return ":white_check_mark:";
    case Claim::kAccepted: return ":ballot_box_with_check:";
    case Claim::kNotConformant: return ":x:";
    case Claim::kNotDecided: return ":grey_question:";
  }
  return ":grey_question:";
}

class MarkdownWriter {
 public:
  explicit MarkdownWriter(std::ostream& out) : out_(out) {}

  void write(const Report& report) {
    const Headline head = headline(report);
    out_ << "## " << sign(head.claim) << ' ' << title_of(report) << ": " << head.text << "\n\n";
    for (const Settings& settings : report.settings) write(settings);
    write_overview(report);
    for (const FileReport& file : report.files) write_trouble(file);
    for (const FileReport& file : report.files)
      for (const SubjectReport& table : file.subjects) write(file, table);
    if (left_out_ > 0) out_ << left_out_ << " more findings are not shown here.\n\n";
    if (!report.gone.empty()) write_gone(report.gone);
    if (shown_ > 0)
      out_ << "`hepcheck explain` and the name of a clause tell what it asks for, and how to mend "
              "it.\n\n";
    out_ << "hepcheck " << escaped(report.hepcheck) << ", " << report.spec->id << "\n";
  }

 private:
  // The first figure that leads, of the format that the report is about.
  static const FigureWords* lead_figure(const Report& report) {
    for (const FigureWords& words : format_of(*report.spec).figures)
      if (words.leads) return &words;
    return nullptr;
  }

  void write_overview(const Report& report) {
    const Totals totals(report);
    if (totals.subjects() == 0) return;
    const FigureWords* lead = lead_figure(report);
    out_ << "| " << capitalised(kind_of(report))
         << " | Verdict | Broken | Warnings | Advice | Known | Not checked |"
         << (lead ? std::format(" {} |", capitalised(std::string(lead->many))) : "")
         << "\n|---|---|--:|--:|--:|--:|--:|" << (lead ? "--:|" : "") << '\n';
    std::size_t shown = 0;
    for (const FileReport& file : report.files)
      for (const SubjectReport& table : file.subjects) {
        if (++shown > kMostTables) continue;
        const Tally tally(table);
        out_ << std::format("| {} | {} {} | {} | {} | {} | {} | {} |",
                            code(file.path + ':' + table.path), sign(claim_of(table)), word(table),
                            tally.broken, tally.warned, tally.advised, tally.known,
                            tally.not_checked);
        if (lead) {
          const Figure* figure = table.figure(lead->key);
          out_ << ' ' << (figure && figure->value ? std::to_string(*figure->value) : "?") << " |";
        }
        out_ << '\n';
      }
    out_ << '\n';
    if (shown > kMostTables)
      out_ << shown - kMostTables << " more " << kind_of(report) << "s: " << totals.conformant
           << " conformant, " << totals.accepted << " accepted, " << totals.failed
           << " not conformant, " << totals.open << " not decided in all.\n\n";
  }

  void write(const Settings& settings) {
    for (const std::string& line : settings_lines(settings))
      out_ << "- " << code(settings.file) << ": " << code(line) << '\n';
    out_ << '\n';
  }

  void write_trouble(const FileReport& file) {
    if (file.error)
      out_ << "- " << code(file.path) << " cannot be examined: " << code(file_trouble(file))
           << '\n';
    for (const Error& error : file.unreadable)
      out_ << "- " << code(file.path + ':' + error.context)
           << " cannot be examined: " << code(error.cause) << '\n';
    if (file.error || !file.unreadable.empty()) out_ << '\n';
  }

  void write(const FileReport& file, const SubjectReport& table) {
    std::size_t broken = 0;
    for (const ClauseResult& result : table.clauses) broken += result.verdict == Verdict::kFail;
    if (broken == 0 && table.reason.empty() && table.notes.empty()) return;
    if (shown_ >= kMostFindings) {
      for (const ClauseResult& result : table.clauses) left_out_ += result.findings.size();
      return;
    }
    out_ << "<details><summary>" << html_code(file.path + ':' + table.path) << ": "
         << counted(broken, "clause") << " with findings</summary>\n\n";
    if (!table.reason.empty()) out_ << "- not fully checked: " << code(table.reason) << '\n';
    for (const std::string& note : table.notes) out_ << "- " << code(note) << '\n';
    for (const ClauseResult& result : table.clauses)
      if (result.verdict == Verdict::kFail) write(result);
    out_ << "\n</details>\n\n";
  }

  void write(const ClauseResult& result) {
    const Clause& clause = *result.clause;
    out_ << std::format("- **{}** `{}` ({}, section {}){}\n", to_string(result.severity), clause.id,
                        to_string(clause.level), clause.section, result.known() ? ", known" : "");
    std::size_t of_clause = 0;
    for (const Finding& finding : result.findings) {
      if (++of_clause > kMostOfAClause || shown_ >= kMostFindings) break;
      ++shown_;
      out_ << "  - " << code(place(finding)) << (finding.known ? " (known)" : "") << ": "
           << code(finding.observed);
      if (finding.more > 0) out_ << " (and " << finding.more << " more)";
      out_ << "; expected " << code(finding.expected);
      if (!finding.witness.empty()) out_ << "; witness: " << code(finding.witness);
      if (!finding.hint.empty()) out_ << "; mend: " << code(finding.hint);
      out_ << '\n';
    }
    const std::uint64_t total = result.findings.size() + result.suppressed;
    const std::uint64_t listed = std::min<std::uint64_t>(of_clause, kMostOfAClause);
    if (total > listed) out_ << "  - and " << total - listed << " more places\n";
  }

  void write_gone(const std::vector<KnownFinding>& gone) {
    out_ << "<details><summary>" << counted(gone.size(), "finding")
         << " of the baseline gone: hepcheck baseline update</summary>\n\n";
    for (const KnownFinding& each : gone) out_ << "- " << code(unescaped(describe(each))) << '\n';
    out_ << "\n</details>\n\n";
  }

  std::ostream& out_;
  std::size_t shown_ = 0;
  std::uint64_t left_out_ = 0;
};

}  // namespace

void write_markdown(std::ostream& out, const Report& report) { MarkdownWriter(out).write(report); }

}  // namespace hepcheck::reports
