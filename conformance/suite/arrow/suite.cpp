#include "conformance/suite/arrow/protocol.h"
#include "conformance/suite/arrow/reader.h"
#include "conformance/suite/arrow/writer.h"
#include "conformance/suite/suites.h"

namespace hepcheck::arrow::suite {

namespace {

void add_judged(std::set<std::string_view>& ids) {
  for (const ConsumerCheck& check : consumer_checks()) ids.insert(check.id.str());
  for (const ClauseId& id : producer_checks()) ids.insert(id.str());
}

}  // namespace

extern const Suite kSuite;
const Suite kSuite = {.format = "arrow",
                      .words = kWords,
                      .reader = judge_reader,
                      .writer = judge_writer,
                      .environment = nullptr,
                      .add_judged = add_judged};

}  // namespace hepcheck::arrow::suite
