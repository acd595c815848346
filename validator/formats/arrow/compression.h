// Compressed buffers: Message.fbs, BodyCompression.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "validator/formats/arrow/flatbuffer.h"
#include "validator/formats/arrow/notes.h"
#include "validator/slab.h"

namespace hepcheck::arrow {

enum class Codec : std::int8_t { kLz4Frame = 0, kZstd = 1 };

struct Decompressed {
  enum class State : std::uint8_t { kUsable, kBroken, kTooMuch } state = State::kBroken;
  bool stored = false;        // the data after the prefix is not compressed
  std::uint64_t size = 0;     // of the output, unless it is stored
  std::uint64_t decoded = 0;  // bytes that were decoded to determine this
};

// Judges a buffer of more than 0 bytes and decompresses it, up to `most` bytes of output, into
// `output`; null: the output is only counted.
Decompressed decompress(ByteSpan buffer, Codec codec, std::uint64_t most, Slab* output,
                        const Place& at, Notes& notes);

// A buffer could not be examined, because of these clauses or none.
void block_compression(const std::string& reason, const std::vector<std::string_view>& by,
                       Notes& notes);

}  // namespace hepcheck::arrow
