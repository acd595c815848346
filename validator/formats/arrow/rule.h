// A rule of the format: one clause, and its requirement on one kind of structure
// (validator/look.h).
#pragma once

#include "validator/formats/arrow/notes.h"
#include "validator/look.h"

namespace hepcheck::arrow {

class Look : public LookOf<Notes> {
 public:
  using LookOf::LookOf;

  // The next finding is about a byte of the buffer that the rule has read.
  void move_to(std::uint64_t within, std::uint64_t byte) {
    at_.within = within;
    at_.byte = byte;
  }
};

template <class Structure>
using Rule = LookRule<Structure, Look>;

}  // namespace hepcheck::arrow
