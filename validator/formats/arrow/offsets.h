// Offsets of variable-size arrays: chapters 2.6 and 2.7 have the same requirements.
#pragma once

#include <cstdint>
#include <optional>

#include "validator/formats/arrow/array.h"
#include "validator/formats/arrow/rule.h"

namespace hepcheck::arrow {

struct Offsets {
  const Array& array;
  std::int64_t first = 0, last = 0;
  bool known = true;  // they could be read
  // The values are UTF-8, null or not, and the offsets ascend; false if not examined.
  bool texts = false;
  // The first slot whose end precedes its beginning, and both.
  std::optional<std::uint64_t> descent{};
  std::int64_t begin = 0, end = 0;
  std::uint64_t descents = 0;
};

// For an array with slots and enough space for all its offsets, whose buffer is open. `texts`: the
// second buffer is open too, and its values are examined.
Offsets read_offsets(const Array& array, bool texts = false);

// In slots.
struct Room {
  const Offsets& offsets;
  std::uint64_t limit;  // of the data or of the child
};

// The checks; each chapter has its own clause for each of them.
void offsets_size(const Array& array, Look& look);
void first_offset_not_negative(const Offsets& offsets, Look& look);
void offsets_ascending(const Offsets& offsets, Look& look);
void offsets_start_at_zero(const Offsets& offsets, Look& look);
void last_offset_inside(const Room& room, Look& look);

}  // namespace hepcheck::arrow
