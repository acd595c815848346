#include "conformance/suite/rntuple/protocol.h"
#include "conformance/suite/rntuple/reader.h"
#include "conformance/suite/suites.h"

namespace hepcheck::rntuple::suite {

extern const Suite kSuite;
const Suite kSuite = {.format = "rntuple",
                      .words = kWords,
                      .reader = judge_reader,
                      .writer = nullptr,
                      .environment = nullptr,
                      .add_judged = add_judged,
                      .most_ends = 100};

}  // namespace hepcheck::rntuple::suite
