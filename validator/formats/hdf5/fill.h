// The fill value messages: the value of unwritten elements, and the time of allocation.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "validator/formats/hdf5/container.h"
#include "validator/formats/hdf5/region.h"

namespace hepcheck::hdf5 {

struct Fill {
  bool old = false;  // the message of type 4, which has no version
  std::uint8_t version = 0, flags = 0;
  std::uint8_t allocation = 0;  // 1 early, 2 late, 3 incremental; 0: not stated
  bool whole = false;
  std::optional<std::int64_t> size{};  // of the value, if there is one
  std::uint8_t when = 0;               // the value is written: 0 at allocation, 1 never, 2 if set
  std::uint8_t defined = 0;            // as versions 1 and 2 say it
  std::vector<std::byte> value{};
  Place value_at{};
  std::uint64_t encoded = 0;  // bytes of the message that are used

  bool has_value() const { return size && *size > 0; }
  bool early() const { return allocation == 1; }
};

// None if it is refused. `type_size`: of the elements, and therefore of the value; none if that is
// not known.
std::optional<Fill> read_fill(const Region& message, bool old,
                              std::optional<std::uint32_t> type_size, Container& file);
// Whether the two messages of a dataset agree; `at`: the old one.
void judge_fills(const Fill& old_fill, const Fill& fill, const Place& at, Notes& notes);

}  // namespace hepcheck::hdf5
