// Selections of elements (VIII.A): in region references, blocks of references, and mappings of
// virtual datasets.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "validator/formats/hdf5/container.h"
#include "validator/formats/hdf5/region.h"

namespace hepcheck::hdf5 {

// What does not change the meaning of a selection.
struct SelectionForm {
  Place at{};
  std::optional<std::uint64_t> stated_length{};  // of what follows it, if it is stated
  std::uint64_t real_length = 0, length_at = 0;
  std::optional<std::uint64_t> reserved{};
};

struct Selection {
  enum class Type : std::uint8_t { kNone, kPoints, kHyperslabs, kAll };
  Type type{};
  std::uint64_t size = 0;      // its bytes
  unsigned rank = 0;           // of points and hyperslabs
  std::uint64_t elements = 0;  // selected; kUndefined without a limit. Not known for kAll
  bool unlimited = false;      // one of its dimensions has no limit
  // The least and the greatest coordinate in each dimension, if any element is selected; a greatest
  // one of kUndefined has no limit.
  std::vector<std::uint64_t> least{}, greatest{};
  SelectionForm form{};
};

// The selection at the beginning of `bytes`. `rank`: of its dataspace, if that is known. None if it
// is refused; nothing after it is then known.
std::optional<Selection> read_selection(const Region& bytes, std::optional<unsigned> rank,
                                        Container& file);
// A length that is not that of the selection is one defect with what makes the bytes after it
// wrong, so this is asked when they have been read.
void judge_form(const Selection& selection, Container& file);

}  // namespace hepcheck::hdf5
