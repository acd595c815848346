// Driver information (II.B, IV.A.2.u): a file may be one of several.
#pragma once

#include <cstdint>
#include <string>

#include "validator/formats/hdf5/container.h"
#include "validator/formats/hdf5/region.h"

namespace hepcheck::hdf5 {

struct Driver {
  std::string name{};         // eight bytes; empty if it cannot be read
  std::uint64_t encoded = 0;  // the bytes of the message that its fields need

  // Its addresses refer to several files, of which this is one.
  bool several_files() const { return name == "NCSAfami" || name == "NCSAmult"; }
};

// The block that a superblock of version 0 or 1 names; it may be after the end-of-file address.
Driver read_driver_block(std::uint64_t address, Container& file);
// The message of the superblock extension.
Driver read_driver_message(const Region& message, Container& file);

}  // namespace hepcheck::hdf5
