// Opens an HDF5 file for examination, and finds its table groups.
#pragma once

#include <string>

#include "validator/descriptor.h"
#include "validator/formats/hep001/libhdf5/read_dataset.h"
#include "validator/formats/hep001/reader/read_tables.h"
#include "validator/result.h"

namespace hepcheck {
class Rewrite;
}

namespace hepcheck::hep001::libhdf5 {

class File {
 public:
  // Opens read-only, without locks, also while a SWMR writer has the file open. The file is never
  // changed.
  static Result<File> open(const std::string& path, const Limits& limits = {});
  // The same for an open `descriptor`, which must outlive the File; the library uses `name`.
  static Result<File> open_descriptor(int descriptor, const std::string& name,
                                      const Limits& limits = {});
  // The same for a file image in memory (which must outlive the File), through the core
  // driver.
  static Result<File> open_image(std::span<const std::byte> image, const Limits& limits = {});

  // The same for the output of a Rewrite, which has begun and must outlive the File. Only for
  // write_index.h and write_table.h.
  static Result<File> open_for_writing(Rewrite& rewrite, const std::string& name,
                                       const Limits& limits = {});

  const FileContext& context() const { return context_; }
  // Whether the file is marked as open for writing; the mark remains if the writer is killed. Old
  // formats have no such mark.
  bool marked_as_open() const;
  // Passes everything that was written to the driver; false if that or an earlier write failed.
  bool flush() const;
  // The same; afterwards the file cannot be used any more.
  bool close();
  std::uint64_t bytes() const;  // the whole file

 private:
  Rewrite* rewrite_ = nullptr;
  Descriptor descriptor_{};  // closed after the handle, which reads from it
  FileHandle handle_{};
  FileContext context_{};
};

// As the functions of these names in reader/read_tables.h.
void for_each_table(const File& file, const Visitor& visit);
Result<Table> read_table_at(const File& file, const std::string& path);

}  // namespace hepcheck::hep001::libhdf5
