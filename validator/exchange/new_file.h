// A file that comes into being whole, or not at all.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "validator/descriptor.h"
#include "validator/result.h"

namespace hepcheck::exchange {

// Bytes one after the other, into a file that takes its name at the end; "-" is the standard
// output, which cannot be taken back.
class NewFile {
 public:
  struct Options {
    bool replace = false;  // a file of that name gives way; otherwise there must be none
    bool durable = false;  // it is on disk before it has its name
  };
  static Result<NewFile> of(const std::string& path, Options options);
  NewFile(NewFile&& other) noexcept;
  NewFile& operator=(NewFile&&) = delete;
  ~NewFile();  // without finish(), nothing is left

  // For libraries that write themselves.
  const std::string& temporary() const { return temporary_; }

  // After a write that failed nothing more is done; finish() tells.
  void write(std::span<const std::byte> bytes);
  void flush();
  std::uint64_t size() const { return size_; }
  bool failed() const { return failure_ != 0; }
  // Gives it its name.
  Result<void> finish();

  // For handlers of signals that end a process: nothing is left of the last one that it has made.
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
