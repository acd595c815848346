// What a writer did to a file, as record.c logged it, and the states that a crash could have left.
#pragma once

#include <cstdint>
#include <filesystem>
#include <random>
#include <string>
#include <vector>

#include "validator/result.h"

namespace hepcheck::hep001::suite {

using Image = std::string;  // the bytes of a file

Image read_image(const std::filesystem::path& path);  // empty if there is none of a sensible size
void write_image(const std::filesystem::path& path, const Image& image);

struct FileOperation {
  bool truncation = false;  // to `position`; otherwise a write there
  std::uint64_t position = 0;
  std::string data{};
};

// A call of the HDF5 library, as far as it was seen: "data-write 5 7 /t/x", "flush".
struct LibraryCall {
  std::string what{};
  std::string words(std::size_t n) const;  // the nth word, counted from 0
  std::string rest(std::size_t n) const;   // from the nth word on
  bool is(std::string_view verb) const { return words(0) == verb; }
};

struct Recording {
  std::vector<FileOperation> operations{};
  std::vector<std::size_t> barriers{};  // operations before each flush, sync or close; increasing
  std::vector<LibraryCall> calls{};
  bool mapped = false;  // written through a mapping, which is not seen

  // The file after all of them.
  Image replay(Image before) const;
};

Result<Recording> read_recording(const std::filesystem::path& log);

// One state of the file: which operations had reached it.
struct CrashState {
  std::vector<std::size_t> applied{};
  std::string how() const;  // "after 12 of 40 operations", "operations 0-11, 14 of 40"
  std::size_t total = 0;
  bool prefix = false;
};

// Every prefix; and with `reorderings`, between two barriers every subset where they are at
// most 2^`few`, otherwise `sample` of them.
std::vector<CrashState> crash_states(const Recording& recording, bool reorderings,
                                     std::uint64_t seed, std::size_t few = 6,
                                     std::size_t sample = 24);

Image image_of(const CrashState& state, const Recording& recording, Image before);

// The bytes that say a file is open for writing, which h5clear -s clears; false if it has none.
bool clear_consistency_flags(Image& image);

// Writes the recorder where a program can be made to preload it.
Result<std::filesystem::path> unpack_recorder(const std::filesystem::path& folder);

}  // namespace hepcheck::hep001::suite
