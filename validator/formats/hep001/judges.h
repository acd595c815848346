// A judge for each revision of HEP001: the tables of one file may follow different ones.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "validator/formats/hep001/judge.h"

namespace hepcheck::hep001 {

class TableJudges {
 public:
  explicit TableJudges(const ExamineOptions& options, std::span<const Rule> rules = all_rules());

  const TableJudge& of(const Revision& revision) const;
  // A table by its own revision, with a word on how that was chosen.
  SubjectReport judge(const Table& table, const std::optional<TableFacts>& facts, Choice choice,
                      const SubjectReport* before) const;

 private:
  std::vector<TableJudge> judges_{};  // as all_revisions()
};

}  // namespace hepcheck::hep001
