// A rule of the container: one clause, and its requirement on one kind of structure
// (validator/look.h).
#pragma once

#include <string>
#include <utility>

#include "validator/formats/hdf5/notes.h"
#include "validator/look.h"

namespace hepcheck::hdf5 {

class Look : public LookOf<Notes> {
 public:
  using LookOf::LookOf;

  // The clause is violated, `at` bytes into the structure.
  void fail(std::uint64_t at, std::string observed, std::string expected, std::string hint = {}) {
    Place part = at_;
    part.offset += at;
    fail_at(part, std::move(observed), std::move(expected), std::move(hint));
  }
  // The same in a part of the structure that may lie in another block.
  void fail_at(const Place& part, std::string observed, std::string expected,
               std::string hint = {}) {
    const Place structure = std::exchange(at_, part);
    LookOf::fail(std::move(observed), std::move(expected), std::move(hint));
    at_ = structure;
  }
};

template <class Structure>
using Rule = LookRule<Structure, Look>;

}  // namespace hepcheck::hdf5
