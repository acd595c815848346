// Atomic changes to a file.
//
// The changes are made to a copy in the same directory, which is then renamed to the file. Whatever
// happens, a failed write, a kill or a loss of power, the name refers to the complete old file or
// the complete new one.
//
// In place, if requested: a failed write is rolled back, but a process that is killed leaves a
// partially changed file.
#pragma once

#include <sys/stat.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "validator/descriptor.h"
#include "validator/result.h"

namespace hepcheck {

class Rewrite {
 public:
  struct Options {
    bool in_place = false;
    bool lock = true;  // with flock(2), against programs that use it as well
    std::function<void()> waiting =
        {};  // called if another Rewrite of the file has to finish first
  };

  // Opens the file and prevents other programs from writing to it; in place, from reading it too.
  // Waits for another Rewrite of the file, in any process, and removes the copy of a killed one.
  static Result<std::unique_ptr<Rewrite>> of(const std::string& path, Options options);

  // A file that nobody else knows, such as a copy that has no name yet: changed directly, and never
  // rolled back. It has begun, and finish() only writes everything to disk: it may be called again.
  static Result<std::unique_ptr<Rewrite>> of_private(Descriptor file, std::string name);

  Rewrite(const Rewrite&) = delete;
  Rewrite& operator=(const Rewrite&) = delete;
  ~Rewrite();  // without finish(), the file does not change

  // For reading: before begin() the original file, afterwards the changed one.
  int descriptor() const { return begun_ && copy_ ? copy_.get() : original_.get(); }
  // Whether a program changed the file nevertheless, or replaced it.
  bool changed() const;

  // Creates the copy. Everything until finish() is part of the change.
  Result<void> begin();
  // After a failed operation nothing more is done. All operations pretend to succeed, because some
  // libraries crash when the last write fails; finish() reports the failure.
  void write(std::uint64_t offset, std::span<const std::byte> bytes);
  void resize(std::uint64_t size);  // bytes that are added are 0
  void sync();  // separates writes that must reach the disk first from later ones
  std::uint64_t size() const { return size_; }
  bool failed() const { return failure_.has_value(); }
  const std::optional<Error>& what_failed() const { return failure_; }

  // Either all changes are made and on disk, or the error states why the file is unchanged. (In
  // place, if nothing can be written any more, it states that the file may be damaged.)
  Result<void> finish();
  // Leaves the file unchanged. Fails like finish().
  Result<void> abandon();

  // A handler for termination signals: it removes the copy, and lets changes in place finish. It
  // handles one Rewrite, the last one of the process.
  static void on_signal(int number);
  // The same for signals after which the process cannot go on: removes the copy.
  static void on_failure();

 private:
  struct Overwritten {
    std::uint64_t offset;
    std::vector<std::byte> bytes;
  };

  Rewrite() = default;
  Error trouble(const std::string& what, const char* advice = "") const;  // the reason is in errno
  void fail(std::string what);
  bool leads_to(const std::string& name, const Descriptor& file) const;
  Result<void> open_original();
  Result<void> take_turn();
  bool put_aside(std::uint64_t offset, std::size_t size);
  void put(std::uint64_t offset, std::span<const std::byte> bytes);
  void clear_tail(std::uint64_t end);
  std::optional<Error> settle();
  bool undo();
  void end();

  Options options_{};
  std::string path_{};                // as it was given
  std::string name_{}, copy_name_{};  // in the directory
  Descriptor folder_{}, original_{}, copy_{};
  struct stat before_{};  // the original file, as opened
  bool begun_ = false, private_ = false;
  std::uint64_t size_ = 0, length_ = 0;  // the intended and the present contents
  std::optional<Error> failure_{};
  std::vector<Overwritten>
      overwritten_{};  // in place: the original contents, in the order of the writes
};

}  // namespace hepcheck
