// Lists the chunks in the indexes of a file.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "validator/bytes.h"
#include "validator/formats/hdf5/message.h"
#include "validator/limits.h"

namespace hepcheck::hdf5 {

// A chunked dataset.
struct ChunkList {
  std::string path{};
  std::string index{};                   // "extensible array"
  std::vector<std::uint64_t> shape{};    // its current size
  std::vector<std::uint64_t> chunk{};    // size of a chunk, in elements
  bool whole = false;                    // the index is valid to its end
  std::vector<std::uint64_t> numbers{};  // of the chunks, concatenated

  std::size_t rank() const { return chunk.size(); }
  std::size_t count() const { return numbers.size() / (rank() + 3); }
  // Its beginning by dimension, in elements; then its mask, its address from the first byte of the
  // file, and its size.
  std::span<const std::uint64_t> at(std::size_t i) const {
    return std::span(numbers).subspan(i * (rank() + 3), rank() + 3);
  }
};

struct ChunkLists {
  std::vector<ChunkList> datasets{};   // in the order of discovery
  bool whole = false;                  // every dataset and all of its chunks were found
  std::vector<std::string> trouble{};  // the reason if not
};

// For a worker: reads the file, or the part below one object, and reports the chunks.
void tell_chunks(const Bytes& file, const std::optional<std::string>& only, const Limits& limits,
                 const Tell& tell);

// For its parent.
class ChunkListReader {
 public:
  void take(std::string_view message);
  // The chunks received; a trouble states that they are incomplete or invalid.
  ChunkLists lists() &&;

 private:
  bool dataset(MessageReader& message);
  bool chunks(MessageReader& message);
  bool end(MessageReader& message);

  ChunkLists made_{};
  std::map<std::uint64_t, std::size_t> by_number_{};  // of the object
  bool ended_ = false, nonsense_ = false;
};

}  // namespace hepcheck::hdf5
