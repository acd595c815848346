#include "validator/formats/hep001/reader/open_tables.h"

#include <utility>

#include "validator/formats/hep001/own/own_file.h"
#include "validator/formats/hep001/reader/both.h"
#include "validator/formats/hep001/reader/library.h"

namespace hepcheck::hep001 {

namespace {

// Plugins are for the library.
Reader reader_for(const FileOptions& options) {
  return options.allow_plugins && options.reader == Reader::kOwn ? Reader::kLibrary
                                                                 : options.reader;
}

Result<std::unique_ptr<TableFile>> open_with_both(const Bytes& file, const FileOptions& options) {
  auto own = own::open_file(file, options.limits);
  auto library = open_with_library(file, options, /*fast=*/false);
  if (!own && !library) return own;
  if (own && library) return compare_readers(std::move(*own), std::move(*library));
  return failure(file.name(), "the two readers disagree: " +
                                  (own ? std::string("the own reader opens the file")
                                       : "own reader: " + own.error().cause) +
                                  "; " +
                                  (library ? std::string("libhdf5 opens the file")
                                           : "libhdf5: " + library.error().cause));
}

}  // namespace

void prepare_readers(const FileOptions& options) {
  if (reader_for(options) != Reader::kOwn) prepare_library(options);
}

Result<std::unique_ptr<TableFile>> open_tables(const Bytes& file, const FileOptions& options) {
  switch (reader_for(options)) {
    case Reader::kOwn: return own::open_file(file, options.limits);
    case Reader::kLibrary: return open_with_library(file, options, /*fast=*/true);
    case Reader::kBoth: return open_with_both(file, options);
  }
  std::unreachable();
}

Result<OpenedTables> open_tables(const std::string& path, const FileOptions& options) {
  Result<Descriptor> descriptor = open_for_reading(path);
  if (!descriptor) return std::unexpected(descriptor.error());
  OpenedTables opened{.descriptor = std::move(*descriptor)};
  opened.bytes = std::make_unique<Bytes>(Bytes::of_descriptor(opened.descriptor.get(), path));
  auto file = open_tables(*opened.bytes, options);
  if (!file) return std::unexpected(file.error());
  opened.file = std::move(*file);
  return opened;
}

}  // namespace hepcheck::hep001
