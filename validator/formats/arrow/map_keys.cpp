// Schema.fbs: the keys of a map that declares them sorted.
#include <cmath>
#include <cstring>
#include <format>
#include <optional>
#include <utility>

#include "validator/formats/arrow/rule.h"
#include "validator/formats/arrow/views.h"

namespace hepcheck::arrow {

namespace {

// The first slot of the map with descending keys, and the number of such slots.
struct Order {
  const Array& keys;
  std::uint64_t looked = 0, count = 0, slot = 0, key = 0;
};

constexpr Rule kSorted("arrow-map-keys-sorted-true", [](const Order& it, Look& look) {
  look.looked(it.looked);
  if (it.count > 0)
    look.fail(std::format("slot {} of the map: key {} is below the one before", it.slot, it.key),
              "keys that do not descend within a value", {}, it.count - 1);
});

// Whether key i is below key i - 1, for keys of a type that has an order.
using KeyDescends = std::function<bool(std::uint64_t i)>;

template <class T>
KeyDescends descending(const Array& keys) {
  return [data = keys.first.bytes.data(), order = keys.order](std::uint64_t i) {
    return load<T>(data + i * sizeof(T), order) < load<T>(data + (i - 1) * sizeof(T), order);
  };
}

template <class T, class Bits>
KeyDescends descending_float(const Array& keys) {
  const auto value = [data = keys.first.bytes.data(), order = keys.order](std::uint64_t i) {
    return std::bit_cast<T>(load<Bits>(data + i * sizeof(Bits), order));
  };
  return [value](std::uint64_t i) { return value(i) < value(i - 1); };  // false for NaN
}

// Of 16 bits: the sign, and a magnitude that ascends with its bits.
KeyDescends descending_half(const Array& keys) {
  const auto bits = [data = keys.first.bytes.data(), order = keys.order](std::uint64_t i) {
    return int{load<std::uint16_t>(data + i * sizeof(std::uint16_t), order)};
  };
  return [bits](std::uint64_t i) {
    constexpr int kMagnitude = 0x7FFF, kInfinity = 0x7C00;
    const auto value = [](int key) { return key > kMagnitude ? -(key & kMagnitude) : key; };
    const int here = bits(i), before = bits(i - 1);
    return (here & kMagnitude) <= kInfinity && (before & kMagnitude) <= kInfinity &&
           value(here) < value(before);
  };
}

KeyDescends descending_bytes(const Array& keys) {
  const auto value = [&keys](std::uint64_t i) {
    const auto begin =
        static_cast<std::uint64_t>(offset_at(keys.first.bytes, i, keys.layout.width, keys.order));
    const auto end = static_cast<std::uint64_t>(
        offset_at(keys.first.bytes, i + 1, keys.layout.width, keys.order));
    return std::string_view(reinterpret_cast<const char*>(keys.second.bytes.data()) + begin,
                            end - begin);
  };
  return [value](std::uint64_t i) { return value(i) < value(i - 1); };
}

// Views of keys that a null hides were not judged: a key that leads nowhere has no order.
KeyDescends descending_views(const Array& keys, std::span<const Loaded> data) {
  const auto value = [&keys, data](std::uint64_t i) -> std::optional<std::string_view> {
    const View view{keys.first.bytes.data() + 16 * i, keys.order};
    const auto text = [](ByteSpan bytes) {
      return std::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    };
    if (view.length() < 0) return std::nullopt;
    if (view.is_inline()) return text(view.inline_bytes());
    const auto length = static_cast<std::uint64_t>(view.length());
    if (view.index() < 0 || std::cmp_greater_equal(view.index(), data.size()) || view.offset() < 0)
      return std::nullopt;
    const ByteSpan bytes = data[static_cast<std::size_t>(view.index())].bytes;
    const auto begin = static_cast<std::uint64_t>(view.offset());
    if (begin > bytes.size() || length > bytes.size() - begin) return std::nullopt;
    return text(bytes.subspan(begin, length));
  };
  return [value](std::uint64_t i) {
    const auto before = value(i - 1), here = value(i);
    return before && here && *here < *before;
  };
}

KeyDescends descending_int(const Array& keys, bool is_signed) {
  switch (keys.layout.width) {
    case 1: return is_signed ? descending<std::int8_t>(keys) : descending<std::uint8_t>(keys);
    case 2: return is_signed ? descending<std::int16_t>(keys) : descending<std::uint16_t>(keys);
    case 4: return is_signed ? descending<std::int32_t>(keys) : descending<std::uint32_t>(keys);
    default: return is_signed ? descending<std::int64_t>(keys) : descending<std::uint64_t>(keys);
  }
}

// None for keys of other types.
KeyDescends order_of(const Array& keys, std::span<const Loaded> data) {
  if (keys.layout.kind == ArrayLayout::Kind::kDictionary) return {};
  switch (keys.field.type.tag) {
    case TypeTag::kInt: return descending_int(keys, keys.field.type.is_signed);
    case TypeTag::kDate:
    case TypeTag::kTime:
    case TypeTag::kTimestamp:
    case TypeTag::kDuration: return descending_int(keys, true);
    case TypeTag::kFloatingPoint:
      return keys.layout.width == 2   ? descending_half(keys)
             : keys.layout.width == 4 ? descending_float<float, std::uint32_t>(keys)
                                      : descending_float<double, std::uint64_t>(keys);
    case TypeTag::kUtf8:
    case TypeTag::kLargeUtf8:
    case TypeTag::kBinary:
    case TypeTag::kLargeBinary: return descending_bytes(keys);
    case TypeTag::kUtf8View:
    case TypeTag::kBinaryView: return descending_views(keys, data);
    default: return {};
  }
}

}  // namespace

void judge_key_order(const Array& keys, const MapSlots& slots, Notes& notes,
                     std::span<const Loaded> data) {
  const KeyDescends key_descends = order_of(keys, data);
  const VisibleSlots visible(slots.map, slots.map.length());
  if (!key_descends) return;
  if (!visible) return visible.block_if_unexamined<kSorted>(keys.place(), notes);
  for (const Loaded* each : {&keys.validity, &keys.first, &keys.second})
    block_if_unexamined<kSorted>(keys, *each, keys.number_of_first(), notes);
  for (std::size_t i = 0; i < data.size(); ++i)
    block_if_unexamined<kSorted>(keys, data[i],
                                 keys.number_of_first() + 1 + static_cast<unsigned>(i), notes);
  if (!keys.readable || !keys.nulls_known || keys.zeros.value_or(0) > 0) return;
  Order order{keys};
  visible.seen().each(slots.map.length(), [&](std::uint64_t slot) {
    const auto begin = static_cast<std::uint64_t>(offset_at(slots.offsets, slot, 4, keys.order));
    const auto end =
        std::min(keys.length(),
                 static_cast<std::uint64_t>(offset_at(slots.offsets, slot + 1, 4, keys.order)));
    ++order.looked;
    for (std::uint64_t i = begin + 1; i < end; ++i) {
      if (!key_descends(i)) continue;
      if (order.count++ == 0) {
        order.slot = slot;
        order.key = i;
      }
      break;
    }
  });
  judge_each<kSorted>(order, keys.place(), notes);
}

void map_key_rules(RuleList& list) { list.values<kSorted>(); }

}  // namespace hepcheck::arrow
