#include "validator/formats/rntuple/exchange/read_table.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <optional>
#include <string>
#include <vector>

#include "validator/read_whole.h"

namespace hepcheck::rntuple {
namespace {

ReadTable table_of(const std::string& fixture, ReadOptions options = {}) {
  const std::string path = std::string(HEPCHECK_FIXTURES "/rntuple/") + fixture + ".root";
  const std::string bytes = read_whole(path).value_or("");
  options.memory = std::uint64_t{1} << 28;
  auto read =
      read_table(Bytes::of_image(std::as_bytes(std::span(bytes)), path), std::nullopt, options);
  EXPECT_TRUE(read) << (read ? "" : read.error().why);
  return read ? std::move(*read) : ReadTable{};
}

template <class T>
std::vector<std::optional<T>> values_of(const ReadTable& read, std::size_t column) {
  std::vector<std::optional<T>> made;
  const exchange::Array& array = read.table.columns.at(column);
  for (std::uint64_t i = 0; i < array.length; ++i) {
    T value{};
    std::memcpy(&value, array.fixed(i, sizeof value).data(), sizeof value);
    made.push_back(array.null(i) ? std::nullopt : std::optional(value));
  }
  return made;
}

template <class T>
using Cells = std::vector<std::optional<T>>;

TEST(ReadTable, NumbersOfSplitPages) {
  const ReadTable read = table_of("valid/7.1.2/rntuple-sorted-ascending-true--negative");
  EXPECT_EQ(values_of<std::int32_t>(read, 0), (Cells<std::int32_t>{-5, -1, 0, 3}));
  EXPECT_EQ(read.table.rows, 4u);
}

TEST(ReadTable, NumbersOfSeveralPagesAndClusters) {
  const ReadTable read = table_of("valid/7.1.2/rntuple-sorted-ascending-true--two-pages");
  EXPECT_EQ(values_of<std::int32_t>(read, 0), (Cells<std::int32_t>{1, 1, 2, 2}));
}

TEST(ReadTable, Reals) {
  const ReadTable read =
      table_of("valid/7.1.2/rntuple-sorted-ascending-true--zeros-of-either-sign");
  const Cells<double> values = values_of<double>(read, 0);
  EXPECT_EQ(values, (Cells<double>{-0.0, 0.0, -0.0, 0.25, 0.5, 1.0, 1.5}));
  EXPECT_TRUE(std::signbit(*values[0]));
}

TEST(ReadTable, WiderThanStored) {
  const ReadTable read = table_of("valid/8.2/rntuple-map-double32--real32");
  EXPECT_EQ(values_of<double>(read, 0), (Cells<double>{1.0}));
}

TEST(ReadTable, Texts) {
  const ReadTable read = table_of("valid/8.3.1/rntuple-map-string-leaf--two-columns");
  const exchange::Array& array = read.table.columns.at(0);
  ASSERT_EQ(array.length, 3u);
  EXPECT_EQ(array.text(0), "a");
  EXPECT_EQ(array.text(1), "");
  EXPECT_EQ(array.text(2), "bcd");
}

TEST(ReadTable, MissingValuesByIndexAndByMask) {
  for (const char* name : {"valid/8.3.8/rntuple-map-optional-collection--index64",
                           "valid/8.3.8/rntuple-map-optional-dense--mask"}) {
    const ReadTable read = table_of(name);
    EXPECT_EQ(values_of<float>(read, 0), (Cells<float>{1.0F, std::nullopt, 2.0F})) << name;
    EXPECT_TRUE(read.table.schema.fields.at(0).nullable);
  }
}

TEST(ReadTable, RefusesByName) {
  const ReadTable bits = table_of("valid/8.3.7/rntuple-map-bitset-repetitive-leaf--42");
  ASSERT_EQ(bits.refused.size(), 1u);
  EXPECT_NE(bits.refused[0].find("std::bitset<42>"), std::string::npos);
  EXPECT_TRUE(bits.table.columns.empty());
}

TEST(ReadTable, RefusesSeveralRepresentations) {
  const ReadTable read = table_of("invalid/D/rntuple-dialect-representation-index--second");
  ASSERT_EQ(read.refused.size(), 1u);
  EXPECT_TRUE(read.refused[0].ends_with("it is stored in several representations"))
      << read.refused[0];
}

TEST(ReadTable, ProjectedFieldsOnRequest) {
  const std::string name = "valid/7.1.3/rntuple-alias-physical-exists--cardinality";
  const ReadTable without = table_of(name);
  ASSERT_EQ(without.losses.size(), 1u);
  EXPECT_EQ(without.losses[0], "n: it shows data of other fields");
  EXPECT_TRUE(table_of(name, {.projected = true}).losses.empty());
}

TEST(ReadTable, SchemaWithoutRows) {
  const ReadTable read =
      table_of("valid/7.1.2/rntuple-sorted-ascending-true--negative", {.schema_only = true});
  EXPECT_EQ(read.table.rows, 0u);
  EXPECT_EQ(read.table.schema.fields.size(), 1u);
}

}  // namespace
}  // namespace hepcheck::rntuple
