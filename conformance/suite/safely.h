// Work on files from strangers, in a process of its own.
#pragma once

#include <functional>
#include <optional>

namespace hepcheck::hep001::suite {

// What `work` returns, from 0 to 255; nothing if it crashed or did not end in time. Nobody knows
// what the HDF5 library does with half a file.
std::optional<int> safely(const std::function<int()>& work);

}  // namespace hepcheck::hep001::suite
