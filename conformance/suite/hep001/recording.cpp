#include "conformance/suite/hep001/recording.h"

#include <algorithm>
#include <cstring>
#include <format>
#include <fstream>
#include <span>
#include <sstream>

#include "validator/formats/hep001/libhdf5/checksum.h"
#include "validator/read_whole.h"

namespace hepcheck::hep001::suite {

namespace fs = std::filesystem;

namespace {

// Tables of the suite are small; larger files do not belong to it.
constexpr std::uint64_t kLargestFile = std::uint64_t{1} << 30;

using Kind = trace::Event::Kind;

bool of_folder(const trace::Event& event) {
  return event.kind == Kind::kCreate || event.kind == Kind::kLink || event.kind == Kind::kRename ||
         event.kind == Kind::kRemove;
}

// For a write, the bytes from `begin` to `end`.
void apply(const trace::Event& event, const FileId& file, Folder& folder, std::size_t begin = 0,
           std::size_t end = std::string::npos) {
  const std::string name(event.data);
  Image& image = folder.files[file];  // exists, and is empty, if only its name has reached the disk
  switch (event.kind) {
    case Kind::kWrite:
    case Kind::kResize: trace::apply(event, image, begin, end); break;
    case Kind::kCreate:
    case Kind::kLink: folder.names[name] = file; break;
    case Kind::kRename:
      folder.names[name] = file;
      folder.names.erase(std::string(event.from));
      break;
    case Kind::kRemove: folder.names.erase(name); break;
    default: break;
  }
}

}  // namespace

Image read_image(const fs::path& path) {
  return read_whole(path.string(), kLargestFile).value_or("");
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
  for (const trace::Event& event : operations) apply(event, files.at(event.file), folder);
  return folder;
}

namespace {

std::vector<FileId> ids_of(const std::vector<trace::File>& files) {
  std::vector<FileId> ids;
  int made = 0;
  for (const trace::File& file : files)
    ids.push_back(file.made ? std::format("{}#{}", file.name, ++made) : file.name);
  return ids;
}

void add(const trace::Event& event, Recording& into) {
  const auto barrier = [&] {
    if (into.barriers.empty() || into.barriers.back() != into.operations.size())
      into.barriers.push_back(into.operations.size());
  };
  if (event.changes() || of_folder(event)) into.operations.push_back(event);
  if (event.kind == Kind::kSync)
    into.syncs.push_back({.before = into.operations.size(), .what = into.files.at(event.file)});
  if (event.kind == Kind::kFolderSync)
    into.syncs.push_back(
        {.before = into.operations.size(), .of_folder = true, .what = std::string(event.data)});
  if (event.kind == Kind::kSync || event.kind == Kind::kFolderSync) barrier();
  // The beginning of a flush is recorded, too, for other uses.
  if (event.kind != Kind::kCall || event.data == "flushing") return;
  into.calls.push_back({std::string(event.data)});
  // A flush of one object guarantees nothing for other objects, nor for the end of the file.
  if (into.calls.back().is("flush") || into.calls.back().is("close")) barrier();
}

}  // namespace

Result<Recording> read_recording(const fs::path& path) {
  const auto log = trace::read_log_file(path.string(), {.file_bytes = kLargestFile});
  if (!log) return failure(path.string(), log.error().text);
  Recording recording{.files = ids_of(log->files), .bytes = log->bytes};
  for (const trace::File& file : log->files) recording.unseen |= !file.unseen.empty();
  for (const trace::Event& event : log->events) {
    recording.unseen |= event.changes() && !log->files[event.file].opened;
    add(event, recording);
  }
  if (recording.barriers.empty() || recording.barriers.back() != recording.operations.size())
    recording.barriers.push_back(recording.operations.size());
  return recording;
}

std::vector<trace::State> crash_states(const Recording& recording, const CrashOptions& options) {
  std::vector<std::uint64_t> sizes;
  for (const trace::Event& event : recording.operations)
    sizes.push_back(event.kind == Kind::kWrite ? event.data.size() : 0);
  std::vector<trace::Settling> settlings;
  if (!options.by_sync)
    for (const std::size_t barrier : recording.barriers) settlings.push_back({.before = barrier});
  else
    for (const Sync& sync : recording.syncs)
      settlings.push_back({sync.before, [&](std::size_t i) {
                             const trace::Event& event = recording.operations[i];
                             if (sync.of_folder != of_folder(event)) return false;
                             return sync.of_folder
                                        ? fs::path(event.data).parent_path().string() == sync.what
                                        : recording.files.at(event.file) == sync.what;
                           }});
  return trace::states(sizes, settlings, options.states);
}

Folder folder_of(const trace::State& state, const Recording& recording, Folder folder) {
  for (const std::size_t i : state.applied) {
    const trace::Event& event = recording.operations[i];
    const FileId& file = recording.files.at(event.file);
    const bool torn = state.kind == trace::State::Kind::kTorn && i == state.applied.back();
    if (torn && state.first_part)
      apply(event, file, folder, 0, state.cut);
    else
      apply(event, file, folder, torn ? state.cut : 0);
  }
  return folder;
}

bool clear_consistency_flags(Image& image) {
  // Superblock version 2 or 3: signature (8), version, size of offsets, size of lengths, flags,
  // four addresses, checksum of the preceding bytes.
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

}  // namespace hepcheck::hep001::suite
