// Locates the bytes of a dataset in its file, and reads them.
//
// The library is queried once for the addresses of the chunks. Afterwards the bytes are read and
// decoded without it, from any number of threads.
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
#include "validator/formats/hep001/libhdf5/decode.h"
#include "validator/formats/hep001/libhdf5/read_attributes.h"
#include "validator/result.h"

namespace hepcheck::hep001::libhdf5 {

// The bytes of the file. Safe to use from several threads.
class FileBytes {
 public:
  // For an opened file; empty if its driver does not keep it in one plain file or in memory, or if
  // addresses do not count from its beginning (a user block).
  explicit FileBytes(const FileContext& context);

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

// The filters, as bits by position, that no stored chunk of an opened dataset used; none if the
// chunks cannot be listed. Calls the library.
std::uint32_t filters_skipped_by_all(hid_t dataset);

// The storage of one dataset. Immutable, so safe to use from several threads.
class RawData {
 public:
  // The location of a dataset's bytes. Nothing if they must be read through the library: other
  // filters, datatypes with another form in memory, virtual and external storage.
  static std::optional<RawData> contiguous(const FileBytes& file, const Dataset& model);
  // The same for an opened chunked dataset; calls the library.
  static std::optional<RawData> chunked(const FileContext& context, const FileBytes& file,
                                        hid_t dataset, const Dataset& model);

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
  RawData(const FileBytes& file, const Dataset& model);
  bool find_chunks(hid_t dataset);
  static int add_chunk(const hsize_t* offset, unsigned filter_mask, haddr_t address, hsize_t size,
                       void* data);
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

  std::uint64_t id_ = 0;
  std::string path_{};
  const FileBytes* file_ = nullptr;
  std::size_t element_bytes_ = 0;
  std::vector<std::uint64_t> extent_{};
  bool chunked_ = false;
  std::uint64_t address_ = 0;                           // contiguous
  std::vector<std::uint64_t> chunk_extent_{}, grid_{};  // elements per chunk; chunks per dimension
  std::uint64_t chunk_bytes_ = 0;
  std::vector<Chunk> chunks_{};  // the stored chunks, by number
  std::vector<Filter> filters_{};
  std::vector<std::byte> fill_{};  // empty: zeros
};

}  // namespace hepcheck::hep001::libhdf5
