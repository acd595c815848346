// The messages of a dataset together.
#pragma once

#include <cstdint>
#include <optional>

#include "validator/formats/hdf5/container.h"
#include "validator/formats/hdf5/dataset.h"

namespace hepcheck::hdf5 {

// Judges what has been read of a dataset, and adds to the risk profile.
void judge_dataset(Dataset& dataset, const std::string& path, Container& file);
// A chunk of a filtered dataset that becomes very much larger.
void judge_expansion(const Dataset& dataset, std::uint64_t stored, const Place& at, Notes& notes);

// The size that a layout states of contiguous storage in the file, and that of the values.
struct ContiguousStorage {
  std::uint64_t stated = 0, wanted = 0;
  Place at{};  // of the layout
};
// None if the dataset has no such storage, or no one size of its values.
std::optional<ContiguousStorage> contiguous_storage(const Dataset& dataset);
void judge_storage(const ContiguousStorage& storage, Notes& notes);

}  // namespace hepcheck::hdf5
