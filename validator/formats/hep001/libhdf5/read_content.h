// All the values of a file as libhdf5 gives them, and how many rows its tables say they have. For
// states of a file that a crash may have left.
#pragma once

#include <cstddef>
#include <span>

#include "validator/trace/content.h"

namespace hepcheck::hep001::libhdf5 {

// Also what the rules of tables find broken. Values of variable length, and more than `most` bytes
// of values, are left out.
trace::Content read_content(std::span<const std::byte> image,
                            std::uint64_t most = std::uint64_t{256} << 20);

}  // namespace hepcheck::hep001::libhdf5
