#include "validator/isolate/examine.h"

#include "validator/isolate/wire.h"
#include "validator/isolate/worker.h"

namespace hepcheck::isolate {

Isolated examine_isolated(int descriptor, const std::string& name,
                          const std::optional<std::string>& group, const Specification& spec,
                          const FileOptions& options, const Bounds& bounds) {
  // Whatever is the same for all files is got ready here, once, and inherited. It reads no file.
  prepare(options);

  // Tables go out as they are made, each marked by a byte; the rest of the report at the end.
  const auto work = [&](const Send& send, Place& place) {
    PlaceProgress progress(place);
    FileOptions telling = options;
    if (options.examine.progress) telling.examine.progress = &progress;
    Common sent;
    telling.on_table = [&](const TableReport& table) { send('t' + to_wire(table, spec, sent)); };
    send('f' + to_wire(examine_descriptor(descriptor, name, group, spec, telling), spec));
  };
  FileReport report{.path = name};
  std::optional<FileReport> rest;
  Common received;
  bool nonsense = false;
  const auto receive = [&](std::string_view message) {
    const std::string_view bytes = message.substr(1);
    if (message.front() == 't' && !rest) {
      if (auto table = table_from_wire(bytes, spec, received))
        report.tables.push_back(std::move(*table));
      else
        nonsense = true;
    } else if (message.front() == 'f' && !rest) {
      rest = file_from_wire(bytes, spec);
      nonsense |= !rest;
    } else {
      nonsense = true;
    }
  };

  const Outcome outcome =
      run_in_worker(descriptor, work, receive, bounds, options.examine.progress);
  if (outcome.error)
    return {.report = examine_descriptor(descriptor, name, group, spec, options),
            .refused = outcome.error->text()};
  if (rest) {
    report.error = std::move(rest->error);
    report.unreadable = std::move(rest->unreadable);
  }
  if (outcome.stop) {
    report.stop = outcome.stop;
    report.error = Error{name, outcome.stop->text()};
  } else if (nonsense || !rest) {
    report.error = Error{name, "the worker process sent an answer that cannot be read"};
  }
  return {.report = std::move(report), .refused = outcome.refused};
}

}  // namespace hepcheck::isolate
