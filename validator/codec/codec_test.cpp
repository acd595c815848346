// Decompression of streams that the libraries wrote: the decoded bytes, how much of the input
// belongs to them, and that no more is decoded than requested.
#include "validator/codec/codec.h"

#include <bzlib.h>
#include <gtest/gtest.h>
#include <libdeflate.h>
#include <lz4.h>
#include <lz4frame.h>
#include <lzma.h>
#include <zstd.h>

#include <algorithm>
#include <format>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>

namespace hepcheck::codec {
namespace {

Input input_of(const std::string& text) { return std::as_bytes(std::span(text)); }

std::string framed_by_lz4(const std::string& plain) {
  std::string made(LZ4F_compressFrameBound(plain.size(), nullptr), '\0');
  made.resize(LZ4F_compressFrame(made.data(), made.size(), plain.data(), plain.size(), nullptr));
  return made;
}
std::string block_of_lz4(const std::string& plain) {
  const auto size = static_cast<int>(plain.size());
  std::string made(static_cast<std::size_t>(LZ4_compressBound(size)), '\0');
  made.resize(static_cast<std::size_t>(
      LZ4_compress_default(plain.data(), made.data(), size, static_cast<int>(made.size()))));
  return made;
}
std::string framed_by_zstd(const std::string& plain) {
  std::string made(ZSTD_compressBound(plain.size()), '\0');
  made.resize(ZSTD_compress(made.data(), made.size(), plain.data(), plain.size(), 3));
  return made;
}
template <auto bound, auto compress>
std::string by_libdeflate(const std::string& plain) {
  const std::unique_ptr<libdeflate_compressor, decltype(&libdeflate_free_compressor)> library(
      libdeflate_alloc_compressor(6), libdeflate_free_compressor);
  std::string made(bound(library.get(), plain.size()), '\0');
  made.resize(compress(library.get(), plain.data(), plain.size(), made.data(), made.size()));
  return made;
}
constexpr auto stream_of_zlib =
    by_libdeflate<libdeflate_zlib_compress_bound, libdeflate_zlib_compress>;
constexpr auto deflated =
    by_libdeflate<libdeflate_deflate_compress_bound, libdeflate_deflate_compress>;
std::string stream_of_xz(const std::string& plain) {
  std::string made(lzma_stream_buffer_bound(plain.size()), '\0');
  std::size_t size = 0;
  EXPECT_EQ(lzma_easy_buffer_encode(
                0, LZMA_CHECK_CRC32, nullptr, reinterpret_cast<const std::uint8_t*>(plain.data()),
                plain.size(), reinterpret_cast<std::uint8_t*>(made.data()), &size, made.size()),
            LZMA_OK);
  made.resize(size);
  return made;
}
std::string stream_of_bzip2(std::string plain) {
  std::string made(plain.size() + plain.size() / 100 + 600, '\0');
  auto size = static_cast<unsigned>(made.size());
  EXPECT_EQ(BZ2_bzBuffToBuffCompress(made.data(), &size, plain.data(),
                                     static_cast<unsigned>(plain.size()), 1, 0, 0),
            BZ_OK);
  made.resize(size);
  return made;
}
// Runs of literals alone.
std::string literals_of_lzf(const std::string& plain) {
  std::string made;
  for (std::size_t at = 0; at < plain.size(); at += 32) {
    const std::string run = plain.substr(at, 32);
    made += static_cast<char>(run.size() - 1);
    made += run;
  }
  return made;
}

struct Format {
  const char* name;
  std::string (*compress)(const std::string&);
  std::function<Decoded(Input, std::uint64_t, Slab&)> decode;
  bool knows_its_end;  // the end of a stream is distinguished from the bytes after it
};
const Format kFormats[] = {
    {"lz4 frame", framed_by_lz4,
     [](Input input, std::uint64_t most, Slab& into) { return lz4_frame(input, {most, &into}); },
     true},
    {"lz4 block", block_of_lz4, lz4_block, false},
    {"zstd", framed_by_zstd,
     [](Input input, std::uint64_t most, Slab& into) { return zstd(input, {most, &into}); }, true},
    {"zlib", stream_of_zlib, zlib, true}};

constexpr std::uint64_t kAny = std::uint64_t{1} << 40;

// Neither all equal nor without repetitions.
std::string some_text(std::size_t size) {
  std::string text;
  for (std::size_t i = 0; text.size() < size; ++i) text += std::to_string(i * i % 977) + ' ';
  text.resize(size);
  return text;
}

std::string text_of(const Slab& slab, std::uint64_t size) {
  const auto bytes = slab.first(size);
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

TEST(Codec, RoundTrips) {
  for (const Format& format : kFormats)
    for (const std::size_t size : {1, 100, 65'536, 1'000'000}) {
      const std::string plain = some_text(size), made = format.compress(plain);
      Slab output;
      const Decoded decoded = format.decode(input_of(made), kAny, output);
      EXPECT_TRUE(decoded.ended) << format.name;
      EXPECT_EQ(decoded.error, "") << format.name;
      EXPECT_EQ(decoded.taken, made.size()) << format.name;
      ASSERT_EQ(decoded.size, size) << format.name;
      EXPECT_EQ(text_of(output, size), plain) << format.name;
    }
}

TEST(Codec, FindsTheEndOfTheStream) {
  for (const Format& format : kFormats) {
    if (!format.knows_its_end) continue;
    const std::string made = format.compress(some_text(1000));
    Slab output;
    const Decoded decoded = format.decode(input_of(made + "more"), kAny, output);
    EXPECT_TRUE(decoded.ended) << format.name;
    EXPECT_EQ(decoded.taken, made.size()) << format.name;
    EXPECT_EQ(decoded.size, 1000U) << format.name;
  }
}

TEST(Codec, DecodesExactlyTheRequestedBytes) {
  for (const Format& format : kFormats) {
    const std::string plain = some_text(1000), made = format.compress(plain);
    Slab output;
    EXPECT_EQ(format.decode(input_of(made), 1000, output).size, 1000U) << format.name;
    EXPECT_EQ(text_of(output, 1000), plain) << format.name;
    Slab less;
    EXPECT_FALSE(format.decode(input_of(made), 999, less).ended) << format.name;
    EXPECT_LE(less.capacity(), 999U) << format.name;
  }
}

// For a decompression bomb, no more memory is allocated than requested, or than the size of the
// input can justify.
TEST(Codec, BombsStayWithinTheLimit) {
  const std::string plain(std::size_t{16} << 20, '\0');
  for (const Format& format : kFormats) {
    const std::string made = format.compress(plain);
    Slab output;
    EXPECT_FALSE(format.decode(input_of(made), 4096, output).ended) << format.name;
    EXPECT_LE(output.capacity(), 4096U) << format.name;
    Slab small;
    format.decode(input_of(made).first(8), kAny, small);
    EXPECT_LE(small.capacity(), std::uint64_t{64} << 10) << format.name;
  }
}

TEST(Codec, RejectsTruncatedOrInvalidInput) {
  for (const Format& format : kFormats) {
    const std::string made = format.compress(some_text(1000));
    for (const std::size_t size : {std::size_t{0}, std::size_t{3}, made.size() - 1}) {
      Slab output;
      const Decoded decoded = format.decode(input_of(made).first(size), kAny, output);
      EXPECT_FALSE(decoded.ended) << format.name << " " << size;
      EXPECT_NE(decoded.error, "") << format.name << " " << size;
    }
    Slab output;
    EXPECT_NE(format.decode(input_of(std::string(40, '\xff')), kAny, output).error, "")
        << format.name;
  }
}

TEST(Codec, CountsOutputWithoutStoringIt) {
  const std::string plain = some_text(300'000);
  EXPECT_EQ(zstd(input_of(framed_by_zstd(plain)), {.most = kAny}).size, plain.size());
  EXPECT_EQ(lz4_frame(input_of(framed_by_lz4(plain)), {.most = kAny}).size, plain.size());
  const Decoded part = zstd(input_of(framed_by_zstd(plain)), {.most = 1000});
  EXPECT_EQ(part.size, 1000U);
  EXPECT_FALSE(part.ended);
  EXPECT_EQ(part.error, "");
}

// Decoding with exactly so much room.
struct Exact {
  const char* name;
  std::string (*compress)(const std::string&);
  std::function<Decoded(Input, std::span<std::byte>)> decode;
  bool knows_its_end = true;
  bool tells_more = true;  // more output than there is room for is no error
  bool tells_cuts = true;  // no part of a stream is a whole one
};

// Decodes into memory that grows, up to the size of the room.
template <class Decode>
auto growing(Decode decode) {
  return [decode](Input input, std::span<std::byte> room) {
    Slab slab;
    Decoded made = decode(input, room.size(), slab);
    EXPECT_LE(made.size, room.size());
    std::ranges::copy(slab.first(std::min<std::uint64_t>(made.size, room.size())), room.begin());
    return made;
  };
}
template <Decoded (*decode)(Input, const Wanted&)>
Decoded in_frames(Input input, std::uint64_t most, Slab& into) {
  return decode(input, {most, &into});
}

const Exact kExact[] = {
    {"zlib", stream_of_zlib, zlib_into},
    {"deflate", deflated, deflate_into},
    {"xz", stream_of_xz, xz_into},
    {"zstd", framed_by_zstd, zstd_into},
    {"lz4", block_of_lz4, lz4_into, false, false, false},
    {"lzf", literals_of_lzf, lzf_into, false, true, false},
    {"growing zlib", stream_of_zlib, growing(zlib)},
    {"growing zstd", framed_by_zstd, growing(in_frames<zstd>)},
    {"growing lz4 frames", framed_by_lz4, growing(in_frames<lz4_frame>)},
    {"growing bzip2", [](const std::string& plain) { return stream_of_bzip2(plain); },
     growing(in_frames<bzip2>)},
    {"growing lz4", block_of_lz4, growing(lz4_block), false, false, false},
    {"growing lzf", literals_of_lzf, growing(lzf), false, true, false},
};

// With the room that is needed, less and more; with other bytes behind the stream; and each part
// from its beginning.
TEST(Codec, WithAnyRoomAndAnyPart) {
  for (const Exact& format : kExact)
    for (const std::size_t size : {1, 2, 40, 300, 70'000}) {
      const std::string plain = some_text(size), made = format.compress(plain);
      const auto at = [&] { return std::format("{} of {} bytes", format.name, size); };
      for (const std::size_t room : {size, size + 1, size + 100'000}) {
        std::string output(room, '?');
        const Decoded whole =
            format.decode(input_of(made), std::as_writable_bytes(std::span(output)));
        EXPECT_EQ(std::tuple(whole.size, whole.taken, whole.ended, whole.error, whole.refused),
                  std::tuple(size, made.size(), true, "", false))
            << at();
        EXPECT_TRUE(output.starts_with(plain)) << at();
        if (!format.knows_its_end) continue;
        const Decoded more = format.decode(input_of(made + made + "more"),
                                           std::as_writable_bytes(std::span(output)));
        EXPECT_EQ(std::tuple(more.size, more.taken, more.ended, more.error),
                  std::tuple(size, made.size(), true, ""))
            << at();
      }
      for (const std::size_t room : {std::size_t{0}, size / 2, size - 1}) {
        std::string output(room, '?');
        const Decoded less =
            format.decode(input_of(made), std::as_writable_bytes(std::span(output)));
        EXPECT_FALSE(less.ended) << at() << ' ' << room;
        EXPECT_EQ(less.error.empty(), format.tells_more) << at() << ' ' << room << less.error;
        if (less.error.empty()) {
          EXPECT_EQ(less.size, room) << at();
        }
      }
      for (std::size_t part = 0; format.tells_cuts && part < made.size(); part += 1 + part / 40) {
        std::string output(size, '?');
        const Decoded cut =
            format.decode(input_of(made).first(part), std::as_writable_bytes(std::span(output)));
        EXPECT_FALSE(cut.ended) << at() << ' ' << part;
        EXPECT_FALSE(cut.refused) << at() << ' ' << part;
      }
    }
}

// All of the output, if it is as long as that.
template <std::size_t kLength>
std::optional<std::string> from_lzf(const char (&literal)[kLength], std::size_t size) {
  const std::string_view from(literal, kLength - 1);
  std::string into(size, '?');
  const Decoded made =
      lzf_into(std::as_bytes(std::span(from)), std::as_writable_bytes(std::span(into)));
  return made.ended && made.size == size ? std::optional(into) : std::nullopt;
}

TEST(Lzf, LiteralsAndRepetitions) {
  EXPECT_EQ(from_lzf("\x02"
                     "abc",
                     3),
            "abc");
  // 3 bytes from 3 bytes back.
  EXPECT_EQ(from_lzf("\x02"
                     "abc"
                     "\x20\x02",
                     6),
            "abcabc");
  // The repetition overlaps its own output; lengths of 9 and more take an additional byte.
  EXPECT_EQ(from_lzf("\x00"
                     "a"
                     "\xE0\x05\x00",
                     15),
            std::string(15, 'a'));
}

TEST(Lzf, DamagedDataIsRefused) {
  EXPECT_EQ(from_lzf("\x02"
                     "ab",
                     3),
            std::nullopt);  // truncated literals
  EXPECT_EQ(from_lzf("\x00"
                     "a"
                     "\x20",
                     4),
            std::nullopt);  // truncated distance
  EXPECT_EQ(from_lzf("\x00"
                     "a"
                     "\xE0\x05",
                     15),
            std::nullopt);
  EXPECT_EQ(from_lzf("\x00"
                     "a"
                     "\x20\x01",
                     4),
            std::nullopt);  // before the start
  EXPECT_EQ(from_lzf("\x02"
                     "abc",
                     2),
            std::nullopt);  // too many
  EXPECT_EQ(from_lzf("\x00"
                     "a"
                     "\x20\x00",
                     3),
            std::nullopt);
  EXPECT_EQ(from_lzf("\x02"
                     "abc",
                     4),
            std::nullopt);  // too few
  EXPECT_EQ(from_lzf("", 1), std::nullopt);
}

// As of the other formats: more output than there is room for is no error.
TEST(Lzf, WantsMoreRoom) {
  const std::string run(
      "\x00"
      "a"
      "\xE0\x05\x00",
      5);
  Slab slab;
  const Decoded less = lzf(input_of(run), 14, slab), whole = lzf(input_of(run), 100, slab);
  EXPECT_EQ(std::tuple(less.size, less.ended, less.error), std::tuple(14u, false, ""));
  EXPECT_EQ(std::tuple(whole.size, whole.taken, whole.ended), std::tuple(15u, 5u, true));
}

}  // namespace
}  // namespace hepcheck::codec
