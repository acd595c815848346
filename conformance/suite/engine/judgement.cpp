#include "conformance/suite/engine/judgement.h"

#include <utility>

#include "conformance/suite/engine/text.h"

namespace hepcheck::suite {

namespace {

// Limits per clause, because the program decides the number and length of findings.
constexpr std::size_t kMostFindings = 1000, kLongestText = 1000;

}  // namespace

void Judgement::fail(std::string object, std::string where, std::string observed,
                     std::string expected, std::string request) {
  result_.verdict = Verdict::kFail;
  if (result_.findings.size() == kMostFindings) {
    ++result_.suppressed;
    return;
  }
  result_.findings.push_back({.object = std::move(object),
                              .where = brief(where, kLongestText),
                              .observed = brief(observed, kLongestText),
                              .expected = brief(expected, kLongestText),
                              .hint = std::move(request)});
}

void Judgement::lacks(std::string observed, std::string expected) {
  looked();
  fail("hello", "", std::move(observed), std::move(expected));
}

void Judgement::not_applicable(std::string reason) {
  if (result_.verdict == Verdict::kFail) return;
  result_.verdict = Verdict::kNotApplicable;
  result_.reason = std::move(reason);
}

void Judgement::not_checked(std::string reason) {
  if (result_.verdict == Verdict::kFail) return;
  result_.verdict = Verdict::kNotChecked;
  result_.reason = std::move(reason);
}

ClauseResult Judgement::take(const Clause& clause) {
  ClauseResult taken = std::exchange(result_, {.verdict = Verdict::kPass});
  taken.clause = &clause;
  taken.severity = clause.default_severity;
  if (taken.verdict == Verdict::kPass && taken.examined == 0) {
    taken.verdict = Verdict::kNotChecked;
    if (taken.reason.empty()) taken.reason = "nothing was examined";
  }
  if (taken.verdict == Verdict::kPass || taken.verdict == Verdict::kFail) taken.reason.clear();
  return taken;
}

}  // namespace hepcheck::suite
