#include "conformance/suite/recording.h"

#include <algorithm>
#include <cstring>
#include <format>
#include <fstream>
#include <iterator>
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

void apply(const FileOperation& operation, Image& image) {
  if (operation.truncation) {
    image.resize(operation.position);
    return;
  }
  const std::uint64_t end = operation.position + operation.data.size();
  if (image.size() < end) image.resize(end);
  image.replace(operation.position, operation.data.size(), operation.data);
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

Image Recording::replay(Image image) const {
  for (const FileOperation& operation : operations) apply(operation, image);
  return image;
}

Result<Recording> read_recording(const fs::path& log) {
  std::ifstream in(log, std::ios::binary);
  if (!in) return failure(log.string(), "nothing was recorded");
  Recording recording;
  char head[17];
  while (in.read(head, sizeof head)) {
    std::uint64_t position, length;
    std::memcpy(&position, head + 1, 8);
    std::memcpy(&length, head + 9, 8);
    if (position > kLargestFile || length > kLargestFile - position)
      return failure(log.string(), "a write to where no file should reach");
    std::string data(length, '\0');
    if (!in.read(data.data(), static_cast<std::streamsize>(length)))
      return failure(log.string(), "the record is cut short");
    const auto barrier = [&] {
      if (recording.barriers.empty() || recording.barriers.back() != recording.operations.size())
        recording.barriers.push_back(recording.operations.size());
    };
    switch (head[0]) {
      case 'W':
        recording.operations.push_back({.position = position, .data = std::move(data)});
        break;
      case 'T': recording.operations.push_back({.truncation = true, .position = position}); break;
      case 'S': barrier(); break;
      case 'M': recording.mapped = true; break;
      case 'A':
        recording.calls.push_back({std::move(data)});
        if (recording.calls.back().is("flush") || recording.calls.back().is("close")) barrier();
        break;
      default: return failure(log.string(), "unknown record");
    }
  }
  if (recording.barriers.empty() || recording.barriers.back() != recording.operations.size())
    recording.barriers.push_back(recording.operations.size());
  return recording;
}

std::string CrashState::how() const {
  if (prefix) return std::format("after {} of {} file operations", applied.size(), total);
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

std::vector<CrashState> crash_states(const Recording& recording, bool reorderings,
                                     std::uint64_t seed, std::size_t few, std::size_t sample) {
  const std::size_t total = recording.operations.size();
  std::vector<CrashState> states;
  const auto upto = [](std::size_t n) {
    std::vector<std::size_t> all(n);
    for (std::size_t i = 0; i < n; ++i) all[i] = i;
    return all;
  };
  for (std::size_t n = 0; n <= total; ++n)
    states.push_back({.applied = upto(n), .total = total, .prefix = true});
  if (!reorderings) return states;
  std::mt19937_64 random(seed);
  std::size_t first = 0;
  for (const std::size_t last : recording.barriers) {
    const std::size_t n = last - first;
    const bool all = n <= few;
    const std::size_t count = all ? std::size_t{1} << n : sample;
    for (std::size_t i = 0; i < count; ++i) {
      CrashState state{.applied = upto(first), .total = total};
      // A sample with few, half, or most of the operations done.
      const std::uint64_t odds = 1 + i % 3;
      for (std::size_t j = 0; j < n; ++j)
        if (all ? i >> j & 1 : random() % 4 < odds) state.applied.push_back(first + j);
      states.push_back(std::move(state));
    }
    first = last;
  }
  return states;
}

Image image_of(const CrashState& state, const Recording& recording, Image image) {
  for (const std::size_t i : state.applied) apply(recording.operations[i], image);
  return image;
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
