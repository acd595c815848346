// Structures as the files of tests have them: with addresses and lengths of 8 bytes.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "validator/formats/hdf5/lookup3.h"
#include "validator/formats/hdf5/region.h"
#include "validator/testing/number.h"

namespace hepcheck::hdf5::testing {

// Bytes, followed by their checksum.
inline std::string summed(const std::string& bytes) {
  return bytes + number(lookup3(std::as_bytes(std::span(bytes))), 4);
}

// A message of a version 2 header.
inline std::string message(std::uint8_t type, const std::string& data) {
  return number(type, 1) + number(data.size(), 2) + number(0, 1) + data;
}
inline std::string header(const std::string& messages) {
  return summed("OHDR" + number(2, 1) + number(2, 1) + number(messages.size(), 4) + messages);
}

// The messages of a group, before its links.
inline std::string link_info() {
  return message(2, number(0, 2) + number(kUndefined, 8) + number(kUndefined, 8));
}
inline std::string link_to(const std::string& name, std::uint64_t address) {
  return message(6,
                 number(1, 1) + number(0, 1) + number(name.size(), 1) + name + number(address, 8));
}

inline constexpr std::uint64_t kSuperblockBytes = 48;
// Of version 3. `end` is an absolute address, and `root` is relative to the base.
inline std::string superblock(std::uint64_t base, std::uint64_t extension, std::uint64_t end,
                              std::uint64_t root) {
  return summed("\x89HDF\r\n\x1a\n" + number(3, 1) + number(8, 1) + number(8, 1) + number(0, 1) +
                number(base, 8) + number(extension, 8) + number(end, 8) + number(root, 8));
}

inline std::string byte_type() {
  return number(0x10, 1) + number(0, 3) + number(1, 4) + number(0, 2) + number(8, 2);
}

}  // namespace hepcheck::hdf5::testing
