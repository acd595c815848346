#include "cli/exchange.h"

#include <malloc.h>
#include <signal.h>
#include <unistd.h>

#include <format>
#include <print>
#include <string_view>

#include "cli/ticker.h"
#include "reports/escape.h"
#include "validator/exchange/new_file.h"
#include "validator/rewrite.h"

namespace hepcheck::cli {

namespace {

void end(int number) {
  exchange::NewFile::on_signal();
  Rewrite::on_signal(number);
}

// The HDF5 library may be built with assertions, which damaged files can violate.
extern "C" void on_failure(int) {
  constexpr std::string_view kWords =
      "hepcheck: the HDF5 library failed on this file; the output was not written\n";
  [[maybe_unused]] const ssize_t told = write(STDERR_FILENO, kWords.data(), kWords.size());
  exchange::NewFile::on_signal();
  Rewrite::on_failure();
  _exit(3);
}

}  // namespace

void keep_freed_memory() {
#ifdef __GLIBC__
  mallopt(M_MMAP_THRESHOLD, 1 << 30);
  mallopt(M_TRIM_THRESHOLD, 1 << 30);
#endif
}

void survive_assertions() {
#ifndef __SANITIZE_ADDRESS__
  for (const int number : {SIGABRT, SIGSEGV, SIGBUS, SIGFPE}) signal(number, on_failure);
#endif
}

std::optional<Objection> objection(const Input& input, const Request& request) {
  const FileReport report = examine_within_memory(input, request);
  if (report.error) return Objection{report.error->text(), 3};
  for (const SubjectReport& subject : report.subjects)
    for (const ClauseResult& result : subject.clauses) {
      if (result.verdict != Verdict::kFail || result.severity != Severity::kError) continue;
      const Finding& finding = result.findings.front();
      const Error error{
          input.name(),
          std::format("it is not conformant, see hepcheck validate; {} ({}): {}: {}; expected {}",
                      result.clause->id, result.clause->section, finding.object, finding.observed,
                      finding.expected)};
      return Objection{error.text(), 1};
    }
  return std::nullopt;
}

int refused(const std::string& file, std::string why, int status) {
  if (why.starts_with(file + ": ")) why = why.substr(file.size() + 2);
  std::println(stderr, "hepcheck: {}{}{}", reports::escaped(file),
               why.starts_with('/') ? ":" : ": ", reports::escaped(why));
  return status;
}

void leave_nothing_behind(bool quiet) {
  static const Ticker ticker("converting", quiet);
  survive_assertions();
  for (const int number : {SIGHUP, SIGINT, SIGTERM})
    if (signal(number, end) == SIG_IGN) signal(number, SIG_IGN);  // nohup
  signal(SIGXFSZ, SIG_IGN);
}

}  // namespace hepcheck::cli
