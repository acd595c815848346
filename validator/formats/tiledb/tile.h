// Generic tiles: a header, chunks, and the filters of the chunks.   [generic_tile.md, tile.md]
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "validator/bytes.h"
#include "validator/formats/tiledb/pipeline.h"
#include "validator/limits.h"

namespace hepcheck::tiledb {

constexpr std::uint64_t kHeaderSize = 34;
constexpr std::uint32_t kLastVersion = 23;
constexpr std::uint32_t kFirstExperimental = 0x80000000;

struct Chunk {
  std::uint64_t at = 0;  // of its head in the file
  std::uint32_t original = 0, filtered = 0, metadata = 0;
  std::uint64_t metadata_at = 0, data_at = 0;  // in the file
};

struct Tile {
  std::uint64_t file_size = 0;
  std::uint32_t version = 0;
  std::uint64_t persisted = 0, size = 0;
  std::uint8_t datatype = 0;
  std::uint64_t cell_size = 0;
  std::uint8_t encryption = 0;
  std::uint32_t pipeline_size = 0;
  std::uint64_t pipeline_used = 0;  // bytes of the pipeline that were read
  Pipeline pipeline{};
  std::uint64_t chunk_count = 0;  // as stated
  std::vector<Chunk> chunks{};
  std::uint64_t chunks_end = 0;  // in the file
  std::uint64_t payload_at() const { return kHeaderSize + pipeline_size; }
};

// What is known of a file after its tile was examined.
struct Opened {
  std::vector<std::byte> file{};  // all its bytes; the tile's options are views of it
  Tile tile{};
  Source source{};
  std::vector<std::byte> content{};  // decoded
  bool seen = false;                 // open_tile was called
  bool decoded = false;
  // Otherwise: why not, and by which clause.
  Stop stop{};
  std::string unsupported{};  // of a file that this text does not describe
};

// Whether the bytes are those of a generic tile, by everything that can be compared at once.
bool looks_like_tile(const Bytes& file);
bool is_before_format(const Bytes& file);

// Judges the version of a tile or a schema. Returns false if this text does not describe it.
bool judge_version(std::uint32_t version, std::string_view of, const Place& at, Notes& notes,
                   Opened& into);

// Examines the tile of a file.
void open_tile(const Bytes& file, const Limits& limits, Notes& notes, Opened& into);

// Undoes the filters of all chunks.
void decode_chunks(const Limits& limits, Notes& notes, Opened& into);
void block_undoing(const Stop& stop, Notes& notes);

}  // namespace hepcheck::tiledb
