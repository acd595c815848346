#pragma once

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <string>

namespace hepcheck::exchange::testing {

// A temporary directory of a test, in memory if possible, because imports wait for the disk.
struct Folder {
  std::filesystem::path path;
  Folder() {
    const bool in_memory = access("/dev/shm", W_OK) == 0;
    std::string name =
        (in_memory ? std::filesystem::path("/dev/shm") : std::filesystem::temp_directory_path()) /
        "exchange-XXXXXX";
    path = mkdtemp(name.data());
  }
  ~Folder() { std::filesystem::remove_all(path); }
  std::string file(const std::string& name) const { return path / name; }
};

}  // namespace hepcheck::exchange::testing
