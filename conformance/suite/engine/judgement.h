// The results for one clause after another.
#pragma once

#include <string>

#include "validator/finding.h"

namespace hepcheck::suite {

class Judgement {
 public:
  void looked() { ++result_.examined; }
  // `request`: as anyone can send it.
  void fail(std::string object, std::string where, std::string observed, std::string expected,
            std::string request = {});
  void lacks(std::string observed, std::string expected);  // a capability that it should have
  void not_applicable(std::string reason);
  void not_checked(std::string reason);

  // Returns the clause that was judged since the last call. A clause without any examination was
  // not checked.
  ClauseResult take(const Clause& clause);

 protected:
  ClauseResult result_{.verdict = Verdict::kPass};
};

}  // namespace hepcheck::suite
