// Passes tables from the thread that reads them to the one that judges them.
#pragma once

#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "validator/conveyor.h"
#include "validator/formats/hep001/judges.h"
#include "validator/formats/hep001/model/revision.h"

namespace hepcheck::hep001 {

// Judges the tables of a file in the order of reading, while the next ones are read.
class TableConveyor {
 public:
  // Chooses the revision of a table, whose parts get their roles in it.
  using Prepare = std::function<RevisionChoice(Table&)>;

  // All of them must outlive it. Several threads call `prepare`.
  TableConveyor(const TableJudges& judges, const FileOptions& options, const Prepare& prepare,
                std::vector<SubjectReport>& into)
      : conveyor_(kMostWaiting, options.examine.jobs != 1,
                  [&judges, &options, &prepare, &into](Case& each) {
                    if (!each.choice) each.choice = prepare(each.table).choice;
                    into.push_back(judges.judge(each.table, each.facts, *std::move(each.choice),
                                                into.empty() ? nullptr : &into.back()));
                    if (options.on_subject) options.on_subject(into.back());
                  }) {}

  // Without a choice, the table is prepared when it is judged: no values of it are needed.
  void add(Table&& table, std::optional<TableFacts>&& facts = {},
           std::optional<Choice>&& choice = {}) {
    const std::size_t weight = 1 + table.group.children.size();
    conveyor_.put({std::move(table), std::move(facts), std::move(choice)}, weight);
  }
  // All of them are judged.
  void finish() { conveyor_.finish(); }

 private:
  struct Case {
    Table table;
    std::optional<TableFacts> facts;
    std::optional<Choice> choice;
  };
  static constexpr std::size_t kMostWaiting = 1024;  // tables and their children

  Conveyor<Case> conveyor_;
};

}  // namespace hepcheck::hep001
