// Links and attributes in a fractal heap, indexed by name in a version 2 B-tree.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "validator/formats/hdf5/btree2.h"
#include "validator/formats/hdf5/container.h"
#include "validator/formats/hdf5/link.h"
#include "validator/formats/hdf5/region.h"

namespace hepcheck::hdf5 {

// Receives the message from the heap. Returns the name, and the order of creation that a link
// states; none if it is refused.
struct DenseMessage {
  std::string name{};
  bool utf8 = false;  // the character set of the name
  Place name_at{};
  std::optional<std::uint64_t> order{};
};
using DenseTake = std::function<std::optional<DenseMessage>(const Region& message)>;
// Passes on an attribute in the heap of shared messages, by its id; false if it is refused, or not
// known.
using DenseShared =
    std::function<bool(const Region& id, const std::function<bool(const Region&)>& use)>;

// Passes each to `take`, in the order of the hashes of the names. `type`: of the records. False if
// part of them was refused, or not read.
bool read_dense(const Dense& where, Tree2Type type, Container& file, const DenseTake& take,
                const DenseShared& shared = {});

}  // namespace hepcheck::hdf5
