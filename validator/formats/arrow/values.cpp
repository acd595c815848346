// Schema.fbs: values of dates, times and decimals.
#include <array>
#include <format>

#include "validator/formats/arrow/array.h"
#include "validator/formats/arrow/rule.h"

namespace hepcheck::arrow {

namespace {

// The first wrong value, and the number of wrong values.
struct Values {
  const Array& array;
  std::uint64_t slot = 0, count = 0;
  std::string value{};
};

void report(const Values& it, const char* expected, Look& look) {
  look.looked(it.array.length());
  if (it.count == 0) return;
  const Place place =
      it.array.in(it.array.first, it.array.number_of_first(), it.slot * it.array.layout.width);
  look.move_to(*place.within, place.byte);
  look.fail(std::format("slot {}: {}", it.slot, it.value), expected, {}, it.count - 1);
}

constexpr Rule kDates("arrow-date-milliseconds-whole-days", [](const Values& it, Look& look) {
  report(it, "whole days, multiples of 86400000", look);
});
void within_one_day(const Values& it, Look& look) { report(it, "a time within one day", look); }
constexpr Rule<Values> kTimes[] = {{"arrow-time-value-range", within_one_day},
                                   {"arrow-time-within-one-day", within_one_day}};
constexpr Rule kDecimals("arrow-decimal-value-fits-precision", [](const Values& it, Look& look) {
  const std::string expected = std::format("{} digits or fewer", it.array.field.type.precision);
  report(it, expected.c_str(), look);
});

template <class T, class Good>
Values bad_values(const Array& array, const Seen& seen, Good good) {
  Values found{array};
  const std::byte* data = array.first.bytes.data();
  seen.each(array.length(), [&](std::uint64_t i) {
    const T value = load<T>(data + i * sizeof(T), array.order);
    if (good(value) || found.count++ > 0) return;
    found.slot = i;
    found.value = std::to_string(value);
  });
  return found;
}

Values bad_dates(const Array& array, const Seen& seen) {
  return bad_values<std::int64_t>(array, seen,
                                  [](std::int64_t value) { return value % 86'400'000 == 0; });
}

Values bad_times(const Array& array, const Seen& seen) {
  constexpr std::int64_t kDay[] = {86'400, 86'400'000, 86'400'000'000, 86'400'000'000'000};
  const std::int64_t day = kDay[array.field.type.unit];
  const auto good = [day](std::int64_t value) { return value >= 0 && value < day; };
  return array.layout.width == 4 ? bad_values<std::int32_t>(array, seen, good)
                                 : bad_values<std::int64_t>(array, seen, good);
}

// A magnitude of 256 bits, least significant word first.
using Wide = std::array<std::uint64_t, 4>;

bool less(const Wide& a, const Wide& b) {
  for (std::size_t i = a.size(); i-- > 0;)
    if (a[i] != b[i]) return a[i] < b[i];
  return false;
}

Wide times_ten(const Wide& value) {
  Wide made{};
  unsigned __int128 carry = 0;
  for (std::size_t i = 0; i < value.size(); ++i) {
    carry += static_cast<unsigned __int128>(value[i]) * 10;
    made[i] = static_cast<std::uint64_t>(carry);
    carry >>= 64;
  }
  return made;
}

Wide magnitude(const std::byte* at, std::uint64_t width, std::endian order) {
  std::byte bytes[32];
  for (std::uint64_t i = 0; i < width; ++i)
    bytes[i] = order == std::endian::little ? at[i] : at[width - 1 - i];
  const bool negative = (bytes[width - 1] & std::byte{0x80}) != std::byte{0};
  std::fill(bytes + width, bytes + 32, negative ? std::byte{0xFF} : std::byte{0});
  Wide made{};
  for (std::size_t i = 0; i < 4; ++i) made[i] = load<std::uint64_t>(bytes + 8 * i);
  if (!negative) return made;
  bool carry = true;
  for (std::uint64_t& word : made) {
    word = ~word + (carry ? 1 : 0);
    carry = carry && word == 0;
  }
  return made;
}

Values bad_decimals(const Array& array, const Seen& seen) {
  Wide limit{1};
  for (int i = 0; i < array.field.type.precision; ++i) limit = times_ten(limit);
  Values found{array};
  const std::uint64_t width = array.layout.width;
  seen.each(array.length(), [&](std::uint64_t i) {
    const std::byte* at = array.first.bytes.data() + i * width;
    if (less(magnitude(at, width, array.order), limit) || found.count++ > 0) return;
    found.slot = i;
    found.value = "0x";
    for (std::uint64_t k = 0; k < width; ++k)
      found.value += std::format(
          "{:02x}",
          static_cast<unsigned>(at[array.order == std::endian::little ? width - 1 - k : k]));
  });
  return found;
}

// A precision that exceeds the width has its own finding.
bool decimal_can_be_judged(const Type& type) {
  const int most = type.bit_width == 32    ? 9
                   : type.bit_width == 64  ? 18
                   : type.bit_width == 128 ? 38
                                           : 76;
  return type.precision >= 1 && type.precision <= most;
}

}  // namespace

bool has_value_rules(const Field& field) {
  switch (field.type.tag) {
    case TypeTag::kDate: return field.type.unit == 1;
    case TypeTag::kTime: return true;
    case TypeTag::kDecimal: return decimal_can_be_judged(field.type);
    default: return false;
  }
}

void judge_values(const Array& array, Notes& notes) {
  if (!has_value_rules(array.field)) return;
  const unsigned number = array.number_of_first();
  const Place place{.path = &array.path, .buffer = number, .byte = array.first.byte};
  switch (array.field.type.tag) {
    case TypeTag::kDate: block_if_unexamined<kDates>(array, array.first, number, notes); break;
    case TypeTag::kTime: block_if_unexamined<kTimes>(array, array.first, number, notes); break;
    default: block_if_unexamined<kDecimals>(array, array.first, number, notes);
  }
  if (!array.first.usable() || !array.first.open()) return;
  const VisibleSlots visible(array, array.length());
  if (!visible) {
    switch (array.field.type.tag) {
      case TypeTag::kDate: return visible.block_if_unexamined<kDates>(place, notes);
      case TypeTag::kTime: return visible.block_if_unexamined<kTimes>(place, notes);
      default: return visible.block_if_unexamined<kDecimals>(place, notes);
    }
  }
  switch (array.field.type.tag) {
    case TypeTag::kDate: judge_each<kDates>(bad_dates(array, visible.seen()), place, notes); break;
    case TypeTag::kTime: judge_each<kTimes>(bad_times(array, visible.seen()), place, notes); break;
    default: judge_each<kDecimals>(bad_decimals(array, visible.seen()), place, notes);
  }
}

void value_rules(RuleList& list) { list.values<kDates, kTimes, kDecimals>(); }

}  // namespace hepcheck::arrow
