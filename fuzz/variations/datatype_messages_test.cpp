// Datatype messages of any structure and version, as the two readers of tables read them: both
// return the same, also if a limit is exceeded, and what the own reader returns equals the golden
// file: a line for each set of messages, with a digest.
#include <gtest/gtest.h>
#include <hdf5.h>

#include <cstddef>
#include <cstdint>
#include <format>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "validator/formats/hdf5/testing/random_datatypes.h"
#include "validator/formats/hdf5/testing/zeros.h"
#include "validator/formats/hep001/libhdf5/error.h"
#include "validator/formats/hep001/libhdf5/handle.h"
#include "validator/formats/hep001/libhdf5/read_datatype.h"
#include "validator/formats/hep001/own/datatype.h"
#include "validator/formats/hep001/reader/reading.h"
#include "validator/testing/golden_files.h"
#include "validator/testing/random.h"

namespace hepcheck::fuzz::datatype_messages {
namespace {

using hep001::own::ElementForm;

// Nothing if the library refuses the message, or would have to know a file.
hep001::libhdf5::TypeHandle by_library(const std::string& message) {
  std::string encoded("\x03\0", 2);  // the number of the message, and of this form of it
  encoded += message;
#if H5_VERSION_GE(2, 0, 0)
  hep001::libhdf5::TypeHandle made{H5Tdecode2(encoded.data(), encoded.size())};
#else
  hep001::libhdf5::TypeHandle made{H5Tdecode(encoded.data())};
#endif
  H5Eclear2(H5E_DEFAULT);
  return made;
}

std::string text_of(const ElementForm& form) {
  std::string text = std::format("{} {} {} {}", static_cast<int>(form.kind), form.stored_size,
                                 form.size, form.count);
  if (form.base) text += " of (" + text_of(*form.base) + ")";
  for (const ElementForm::Member& each : form.members)
    text += std::format(" [{} to {} {}]", each.stored_offset, each.offset, text_of(*each.form));
  return text;
}

TEST(DatatypeMessages, AreReadAlike) {
  hep001::libhdf5::initialise(false);
  constexpr std::uint64_t kSets = 10, kMessages = 200;
  std::string text;
  std::size_t compared = 0, refused = 0;
  for (std::uint64_t set = 0; set < kSets; ++set) {
    std::string all;
    for (std::uint64_t i = 0; i < kMessages; ++i) {
      const std::string message =
          hdf5::testing::RandomDatatype(1'000 * set + i, /*every=*/true).sound_message();
      hdf5::testing::Zeros zeros;
      zeros.file.read_for_values();
      const auto stored =
          hdf5::read_datatype({std::as_bytes(std::span(message)), {"OHDR", 0, 8}}, zeros.file);
      ASSERT_TRUE(stored && stored->message) << set << ' ' << i;
      Random random(i);
      Limits limits;
      if (random.once_in(3)) limits.type_depth = random.below(4);
      if (random.once_in(3)) limits.type_members = random.below(4);
      std::optional<std::string> own_trouble, library_trouble;
      const hep001::own::ReadType own = hep001::own::read_datatype(*stored, limits, own_trouble);
      const std::string reading = hep001::reading_of(own.model);
      all += own_trouble ? *own_trouble : reading + ' ' + text_of(*own.form) + '\n';
      refused += own_trouble.has_value();
      const hep001::libhdf5::TypeHandle type = by_library(message);
      if (!type) continue;
      const hep001::Datatype library =
          hep001::libhdf5::read_datatype(type.get(), limits, library_trouble);
      EXPECT_EQ(own_trouble, library_trouble) << reading;
      if (own_trouble || library_trouble) continue;
      // Outside of a file, the library keeps the sizes of references in sequences.
      if (contains_class(library, hep001::TypeClass::kVlen) &&
          contains_class(library, hep001::TypeClass::kReference))
        continue;
      ++compared;
      EXPECT_EQ(reading, hep001::reading_of(library));
      EXPECT_EQ(own.form->size, library.size);
    }
    text += std::format("{}: {}\n", set, golden::digest_of(all));
  }
  EXPECT_GT(compared, kSets * kMessages / 3);
  EXPECT_GT(refused, kSets * kMessages / 20);
  EXPECT_TRUE(golden::equals(text, "fuzz/variations/golden/datatype_messages.txt"));
}

}  // namespace
}  // namespace hepcheck::fuzz::datatype_messages
