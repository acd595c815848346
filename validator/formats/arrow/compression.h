// Compressed buffers: Message.fbs, BodyCompression.
#pragma once

#include <cstdint>
#include <vector>

#include "validator/formats/arrow/flatbuffer.h"
#include "validator/formats/arrow/notes.h"

namespace hepcheck::arrow {

enum class Codec : std::int8_t { kLz4Frame = 0, kZstd = 1 };

struct Decompressed {
  enum class State : std::uint8_t { kUsable, kBroken, kTooMuch } state = State::kBroken;
  bool stored = false;           // what is behind the prefix is not compressed
  std::vector<std::byte> bytes;  // unless it is stored
};

// Judges a buffer of more than 0 bytes and undoes its compression, up to `most` bytes of output.
Decompressed decompress(ByteSpan buffer, Codec codec, std::uint64_t most, const Place& at,
                        Notes& notes);

}  // namespace hepcheck::arrow
