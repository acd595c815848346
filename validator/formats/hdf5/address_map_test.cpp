#include "validator/formats/hdf5/address_map.h"

#include <gtest/gtest.h>

#include <map>
#include <random>

namespace hepcheck::hdf5 {

namespace {

TEST(AddressMap, KnowsWhatWasPutIn) {
  AddressMap<std::uint32_t> map;
  std::map<std::uint64_t, std::uint32_t> expected;
  std::mt19937_64 random(20261125);
  EXPECT_EQ(map.find(0), nullptr);
  for (std::uint32_t i = 0; i < 10'000; ++i) {
    // Some twice, some at the ends of the address space.
    const std::uint64_t at = i % 100 == 0 ? ~std::uint64_t{i} : 8 * (random() % 8'000);
    const auto [value, fresh] = map.try_emplace(at, i);
    const auto known = expected.emplace(at, i);
    ASSERT_EQ(fresh, known.second) << at;
    ASSERT_EQ(value, known.first->second) << at;
  }
  for (const auto& [at, value] : expected) {
    ASSERT_NE(map.find(at), nullptr) << at;
    EXPECT_EQ(*map.find(at), value) << at;
  }
  EXPECT_EQ(map.find(3), nullptr);
}

TEST(AddressMap, ValuesCanChange) {
  AddressMap<bool> map;
  map.try_emplace(0, false).value = true;
  EXPECT_TRUE(map.try_emplace(0, false).value);
}

}  // namespace

}  // namespace hepcheck::hdf5
