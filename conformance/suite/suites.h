// The suites for readers and writers, one for each format that has one. A new suite is a directory
// next to this file with a `Suite`, and a line in suites.cpp.
#pragma once

#include <filesystem>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/suite/engine/options.h"
#include "conformance/suite/engine/session.h"
#include "reports/suite_report.h"
#include "validator/result.h"

namespace hepcheck::suite {

struct Suite {
  std::string_view format;
  Vocabulary words;  // of its protocol
  SuiteReport (*reader)(Session& session, const Specification& spec, const RunOptions& options);
  // Null if there is none.
  SuiteReport (*writer)(Session& session, const Specification& spec, const RunOptions& options);
  // The environment that a writer needs. Null: none.
  Result<std::vector<std::string>> (*environment)(const std::filesystem::path& folder);
  // Adds the ids of the clauses that have a check.
  void (*add_judged)(std::set<std::string_view>& ids);
  // How often a program may have to be ended before it receives no further requests.
  int most_ends = 3;
};

std::span<const Suite* const> all_suites();
const Suite* find_suite(std::string_view format);  // null if the format has none

// The clauses of a specification that have a check, sorted.
std::vector<std::string_view> judged_clauses(const Specification& spec);

}  // namespace hepcheck::suite
