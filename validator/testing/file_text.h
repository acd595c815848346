// Reads files, and digests texts that are too long to be in a golden file.
#pragma once

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <string_view>

#include "validator/sha256.h"

namespace hepcheck::golden {

// Empty if there is no such file.
inline std::string file_text(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  return (std::ostringstream() << in.rdbuf()).str();
}

inline std::string sha256_of(std::string_view text) {
  Sha256 sum;
  sum.add({reinterpret_cast<const unsigned char*>(text.data()), text.size()});
  return sum.hexadecimal();
}

}  // namespace hepcheck::golden
