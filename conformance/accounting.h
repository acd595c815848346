// Accounts for every clause: how it is checked, and which fixtures prove it.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "conformance/corpus.h"

namespace hepcheck::conformance {

struct ClauseAccount {
  const Clause* clause = nullptr;
  bool rule = false;
  std::vector<const Fixture*> valid{};   // show the clause at an edge, with the expected result
  std::vector<const Fixture*> broken{};  // violate it, with the expected result
  bool kill = false;    // with the rule switched off, some fixture has another result
  bool passes = false;  // some valid fixture gives it the verdict pass
};

struct Account {
  const Specification* spec = nullptr;
  std::vector<ClauseAccount> clauses{};      // in the order of the specification
  std::vector<std::string> disagreements{};  // "FILE: why", fixtures with an unexpected result
};

// Examines the whole corpus once, and once more for each broken fixture with the rule of its clause
// switched off.
Account take_account(const Specification& spec);

// The number of clauses of each kind, and how many of them are complete.
struct Counts {
  struct Share {
    std::size_t total = 0, covered = 0;
  };
  std::size_t checkable = 0, rule = 0, valid = 0, broken = 0, kill = 0;  // of files
  Share accept{};   // permissions, with a fixture that uses them
  Share aliased{};  // reported under another id, with a fixture that shows it
  std::size_t producer = 0, consumer = 0;
};
Counts counts_of(const Account& account);

// Ids of clauses that lack a required part.
std::vector<std::string> missing(const Account& account);

// {"clauses", "file": {"total", "rule", "valid", "broken", "kill"}, "accept", "aliased",
//  "producer", "consumer", "missing", "by_clause"}
nlohmann::ordered_json to_json(const Account& account);

}  // namespace hepcheck::conformance
