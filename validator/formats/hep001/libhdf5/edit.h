// Changes a copy of a file. The original file is never modified.
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
    kDropElements,   // removes `elements` of that one-dimensional attribute; if all are given, the
                     // attribute itself
    kSetNumber,      // writes `number` to that scalar integer attribute
    kShrink,         // shrinks the dataset at `path` to `number` rows (chunked datasets only)
    kCut,            // the same for a dataset that no object refers to, with any storage
  };
  Kind kind = Kind::kUnlink;
  std::string path{};
  std::string name{};
  std::uint64_t number = 0;
  std::set<std::uint64_t> elements{};

  friend bool operator==(const Edit&, const Edit&) = default;
};

// The image with all changes applied, or the reason why one of them could not be applied.
Result<Image> edited(std::span<const std::byte> image, std::span<const Edit> edits);

// The same objects in a file without gaps. Fails if the library cannot copy them.
Result<Image> compacted(std::span<const std::byte> image);

}  // namespace hepcheck::hep001::libhdf5
