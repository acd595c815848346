// Compressed buffers with frames of the libraries: the decoded bytes, and their number.
#include "validator/formats/arrow/compression.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <lz4frame.h>
#include <zstd.h>

#include <format>

#include "validator/formats/arrow/testing/build.h"
#include "validator/formats/arrow/testing/judge.h"

namespace hepcheck::arrow {
namespace {

using namespace testing;  // NOLINT(google-build-using-namespace)
using ::testing::ElementsAre;
using ::testing::IsEmpty;

Bytes lz4(const Bytes& plain) {
  Bytes made(LZ4F_compressFrameBound(plain.size(), nullptr), '\0');
  made.resize(LZ4F_compressFrame(made.data(), made.size(), plain.data(), plain.size(), nullptr));
  return made;
}

Bytes zstd(const Bytes& plain) {
  Bytes made(ZSTD_compressBound(plain.size()), '\0');
  made.resize(ZSTD_compress(made.data(), made.size(), plain.data(), plain.size(), 3));
  return made;
}

Bytes prefixed(std::int64_t size, const Bytes& frame) { return raw(size) + frame; }

// A column of integers whose values are this buffer.
Bytes stream(std::int8_t codec, const Bytes& values, std::int64_t rows = 100) {
  const BodyOf body = body_of({"", values});
  TableOf header = record_batch(rows, {{rows, 0}}, body);
  header.fields.emplace_back(3u, TableOf{{{0, raw(codec)}}});
  return message(kSchemaTag, schema({field("a", kIntTag, int_type())})) +
         message(kRecordTag, header, body.bytes);
}

TEST(Compression, ValidFrames) {
  const Bytes plain(400, '\7');
  EXPECT_THAT(broken(stream(0, prefixed(400, lz4(plain)))), IsEmpty());
  EXPECT_THAT(broken(stream(1, prefixed(400, zstd(plain)))), IsEmpty());
  EXPECT_THAT(broken(stream(0, prefixed(-1, plain))), IsEmpty());
  EXPECT_THAT(broken(stream(1, prefixed(0, ""), 0)), IsEmpty());
}

TEST(Compression, StatedLength) {
  const Bytes plain(400, '\7');
  for (const std::int64_t size : {399, 401, 0}) {
    EXPECT_THAT(broken(stream(0, prefixed(size, lz4(plain)))),
                ElementsAre("arrow-compression-size-exact"));
    EXPECT_THAT(broken(stream(1, prefixed(size, zstd(plain)))),
                ElementsAre("arrow-compression-size-exact"));
  }
  EXPECT_THAT(broken(stream(0, prefixed(-2, lz4(plain)))),
              ElementsAre("arrow-compression-length-valid"));
  EXPECT_THAT(broken(stream(0, "1234567")), ElementsAre("arrow-compression-prefix-present"));
  // The decoded bytes are what the array needs, or they are not.
  EXPECT_THAT(broken(stream(0, prefixed(396, lz4(Bytes(396, '\7'))))),
              ElementsAre("arrow-primitive-data-size"));
  EXPECT_THAT(broken(stream(0, prefixed(-1, Bytes(396, '\7')))),
              ElementsAre("arrow-primitive-data-size"));
}

TEST(Compression, Frames) {
  const Bytes plain(400, '\7');
  EXPECT_THAT(broken(stream(0, prefixed(400, zstd(plain)))),
              ElementsAre("arrow-compression-lz4-frame"));
  EXPECT_THAT(broken(stream(1, prefixed(400, lz4(plain)))),
              ElementsAre("arrow-compression-zstd-frame"));
  EXPECT_THAT(broken(stream(0, prefixed(800, lz4(plain) + lz4(plain)))),
              ElementsAre("arrow-compression-lz4-one-frame"));
  for (const std::size_t cut : {1u, 5u}) {
    EXPECT_THAT(broken(stream(0, prefixed(400, lz4(plain).substr(0, lz4(plain).size() - cut)))),
                ElementsAre("arrow-compression-decodes"));
    EXPECT_THAT(broken(stream(1, prefixed(400, zstd(plain).substr(0, zstd(plain).size() - cut)))),
                ElementsAre("arrow-compression-decodes"));
  }
  EXPECT_THAT(broken(stream(0, prefixed(400, lz4(plain) + "ab"))),
              ElementsAre("arrow-compression-no-trailing-bytes"));
  EXPECT_THAT(broken(stream(1, prefixed(400, zstd(plain) + "ab"))),
              ElementsAre("arrow-compression-no-trailing-bytes"));
}

// Data that are too short for a frame are described by their size, and others by how they begin.
TEST(Compression, WhatIsNoFrame) {
  for (const std::size_t size : {0u, 1u, 3u, 4u, 5u, 40u})
    for (const auto codec : {std::int8_t{0}, std::int8_t{1}})
      EXPECT_THAT(
          first_findings(stream(codec, prefixed(400, Bytes(size, '\1')))),
          ElementsAre(std::format("arrow-compression-{}-frame: {}", codec == 0 ? "lz4" : "zstd",
                                  size < 4 ? std::format("{} bytes of data", size)
                                           : "data that begin with 0x01010101")));
}

// No more than the limit is decoded, whatever size is stated.
TEST(Compression, BombsAreNotDecompressed) {
  constexpr std::uint64_t kMost = 1 << 16;
  const Bytes bomb = prefixed(1 << 24, zstd(Bytes(1 << 24, '\0')));
  Notes notes(default_revision("arrow"), 1);
  Slab slab;
  const Decompressed made =
      decompress(std::as_bytes(std::span(bomb)), Codec::kZstd, kMost, &slab, Place{}, notes);
  EXPECT_EQ(made.state, Decompressed::State::kTooMuch);
  EXPECT_LE(made.decoded, 2 * kMost);
  EXPECT_LE(slab.capacity(), 2 * kMost);
}

// A frame that states too large a size and is broken at its beginning is reported as broken, not as
// too large.
TEST(Compression, BrokenFramesThatStateTooMuch) {
  const Bytes frame = zstd(Bytes(1 << 20, '\0'));
  const Bytes cut = prefixed(1 << 20, frame.substr(0, frame.size() / 2));
  Notes notes(default_revision("arrow"), 1);
  const Decompressed made =
      decompress(std::as_bytes(std::span(cut)), Codec::kZstd, 1 << 18, nullptr, Place{}, notes);
  EXPECT_EQ(made.state, Decompressed::State::kBroken);
}

}  // namespace
}  // namespace hepcheck::arrow
