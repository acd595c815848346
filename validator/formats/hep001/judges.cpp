#include "validator/formats/hep001/judges.h"

#include <format>
#include <utility>

namespace hepcheck::hep001 {

namespace {

// Whoever forgets the signs of the newest revision looks like a writer of an older one.
std::string word_of_an_older_revision(const Revision& revision, const Choice& choice) {
  const std::string_view newest = all_revisions().back().spec;
  return std::format(
      "warning: judged by {}: {} ({}); under {} this is an error; name one with --spec, so that "
      "files do not choose",
      revision.spec, choice.sign, choice.path, newest);
}

}  // namespace

TableJudges::TableJudges(const ExamineOptions& options, std::span<const Rule> rules) {
  for (const Revision& revision : all_revisions())
    judges_.emplace_back(*find_specification(revision.spec), options, rules);
}

const TableJudge& TableJudges::of(const Revision& revision) const {
  return judges_[static_cast<std::size_t>(&revision - all_revisions().data())];
}

SubjectReport TableJudges::judge(const Table& table, const std::optional<TableFacts>& facts,
                                 Choice choice, const SubjectReport* before) const {
  SubjectReport report = of(*table.revision).judge(table, facts, before);
  if (choice.by == ChosenBy::kSign && table.revision != &all_revisions().back())
    report.notes.push_back(word_of_an_older_revision(*table.revision, choice));
  report.choice = std::move(choice);
  return report;
}

}  // namespace hepcheck::hep001
