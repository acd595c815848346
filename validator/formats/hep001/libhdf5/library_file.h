// A file with tables, read by libhdf5.
#pragma once

#include <memory>
#include <optional>

#include "validator/formats/hep001/libhdf5/file_values.h"
#include "validator/formats/hep001/libhdf5/read_attributes.h"
#include "validator/formats/hep001/reader/table_file.h"

namespace hepcheck::hep001::libhdf5 {

// For a file that is open and outlives it. `fast`: as of FileValues.
class LibraryFile : public TableFile {
 public:
  explicit LibraryFile(const FileContext& context, bool fast = true)
      : context_(context), fast_(fast) {}

  const Limits& limits() const override { return context_.limits; }
  std::uint64_t bytes() const override;
  Result<ObjectToken> root() override;
  Opened open(const ObjectToken& token) override;
  ObjectKind kind_of_unopenable(OpenObject& parent, const LinkInfo& link) override;
  std::optional<ObjectToken> find(const std::string& path) override;
  std::string path_of(const ObjectToken& token) override;
  ValueSource& values() override;

 private:
  const FileContext& context_;
  bool fast_;
  std::unique_ptr<FileValues> values_{};
};

}  // namespace hepcheck::hep001::libhdf5
