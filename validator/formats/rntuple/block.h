// Compression blocks: bytes as they are, or a series of compressed chunks (chapter 3).
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "validator/formats/rntuple/notes.h"

namespace hepcheck::rntuple {

using ByteSpan = std::span<const std::byte>;

// How a block was decoded.
struct Block {
  enum class Fault : std::uint8_t {
    kNone,
    kChunkHeader,
    kAlgorithm,
    kCompressedSize,
    kUncompressedSize,
    kLz4Checksum,
    kDecodes,
    kNotDecoded,  // no fault: it cannot be decoded here, for the reason in `observed`
  };

  bool raw = false;
  Fault fault = Fault::kNone;
  std::uint64_t at = 0;  // the byte of the block that the fault is at
  std::uint64_t chunks = 0, lz4_chunks = 0;
  unsigned algorithm = 0;  // of the first chunk, as compression settings number them
  std::string observed{}, expected{};

  bool usable() const { return fault == Fault::kNone; }
};

// What the headers of the chunks say; decodes nothing. `length`: of the uncompressed data.
Block scan_block(ByteSpan stored, std::uint64_t length);
// Decodes a block that was scanned without a fault. `into` is as large as the uncompressed data.
void decode_block(ByteSpan stored, std::span<std::byte> into, Block& block);

// Judges what was found; returns whether the content is usable.
bool judge_block(const Block& block, const Place& at, Notes& notes);

void block_rules(RuleList& list);

}  // namespace hepcheck::rntuple
