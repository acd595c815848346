// The filter pipeline message.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "validator/formats/hdf5/container.h"
#include "validator/formats/hdf5/region.h"

namespace hepcheck::hdf5 {

namespace filter_id {
constexpr std::uint16_t kDeflate = 1, kShuffle = 2, kFletcher32 = 3, kSzip = 4, kNbit = 5,
                        kScaleOffset = 6, kLzf = 32'000;
}  // namespace filter_id

struct Filter {
  static constexpr std::uint16_t kOptional = 1;  // a chunk may be stored without it

  std::uint16_t id = 0, flags = 0;
  std::vector<std::uint32_t> values{};
  std::uint64_t at = 0;  // in the message
  std::uint16_t name_length = 0;
  bool name_ends = true;  // there is a zero among the bytes of the name, if it has any
  bool padding = false;   // the padding after an odd number of values is not zero
  std::string name{};

  // An optional filter that was never fitted to the dataset: it has what the application set, and
  // no more. The library leaves it so if it cannot treat the datatype, or has the filter twice, and
  // stores chunks without it.
  bool left_out() const;
  // As far as the number is known: the filter has all of its client values, or is left out.
  bool counted() const;
};

struct Filters {
  std::uint8_t version = 0, count = 0;
  bool whole = false;
  std::vector<Filter> list{};  // in the order in which they are applied
  bool reserved = false;       // reserved bytes are not zero
  bool sound = true;           // no clause of chapter IV.A.2.l is violated as an error
  std::uint64_t encoded = 0;   // bytes of the message that are used

  // The filters that begin where they seem to: after one with a wrong number of client values, the
  // rest of the message was taken apart at the wrong bytes.
  std::span<const Filter> placed() const;
};

// None if it is refused.
std::optional<Filters> read_filters(const Region& message, Container& file);

}  // namespace hepcheck::hdf5
