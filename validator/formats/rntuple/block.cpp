#include "validator/formats/rntuple/block.h"

#include <xxhash.h>

#include <cstring>
#include <format>

#include "validator/codec/codec.h"
#include "validator/formats/rntuple/rule.h"
#include "validator/integers.h"

namespace hepcheck::rntuple {

namespace {

constexpr std::size_t kHeader = 9, kLz4Checksum = 8;

struct Chunk {
  enum class Codec : std::uint8_t { kNone, kZlib, kXz, kOld, kLz4, kZstd };
  Codec codec = Codec::kNone;
  std::uint64_t stored = 0, length = 0;
};

std::uint64_t u24(const std::byte* at) {
  return std::to_integer<std::uint64_t>(at[0]) | std::to_integer<std::uint64_t>(at[1]) << 8 |
         std::to_integer<std::uint64_t>(at[2]) << 16;
}

Chunk::Codec codec_of(const std::byte* tag) {
  const auto is = [&](char a, char b, int c) {
    return tag[0] == static_cast<std::byte>(a) && tag[1] == static_cast<std::byte>(b) &&
           (c < 0 || tag[2] == static_cast<std::byte>(c));
  };
  using enum Chunk::Codec;
  return is('Z', 'L', 8)    ? kZlib
         : is('X', 'Z', 0)  ? kXz
         : is('C', 'S', 8)  ? kOld
         : is('L', '4', -1) ? kLz4
         : is('Z', 'S', 1)  ? kZstd
                            : kNone;
}

// The chunk at the beginning of these bytes, of which there are at least 9.
Chunk chunk_at(ByteSpan bytes) {
  return {codec_of(bytes.data()), u24(bytes.data() + 3), u24(bytes.data() + 6)};
}

void at_fault(Block& block, Block::Fault fault, std::uint64_t at, std::string observed,
              std::string expected) {
  block.fault = fault;
  block.at = at;
  block.observed = std::move(observed);
  block.expected = std::move(expected);
}

codec::Decoded decode_chunk(Chunk::Codec codec, ByteSpan data, std::span<std::byte> into) {
  switch (codec) {
    case Chunk::Codec::kZlib: return codec::zlib_into(data, into);
    case Chunk::Codec::kXz: return codec::xz_into(data, into);
    case Chunk::Codec::kOld: return codec::deflate_into(data, into);
    case Chunk::Codec::kLz4: return codec::lz4_into(data.subspan(kLz4Checksum), into);
    case Chunk::Codec::kZstd: return codec::zstd_into(data, into);
    case Chunk::Codec::kNone: break;
  }
  return {.error = "an unknown algorithm"};
}

// --- Chapter 3 -----------------------------------------------------------------------------------

template <Block::Fault kFault>
void no_fault(const Block& it, Look& look) {
  look.ask(it.fault != kFault, it.observed, it.expected);
}

void lz4_checksum(const Block& it, Look& look) {
  if (it.lz4_chunks > 0) no_fault<Block::Fault::kLz4Checksum>(it, look);
}

constexpr Rule<Block> kBlock[] = {
    {"rntuple-block-chunk-header", no_fault<Block::Fault::kChunkHeader>},
    {"rntuple-block-algorithm", no_fault<Block::Fault::kAlgorithm>},
    {"rntuple-block-compressed-size", no_fault<Block::Fault::kCompressedSize>},
    {"rntuple-block-uncompressed-size", no_fault<Block::Fault::kUncompressedSize>},
    {"rntuple-block-lz4-checksum", lz4_checksum},
    {"rntuple-block-decodes", no_fault<Block::Fault::kDecodes>},
};

}  // namespace

Block scan_block(ByteSpan stored, std::uint64_t length) {
  Block block;
  if (stored.size() == length) {
    block.raw = true;
    return block;
  }
  std::uint64_t total = 0;
  for (std::uint64_t at = 0; at < stored.size() || block.chunks == 0;) {
    const ByteSpan left = stored.subspan(at);
    if (left.size() < kHeader) {
      at_fault(block, Block::Fault::kChunkHeader, at,
               std::format("{} bytes {}", left.size(),
                           block.chunks == 0 ? std::format("for {} bytes of data", length)
                                             : "after the last chunk"),
               "a chunk header of 9 bytes");
      return block;
    }
    const Chunk chunk = chunk_at(left);
    if (chunk.codec == Chunk::Codec::kNone) {
      at_fault(block, Block::Fault::kAlgorithm, at,
               std::format("the tag {:02x} {:02x} {:02x}", std::to_integer<unsigned>(left[0]),
                           std::to_integer<unsigned>(left[1]), std::to_integer<unsigned>(left[2])),
               "ZL 08, XZ 00, CS 08, L4, or ZS 01");
      return block;
    }
    if (chunk.stored > left.size() - kHeader) {
      at_fault(block, Block::Fault::kCompressedSize, at,
               std::format("a chunk of {} bytes", chunk.stored),
               std::format("at most {} bytes", left.size() - kHeader));
      return block;
    }
    if (block.chunks++ == 0) block.algorithm = static_cast<unsigned>(chunk.codec);
    block.lz4_chunks += chunk.codec == Chunk::Codec::kLz4;
    total += chunk.length;
    at += kHeader + chunk.stored;
  }
  if (total != length)
    at_fault(block, Block::Fault::kUncompressedSize, 0,
             std::format("chunks of {} bytes uncompressed", total), std::format("{}", length));
  return block;
}

void decode_block(ByteSpan stored, std::span<std::byte> into, Block& block) {
  if (block.raw) {
    if (!into.empty()) std::memcpy(into.data(), stored.data(), into.size());
    return;
  }
  for (std::uint64_t at = 0; at < stored.size();) {
    const Chunk chunk = chunk_at(stored.subspan(at));
    const ByteSpan data = stored.subspan(at + kHeader, chunk.stored);
    if (chunk.codec == Chunk::Codec::kLz4) {
      const bool room = data.size() >= kLz4Checksum;
      const std::uint64_t stated = room ? load<std::uint64_t>(data.data(), std::endian::big) : 0;
      const std::uint64_t real =
          room ? XXH64(data.data() + kLz4Checksum, data.size() - kLz4Checksum, 0) : 0;
      if (!room || stated != real)
        return at_fault(block, Block::Fault::kLz4Checksum, at + kHeader,
                        room ? std::format("{:#018x}", stated)
                             : std::format("a chunk of {} bytes", data.size()),
                        room ? std::format("{:#018x}, the XXH64 of the data", real)
                             : "8 bytes of checksum and data");
    }
    const codec::Decoded made = decode_chunk(chunk.codec, data, into.first(chunk.length));
    if (!made.ended || made.size != chunk.length) {
      if (made.refused || chunk.codec == Chunk::Codec::kOld)
        return at_fault(block, Block::Fault::kNotDecoded, at,
                        made.refused ? made.error : "algorithm CS has no decoder for this chunk",
                        "");
      return at_fault(block, Block::Fault::kDecodes, at + kHeader,
                      !made.error.empty() ? made.error
                      : made.ended        ? std::format("{} bytes", made.size)
                                          : std::format("more than {} bytes", chunk.length),
                      std::format("{} bytes, as the chunk header says", chunk.length));
    }
    into = into.subspan(chunk.length);
    at += kHeader + chunk.stored;
  }
}

bool judge_block(const Block& block, const Place& at, Notes& notes) {
  if (block.raw) return true;
  Place place = at;
  if (block.fault != Block::Fault::kNone && place.byte) {
    place.within = block.at;
    *place.byte += block.at;
  }
  if (block.fault == Block::Fault::kNotDecoded) {
    notes.blocked("rntuple-block-decodes", place.object() + ": " + block.observed);
    return false;
  }
  return judge<kBlock>(block, place, notes);
}

void block_rules(RuleList& list) { list.values<kBlock>(); }

}  // namespace hepcheck::rntuple
