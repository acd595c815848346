#include "validator/formats/hep001/storage/lzf.h"

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <string_view>

namespace hepcheck::hep001 {
namespace {

std::optional<std::string> decoded(std::string_view from, std::size_t size) {
  std::string into(size, '?');
  const bool sound =
      decode_lzf(std::as_bytes(std::span(from)), std::as_writable_bytes(std::span(into)));
  return sound ? std::optional(into) : std::nullopt;
}

TEST(Lzf, LiteralsAndRepetitions) {
  EXPECT_EQ(decoded(std::string_view("\x02"
                                     "abc",
                                     4),
                    3),
            "abc");
  // 3 bytes from 3 bytes back.
  EXPECT_EQ(decoded(std::string_view("\x02"
                                     "abc"
                                     "\x20\x02",
                                     6),
                    6),
            "abcabc");
  // The repetition overlaps its own output; lengths of 9 and more take an additional byte.
  EXPECT_EQ(decoded(std::string_view("\x00"
                                     "a"
                                     "\xE0\x05\x00",
                                     5),
                    15),
            std::string(15, 'a'));
}

TEST(Lzf, DamagedDataIsRefused) {
  EXPECT_EQ(decoded(std::string_view("\x02"
                                     "ab",
                                     3),
                    3),
            std::nullopt);  // truncated literals
  EXPECT_EQ(decoded(std::string_view("\x00"
                                     "a"
                                     "\x20",
                                     3),
                    4),
            std::nullopt);  // truncated distance
  EXPECT_EQ(decoded(std::string_view("\x00"
                                     "a"
                                     "\xE0\x05",
                                     4),
                    15),
            std::nullopt);
  EXPECT_EQ(decoded(std::string_view("\x00"
                                     "a"
                                     "\x20\x01",
                                     4),
                    4),
            std::nullopt);  // before the start
  EXPECT_EQ(decoded(std::string_view("\x02"
                                     "abc",
                                     4),
                    2),
            std::nullopt);  // too many
  EXPECT_EQ(decoded(std::string_view("\x00"
                                     "a"
                                     "\x20\x00",
                                     4),
                    3),
            std::nullopt);
  EXPECT_EQ(decoded(std::string_view("\x02"
                                     "abc",
                                     4),
                    4),
            std::nullopt);  // too few
  EXPECT_EQ(decoded("", 1), std::nullopt);
}

TEST(Lzf, TheSizeOfAChunkMustBeStated) {
  Dataset dataset;
  dataset.type.size = 4;
  dataset.storage.chunk = {10};
  Filter lzf{.id = kLzfFilter};
  EXPECT_FALSE(states_chunk_size(lzf, dataset));
  lzf.parameters = {4, 261, 40};
  EXPECT_TRUE(states_chunk_size(lzf, dataset));
  lzf.parameters = {4, 261, 36};
  EXPECT_FALSE(states_chunk_size(lzf, dataset));
}

}  // namespace
}  // namespace hepcheck::hep001
