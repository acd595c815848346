#include "conformance/suite/hep001/protocol.h"
#include "conformance/suite/hep001/reader.h"
#include "conformance/suite/hep001/writer.h"
#include "conformance/suite/hep001/writer_checks.h"
#include "conformance/suite/suites.h"

namespace hepcheck::hep001::suite {

namespace {

void add_judged(std::set<std::string_view>& ids) {
  const auto add = [&](const auto& checks) {
    for (const auto& check : checks) ids.insert(check.id.str());
  };
  add(consumer_checks());
  add(newer_consumer_checks());
  add(writer_checks());
  add(token_checks());
}

}  // namespace

extern const Suite kSuite;
const Suite kSuite = {.format = "hep001",
                      .words = kWords,
                      .reader = judge_reader,
                      .writer = judge_writer,
                      .environment = recording_environment,
                      .add_judged = add_judged};

}  // namespace hepcheck::hep001::suite
