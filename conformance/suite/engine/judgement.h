// What is found of one clause, one after the other.
#pragma once

#include <string>

#include "validator/finding.h"

namespace hepcheck::suite {

class Judgement {
 public:
  void looked() { ++result_.examined; }
  // `request`: as anybody can send it.
  void fail(std::string object, std::string where, std::string observed, std::string expected,
            std::string request = {});
  void lacks(std::string observed, std::string expected);  // something it should offer
  void not_applicable(std::string reason);
  void not_checked(std::string reason);

  // Gives the clause that has been judged since the last call. One of which nothing was examined
  // was not checked.
  ClauseResult take(const Clause& clause);

 protected:
  ClauseResult result_{.verdict = Verdict::kPass};
};

}  // namespace hepcheck::suite
