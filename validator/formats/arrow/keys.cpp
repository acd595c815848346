// Chapter 2.12: the indices of dictionary-encoded arrays.
#include <format>
#include <limits>

#include "validator/formats/arrow/array.h"
#include "validator/formats/arrow/rule.h"

namespace hepcheck::arrow {

namespace {

// The first index that is negative, and how many are.
struct Negative {
  const Array& array;
  std::uint64_t slot = 0, count = 0;
  std::int64_t value = 0;
};

void not_negative(const Negative& it, Look& look) {
  if (!it.array.field.encoding->is_signed) return;
  look.looked(it.array.length());
  if (it.count == 0) return;
  const Place place =
      it.array.in(it.array.first, it.array.number_of_first(), it.slot * it.array.layout.width);
  look.move_to(*place.within, place.byte);
  look.fail(std::format("slot {}: index {}", it.slot, it.value), "0 or more", {}, it.count - 1);
}

constexpr Rule<Negative> kNegative[] = {{"arrow-dictionary-index-not-negative", not_negative}};

template <class T>
void read(const Array& array, const Seen& seen, Keys& keys, Negative& negative) {
  const std::byte* data = array.first.bytes.data();
  seen.each(array.length(), [&](std::uint64_t i) {
    const T value = load<T>(data + i * sizeof(T), array.order);
    ++keys.used;
    if constexpr (std::is_signed_v<T>)
      if (value < 0) {
        if (negative.count++ == 0) {
          negative.slot = i;
          negative.value = value;
        }
        return;
      }
    const auto key = static_cast<std::uint64_t>(value);
    if (keys.any && key <= keys.most) return;
    keys.any = true;
    keys.most = key;
    keys.most_at = i;
  });
}

}  // namespace

Keys read_keys(const Array& array, Notes& notes) {
  Keys keys{.field = &array.field};
  if (array.first.bytes.size() < array.first.size) return keys;
  const Sight sight(array, array.length(), true);
  if (!sight) return keys;
  Negative negative{array};
  const bool is_signed = array.field.encoding->is_signed;
  const Seen& seen = sight.seen();
  switch (array.layout.width) {
    case 1:
      is_signed ? read<std::int8_t>(array, seen, keys, negative)
                : read<std::uint8_t>(array, seen, keys, negative);
      break;
    case 2:
      is_signed ? read<std::int16_t>(array, seen, keys, negative)
                : read<std::uint16_t>(array, seen, keys, negative);
      break;
    case 4:
      is_signed ? read<std::int32_t>(array, seen, keys, negative)
                : read<std::uint32_t>(array, seen, keys, negative);
      break;
    default:
      is_signed ? read<std::int64_t>(array, seen, keys, negative)
                : read<std::uint64_t>(array, seen, keys, negative);
  }
  const unsigned buffer = array.number_of_first();
  judge_each<kNegative>(negative, {.path = &array.path, .buffer = buffer, .byte = array.first.byte},
                        notes);
  keys.place = array.in(array.first, buffer, keys.most_at * array.layout.width);
  return keys;
}

void key_rules(std::vector<RuleHead>& heads) { list(kNegative, heads, true); }

}  // namespace hepcheck::arrow
