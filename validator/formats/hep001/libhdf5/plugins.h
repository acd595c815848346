// Loads filter plugins before any file is opened.
#pragma once

namespace hepcheck::hep001::libhdf5 {

// Registers every filter plugin on the library's plugin path. The library itself would search for a
// plugin when a file requires it, and could run code intended for other files; in a worker process
// it could not open the plugin any more.
void load_filter_plugins();

}  // namespace hepcheck::hep001::libhdf5
