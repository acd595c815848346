// Datatype messages of any structure and version.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "validator/testing/number.h"

namespace hepcheck::hdf5::testing {

// Types that are as the format wants them. Calls that are random are statements of their own: the
// order inside an expression depends on the compiler.
class RandomDatatype {
 public:
  // `every`: also what few files have.
  explicit RandomDatatype(std::uint64_t seed, bool every = false) : every_(every), random_(seed) {}

  std::string sound_message() { return type(1 + static_cast<unsigned>(below(5)), 0).bytes; }
  // Some have a wrong byte, or are cut.
  std::string message() {
    std::string made = sound_message();
    if (once_in(3)) {
      const std::size_t at = below(std::min<std::size_t>(made.size(), 40));
      made[at] = static_cast<char>(once_in(2) ? made[at] + 1 : below(256));
    }
    if (once_in(12)) made.resize(below(made.size()));
    if (once_in(6)) made += std::string(8, '\0');
    return made;
  }

 private:
  struct Encoded {
    std::string bytes{};
    std::uint64_t size = 0;  // of an element
  };

  std::uint64_t below(std::uint64_t end) { return random_() % end; }
  bool once_in(std::uint64_t times) { return below(times) == 0; }

  static std::string head(unsigned type_class, unsigned version, std::uint64_t bits,
                          std::uint64_t size) {
    return number(version << 4 | type_class, 1) + number(bits, 3) + number(size, 4);
  }
  static std::string name(std::uint64_t i, unsigned version) {
    std::string made = "member " + std::string(i % 5, 'x') + static_cast<char>('a' + i);
    made += '\0';
    if (version < 3) made.resize((made.size() + 7) / 8 * 8);
    return made;
  }
  static unsigned bytes_of(std::uint64_t value) {
    unsigned made = 1;
    while (value >>= 8) ++made;
    return made;
  }

