// The filters N-bit and scale-offset, which store fewer bits of each number, and szip. Decoding
// only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <span>
#include <string>

namespace hepcheck::hep001 {

// The numbers under which HDF5 registers these filters.
inline constexpr int kSzipFilter = 4, kNbitFilter = 5, kScaleOffsetFilter = 6;

// The data is stored as it is.
bool nbit_keeps_all(std::span<const unsigned> parameters);
bool scale_offset_keeps_all(std::span<const unsigned> parameters);
// How many bytes come out, by the parameters of the filter; 0 if these are not valid.
std::uint64_t nbit_bytes(std::span<const unsigned> parameters);
std::uint64_t scale_offset_bytes(std::span<const unsigned> parameters);
// Likewise, as the chunk states it.
std::uint64_t szip_bytes(std::span<const std::byte> from);

// Each fills `into`, which has exactly that many bytes. The error describes the defect.
using Unpacked = std::expected<void, std::string>;
Unpacked unpack_nbit(std::span<const unsigned> parameters, std::span<const std::byte> from,
                     std::span<std::byte> into);
Unpacked unpack_scale_offset(std::span<const unsigned> parameters, std::span<const std::byte> from,
                             std::span<std::byte> into);
Unpacked unpack_szip(std::span<const unsigned> parameters, std::span<const std::byte> from,
                     std::span<std::byte> into);
// Whether the program was built with a library for szip.
bool has_szip();

}  // namespace hepcheck::hep001
