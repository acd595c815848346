#include <libdeflate.h>

#include <algorithm>
#include <memory>
#include <new>

#include "validator/codec/codec.h"
#include "validator/integers.h"

namespace hepcheck::codec {

Decoded zlib(Input input, std::uint64_t most, Slab& output) {
  thread_local const std::unique_ptr<libdeflate_decompressor,
                                     decltype(&libdeflate_free_decompressor)>
      library(libdeflate_alloc_decompressor(), libdeflate_free_decompressor);
  if (!library) throw std::bad_alloc();
  // A byte of input gives 1032 bytes of output at most.
  constexpr std::uint64_t kRatio = 1032;
  const std::span<std::byte> space =
      output.take(std::min(most, sum(product(input.size(), kRatio), kRatio)));
  std::size_t taken = 0, size = 0;
  switch (libdeflate_zlib_decompress_ex(library.get(), input.data(), input.size(), space.data(),
                                        space.size(), &taken, &size)) {
    case LIBDEFLATE_SUCCESS: return {.size = size, .taken = taken, .ended = true};
    case LIBDEFLATE_INSUFFICIENT_SPACE: return {.size = space.size()};
    default: return {.error = "not a valid deflate stream"};
  }
}

}  // namespace hepcheck::codec
