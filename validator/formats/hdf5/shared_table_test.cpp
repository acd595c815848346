// Tables of shared messages: whatever types their indexes have, each type belongs to one of them.
#include "validator/formats/hdf5/shared_table.h"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <string>

#include "validator/formats/hdf5/testing/zeros.h"

namespace hepcheck::hdf5::shared_tables {
namespace {

using testing::summed;
using testing::Zeros;

TEST(SharedTables, HaveEachTypeInOneIndex) {
  constexpr std::array<unsigned, 4> kTypes{0x2, 0x8, 0x20, 0x800};
  constexpr std::size_t kIndexes = 4, kCases = 16 * 16 * 16 * 16;
  for (std::size_t which = 0; which < kCases; which += 7) {
    unsigned known = 0, twice = 0;
    std::string table = "SMTB";
    for (std::size_t i = 0; i < kIndexes; ++i) {
      unsigned types = 0;
      for (std::size_t t = 0; t < kTypes.size(); ++t)
        if ((which >> (4 * i + t) & 1U) != 0) types |= kTypes[t];
      twice |= known & types;
      known |= types;
      table += number(0, 2) + number(types, 2) + number(50, 4) + number(50, 2) + number(40, 2) +
               number(0, 2) + number(kUndefined, 8) + number(kUndefined, 8);
    }
    Zeros zeros;
    zeros.write(512, summed(table));
    SharedTable shared(zeros.file);
    const std::string message = number(0, 1) + number(512, 8) + number(kIndexes, 1);
    shared.read({std::as_bytes(std::span(message)), {"OHDR", 0, 0}});
    ASSERT_TRUE(shared.known());
    ASSERT_EQ(zeros.found("h5-sohm-index-types-once").size(), twice != 0 ? 1u : 0u) << which;
  }
}

}  // namespace
}  // namespace hepcheck::hdf5::shared_tables
