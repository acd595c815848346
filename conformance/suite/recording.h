// What a program did to the files of a folder, as record.c logged it, and the states that a crash
// could have left.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "validator/result.h"

namespace hepcheck::hep001::suite {

using Image = std::string;  // the bytes of a file

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

struct FileOperation {
  enum class Kind : std::uint8_t {
    kWrite,   // `data` at `position`
    kResize,  // to `position`
    kCreate,  // `file`, as `name`
    kName,    // `file` gets another name, which may have been that of another one
    kRename,  // the same, and `from` is gone
    kRemove,  // `name` is gone
  };
  Kind kind = Kind::kWrite;
  FileId file{};
  std::uint64_t position = 0;
  std::string data{};
  std::string name{}, from{};

  bool of_folder() const { return kind >= Kind::kCreate; }
};

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
  std::vector<FileOperation> operations{};
  std::vector<std::size_t> barriers{};  // operations before each flush, sync or close; increasing
  std::vector<Sync> syncs{};
  std::vector<LibraryCall> calls{};
  bool mapped = false;  // written through a mapping, which is not seen

  // The folder after all of them.
  Folder replay(Folder before) const;
};

Result<Recording> read_recording(const std::filesystem::path& log);

// One state of the folder: which operations had reached it.
struct CrashState {
  std::vector<std::size_t> applied{};
  std::string how() const;  // "after 12 of 40 operations", "operations 0-11, 14 of 40"
  std::size_t total = 0;
  bool prefix = false;
  bool finished = false;              // the program had already ended
  std::optional<std::size_t> torn{};  // so many bytes of the last one, a write
};

struct CrashOptions {
  // Not only prefixes: also any of the operations that nothing had settled yet, all combinations
  // where they are at most `few`, otherwise `sample` of them.
  bool reorderings = false;
  // What settles them: false, a flush or close of the HDF5 library; true, fsync of the file for its
  // contents, and of the folder for its names.
  bool by_sync = false;
  bool torn = false;  // also with the last write done in part
  std::uint64_t seed = 1;
  std::size_t few = 6, sample = 24;
};
std::vector<CrashState> crash_states(const Recording& recording, const CrashOptions& options);

Folder folder_of(const CrashState& state, const Recording& recording, Folder before);

// The bytes that say a file is open for writing, which h5clear -s clears; false if it has none.
bool clear_consistency_flags(Image& image);

// Writes the recorder where a program can be made to preload it.
Result<std::filesystem::path> unpack_recorder(const std::filesystem::path& folder);

}  // namespace hepcheck::hep001::suite
