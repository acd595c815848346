// An open file in memory.
#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <cstdlib>
#include <span>
#include <string_view>

#include "validator/copy_file.h"
#include "validator/descriptor.h"

namespace hepcheck {

// A file of its own with these bytes, at its start.
inline Descriptor memory_file(std::span<const std::byte> bytes) {
  Descriptor file{memfd_create("bytes", MFD_CLOEXEC)};
  if (!write_bytes(file.get(), bytes, 0)) std::abort();
  return file;
}
inline Descriptor memory_file(std::string_view bytes) {
  return memory_file(std::as_bytes(std::span(bytes)));
}

}  // namespace hepcheck
