#include "validator/formats/hep001/storage/lzf.h"

#include <gtest/gtest.h>

namespace hepcheck::hep001 {
namespace {

TEST(Lzf, TheSizeOfAChunkMustBeStated) {
  Dataset dataset;
  dataset.type.size = 4;
  dataset.storage.chunk = {10};
  Filter lzf{.id = kLzfFilter};
  EXPECT_FALSE(states_chunk_size(lzf, dataset));
  lzf.parameters = {4, 261, 40};
  EXPECT_TRUE(states_chunk_size(lzf, dataset));
  for (const std::uint32_t other : {36u, 39u, 41u, 44u, 0u}) {
    lzf.parameters = {4, 261, other};
    EXPECT_FALSE(states_chunk_size(lzf, dataset)) << other;
  }
}

}  // namespace
}  // namespace hepcheck::hep001
