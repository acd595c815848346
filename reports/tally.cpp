#include "reports/tally.h"

#include <format>

#include "reports/escape.h"

namespace hepcheck::reports {

Tally::Tally(const TableReport& table) {
  for (const ClauseResult& result : table.clauses) {
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
    for (const TableReport& table : file.tables)
      (table.verdict == TableVerdict::kPass   ? passed
       : table.verdict == TableVerdict::kFail ? failed
                                              : open)++;
  }
}

std::string counted(std::uint64_t n, std::string_view word) {
  return std::format("{} {}{}", n, word, n == 1 ? "" : "s");
}

std::string_view word(TableVerdict verdict) {
  switch (verdict) {
    case TableVerdict::kPass: return "conformant";
    case TableVerdict::kFail: return "NOT CONFORMANT";
    case TableVerdict::kUnsupported: return "UNSUPPORTED";
    case TableVerdict::kUnchecked: return "NOT FULLY CHECKED";
  }
  return "?";
}

Headline headline(const Report& report) {
  const Totals totals(report);
  if (totals.failed > 0)
    return {totals.tables() == 1 ? "not conformant"
                                 : std::format("{} of {} not conformant", totals.failed,
                                               counted(totals.tables(), "table")),
            TableVerdict::kFail};
  if (totals.open > 0 || totals.unexamined > 0)
    return {"not fully checked", TableVerdict::kUnchecked};
  if (totals.tables() == 0) return {"no tables", TableVerdict::kUnchecked};
  return {totals.tables() == 1 ? "conformant"
                               : std::format("{} conformant", counted(totals.tables(), "table")),
          TableVerdict::kPass};
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
                       escaped(known.table), known.clause, known.suppressed);
  const Finding finding{.object = known.object, .attribute = known.attribute, .where = known.where};
  return std::format("{}:{}: {}", escaped(known.file), escaped(place(finding)), known.clause);
}

std::string file_trouble(const FileReport& file) {
  if (!file.error) return {};
  const std::string text = file.error->text();
  return text.starts_with(file.path + ": ") ? text.substr(file.path.size() + 2) : text;
}

}  // namespace hepcheck::reports
