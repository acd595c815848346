// All the values of a file as libhdf5 gives them, and how many rows its tables say they have. For
// states of a file that a crash may have left.
#pragma once

#include <cstddef>
#include <span>

#include "validator/trace/content.h"

namespace hepcheck::hep001::libhdf5 {

// How a file is opened.
enum class Opening {
  kPlain,       // with what its superblock says, the end of the file included
  kSwmrReader,  // beside a SWMR writer, whose marks it has: its end is where its bytes end
};

// Of an open file. Values of variable length, and more than `most` bytes of values, are left out.
trace::Content read_content(int descriptor, Opening opening,
                            std::uint64_t most = std::uint64_t{256} << 20);

// Adds what the rules of tables find wrong in search indexes, in the bytes of the same file,
// closed.
void judge_tables(std::span<const std::byte> image, trace::Content& into);

}  // namespace hepcheck::hep001::libhdf5
