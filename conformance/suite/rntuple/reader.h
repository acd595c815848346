// The reader suite: a program reads each file of the corpus. Clauses on consumers are judged by the
// files that show them, all others by what the program makes of the files that keep or break them.
#pragma once

#include <set>
#include <string_view>

#include "conformance/suite/engine/file_reader.h"

namespace hepcheck::rntuple::suite {

using namespace hepcheck::suite;

SuiteReport judge_reader(Session& session, const Specification& spec, const RunOptions& options);
// The clauses on consumers that have a check.
void add_judged(std::set<std::string_view>& ids);

}  // namespace hepcheck::rntuple::suite
