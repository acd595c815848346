#include "validator/isolate/report_stream.h"

#include <utility>

#include "validator/shorten.h"

namespace hepcheck::isolate {

namespace {

// The first byte of a message.
constexpr char kSubject = 's', kStopped = 'x', kRest = 'r';

}  // namespace

void ReportSender::subject(const SubjectReport& report) {
  send_(kSubject + to_wire(report, base_));
}

void ReportSender::stopped(const Stop& stop) { send_(kStopped + to_wire(stop)); }

void ReportSender::rest(FileReport report) {
  shorten(report);  // it may have another origin than an examination
  send_(kRest + to_wire(report));
}

void ReportSender::whole(FileReport report) {
  for (const SubjectReport& each : report.subjects) subject(each);
  if (report.stop) stopped(*report.stop);
  rest(std::move(report));
}

void ReportReader::take(std::string_view message) {
  const char kind = message.empty() ? '\0' : message.front();
  if (!message.empty()) message.remove_prefix(1);
  if (kind == kSubject && !complete_ && report_.subjects.size() < most_) {
    if (std::optional<SubjectReport> subject = subject_from_wire(message, base_))
      return report_.subjects.push_back(std::move(*subject));
  } else if (kind == kStopped) {
    if (std::optional<Stop> stop = stop_from_wire(message))
      return void(report_.stop = std::move(*stop));
  } else if (kind == kRest && !complete_) {
    if (std::optional<FileReport> rest = file_from_wire(message)) {
      complete_ = true;
      report_.error = std::move(rest->error);
      report_.unreadable = std::move(rest->unreadable);
      report_.lacked_memory = rest->lacked_memory;
      return;
    }
  }
  nonsense_ = true;
}

FileReport ReportReader::report(const std::string& name) && {
  report_.path = name;
  if (report_.stop)
    report_.error = Error{name, report_.stop->text()};
  else if (nonsense_ || !complete_)
    report_.error = Error{name, "the worker process sent an invalid answer"};
  return std::move(report_);
}

}  // namespace hepcheck::isolate
