// What tests and properties of what comes in through a pipe need.
#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "validator/descriptor.h"

namespace hepcheck::testing {

inline constexpr std::uint64_t kStep = std::uint64_t{256} << 10;  // held, however little may be

// Byte i is that of i.
inline std::string counted(std::size_t size) {
  std::string bytes(size, '\0');
  for (std::size_t i = 0; i < size; ++i) bytes[i] = static_cast<char>(i * 0x9E3779B1u >> 24);
  return bytes;
}

// A file of its own, at its start.
inline Descriptor file_of(const std::string& bytes) {
  Descriptor file{memfd_create("bytes", MFD_CLOEXEC)};
  for (std::size_t at = 0; at < bytes.size();) {
    const ssize_t wrote = write(file.get(), bytes.data() + at, bytes.size() - at);
    if (wrote <= 0) std::abort();
    at += static_cast<std::size_t>(wrote);
  }
  if (lseek(file.get(), 0, SEEK_SET) != 0) std::abort();
  return file;
}

}  // namespace hepcheck::testing
