// The writer suite: a program writes tables that are described to it; what it writes is validated,
// read by us and compared with what was asked for.
#pragma once

#include <filesystem>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "conformance/suite/engine/report.h"
#include "validator/formats/arrow/clause_ids.h"

namespace hepcheck::arrow::suite {

using namespace hepcheck::suite;

struct WriterOptions {
  std::filesystem::path folder{};
  std::set<std::string> only{};       // clauses; all if empty
  std::vector<std::string> tables{};  // globs of the tables to use; all if empty
  std::uint64_t seed = 1;
  std::uint64_t random = 10;  // random tables besides, if the globs fit them
};

// The clauses on producers that are judged; the others no program can judge.
std::span<const ClauseId> producer_checks();

SuiteReport judge_writer(Session& session, const Specification& spec, const WriterOptions& options);

}  // namespace hepcheck::arrow::suite
