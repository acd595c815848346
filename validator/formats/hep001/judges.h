// A judge for each revision of HEP001: the tables of one file may follow different revisions.
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "validator/formats/hep001/judge.h"

namespace hepcheck::hep001 {

class TableJudges {
 public:
  explicit TableJudges(const ExamineOptions& options, std::span<const Rule> rules = all_rules());

  const TableJudge& of(const Revision& revision) const;
  // Judges a table by its own revision, with a note on how it was chosen.
  SubjectReport judge(const Table& table, const std::optional<TableFacts>& facts, Choice choice,
                      const SubjectReport* before) const;

 private:
  // The mandatory clauses of a revision that the structure of a table violates.
  std::vector<std::string_view> broken_under(const Revision& revision, const Table& table) const;
  std::string older_by_sign(const Table& table, const SubjectReport& report,
                            const Choice& choice) const;

  // Judges as all_revisions(), each made when it is first needed: most files follow one revision.
  class Kept {
   public:
    Kept(ExamineOptions options, std::span<const Rule> rules);
    const TableJudge& of(const Revision& revision) const;

   private:
    ExamineOptions options_;
    std::span<const Rule> rules_;
    mutable std::mutex mutex_{};
    mutable std::vector<std::unique_ptr<const TableJudge>> made_;
  };
  Kept judges_, structure_;
};

}  // namespace hepcheck::hep001
