// Sends the report of a file as messages: each subject as soon as it is complete, then the rest.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "validator/isolate/wire.h"
#include "validator/isolate/worker.h"
#include "validator/report.h"

namespace hepcheck::isolate {

class ReportSender {
 public:
  explicit ReportSender(Send send) : send_(std::move(send)) {}

  void subject(const SubjectReport& report);
  void stopped(const Stop& stop);
  // Everything except the subjects; no subject may follow.
  void rest(FileReport report);
  // The complete report.
  void whole(FileReport report);

 private:
  Send send_;
  ClauseResults base_{};
};

// The receiver. A process that a hostile file has compromised may have sent the messages.
class ReportReader {
 public:
  // `most`: the maximum number of subjects.
  explicit ReportReader(std::uint64_t most = ~std::uint64_t{0}) : most_(most) {}

  void take(std::string_view message);
  // The part that has arrived. If it is incomplete, or invalid, its error says so.
  FileReport report(const std::string& name) &&;

 private:
  FileReport report_{};
  std::uint64_t most_;
  bool complete_ = false, nonsense_ = false;
  ClauseResults base_{};
};

}  // namespace hepcheck::isolate
