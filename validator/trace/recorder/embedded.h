// The recorders: shared libraries that are loaded into the observed program, embedded in hepcheck.
#pragma once

#include <filesystem>
#include <string_view>

namespace hepcheck::trace {

std::string_view preload_recorder();  // for LD_PRELOAD
// A file driver of HDF5 1.14 and later; empty in a build without libhdf5.
std::string_view driver_recorder();

// Writes one of them to a place from which a program can load it; false on failure.
bool unpack(std::string_view recorder, const std::filesystem::path& path);

}  // namespace hepcheck::trace
