// Determines which slots of an array are examined: bitmaps of the file, combined with the nulls of
// parents.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "validator/integers.h"

namespace hepcheck::arrow {

// 64 bits of a bitmap from bit 64 * w on; bits beyond its end are 0.
inline std::uint64_t word_of(std::span<const std::byte> bitmap, std::uint64_t w) {
  const std::uint64_t at = 8 * w;
  if (at + 8 <= bitmap.size()) return load<std::uint64_t>(bitmap.data() + at);
  std::uint64_t word = 0;
  for (std::uint64_t i = at; i < bitmap.size(); ++i)
    word |= static_cast<std::uint64_t>(bitmap[i]) << (8 * (i - at));
  return word;
}

// The bits of word w that belong to the first `length`.
inline std::uint64_t within(std::uint64_t length, std::uint64_t w) {
  const std::uint64_t left = length - std::min(length, 64 * w);
  return left >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << left) - 1;
}

// All set initially.
class Bits {
 public:
  explicit Bits(std::uint64_t length) : words_(divided_up(length, 64), ~std::uint64_t{0}) {}

  std::uint64_t word(std::uint64_t w) const {
    return w < words_.size() ? words_[w] : ~std::uint64_t{0};
  }
  void keep(std::uint64_t w, std::uint64_t bits) {
    if (w < words_.size()) words_[w] &= bits;
  }
  bool operator[](std::uint64_t i) const { return word(i / 64) >> (i % 64) & 1; }
  void set(std::uint64_t i) {
    if (i / 64 < words_.size()) words_[i / 64] |= std::uint64_t{1} << (i % 64);
  }
  // Bits beyond its end are ignored.
  void set(std::uint64_t begin, std::uint64_t end) {
    each_word(begin, end, [&](std::uint64_t w, std::uint64_t bits) { words_[w] |= bits; });
  }
  void clear(std::uint64_t begin, std::uint64_t end) {
    each_word(begin, end, [&](std::uint64_t w, std::uint64_t bits) { words_[w] &= ~bits; });
  }
  // Whether one of them is set.
  bool any(std::uint64_t begin, std::uint64_t end) const {
    bool found = end > std::uint64_t{64} * words_.size();
    each_word(begin, end,
              [&](std::uint64_t w, std::uint64_t bits) { found |= (words_[w] & bits) != 0; });
    return found;
  }

 private:
  // visit(w, the bits of word w that belong to the range).
  template <class Visit>
  void each_word(std::uint64_t begin, std::uint64_t end, Visit visit) const {
    end = std::min(end, std::uint64_t{64} * words_.size());
    while (begin < end) {
      const std::uint64_t next = std::min(end, (begin / 64 + 1) * 64);
      const std::uint64_t low = begin % 64, count = next - begin;
      visit(begin / 64, count == 64 ? ~std::uint64_t{0} : ((std::uint64_t{1} << count) - 1) << low);
      begin = next;
    }
  }

  std::vector<std::uint64_t> words_;
};

// Slots that are valid in their own bitmap, if there is one, and not covered by a parent's null.
struct Seen {
  std::span<const std::byte> validity{};  // empty: all are valid
  const Bits* bare = nullptr;             // null: no slot is covered

  bool all() const { return validity.empty() && !bare; }
  std::uint64_t word(std::uint64_t w) const {
    return (validity.empty() ? ~std::uint64_t{0} : word_of(validity, w)) &
           (bare ? bare->word(w) : ~std::uint64_t{0});
  }
  bool operator[](std::uint64_t i) const { return word(i / 64) >> (i % 64) & 1; }

  // visit(i) for each of the first `length` slots that is visible.
  template <class Visit>
  void each(std::uint64_t length, Visit visit) const {
    if (all()) {
      for (std::uint64_t i = 0; i < length; ++i) visit(i);
      return;
    }
    for (std::uint64_t w = 0; 64 * w < length; ++w)
      for (std::uint64_t bits = word(w) & arrow::within(length, w); bits; bits &= bits - 1)
        visit(64 * w + static_cast<std::uint64_t>(std::countr_zero(bits)));
  }
  // The same for the others.
  template <class Visit>
  void each_hidden(std::uint64_t length, Visit visit) const {
    if (all()) return;
    for (std::uint64_t w = 0; 64 * w < length; ++w)
      for (std::uint64_t bits = ~word(w) & arrow::within(length, w); bits; bits &= bits - 1)
        visit(64 * w + static_cast<std::uint64_t>(std::countr_zero(bits)));
  }
};

}  // namespace hepcheck::arrow
