#include "validator/trace/log.h"

#include <algorithm>
#include <format>
#include <fstream>
#include <span>
#include <unordered_map>
#include <utility>

#include "validator/descriptor.h"

namespace hepcheck::trace {

namespace {

constexpr std::string_view kMagic{"\x89HEPTRC\n\x01\0\0\0\0\0\0", 16};
constexpr std::size_t kHead = 24;

// A record as stored in the log.
struct Record {
  char kind = 0;
  std::uint8_t memory = 0;
  std::uint16_t zero = 0;
  std::uint32_t length = 0;
  std::uint64_t file = 0, position = 0;
  std::string_view data{};
};

std::uint64_t number(std::string_view bytes) {
  std::uint64_t value = 0;
  for (std::size_t i = bytes.size(); i > 0; --i)
    value = value << 8 | static_cast<unsigned char>(bytes[i - 1]);
  return value;
}

class LogReader {
 public:
  LogReader(std::shared_ptr<const std::string> bytes, const LogLimits& limits)
      : all_(*bytes), limits_(limits) {
    log_.bytes = std::move(bytes);
  }

  std::expected<Log, LogTrouble> read() {
    if (all_.size() > limits_.log_bytes)
      return too_large(std::format("a log of {} bytes", all_.size()));
    if (!all_.starts_with(kMagic)) return broken("not a log of hepcheck trace record");
    at_ = kMagic.size();
    while (at_ < all_.size()) {
      if (count_ == limits_.records) return too_large(std::format("{} records", count_));
      Record record;
      if (!next(record)) return broken("it is truncated");
      const std::string_view wrong = take(record);
      if (!wrong.empty()) return broken(wrong);
      if (!large_.empty()) return too_large(large_);
      at_ += kHead + record.length;
      ++count_;
    }
    return std::move(log_);
  }

 private:
  using Kind = Event::Kind;

  std::unexpected<LogTrouble> broken(std::string_view what) const {
    return std::unexpected(
        LogTrouble{true, std::format("record {} at byte {}: {}", count_, at_, what)});
  }
  std::unexpected<LogTrouble> too_large(std::string what) const {
    return std::unexpected(LogTrouble{false, std::move(what) + ": exceeds a limit"});
  }

  bool next(Record& record) const {
    if (all_.size() - at_ < kHead) return false;
    const std::string_view head = all_.substr(at_, kHead);
    record.kind = head[0];
    record.memory = static_cast<std::uint8_t>(head[1]);
    record.zero = static_cast<std::uint16_t>(number(head.substr(2, 2)));
    record.length = static_cast<std::uint32_t>(number(head.substr(4, 4)));
    record.file = number(head.substr(8, 8));
    record.position = number(head.substr(16, 8));
    if (all_.size() - at_ - kHead < record.length) return false;
    record.data = all_.substr(at_ + kHead, record.length);
    return true;
  }

  // The error in it; empty if there is none.
  std::string_view take(const Record& record) {
    if (record.zero != 0) return "bytes that must be zero are not";
    if (record.memory > 6 && record.memory != 255) return "an unknown kind of memory";
    if (std::string_view("OCWTMXSIBKNFRLU").contains(record.kind) && record.file == 0)
      return "no file";
    switch (record.kind) {
      case 'B': return before(record);
      case 'I': return piece(record);
      case 'O':
      case 'N': return opened(record);
      case 'W':
      case 'T': return changed(record);
      case 'K': return announced(record);
      case 'R':
      case 'L': return renamed(record);
      case 'U': return removed(record);
      case 'S':
      case 'C': return of_file(record, record.kind == 'S' ? Kind::kSync : Kind::kClose);
      case 'D': return add(Kind::kFolderSync, kEveryFile, record);
      case 'A': return call(record);
      case 'M':
      case 'X': return unseen(record);
      case 'F': return ended(record);
      default: return "an unknown kind of record";
    }
  }

  std::string_view add(Kind kind, FileNumber file, const Record& record) {
    log_.events.push_back({.kind = kind,
                           .memory = static_cast<Memory>(record.memory),
                           .file = file,
                           .position = record.position,
                           .size = record.length,
                           .data = record.data,
                           .record = count_});
    return {};
  }

