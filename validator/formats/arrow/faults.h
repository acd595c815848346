// What is wrong with the slots of an array, for rules that report the first one and count the
// others.
#pragma once

#include <cstdint>
#include <format>
#include <string>
#include <utility>

#include "validator/formats/arrow/array.h"
#include "validator/formats/arrow/rule.h"

namespace hepcheck::arrow {

struct Faults {
  const Array* array = nullptr;
  const Loaded* in = nullptr;  // the buffer that contains the slots; null: the array as a whole
  unsigned buffer = 0;         // and its number
  std::uint64_t width = 0;     // bytes of a slot in it
  std::uint64_t slot = 0, count = 0;
  std::string observed{}, expected{};  // of the first

  // `observed` and `expected` are functions, which are called for the first fault only.
  template <class Observed, class Expected>
  void add(std::uint64_t at, const Observed& found, const Expected& wanted) {
    if (count++ > 0) return;
    slot = at;
    observed = found();
    expected = wanted();
  }
  // With the faults of later slots.
  void join(Faults&& later) {
    if (count == 0) {
      slot = later.slot;
      observed = std::move(later.observed);
      expected = std::move(later.expected);
    }
    count += later.count;
  }
};

inline void report_faults(const Faults& it, Look& look) {
  look.looked(it.array->length());
  if (it.count == 0) return;
  if (it.in) {
    const Place place = it.array->in(*it.in, it.buffer, it.slot * it.width);
    look.move_to(*place.within, place.byte);
  }
  look.fail(std::format("slot {}: {}", it.slot, it.observed), it.expected, {}, it.count - 1);
}

}  // namespace hepcheck::arrow
