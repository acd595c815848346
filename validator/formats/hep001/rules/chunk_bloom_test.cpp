#include "validator/formats/hep001/testing/index_testing.h"

namespace hepcheck::hep001 {

namespace {

const std::string kBloom = "SEARCH_INDEXES/name__bloom";

// The filters of good_table(), one per chunk: m_bits 64, k 3, seed 0.
const Cells kFilters{0x20, 0x08, 0x22, 0x02, 0x00, 0x22, 0x00, 0x02,  //
                     0x00, 0x2a, 0x00, 0x12, 0x00, 0x02, 0x00, 0x42,  //
                     0xc0, 0x00, 0x10, 0x01, 0x00, 0x80, 0x00, 0x04};

Ids with_byte(std::size_t at, int value) {
  return good([&](TableBuilder& t) {
    Cells filters = kFilters;
    filters[at] = value;
    t.store(kBloom, filters);
  });
}

TEST(BloomMembership, EachBit) {
  EXPECT_EQ(with_byte(0, 0x20), kNothing);
  EXPECT_EQ(with_byte(0, 0x00), Ids{"bloom-membership"});
  EXPECT_EQ(with_byte(11, 0x10), Ids{"bloom-membership"});
  EXPECT_EQ(with_byte(23, 0x00), Ids{"bloom-membership"});
  EXPECT_EQ(with_byte(4, 0xff), kNothing) << "bits that no value needs";
}

TEST(BloomMembership, OfAnotherSeedOrNumber) {
  EXPECT_EQ(
      good([](TableBuilder& t) { t.set(kBloom, attribute("seed", integer_type(4, false), 1)); }),
      Ids{"bloom-membership"});
  EXPECT_EQ(good([](TableBuilder& t) { t.set(kBloom, attribute("k", integer_type(2, false), 2)); }),
            kNothing)
      << "fewer bits are needed";
  EXPECT_EQ(good([](TableBuilder& t) { t.set(kBloom, attribute("k", integer_type(2, false), 4)); }),
            Ids{"bloom-membership"});
}

TEST(BloomShape, RowsAndBytes) {
  EXPECT_EQ(good([](TableBuilder& t) { t.dataset(kBloom).space.extent = {2, 8}; }),
            Ids{"bloom-rows-chunked"});
  EXPECT_EQ(good([](TableBuilder& t) { t.dataset(kBloom).space = simple_space({24}); }),
            Ids{"bloom-rank-2"});
  EXPECT_EQ(good([](TableBuilder& t) { t.dataset(kBloom).type = integer_type(1, true); }),
            Ids{"bloom-uint8"});
}

TEST(BloomAttributes, Values) {
  const auto bits = [](int m_bits) {
    return good([&](TableBuilder& t) {
      t.set(kBloom, attribute("m_bits", integer_type(8, false), m_bits));
    });
  };
  EXPECT_EQ(bits(72), Ids{"bloom-m-bits-equals-8-m-bytes"});
  EXPECT_EQ(bits(60), Ids{"bloom-m-bits-multiple-of-8"});
  EXPECT_EQ(good([](TableBuilder& t) { t.set(kBloom, ascii("hash_family", "xxh64_double")); }),
            Ids{"bloom-hash-family-value"});
  EXPECT_EQ(good([](TableBuilder& t) { t.set(kBloom, attribute("k", integer_type(2, false), 0)); }),
            Ids{"bloom-k-positive (warning)"});
  EXPECT_EQ(good([](TableBuilder& t) { t.erase(kBloom, "seed"); }), Ids{"bloom-seed-present"});
}

TEST(BloomSuperset, IsReportedAsInformation) {
  const auto notes = [](const Cells& filters) {
    TableBuilder t = good_table();
    t.store(kBloom, filters);
    return examined(t).notes;
  };
  EXPECT_TRUE(notes(kFilters).empty());
  Cells filters = kFilters;
  filters[4] = 0xff;
  ASSERT_EQ(notes(filters).size(), 1u);
  EXPECT_NE(notes(filters)[0].find("1 of 3 filters have bits set"), std::string::npos);
}

// k is 65535, the maximum of the attribute: 10^10 bits to examine, if each were.
TEST(BloomMembership, WorkForManyBitsPerValueIsLimited) {
  constexpr std::uint64_t kRows = 200'000;
  const auto filled = [](std::uint64_t m_bytes, auto value, std::vector<std::uint64_t> clear) {
    TableBuilder t("/t", kRows);
    t.add_column("x", integer_type(8, false), {0}, ~0u);
    t.dataset("x").space = simple_space({kRows});
    std::vector<std::uint64_t> rows(kRows);
    for (std::uint64_t row = 0; row < kRows; ++row) rows[row] = value(row);
    const auto bytes = std::as_bytes(std::span(rows));
    t.values.block_rows = 1 << 16;
    t.values.set(t.dataset("x").token, {bytes.begin(), bytes.end()});
    const std::string index = "SEARCH_INDEXES/x";
    t.add_group("SEARCH_INDEXES");
    const Dataset& filter = t.add_dataset(index, integer_type(1, false), {1, m_bytes});
    std::vector<std::byte> bits(m_bytes, std::byte{0xff});
    for (const std::uint64_t g : clear) bits[g / 8] ^= std::byte{1} << (g % 8);
    t.values.set(filter.token, bits);
    t.set(index, ascii("KIND", "CHUNK_BLOOM"));
    t.set(index, utf8("description", "2026-06-16, for a test"));
    t.set(index, ascii("hash_family", "murmur3_x64_128_double"));
    t.set(index, attribute("k", integer_type(2, false), 65535));
    t.set(index, attribute("m_bits", integer_type(8, false), 8 * m_bytes));
    t.set(index, attribute("seed", integer_type(4, false), 0));
    t.set("x", references("SEARCH_INDEX_LIST", {t.to(index)}));
    t.list_columns();
    return findings_of(t);
  };
  const auto each = [](std::uint64_t row) { return row; };
  const auto few = [](std::uint64_t row) { return row % 3; };
  for (const std::uint64_t m_bytes : {1'000, 1'024, 1 << 17, 128'000}) {
    SCOPED_TRACE(m_bytes);
    EXPECT_EQ(filled(m_bytes, each, {}), kNothing);
    EXPECT_EQ(filled(m_bytes, few, {}), kNothing);
    EXPECT_EQ(filled(m_bytes, each, {17, 900}), Ids{"bloom-membership"});
  }
}

TEST(BloomWitness, NamesTheRow) {
  TableBuilder t = good_table();
  Cells filters = kFilters;
  filters[16] = 0;
  t.store(kBloom, filters);
  const Finding lost = finding_of(t, "bloom-membership");
  EXPECT_TRUE(lost.witness.starts_with("name == \"")) << lost.witness;
  EXPECT_TRUE(lost.witness.ends_with("lies in chunk 2, which the index rules out")) << lost.witness;
}

}  // namespace

}  // namespace hepcheck::hep001
