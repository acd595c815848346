#include <utility>

#include "validator/formats/hep001/libhdf5/error.h"
#include "validator/formats/hep001/libhdf5/file.h"
#include "validator/formats/hep001/libhdf5/library_file.h"
#include "validator/formats/hep001/reader/library.h"

namespace hepcheck::hep001 {

namespace {

struct FileOwner {
  libhdf5::File file;
};

// The file is closed after what reads from it.
class OwningLibraryFile : private FileOwner, public libhdf5::LibraryFile {
 public:
  OwningLibraryFile(libhdf5::File opened, bool fast)
      : FileOwner{std::move(opened)}, libhdf5::LibraryFile(FileOwner::file.context(), fast) {}
};

}  // namespace

void prepare_library(const FileOptions& options) { libhdf5::initialise(options.allow_plugins); }

Result<std::unique_ptr<TableFile>> open_with_library(const Bytes& file, const FileOptions& options,
                                                     bool fast) {
  Result<libhdf5::File> opened =
      file.descriptor() >= 0
          ? libhdf5::File::open_descriptor(file.descriptor(), file.name(), options.limits)
          : libhdf5::File::open_image(file.image(), options.limits);
  if (!opened) return std::unexpected(opened.error());
  return std::make_unique<OwningLibraryFile>(std::move(*opened), fast);
}

}  // namespace hepcheck::hep001
