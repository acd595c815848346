// Local heaps: the names of an old-style group.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "validator/formats/hdf5/container.h"
#include "validator/formats/hdf5/region.h"

namespace hepcheck::hdf5 {

// A text that something in a group refers to.
struct GroupText {
  std::uint64_t offset = 0, size = 0;  // with its zero
  bool in_use = false;                 // a name or a value, and not only a key
};

class LocalHeap {
 public:
  // None if it is refused.
  static std::optional<LocalHeap> read(std::uint64_t address, Container& file);

  std::uint64_t size() const { return segment_.region().size(); }
  // The string that begins there; none if it does not end inside the heap.
  std::optional<std::string_view> text(std::uint64_t offset) const;
  bool begins_empty() const;
  // The heap of a group, when all texts in use are known. `sound`: none of its links is refused,
  // and all are where their names belong.
  void judge_texts(const std::vector<GroupText>& texts, bool sound, Container& file) const;

 private:
  struct Free {
    std::uint64_t offset, size;
  };
  Place place_{};             // of its header
  std::vector<Free> free_{};  // by offset
  Block segment_{};
};

}  // namespace hepcheck::hdf5
