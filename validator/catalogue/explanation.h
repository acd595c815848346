// What `hepcheck explain` adds to a clause: why it matters, and an example with its fix.
#pragma once

#include <string_view>

namespace hepcheck {

// All texts live as long as the program. All but `why` may be empty.
struct Explanation {
  std::string_view clause;
  std::string_view why;
  std::string_view fix;      // in words
  std::string_view fixture;  // the broken file of the corpus that the example is about
  std::string_view shows;    // what is wrong with it
  std::string_view bad;      // as h5dump shows it, cut down to what matters
  std::string_view good;
  std::string_view hepcheck;  // a command that fixes it; empty unless an index can be rebuilt
  std::string_view effects;   // what else the code does, or needs
  std::string_view python;    // h5py code that fixes it; empty if there is none
  std::string_view c;
};

// Of a clause of any specification; null if there is no such clause.
const Explanation* explanation(std::string_view clause);

}  // namespace hepcheck
