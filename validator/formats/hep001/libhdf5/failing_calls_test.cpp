// Calls of the HDF5 library that fail, one at a time, while a table is read. What cannot be read is
// reported as unreadable: no failure makes a reader read something else without saying so.
#include "validator/formats/hep001/libhdf5/testing/failing_calls.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "validator/formats/hep001/libhdf5/testing/random_file.h"
#include "validator/testing/golden_files.h"

namespace hepcheck::hep001::libhdf5 {
namespace {

using testing::Failures;
using testing::kFailedCall;
using testing::RandomFile;
using testing::tables_of;

TEST(FailingCalls, OfAReaderAreReported) {
  Failures failures;
  std::string all;
  for (std::uint64_t seed = 1000; seed < 1020; ++seed) {
    const std::vector<std::byte> image = RandomFile(seed).image();
    const std::string whole = tables_of(image, hepcheck::Reader::kLibrary);
    std::string text;
    failures.add(
        6, [&] { text = tables_of(image, hepcheck::Reader::kLibrary); },
        [&] {
          all += text;
          return text.contains(kFailedCall) ? Failures::Fate::kReported
                 : text == whole            ? Failures::Fate::kHarmless
                                            : Failures::Fate::kSilent;
        });
  }
  const std::string text = failures.text() + golden::digest_of(all) + '\n';
  if (HEPCHECK_HDF5 >= 2) {
    EXPECT_TRUE(golden::equals(text, "validator/formats/hep001/golden/failing_calls.txt"));
  }
}

}  // namespace
}  // namespace hepcheck::hep001::libhdf5
