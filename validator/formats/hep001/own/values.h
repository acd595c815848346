// Values of a file's datasets, without libhdf5.
#pragma once

#include <memory>
#include <unordered_map>

#include "validator/formats/hep001/model/values.h"
#include "validator/formats/hep001/own/context.h"
#include "validator/formats/hep001/storage/raw_data.h"

namespace hepcheck::hep001::own {

// Virtual and externally stored datasets are refused with an Error, because their data is in other
// files; so are datasets with a filter that is not known. Values with variable-length parts are
// found by one thread at a time.
class OwnValues : public ValueSource {
 public:
  // The context must outlive it.
  explicit OwnValues(Context& context);
  OwnValues(const OwnValues&) = delete;
  OwnValues& operator=(const OwnValues&) = delete;
  ~OwnValues() override;

  Result<std::unique_ptr<ValueStream>> stream_rows(const Dataset& dataset, std::uint64_t first,
                                                   std::uint64_t count) override;
  Result<std::vector<std::byte>> read(const Dataset& dataset, std::span<const std::uint64_t> start,
                                      std::span<const std::uint64_t> count) override;

 private:
  friend class ElementStream;

  // Where the values of a dataset are, and the form of its elements.
  struct Source;
  using SourcePointer = std::shared_ptr<const Source>;
  Result<SourcePointer> source(const Dataset& dataset);
  Result<SourcePointer> open_source(const Dataset& dataset);
  std::optional<Error> read_rectangle(const Source& source, const std::string& path,
                                      std::span<const std::uint64_t> start,
                                      std::span<const std::uint64_t> count,
                                      std::span<std::byte> into, ChunkDecoder& decoder);

  Context& context_;
  const FileBytes file_;
  ChunkCache cache_{};
  // Protected by Context::mutex.
  std::unordered_map<ObjectToken, SourcePointer, ObjectTokenHash> sources_{};
};

}  // namespace hepcheck::hep001::own
