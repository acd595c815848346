// The writer suite: a program writes tables from descriptions and changes them; hepcheck validates
// and reads every file, records every step and replays its crashes.
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

// The path of the recorder for the program's environment.
Result<std::vector<std::string>> recording_environment(const std::filesystem::path& folder);

SuiteReport judge_writer(Session& session, const Specification& spec, const RunOptions& options);

// The committed descriptions: {"name", "shows", "table"} each; "crashes" if those are replayed.
std::vector<Json> committed_descriptions();
// A random table of all datatypes and features, by seed.
Json random_description(std::uint64_t seed);
// Smaller tables of the same kind: fewer columns, rows, features.
std::vector<Json> smaller(const Json& description);

// The content of a file written from a description.
TableContent described(const Json& description);

}  // namespace hepcheck::hep001::suite
