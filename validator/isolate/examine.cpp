#include "validator/isolate/examine.h"

#include "validator/isolate/report_stream.h"

namespace hepcheck::isolate {

namespace {

void examine_and_send(const Input& input, const Request& wanted, FileOptions options,
                      const Send& send) {
  ReportSender sender(send);
  options.on_subject = [&](const SubjectReport& subject) { sender.subject(subject); };
  sender.rest(
      examine_bytes(input, {.spec = wanted.spec, .subject = wanted.subject, .options = options}));
}

}  // namespace

std::string examine_isolated(const Input& input, const Request& wanted, const Bounds& bounds,
                             const Send& send) {
  // Everything that is the same for all files is prepared here once and inherited. No file is read.
  prepare(wanted.options);
  const auto work = [&](const Send& to_parent, WorkerPosition& place) {
    PositionProgress progress(place);
    FileOptions telling = wanted.options;
    if (telling.examine.progress) telling.examine.progress = &progress;
    examine_and_send(input, wanted, telling, to_parent);
  };
  Bounds own = bounds;
  own.threads = bounds.threads && wanted.options.examine.jobs != 1;
  const Outcome outcome =
      run_in_worker(input.descriptors(), work, send, own, wanted.options.examine.progress);
  if (outcome.error) {
    // Without a worker the file is not examined: this process has no sandbox.
    ReportSender(send).rest({.error = Error{input.name(), "no process could be started for it: " +
                                                              outcome.error->cause}});
    return {};
  }
  if (outcome.stop) ReportSender(send).stopped(*outcome.stop);
  return outcome.refused;
}

}  // namespace hepcheck::isolate
