// Helpers for tests of rules: mutate one part of a conformant table, expect exactly the ids.
//
//   TEST(NrowsPresent, Absent) {
//     EXPECT_EQ(good([](TableBuilder& t) { t.erase("", "NROWS"); }), Ids{"nrows-present"});
//   }
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "validator/formats/hep001/testing/build.h"

namespace hepcheck::hep001 {

// Clauses with findings, in the order of the specification: "id" for an error, "id (warning)",
// "id (info)" for the others.
using Ids = std::vector<std::string>;

// Runs all rules, data included.
Ids findings_of(TableBuilder& table);

// The same under the newest revision.
Ids newer_findings_of(TableBuilder& table);

// The objects of a clause's findings, in the order in which they are reported.
std::vector<std::string> objects_of(TableBuilder& table, std::string_view clause);
std::vector<std::string> newer_objects_of(TableBuilder& table, std::string_view clause);

// The mandatory clauses that could not be checked.
Ids unchecked_in(TableBuilder& table);

// Why a clause could not be checked, with the clauses that block it: "another rank
// (sorted-rank-1)". Empty if it was checked or does not apply.
std::string reason_of(TableBuilder& table, std::string_view clause);
std::string newer_reason_of(TableBuilder& table, std::string_view clause);

// The findings of the rules in a mutated copy of good_table() or small_table().
template <class Bend>
Ids good(Bend bend) {
  TableBuilder t = good_table();
  bend(t);
  return findings_of(t);
}
template <class Bend>
Ids small(Bend bend) {
  TableBuilder t = small_table();
  bend(t);
  return findings_of(t);
}

// The same for newer_table() under the newest revision.
template <class Bend>
Ids newer(Bend bend) {
  TableBuilder t = newer_table();
  bend(t);
  return newer_findings_of(t);
}

inline const Ids kNothing{};

}  // namespace hepcheck::hep001
