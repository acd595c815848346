// The log of a program's file operations, as written by the recorders (recorder/log.h defines the
// format). A log is untrusted input: it is sound, malformed, or too large to be examined.
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

// The purpose of a write, as stated by the library.
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

// One of the files of a log, by its index.
using FileNumber = std::uint32_t;
inline constexpr FileNumber kEveryFile = std::numeric_limits<FileNumber>::max();

struct Event {
  enum class Kind : std::uint8_t {
    kWrite,       // `data` at `position`
    kResize,      // to `position`
    kCreate,      // the file is new, and named `data`
    kOpen,        // the file is opened for writing, as `data`
    kClose,       // a descriptor of it is closed
    kLink,        // the file is also named `data`; before: `from`
    kRename,      // the same, and the name `from` is removed
    kRemove,      // the name `data` is removed
    kSync,        // the writes so far are on disk
    kFolderSync,  // the names in the directory `data` are on disk
    kCall,        // a call of the library: "data-write 5 7 /t/x", "flush"
    kAnnounce,    // the library passes `size` bytes for `position` to its driver
  };
  Kind kind{};
  Memory memory = Memory::kUnknown;
  FileNumber file = kEveryFile;
  std::uint64_t position = 0, size = 0;
  std::string_view data{}, from{};
  std::uint64_t record = 0;  // the number of the record, counted from 0

  bool changes() const { return kind == Kind::kWrite || kind == Kind::kResize; }
};

// "7 /t/x" of "extent 7 /t/x" is the text after one word.
std::string_view verb_of(std::string_view call);
std::string_view behind_words(std::string_view call, unsigned words);
// The call guarantees that everything before it is in the file.
bool is_barrier(std::string_view call);

struct File {
  std::string name{};  // its first name
  std::uint64_t inode = 0;
  bool opened = false;  // in this log, for writing; otherwise its original contents are unknown
  bool made = false;    // by the program
  // The original contents: pieces of the given lengths, with zeros between them.
  std::uint64_t size = 0;
  struct Piece {
    std::uint64_t position = 0;
    std::string_view data{};
  };
  std::vector<Piece> pieces{};
  // The reason why its events do not lead to its final contents; empty if they may.
  std::string unseen{};
  // The final contents, if the recorder read them.
  struct End {
    std::uint64_t size = 0, sum = 0;  // FNV-1a of the contents
  };
  std::optional<End> end{};
};

struct Log {
  std::vector<File> files{};
  std::vector<Event> events{};
  std::shared_ptr<const std::string> bytes{};  // the storage of all views
};

struct LogLimits {
  std::uint64_t log_bytes = std::uint64_t{2} << 30;
  std::uint64_t file_bytes = std::uint64_t{1} << 30;  // of a recorded file
  std::uint64_t records = 20'000'000;
  std::uint64_t files = 10'000;
  // The size of all files at the beginning, and their growth, holes included.
  std::uint64_t grown_bytes = std::uint64_t{2} << 30;
};

// The cost of file images, whatever a log claims: resizes and distant writes have short records.
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

// The reason why there is no log.
struct LogTrouble {
  bool broken = true;  // the input is not a log, or incomplete; otherwise it exceeds a limit
  std::string text{};  // "record 12 at byte 800: ..."
};

// Creates a log without records, to which recorders append; false if it cannot be written.
bool begin_log(const std::string& path);

std::expected<Log, LogTrouble> read_log(std::shared_ptr<const std::string> bytes,
                                        const LogLimits& limits = {});
// The same for a file, which is not read if it is too large.
std::expected<Log, LogTrouble> read_log(const Bytes& file, const LogLimits& limits = {});
std::expected<Log, LogTrouble> read_log_file(const std::string& path, const LogLimits& limits = {});

}  // namespace hepcheck::trace
