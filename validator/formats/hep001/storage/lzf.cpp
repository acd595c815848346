#include "validator/formats/hep001/storage/lzf.h"

#include <cstdint>

#include "validator/codec/codec.h"

namespace hepcheck::hep001 {

bool decode_lzf(std::span<const std::byte> from, std::span<std::byte> into) {
  const codec::Decoded made = codec::lzf_into(from, into);
  return made.ended && made.size == into.size();
}

bool states_chunk_size(const Filter& lzf, const Dataset& dataset) {
  std::uint64_t bytes = dataset.type.size;
  for (const std::uint64_t length : dataset.storage.chunk)
    if (__builtin_mul_overflow(bytes, length, &bytes)) return false;
  return bytes > 0 && lzf.parameters.size() >= 3 && lzf.parameters[2] == bytes;
}

}  // namespace hepcheck::hep001
