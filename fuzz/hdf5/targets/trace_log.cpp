// Logs of hepcheck trace record, which may be untrusted. Oracle: a log is rejected with a
// message, or every producer clause has a result, the same whether or not the whole file is read
// after each write; all states of its files can be built, and none of them exceeds the limits of
// the log.
#include <algorithm>
#include <memory>
#include <string>

#include "fuzz/targets/target.h"
#include "validator/catalogue/clause.h"
#include "validator/formats/hdf5/specifications.h"
#include "validator/formats/hdf5/trace/check.h"
#include "validator/trace/content.h"
#include "validator/trace/log.h"
#include "validator/trace/replay.h"

using namespace hepcheck;
using namespace hepcheck::fuzz;

namespace {

constexpr trace::LogLimits kLimits{.log_bytes = 1 << 20, .file_bytes = 1 << 18, .records = 200};

void check_states(const trace::Log& log) {
  for (trace::FileNumber file = 0; file < log.files.size(); ++file) {
    const trace::Story story = trace::story_of(log, file);
    if (story.changes.size() > 20) continue;
    trace::Images images(story);
    for (const trace::State& state :
         trace::states(story, {.torn = true, .any = true, .dropped = true, .sample = 3})) {
      require(images.of(state).size() <= kLimits.file_bytes, "a state without bound");
      require(state.settled <= state.total && std::ranges::is_sorted(state.applied),
              "a state that cannot be");
    }
  }
}

}  // namespace

FUZZ_TARGET(trace_log) {
  trace::decoded(text(data, size));
  const auto bytes = std::make_shared<const std::string>(text(data, size));
  const auto log = trace::read_log(bytes, kLimits);
  if (!log) {
    require(!log.error().text.empty(), "refused without a sentence");
    return 0;
  }
  check_states(*log);
  FileReport once{.path = "log"}, twice{.path = "log"};
  hdf5::trace::check(*log, {.as_swmr = size % 2 == 1}, once);
  hdf5::trace::check(*log, {.as_swmr = size % 2 == 1, .all_of_it = true}, twice);
  require(once.subjects.size() + once.unreadable.size() == log->files.size(),
          "a file without a report");
  require(once.subjects.size() == twice.subjects.size(), "not the same twice");
  const auto producers = static_cast<std::size_t>(
      std::ranges::count(hdf5::swmr_design().clauses, Subject::kProducer, &Clause::subject));
  for (std::size_t i = 0; i < once.subjects.size(); ++i) {
    require(once.subjects[i].clauses.size() == producers, "a clause without a result");
    require(std::ranges::equal(once.subjects[i].clauses, twice.subjects[i].clauses),
            "not the same twice");
  }
  return 0;
}
