// The chunks that the indexes of a file name, for whoever wants to see them.
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
  bool whole = false;                    // the index holds, to its end
  std::vector<std::uint64_t> numbers{};  // of the chunks one after the other

  std::size_t rank() const { return chunk.size(); }
  std::size_t count() const { return numbers.size() / (rank() + 3); }
  // Where it begins by dimension, in elements; then its mask, its address from the first byte of
  // the file, and its size.
  std::span<const std::uint64_t> at(std::size_t i) const {
    return std::span(numbers).subspan(i * (rank() + 3), rank() + 3);
  }
};

struct ChunkLists {
  std::vector<ChunkList> datasets{};   // in the order of discovery
  bool whole = false;                  // every dataset was found, and its chunks
  std::vector<std::string> trouble{};  // why not
};

// For a worker: reads the file, or what is below one object of it, and tells of the chunks.
void tell_chunks(const Bytes& file, const std::optional<std::string>& only, const Limits& limits,
                 const Tell& tell);

// For its parent.
class ChunkListReader {
 public:
  void take(std::string_view message);
  // What has come; a trouble says so if that is not the whole of it, or makes no sense.
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
