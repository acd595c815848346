// Chapter 2.12: the indices of dictionary-encoded arrays.
#include <algorithm>
#include <bit>
#include <format>
#include <limits>
#include <type_traits>

#include "validator/formats/arrow/array.h"
#include "validator/formats/arrow/rule.h"
#include "validator/vectors.h"

namespace hepcheck::arrow {

namespace {

// The first negative index, and the number of negative indices.
struct Negative {
  const Array& array;
  std::uint64_t slot = 0, count = 0;
  std::int64_t value = 0;
};

constexpr Rule kNegative("arrow-dictionary-index-not-negative", [](const Negative& it, Look& look) {
  if (!it.array.field.encoding->is_signed) return;
  look.looked(it.array.length());
  if (it.count == 0) return;
  const Place place =
      it.array.in(it.array.first, it.array.number_of_first(), it.slot * it.array.layout.width);
  look.move_to(*place.within, place.byte);
  look.fail(std::format("slot {}: index {}", it.slot, it.value), "0 or more", {}, it.count - 1);
});

// The results collected slot by slot.
struct Gathered {
  Keys& keys;
  Negative& negative;
};

template <class T>
void gather(T key, std::uint64_t slot, Gathered& into) {
  auto& [keys, negative] = into;
  if (std::is_signed_v<T> && key < 0) {
    if (negative.count++ > 0) return;
    negative.slot = slot;
    negative.value = static_cast<std::int64_t>(key);
    return;
  }
  const auto value = static_cast<std::uint64_t>(key);
  if (keys.any && value <= keys.most) return;
  keys.any = true;
  keys.most = value;
  keys.most_at = slot;
}

constexpr std::uint64_t kKeysOfWord = 64;  // keys: as many as a word of a bitmap has bits

// Whether one of these exceeds the largest so far, without a branch for each.
template <class Unsigned>
[[gnu::always_inline]] inline bool any_exceeds(const std::byte* data, Unsigned most) {
  Unsigned more = 0;
  for (std::uint64_t i = 0; i < kKeysOfWord; ++i)
    more |= load<Unsigned>(data + i * sizeof most) > most ? Unsigned{1} : Unsigned{0};
  return more != 0;
}
HEPCHECK_VECTORS bool exceeds(const std::byte* data, std::uint8_t most) {
  return any_exceeds(data, most);
}
HEPCHECK_VECTORS bool exceeds(const std::byte* data, std::uint16_t most) {
  return any_exceeds(data, most);
}
HEPCHECK_VECTORS bool exceeds(const std::byte* data, std::uint32_t most) {
  return any_exceeds(data, most);
}
HEPCHECK_VECTORS bool exceeds(const std::byte* data, std::uint64_t most) {
  return any_exceeds(data, most);
}

// Whether it is certain that none of these keys changes the result, null or not.
template <class T>
bool all_known(const std::byte* data, std::uint64_t count, std::endian order, const Keys& keys) {
  constexpr T kMostOfType = std::numeric_limits<T>::max();
  if (count < kKeysOfWord || !keys.any || order != std::endian::native) return false;
  // As unsigned numbers, negative keys exceed all others.
  return !exceeds(
      data, static_cast<std::make_unsigned_t<T>>(std::min<std::uint64_t>(keys.most, kMostOfType)));
}

// Visits the keys of the first `length` slots that are seen, by each(slot, key). skip(keys, count,
// bits): whether none of up to kKeysOfWord keys, of which the bits are seen, is visited. False if
// they cannot be read.
template <class T>
bool read(const Array& array, std::uint64_t length, const Seen& seen, auto skip, auto each) {
  constexpr std::uint64_t kSlots = Parts::kSize / sizeof(T);
  Parts parts(*array.body, array.first);
  for (std::uint64_t begin = 0; begin < length; begin += kSlots) {
    const std::uint64_t count = std::min(kSlots, length - begin);
    const ByteSpan part = parts.read(begin * sizeof(T), count * sizeof(T));
    if (part.empty()) return false;
    for (std::uint64_t at = 0; at < count; at += kKeysOfWord) {
      const std::uint64_t some = std::min(kKeysOfWord, count - at);
      std::uint64_t bits = seen.word((begin + at) / kKeysOfWord) & within(some, 0);
      if (skip(part.data() + at * sizeof(T), some, bits)) continue;
      for (; bits; bits &= bits - 1) {
        const std::uint64_t i = at + static_cast<std::uint64_t>(std::countr_zero(bits));
        each(begin + i, load<T>(part.data() + i * sizeof(T), array.order));
      }
    }
  }
  return true;
}

// act.operator()<the type of the keys>()
bool with_key_type(const Array& array, auto act) {
  const bool is_signed = array.field.encoding->is_signed;
  switch (array.layout.width) {
    case 1:
      return is_signed ? act.template operator()<std::int8_t>()
                       : act.template operator()<std::uint8_t>();
    case 2:
      return is_signed ? act.template operator()<std::int16_t>()
                       : act.template operator()<std::uint16_t>();
    case 4:
      return is_signed ? act.template operator()<std::int32_t>()
                       : act.template operator()<std::uint32_t>();
    default:
      return is_signed ? act.template operator()<std::int64_t>()
                       : act.template operator()<std::uint64_t>();
  }
}

bool read_all(const Array& array, const Seen& seen, Gathered into) {
  return with_key_type(array, [&]<class T>() {
    const auto skip = [&](const std::byte* keys, std::uint64_t count, std::uint64_t bits) {
      into.keys.used |= bits != 0;
      return all_known<T>(keys, count, array.order, into.keys);
    };
    return read<T>(array, array.length(), seen, skip,
                   [&](std::uint64_t slot, T key) { gather(key, slot, into); });
  });
}

}  // namespace

Keys read_keys(Array& array, Notes& notes) {
  const unsigned number = array.number_of_first();
  Keys keys{.field = &array.field, .place = array.in(array.first, number)};
  const auto block_keys = [&] {
    keys.unexamined = array.first.unexamined();
    block_if_unexamined<kNegative>(array, array.first, number, notes);
    return keys;
  };
  if (!array.first.usable() || !array.first.open()) return block_keys();
  const VisibleSlots visible(array, array.length(), true);
  if (!visible) {
    keys.unexamined = visible.unexamined();
    visible.block_if_unexamined<kNegative>(keys.place, notes);
    return keys;
  }
  Negative negative{array};
  if (!read_all(array, visible.seen(), {keys, negative})) {
    break_off(array.first);
    return block_keys();
  }
  judge_each<kNegative>(negative, {.path = &array.path, .buffer = number, .byte = array.first.byte},
                        notes);
  keys.place = array.in(array.first, number, keys.most_at * array.layout.width);
  return keys;
}

bool each_key(const Array& array, std::uint64_t length, const Seen& seen, const OnKey& visit) {
  return with_key_type(array, [&]<class T>() {
    const auto skip = [](const std::byte*, std::uint64_t, std::uint64_t) { return false; };
    return read<T>(array, length, seen, skip, [&](std::uint64_t slot, T key) {
      if (!std::is_signed_v<T> || key >= 0) visit(slot, static_cast<std::uint64_t>(key));
    });
  });
}

void key_rules(RuleList& list) { list.values<kNegative>(); }

}  // namespace hepcheck::arrow
