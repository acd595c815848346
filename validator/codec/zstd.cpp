#include <zstd.h>

#include <memory>
#include <new>

#include "validator/codec/pieces.h"

namespace hepcheck::codec {

Decoded zstd(Input input, const Wanted& wanted) {
  const std::unique_ptr<ZSTD_DStream, decltype(&ZSTD_freeDStream)> stream(ZSTD_createDStream(),
                                                                          ZSTD_freeDStream);
  if (!stream) throw std::bad_alloc();
  return in_pieces(input, wanted, [&](Input from, std::span<std::byte> to) -> Step {
    ZSTD_inBuffer in{from.data(), from.size(), 0};
    ZSTD_outBuffer out{to.data(), to.size(), 0};
    const std::size_t hint = ZSTD_decompressStream(stream.get(), &out, &in);
    if (ZSTD_isError(hint)) return {.in = in.pos, .error = ZSTD_getErrorName(hint)};
    return {.in = in.pos, .out = out.pos, .ended = hint == 0};
  });
}

}  // namespace hepcheck::codec
