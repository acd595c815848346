// Values of a file's datasets.
#pragma once

#include <memory>
#include <mutex>
#include <unordered_map>
#include <vector>

#include "validator/formats/hep001/libhdf5/raw_places.h"
#include "validator/formats/hep001/model/values.h"

namespace hepcheck::hep001::libhdf5 {

// Reads the values of one file's datasets; the file must outlive it. Virtual and externally
// stored datasets are refused with an Error, because their data is in other files; so are
// datasets with a filter that the library does not have.
//
// Contiguous and chunked datasets are read without the library and decoded by the requesting
// thread if their filters are among shuffle, deflate and fletcher32. All others go through the
// library, one thread at a time.
class FileValues : public ValueSource {
 public:
  // `fast` false: the library reads everything, for comparison with another reader.
  explicit FileValues(const FileContext& context, bool fast = true)
      : context_(context), file_(file_bytes(context)), fast_(fast) {}
  FileValues(const FileValues&) = delete;
  FileValues& operator=(const FileValues&) = delete;
  ~FileValues() override;

  Result<std::unique_ptr<ValueStream>> stream_rows(const Dataset& dataset, std::uint64_t first,
                                                   std::uint64_t count) override;
  Result<std::vector<std::byte>> read(const Dataset& dataset, std::span<const std::uint64_t> start,
                                      std::span<const std::uint64_t> count) override;

 private:
  friend class LibraryStream;

  // A dataset of the file: its raw storage, or else the opened dataset.
  struct Source;
  using SourcePointer = std::shared_ptr<const Source>;
  Result<SourcePointer> source(const Dataset& dataset);
  std::optional<Error> read_rectangle(const Source& source, std::span<const std::uint64_t> start,
                                      std::span<const std::uint64_t> count,
                                      std::span<std::byte> into, ChunkDecoder& decoder);

  const FileContext& context_;
  const FileBytes file_;
  bool fast_;
  ChunkCache cache_{};
  std::recursive_mutex library_{};  // locked during every call of the HDF5 library
  std::unordered_map<ObjectToken, SourcePointer, ObjectTokenHash>
      sources_{};  // protected by library_
};

}  // namespace hepcheck::hep001::libhdf5
