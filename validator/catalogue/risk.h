// Clauses about what an input may do to whoever opens it, beside being broken: its risk profile.
// They are reported apart from defects.
#pragma once

#include "validator/catalogue/clause.h"

namespace hepcheck {

// Of the basis "risk": what a cautious reader refuses in an input that it does not trust. Of the
// basis "trait": what is only worth knowing.
inline bool is_refused_if_untrusted(const Clause& clause) { return clause.basis == "risk"; }
inline bool is_of_profile(const Clause& clause) {
  return is_refused_if_untrusted(clause) || clause.basis == "trait";
}

}  // namespace hepcheck
