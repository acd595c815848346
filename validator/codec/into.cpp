// Decoding of a chunk whose size is known, straight into memory of the caller.
#include <libdeflate.h>
#include <lz4.h>
#include <zstd.h>
#include <zstd_errors.h>

#include <limits>
#include <memory>
#include <new>

#include "validator/codec/codec.h"

namespace hepcheck::codec {

namespace {

libdeflate_decompressor* inflater() {
  thread_local const std::unique_ptr<libdeflate_decompressor,
                                     decltype(&libdeflate_free_decompressor)>
      library(libdeflate_alloc_decompressor(), libdeflate_free_decompressor);
  if (!library) throw std::bad_alloc();
  return library.get();
}

Decoded inflated(libdeflate_result result, std::size_t taken, std::size_t size, std::size_t most) {
  switch (result) {
    case LIBDEFLATE_SUCCESS: return {.size = size, .taken = taken, .ended = true};
    case LIBDEFLATE_INSUFFICIENT_SPACE: return {.size = most};
    default: return {.error = "not a valid deflate stream"};
  }
}

}  // namespace

Decoded zlib_into(Input input, std::span<std::byte> output) {
  std::size_t taken = 0, size = 0;
  const libdeflate_result result = libdeflate_zlib_decompress_ex(
      inflater(), input.data(), input.size(), output.data(), output.size(), &taken, &size);
  return inflated(result, taken, size, output.size());
}

Decoded deflate_into(Input input, std::span<std::byte> output) {
  std::size_t taken = 0, size = 0;
  const libdeflate_result result = libdeflate_deflate_decompress_ex(
      inflater(), input.data(), input.size(), output.data(), output.size(), &taken, &size);
  return inflated(result, taken, size, output.size());
}

Decoded zstd_into(Input input, std::span<std::byte> output) {
  thread_local const std::unique_ptr<ZSTD_DCtx, decltype(&ZSTD_freeDCtx)> context(ZSTD_createDCtx(),
                                                                                  ZSTD_freeDCtx);
  if (!context) throw std::bad_alloc();
  const std::size_t frame = ZSTD_findFrameCompressedSize(input.data(), input.size());
  if (ZSTD_isError(frame)) return {.error = ZSTD_getErrorName(frame)};
  const std::size_t size =
      ZSTD_decompressDCtx(context.get(), output.data(), output.size(), input.data(), frame);
  if (!ZSTD_isError(size)) return {.size = size, .taken = frame, .ended = true};
  if (ZSTD_getErrorCode(size) == ZSTD_error_dstSize_tooSmall) return {.size = output.size()};
  if (ZSTD_getErrorCode(size) == ZSTD_error_memory_allocation) throw std::bad_alloc();
  return {.error = ZSTD_getErrorName(size)};
}

Decoded lz4_into(Input input, std::span<std::byte> output) {
  constexpr std::uint64_t kMost = std::numeric_limits<int>::max();
  if (input.size() > kMost || output.size() > kMost) return {.error = "a block of 2 GiB or more"};
  const int size = LZ4_decompress_safe(
      reinterpret_cast<const char*>(input.data()), reinterpret_cast<char*>(output.data()),
      static_cast<int>(input.size()), static_cast<int>(output.size()));
  if (size < 0) return {.error = "not an LZ4 block, or a larger one"};
  return {.size = static_cast<std::uint64_t>(size), .taken = input.size(), .ended = true};
}

}  // namespace hepcheck::codec
