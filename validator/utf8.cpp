#include "validator/utf8.h"

#include <algorithm>
#include <cstring>

#include "validator/vectors.h"

namespace hepcheck {

namespace {

// Bytes of the character that begins here; 0 if there is none.
unsigned character(const unsigned char* at, std::uint64_t left) {
  const auto follows = [&](unsigned i, unsigned low = 0x80, unsigned high = 0xBF) {
    return at[i] >= low && at[i] <= high;
  };
  const unsigned first = at[0];
  if (first < 0x80) return 1;
  if (first >= 0xC2 && first <= 0xDF) return left >= 2 && follows(1) ? 2 : 0;
  if (first >= 0xE0 && first <= 0xEF)
    return left >= 3 && follows(1, first == 0xE0 ? 0xA0 : 0x80, first == 0xED ? 0x9F : 0xBF) &&
                   follows(2)
               ? 3
               : 0;
  if (first >= 0xF0 && first <= 0xF4)
    return left >= 4 && follows(1, first == 0xF0 ? 0x90 : 0x80, first == 0xF4 ? 0x8F : 0xBF) &&
                   follows(2) && follows(3)
               ? 4
               : 0;
  return 0;
}

// How many bytes at the beginning are ASCII, by eights and then one by one.
std::uint64_t leading_ascii(std::span<const std::byte> text) {
  constexpr std::uint64_t kHigh = 0x8080808080808080;
  std::uint64_t at = 0, eight = 0;
  for (; at + 8 <= text.size(); at += 8) {
    std::memcpy(&eight, text.data() + at, 8);
    if (eight & kHigh) break;
  }
  while (at < text.size() && text[at] < std::byte{0x80}) ++at;
  return at;
}

// Bytes that are looked at together. Combining the lanes of a vector at the end of a block takes as
// long as looking at 200 bytes.
constexpr std::size_t kBlock = 1024;

// Whether a byte cannot stand behind the one before it, in a text without characters of three and
// four bytes; most are.
bool misplaced_of_two(unsigned char byte, unsigned char one) {
  const bool wanted = one >= 0xC0, continues = static_cast<signed char>(byte) < -0x40;
  const bool never = (byte & 0xFE) == 0xC0;
  return (wanted != continues) | never;
}

// The same behind the three before it, in any text.
bool misplaced(unsigned char byte, unsigned char one, unsigned char two, unsigned char three) {
  const bool wanted = (one >= 0xC0) | (two >= 0xE0) | (three >= 0xF0);
  const bool continues = static_cast<signed char>(byte) < -0x40;
  const bool never = ((byte & 0xFE) == 0xC0) | (byte >= 0xF5);
  const bool overlong = ((one == 0xE0) & (byte < 0xA0)) | ((one == 0xF0) & (byte < 0x90));
  const bool beyond = ((one == 0xED) & (byte > 0x9F)) | ((one == 0xF4) & (byte > 0x8F));
  return (wanted != continues) | never | overlong | beyond;
}

struct Block {
  unsigned char most;  // the largest byte
  bool broken;         // if no character has three or four bytes
};

// Blocks behind three bytes that can be read too.
HEPCHECK_VECTORS Block look_at(const unsigned char* at) {
  unsigned char most = 0, broken = 0;
  for (std::size_t i = 0; i < kBlock; ++i) {
    most = std::max(most, at[i]);
    broken |= misplaced_of_two(at[i], (at - 1)[i]);
  }
  return {most, broken != 0};
}

HEPCHECK_VECTORS bool is_broken(const unsigned char* at) {
  unsigned char broken = 0;
  for (std::size_t i = 0; i < kBlock; ++i)
    broken |= misplaced(at[i], (at - 1)[i], (at - 2)[i], (at - 3)[i]);
  return broken != 0;
}

}  // namespace

std::uint64_t well_formed_utf8(std::span<const std::byte> text) {
  const auto* bytes = reinterpret_cast<const unsigned char*>(text.data());
  std::uint64_t at = 0;
  while (at < text.size()) {
    if (bytes[at] < 0x80) {
      at += leading_ascii(text.subspan(at));
      continue;
    }
    const unsigned width = character(bytes + at, text.size() - at);
    if (width == 0) break;
    at += width;
  }
  return at;
}

bool Utf8Check::add(std::span<const std::byte> part) {
  const auto* bytes = reinterpret_cast<const unsigned char*>(part.data());
  constexpr std::size_t kBefore = 3;
  unsigned char most = 0;
  if (part.size() < kBefore + kBlock) {
    most = add_few(bytes, 0, part.size());
  } else {
    most = add_few(bytes, 0, kBefore);
    for (std::size_t next = kBefore; next < part.size(); next += kBlock) {
      // The last block overlaps the one before.
      const unsigned char* const at = bytes + std::min(next, part.size() - kBlock);
      const Block block = look_at(at);
      const unsigned char before = std::max({at[-1], at[-2], at[-3]});
      broken_ |= std::max(block.most, before) < 0xE0 ? block.broken : is_broken(at);
      most = std::max(most, block.most);
    }
  }
  for (std::size_t i = part.size() - std::min(kBefore, part.size()); i < part.size(); ++i)
    keep(bytes[i]);
  return most < 0x80;
}

// At the beginning of a part, or in a small one. The largest byte.
unsigned char Utf8Check::add_few(const unsigned char* bytes, std::size_t begin, std::size_t end) {
  const auto before = [&](std::size_t at, std::size_t back) {
    return at >= back ? bytes[at - back] : last_[3 + at - back];
  };
  unsigned char most = 0;
  for (std::size_t at = begin; at < end; ++at) {
    broken_ |= misplaced(bytes[at], before(at, 1), before(at, 2), before(at, 3));
    most = std::max(most, bytes[at]);
  }
  return most;
}

void Utf8Check::keep(unsigned char byte) {
  std::copy(last_ + 1, last_ + 3, last_);
  last_[2] = byte;
}

bool Utf8Check::is_cut() const { return last_[2] >= 0xC0 || last_[1] >= 0xE0 || last_[0] >= 0xF0; }

bool is_utf8(std::string_view text) {
  return well_formed_utf8(std::as_bytes(std::span(text))) == text.size();
}

}  // namespace hepcheck
