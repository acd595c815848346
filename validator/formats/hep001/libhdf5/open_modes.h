// Who may open a file that another process has open, by the libhdf5 at hand.
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
  bool changed = false;   // the file is not what it was, byte by byte
  std::string message{};  // of the library, where it refused
};

struct Appends {
  bool followed = false;                       // both SWMR readers saw the last size
  bool unchecksummed_refused = false;          // a version 1 tree under SWMR
  std::string refusal{};                       // and with which words
  double plain_seconds = 0, swmr_seconds = 0;  // of an append with its flush, the median of 20
};

std::string library_version();
// Each in processes of their own, with files in this folder.
Result<std::vector<OpenAttempt>> try_openings(const std::string& folder, bool locking);
Result<Appends> try_appends(const std::string& folder);

}  // namespace hepcheck::hep001::libhdf5
