// Copies a file: its bytes and all metadata that the file system stores.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace hepcheck {

// All functions take descriptors and return false, with errno set, on failure.

bool write_bytes(int to, std::span<const std::byte> bytes, std::uint64_t offset);

// Copies the first `size` bytes to an empty file; holes stay holes, and the data is shared if the
// file system supports it.
bool copy_bytes(int from, int to, std::uint64_t size);

// Copies owner, permissions, access control lists and the other extended attributes. `what` names
// those that cannot be copied.
bool copy_metadata(int from, int to, std::string& what);

}  // namespace hepcheck
