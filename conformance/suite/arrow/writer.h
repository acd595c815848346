// The writer suite: a program writes tables that are described to it; what it writes is validated,
// read by us and compared with what was asked for.
#pragma once

#include <filesystem>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "conformance/suite/engine/writer_judge.h"
#include "validator/formats/arrow/clause_ids.h"

namespace hepcheck::arrow::suite {

using namespace hepcheck::suite;

// The clauses on producers that are judged; the others no program can judge.
std::span<const ClauseId> producer_checks();

SuiteReport judge_writer(Session& session, const Specification& spec, const RunOptions& options);

}  // namespace hepcheck::arrow::suite
