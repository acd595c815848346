// Lists with any offsets, beyond the parts in which they are read, and maps with keys of every type
// that has an order. What is said of them is what a loop over the slots says.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <format>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "validator/formats/arrow/testing/build.h"
#include "validator/formats/arrow/testing/slots.h"
#include "validator/testing/random.h"

namespace hepcheck::arrow::random_lists {
namespace {

using namespace testing;  // NOLINT(google-build-using-namespace)

// --- Offsets -------------------------------------------------------------------------------------

// Slots that are looked at together, and those that one thread looks at.
constexpr std::size_t kPart = 16'384, kPiece = 1'048'576;

void compare_lists(std::uint64_t seed, std::size_t slots) {
  constexpr std::uint8_t kLargeListTag = 21;
  Random random(seed);
  const bool large = random.once_in(2);
  const Column column(random, slots);
  const std::uint64_t often[] = {1'000'000'000, slots, 40};
  const std::uint64_t rarely = random.one_of(often);
  std::vector<std::int64_t> offsets;
  std::int64_t next = random.once_in(6) ? random.once_in(2) ? 1 : -1 : 0;
  for (std::size_t i = 0; i <= slots; ++i) {
    offsets.push_back(random.once_in(rarely) ? next - 1 : next);
    if (random.once_in(2)) ++next;
  }
  std::vector<std::size_t> descents;
  for (std::size_t i = 0; i < slots; ++i)
    if (offsets[i + 1] < offsets[i]) descents.push_back(i);
  const std::int64_t child =
      std::max<std::int64_t>(0, offsets.back() - (random.once_in(4) ? 1 : 0));
  Bytes bytes;
  for (const std::int64_t each : offsets)
    bytes += large ? raw(each) : raw(static_cast<std::int32_t>(each));
  const auto rows = static_cast<std::int64_t>(slots);
  const Bytes stream =
      message(kSchemaTag, schema({field("l", large ? kLargeListTag : kListTag, {},
                                        {field("item", kIntTag, int_type(8))})})) +
      batch(rows, {{rows, column.null_count}, {child, 0}},
            {column.validity, bytes, "", Bytes(static_cast<std::size_t>(child), '\1')}) +
      end_of_stream();
  const std::vector<std::string> results =
      results_of(stream, "arrow-columnar-1.5",
                 {"arrow-list-first-offset-not-negative", "arrow-list-offsets-ascending",
                  "arrow-list-offsets-start-at-zero", "arrow-list-offsets-in-child"});
  const auto verdict = [](bool good, std::string_view name, std::int64_t offset) {
    return good ? std::string("pass 1") : std::format("fail 1: {} offset {}", name, offset);
  };
  EXPECT_EQ(results[0], verdict(offsets[0] >= 0, "first", offsets[0])) << seed;
  EXPECT_EQ(without_values(results[1]),
            descents.empty() ? std::string("pass 1")
                             : std::format("fail 1: slot {}", descents[0]) +
                                   (descents.size() > 1 ? std::format(" +{}", descents.size() - 1)
                                                        : std::string()))
      << seed << ' ' << slots;
  EXPECT_EQ(results[2],
            offsets[0] < 0 ? "not applicable" : verdict(offsets[0] == 0, "first", offsets[0]))
      << seed;
  EXPECT_EQ(results[3], descents.empty() ? verdict(offsets.back() <= child, "last", offsets.back())
                                         : "not applicable")
      << seed;
}

TEST(RandomLists, OfFewSlots) {
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    Random random(seed);
    compare_lists(seed, some_slots(random));
  }
}

TEST(RandomLists, OfManySlots) {
  constexpr std::size_t kSlots[] = {kPart - 1, kPart,     kPart + 1,     2 * kPart, 2 * kPart + 1,
                                    kPart + 1, 3 * kPart, 4 * kPart - 1, kPiece + 9};
  for (std::uint64_t seed = 0; seed < std::size(kSlots); ++seed) compare_lists(seed, kSlots[seed]);
}

// --- Keys of maps --------------------------------------------------------------------------------

// A key with the place that it has among others; none for NaN.
struct Key {
  std::optional<std::int64_t> order{};
  Bytes bytes{};
};

struct KeyType {
  std::string_view name;
  std::uint8_t tag;
  TableOf type{};
  Key (*make)(std::int64_t);  // from -100 to 100
};

template <class T>
Key integer(std::int64_t value) {
  // In unsigned numbers, the negative ones come last.
  const auto stored = static_cast<T>(value);
  return {static_cast<std::int64_t>(std::is_signed_v<T> || value >= 0 ? value : value + 1'000),
          raw(stored)};
}
template <class T>
Key floating(std::int64_t value) {
  if (value == 100) return {{}, raw(std::numeric_limits<T>::quiet_NaN())};
  return {value, raw(static_cast<T>(static_cast<T>(value) / 4))};
}
Key half(std::int64_t value) {
  if (value == 100) return {{}, raw(std::uint16_t{0x7E01})};
  const auto magnitude = static_cast<std::uint16_t>(0x3C00 + std::abs(value));
  return {value, raw(static_cast<std::uint16_t>(value == 0  ? 0x8000
                                                : value < 0 ? 0x8000 | magnitude
                                                            : magnitude))};
}
// Texts of one letter or two, and of more than a view contains.
Key text(std::int64_t value) {
  const std::int64_t above = value + 100;
  Bytes made(1, static_cast<char>('A' + above / 8));
  if (above % 8 > 0) made += static_cast<char>('a' + above % 8);
  if (above % 16 > 11) made += "and more than twelve";
  return {above, made};
}

TEST(RandomLists, KeysOfMaps) {
  constexpr std::uint8_t kDateTag = 8, kBinaryTag = 4, kLargeUtf8Tag = 20, kUtf8ViewTag = 24;
  const auto precision = [](std::int16_t unit) { return TableOf{{{0, raw(unit)}}}; };
  const std::vector<KeyType> types{{"int8", kIntTag, int_type(8), integer<std::int8_t>},
                                   {"uint8", kIntTag, int_type(8, false), integer<std::uint8_t>},
                                   {"int16", kIntTag, int_type(16), integer<std::int16_t>},
                                   {"uint16", kIntTag, int_type(16, false), integer<std::uint16_t>},
                                   {"int32", kIntTag, int_type(32), integer<std::int32_t>},
                                   {"uint32", kIntTag, int_type(32, false), integer<std::uint32_t>},
                                   {"int64", kIntTag, int_type(64), integer<std::int64_t>},
                                   {"uint64", kIntTag, int_type(64, false), integer<std::uint64_t>},
                                   {"date", kDateTag, precision(0), integer<std::int32_t>},
                                   {"half", kFloatTag, precision(0), half},
                                   {"float", kFloatTag, precision(1), floating<float>},
                                   {"double", kFloatTag, precision(2), floating<double>},
                                   {"utf8", kUtf8Tag, {}, text},
                                   {"binary", kBinaryTag, {}, text},
                                   {"large utf8", kLargeUtf8Tag, {}, text},
                                   {"view", kUtf8ViewTag, {}, text}};
  for (const KeyType& type : types)
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
      Random random(seed);
      const std::size_t slots = 1 + random.below(70);
      const Column column(random, slots);
      const bool big = random.once_in(3) && type.tag != kUtf8ViewTag;
      const std::uint64_t rarely = random.once_in(2) ? 1'000'000 : 12;
      std::vector<std::int32_t> offsets{0};
      std::vector<Key> keys;
      for (std::size_t slot = 0; slot < slots; ++slot) {
        std::vector<std::int64_t> values(random.below(5));
        for (std::int64_t& each : values) each = static_cast<std::int64_t>(random.below(201)) - 100;
        std::vector<Key> mine;
        for (const std::int64_t each : values) mine.push_back(type.make(each));
        std::ranges::stable_sort(mine, {}, [](const Key& key) { return key.order.value_or(0); });
        if (mine.size() > 1 && random.once_in(rarely)) std::swap(mine.front(), mine.back());
        keys.insert(keys.end(), mine.begin(), mine.end());
        offsets.push_back(static_cast<std::int32_t>(keys.size()));
      }
      std::size_t looked = 0, wrong = 0, first = 0, key = 0;
      for (std::size_t slot = 0; slot < slots; ++slot) {
        if (column.nulls[slot]) continue;
        ++looked;
        for (auto i = static_cast<std::size_t>(offsets[slot]) + 1;
             i < static_cast<std::size_t>(offsets[slot + 1]); ++i)
          if (keys[i].order && keys[i - 1].order && *keys[i].order < *keys[i - 1].order) {
            if (wrong++ == 0) first = slot, key = i;
            break;
          }
      }
      const auto number = [&](auto value) { return big ? raw(std::byteswap(value)) : raw(value); };
      Bytes of_offsets, data, key_offsets;
      for (const std::int32_t each : offsets) of_offsets += number(each);
      const bool texts = type.make == text, wide = type.tag == kLargeUtf8Tag;
      const auto end = [&] {
        return wide ? number(static_cast<std::int64_t>(data.size()))
                    : number(static_cast<std::int32_t>(data.size()));
      };
      std::vector<Bytes> key_buffers{""};
      if (type.tag == kUtf8ViewTag) {
        for (const Key& each : keys) {
          const auto size = static_cast<std::int32_t>(each.bytes.size());
          key_offsets += raw(size);
          if (size <= 12) {
            key_offsets += each.bytes + Bytes(12 - each.bytes.size(), '\0');
            continue;
          }
          key_offsets += each.bytes.substr(0, 4) +
                         raw_all(std::int32_t{0}, static_cast<std::int32_t>(data.size()));
          data += each.bytes;
        }
        key_buffers.insert(key_buffers.end(), {key_offsets, data});
      } else if (texts) {
        key_offsets = end();
        for (const Key& each : keys) {
          data += each.bytes;
          key_offsets += end();
        }
        key_buffers.insert(key_buffers.end(), {key_offsets, data});
      } else {
        for (const Key& each : keys) {
          Bytes bytes = each.bytes;
          if (big) std::ranges::reverse(bytes);
          data += bytes;
        }
        key_buffers.push_back(data);
      }
      const auto rows = static_cast<std::int64_t>(slots),
                 count = static_cast<std::int64_t>(keys.size());
      std::vector<Bytes> buffers{column.validity, of_offsets, ""};
      buffers.insert(buffers.end(), key_buffers.begin(), key_buffers.end());
      buffers.insert(buffers.end(), {"", Bytes(keys.size(), '\1')});
      const BodyOf body = body_of(buffers);
      TableOf header =
          record_batch(rows, {{rows, column.null_count}, {count, 0}, {count, 0}, {count, 0}}, body);
      if (type.tag == kUtf8ViewTag)
        header.fields.emplace_back(4u, Elements{8, raw(std::int64_t{1})});
      const TableOf entries = field(
          "entries", kStructTag, {},
          {field("key", type.tag, type.type, {}, false), field("value", kIntTag, int_type(8))},
          false);
      const Bytes stream =
          message(kSchemaTag,
                  schema({field("m", kMapTag, {{{0, raw(std::uint8_t{1})}}}, {entries})}, big)) +
          message(kRecordTag, header, body.bytes) + end_of_stream();
      const std::string result =
          result_of(stream, "arrow-columnar-1.5", "arrow-map-keys-sorted-true");
      std::string expected =
          wrong == 0 ? std::format("pass {}", looked)
                     : std::format("fail {}: slot {} of the map: key {} is below the one before",
                                   looked, first, key);
      if (wrong > 1) expected += std::format(" +{}", wrong - 1);
      if (looked == 0) expected = "not applicable";
      EXPECT_EQ(result, expected) << type.name << ' ' << seed << (big ? " big" : "");
    }
}

}  // namespace
}  // namespace hepcheck::arrow::random_lists
