// Envelopes that are read and written again have the same bytes: nothing of them is overlooked.
#include "validator/formats/rntuple/testing/round_trip.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

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
           {" float  const ", "float", "float", 0},
           {"float const  volatile", "float", "float", 0},
           {"const  volatile  float", "float", "float", 0},
           {"constant", "constant", "constant", 0},
           {"Myconst", "Myconst", "Myconst", 0},
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

// A type is taken apart as it was put together, whatever its arguments are.
TEST(TypeNames, AreTakenApart) {
  struct Built {
    std::string text, outer;
    std::vector<std::string> arguments;
    std::optional<std::uint64_t> size;
  };
  std::vector<Built> inner = {{"float", "float", {}, {}},
                              {"std::int32_t", "std::int32_t", {}, {}},
                              {"Some::Class<7>", "Some::Class", {"7"}, {}},
                              {"std::bitset<9>", "std::bitset", {"9"}, 9}};
  for (int level = 0; level < 2; ++level) {
    std::vector<Built> outer;
    for (const Built& a : inner) {
      const Built& b = inner[outer.size() % inner.size()];
      outer.push_back({"std::vector<" + a.text + ">", "std::vector", {a.text}, {}});
      outer.push_back(
          {"std::map<" + a.text + "," + b.text + ">", "std::map", {a.text, b.text}, {}});
      outer.push_back({"std::array<" + a.text + ",12>", "std::array", {a.text, "12"}, 12});
      outer.push_back({"std::tuple<" + a.text + "," + b.text + "," + a.text + ">",
                       "std::tuple",
                       {a.text, b.text, a.text},
                       {}});
      // Of an array of arrays, the first bracket is that of the outer one.
      if (!a.text.ends_with(']')) outer.push_back({a.text + "[3][4]", "[]", {a.text + "[4]"}, 3});
      outer.push_back({"std::vector<" + a.text + "[5]>", "std::vector", {a.text + "[5]"}, {}});
      outer.push_back({"std::pair<" + a.text + "[2]," + b.text + ">[6]",
                       "[]",
                       {"std::pair<" + a.text + "[2]," + b.text + ">"},
                       6});
    }
    for (const Built& each : outer) {
      std::string spaced = each.text;
      for (std::size_t at = 0; (at = spaced.find_first_of("<,>", at)) != spaced.npos; at += 3)
        spaced.insert(at, 1, ' ').insert(at + 2, 1, ' ');
      for (const std::string& text : {each.text, spaced, "const " + each.text + " ",
                                      " volatile const " + spaced, each.text + " const"}) {
        const TypeName made = parse_type(text);
        EXPECT_EQ(made.text, each.text) << text;
        EXPECT_EQ(made.outer, each.outer) << text;
        EXPECT_EQ(made.arguments, each.arguments) << text;
        EXPECT_EQ(made.size, each.size) << text;
      }
    }
    inner = std::move(outer);
  }
}

}  // namespace
}  // namespace hepcheck::rntuple
