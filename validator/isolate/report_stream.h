// The report of a file as messages: each subject as soon as it is made, then the rest.
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
  // All but the subjects; no subject may follow.
  void rest(FileReport report);
  // Everything at once.
  void whole(FileReport report);

 private:
  Send send_;
  ClauseResults base_{};
};

// The other end. The messages may come from a process that a hostile file has taken over.
class ReportReader {
 public:
  // `most`: subjects that a sender may have found.
  explicit ReportReader(std::uint64_t most = ~std::uint64_t{0}) : most_(most) {}

  void take(std::string_view message);
  // What has come until now. If that is not the whole of a report, or is none that a sender could
  // have sent, its error says so.
  FileReport report(const std::string& name) &&;

 private:
  FileReport report_{};
  std::uint64_t most_;
  bool complete_ = false, nonsense_ = false;
  ClauseResults base_{};
};

}  // namespace hepcheck::isolate
