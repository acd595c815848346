// Accounting: which clause is checked by what, and what proves it.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "conformance/corpus.h"

namespace hepcheck::conformance {

struct ClauseAccount {
  const Clause* clause = nullptr;
  bool rule = false;
  std::vector<const Fixture*> valid{};   // keep the clause at an edge, and come out so
  std::vector<const Fixture*> broken{};  // break it, and come out so
  bool kill = false;    // with the rule switched off, some fixture no longer comes out
  bool passes = false;  // some valid fixture gives it the verdict pass
};

struct Account {
  const Specification* spec = nullptr;
  std::vector<ClauseAccount> clauses{};      // in the order of the specification
  std::vector<std::string> disagreements{};  // "FILE: why", fixtures that do not come out
};

// Examines the whole corpus, once as it is and once more for each broken fixture with the
// rule of its clause switched off.
Account take_account(const Specification& spec);

// How many clauses there are of each kind, and how many of them have what they should have.
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

// Ids of clauses that lack something that they should have.
std::vector<std::string> missing(const Account& account);

// {"clauses", "file": {"total", "rule", "valid", "broken", "kill"}, "accept", "aliased",
//  "producer", "consumer", "missing", "by_clause"}
nlohmann::ordered_json to_json(const Account& account);

}  // namespace hepcheck::conformance
