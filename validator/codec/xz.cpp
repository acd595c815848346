#include <lzma.h>

#include <new>

#include "validator/codec/codec.h"

namespace hepcheck::codec {

Decoded xz_into(Input input, std::span<std::byte> output) {
  // The dictionary of the highest level has 64 MiB.
  std::uint64_t memory = std::uint64_t{128} << 20;
  std::size_t taken = 0, size = 0;
  const lzma_ret result = lzma_stream_buffer_decode(
      &memory, 0, nullptr, reinterpret_cast<const std::uint8_t*>(input.data()), &taken,
      input.size(), reinterpret_cast<std::uint8_t*>(output.data()), &size, output.size());
  switch (result) {
    case LZMA_OK: return {.size = size, .taken = taken, .ended = true};
    case LZMA_BUF_ERROR: return {.size = output.size()};
    case LZMA_MEM_ERROR: throw std::bad_alloc();
    case LZMA_MEMLIMIT_ERROR:
      return {.error = "it needs a dictionary of more than 128 MiB", .refused = true};
    case LZMA_FORMAT_ERROR: return {.error = "not an .xz stream"};
    case LZMA_OPTIONS_ERROR: return {.error = "an .xz stream with unknown options"};
    default: return {.error = "not a valid .xz stream"};
  }
}

}  // namespace hepcheck::codec
