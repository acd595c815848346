// Decompression of untrusted bytes: from bytes to bytes, never more than the caller wants.
//
// Each function decodes the one stream or frame that the input begins with. What the input states
// about its own size is not believed: memory is allocated for what is really decoded, and for a
// bounded multiple of the input. A library that cannot allocate memory ends in std::bad_alloc.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "validator/slab.h"

namespace hepcheck::codec {

using Input = std::span<const std::byte>;

struct Decoded {
  std::uint64_t size = 0;   // bytes of output
  std::uint64_t taken = 0;  // bytes of input that belong to the stream, as far as it was decoded
  // The end of the stream was reached. If it was not, and there is no error, then there is more
  // output than was wanted.
  bool ended = false;
  std::string error{};   // as the library calls it
  bool refused = false;  // the error is that decoding would take too much memory
};

// How much output there may be, and where it is put. Null: it is only counted.
struct Wanted {
  std::uint64_t most = 0;
  Slab* output = nullptr;
};

Decoded lz4_frame(Input input, const Wanted& wanted);
Decoded zstd(Input input, const Wanted& wanted);
Decoded bzip2(Input input, const Wanted& wanted);

// These formats are decoded in one piece, so the output is always kept. The input is one whole
// block of LZ4 or LZF, or begins with one zlib stream (RFC 1950).
Decoded lz4_block(Input input, std::uint64_t most, Slab& output);
Decoded lzf(Input input, std::uint64_t most, Slab& output);
Decoded zlib(Input input, std::uint64_t most, Slab& output);

// A chunk whose size is known is decoded into memory of the caller, which is as large. The input
// begins with a zlib stream, a deflate stream without header (RFC 1951), an .xz stream or a
// Zstandard frame, or is one block of LZ4 or LZF.
Decoded zlib_into(Input input, std::span<std::byte> output);
Decoded deflate_into(Input input, std::span<std::byte> output);
Decoded xz_into(Input input, std::span<std::byte> output);
Decoded zstd_into(Input input, std::span<std::byte> output);
Decoded lz4_into(Input input, std::span<std::byte> output);
Decoded lzf_into(Input input, std::span<std::byte> output);

}  // namespace hepcheck::codec
