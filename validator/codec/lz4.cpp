#include <lz4.h>
#include <lz4frame.h>

#include <limits>
#include <memory>
#include <new>

#include "validator/codec/pieces.h"

namespace hepcheck::codec {

Decoded lz4_frame(Input input, const Wanted& wanted) {
  LZ4F_dctx* made = nullptr;
  if (LZ4F_isError(LZ4F_createDecompressionContext(&made, LZ4F_VERSION))) throw std::bad_alloc();
  const std::unique_ptr<LZ4F_dctx, decltype(&LZ4F_freeDecompressionContext)> context(
      made, LZ4F_freeDecompressionContext);
  return in_pieces(input, wanted, [&](Input from, std::span<std::byte> to) -> Step {
    std::size_t out = to.size(), in = from.size();
    const std::size_t hint =
        LZ4F_decompress(context.get(), to.data(), &out, from.data(), &in, nullptr);
    if (LZ4F_isError(hint)) return {.error = LZ4F_getErrorName(hint)};
    return {.in = in, .out = out, .ended = hint == 0};
  });
}

Decoded lz4_block(Input input, std::uint64_t most, Slab& output) {
  // A byte of input gives 255 bytes of output at most.
  constexpr std::uint64_t kRatio = 255, kMostSize = std::numeric_limits<int>::max();
  if (input.size() > kMostSize) return {.error = "a block of 2 GiB or more"};
  const std::span<std::byte> space =
      output.take(std::min({most, product(input.size(), kRatio), kMostSize}));
  const int size = LZ4_decompress_safe(
      reinterpret_cast<const char*>(input.data()), reinterpret_cast<char*>(space.data()),
      static_cast<int>(input.size()), static_cast<int>(space.size()));
  // The library does not tell a block that is too large from one that is broken.
  if (size < 0) return {.error = "not an LZ4 block, or a larger one"};
  return {.size = static_cast<std::uint64_t>(size), .taken = input.size(), .ended = true};
}

}  // namespace hepcheck::codec
