#include "validator/formats/hdf5/unpack.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <vector>

#include "validator/formats/hdf5/region.h"

namespace hepcheck::hdf5 {

namespace {

constexpr unsigned kByte = 8;

// Bits, the most significant one of each byte first.
class BitReader {
 public:
  explicit BitReader(std::span<const std::byte> bytes) : bytes_(bytes) {}

  // Whether so many bits are left.
  bool has(std::uint64_t bits) const { return bits <= product(kByte, bytes_.size()) - at_; }
  // 1 to 8 bits, which must be left.
  unsigned take(unsigned bits) {
    const std::size_t byte = at_ / kByte;
    const auto within = static_cast<unsigned>(at_ % kByte);
    auto two = std::to_integer<unsigned>(bytes_[byte]) << kByte;
    if (within + bits > kByte) two |= std::to_integer<unsigned>(bytes_[byte + 1]);
    at_ += bits;
    return two >> (2 * kByte - within - bits) & ((1U << bits) - 1);
  }
  // 0 to 64 bits, which must be left.
  std::uint64_t number(unsigned bits) {
    std::uint64_t made = 0;
    for (unsigned rest = bits; rest > 0;) {
      const unsigned step = std::min(rest, kByte);
      made = made << step | take(step);
      rest -= step;
    }
    return made;
  }

 private:
  std::span<const std::byte> bytes_;
  std::uint64_t at_ = 0;
};

// --- n-bit --------------------------------------------------------------------------------------

// A number or other bytes inside an element.
struct PackedField {
  std::uint64_t at = 0, size = 0;
  bool plain = false, big = false;
  std::uint64_t first = 0, end = 0;  // of the bits of a number that are kept
};

// Lists the fields of an element, as the client values of n-bit describe it.
class FieldList {
 public:
  explicit FieldList(std::span<const std::uint32_t> values) : values_(values) {}

  // The size of the element; 0 if it is not followed.
  std::uint64_t read(std::uint64_t at = 0, unsigned level = 1) {
    constexpr unsigned kMostLevels = 64;
    constexpr std::uint32_t kAtomic = 1, kArray = 2, kCompound = 3, kPlain = 4;
    const std::uint32_t kind = next();
    const std::uint64_t size = next();
    if (level > kMostLevels || size == 0) return 0;
    if (kind == kAtomic) {
      PackedField field{.at = at, .size = size};
      field.big = next() == 1;
      const std::uint64_t precision = next();
      field.first = next();
      field.end = field.first + precision;
      return field.end <= kByte * size && add(field) ? size : 0;
    }
    if (kind == kPlain) return add({.at = at, .size = size, .plain = true}) ? size : 0;
    if (kind == kArray) {
      const std::size_t base = next_;
      for (std::uint64_t done = 0; done < size;) {
        next_ = base;
        const std::uint64_t each = read(at + done, level + 1);
        if (each == 0 || each > size - done) return 0;
        done += each;
      }
      return size;
    }
    if (kind != kCompound) return 0;
    const std::uint32_t members = next();
    for (std::uint32_t i = 0; i < members; ++i) {
      const std::uint64_t offset = next();
      const std::uint64_t each = offset < size ? read(at + offset, level + 1) : 0;
      if (each == 0 || each > size - offset) return 0;
    }
    return size;
  }

  const std::vector<PackedField>& fields() const { return fields_; }

 private:
  std::uint32_t next() { return next_ < values_.size() ? values_[next_++] : 0; }
  bool add(const PackedField& field) {
    constexpr std::size_t kMostFields = std::size_t{1} << 16;
    fields_.push_back(field);
    return fields_.size() <= kMostFields;
  }

  std::span<const std::uint32_t> values_;
  std::size_t next_ = 0;
  std::vector<PackedField> fields_{};
};

void unpack_field(const PackedField& field, BitReader& bits, std::span<std::byte> element) {
  if (field.plain) {
    for (std::byte& each : element.subspan(field.at, field.size))
      each = static_cast<std::byte>(bits.take(kByte));
    return;
  }
  // From the most significant bit down, byte by byte.
  for (std::uint64_t end = field.end; end > field.first;) {
    const std::uint64_t byte = (end - 1) / kByte;
    const std::uint64_t begin = std::max(field.first, byte * kByte);
    const unsigned value = bits.take(static_cast<unsigned>(end - begin));
    element[field.at + (field.big ? field.size - 1 - byte : byte)] |=
        static_cast<std::byte>(value << (begin - byte * kByte));
    end = begin;
  }
}

// --- Scale-offset -------------------------------------------------------------------------------

struct Scale {
  unsigned size = 0, bits = 0;
  bool real = false, big = false, filled = false;
  std::int32_t decimals = 0;
  std::uint64_t least = 0, fill = 0;

