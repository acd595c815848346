// The requirements of the newest revision on booleans and search indexes: 8.8, 11, 12.2.
#include "validator/formats/hep001/testing/rule_testing.h"

namespace hepcheck::hep001 {

namespace {

constexpr const char* kMinmaxDataset = "SEARCH_INDEXES/ts__minmax";
constexpr const char* kBitmapDataset = "SEARCH_INDEXES/label__bitmap";
const Datatype kCounts = integer_type(8, false);

void bend_contents(TableBuilder& t) {
  t.store(kBitmapDataset, {0x00, 0x00, 0x0a, 0x03, 0x84, 0x00});
}

TEST(IndexGate, ContentsCountWhileTokensAgree) {
  EXPECT_EQ(newer(bend_contents), Ids{"bitmap-bit-set"});
  for (const int source : {6, 8})
    EXPECT_EQ(newer([&](TableBuilder& t) {
                bend_contents(t);
                t.set(kBitmapDataset, attribute("SOURCE_GENERATION", kCounts, Cell(source)));
              }),
              kNothing);
  EXPECT_EQ(newer([](TableBuilder& t) {
              bend_contents(t);
              t.set(kBitmapDataset, attribute("SOURCE_NROWS", kCounts, Cell(9)));
            }),
            kNothing);
}

TEST(IndexGate, LengthsCountWhileTokensAgree) {
  const auto shorten = [](TableBuilder& t) { t.dataset(kMinmaxDataset).space.extent = {2}; };
  EXPECT_EQ(newer(shorten), Ids{"minmax-length-chunked"});
  EXPECT_EQ(newer([&](TableBuilder& t) {
              shorten(t);
              t.set(kMinmaxDataset, attribute("SOURCE_NROWS", kCounts, Cell(8)));
            }),
            kNothing);
}

TEST(IndexGate, WithoutATokenOnlyItsAbsenceIsAFinding) {
  EXPECT_EQ(newer([](TableBuilder& t) {
              bend_contents(t);
              t.erase(kBitmapDataset, "SOURCE_NROWS");
            }),
            Ids{"source-nrows-present"});
}

// Tail lengths of a stale index are not those of a table without rows.
TEST(IndexGate, StaleWithoutRows) {
  EXPECT_EQ(newer([](TableBuilder& t) { t.set("", attribute("NROWS", kCounts, Cell(0))); }),
            kNothing);
}

// An index that cannot be read may require GENERATION; one that can be read does.
TEST(Generation, OfIndexesThatCannotBeRead) {
  const auto without_generation = [](std::size_t readable) {
    TableBuilder t = newer_table();
    t.erase("", "GENERATION");
    std::vector<Child>& indexes = t.group("SEARCH_INDEXES").children;
    for (std::size_t i = readable; i < indexes.size(); ++i) {
      indexes[i].unreadable = "a bad header";
      indexes[i].object = ObjectKind::kUnknown;
      indexes[i].dataset = nullptr;
    }
    return t;
  };
  TableBuilder none = without_generation(0), one = without_generation(1);
  EXPECT_EQ(newer_reason_of(none, "generation-present"),
            "a dataset in SEARCH_INDEXES cannot be read");
  EXPECT_TRUE(std::ranges::contains(newer_findings_of(one), "generation-present"));
}

TEST(Bitmap, PadBits) {
  EXPECT_EQ(
      newer([](TableBuilder& t) { t.store(kBitmapDataset, {0x61, 0x80, 0x0a, 0x03, 0x84, 0x00}); }),
      Ids{"bitmap-pad-bits-zero"});
  // Not restricted by the older revision.
  EXPECT_EQ(
      good([](TableBuilder& t) { t.store(kBitmapDataset, {0x61, 0x80, 0x0a, 0x03, 0x84, 0x00}); }),
      kNothing);
}

TEST(Bitmap, FromTheMostSignificantBit) {
  EXPECT_EQ(
      newer([](TableBuilder& t) { t.store(kBitmapDataset, {0x86, 0x00, 0x50, 0xc0, 0x21, 0x00}); }),
      Ids{"bitmap-lsb-first"});
}

// For the values 0, 1 and 2 of the column, and a missing row.
void list_two_values(TableBuilder& t) {
  t.dataset("SEARCH_INDEXES/label__values").space.extent = {2};
  t.dataset(kBitmapDataset).space.extent = {2, 2};
}

TEST(Bitmap, Exhaustive) {
  const auto promise = [](TableBuilder& t, bool value) {
    t.set(kBitmapDataset, boolean("exhaustive", value));
  };
  EXPECT_EQ(newer([&](TableBuilder& t) { promise(t, true); }), kNothing);
  EXPECT_EQ(newer([&](TableBuilder& t) {
              list_two_values(t);
              promise(t, false);
            }),
            kNothing);
  EXPECT_EQ(newer([&](TableBuilder& t) {
              list_two_values(t);
              promise(t, true);
            }),
            Ids{"bitmap-exhaustive-complete"});
  EXPECT_EQ(newer([](TableBuilder& t) {
              t.set(kBitmapDataset, attribute("exhaustive", kCounts, Cell(1)));
            }),
            Ids{"bool-not-plain-integer"});
}

TEST(BooleanColumn, FillValueAndValues) {
  EXPECT_EQ(newer([](TableBuilder& t) {
              Storage& storage = t.dataset("passed").storage;
              storage.fill_state = FillState::kUserDefined;
              storage.fill = {std::byte{2}};
            }),
            Ids{"boolean-column-no-fill"});
  EXPECT_EQ(newer([](TableBuilder& t) {
              t.store("passed", {0, 1, 1, 0, 0, 2, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0});
            }),
            Ids{"boolean-column-value"});
  EXPECT_EQ(newer([](TableBuilder& t) {
              t.dataset("passed").type =
                  enum_type(integer_type(1, false), {{"FALSE", 0}, {"TRUE", 1}});
            }),
            Ids{"boolean-dataset-exact-type"});
}

TEST(BooleanColumn, NullableByItsNames) {
  EXPECT_EQ(newer([](TableBuilder& t) {
              t.dataset("grade").type =
                  enum_type(integer_type(2, true), {{"FALSE", 1}, {"TRUE", 2}, {"MISSING", -1}});
            }),
            Ids{"nullable-boolean-enum-codes (warning)"});
}

TEST(IndexAttributes, Placement) {
  EXPECT_EQ(newer([](TableBuilder& t) {
              t.set("SEARCH_INDEXES/label__values", attribute("SOURCE_NROWS", kCounts, Cell(10)));
            }),
            Ids{"reserved-attribute-misuse"});
  EXPECT_EQ(newer([](TableBuilder& t) {
              t.dataset(kMinmaxDataset).storage.layout = StorageLayout::kContiguous;
            }),
            Ids{"index-chunked-growable (info)"});
  EXPECT_EQ(newer([](TableBuilder& t) { t.set("", attribute("generation", kCounts, Cell(7))); }),
            Ids{"names-uppercase (warning)"});
}

TEST(ByteOrder, IsFree) {
  EXPECT_EQ(newer([](TableBuilder& t) {
              t.set("ts",
                    attribute("valid_min", integer_type(8, true, ByteOrder::kBig), Cell(-100)));
            }),
            kNothing);
}

}  // namespace

}  // namespace hepcheck::hep001
