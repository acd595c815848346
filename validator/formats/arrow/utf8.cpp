#include "validator/formats/arrow/utf8.h"

#include <algorithm>
#include <cstring>

namespace hepcheck::arrow {

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

constexpr std::size_t kBlock = 64;

bool is_ascii(const unsigned char* at, std::size_t size) {
  constexpr std::uint64_t kHigh = 0x8080808080808080;
  std::uint64_t any = 0;
  for (; size >= 8; at += 8, size -= 8) {
    std::uint64_t word;
    std::memcpy(&word, at, 8);
    any |= word;
  }
  for (; size > 0; ++at, --size) any |= *at;
  return (any & kHigh) == 0;
}

// How many bytes at the beginning are ASCII, by whole blocks and then one by one.
std::uint64_t leading_ascii(std::span<const std::byte> text) {
  const auto* bytes = reinterpret_cast<const unsigned char*>(text.data());
  std::uint64_t at = 0;
  while (at + kBlock <= text.size() && is_ascii(bytes + at, kBlock)) at += kBlock;
  while (at < text.size() && bytes[at] < 0x80) ++at;
  return at;
}

// Sixteen bytes at a time; the compiler turns this into whatever the machine has for it.
using Sixteen = unsigned char __attribute__((vector_size(16)));

Sixteen sixteen(const unsigned char* at) {
  Sixteen made;
  std::memcpy(&made, at, sizeof made);
  return made;
}

// Whether a byte, or which of sixteen, cannot stand behind the three before it.
template <class T>
auto misplaced(T byte, T one, T two, T three) {
  const auto wanted = (one >= 0xC0) | (two >= 0xE0) | (three >= 0xF0);
  const auto continues = (byte & 0xC0) == 0x80;
  const auto never = ((byte & 0xFE) == 0xC0) | (byte >= 0xF5);
  const auto overlong = ((one == 0xE0) & (byte < 0xA0)) | ((one == 0xF0) & (byte < 0x90));
  const auto beyond = ((one == 0xED) & (byte > 0x9F)) | ((one == 0xF4) & (byte > 0x8F));
  return (wanted ^ continues) | never | overlong | beyond;
}

// The same for texts without characters of three and four bytes, which are most.
Sixteen misplaced_of_two(Sixteen byte, Sixteen one) {
  const auto wanted = (one & 0xE0) == 0xC0, continues = (byte & 0xC0) == 0x80;
  const auto never = (byte & 0xFE) == 0xC0;
  return reinterpret_cast<Sixteen>((wanted ^ continues) | never);
}

bool any_of(Sixteen bytes) {
  std::uint64_t halves[2];
  std::memcpy(halves, &bytes, sizeof halves);
  return (halves[0] | halves[1]) != 0;
}

// The three bytes before the block can be read too.
bool is_broken(const unsigned char* at) {
  Sixteen long_ones{}, bad{};
  for (std::size_t i = 0; i < kBlock; i += 16) {
    long_ones |= reinterpret_cast<Sixteen>((sixteen(at + i - 2) & 0xE0) == 0xE0);
    bad |= misplaced_of_two(sixteen(at + i), sixteen(at + i - 1));
  }
  long_ones |= reinterpret_cast<Sixteen>((sixteen(at + kBlock - 16) & 0xE0) == 0xE0);
  long_ones |= reinterpret_cast<Sixteen>((sixteen(at - 3) & 0xE0) == 0xE0);
  if (!any_of(long_ones)) return any_of(bad);
  bad = Sixteen{};
  for (std::size_t i = 0; i < kBlock; i += 16)
    bad |= reinterpret_cast<Sixteen>(
        misplaced(sixteen(at + i), sixteen(at + i - 1), sixteen(at + i - 2), sixteen(at + i - 3)));
  return any_of(bad);
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
  bool all_ascii = true, before = !is_cut();
  for (std::size_t at = 0; at < part.size(); at += kBlock) {
    const std::size_t size = std::min(kBlock, part.size() - at);
    const bool ascii = is_ascii(bytes + at, size);
    if (!ascii || !before) {
      if (at > 0 && size == kBlock)
        broken_ |= is_broken(bytes + at);
      else
        add_few(bytes, at, size);
    }
    before = ascii;
    all_ascii &= ascii;
  }
  for (std::size_t i = part.size() - std::min<std::size_t>(3, part.size()); i < part.size(); ++i)
    keep(bytes[i]);
  return all_ascii;
}

// At the ends of a part.
void Utf8Check::add_few(const unsigned char* bytes, std::size_t begin, std::size_t size) {
  const auto before = [&](std::size_t at, std::size_t back) {
    return unsigned{at >= back ? bytes[at - back] : last_[3 + at - back]};
  };
  for (std::size_t at = begin; at < begin + size; ++at)
    broken_ |= misplaced<unsigned>(bytes[at], before(at, 1), before(at, 2), before(at, 3)) != 0;
}

void Utf8Check::keep(unsigned char byte) {
  std::copy(last_ + 1, last_ + 3, last_);
  last_[2] = byte;
}

bool Utf8Check::is_cut() const { return last_[2] >= 0xC0 || last_[1] >= 0xE0 || last_[0] >= 0xF0; }

bool is_utf8(std::string_view text) {
  return well_formed_utf8(std::as_bytes(std::span(text))) == text.size();
}

}  // namespace hepcheck::arrow
