#include <limits>

#include "validator/formats/hep001/testing/index_testing.h"

namespace hepcheck::hep001 {

namespace {

const std::string kTs = "SEARCH_INDEXES/ts__minmax", kEnergy = "SEARCH_INDEXES/energy__minmax";
constexpr auto kMissing = std::numeric_limits<std::int64_t>::min() + 1;  // of ts
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kFill = 9.9692099683868690e+36;  // of energy

// Rows of min, max, nan_count, fill_count, n.
void store(TableBuilder& t, const std::string& index, const std::vector<Cells>& entries) {
  const Dataset& data = t.dataset(index);
  std::vector<std::byte> bytes;
  for (const Cells& entry : entries)
    for (std::size_t i = 0; i < entry.size(); ++i)
      std::ranges::copy(entry[i].stored_as(*data.type.members[i].type), std::back_inserter(bytes));
  t.values.set(data.token, std::move(bytes));
}

// The entries of ts in good_table(), of chunks with 0, 1 and 0 missing rows.
std::vector<Cells> of_ts() { return {{40, 70, 0, 0, 4}, {10, 90, 0, 1, 4}, {-30, 60, 0, 0, 2}}; }
// The entries of energy: NaN and missing rows, an infinity.
std::vector<Cells> of_energy() {
  return {{-2.25, 1.5, 1, 1, 4}, {0.0, kInf, 1, 0, 4}, {8.5, 8.5, 0, 1, 2}};
}

Ids ts_with(std::size_t chunk, std::size_t field, const Cell& value) {
  return good([&](TableBuilder& t) {
    auto entries = of_ts();
    entries[chunk][field] = value;
    store(t, kTs, entries);
  });
}
Ids energy_with(std::size_t chunk, std::size_t field, const Cell& value) {
  return good([&](TableBuilder& t) {
    auto entries = of_energy();
    entries[chunk][field] = value;
    store(t, kEnergy, entries);
  });
}

TEST(MinmaxContents, CorrectContents) {
  EXPECT_EQ(ts_with(0, 0, 40), kNothing);
  EXPECT_EQ(energy_with(0, 0, -2.25), kNothing);
}

TEST(MinmaxContents, EachFieldOfEachChunk) {
  EXPECT_EQ(ts_with(0, 0, 41), Ids{"minmax-min-value"});
  EXPECT_EQ(ts_with(2, 0, -31), Ids{"minmax-min-value"});
  EXPECT_EQ(ts_with(1, 1, 89), Ids{"minmax-max-value"});
  EXPECT_EQ(ts_with(2, 1, 999), Ids{"minmax-max-value"});
  EXPECT_EQ(ts_with(1, 0, kMissing), Ids{"minmax-fill-excluded"});
  EXPECT_EQ(ts_with(1, 2, 1), Ids{"minmax-nan-count-zero-non-float"});
  EXPECT_EQ(ts_with(1, 3, 0), Ids{"minmax-fill-count-value"});
  EXPECT_EQ(ts_with(0, 4, 3), Ids{"minmax-n-full-chunk"});
  EXPECT_EQ(ts_with(2, 4, 4), Ids{"minmax-n-last-chunk"});
}

TEST(MinmaxContents, OfFloats) {
  EXPECT_EQ(energy_with(0, 0, kNan), Ids{"minmax-nan-excluded"});
  EXPECT_EQ(energy_with(1, 1, kNan), Ids{"minmax-nan-excluded"});
  EXPECT_EQ(energy_with(2, 1, kFill), Ids{"minmax-fill-excluded"});
  EXPECT_EQ(energy_with(1, 2, 2), Ids{"minmax-nan-count-value"});
  EXPECT_EQ(energy_with(0, 3, 2), Ids{"minmax-fill-count-value"});
  EXPECT_EQ(energy_with(1, 0, -0.0), kNothing) << "either zero";
}

TEST(MinmaxContents, OfAChunkWithoutValues) {
  const auto mutated = [](const Cell& min, const Cell& max) {
    return good([&](TableBuilder& t) {
      t.store("energy",
              {kNan, kFill, kNan, kNan, 1.5, 0.0, kInf, kNan, kFill, 8.5, 0, 0, 0, 0, 0, 0});
      t.remove("SEARCH_INDEXES/energy__sorted");
      t.set("energy", references("SEARCH_INDEX_LIST", {t.to(kEnergy)}));
      auto entries = of_energy();
      entries[0] = {min, max, 3, 1, 4};
      store(t, kEnergy, entries);
    });
  };
  EXPECT_EQ(mutated(kFill, kFill), kNothing);
  EXPECT_EQ(mutated(0.0, kFill), Ids{"minmax-all-missing-min-fill"});
  EXPECT_EQ(mutated(kFill, kNan), Ids{"minmax-all-missing-max-fill"});
}

TEST(MinmaxLength, ShortAndLong) {
  EXPECT_EQ(good([](TableBuilder& t) { t.dataset(kTs).space.extent = {2}; }),
            Ids{"minmax-length-chunked"});
  EXPECT_EQ(good([](TableBuilder& t) {
              auto entries = of_ts();
              entries.push_back({7, -7, 9, 9, 9});
              store(t, kTs, entries);
              t.dataset(kTs).space.extent = {4};
            }),
            kNothing);
}

TEST(MinmaxRank1, TwoDimensions) {
  EXPECT_EQ(good([](TableBuilder& t) { t.dataset(kTs).space = simple_space({3, 1}); }),
            Ids{"minmax-rank-1"});
}

TEST(MinmaxFields, NamesAndTypes) {
  const auto mutated = [](auto mutate) {
    return good([&](TableBuilder& t) { mutate(t.dataset(kTs).type.members); });
  };
  using Members = std::vector<TypeMember>;
  EXPECT_EQ(mutated([](Members& m) { m[0].name = "Min"; }), Ids{"minmax-field-set"});
  EXPECT_EQ(mutated([](Members& m) { std::swap(m[0], m[1]); }), Ids{"minmax-field-order"});
  EXPECT_EQ(mutated([](Members& m) { m.erase(m.begin() + 2); }), Ids{"minmax-nan-count-present"});
  EXPECT_EQ(mutated([](Members& m) {
              m[3].type = std::make_shared<const Datatype>(integer_type(8, true));
            }),
            Ids{"minmax-fill-count-uint64"});
  EXPECT_EQ(mutated([](Members& m) {
              m[1].type = std::make_shared<const Datatype>(integer_type(8, false));
            }),
            Ids{"minmax-max-type"});
}

TEST(MinmaxWitness, NamesALostRow) {
  const auto finding = [](std::size_t chunk, std::size_t field, const Cell& value, const char* id) {
    TableBuilder t = good_table();
    auto entries = of_ts();
    entries[chunk][field] = value;
    store(t, kTs, entries);
    return finding_of(t, id);
  };
  const Finding min = finding(0, 0, 41, "minmax-min-value");
  EXPECT_EQ(min.witness, "ts == 40: row 1 lies in chunk 0, which the index rules out");
  EXPECT_EQ(min.where, "chunk 0");
  EXPECT_EQ(min.observed, "min 41");
  EXPECT_EQ(min.expected, "min 40");
  EXPECT_EQ(min.more, 0u);
  EXPECT_EQ(finding(0, 0, 39, "minmax-min-value").witness,
            "none: the bound is loose, no row is lost");
  EXPECT_EQ(finding(1, 3, 0, "minmax-fill-count-value").witness,
            "ts is missing: row 5 lies in chunk 1, which the index rules out");
  EXPECT_EQ(finding(1, 3, 4, "minmax-fill-count-value").witness,
            "ts == 10: row 4 lies in chunk 1, which the index rules out");
}

TEST(MinmaxOneColumn, ListedByTwo) {
  EXPECT_EQ(
      good([](TableBuilder& t) { t.set("row_id", references("SEARCH_INDEX_LIST", {t.to(kTs)})); }),
      Ids{"minmax-one-column"});
}

}  // namespace

}  // namespace hepcheck::hep001