  const FileNumber* known(std::uint64_t inode) const {
    const auto found = files_.find(inode);
    return found == files_.end() ? nullptr : &found->second;
  }
  FileNumber make(std::uint64_t inode) {
    if (log_.files.size() == limits_.files) large_ = std::format("{} files", limits_.files);
    log_.files.emplace_back();
    sizes_.push_back(0);
    log_.files.back().inode = inode;
    return files_[inode] = static_cast<FileNumber>(log_.files.size() - 1);
  }
  // A file may have been open before the log begins, or may only be renamed.
  FileNumber number_of(std::uint64_t inode, std::string_view name = {}) {
    if (const FileNumber* file = known(inode)) return *file;
    const FileNumber made = make(inode);
    log_.files[made].name = name.empty() ? std::format("inode {}", inode) : std::string(name);
    return made;
  }
  std::string_view of_file(const Record& record, Kind kind) {
    return add(kind, number_of(record.file), record);
  }

  static bool is_name(std::string_view text) { return !text.empty() && !text.contains('\0'); }

  // Another process may repeat the original contents of a file: they are known already.
  std::string_view before(const Record& record) {
    if (record.length > 0) return "unexpected text";
    if (record.position > limits_.file_bytes)
      large_ = std::format("a file of {} bytes", record.position);
    reading_ = record.file;
    again_ = known(record.file) != nullptr;
    if (again_) return {};
    const FileNumber made = make(record.file);
    log_.files[made].size = record.position;
    growth_.resize(sizes_[made], record.position);
    grown();
    return {};
  }
  std::string_view piece(const Record& record) {
    if (again_ && reading_ == record.file) return {};
    const FileNumber* number = known(record.file);
    if (!number) return "a piece of a file that was not announced";
    File& file = log_.files[*number];
    if (touched(*number)) return "a piece of the original contents after a change of the file";
    if (record.position > file.size || record.length > file.size - record.position)
      return "a piece beyond the end of the file";
    file.pieces.push_back({record.position, record.data});
    return {};
  }
  void grown() {
    if (large_.empty() && growth_.all() > limits_.grown_bytes)
      large_ = std::format("files that grow by {} bytes", growth_.all());
  }
  bool touched(FileNumber file) const { return file < touched_.size() && touched_[file]; }

  std::string_view opened(const Record& record) {
    if (!is_name(record.data)) return "no name";
    const FileNumber* number = known(record.file);
    const FileNumber file = number && record.kind == 'O' ? *number : make(record.file);
    if (log_.files[file].name.empty()) log_.files[file].name = record.data;
    log_.files[file].made |= record.kind == 'N';
    log_.files[file].opened = true;
    return add(record.kind == 'N' ? Kind::kCreate : Kind::kOpen, file, record);
  }

  std::string_view changed(const Record& record) {
    if (record.kind == 'W' && record.length == 0) return "an empty write";
    if (record.kind == 'T' && record.length > 0) return "unexpected text";
    if (record.position > limits_.file_bytes ||
        record.length > limits_.file_bytes - record.position)
      large_ = std::format("a file that reaches to byte {}", record.position);
    const FileNumber file = number_of(record.file);
    if (record.kind == 'W')
      growth_.write(sizes_[file], record.position, record.length);
    else
      growth_.resize(sizes_[file], record.position);
    grown();
    touched_.resize(std::max<std::size_t>(touched_.size(), file + 1));
    touched_[file] = true;
    add(record.kind == 'W' ? Kind::kWrite : Kind::kResize, file, record);
    // The recorder of system calls does not know the purpose of the write; the driver recorded it.
    const auto announced = announced_.find(file);
    Event& event = log_.events.back();
    if (announced != announced_.end() && event.memory == Memory::kUnknown &&
        event.position >= announced->second.position &&
        event.position - announced->second.position < announced->second.size)
      event.memory = announced->second.memory;
    return {};
  }

