// The map of a container, as a command receives it.
#pragma once

#include <string_view>
#include <utility>

#include "validator/formats/hdf5/file_map.h"

namespace hepcheck::hdf5::testing {

inline FileMap map_of(const Bytes& file, const MapOptions& options = {},
                      const Limits& limits = {}) {
  FileMapReader reader;
  tell_map(file, limits, options, [&](std::string_view message) { reader.take(message); });
  return std::move(reader).map();
}

}  // namespace hepcheck::hdf5::testing
