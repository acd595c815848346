#pragma once

#include <cstdlib>
#include <filesystem>
#include <string>

namespace hepcheck::exchange::testing {

// A folder that goes with the test.
struct Folder {
  std::filesystem::path path;
  Folder() {
    std::string name = std::filesystem::temp_directory_path() / "exchange-XXXXXX";
    path = mkdtemp(name.data());
  }
  ~Folder() { std::filesystem::remove_all(path); }
  std::string file(const std::string& name) const { return path / name; }
};

}  // namespace hepcheck::exchange::testing