  std::string_view announced(const Record& record) {
    if (record.length != 8) return "expected a size of 8 bytes";
    const std::string_view wrong = of_file(record, Kind::kAnnounce);
    if (!wrong.empty()) return wrong;
    Event& event = log_.events.back();
    event.size = number(record.data);
    announced_[event.file] = {event.memory, event.position, event.size};
    return {};
  }

  std::string_view renamed(const Record& record) {
    const std::size_t zero = record.data.find('\0');
    if (zero == std::string_view::npos || !is_name(record.data.substr(zero + 1)))
      return "expected two names";
    const std::string_view from = record.data.substr(0, zero), to = record.data.substr(zero + 1);
    add(record.kind == 'R' ? Kind::kRename : Kind::kLink, number_of(record.file, from), record);
    log_.events.back().from = from;
    log_.events.back().data = to;
    return {};
  }
  std::string_view removed(const Record& record) {
    if (!is_name(record.data)) return "no name";
    return add(Kind::kRemove, number_of(record.file, record.data), record);
  }

  std::string_view call(const Record& record) {
    if (!is_name(record.data)) return "no call";
    const FileNumber* file = known(record.file);
    return add(Kind::kCall, file ? *file : kEveryFile, record);
  }
  std::string_view unseen(const Record& record) {
    log_.files[number_of(record.file)].unseen =
        record.kind == 'M' ? "it is written through a mapping" : std::string(record.data);
    return {};
  }
  std::string_view ended(const Record& record) {
    const FileNumber* file = known(record.file);
    if (!file) return "a file that was not opened";
    if (record.length != 8) return "expected a checksum of 8 bytes";
    log_.files[*file].end = File::End{record.position, number(record.data)};
    return {};
  }

  std::string_view all_;
  const LogLimits& limits_;
  Log log_{};
  std::unordered_map<std::uint64_t, FileNumber> files_{};  // by their inodes at this point
  struct Announced {
    Memory memory{};
    std::uint64_t position = 0, size = 0;
  };
  std::unordered_map<FileNumber, Announced> announced_{};  // the last of each file
  std::vector<bool> touched_{};
  std::vector<std::uint64_t> sizes_{};  // of the files, at this point
  Growth growth_{};
  std::size_t at_ = 0;
  std::uint64_t count_ = 0, reading_ = 0;
  bool again_ = false;
  std::string large_{};
};

}  // namespace

std::string_view verb_of(std::string_view call) { return call.substr(0, call.find(' ')); }

std::string_view behind_words(std::string_view call, unsigned words) {
  for (; words > 0; --words) {
    const std::size_t space = call.find(' ');
    call = space == std::string_view::npos ? std::string_view() : call.substr(space + 1);
  }
  return call;
}

bool is_barrier(std::string_view call) {
  constexpr std::string_view kBarriers[] = {"flush", "dataset-flush", "object-flush", "close"};
  return std::ranges::contains(kBarriers, verb_of(call));
}

bool begin_log(const std::string& path) {
  std::ofstream out(path, std::ios::binary | std::ios::trunc);
  out.write(kMagic.data(), kMagic.size());
  return static_cast<bool>(out.flush());
}

std::expected<Log, LogTrouble> read_log(std::shared_ptr<const std::string> bytes,
                                        const LogLimits& limits) {
  return LogReader(std::move(bytes), limits).read();
}

std::expected<Log, LogTrouble> read_log(const Bytes& file, const LogLimits& limits) {
  if (file.size() > limits.log_bytes)
    return std::unexpected(
        LogTrouble{false, std::format("a log of {} bytes: exceeds the limit", file.size())});
  auto bytes = std::make_shared<std::string>(file.size(), '\0');
  if (!file.read(0, std::as_writable_bytes(std::span(*bytes))))
    return std::unexpected(LogTrouble{true, "cannot be read"});
  return read_log(std::shared_ptr<const std::string>(std::move(bytes)), limits);
}

std::expected<Log, LogTrouble> read_log_file(const std::string& path, const LogLimits& limits) {
  const Result<Descriptor> file = open_for_reading(path);
  if (!file) return std::unexpected(LogTrouble{true, file.error().cause});
  return read_log(Bytes::of_descriptor(file->get(), path), limits);
}

}  // namespace hepcheck::trace
