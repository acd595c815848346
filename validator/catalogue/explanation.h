// The additional text of `hepcheck explain` for a clause: why it matters, and an example with its
// fix.
#pragma once

#include <string_view>

namespace hepcheck {

// All texts live as long as the program. All except `why` may be empty.
struct Explanation {
  std::string_view clause;
  std::string_view why;
  std::string_view fix;      // in words
  std::string_view fixture;  // the broken file of the corpus in the example
  std::string_view shows;    // the defect
  std::string_view bad;      // the output of h5dump, reduced to the relevant part
  std::string_view good;
  std::string_view hepcheck;  // a command that fixes it; empty unless an index can be rebuilt
  std::string_view effects;   // further effects or requirements of the code
  std::string_view python;    // h5py code that fixes it; empty if there is none
  std::string_view c;
};

// For a clause of any specification; null if there is no such clause.
const Explanation* explanation(std::string_view clause);

}  // namespace hepcheck
