// The writer suite: a program writes tables from descriptions and changes them; every file is
// validated and read back by us, every step is recorded and its crashes are replayed.
#pragma once

#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "conformance/suite/engine/writer_judge.h"
#include "conformance/suite/hep001/compare.h"
#include "conformance/suite/hep001/recording.h"

namespace hepcheck::hep001::suite {

// Where the program finds the recorder; for its environment.
Result<std::vector<std::string>> recording_environment(const std::filesystem::path& folder);

SuiteReport judge_writer(Session& session, const Specification& spec, const RunOptions& options);

// The committed descriptions: {"name", "shows", "table"} each; "crashes" where those are replayed.
std::vector<Json> committed_descriptions();
// A table over the whole space of datatypes and features, from a seed.
Json random_description(std::uint64_t seed);
// Smaller tables of the same kind: fewer columns, rows, features.
std::vector<Json> smaller(const Json& description);

// What a file written after a description holds.
TableContent described(const Json& description);

}  // namespace hepcheck::hep001::suite
