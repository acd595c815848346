// What a program did to the files of a folder, as the log of a recorder tells it, and the states
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

Image read_image(const std::filesystem::path& path);  // empty if there is none of a sensible size
void write_image(const std::filesystem::path& path, const Image& image);

// A file keeps its id whatever it is called: the name that it had at first, and of one that was
// made meanwhile a number behind it.
using FileId = std::string;

struct Folder {
  std::map<std::string, FileId> names{};
  std::map<FileId, Image> files{};

  const Image* find(const std::string& name) const;  // null if there is none
};
Folder read_folder(const std::filesystem::path& path);
bool same_contents(const Folder& a, const Folder& b);  // under the same names

// A call of the HDF5 library, as far as it was seen: "data-write 5 7 /t/x", "flush".
struct LibraryCall {
  std::string what{};
  std::string words(std::size_t n) const;  // the nth word, counted from 0
  std::string rest(std::size_t n) const;   // from the nth word on
  bool is(std::string_view verb) const { return words(0) == verb; }
};

// What came before it is on disk: of a file its contents, of a folder the names in it.
struct Sync {
  std::size_t before = 0;  // how many operations
  bool of_folder = false;
  std::string what{};  // FileId, or the name of the folder
};

struct Recording {
  std::vector<trace::Event> operations{};  // on files and on their names
  std::vector<FileId> files{};             // that those are on, by their numbers
  std::vector<std::size_t> barriers{};     // operations before each flush or sync; increasing
  std::vector<Sync> syncs{};
  std::vector<LibraryCall> calls{};
  bool unseen = false;                         // something was done to a file that is not told
  std::shared_ptr<const std::string> bytes{};  // that the operations are of

  // The folder after all of them.
  Folder replay(Folder before) const;
};

Result<Recording> read_recording(const std::filesystem::path& log);

// States of the folder.
struct CrashOptions {
  trace::StateOptions states{};
  // What settles operations: false, a flush or close of the HDF5 library; true, fsync of the file
  // for its contents, and of the folder for its names.
  bool by_sync = false;
};
std::vector<trace::State> crash_states(const Recording& recording, const CrashOptions& options);

Folder folder_of(const trace::State& state, const Recording& recording, Folder before);

// The bytes that say a file is open for writing, which h5clear -s clears; false if it has none.
bool clear_consistency_flags(Image& image);

}  // namespace hepcheck::hep001::suite
