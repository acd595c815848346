#include "validator/formats/hep001/judges.h"

#include <algorithm>
#include <format>
#include <utility>

namespace hepcheck::hep001 {

namespace {

const Revision& newest() { return all_revisions().back(); }

std::vector<std::string_view> errors_of(const SubjectReport& report) {
  std::vector<std::string_view> ids;
  for (const ClauseResult& result : report.clauses)
    if (result.open_severity() == Severity::kError) ids.push_back(result.clause->id);
  return ids;
}

std::string enumerated(const std::vector<std::string_view>& ids) {
  constexpr std::size_t kMost = 5;
  std::string text;
  for (std::size_t i = 0; i < std::min(ids.size(), kMost); ++i) {
    text += i == 0 ? "" : ", ";
    text += ids[i];
  }
  if (ids.size() > kMost) text += std::format(" and {} more", ids.size() - kMost);
  return text;
}

// Everything that violates the newest revision was required by, or unknown to, the previous one.
bool looks_like_an_older_table(const SubjectReport& report) {
  constexpr std::string_view kOlder[] = {"generation-present", "source-generation-present",
                                         "source-nrows-present", "boolean-column-no-fill"};
  const std::vector<std::string_view> errors = errors_of(report);
  return !errors.empty() && std::ranges::all_of(errors, [&](std::string_view id) {
    return std::ranges::contains(kOlder, id);
  });
}

ExamineOptions of_structure(ExamineOptions options) {
  options.depth = Depth::kStructure;
  options.describe_columns = false;
  options.max_findings = 1;
  options.jobs = 1;
  return options;
}

}  // namespace

TableJudges::Kept::Kept(ExamineOptions options, std::span<const Rule> rules)
    : options_(std::move(options)), rules_(rules), made_(all_revisions().size()) {}

const TableJudge& TableJudges::Kept::of(const Revision& revision) const {
  const std::lock_guard lock(mutex_);
  auto& made = made_[static_cast<std::size_t>(&revision - all_revisions().data())];
  if (!made)
    made = std::make_unique<TableJudge>(*find_specification(revision.spec), options_, rules_);
  return *made;
}

TableJudges::TableJudges(const ExamineOptions& options, std::span<const Rule> rules)
    : judges_(options, rules), structure_(of_structure(options), rules) {}

const TableJudge& TableJudges::of(const Revision& revision) const { return judges_.of(revision); }

std::vector<std::string_view> TableJudges::broken_under(const Revision& revision,
                                                        const Table& table) const {
  Table again;
  again.group = table.group;
  assign_roles(again, revision);
  return errors_of(structure_.of(revision).judge(again, std::nullopt));
}

// A writer that omits the features of the newest revision looks like a writer of an older one.
std::string TableJudges::older_by_sign(const Table& table, const SubjectReport& report,
                                       const Choice& choice) const {
  const std::vector<std::string_view> known = errors_of(report);
  std::vector<std::string_view> broken = broken_under(newest(), table);
  std::erase_if(broken, [&](std::string_view id) { return std::ranges::contains(known, id); });
  return std::format("warning: judged by {}: {} ({}); under {} {}; pin the revision with --spec",
                     table.revision->spec, choice.sign, choice.path, newest().spec,
                     broken.empty() ? "its structure shows no further error"
                                    : "it would violate " + enumerated(broken));
}

SubjectReport TableJudges::judge(const Table& table, const std::optional<TableFacts>& facts,
                                 Choice choice, const SubjectReport* before) const {
  SubjectReport report = of(*table.revision).judge(table, facts, before);
  const bool is_newest = table.revision == &newest();
  if (choice.by == ChosenBy::kSign && !is_newest)
    report.notes.push_back(older_by_sign(table, report, choice));
  if (choice.by == ChosenBy::kOption && is_newest && looks_like_an_older_table(report))
    if (const RevisionChoice signs = revision_by_signs(table.group); signs.revision != &newest())
      report.notes.push_back(std::format("{} ({}): if it follows {}, judge it with --spec {}",
                                         signs.choice.sign, signs.choice.path, signs.revision->spec,
                                         signs.revision->spec));
  report.choice = std::move(choice);
  return report;
}

}  // namespace hepcheck::hep001