  Encoded type(unsigned version, unsigned depth) {
    if (every_ && once_in(3)) return unusual(version);
    const std::uint64_t which = below(depth < 3 ? 14 : 8);
    switch (which) {
      case 0:
      case 1: return integer(0, version);
      case 2: return integer(4, version);
      case 3:
        return {head(1, version, 0x3f20, 8) + number(0, 2) + number(64, 2) + number(52, 1) +
                    number(11, 1) + number(0, 1) + number(52, 1) + number(1023, 4),
                8};
      case 4: {
        const std::uint64_t size = 1 + below(9);
        return {head(3, version, below(3) | below(2) << 4, size), size};
      }
      case 5: {
        const std::uint64_t size = 1 + below(9);
        return {head(5, version, 8, size) + std::string("tag\0\0\0\0\0", 8), size};
      }
      case 6:
      case 7: return reference(version);
      case 8:
      case 9: return compound(version, depth);
      case 10: return enumeration(version, depth);
      case 11: {
        const bool text = once_in(2);
        const Encoded base = text ? integer_of(3, version) : type(version, depth + 1);
        return {head(9, version, text ? 1 : 0, 16) + base.bytes, 16};
      }
      default: return array(std::max(version, 2U), depth);
    }
  }
  // Times, floats of any layout, texts with any padding and character set, tags of any length,
  // complex numbers.
  Encoded unusual(unsigned version) {
    if (version >= 5 && once_in(4)) {
      const std::string part = head(1, version, 0x3f20, 8) + number(0, 2) + number(64, 2) +
                               number(52, 1) + number(11, 1) + number(0, 1) + number(52, 1) +
                               number(1023, 4);
      return {head(11, version, 1, 16) + part, 16};
    }
    const std::uint64_t size = 1 + below(8), which = below(5);
    switch (which) {
      case 0: {
        const std::uint64_t order = below(2), precision = 1 + below(8 * size);
        return {head(2, version, order, size) + number(precision, 2), size};
      }
      case 1: {
        // The order, of which VAX needs two bits, the norm, and the position of the sign.
        constexpr std::uint64_t kOrders[] = {0, 1, 0x41};
        const std::uint64_t order = kOrders[below(version < 3 ? 2 : 3)], norm = below(3);
        const std::uint64_t exponent = 2 + below(5), mantissa = 1 + below(8);
        const std::uint64_t offset = below(3), sign = exponent + mantissa;
        constexpr std::uint64_t kBytes = 4;
        return {head(1, version, order | norm << 4 | sign << 8, kBytes) + number(offset, 2) +
                    number(sign + 1, 2) + number(mantissa, 1) + number(exponent, 1) + number(0, 1) +
                    number(mantissa, 1) + number(below(1'000), 4),
                kBytes};
      }
      case 2: {
        const std::uint64_t padding = below(4), set = below(3);
        return {head(3, version, padding | set << 4, size), size};
      }
      case 3: {
        const std::uint64_t padding = below(4), set = below(3);
        return {head(9, version, 1 | padding << 4 | set << 8, 16) + integer_of(3, version).bytes,
                16};
      }
      default: {
        const std::uint64_t letters = below(17), length = 8 * (1 + letters / 8);
        std::string tag = std::string(letters, 't');
        tag.resize(length);
        return {head(5, version, length, size) + tag, size};
      }
    }
  }
  Encoded integer(unsigned type_class, unsigned version) {
    const std::uint64_t size = std::uint64_t{1} << below(4);
    const std::uint64_t offset = once_in(3) ? below(4) : 0;
    std::uint64_t bits = type_class == 0 && once_in(2) ? 8 : 0;
    if (every_) bits |= below(2);  // the order
    return {
        head(type_class, version, bits, size) + number(offset, 2) + number(8 * size - offset, 2),
        size};
  }
  // One byte of text, as the base of a variable-length string.
  static Encoded integer_of(unsigned type_class, unsigned version) {
    return {head(type_class, version, 0, 1), 1};
  }
  Encoded reference(unsigned version) {
    const std::uint64_t kind = below(version >= 4 ? 5 : 2);
    return {head(7, version, kind > 1 ? kind | 0x10 : kind,
                 kind == 1   ? 12
                 : kind == 0 ? 8
                             : 18),
            kind == 1   ? 12U
            : kind == 0 ? 8U
                        : 18U};
  }
  Encoded compound(unsigned version, unsigned depth) {
    const std::uint64_t count = 1 + below(4);
    std::string members;
    std::uint64_t at = 0;
    std::vector<std::pair<std::uint64_t, std::string>> parts;
    for (std::uint64_t i = 0; i < count; ++i) {
      at += below(3);
      std::string dimensions;
      std::uint64_t times = 1;
      if (version == 1) {
        const unsigned rank = static_cast<unsigned>(below(3));
        dimensions = number(rank, 1) + number(0, 11);
        for (unsigned d = 0; d < 4; ++d) {
          const std::uint64_t extent = d < rank ? 1 + below(3) : 0;
          if (d < rank) times *= extent;
          dimensions += number(extent, 4);
        }
      }
      const Encoded member = type(version, depth + 1);
      parts.emplace_back(at, dimensions + member.bytes);
      at += times * member.size;
    }
    const std::uint64_t size = at + below(4);
    for (std::uint64_t i = 0; i < count; ++i)
      members += name(i, version) + number(parts[i].first, version < 3 ? 4 : bytes_of(size)) +
                 parts[i].second;
    return {head(6, version, count, size) + members, size};
  }
  Encoded enumeration(unsigned version, unsigned) {
    const Encoded base = integer(0, version);
    const std::uint64_t count = 1 + below(4);
    std::string names, values;
    for (std::uint64_t i = 0; i < count; ++i) {
      names += name(i, version);
      values += number(i, static_cast<unsigned>(base.size));
    }
    return {head(8, version, count, base.size) + base.bytes + names + values, base.size};
  }
  Encoded array(unsigned version, unsigned depth) {
    const unsigned rank = 1 + static_cast<unsigned>(below(3));
    std::string made = number(rank, 1), order;
    if (version < 3) made += number(0, 3);
    std::uint64_t count = 1;
    for (unsigned d = 0; d < rank; ++d) {
      const std::uint64_t extent = 1 + below(3);
      count *= extent;
      made += number(extent, 4);
      order += number(d, 4);
    }
    if (version < 3) made += order;
    const Encoded base = type(version, depth + 1);
    return {head(10, version, 0, count * base.size) + made + base.bytes, count * base.size};
  }

  bool every_;
  std::mt19937_64 random_;
};

}  // namespace hepcheck::hdf5::testing
