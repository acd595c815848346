// Global heaps, which contain variable-length data (III.E).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "validator/formats/hdf5/container.h"
#include "validator/formats/hdf5/region.h"

namespace hepcheck::hdf5 {

// The string of a variable-length element: u32 length, O address of the collection, u32 number.
// None if it does not exist. Charges the budget for each object before it. Judges nothing.
std::optional<std::string> heap_text(const Region& element, Container& file);

// The collections of a file. Each is judged when an id names it for the first time.
class GlobalHeaps {
 public:
  explicit GlobalHeaps(Container& file) : file_(file) {}

  enum class Answer : std::uint8_t {
    kFound,
    kMissing,      // a sound collection does not have it
    kNotExamined,  // its collection is refused, or was not read as far as this
  };
  struct Found {
    Answer answer = Answer::kNotExamined;
    Region data{};  // valid until the next call
  };
  // The object that a heap id names. Index 0 is missing. `used`: the id belongs to an element, an
  // attribute or a layout, which should be the only one with it.
  Found object(std::uint64_t collection, std::uint32_t index, bool used = true);
  // How many objects the collections that were read have, and how many of them were used.
  std::uint64_t objects() const { return objects_; }
  std::uint64_t uses() const { return uses_; }
  // The bytes of those that were not used, in collections that were read.
  std::uint64_t unused_bytes() const;

 private:
  struct Object {
    std::uint16_t index;
    bool used;
    std::uint64_t at, size;  // of the data
  };
  struct Collection {
    bool sound = false;             // its header
    bool whole = false;             // all of its objects have been read
    std::uint64_t extent = 0;       // the bytes that are its own, if its size is wrong
    std::vector<Object> objects{};  // by index
    std::unique_ptr<Block> block{};
  };
  Collection& collection(std::uint64_t address);
  void read(std::uint64_t address, Collection& into);
  bool walk(const Region& block, Collection& into);

  Container& file_;
  // By address. None is given up: the elements of each dataset lie in many of them, so that to read
  // them again and again would take more than what a file of their size may take. Together they are
  // no larger than that.
  std::unordered_map<std::uint64_t, Collection> all_{};
  std::uint64_t objects_ = 0, uses_ = 0;
};

}  // namespace hepcheck::hdf5
