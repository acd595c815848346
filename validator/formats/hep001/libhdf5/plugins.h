// Filter plugins, loaded before any file is opened.
#pragma once

namespace hepcheck::hep001::libhdf5 {

// Registers every filter plugin that lies on the library's plugin path. The library itself would
// look for a plugin when a file asks for it, and run then what is not meant for that file; in a
// worker process it could no longer open it.
void load_filter_plugins();

}  // namespace hepcheck::hep001::libhdf5
