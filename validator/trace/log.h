// The log of what a program did to files, as the recorders write it (recorder/log.h has the form).
// A log comes from a stranger like any file: it is sound, broken, or too large to be examined.
#pragma once

#include <algorithm>
#include <cstdint>
#include <expected>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "validator/bytes.h"

namespace hepcheck::trace {

// What a write is of, by the word of the library that did it.
enum class Memory : std::uint8_t {
  kDefault,
  kSuperblock,
  kTree,
  kRawData,
  kGlobalHeap,
  kLocalHeap,
  kObjectHeader,
  kUnknown = 255,
};

// One of the files of a log, by its place among them.
using FileNumber = std::uint32_t;
inline constexpr FileNumber kEveryFile = std::numeric_limits<FileNumber>::max();

struct Event {
  enum class Kind : std::uint8_t {
    kWrite,       // `data` at `position`
    kResize,      // to `position`
    kCreate,      // the file is new, and called `data`
    kOpen,        // the file is opened for writing, as `data`
    kClose,       // a descriptor of it is closed
    kLink,        // the file is called `data`, too; before: `from`
    kRename,      // the same, and `from` is gone
    kRemove,      // the name `data` is gone
    kSync,        // what was written is on disk
    kFolderSync,  // the names in the folder `data` are
    kCall,        // of the library: "data-write 5 7 /t/x", "flush"
    kAnnounce,    // the library hands its driver `size` bytes for `position`
  };
  Kind kind{};
  Memory memory = Memory::kUnknown;
  FileNumber file = kEveryFile;
  std::uint64_t position = 0, size = 0;
  std::string_view data{}, from{};
  std::uint64_t record = 0;  // its number in the log, counted from 0

  bool changes() const { return kind == Kind::kWrite || kind == Kind::kResize; }
};

// "7 /t/x" of "extent 7 /t/x" is the rest behind one word.
std::string_view verb_of(std::string_view call);
std::string_view behind_words(std::string_view call, unsigned words);
// The call promises that all that came before it is in the file.
bool is_barrier(std::string_view call);

struct File {
  std::string name{};  // that it had first
  std::uint64_t inode = 0;
  bool opened = false;  // in this log, for writing; otherwise it is not known what it was before
  bool made = false;    // by the program
  // What it was before: pieces of that many bytes, zeros between them.
  std::uint64_t size = 0;
  struct Piece {
    std::uint64_t position = 0;
    std::string_view data{};
  };
  std::vector<Piece> pieces{};
  // Why its events do not lead to what it is; empty if they may.
  std::string unseen{};
  // What it was in the end, where the recorder looked.
  struct End {
    std::uint64_t size = 0, sum = 0;
  };
  std::optional<End> end{};
};

struct Log {
  std::vector<File> files{};
  std::vector<Event> events{};
  std::shared_ptr<const std::string> bytes{};  // that all the views are of
};

struct LogLimits {
  std::uint64_t log_bytes = std::uint64_t{2} << 30;
  std::uint64_t file_bytes = std::uint64_t{1} << 30;  // of one that is recorded
  std::uint64_t records = 20'000'000;
  std::uint64_t files = 10'000;
  // What all files are at the beginning and grow by, holes included.
  std::uint64_t grown_bytes = std::uint64_t{2} << 30;
};

// What images of files cost, whatever a log says of them: resizes and far writes are short to tell.
class Growth {
 public:
  void resize(std::uint64_t& size, std::uint64_t to) {
    if (to > size) all_ += to - size;
    size = to;
  }
  void write(std::uint64_t& size, std::uint64_t position, std::uint64_t length) {
    resize(size, std::max(size, position + length));
  }
  std::uint64_t all() const { return all_; }

 private:
  std::uint64_t all_ = 0;
};

// Why there is no log.
struct LogTrouble {
  bool broken = true;  // it is none, or is not whole; otherwise it is more than is examined
  std::string text{};  // "record 12 at byte 800: ..."
};

// Makes a log without records, to which recorders append; false if it cannot be written.
bool begin_log(const std::string& path);

std::expected<Log, LogTrouble> read_log(std::shared_ptr<const std::string> bytes,
                                        const LogLimits& limits = {});
// The same of a file, which is not read if it is too large.
std::expected<Log, LogTrouble> read_log(const Bytes& file, const LogLimits& limits = {});
std::expected<Log, LogTrouble> read_log_file(const std::string& path, const LogLimits& limits = {});

// FNV-1a, 64 bits: the sum in File::End.
std::uint64_t sum_of(std::string_view bytes);

}  // namespace hepcheck::trace
