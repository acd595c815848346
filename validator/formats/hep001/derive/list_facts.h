// The results of one pass over the members of a list column (9.2, 9.4).
#pragma once

#include "validator/formats/hep001/derive/facts.h"

namespace hepcheck::hep001 {

struct ListContext {
  const Table& table;
  ValueSource& values;
  unsigned jobs = 1;  // threads
};

// Level after level, each member read once; without the leaf.
ListFacts list_facts(const ListColumn& list, const ListContext& context);

}  // namespace hepcheck::hep001
