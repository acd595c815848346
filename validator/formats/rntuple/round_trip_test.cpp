// Envelopes that are read and written again have the same bytes: nothing of them is overlooked.
#include "validator/formats/rntuple/testing/round_trip.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "validator/formats/rntuple/type_name.h"
#include "validator/read_whole.h"

namespace hepcheck::rntuple {
namespace {

namespace fs = std::filesystem;

std::uint64_t all_of(const fs::path& folder) {
  std::uint64_t envelopes = 0;
  for (const fs::directory_entry& each : fs::recursive_directory_iterator(folder)) {
    if (each.path().extension() != ".root") continue;
    const std::string bytes = read_whole(each.path().string()).value_or("");
    const RoundTrip trip =
        round_trip(Bytes::of_image(std::as_bytes(std::span(bytes)), each.path().string()));
    EXPECT_EQ(trip.difference, "") << each.path();
    envelopes += trip.envelopes;
  }
  return envelopes;
}

TEST(RoundTrip, EveryEnvelopeOfTheFixtures) {
  EXPECT_GT(all_of(HEPCHECK_FIXTURES "/rntuple"), 1500u);
}

TEST(RoundTrip, EveryEnvelopeOfRealFiles) {
  const fs::path real =
      fs::path(HEPCHECK_FIXTURES).parent_path().parent_path() / "shared/corpus/rntuple/rc2";
  if (!fs::exists(real)) GTEST_SKIP() << "no " << real;
  EXPECT_EQ(all_of(real), 72u);  // three for each of 24 RNTuples
}

struct Spelling {
  const char *name, *text, *outer;
  std::size_t arguments;
};

TEST(TypeNames, AreNormalised) {
  for (const Spelling& each : {
           Spelling{"const float", "float", "float", 0},
           {"volatile std::int32_t", "std::int32_t", "std::int32_t", 0},
           {"unsigned char", "std::uint8_t", "std::uint8_t", 0},
           {"uint_8_t", "std::uint8_t", "std::uint8_t", 0},
           {"long long", "std::int64_t", "std::int64_t", 0},
           {"string", "std::string", "std::string", 0},
           {"std::vector< Int_t >", "std::vector<Int_t>", "std::vector", 1},
           {"std::map<std::string, std::vector<float> >",
            "std::map<std::string,std::vector<float>>", "std::map", 2},
           {"std::tuple<>", "std::tuple<>", "std::tuple", 0},
           {"float[2][3]", "float[2][3]", "[]", 1},
       }) {
    const TypeName made = parse_type(each.name);
    EXPECT_EQ(made.text, each.text);
    EXPECT_EQ(made.outer, each.outer);
    EXPECT_EQ(made.arguments.size(), each.arguments) << each.name;
  }
  EXPECT_EQ(parse_type("std::vector<Double32_t>").arguments[0], "double");
  EXPECT_EQ(parse_type("std::array<std::array<float,3>,2>").size, 2u);
  EXPECT_EQ(parse_type("float[2][3]").arguments[0], "float[3]");
  EXPECT_EQ(parse_type("std::bitset<42>").size, 42u);
  EXPECT_EQ(parse_type("std::bitset<kSize>").size, std::nullopt);
}

}  // namespace
}  // namespace hepcheck::rntuple
