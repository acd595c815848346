// Changes to a file that take place whole or not at all.
//
// They are made to a copy in the file's own folder, which then takes the name of the file. Whatever
// happens on the way, a failed write, a kill, a loss of power, the name leads to the old file or
// to the new one, and both are whole.
//
// In place, for who must: a write that fails is undone, but a process that is killed meanwhile
// leaves a file that has some of the changes.
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
    bool lock = true;                    // by flock(2), against programs that do so too
    std::function<void()> waiting = {};  // told if another Rewrite of the file has to end first
  };

  // Opens the file and keeps other programs from writing to it; in place, from reading it too.
  // Waits for another Rewrite of the file, in whatever process, and removes what a killed one has
  // left behind.
  static Result<std::unique_ptr<Rewrite>> of(const std::string& path, Options options);

  Rewrite(const Rewrite&) = delete;
  Rewrite& operator=(const Rewrite&) = delete;
  ~Rewrite();  // without finish(), the file stays as it was

  // To read from: before begin() the file as it is, then the file as it will be.
  int descriptor() const { return begun_ && copy_ ? copy_.get() : original_.get(); }
  // Whether a program has changed the file all the same, or put another one in its place.
  bool changed() const;

  // Makes the copy. What follows until finish() are the changes.
  Result<void> begin();
  // After one that failed nothing more is done. All pretend to succeed, since there are libraries
  // that crash when the last write fails; finish() tells.
  void write(std::uint64_t offset, std::span<const std::byte> bytes);
  void resize(std::uint64_t size);
  void sync();  // between what must reach the disk first and what must not
  std::uint64_t size() const { return size_; }
  bool failed() const { return failure_.has_value(); }
  const std::optional<Error>& what_failed() const { return failure_; }

  // Either all changes are made and on disk, or the error says why the file is as it was. (In
  // place, if nothing can be written any more, it says that the file may be damaged.)
  Result<void> finish();
  // The file stays as it was. Fails as finish() does.
  Result<void> abandon();

  // A handler for signals that ask a process to end: it leaves no copy behind, and lets changes in
  // place be finished. It knows one Rewrite, the last that the process has made.
  static void on_signal(int number);

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
  void settle();
  bool undo();
  void end();

  Options options_{};
  std::string path_{};                // as it was given
  std::string name_{}, copy_name_{};  // in the folder
  Descriptor folder_{}, original_{}, copy_{};
  struct stat before_{};  // the original, when it was opened
  bool begun_ = false;
  std::uint64_t size_ = 0, length_ = 0;  // as it should be, and as it is
  std::optional<Error> failure_{};
  std::vector<Overwritten> overwritten_{};  // in place: what was there, in the order of the writes
};

}  // namespace hepcheck