  // The bits of an element.
  std::uint64_t element(std::uint64_t step) const {
    if (filled && step == (std::uint64_t{1} << bits) - 1) return fill;
    if (!real) return step + least;
    if (size == sizeof(double))
      return std::bit_cast<std::uint64_t>(static_cast<double>(static_cast<std::int64_t>(step)) /
                                              std::pow(10.0, decimals) +
                                          std::bit_cast<double>(least));
    return std::bit_cast<std::uint32_t>(static_cast<float>(static_cast<std::int32_t>(step)) /
                                            std::pow(10.0F, static_cast<float>(decimals)) +
                                        std::bit_cast<float>(static_cast<std::uint32_t>(least)));
  }
};

}  // namespace

bool unpack_nbit(const Filter& filter, std::span<const std::byte> packed, std::uint64_t size,
                 std::span<std::byte> into) {
  constexpr std::size_t kHead = 3;
  if (filter.values.size() < kHead || size == 0 || into.size() % size != 0) return false;
  if (filter.values[1] == 1) {
    if (packed.size() != into.size()) return false;
    std::ranges::copy(packed, into.begin());
    return true;
  }
  FieldList list(std::span(filter.values).subspan(kHead));
  if (list.read() != size) return false;
  std::uint64_t each = 0;
  for (const PackedField& field : list.fields())
    each = sum(each, field.plain ? kByte * field.size : field.end - field.first);
  BitReader bits(packed);
  if (!bits.has(product(into.size() / size, each))) return false;
  std::ranges::fill(into, std::byte{0});
  for (; !into.empty(); into = into.subspan(size))
    for (const PackedField& field : list.fields()) unpack_field(field, bits, into);
  return true;
}

bool unpack_scale_offset(const Filter& filter, std::span<const std::byte> packed,
                         std::uint64_t size, std::span<std::byte> into) {
  constexpr std::size_t kHead = 21, kValues = 20, kFillAt = 8;
  constexpr std::uint32_t kIntegers = 2;
  const std::vector<std::uint32_t>& values = filter.values;
  if (values.size() != kValues || values[4] != size || !std::has_single_bit(size) || size > kByte ||
      into.size() % size != 0)
    return false;
  Scale scale{.size = static_cast<unsigned>(size)};
  scale.real = values[0] != kIntegers;
  if (scale.real && size < sizeof(float)) return false;
  scale.big = values[6] == 1;
  scale.filled = values[7] == 1;
  scale.fill = values[kFillAt] | std::uint64_t{values[kFillAt + 1]} << 32U;
  scale.decimals = static_cast<std::int32_t>(values[1]);
  std::span<const std::byte> whole;
  if (!scale.real && values[1] == kByte * size) {
    whole = packed;  // nothing to pack
  } else {
    Cursor read(Region{packed});
    scale.bits = read.u32();
    read.skip(1);
    scale.least = read.u64();
    if (packed.size() < kHead || scale.bits > kByte * size) return false;
    packed = packed.subspan(kHead);
    if (scale.bits == kByte * size) whole = packed;
  }
  if (!whole.empty()) {
    if (whole.size() < into.size()) return false;
    std::ranges::copy(whole.first(into.size()), into.begin());
    // Numbers that need all of their bits are in the order of the machine that wrote them, which is
    // assumed to be that of this one.
    if (scale.big && scale.bits > 0)
      for (; !into.empty(); into = into.subspan(size)) std::ranges::reverse(into.first(size));
    return true;
  }
  BitReader bits(packed);
  if (!bits.has(product(into.size() / size, scale.bits))) return false;
  for (; !into.empty(); into = into.subspan(size)) {
    const std::uint64_t element = scale.element(bits.number(scale.bits));
    for (std::uint64_t i = 0; i < size; ++i)
      into[scale.big ? size - 1 - i : i] = static_cast<std::byte>(element >> (kByte * i));
  }
  return true;
}

}  // namespace hepcheck::hdf5
