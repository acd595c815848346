// Values of a dataset, by block: gives rules access to data independently of files.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "validator/formats/hep001/model/table.h"
#include "validator/result.h"

namespace hepcheck::hep001 {

// Consecutive rows of a dataset, as stored.
struct Block {
  std::uint64_t first_row = 0;
  std::uint64_t rows = 0;
  // Fixed-size datatypes: rows x row_bytes, in the datatype and byte order of the file.
  std::span<const std::byte> bytes;
  // Variable-length strings: one view per row, without terminator; null pointers are empty. Values
  // of datatypes with fields or other variable-length parts: their comparable forms (comparable.h).
  std::span<const std::string_view> strings;
};

// Yields blocks in row order. The memory of a block is valid until the next call.
class ValueStream {
 public:
  virtual ~ValueStream() = default;
  // The next block; nothing after the last one; an Error if the rows cannot be read.
  virtual Result<std::optional<Block>> next() = 0;
};

// The source of the values of a model's datasets: a file or memory. Several threads may use it
// concurrently; each stream belongs to one of them.
class ValueSource {
 public:
  virtual ~ValueSource() = default;
  // Rows [first, first + count) of a dataset of rank >= 1 (a row is everything below one
  // position of the first dimension). They must not exceed the extent.
  virtual Result<std::unique_ptr<ValueStream>> stream_rows(const Dataset& dataset,
                                                           std::uint64_t first,
                                                           std::uint64_t count) = 0;
  // Rows [0, rows).
  Result<std::unique_ptr<ValueStream>> stream(const Dataset& dataset, std::uint64_t rows) {
    return stream_rows(dataset, 0, rows);
  }
  // A rectangle of a dataset of fixed-size datatype: `start` and `count` have one entry per
  // dimension. Returns count[0] x count[1] x ... x type.size bytes.
  virtual Result<std::vector<std::byte>> read(const Dataset& dataset,
                                              std::span<const std::uint64_t> start,
                                              std::span<const std::uint64_t> count) = 0;
};

// Passes every block of a stream to use(block), which returns nothing, or false to stop. An Error
// if the rows cannot be read.
template <class Use>
std::optional<Error> for_each_block(ValueStream& rows, Use use) {
  while (true) {
    const Result<std::optional<Block>> next = rows.next();
    if (!next) return next.error();
    if (!*next) return std::nullopt;
    if constexpr (std::is_void_v<decltype(use(**next))>)
      use(**next);
    else if (!use(**next))
      return std::nullopt;
  }
}

// The same for a stream that may not have been created.
template <class Use>
std::optional<Error> for_each_block(const Result<std::unique_ptr<ValueStream>>& rows, Use use) {
  if (!rows) return rows.error();
  return for_each_block(**rows, use);
}

// Values held in memory, for tests, properties and fuzzing.
class MemoryValues : public ValueSource {
 public:
  // Rows of a fixed-size datatype, row after row.
  void set(const ObjectToken& token, std::vector<std::byte> bytes);
  void set_strings(const ObjectToken& token, std::vector<std::string> strings);
  std::uint64_t block_rows =
      4;  // rows per block of an unchunked dataset; small, to test boundaries
  bool blocks_are_chunks = true;  // of a chunked one; otherwise as for unchunked ones

  Result<std::unique_ptr<ValueStream>> stream_rows(const Dataset& dataset, std::uint64_t first,
                                                   std::uint64_t count) override;
  Result<std::vector<std::byte>> read(const Dataset& dataset, std::span<const std::uint64_t> start,
                                      std::span<const std::uint64_t> count) override;

 private:
  struct Stored {
    std::vector<std::byte> bytes;
    std::vector<std::string> strings;
  };
  std::unordered_map<ObjectToken, Stored, ObjectTokenHash> stored_;
};

}  // namespace hepcheck::hep001
