// Reads the bytes of a dataset in its file. A reader states where they are; afterwards they are
// read and decoded by any number of threads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "validator/bytes.h"
#include "validator/formats/hep001/storage/decode.h"
#include "validator/result.h"

namespace hepcheck::hep001 {

// The bytes of the file. Safe to use from several threads.
class FileBytes {
 public:
  // Nothing if they are not in one plain file or in memory.
  explicit FileBytes(std::optional<Bytes> bytes) : bytes_(std::move(bytes)) {}

  explicit operator bool() const { return bytes_.has_value(); }
  std::uint64_t size() const { return bytes_ ? bytes_->size() : 0; }
  // False if there are no such bytes, or they cannot be read.
  bool read(std::uint64_t offset, std::span<std::byte> into) const {
    return bytes_ && bytes_->read(offset, into);
  }

 private:
  std::optional<Bytes> bytes_{};
};

class RawData;

// Decoded chunks that are likely to be requested again, because only a part was used.
class ChunkCache {
 public:
  using Bytes = std::shared_ptr<std::vector<std::byte>>;
  // Read-only.
  Bytes find(const RawData& data, std::uint64_t chunk);
  void keep(const RawData& data, std::uint64_t chunk, Bytes bytes);

 private:
  static constexpr std::uint64_t kMostBytes = std::uint64_t{16} << 20;
  struct Entry {
    std::uint64_t data, chunk;
    Bytes bytes;
  };
  std::mutex mutex_{};
  std::list<Entry> entries_{};  // most recently used first
  std::uint64_t bytes_ = 0;
};

// The storage of one dataset. Immutable, so safe to use from several threads.
class RawData {
 public:
  // How its elements are stored.
  struct Form {
    std::size_t element_bytes;
    std::vector<std::byte> fill{};  // of one element; empty: zeros
    // With all parameters; none: those of the model.
    std::optional<std::vector<Filter>> filters{};
  };
  // Contiguous, or not stored at all. `address`: from the first byte of the file.
  static RawData contiguous(const FileBytes& file, const Dataset& model, Form form,
                            std::optional<std::uint64_t> address);
  // Without chunks: each is added, and then they are complete. Nothing if the chunks cannot be
  // counted, or a chunk with filters, which is decoded as a whole, exceeds `most_bytes`. Of larger
  // chunks without filters only the requested parts are read.
  static std::optional<RawData> chunked(const FileBytes& file, const Dataset& model, Form form,
                                        std::uint64_t most_bytes);
  // A stored chunk at that position by dimension, counted in chunks. Those outside the extent
  // remain from a larger one, and do not count. False if there are too many.
  bool add_chunk(std::span<const std::uint64_t> scaled, std::uint64_t address, std::uint64_t size,
                 std::uint32_t filter_mask);
  // False if two chunks have the same position.
  bool complete();
  std::uint64_t chunk_bytes() const { return chunk_bytes_; }
  // The filters, as bits by position, that no stored chunk used.
  std::uint32_t filters_skipped_by_all() const;

  // Elements of the rectangle, row-major. `into` has exactly their size.
  std::optional<Error> read(std::span<const std::uint64_t> start,
                            std::span<const std::uint64_t> count, std::span<std::byte> into,
                            ChunkDecoder& decoder, ChunkCache& cache) const;

  // Rows of a one-dimensional dataset. `into` holds whole chunks beginning with the one that
  // contains row `first`; the rows begin at the returned offset.
  bool one_dimensional() const { return extent_.size() == 1; }
  std::uint64_t id() const { return id_; }
  // The number of bytes that read_rows needs.
  std::uint64_t room_for(std::uint64_t first, std::uint64_t count) const;
  Result<std::size_t> read_rows(std::uint64_t first, std::uint64_t count, std::span<std::byte> into,
                                ChunkDecoder& decoder) const;
  // The rows to read together, beginning at `first`: about `bytes`, never part of a chunk that has
  // to be decoded.
  std::uint64_t good_step(std::uint64_t first, std::uint64_t bytes) const;

 private:
  struct Chunk {
    std::uint64_t number, address, size;
    std::uint32_t filter_mask;
  };
  RawData(const FileBytes& file, const Dataset& model, Form form);
  const Chunk* chunk(std::uint64_t number) const;
  bool decoded_as_a_whole() const { return chunked_ && !filters_.empty(); }
  std::optional<Error> read_chunk(std::uint64_t number, std::span<std::byte> into,
                                  ChunkDecoder& decoder) const;
  Result<ChunkCache::Bytes> whole_chunk(std::uint64_t number, ChunkDecoder& decoder,
                                        ChunkCache& cache) const;
  std::optional<Error> read_contiguous(std::span<const std::uint64_t> start,
                                       std::span<const std::uint64_t> count,
                                       std::span<std::byte> into) const;
  void fill(std::span<std::byte> into) const;
  Error trouble(std::uint64_t chunk, std::string cause) const;
  // The error of a chunk without filters that has not the size of all chunks.
  Error wrong_size(const Chunk& stored) const;

  std::uint64_t id_ = 0;
  std::string path_{};
  const FileBytes* file_ = nullptr;
  std::size_t element_bytes_ = 0;
  std::vector<std::uint64_t> extent_{};
  bool chunked_ = false;
  std::optional<std::uint64_t> address_{};              // contiguous
  std::vector<std::uint64_t> chunk_extent_{}, grid_{};  // elements per chunk; chunks per dimension
  std::uint64_t chunk_bytes_ = 0;
  bool in_parts_ = false;        // a chunk is never in memory as a whole
  std::vector<Chunk> chunks_{};  // the stored chunks, by number
  std::vector<Filter> filters_{};
  std::vector<std::byte> fill_{};  // empty: zeros
};

}  // namespace hepcheck::hep001
