// Reports as text.
#pragma once

#include <cstddef>
#include <format>
#include <map>
#include <string>
#include <string_view>

#include "validator/report.h"

namespace hepcheck::hdf5::testing {

// Everything that a report says.
inline std::string text_of(const FileReport& report) {
  std::string text;
  for (const Error& each : report.unreadable) text += each.text() + '\n';
  for (const SubjectReport& subject : report.subjects) {
    text += std::format("{}: {}\n", subject.path, to_string(subject.verdict));
    for (const std::string& note : subject.notes) text += " note: " + note + '\n';
    for (const ClauseResult& result : subject.clauses) {
      if (result.verdict == Verdict::kNotApplicable) continue;
      text += std::format(" {} {} {}{}{}\n", to_string(result.verdict), result.clause->id,
                          result.examined, result.reason.empty() ? "" : ": ", result.reason);
      for (const Finding& each : result.findings)
        text += std::format("  {} | {} | {} | {} | {} | {}\n", to_string(each.severity),
                            each.object, each.where, each.observed, each.expected, each.more);
    }
  }
  return text;
}

// How often each clause was violated.
using Violations = std::map<std::string_view, std::size_t>;

inline void count(const FileReport& report, Violations& into) {
  for (const SubjectReport& subject : report.subjects)
    for (const ClauseResult& result : subject.clauses)
      if (result.verdict == Verdict::kFail) ++into[result.clause->id];
}
// A line for each of them.
inline std::string text_of(const Violations& violations) {
  std::string text;
  for (const auto& [clause, times] : violations) text += std::format("  {} {}\n", clause, times);
  return text;
}

}  // namespace hepcheck::hdf5::testing
