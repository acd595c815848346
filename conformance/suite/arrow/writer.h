// The writer suite: a program writes tables that are described to it; hepcheck validates and reads
// the output and compares it with the request.
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

// The clauses on producers that are judged; the others cannot be judged for any program.
std::span<const ClauseId> producer_checks();

SuiteReport judge_writer(Session& session, const Specification& spec, const RunOptions& options);

}  // namespace hepcheck::arrow::suite
