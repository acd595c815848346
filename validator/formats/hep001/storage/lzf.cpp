#include "validator/formats/hep001/storage/lzf.h"

#include <algorithm>
#include <cstdint>

namespace hepcheck::hep001 {

bool decode_lzf(std::span<const std::byte> from, std::span<std::byte> into) {
  std::size_t in = 0, out = 0;
  const auto next = [&] { return std::to_integer<std::size_t>(from[in++]); };
  while (in < from.size()) {
    const std::size_t control = next();
    if (control < 32) {  // literal bytes
      const std::size_t length = control + 1;
      if (from.size() - in < length || into.size() - out < length) return false;
      std::ranges::copy(from.subspan(in, length), into.begin() + static_cast<std::ptrdiff_t>(out));
      in += length, out += length;
      continue;
    }
    std::size_t length = control >> 5;  // a copy of earlier output
    if (from.size() - in < (length == 7 ? 2u : 1u)) return false;
    if (length == 7) length += next();
    length += 2;
    const std::size_t distance = ((control & 31) << 8 | next()) + 1;
    if (distance > out || into.size() - out < length) return false;
    for (const std::size_t end = out + length; out < end; ++out) into[out] = into[out - distance];
  }
  return out == into.size();
}

bool states_chunk_size(const Filter& lzf, const Dataset& dataset) {
  std::uint64_t bytes = dataset.type.size;
  for (const std::uint64_t length : dataset.storage.chunk)
    if (__builtin_mul_overflow(bytes, length, &bytes)) return false;
  return bytes > 0 && lzf.parameters.size() >= 3 && lzf.parameters[2] == bytes;
}

}  // namespace hepcheck::hep001
