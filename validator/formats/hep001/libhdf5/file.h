// Opens an HDF5 file for examination, and finds its table groups.
#pragma once

#include <functional>
#include <string>

#include "validator/descriptor.h"
#include "validator/formats/hep001/libhdf5/read_table.h"
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

// The results of the walk through a file.
struct Visitor {
  // A table group, in the order of discovery (breadth first, links in native order). Each group
  // once, however many paths lead to it. Its roles are not assigned yet.
  std::function<void(Table&&)> table;
  // An object that could not be examined, so a table may have been missed.
  std::function<void(Error)> unreadable;
  // A group whose CLASS is another string; may be empty.
  std::function<void(const std::string& path, const std::string& value)> other{};
};

// Visits every table group of the file: every group reachable from the root by hard links whose
// CLASS attribute has the string value COLUMN_TABLE, in any storage.
void for_each_table(const File& file, const Visitor& visit);

// The group that the caller declares to be a table, with or without CLASS; otherwise the same.
Result<Table> read_table_at(const File& file, const std::string& path);

}  // namespace hepcheck::hep001::libhdf5
