// The repairs of HEP001: for each clause, what is done about a violation of it.
//
// An act sees the table as it is now, and returns steps that are certain to be meant, or states why
// it makes none and what the user can pass to decide. It changes nothing itself.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "validator/finding.h"
#include "validator/formats/hep001/clause_ids.h"
#include "validator/formats/hep001/model/values.h"
#include "validator/formats/hep001/repair/step.h"
#include "validator/repair/repair.h"

namespace hepcheck::hep001 {

// A violation that is to be repaired.
struct Case {
  const Table& table;
  const Finding& finding;
  const RepairDecisions& decisions;
  ValueSource& values;
};

// What is done about it: steps, or an index that is built again or dropped in the end, or nothing.
struct RepairPlan {
  std::vector<Step> steps{};
  std::string act{};  // a sentence without a full stop: "written as a scalar uint64"
  std::string from{}, to{};
  bool index = false;
  std::string why{};                   // why nothing is done
  std::vector<std::string> options{};  // what to pass instead
};

struct Repair {
  ClauseId clause;
  RepairPlan (*plan)(const Case&);
  // For `hepcheck explain`: what it does, and when.
  std::string_view words;
};

// Null: hepcheck has no repair for the clause.
const Repair* find_repair(std::string_view clause);
std::span<const Repair> all_repairs();

}  // namespace hepcheck::hep001
