#include "conformance/suite/hdf5/protocol.h"
#include "conformance/suite/hdf5/reader.h"
#include "conformance/suite/suites.h"

namespace hepcheck::hdf5::suite {

extern const Suite kSuite;
const Suite kSuite = {.format = "hdf5",
                      .words = kWords,
                      .reader = judge_reader,
                      .writer = nullptr,
                      .environment = nullptr,
                      // No clause is about programs.
                      .add_judged = [](std::set<std::string_view>&) {},
                      .most_ends = 100};

}  // namespace hepcheck::hdf5::suite
