// Tests which open modes can coexist, with the libhdf5 of this build.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "validator/result.h"

namespace hepcheck::hep001::libhdf5 {

enum class OpenMode : std::uint8_t { kRead, kSwmrRead, kWrite, kSwmrWrite };
inline constexpr OpenMode kOpenModes[] = {OpenMode::kRead, OpenMode::kSwmrRead, OpenMode::kWrite,
                                          OpenMode::kSwmrWrite};
std::string_view to_string(OpenMode mode);  // "read", "SWMR read", ...

struct OpenAttempt {
  OpenMode held{}, tried{};
  bool opened = false;
  bool changed = false;   // the bytes of the file differ
  std::string message{};  // of the library, if it refused
};

struct Appends {
  bool followed = false;                       // both SWMR readers saw the final size
  bool unchecksummed_refused = false;          // a version 1 B-tree under SWMR
  std::string refusal{};                       // and the message
  double plain_seconds = 0, swmr_seconds = 0;  // the median of 20 appends with their flushes
};

std::string library_version();
// Each in separate processes, with files in this directory.
Result<std::vector<OpenAttempt>> try_openings(const std::string& folder, bool locking);
Result<Appends> try_appends(const std::string& folder);

}  // namespace hepcheck::hep001::libhdf5
