// Compares texts with golden files. A text that differs is written to the build directory, from
// where `./dev golden --accept` takes it.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <format>
#include <fstream>
#include <string>
#include <string_view>

#include "validator/testing/file_text.h"

namespace hepcheck::golden {

// True if `text` equals the golden file `name`, a path relative to the source tree. Otherwise
// writes `text` to the same path below HEPCHECK_DIFFERING_GOLDEN_FILES and shows the first
// difference.
inline testing::AssertionResult equals(std::string_view text, const std::string& name) {
  namespace fs = std::filesystem;
  const fs::path differing = fs::path(HEPCHECK_DIFFERING_GOLDEN_FILES) / name;
  const std::string golden = file_text(fs::path(HEPCHECK_SOURCE) / name);
  if (text == golden) {
    fs::remove(differing);
    return testing::AssertionSuccess();
  }
  fs::create_directories(differing.parent_path());
  std::ofstream(differing, std::ios::binary) << text;
  const auto at = std::ranges::mismatch(text, golden).in1 - text.begin();
  const std::size_t begin = static_cast<std::size_t>(std::max<std::ptrdiff_t>(at - 80, 0));
  return testing::AssertionFailure()
         << std::format("{} differs; `./dev golden` shows all differences.\nwas:\n{}\nis:\n{}",
                        name, golden.substr(std::min(begin, golden.size()), 400),
                        text.substr(std::min(begin, text.size()), 400));
}

}  // namespace hepcheck::golden
