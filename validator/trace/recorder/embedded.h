// The recorders themselves: shared libraries that are loaded into the program under observation,
// and carried along until then.
#pragma once

#include <filesystem>
#include <string_view>

namespace hepcheck::trace {

std::string_view preload_recorder();  // for LD_PRELOAD
std::string_view driver_recorder();   // a file driver of HDF5 1.14 and later

// Writes one of them where a program can load it; false if that cannot be done.
bool unpack(std::string_view recorder, const std::filesystem::path& path);

}  // namespace hepcheck::trace
