// The operations of a program on the files of a directory, as recorded in a log, and the states
// that a crash could have left.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "validator/result.h"
#include "validator/trace/log.h"
#include "validator/trace/replay.h"

namespace hepcheck::hep001::suite {

using trace::Image;

Image read_image(const std::filesystem::path& path);  // empty if there is none of a plausible size
void write_image(const std::filesystem::path& path, const Image& image);

// A file keeps its id when it is renamed: its first name, and for a file created later a number
// after it.
using FileId = std::string;

struct Folder {
  std::map<std::string, FileId> names{};
  std::map<FileId, Image> files{};

  const Image* find(const std::string& name) const;  // null if there is none
};
Folder read_folder(const std::filesystem::path& path);
bool same_contents(const Folder& a, const Folder& b);  // under the same names

// A recorded call of the HDF5 library: "data-write 5 7 /t/x", "flush".
struct LibraryCall {
  std::string what{};
  std::string words(std::size_t n) const;  // the nth word, counted from 0
  std::string rest(std::size_t n) const;   // from the nth word on
  bool is(std::string_view verb) const { return words(0) == verb; }
};

// Everything before it is on disk: the contents of a file, the names in a directory.
struct Sync {
  std::size_t before = 0;  // the number of operations
  bool of_folder = false;
  std::string what{};  // FileId, or the name of the directory
};

struct Recording {
  std::vector<trace::Event> operations{};  // on files and on their names
  std::vector<FileId> files{};             // the files, by number
  std::vector<std::size_t> barriers{};     // operations before each flush or sync; increasing
  std::vector<Sync> syncs{};
  std::vector<LibraryCall> calls{};
  bool unseen = false;                         // an operation on a file that is not recorded
  std::shared_ptr<const std::string> bytes{};  // the storage of the operations

  // The directory after all of them.
  Folder replay(Folder before) const;
};

Result<Recording> read_recording(const std::filesystem::path& log);

// States of the directory.
struct CrashOptions {
  trace::StateOptions states{};
  // What makes operations durable: false, a flush or close of the HDF5 library; true, fsync of the
  // file for its contents, and of the directory for its names.
  bool by_sync = false;
};
std::vector<trace::State> crash_states(const Recording& recording, const CrashOptions& options);

Folder folder_of(const trace::State& state, const Recording& recording, Folder before);

// The bytes that mark a file as open for writing, which h5clear -s clears; false if it has none.
bool clear_consistency_flags(Image& image);

}  // namespace hepcheck::hep001::suite
