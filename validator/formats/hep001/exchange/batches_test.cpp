// How many rows the batches of an export have: about 16 MiB, whole chunks of the first column that
// has any, and at least one chunk; or as many as are requested.
#include <gtest/gtest.h>
#include <hdf5.h>

#include <algorithm>
#include <cstdint>
#include <format>
#include <string>
#include <vector>

#include "validator/exchange/testing/folder.h"
#include "validator/formats/hep001/exchange/export_table.h"
#include "validator/formats/hep001/libhdf5/handle.h"
#include "validator/formats/hep001/libhdf5/testing/memory_hdf5.h"
#include "validator/testing/random.h"

namespace hepcheck::hep001 {
namespace {

using libhdf5::FileHandle, libhdf5::ObjectHandle, libhdf5::PropertyHandle, libhdf5::SpaceHandle;
using Counts = std::vector<std::uint64_t>;

struct NumberColumn {
  std::string name{};
  std::uint64_t width = 1, chunk = 0;  // 0: contiguous
  bool skipped = false;
};

// Columns of which nothing is stored: every row has the fill value.
void write_table(const std::string& path, std::uint64_t rows,
                 const std::vector<NumberColumn>& columns) {
  libhdf5::initialise(false);
  const FileHandle file{H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT)};
  ASSERT_TRUE(file);
  const ObjectHandle table{H5Gcreate2(file.get(), "/t", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT)};
  using libhdf5::testing::text_type, libhdf5::testing::write_attribute;
  write_attribute(table.get(), "CLASS", text_type(13).get(), {}, "COLUMN_TABLE");
  write_attribute(table.get(), "VERSION", text_type(4).get(), {}, "1.0");
  write_attribute(table.get(), "NROWS", H5T_NATIVE_UINT64, {}, &rows);
  for (const NumberColumn& each : columns) {
    const hsize_t extent = rows, chunk = each.chunk;
    const SpaceHandle space{H5Screate_simple(1, &extent, nullptr)};
    const PropertyHandle list{H5Pcreate(H5P_DATASET_CREATE)};
    if (chunk > 0) H5Pset_chunk(list.get(), 1, &chunk);
    const std::int64_t fill = 7;
    H5Pset_fill_value(list.get(), H5T_NATIVE_INT64, &fill);
    const hid_t type = each.width == 1   ? H5T_STD_I8LE
                       : each.width == 2 ? H5T_STD_I16LE
                       : each.width == 4 ? H5T_STD_I32LE
                                         : H5T_STD_I64LE;
    EXPECT_TRUE(ObjectHandle(H5Dcreate2(table.get(), each.name.c_str(), type, space.get(),
                                        H5P_DEFAULT, list.get(), H5P_DEFAULT)));
  }
}

std::uint64_t expected_step(const std::vector<NumberColumn>& columns) {
  std::uint64_t bytes = 1, chunk = 0;
  for (const NumberColumn& each : columns) {
    if (each.skipped) continue;
    bytes += each.width + 8;
    if (chunk == 0) chunk = each.chunk;
  }
  const std::uint64_t fitting = std::min<std::uint64_t>((16 << 20) / bytes, 1 << 20);
  return chunk == 0 ? fitting : std::max(chunk, fitting - fitting % chunk);
}

TEST(Batches, HaveWholeChunks) {
  Random random(7);
  const exchange::testing::Folder folder;
  const std::string path = folder.file("t.h5");
  for (int i = 0; i < 40; ++i) {
    std::vector<NumberColumn> columns;
    const std::uint64_t count = 1 + random.below(6);
    for (std::uint64_t k = 0; k < count; ++k) {
      constexpr std::uint64_t kWidths[] = {1, 2, 4, 8, 8};
      NumberColumn each{.name = std::format("c{}", k), .width = random.one_of(kWidths)};
      const bool chunked = random.once_in(2), large = random.once_in(3);
      if (chunked) each.chunk = 1 + random.below(large ? 1'500'000 : 60'000);
      each.skipped = random.once_in(5);
      columns.push_back(std::move(each));
    }
    const std::uint64_t rows = 1 + random.below(random.once_in(2) ? 1'500'000 : 5'000);
    for (NumberColumn& each : columns) each.chunk = std::min(each.chunk, rows);
    write_table(path, rows, columns);
    ExportOptions options;
    options.file.examine.depth = Depth::kStructure;
    for (const NumberColumn& each : columns)
      if (each.skipped) options.skip.insert(each.name);
    const bool requested = random.once_in(4);
    if (requested) options.batch_rows = 1 + random.below(rows);
    const std::uint64_t step = requested ? options.batch_rows : expected_step(columns);
    Counts wanted, made;
    if (rows / step > 100) continue;
    for (std::uint64_t left = rows; left > 0; left -= wanted.back())
      wanted.push_back(std::min(step, left));
    const auto source = open_table({.file = path}, options);
    ASSERT_TRUE(source) << source.error().error.text();
    while (true) {
      const auto batch = (*source)->next();
      ASSERT_TRUE(batch);
      if (!*batch) break;
      made.push_back((*batch)->rows);
      for (const exchange::Array& column : (*batch)->columns)
        EXPECT_EQ(column.length, (*batch)->rows);
    }
    EXPECT_EQ(made, wanted) << i;
  }
}

}  // namespace
}  // namespace hepcheck::hep001
