#include "validator/formats/hdf5/lookup3.h"

#include <gtest/gtest.h>

#include <string_view>

namespace hepcheck::hdf5 {
namespace {

std::uint32_t of(std::string_view text) { return lookup3(std::as_bytes(std::span(text))); }

TEST(Lookup3, KnownValues) {
  EXPECT_EQ(of(""), 0xdeadbeefU);
  EXPECT_EQ(of("Four score and seven years ago"), 0x17770551U);
}

// Twelve bytes are a separate step, which is finished and not mixed.
TEST(Lookup3, EveryLengthAroundAStepDiffers) {
  const std::string_view text = "0123456789abcdefghijklmnop";
  for (std::size_t n = 1; n < text.size(); ++n)
    EXPECT_NE(of(text.substr(0, n)), of(text.substr(0, n + 1))) << n;
  EXPECT_NE(of("0123456789ab"), of("0123456789ac"));
}

}  // namespace
}  // namespace hepcheck::hdf5
