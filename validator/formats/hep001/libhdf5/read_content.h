// All values of a file as libhdf5 returns them, and the row counts of its tables. For states of a
// file that a crash may have left.
#pragma once

#include <cstddef>
#include <span>

#include "validator/trace/content.h"

namespace hepcheck::hep001::libhdf5 {

// Why the functions below cannot be used; null if they can.
const char* why_unavailable();

// The mode in which a file is opened.
enum class Opening {
  kPlain,       // as its superblock states, including the end of the file
  kSwmrReader,  // concurrent with a SWMR writer, whose marks it has: it ends at its last byte
};

// For an open file. Variable-length values, and values beyond `most` bytes, are omitted.
trace::Content read_content(int descriptor, Opening opening,
                            std::uint64_t most = std::uint64_t{256} << 20);

// Adds the findings of the rules of tables about search indexes, in the bytes of the same closed
// file.
void judge_tables(std::span<const std::byte> image, trace::Content& into);

}  // namespace hepcheck::hep001::libhdf5
