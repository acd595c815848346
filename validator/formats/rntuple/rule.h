// A rule of the format: one clause, and its requirement on one kind of structure
// (validator/look.h).
#pragma once

#include "validator/formats/rntuple/notes.h"
#include "validator/look.h"

namespace hepcheck::rntuple {

class Look : public LookOf<Notes> {
 public:
  using LookOf::LookOf;

  // The next finding is about that byte of the object.
  void move_to(std::uint64_t within, std::optional<std::uint64_t> byte) {
    at_.within = within;
    at_.byte = byte;
  }
};

template <class Structure>
using Rule = LookRule<Structure, Look>;

}  // namespace hepcheck::rntuple
