#include "validator/formats/hep001/libhdf5/checksum.h"

#include <gtest/gtest.h>

#include <string_view>

namespace hepcheck::hep001::libhdf5 {
namespace {

std::uint32_t checksum(std::string_view text) {
  return metadata_checksum(std::as_bytes(std::span(text)));
}

// The values that lookup3.c publishes for its own test.
TEST(MetadataChecksum, PublishedValues) {
  EXPECT_EQ(checksum(""), 0xdeadbeefu);
  EXPECT_EQ(checksum("Four score and seven years ago"), 0x17770551u);
}

}  // namespace
}  // namespace hepcheck::hep001::libhdf5
