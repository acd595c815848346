// A file that is created completely or not at all.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "validator/descriptor.h"
#include "validator/result.h"

namespace hepcheck::exchange {

// A sequential output file that gets its name at the end; "-" is standard output, which cannot be
// rolled back.
class NewFile {
 public:
  struct Options {
    bool replace = false;  // replaces a file of that name; otherwise there must be none
    bool durable = false;  // it is on disk before it gets its name
    std::string source{};  // a file that is read, and therefore not replaced
  };
  static Result<NewFile> of(const std::string& path, Options options);
  NewFile(NewFile&& other) noexcept;
  NewFile& operator=(NewFile&&) = delete;
  ~NewFile();  // without finish(), nothing remains

  // For libraries that write themselves.
  const std::string& temporary() const { return temporary_; }
  // Open for reading and writing; -1 for standard output.
  int descriptor() const { return temporary_.empty() ? -1 : file_.get(); }

  // After a failed write nothing more is done; finish() reports the failure.
  void write(std::span<const std::byte> bytes);
  void flush();
  std::uint64_t size() const { return size_; }
  bool failed() const { return failure_ != 0; }
  // Gives the file its name.
  Result<void> finish();

  // For handlers of fatal signals: removes the last file that was created.
  static void on_signal();

 private:
  NewFile() = default;
  void put(std::span<const std::byte> bytes);

  std::string path_{}, temporary_{};
  Options options_{};
  Descriptor file_{};
  std::string waiting_{};  // small pieces
  std::uint64_t size_ = 0;
  int failure_ = 0;  // errno
};

}  // namespace hepcheck::exchange
