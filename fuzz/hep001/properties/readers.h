// The file of an image, read without libhdf5.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "validator/bytes.h"
#include "validator/formats/hep001/own/own_file.h"
#include "validator/formats/hep001/reader/read_tables.h"

namespace hepcheck::hep001 {

// The root group as a table. The image must outlive it.
struct OwnReader {
  std::unique_ptr<TableFile> file;
  Table root;

  explicit OwnReader(std::span<const std::byte> image, const Limits& limits = {})
      : file(own::open_file(Bytes::of_image(image, "image"), limits).value()),
        root(read_table_at(*file, "/").value()) {}

  const Dataset& dataset(std::string_view name) const { return *root.group.child(name)->dataset; }
  ValueSource& values() { return file->values(); }
};

// The bytes of some rows, or the reason why they cannot be read.
inline Result<std::vector<std::byte>> rows_of(ValueSource& values, const Dataset& dataset,
                                              std::uint64_t first, std::uint64_t count) {
  std::vector<std::byte> all;
  std::uint64_t row = first;
  bool in_order = true;
  const auto error =
      for_each_block(values.stream_rows(dataset, first, count), [&](const Block& block) {
        in_order &= block.first_row == row && block.rows > 0;
        row += block.rows;
        all.insert(all.end(), block.bytes.begin(), block.bytes.end());
      });
  if (error) return std::unexpected(*error);
  if (!in_order || row != first + count) return failure(dataset.path, "rows in another order");
  return all;
}

}  // namespace hepcheck::hep001
