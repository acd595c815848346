// A fractal heap of one direct block, and an index in a version 2 B-tree of one leaf.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "validator/formats/hdf5/lookup3.h"
#include "validator/formats/hdf5/testing/mistakes.h"
#include "validator/formats/hdf5/testing/zeros.h"

namespace hepcheck::hdf5::testing {

// The heap begins at `at`, and needs kRoom bytes.
class SmallHeap {
 public:
  static constexpr std::uint64_t kBlock = 1'024, kRoom = 2 * kBlock;

  SmallHeap(std::uint64_t at, unsigned id_length) : at_(at), id_length_(id_length) {}

  // Its id.
  std::string add(const std::string& object) {
    std::string id = number(0, 1) + number(bytes_.size() + kPrefix, 2) + number(object.size(), 2);
    bytes_ += object;
    ++objects_;
    id.resize(id_length_);
    return id;
  }
  void write(Zeros& zeros) const {
    const std::uint64_t payload = kBlock - kPrefix, free = payload - bytes_.size();
    zeros.write(
        at_, summed("FRHP" + number(0, 1) + number(id_length_, 2) + number(0, 2) + number(0, 1) +
                    number(payload, 4) + number(0, 8) + number(kUndefined, 8) + number(free, 8) +
                    number(kUndefined, 8) + number(kBlock, 8) + number(kBlock, 8) + number(0, 8) +
                    number(objects_, 8) + number(0, 32) + number(2, 2) + number(kBlock, 8) +
                    number(kBlock, 8) + number(16, 2) + number(1, 2) + number(at_ + kBlock, 8) +
                    number(0, 2)));
    zeros.write(at_ + kBlock, "FHDB" + number(0, 1) + number(at_, 8) + number(0, 2) + bytes_);
  }

 private:
  static constexpr std::uint64_t kPrefix = 15;

  std::uint64_t at_;
  unsigned id_length_;
  std::string bytes_{};
  std::uint64_t objects_ = 0;
};

// The tree begins at `at`, and needs as much room.
inline void write_index(Zeros& zeros, std::uint64_t at, unsigned type, std::uint64_t record_size,
                        const std::vector<std::string>& records, Mistakes& mistakes) {
  constexpr std::uint64_t kNode = 512, kLeaf = 256;
  const bool empty = records.empty();
  std::string made = mistakes.letters("BTHD") + number(0, 1);
  made += number(mistakes.perhaps(type), 1) + number(kNode, 4);
  made += number(mistakes.perhaps(record_size), 2) + number(0, 2) + number(100, 1) + number(40, 1) +
          number(empty ? kUndefined : at + kLeaf, 8) + number(records.size(), 2);
  made += number(mistakes.perhaps(records.size()), 8);
  zeros.write(at, mistakes.block(made));
  std::string leaf = "BTLF" + number(0, 1) + number(type, 1);
  for (const std::string& each : records) leaf += each;
  if (!empty) zeros.write(at + kLeaf, mistakes.block(leaf));
}
inline constexpr std::uint64_t kIndexRoom = 1'024;

inline std::uint32_t hash_of(const std::string& bytes, std::uint32_t initial = 0) {
  return lookup3(std::as_bytes(std::span(bytes)), initial);
}

}  // namespace hepcheck::hdf5::testing
