// Changes to a copy of a file. The file that the copy came from is never touched.
#pragma once

#include <cstddef>
#include <cstdint>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "validator/result.h"

namespace hepcheck::hep001::libhdf5 {

using Image = std::vector<std::byte>;

// One change. Paths are absolute.
struct Edit {
  enum class Kind : std::uint8_t {
    kUnlink,         // removes the link `path`
    kDropAttribute,  // removes the attribute `name` of the object at `path`
    kDropElements,   // removes `elements` of that one-dimensional attribute; all of them: itself
    kSetNumber,      // writes `number` into that scalar integer attribute
    kShrink,         // cuts the dataset at `path` down to `number` rows (chunked ones only)
    kCut,            // the same for one that nothing refers to, whatever its storage
  };
  Kind kind = Kind::kUnlink;
  std::string path{};
  std::string name{};
  std::uint64_t number = 0;
  std::set<std::uint64_t> elements{};

  friend bool operator==(const Edit&, const Edit&) = default;
};

// The image with all the changes applied, or why one of them could not be.
Result<Image> edited(std::span<const std::byte> image, std::span<const Edit> edits);

// The same objects in a file without gaps. Fails where the library cannot copy them.
Result<Image> compacted(std::span<const std::byte> image);

}  // namespace hepcheck::hep001::libhdf5
