// The values of a view array: format 1.5, chapter 3.7.
#pragma once

#include <cstdint>
#include <map>
#include <span>

#include "validator/formats/arrow/array.h"

namespace hepcheck::arrow {

constexpr std::int32_t kMostInline = 12;  // bytes that a view holds itself

struct View {
  const std::byte* at;
  std::endian order;

  std::int32_t length() const { return load<std::int32_t>(at, order); }
  bool is_inline() const { return length() <= kMostInline; }
  ByteSpan inline_bytes() const { return {at + 4, static_cast<std::size_t>(length())}; }
  std::int32_t index() const { return load<std::int32_t>(at + 8, order); }
  std::int32_t offset() const { return load<std::int32_t>(at + 12, order); }
};

// Finds what is not UTF-8 in ranges of one buffer, whatever number of them overlap: what is known
// to be UTF-8 is not read again, as far as memory allows.
class TextRanges {
 public:
  TextRanges(ByteSpan bytes, InputBudget& budget) : bytes_(bytes), budget_(budget) {}

  // The first byte from `begin` on that is not UTF-8; `end` if there is none.
  std::uint64_t first_bad(std::uint64_t begin, std::uint64_t end);
  // Reading everything again and again was refused.
  bool refused() const { return refused_; }

 private:
  void add(std::uint64_t begin, std::uint64_t end);
  std::uint64_t cut(std::uint64_t end) const;

  ByteSpan bytes_;
  InputBudget& budget_;
  std::map<std::uint64_t, std::uint64_t> known_{};  // begin and end of ranges that are UTF-8
  bool refused_ = false;
};

}  // namespace hepcheck::arrow
