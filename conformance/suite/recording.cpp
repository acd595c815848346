#include "conformance/suite/recording.h"

#include <algorithm>
#include <cstring>
#include <format>
#include <fstream>
#include <iterator>
#include <random>
#include <set>
#include <span>
#include <sstream>

#include "validator/formats/hep001/libhdf5/checksum.h"

namespace hepcheck::hep001::suite {

namespace fs = std::filesystem;

// The shared library made of record.c.
asm(".section .rodata\n"
    "hepcheck_recorder_begin: .incbin \"" HEPCHECK_RECORDER
    "\"\n"
    "hepcheck_recorder_end: .byte 0\n"
    ".previous\n");
extern "C" const char hepcheck_recorder_begin[], hepcheck_recorder_end[];

namespace {

// Tables of the suite are small; what is beyond this is no file of theirs.
constexpr std::uint64_t kLargestFile = std::uint64_t{1} << 30;

void apply(const FileOperation& operation, std::string_view data, Folder& folder) {
  using Kind = FileOperation::Kind;
  Image& image = folder.files[operation.file];
  switch (operation.kind) {
    case Kind::kWrite:
      image.resize(std::max<std::uint64_t>(image.size(), operation.position + data.size()));
      image.replace(operation.position, data.size(), data);
      break;
    case Kind::kResize: image.resize(operation.position); break;
    case Kind::kCreate:
    case Kind::kName: folder.names[operation.name] = operation.file; break;
    case Kind::kRename:
      folder.names[operation.name] = operation.file;
      folder.names.erase(operation.from);
      break;
    case Kind::kRemove: folder.names.erase(operation.name); break;
  }
}

}  // namespace

Image read_image(const fs::path& path) {
  std::error_code trouble;
  if (fs::file_size(path, trouble) > kLargestFile || trouble) return {};
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

void write_image(const fs::path& path, const Image& image) {
  std::ofstream(path, std::ios::binary)
      .write(image.data(), static_cast<std::streamsize>(image.size()));
}

std::string LibraryCall::words(std::size_t n) const {
  std::istringstream in(what);
  std::string word;
  for (std::size_t i = 0; i <= n; ++i)
    if (!(in >> word)) return {};
  return word;
}

std::string LibraryCall::rest(std::size_t n) const {
  std::size_t at = 0;
  for (std::size_t i = 0; i < n && at != std::string::npos; ++i) at = what.find(' ', at) + 1;
  return what.substr(at);
}

const Image* Folder::find(const std::string& name) const {
  const auto id = names.find(name);
  const auto file = id == names.end() ? files.end() : files.find(id->second);
  return file == files.end() ? nullptr : &file->second;
}

Folder read_folder(const fs::path& path) {
  Folder folder;
  std::error_code trouble;
  for (const auto& entry : fs::recursive_directory_iterator(path, trouble)) {
    if (!entry.is_regular_file(trouble)) continue;
    const std::string name = entry.path().lexically_relative(path).string();
    folder.names[name] = name;
    folder.files[name] = read_image(entry.path());
  }
  return folder;
}

bool same_contents(const Folder& a, const Folder& b) {
  return a.names.size() == b.names.size() && std::ranges::all_of(a.names, [&](const auto& entry) {
           const Image *one = a.find(entry.first), *other = b.find(entry.first);
           return one && other && *one == *other;
         });
}

Folder Recording::replay(Folder folder) const {
  for (const FileOperation& operation : operations) apply(operation, operation.data, folder);
  return folder;
}

namespace {

// Reads a log, record by record.
class LogReader {
 public:
  explicit LogReader(const fs::path& log) : log_(log.string()), in_(log, std::ios::binary) {}

  Result<Recording> read() {
    if (!in_) return failure(log_, "nothing was recorded");
    char head[25];
    while (in_.read(head, sizeof head)) {
      std::uint64_t inode, position, length;
      std::memcpy(&inode, head + 1, 8);
      std::memcpy(&position, head + 9, 8);
      std::memcpy(&length, head + 17, 8);
      if (position > kLargestFile || length > kLargestFile - position)
        return failure(log_, "a write to where no file should reach");
      std::string data(length, '\0');
      if (!in_.read(data.data(), static_cast<std::streamsize>(length)))
        return failure(log_, "the record is cut short");
      if (!take(head[0], inode, position, std::move(data))) return failure(log_, "unknown record");
    }
    barrier();
    return std::move(recording_);
  }

 private:
  using Kind = FileOperation::Kind;

  bool take(char kind, std::uint64_t inode, std::uint64_t position, std::string data) {
    const std::size_t zero = std::min(data.find('\0'), data.size());
    switch (kind) {
      case 'O': files_.try_emplace(inode, std::move(data)); break;
      case 'N':
        files_[inode] = std::format("{}#{}", data, ++made_);
        add({.kind = Kind::kCreate, .file = files_[inode], .name = std::move(data)});
        break;
      case 'W': add({.file = file(inode), .position = position, .data = std::move(data)}); break;
      case 'T': add({.kind = Kind::kResize, .file = file(inode), .position = position}); break;
      case 'R':
      case 'L':
        files_.try_emplace(inode, data.substr(0, zero));
        add({.kind = kind == 'R' ? Kind::kRename : Kind::kName,
             .file = file(inode),
             .name = data.substr(std::min(zero + 1, data.size())),
             .from = data.substr(0, zero)});
        break;
      case 'U': add({.kind = Kind::kRemove, .file = file(inode), .name = std::move(data)}); break;
      case 'S': sync({.what = file(inode)}); break;
      case 'D': sync({.of_folder = true, .what = std::move(data)}); break;
      case 'M': recording_.mapped = true; break;
      case 'A':
        recording_.calls.push_back({std::move(data)});
        if (recording_.calls.back().is("flush") || recording_.calls.back().is("close")) barrier();
        break;
      default: return false;
    }
    return true;
  }

  void add(FileOperation operation) { recording_.operations.push_back(std::move(operation)); }
  void barrier() {
    const std::size_t now = recording_.operations.size();
    if (recording_.barriers.empty() || recording_.barriers.back() != now)
      recording_.barriers.push_back(now);
  }
  void sync(Sync made) {
    made.before = recording_.operations.size();
    recording_.syncs.push_back(std::move(made));
    barrier();
  }
  FileId file(std::uint64_t inode) const {
    const auto known = files_.find(inode);
    return known == files_.end() ? FileId() : known->second;
  }

  std::string log_;
  std::ifstream in_;
  Recording recording_{};
  std::map<std::uint64_t, FileId> files_{};  // by the inodes that they have at this point
  int made_ = 0;
};

}  // namespace

Result<Recording> read_recording(const fs::path& log) { return LogReader(log).read(); }

std::string CrashState::how() const {
  const std::string cut = torn ? std::format(" ({} bytes of the last)", *torn) : "";
  if (prefix) return std::format("after {} of {} file operations{}", applied.size(), total, cut);
  // Runs of consecutive numbers.
  std::string text;
  for (std::size_t i = 0; i < applied.size();) {
    std::size_t j = i;
    while (j + 1 < applied.size() && applied[j + 1] == applied[j] + 1) ++j;
    text += (text.empty() ? "" : ", ") +
            (i == j ? std::to_string(applied[i]) : std::format("{}-{}", applied[i], applied[j]));
    i = j + 1;
  }
  return std::format("with file operations {} of 0-{}", text.empty() ? "none" : text, total - 1);
}

namespace {

class CrashStates {
 public:
  CrashStates(const Recording& recording, const CrashOptions& options)
      : operations_(recording.operations), options_(options), random_(options.seed) {}

  std::vector<CrashState> take() { return std::move(states_); }

  void prefixes() {
    std::vector<std::size_t> applied;
    states_.push_back({.applied = applied, .total = operations_.size(), .prefix = true});
    for (std::size_t i = 0; i < operations_.size(); ++i) {
      applied.push_back(i);
      states_.push_back({.applied = applied, .total = operations_.size(), .prefix = true});
      if (!options_.torn || operations_[i].kind != FileOperation::Kind::kWrite) continue;
      // In the middle, and where the last sector of a disk begins.
      const std::size_t bytes = operations_[i].data.size();
      for (const std::size_t part : std::set{bytes / 2, (bytes - 1) / 512 * 512})
        if (part > 0)
          states_.push_back(
              {.applied = applied, .total = operations_.size(), .prefix = true, .torn = part});
    }
  }

  // Operations up to this one are begun, after all that were before.
  void begin(std::size_t end) {
    for (; begun_ < end; ++begun_) unsettled_.push_back(begun_);
  }
  void any_of_those_begun(bool finished = false) {
    const bool all = unsettled_.size() <= options_.few;
    const std::size_t count = all ? std::size_t{1} << unsettled_.size() : options_.sample;
    for (std::size_t i = 0; i < count; ++i) {
      CrashState state{.applied = settled_, .total = operations_.size(), .finished = finished};
      // A sample with few, half, or most of the operations done.
      const std::uint64_t odds = 1 + i % 3;
      for (std::size_t j = 0; j < unsettled_.size(); ++j)
        if (all ? i >> j & 1 : random_() % 4 < odds) state.applied.push_back(unsettled_[j]);
      std::ranges::sort(state.applied);
      states_.push_back(std::move(state));
    }
  }
  void settle(const auto& which) {
    const auto rest = std::ranges::stable_partition(
        unsettled_, [&](std::size_t i) { return which(operations_[i]); });
    settled_.insert(settled_.end(), unsettled_.begin(), rest.begin());
    unsettled_.erase(unsettled_.begin(), rest.begin());
  }

 private:
  const std::vector<FileOperation>& operations_;
  const CrashOptions& options_;
  std::mt19937_64 random_;
  std::size_t begun_ = 0;
  std::vector<std::size_t> settled_{}, unsettled_{};
  std::vector<CrashState> states_{};
};

bool settled_by(const Sync& sync, const FileOperation& operation) {
  if (sync.of_folder != operation.of_folder()) return false;
  return sync.of_folder ? fs::path(operation.name).parent_path().string() == sync.what
                        : operation.file == sync.what;
}

}  // namespace

std::vector<CrashState> crash_states(const Recording& recording, const CrashOptions& options) {
  CrashStates states(recording, options);
  states.prefixes();
  if (!options.reorderings) return states.take();
  if (!options.by_sync) {
    for (const std::size_t barrier : recording.barriers) {
      states.begin(barrier);
      states.any_of_those_begun();
      states.settle([](const FileOperation&) { return true; });
    }
    return states.take();
  }
  for (const Sync& sync : recording.syncs) {
    states.begin(sync.before);
    states.any_of_those_begun();
    states.settle([&](const FileOperation& operation) { return settled_by(sync, operation); });
  }
  states.begin(recording.operations.size());
  states.any_of_those_begun(/*finished=*/true);
  return states.take();
}

Folder folder_of(const CrashState& state, const Recording& recording, Folder folder) {
  for (const std::size_t i : state.applied) {
    const FileOperation& operation = recording.operations[i];
    const bool torn = state.torn && i == state.applied.back();
    apply(operation,
          std::string_view(operation.data).substr(0, torn ? *state.torn : std::string::npos),
          folder);
  }
  return folder;
}

bool clear_consistency_flags(Image& image) {
  // Superblock version 2 or 3: signature (8), version, size of offsets, size of lengths, flags,
  // four addresses, checksum of all before it.
  if (image.size() < 48 || !image.starts_with("\x89HDF\r\n\x1a\n") || image[8] < 2 || image[8] > 3)
    return false;
  const std::size_t length = 12 + 4 * static_cast<std::size_t>(image[9]);
  if (image[11] == 0 || image.size() < length + 4) return false;
  image[11] = 0;
  const std::uint32_t sum =
      libhdf5::metadata_checksum(std::as_bytes(std::span(image)).first(length));
  std::memcpy(image.data() + length, &sum, 4);
  return true;
}

Result<fs::path> unpack_recorder(const fs::path& folder) {
  const fs::path path = folder / "libhepcheck_record.so";
  std::ofstream out(path, std::ios::binary);
  out.write(hepcheck_recorder_begin, hepcheck_recorder_end - hepcheck_recorder_begin);
  if (!out.flush()) return failure(path.string(), "cannot be written");
  return path;
}

}  // namespace hepcheck::hep001::suite
