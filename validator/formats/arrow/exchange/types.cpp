#include "validator/formats/arrow/exchange/types.h"

#include <array>
#include <charconv>
#include <format>
#include <string_view>

namespace hepcheck::arrow {

namespace {

constexpr std::array<std::string_view, 4> kUnits{"s", "ms", "us", "ns"};
constexpr std::array<std::string_view, 2> kDateUnits{"day", "ms"};
constexpr std::array<std::string_view, 3> kIntervals{"year-month", "day-time", "month-day-nano"};

template <std::size_t kCount>
std::optional<std::int16_t> place_in(const std::array<std::string_view, kCount>& words,
                                     std::string_view word) {
  for (std::size_t i = 0; i < kCount; ++i)
    if (words[i] == word) return static_cast<std::int16_t>(i);
  return std::nullopt;
}

template <std::size_t kCount>
std::optional<std::string> with_unit(std::string_view name,
                                     const std::array<std::string_view, kCount>& words,
                                     std::int16_t unit) {
  if (unit < 0 || static_cast<std::size_t>(unit) >= kCount) return std::nullopt;
  return std::format("{}[{}]", name, words[static_cast<std::size_t>(unit)]);
}

// The text between `before` and `after`, if the text begins and ends with them.
std::optional<std::string_view> between(std::string_view text, std::string_view before,
                                        std::string_view after) {
  if (!text.starts_with(before) || !text.ends_with(after) ||
      text.size() < before.size() + after.size())
    return std::nullopt;
  text.remove_prefix(before.size());
  text.remove_suffix(after.size());
  return text;
}

std::optional<std::int32_t> number(std::string_view text) {
  std::int32_t value = 0;
  const auto [end, trouble] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (trouble != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::optional<Type> decimal(std::string_view meaning) {
  for (const std::int32_t width : {32, 64, 128, 256}) {
    const auto inside = between(meaning, std::format("decimal{}(", width), ")");
    if (!inside) continue;
    const std::size_t comma = inside->find(", ");
    if (comma == std::string_view::npos) return std::nullopt;
    const auto precision = number(inside->substr(0, comma));
    const auto scale = number(inside->substr(comma + 2));
    if (!precision || !scale || *precision < 1) return std::nullopt;
    return Type{
        .tag = TypeTag::kDecimal, .bit_width = width, .precision = *precision, .scale = *scale};
  }
  return std::nullopt;
}

bool is_integer(const exchange::Type& type, std::uint64_t width) {
  return type.kind == exchange::Kind::kInteger && type.is_signed && type.width == width &&
         !type.labels;
}

bool is_struct_of(const exchange::Type& type, std::initializer_list<std::uint64_t> widths) {
  if (type.kind != exchange::Kind::kStruct || type.children.size() != widths.size()) return false;
  std::size_t i = 0;
  for (const std::uint64_t width : widths)
    if (!is_integer(type.children[i++].type, width)) return false;
  return true;
}

std::optional<Type> if_it(bool holds, Type type) {
  return holds ? std::optional(std::move(type)) : std::nullopt;
}

std::optional<Type> interval_meant(const exchange::Type& type, std::string_view unit) {
  const auto place = place_in(kIntervals, unit);
  if (!place) return std::nullopt;
  const bool fits = *place == 0   ? is_integer(type, 4)
                    : *place == 1 ? is_struct_of(type, {4, 4})
                                  : is_struct_of(type, {4, 4, 8});
  return if_it(fits, {.tag = TypeTag::kInterval, .unit = *place});
}

}  // namespace

std::optional<std::string> meaning_of(const Type& type) {
  switch (type.tag) {
    case TypeTag::kDate: return with_unit("date", kDateUnits, type.unit);
    case TypeTag::kTime: return with_unit("time", kUnits, type.unit);
    case TypeTag::kDuration: return with_unit("duration", kUnits, type.unit);
    case TypeTag::kInterval: return with_unit("interval", kIntervals, type.unit);
    case TypeTag::kDecimal:
      return std::format("decimal{}({}, {})", type.bit_width, type.precision, type.scale);
    case TypeTag::kTimestamp: {
      auto text = with_unit("timestamp", kUnits, type.unit);
      if (text && !type.timezone.empty())
        text->insert(text->size() - 1, std::format(", {}", type.timezone));
      return text;
    }
    default: return std::nullopt;
  }
}

std::optional<Type> type_meant(const exchange::Type& type) {
  const std::string_view meaning = type.meaning;
  if (const auto unit = between(meaning, "date[", "]"))
    if (const auto place = place_in(kDateUnits, *unit))
      return if_it(is_integer(type, *place == 0 ? 4 : 8), {.tag = TypeTag::kDate, .unit = *place});
  if (const auto unit = between(meaning, "time[", "]"))
    if (const auto place = place_in(kUnits, *unit)) {
      const std::int32_t width = *place < 2 ? 32 : 64;
      return if_it(is_integer(type, static_cast<std::uint64_t>(width) / 8),
                   {.tag = TypeTag::kTime, .bit_width = width, .unit = *place});
    }
  if (const auto unit = between(meaning, "duration[", "]"))
    if (const auto place = place_in(kUnits, *unit))
      return if_it(is_integer(type, 8), {.tag = TypeTag::kDuration, .unit = *place});
  if (const auto inside = between(meaning, "timestamp[", "]")) {
    const std::size_t comma = inside->find(", ");
    if (const auto place = place_in(kUnits, inside->substr(0, comma)))
      return if_it(is_integer(type, 8),
                   {.tag = TypeTag::kTimestamp,
                    .unit = *place,
                    .timezone = comma == std::string_view::npos ? "" : inside->substr(comma + 2)});
  }
  if (const auto unit = between(meaning, "interval[", "]")) return interval_meant(type, *unit);
  if (auto made = decimal(meaning)) return if_it(is_integer(type, 8), std::move(*made));
  return std::nullopt;
}

}  // namespace hepcheck::arrow
