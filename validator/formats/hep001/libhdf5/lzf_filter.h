// LZF as a filter of the library.
#pragma once

namespace hepcheck::hep001::libhdf5 {

// Enables the library to read such chunks without a plugin.
void register_lzf();

}  // namespace hepcheck::hep001::libhdf5
