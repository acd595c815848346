// Filter pipelines, as headers of tiles and schemas store them.              [filter_pipeline.md]
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "validator/formats/tiledb/reader.h"

namespace hepcheck::tiledb {

constexpr std::uint8_t kNoFilter = 0, kGzip = 1, kZstd = 2, kLz4 = 3, kRle = 4, kBzip2 = 5,
                       kDoubleDelta = 6, kBitWidth = 7, kBitshuffle = 8, kByteshuffle = 9,
                       kPositiveDelta = 10, kEncryption = 11, kMd5 = 12, kSha256 = 13,
                       kDictionary = 14, kFloatScale = 15, kXor = 16, kBitsort = 17, kWebp = 18,
                       kDelta = 19;

std::string_view filter_name(std::uint8_t type);  // "gzip"
std::string filter_text(std::uint8_t type);       // "gzip (1)"

struct Filter {
  std::uint64_t at = 0;  // of its type
  std::uint8_t type = 0;
  std::span<const std::byte> options{};

  std::uint64_t options_at() const { return at + 5; }
};

struct Pipeline {
  std::uint64_t at = 0;
  std::uint32_t max_chunk = 0;
  std::uint32_t count = 0;  // as stated
  std::vector<Filter> filters{};

  bool empty() const { return filters.empty(); }
  bool has(std::uint8_t type) const;
};

// What a pipeline is for.
enum class Role : std::uint8_t {
  kHeader,
  kCoordinates,
  kOffsets,
  kValidity,
  kDimension,
  kAttribute
};

// What the clauses about a pipeline depend on.
struct PipelineUse {
  const Pipeline* pipeline = nullptr;
  Role role{};
  std::uint32_t version = 0;  // of the schema, or of the tile
  // Of the attribute or the dimension, if it has one.
  bool typed = false;
  std::uint8_t datatype = 0;
  std::uint32_t cell_val_num = 1;
  // Whether an attribute of the array can have WebP.
  bool webp_array = false;
  // A string dimension that has no pipeline of its own would inherit a dictionary filter; another
  // one cannot.
  bool inherited_by_other_than_strings = false;
};

Pipeline read_pipeline(BoundedReader& read, const Path* path);
// Returns false if there was an error.
bool judge_pipeline(const PipelineUse& use, const Path* path, BoundedReader& at);
void block_pipelines(const Stop& stop, bool of_header, Notes& notes);

// "byteshuffle, gzip 4"
std::string pipeline_text(const Pipeline& pipeline);

}  // namespace hepcheck::tiledb
