// The client values of the filters of a dataset, compared with its datatype and its chunks; and the
// bytes that n-bit and scale-offset make.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "validator/formats/hdf5/container.h"
#include "validator/formats/hdf5/dataset.h"

namespace hepcheck::hdf5 {

// Judges the values of all filters. False if chunks cannot be decoded by them.
bool judge_filters(const Dataset& dataset, const Place& at, Container& file);

// The bits that n-bit keeps of an element; none if its values do not say it.
std::optional<std::uint64_t> nbit_bits(const Filter& filter);

// Whether n-bit or scale-offset with these values changes no byte.
bool leaves_chunks_alone(const Filter& filter);

// Whether a chunk is as long as the filter makes it; `bytes`: with all later filters undone.
bool judge_packed_chunk(const Filter& filter, std::span<const std::byte> bytes,
                        const Dataset& dataset, const Place& at, Notes& notes);

}  // namespace hepcheck::hdf5
