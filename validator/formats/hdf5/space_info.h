// The file space info message (IV.A.2.x): how the space of the file is managed, and its pages.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "validator/formats/hdf5/cache_image.h"
#include "validator/formats/hdf5/container.h"
#include "validator/formats/hdf5/region.h"

namespace hepcheck::hdf5 {

struct SpaceInfo {
  std::uint8_t version = 0, strategy = 0, persist = 0;
  std::uint64_t threshold = 0, page_size = 0;
  std::uint64_t end_of_allocation = kUndefined;
  // The addresses of free-space managers: six, or six for small and six for large sections. Some
  // may be undefined.
  std::vector<std::uint64_t> managers{};
  Region lists{};  // these addresses in the message, after the end of allocation if it has one
  std::uint64_t encoded = 0;  // the bytes of the message that its fields need
  bool whole = false;

  bool page_size_sound() const { return page_size >= 512 && page_size <= std::uint64_t{1} << 30; }
  // It is known whether there are pages, and of which size.
  bool pages_known() const {
    if (version == 0) return true;
    return strategy <= 3 && (strategy != 1 || page_size_sound()) && strategy_fits();
  }
  // Managers of free space are only of use with the first two strategies.
  bool strategy_fits() const { return persist == 0 || strategy <= 1 || !names_manager(); }
  bool names_manager() const {
    return std::ranges::any_of(managers,
                               [](std::uint64_t address) { return address != kUndefined; });
  }
  bool paged() const { return version == 1 && strategy == 1 && page_size_sound(); }
};

// None if its fields are not known.
std::optional<SpaceInfo> read_space_info(const Region& message, Container& file);

// The pages of a file, when everything has been read. `end`: the end-of-file address. `image`: null
// if there is none. False if the borders of pages are not known.
bool judge_pages(const SpaceInfo& info, std::uint64_t end, const CacheImage* image,
                 Container& file);

}  // namespace hepcheck::hdf5
