// Values of a file's datasets.
#pragma once

#include "validator/hdf5/read_attributes.h"
#include "validator/model/values.h"

namespace hepcheck::hdf5 {

// Reads the values of one file's datasets; the file must outlive it. Virtual and externally
// stored datasets are refused with an Error, because their data lie in other files; so are
// datasets with a filter that the library at hand does not have.
class FileValues : public ValueSource {
 public:
  explicit FileValues(const FileContext& context) : context_(context) {}

  Result<std::unique_ptr<ValueStream>> stream(const Dataset& dataset,
                                              std::uint64_t rows) override;
  Result<std::vector<std::byte>> read(const Dataset& dataset,
                                      std::span<const std::uint64_t> start,
                                      std::span<const std::uint64_t> count) override;

 private:
  const FileContext& context_;
};

}  // namespace hepcheck::hdf5
