// A file's copy: its bytes, and all that the file system knows about it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace hepcheck {

// All take descriptors, and give false with errno if it cannot be done.

bool write_bytes(int to, std::span<const std::byte> bytes, std::uint64_t offset);

// To an empty file. The first `size` bytes, holes as holes, and shared between the two where the
// file system can.
bool copy_bytes(int from, int to, std::uint64_t size);

// Owner, permissions, access control lists and the other extended attributes. `what` says which of
// them cannot be had.
bool copy_metadata(int from, int to, std::string& what);

}  // namespace hepcheck
