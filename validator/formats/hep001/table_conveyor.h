// Passes tables from the thread that reads them to the one that judges them.
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "validator/conveyor.h"
#include "validator/formats/hep001/judges.h"

namespace hepcheck::hep001 {

// Judges the tables of a file in the order of reading, while the next ones are read.
class TableConveyor {
 public:
  // All three must outlive it.
  TableConveyor(const TableJudges& judges, const FileOptions& options,
                std::vector<SubjectReport>& into)
      : conveyor_(kMostWaiting, options.examine.jobs != 1, [&judges, &options, &into](Case& each) {
          into.push_back(judges.judge(each.table, each.facts, std::move(each.choice),
                                      into.empty() ? nullptr : &into.back()));
          if (options.on_subject) options.on_subject(into.back());
        }) {}

  void add(Table&& table, std::optional<TableFacts>&& facts, Choice&& choice) {
    const std::size_t weight = 1 + table.group.children.size();
    conveyor_.put({std::move(table), std::move(facts), std::move(choice)}, weight);
  }
  // All of them are judged.
  void finish() { conveyor_.finish(); }

 private:
  struct Case {
    Table table;
    std::optional<TableFacts> facts;
    Choice choice;
  };
  static constexpr std::size_t kMostWaiting = 1024;  // tables and their children

  Conveyor<Case> conveyor_;
};

}  // namespace hepcheck::hep001
