#include "validator/formats/hep001/storage/packed.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <format>
#include <optional>

#ifdef HEPCHECK_SZIP
#include <szlib.h>
#endif

#include "validator/counted.h"
#include "validator/integers.h"

namespace hepcheck::hep001 {

namespace {

constexpr const char* kCut = "the data ends before the last element";

// Reads bits, of each byte the most significant one first.
class BitReader {
 public:
  explicit BitReader(std::span<const std::byte> bytes) : bytes_(bytes) {}

  std::uint64_t left() const { return 8 * std::uint64_t{bytes_.size()} - at_; }
  // 1 to 8 bits; they must be there.
  unsigned take(unsigned count) {
    const std::uint64_t byte = at_ / 8;
    const auto offset = static_cast<unsigned>(at_ % 8);
    unsigned both = std::to_integer<unsigned>(bytes_[byte]) << 8U;
    if (offset + count > 8) both |= std::to_integer<unsigned>(bytes_[byte + 1]);
    at_ += count;
    return both >> (16U - offset - count) & ((1U << count) - 1U);
  }
  std::uint64_t number(unsigned count) {
    std::uint64_t value = 0;
    while (count > 0) {
      const unsigned step = std::min(count, 8U);
      value = value << step | take(step);
      count -= step;
    }
    return value;
  }

 private:
  std::span<const std::byte> bytes_;
  std::uint64_t at_ = 0;
};

// --- N-bit ---------------------------------------------------------------------------------------

// Walks through the description of a datatype in the parameters, once for each element.
class NbitReader {
 public:
  NbitReader(std::span<const unsigned> parameters, std::span<const std::byte> from)
      : parameters_(parameters), bits_(from) {}

  // The element whose type begins at parameter `at`; false if it does not describe one.
  bool element(std::size_t& at, std::span<std::byte> into, unsigned level = 0) {
    constexpr unsigned kMostLevels = 64;
    enum : unsigned { kAtomic = 1, kArray, kCompound, kNoOperation };
    const auto kind = next(at), size = next(at);
    if (!kind || !size || *size == 0 || *size > into.size() || level > kMostLevels) return false;
    into = into.first(*size);
    switch (*kind) {
      case kAtomic: return number(at, into);
      case kArray: return array(at, into, level);
      case kCompound: return compound(at, into, level);
      case kNoOperation: return copy(into);
      default: return false;
    }
  }
  bool cut() const { return cut_; }

 private:
  std::optional<unsigned> next(std::size_t& at) {
    if (at >= parameters_.size()) return std::nullopt;
    return parameters_[at++];
  }

  bool room(std::uint64_t bits) {
    cut_ |= bits > bits_.left();
    return !cut_;
  }

  bool copy(std::span<std::byte> into) {
    if (!room(8 * std::uint64_t{into.size()})) return false;
    for (std::byte& byte : into) byte = static_cast<std::byte>(bits_.take(8));
    return true;
  }

  // The significant bits, the most significant one first; the others are zero.
  bool number(std::size_t& at, std::span<std::byte> into) {
    const auto order = next(at), precision = next(at), offset = next(at);
    if (!order || *order > 1 || !precision || !offset || *precision == 0 ||
        std::uint64_t{*precision} + *offset > 8 * std::uint64_t{into.size()} || !room(*precision))
      return false;
    std::ranges::fill(into, std::byte{0});
    for (std::uint64_t end = std::uint64_t{*precision} + *offset; end > *offset;) {
      const std::uint64_t byte = (end - 1) / 8, begin = std::max<std::uint64_t>(8 * byte, *offset);
      const unsigned value = bits_.take(static_cast<unsigned>(end - begin));
      into[*order == 0 ? byte : into.size() - 1 - byte] =
          static_cast<std::byte>(value << (begin - 8 * byte));
      end = begin;
    }
    return true;
  }

