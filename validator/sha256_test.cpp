#include "validator/sha256.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

namespace hepcheck {
namespace {

using Octets = std::vector<unsigned char>;

// The examples of FIPS 180-4.
TEST(Sha256, OfPublishedValues) {
  const auto of = [](std::string_view text) {
    Sha256 sum;
    sum.add(Octets(text.begin(), text.end()));
    return sum.hexadecimal();
  };
  EXPECT_EQ(of("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(of(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(of("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
}

// Their length has more than 32 bits.
TEST(Sha256, OfHalfAGibibyteAndMore) {
  Sha256 sum;
  const Octets zeros(std::size_t{1} << 20);
  for (int i = 0; i < 513; ++i) sum.add(zeros);
  EXPECT_EQ(sum.hexadecimal(), "a3e2acbb469e4e59dde406f912e754c933c1ac0fb0092a3634d61d5073309c0c");
}

}  // namespace
}  // namespace hepcheck
