// The reader suite: a program reads each file of the corpus. There are no clauses on consumers, so
// every clause is judged by what the program makes of the files that keep or break it.
#pragma once

#include "conformance/suite/engine/file_reader.h"
#include "conformance/suite/hdf5/contents.h"

namespace hepcheck::hdf5::suite {

SuiteReport judge_reader(Session& session, const Specification& spec, const RunOptions& options);

}  // namespace hepcheck::hdf5::suite