  bool array(std::size_t& at, std::span<std::byte> into, unsigned level) {
    if (at + 1 >= parameters_.size()) return false;
    const std::size_t base = at;
    const std::uint64_t size = parameters_[base + 1];
    if (size == 0 || into.size() % size != 0) return false;
    for (std::uint64_t from = 0; from < into.size(); from += size) {
      at = base;
      if (!element(at, into.subspan(from, size), level + 1)) return false;
    }
    return true;
  }

  bool compound(std::size_t& at, std::span<std::byte> into, unsigned level) {
    const auto members = next(at);
    if (!members || *members == 0) return false;
    std::ranges::fill(into, std::byte{0});
    for (unsigned i = 0; i < *members; ++i) {
      const auto offset = next(at);
      if (!offset || *offset > into.size() || !element(at, into.subspan(*offset), level + 1))
        return false;
    }
    return true;
  }

  std::span<const unsigned> parameters_;
  BitReader bits_;
  bool cut_ = false;
};

// --- Scale-offset --------------------------------------------------------------------------------

struct ScaleOffset {
  unsigned scale, elements, kind, size, sign, order;
  bool has_fill;
  int factor;
  std::uint64_t fill;

  bool floating() const { return kind == 1; }
  // Stored as it is.
  bool whole() const { return !floating() && factor == static_cast<int>(8 * size); }
};

std::optional<ScaleOffset> scale_offset_of(std::span<const unsigned> p) {
  constexpr std::size_t kFirstOfFill = 8;
  if (p.size() < kFirstOfFill + 2) return std::nullopt;
  ScaleOffset made{.scale = p[0],
                   .elements = p[2],
                   .kind = p[3],
                   .size = p[4],
                   .sign = p[5],
                   .order = p[6],
                   .has_fill = p[7] == 1,
                   .factor = static_cast<int>(p[1]),
                   .fill = p[kFirstOfFill] | std::uint64_t{p[kFirstOfFill + 1]} << 32U};
  const bool sizes = made.floating()
                         ? made.size == 4 || made.size == 8
                         : made.size == 1 || made.size == 2 || made.size == 4 || made.size == 8;
  const bool scales = made.floating() ? made.scale == 0
                                      : made.scale == 2 && made.factor >= 0 &&
                                            made.factor <= static_cast<int>(8 * made.size);
  if (made.kind > 1 || !sizes || !scales || made.sign > 1 || made.order > 1) return std::nullopt;
  return made;
}

// Numbers were multiplied by 10 to the power of `scale`, relative to `least`.
template <class Float, class Whole>
std::uint64_t scaled(std::uint64_t stored, Float scale, std::uint64_t least) {
  using Bits = std::make_unsigned_t<Whole>;
  const auto value = static_cast<Float>(static_cast<Whole>(stored));
  const auto offset = std::bit_cast<Float>(static_cast<Bits>(least));
  return std::bit_cast<Bits>(static_cast<Float>(value / scale + offset));
}

}  // namespace

bool nbit_keeps_all(std::span<const unsigned> parameters) {
  return parameters.size() >= 3 && parameters[1] != 0;
}

bool scale_offset_keeps_all(std::span<const unsigned> parameters) {
  const auto p = scale_offset_of(parameters);
  return p && p->whole();
}

std::uint64_t nbit_bytes(std::span<const unsigned> parameters) {
  if (parameters.size() < 5) return 0;
  return product(parameters[2], parameters[4]);
}

Unpacked unpack_nbit(std::span<const unsigned> parameters, std::span<const std::byte> from,
                     std::span<std::byte> into) {
  constexpr std::size_t kFirst = 3;
  const std::size_t size = parameters[kFirst + 1];
  NbitReader reader(parameters, from);
  for (std::size_t at = 0; at < into.size(); at += size) {
    std::size_t type = kFirst;
    if (!reader.element(type, into.subspan(at, size)))
      return std::unexpected(reader.cut() ? kCut : "its parameters describe no datatype");
  }
  return {};
}

std::uint64_t scale_offset_bytes(std::span<const unsigned> parameters) {
  const auto p = scale_offset_of(parameters);
  return p ? product(p->elements, p->size) : 0;
}

Unpacked unpack_scale_offset(std::span<const unsigned> parameters, std::span<const std::byte> from,
                             std::span<std::byte> into) {
  constexpr std::size_t kHead = 21;
  const ScaleOffset p = *scale_offset_of(parameters);
  const auto copied = [&](std::span<const std::byte> bytes) -> Unpacked {
    if (bytes.size() < into.size()) return std::unexpected(kCut);
    std::ranges::copy(bytes.first(into.size()), into.begin());
    return {};
  };
  if (from.size() < kHead) return std::unexpected("it ends before its minimum");
  const auto byte = [&](std::size_t i) { return std::to_integer<std::uint64_t>(from[i]); };
  std::uint64_t bits = 0, least = 0;
  for (std::size_t i = 0; i < 4; ++i) bits |= byte(i) << 8U * i;
  for (std::size_t i = 0; i < std::min<std::uint64_t>(byte(4), 8); ++i)
    least |= byte(5 + i) << 8U * i;
  if (bits > 8 * p.size) return std::unexpected(std::format("{} bits of each number", bits));
  const bool swapped = p.order == 1;
  if (bits == 8 * p.size) {
    // The bytes of the machine that wrote it; those of this one are assumed.
    if (const Unpacked done = copied(from.subspan(kHead)); !done) return done;
    if (swapped)
      for (std::size_t at = 0; at < into.size(); at += p.size)
        std::ranges::reverse(into.subspan(at, p.size));
    return {};
  }
  BitReader reader(from.subspan(kHead));
  if (product(bits, p.elements) > reader.left()) return std::unexpected(kCut);
  const std::uint64_t missing = (std::uint64_t{1} << bits) - 1;
  const float scale4 = std::pow(10.0F, static_cast<float>(p.factor));
  const double scale8 = std::pow(10.0, static_cast<double>(p.factor));
  for (std::size_t at = 0; at < into.size(); at += p.size) {
    std::uint64_t value = bits == 0 ? 0 : reader.number(static_cast<unsigned>(bits));
    if (p.has_fill && value == missing)
      value = p.fill;
    else if (!p.floating())
      value += least;
    else
      value = p.size == 4 ? scaled<float, std::int32_t>(value, scale4, least)
                          : scaled<double, std::int64_t>(value, scale8, least);
    for (std::size_t i = 0; i < p.size; ++i)
      into[at + (swapped ? p.size - 1 - i : i)] = static_cast<std::byte>(value >> 8U * i);
  }
  return {};
}

std::uint64_t szip_bytes(std::span<const std::byte> from) {
  std::uint64_t bytes = 0;
  for (std::size_t i = 0; i < 4; ++i)
    if (i < from.size()) bytes |= std::to_integer<std::uint64_t>(from[i]) << 8U * i;
  return from.size() < 4 ? 0 : bytes;
}

#ifdef HEPCHECK_SZIP
bool has_szip() { return true; }

Unpacked unpack_szip(std::span<const unsigned> parameters, std::span<const std::byte> from,
                     std::span<std::byte> into) {
  constexpr std::size_t kHead = 4;
  if (parameters.size() < 4) return std::unexpected("its parameters are missing");
  SZ_com_t wanted{.options_mask = static_cast<int>(parameters[0]),
                  .bits_per_pixel = static_cast<int>(parameters[2]),
                  .pixels_per_block = static_cast<int>(parameters[1]),
                  .pixels_per_scanline = static_cast<int>(parameters[3])};
  std::size_t size = into.size();
  const auto stored = from.subspan(kHead);
  if (SZ_BufftoBuffDecompress(into.data(), &size, stored.data(), stored.size(), &wanted) != SZ_OK ||
      size != into.size())
    return std::unexpected("the data is corrupt");
  return {};
}
#else
bool has_szip() { return false; }

Unpacked unpack_szip(std::span<const unsigned>, std::span<const std::byte>, std::span<std::byte>) {
  return std::unexpected("this program was built without a library for szip");
}
#endif

}  // namespace hepcheck::hep001
