// Limits on what is read from one file, whatever the file claims.
#pragma once

#include <cstdint>

namespace hepcheck {

struct Limits {
  std::uint64_t attribute_bytes = std::uint64_t{64} << 20;  // one attribute's value
  std::uint64_t attributes = 100'000;                       // of one object
  std::uint64_t links = 10'000'000;                         // of one file
  std::uint64_t objects = 2'000'000;                        // of one file
  std::uint64_t subjects = 100'000;                         // of one file, the judged ones
  std::uint64_t group_depth = 1'000;                        // below the root group
  std::uint64_t type_depth = 32;                            // nested datatypes
  std::uint64_t type_members = 100'000;                     // fields and enumeration members
  std::uint64_t chunks = 100'000'000;                       // of one dataset
  std::uint64_t block_bytes = std::uint64_t{1} << 30;       // one row, or one chunk, of values
  std::uint64_t string_bytes = std::uint64_t{64} << 20;     // one variable-length value
  std::uint64_t value_bytes = std::uint64_t{1} << 40;   // all values that are read, after decoding
  std::uint64_t members = 10'000;                       // of a directory that is one subject
  std::uint64_t member_depth = 32;                      // directories inside directories of it
  std::uint64_t member_name = 4'096;                    // bytes of a member's path inside it
  std::uint64_t member_bytes = std::uint64_t{1} << 40;  // all files of it together
  std::uint64_t ratio =
      10'000;  // ratio of value_bytes to the size of the file, beyond the first GiB
};

}  // namespace hepcheck
