// Streams of one column whose values, keys, ids or offsets are generated at the boundaries of the
// valid range: the findings equal those of a simple check slot by slot, literally.
#include <gtest/gtest.h>
#include <lz4frame.h>
#include <zstd.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <format>
#include <fstream>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "fuzz/properties/random_values.h"
#include "validator/bytes.h"
#include "validator/descriptor.h"
#include "validator/examine_file.h"
#include "validator/exchange/testing/folder.h"
#include "validator/formats/arrow/exchange/read_table.h"
#include "validator/formats/arrow/revision.h"
#include "validator/formats/arrow/testing/build.h"
#include "validator/formats/arrow/testing/judge.h"
#include "validator/incoming.h"
#include "validator/testing/incoming.h"
#include "validator/testing/memory_file.h"

namespace hepcheck::arrow {

namespace {

using namespace hepcheck::fuzz;
using testing::Bytes;
using testing::field;
using testing::raw;
using testing::raw_all;
using testing::TableOf;

using Findings = std::vector<std::string>;

constexpr std::uint8_t kIntTag = 2, kFloatTag = 3, kBinaryTag = 4, kUtf8Tag = 5, kDecimalTag = 7,
                       kTimeTag = 9, kTimestampTag = 10, kListTag = 12, kStructTag = 13,
                       kUnionTag = 14, kMapTag = 17, kLargeBinaryTag = 19, kLargeUtf8Tag = 20,
                       kLargeListTag = 21;

// The first wrong one, and the number of wrong ones.
class Wrong {
 public:
  void add(const std::string& what) {
    if (count_++ == 0) first_ = what;
  }
  bool any() const { return count_ > 0; }
  void put(const char* clause, Findings& into) const {
    if (count_ == 0) return;
    into.push_back(std::format("{}: {}", clause, first_));
    if (count_ > 1) into.back() += std::format(" +{}", count_ - 1);
  }

 private:
  std::uint64_t count_ = 0;
  std::string first_{};
};

// Except for findings about the type itself.
Findings findings_in(const Bytes& stream) {
  Findings all = testing::first_findings(stream);
  std::erase_if(
      all, [](const std::string& each) { return each.starts_with("arrow-type-newer-than-1-0"); });
  std::ranges::sort(all);
  return all;
}

Findings sorted(Findings all) {
  std::ranges::sort(all);
  return all;
}

std::uint64_t random_slots(Choices& c) {
  constexpr std::uint64_t kBoundaries[] = {0, 1, 2, 7, 8, 9, 63, 64, 65, 127, 128, 129};
  return kBoundaries[c.below(std::size(kBoundaries))];
}

// The null slots, and the findings of a batch about them.
struct Nulls {
  std::vector<bool> all{};
  std::int64_t count = 0;

  Bytes bitmap() const {
    if (count == 0) return {};
    Bytes made((all.size() + 7) / 8, '\0');
    for (std::size_t i = 0; i < all.size(); ++i)
      if (!all[i]) made[i / 8] = static_cast<char>(made[i / 8] | 1 << i % 8);
    return made;
  }
};

Nulls random_nulls(Choices& c, std::uint64_t slots) {
  Nulls made;
  const bool none = c.below(3) == 0;
  for (std::uint64_t i = 0; i < slots; ++i) {
    made.all.push_back(!none && c.below(4) == 0);
    made.count += made.all.back();
  }
  return made;
}

Bytes number(std::int64_t value, std::size_t width, bool big) {
  Bytes made = raw(value).substr(0, width);
  if (big) std::ranges::reverse(made);
  return made;
}

Bytes stream_of(const TableOf& column, bool big, std::int64_t length,
                const std::vector<testing::NodeOf>& nodes, const std::vector<Bytes>& buffers) {
  return testing::message(testing::kSchemaTag, testing::schema({column}, big)) +
         testing::batch(length, nodes, buffers);
}

struct Case {
  Bytes stream{};
  Findings expected{};
};

void showValue(const Case& it, std::ostream& out) {
  for (const std::string& each : it.expected) out << each << '\n';
}

// --- Decimals ------------------------------------------------------------------------------------

// Decimal digits as an integer of this many bytes, least significant first.
Bytes integer_of(const std::string& digits, bool negative, std::size_t width) {
  std::vector<unsigned> bytes(width, 0);
  for (const char digit : digits) {
    auto carry = static_cast<unsigned>(digit - '0');
    for (unsigned& byte : bytes) {
      carry += 10 * byte;
      byte = carry % 256;
      carry /= 256;
    }
  }
  if (negative) {
    unsigned carry = 1;
    for (unsigned& byte : bytes) {
      carry += 255 - byte;
      byte = carry % 256;
      carry /= 256;
    }
  }
  return {bytes.begin(), bytes.end()};
}

std::string random_digits(Choices& c, std::size_t precision, std::size_t width) {
  const std::size_t kinds = width == 4 ? 6 : width == 8 ? 7 : width == 16 ? 8 : 9;
  switch (c.below(kinds)) {
    case 0: return "0";
    case 1: return std::string(precision, '9');
    case 2: return '1' + std::string(precision - 1, '0');
    case 3: return c.below(4) == 0 ? '1' + std::string(precision, '0') : "7";
    case 4: return c.below(4) == 0 ? '1' + std::string(precision - 1, '0') + '1' : "12";
    case 5: return "3";
    case 6: return "4294967296";
    case 7: return "18446744073709551616";
    default: return "340282366920938463463374607431768211456";
  }
}

RC_GTEST_PROP(Streams, DecimalsFitTheirPrecision, ()) {
  const Case drawn = draw("decimals", [](Choices& c) {
    const std::size_t width = std::size_t{4} << c.below(4);
    const std::size_t most = width == 4 ? 9 : width == 8 ? 18 : width == 16 ? 38 : 76;
    const std::size_t precision = c.below(2) == 0 ? most - c.below(3) : 1 + c.below(most);
    const bool big = c.below(2) == 0;
    const Nulls nulls = random_nulls(c, random_slots(c));
    Bytes values;
    Wrong wrong;
    for (std::size_t i = 0; i < nulls.all.size(); ++i) {
      const std::string digits = random_digits(c, precision, width);
      Bytes value = integer_of(digits, c.below(2) == 0, width);
      std::ranges::reverse(value);
      std::string text = std::format("slot {}: 0x", i);
      for (const unsigned char byte : value) text += std::format("{:02x}", byte);
      if (digits.size() > precision && !nulls.all[i]) wrong.add(text);
      if (!big) std::ranges::reverse(value);
      values += value;
    }
    const TableOf type{{{0, raw(static_cast<std::int32_t>(precision))},
                        {1, raw(std::int32_t{2})},
                        {2, raw(static_cast<std::int32_t>(8 * width))}}};
    const auto length = static_cast<std::int64_t>(nulls.all.size());
    Case made{.stream = stream_of(field("d", kDecimalTag, type), big, length,
                                  {{length, nulls.count}}, {nulls.bitmap(), values})};
    wrong.put("arrow-decimal-value-fits-precision", made.expected);
    return made;
  });
  RC_ASSERT(findings_in(drawn.stream) == drawn.expected);
}

// --- Times ---------------------------------------------------------------------------------------

RC_GTEST_PROP(Streams, TimesAreWithinADay, ()) {
  const Case drawn = draw("times", [](Choices& c) {
    const auto unit = static_cast<std::int16_t>(c.below(4));
    const std::size_t width = unit < 2 ? 4 : 8;
    std::int64_t day = 24 * 60 * 60;
    for (std::int16_t i = 0; i < unit; ++i) day *= 1000;
    const bool big = c.below(2) == 0;
    const Nulls nulls = random_nulls(c, random_slots(c));
    const std::int64_t among[] = {0, 1, day - 1, day / 2, 86'399, day, -1};
    Bytes values;
    Wrong wrong;
    for (std::size_t i = 0; i < nulls.all.size(); ++i) {
      const std::int64_t value = among[c.below(c.below(4) == 0 ? 7 : 5)];
      if ((value < 0 || value >= day) && !nulls.all[i])
        wrong.add(std::format("slot {}: {}", i, value));
      values += number(value, width, big);
    }
    const TableOf type{{{0, raw(unit)}, {1, raw(static_cast<std::int32_t>(8 * width))}}};
    const auto length = static_cast<std::int64_t>(nulls.all.size());
    Case made{.stream = stream_of(field("t", kTimeTag, type), big, length, {{length, nulls.count}},
                                  {nulls.bitmap(), values})};
    wrong.put("arrow-time-value-range", made.expected);
    return made;
  });
  RC_ASSERT(findings_in(drawn.stream) == drawn.expected);
}

// --- Maps ----------------------------------------------------------------------------------------

// Keys of one type: the smallest, the next one and so on.
struct KeyType {
  std::uint8_t tag;
  TableOf type{};
  std::vector<Bytes> ascending{};  // in stored form; for texts the bytes
};

template <class Bits, class Real>
std::vector<std::int64_t> bits_of(std::initializer_list<Real> all) {
  std::vector<std::int64_t> made;
  for (const Real each : all) made.push_back(std::bit_cast<Bits>(each));
  return made;
}

KeyType random_key_type(Choices& c, bool big) {
  const auto numbers = [&](std::size_t width, const std::vector<std::int64_t>& all) {
    std::vector<Bytes> made;
    for (const std::int64_t each : all) made.push_back(number(each, width, big));
    return made;
  };
  const std::size_t width = std::size_t{1} << c.below(4);
  const std::int64_t middle = std::int64_t{1} << (8 * width - 2);
  const auto bits = static_cast<std::int32_t>(8 * width);
  switch (c.below(6)) {
    case 0: return {kIntTag, testing::int_type(bits), numbers(width, {-middle, -1, 0, 1, middle})};
    case 1:
      return {kIntTag, testing::int_type(bits, false), numbers(width, {0, 1, 2, middle, -2, -1})};
    case 2:
      return {kTimestampTag, {{{0, raw(std::int16_t{1})}}}, numbers(8, {-70'000, -1, 0, 70'000})};
    case 3:
      return {kFloatTag,
              {{{0, raw(std::int16_t{2})}}},
              numbers(8, bits_of<std::int64_t>({-1e300, -0.5, 1e-300, 1.0, 2.0}))};
    case 4:
      return {kFloatTag,
              {{{0, raw(std::int16_t{1})}}},
              numbers(4, bits_of<std::int32_t>({-1e30F, -0.5F, 1e-30F, 1.0F, 2.0F}))};
    default: {
      constexpr std::uint8_t kTags[] = {kBinaryTag, kUtf8Tag, kLargeBinaryTag, kLargeUtf8Tag};
      return {kTags[c.below(4)], {}, {"", "a", "aa", "ab", "b", "\xC3\xA9"}};
    }
  }
}

RC_GTEST_PROP(Streams, KeysOfAMapDoNotDescend, ()) {
  const Case drawn = draw("maps", [](Choices& c) {
    const bool big = c.below(2) == 0, promised = c.below(4) > 0;
    const KeyType type = random_key_type(c, big);
    const Nulls nulls = random_nulls(c, random_slots(c));
    const bool text = type.tag == kBinaryTag || type.tag == kUtf8Tag ||
                      type.tag == kLargeBinaryTag || type.tag == kLargeUtf8Tag;
    const std::size_t width = type.tag == kLargeBinaryTag || type.tag == kLargeUtf8Tag ? 8 : 4;
    Bytes offsets = number(0, 4, big), keys, key_offsets = number(0, width, big);
    std::int64_t count = 0;
    Wrong wrong;
    for (std::size_t i = 0; i < nulls.all.size(); ++i) {
      std::optional<std::int64_t> back;
      std::size_t last = 0;
      for (std::uint64_t k = 0, n = c.below(4); k < n; ++k) {
        const bool any = c.below(8) == 0;
        const std::size_t key = any ? c.below(type.ascending.size())
                                    : std::min(type.ascending.size() - 1, last + c.below(3));
        if (k > 0 && key < last && !back) back = count;
        last = key;
        keys += type.ascending[key];
        key_offsets += number(static_cast<std::int64_t>(keys.size()), width, big);
        ++count;
      }
      offsets += number(count, 4, big);
      if (back && promised && !nulls.all[i])
        wrong.add(std::format("slot {} of the map: key {} is below the one before", i, *back));
    }
    const TableOf column = field("m", kMapTag, {{{0, raw(static_cast<std::uint8_t>(promised))}}},
                                 {field("entries", kStructTag, {},
                                        {field("key", type.tag, type.type, {}, false),
                                         field("value", kIntTag, testing::int_type(8))},
                                        false)});
    const auto length = static_cast<std::int64_t>(nulls.all.size());
    std::vector<Bytes> buffers{nulls.bitmap(), offsets, "", ""};
    if (text) buffers.push_back(key_offsets);
    buffers.insert(buffers.end(), {keys, "", Bytes(static_cast<std::size_t>(count), '\0')});
    Case made{.stream =
                  stream_of(column, big, length,
                            {{length, nulls.count}, {count, 0}, {count, 0}, {count, 0}}, buffers)};
    wrong.put("arrow-map-keys-sorted-true", made.expected);
    return made;
  });
  RC_ASSERT(findings_in(drawn.stream) == drawn.expected);
}

// --- Unions --------------------------------------------------------------------------------------

RC_GTEST_PROP(Streams, UnionsSelectExistingSlots, ()) {
  const Case drawn = draw("union", [](Choices& c) {
    const bool dense = c.below(2) == 0, big = c.below(2) == 0;
    const std::int32_t ids[] = {c.below(2) == 0 ? 0 : 5, c.below(2) == 0 ? 127 : 1};
    const std::uint64_t slots = random_slots(c);
    const std::int64_t lengths[] = {4, 3};
    Bytes types, offsets;
    Wrong unknown, outside, back;
    std::array<std::int32_t, 2> last{};
    for (std::uint64_t i = 0; i < slots; ++i) {
      const std::size_t child = c.below(2);
      const bool odd = c.below(60) == 0;
      const auto id = static_cast<std::int8_t>(odd ? (c.below(2) == 0 ? -1 : 6) : ids[child]);
      if (odd) unknown.add(std::format("slot {}: type id {}", i, id));
      types += static_cast<char>(id);
      const std::int64_t most = lengths[child];
      const auto offset = static_cast<std::int32_t>(
          c.below(60) == 0   ? (c.below(2) == 0 ? -1 : most)
          : c.below(20) == 0 ? c.below(static_cast<std::uint64_t>(most))
                             : std::min<std::int64_t>(most - 1, last[child] + c.below(2)));
      if (offset < 0 || offset >= most) outside.add(std::format("slot {}: offset {}", i, offset));
      if (offset < last[child])
        back.add(std::format("slot {}: offset {} after {}", i, offset, last[child]));
      if (!odd) last[child] = offset;
      offsets += number(offset, 4, big);
    }
    const TableOf type{{{0, raw(static_cast<std::int16_t>(dense))},
                        {1, testing::Elements{4, raw(ids[0]) + raw(ids[1])}}}};
    const TableOf column = field(
        "u", kUnionTag, type,
        {field("a", kIntTag, testing::int_type(8)), field("b", kIntTag, testing::int_type(8))});
    const auto length = static_cast<std::int64_t>(slots);
    const std::int64_t a = dense ? lengths[0] : length, b = dense ? lengths[1] : length;
    std::vector<Bytes> buffers{types};
    if (dense) buffers.push_back(offsets);
    buffers.insert(buffers.end(), {"", Bytes(static_cast<std::size_t>(a), '\0'), "",
                                   Bytes(static_cast<std::size_t>(b), '\0')});
    Case made{.stream = stream_of(column, big, length, {{length, 0}, {a, 0}, {b, 0}}, buffers)};
    unknown.put("arrow-union-type-id-known", made.expected);
    if (dense && !unknown.any()) outside.put("arrow-dense-union-offset-in-child", made.expected);
    if (dense && !unknown.any() && !outside.any())
      back.put("arrow-dense-union-offsets-ascending", made.expected);
    return made;
  });
  RC_ASSERT(findings_in(drawn.stream) == drawn.expected);
}

// --- Offsets -------------------------------------------------------------------------------------

RC_GTEST_PROP(Streams, OffsetsAscendWithinTheData, ()) {
  const Case drawn = draw("offsets", [](Choices& c) {
    const bool list = c.below(2) == 0, large = c.below(2) == 0, big = c.below(2) == 0;
    const std::size_t width = large ? 8 : 4;
    const std::uint64_t slots = std::max<std::uint64_t>(1, random_slots(c));
    const std::uint64_t odd = c.below(2) == 0 ? 1000 : 10;
    std::int64_t at = c.below(odd) == 0 ? (c.below(2) == 0 ? -1 : 2) : 0;
    const std::int64_t first = at;
    Bytes offsets = number(at, width, big);
    Wrong back;
    for (std::uint64_t i = 0; i < slots; ++i) {
      const std::int64_t next =
          at + (c.below(odd) == 0 ? -1 : static_cast<std::int64_t>(c.below(3)));
      if (next < at) back.add(std::format("slot {}: offsets {}, {}", i, at, next));
      at = next;
      offsets += number(at, width, big);
    }
    const std::int64_t there = std::max<std::int64_t>(0, at - (c.below(4) == 0 ? 1 : 0));
    const std::uint8_t tag =
        list ? (large ? kLargeListTag : kListTag) : (large ? kLargeBinaryTag : kBinaryTag);
    testing::Tables children;
    if (list) children.push_back(field("item", kIntTag, testing::int_type(8)));
    const auto length = static_cast<std::int64_t>(slots);
    std::vector<testing::NodeOf> nodes{{length, 0}};
    std::vector<Bytes> buffers{"", offsets};
    if (list) {
      nodes.push_back({there, 0});
      buffers.emplace_back();
    }
    buffers.emplace_back(static_cast<std::size_t>(there), '\0');
    Case made{.stream = stream_of(field("l", tag, {}, children), big, length, nodes, buffers)};
    const std::string name = list ? "arrow-list-" : "arrow-binary-";
    const auto put = [&](bool wrong, const char* clause, const std::string& text) {
      if (wrong) made.expected.push_back(std::format("{}{}: {}", name, clause, text));
    };
    put(first < 0, "first-offset-not-negative", std::format("first offset {}", first));
    put(first > 0, "offsets-start-at-zero", std::format("first offset {}", first));
    back.put((name + "offsets-ascending").c_str(), made.expected);
    put(!back.any() && at > there, list ? "offsets-in-child" : "offsets-in-data",
        std::format("last offset {}", at));
    made.expected = sorted(std::move(made.expected));
    return made;
  });
  RC_ASSERT(findings_in(drawn.stream) == drawn.expected);
}

// 2^20 slots are processed together.
TEST(Streams, LastOfManyOffsetsIsWithinTheData) {
  constexpr std::int64_t kSlots = (1 << 20) + 1;
  for (const std::size_t there : {4u, 5u}) {
    const Bytes offsets = Bytes(4 * kSlots, '\0') + raw(std::int32_t{5});
    EXPECT_EQ(findings_in(stream_of(field("b", kBinaryTag), false, kSlots, {{kSlots, 0}},
                                    {"", offsets, Bytes(there, 'x')})),
              there == 5 ? Findings{} : Findings{"arrow-binary-offsets-in-data: last offset 5"});
  }
}

// --- Dictionaries --------------------------------------------------------------------------------

Bytes words(std::int32_t count, bool big = false) {
  Bytes offsets = raw(0);
  for (std::int32_t i = 1; i <= count; ++i) offsets += number(i, 4, big);
  const testing::BodyOf body =
      testing::body_of({"", offsets, Bytes(static_cast<std::size_t>(count), 'w')});
  return testing::message(
      testing::kDictionaryTag,
      testing::dictionary_batch(1, testing::record_batch(count, {{count, 0}}, body)), body.bytes);
}

RC_GTEST_PROP(Streams, KeysAreWithinTheDictionary, ()) {
  const Case drawn = draw("keys", [](Choices& c) {
    const std::size_t width = std::size_t{1} << c.below(4);
    const bool big = c.below(2) == 0;
    const auto count = static_cast<std::int32_t>(1 + c.below(4));
    const Nulls nulls = random_nulls(c, random_slots(c));
    Bytes keys;
    Wrong negative;
    std::int64_t most = 0;
    for (std::size_t i = 0; i < nulls.all.size(); ++i) {
      const std::int64_t least = width == 8 ? INT64_MIN : -(std::int64_t{1} << (8 * width - 1));
      const std::int64_t odd[] = {-1, least, count, 127};
      const std::int64_t key =
          c.below(30) == 0 ? odd[c.below(4)]
                           : static_cast<std::int64_t>(c.below(static_cast<std::uint64_t>(count)));
      if (key < 0 && !nulls.all[i]) negative.add(std::format("slot {}: index {}", i, key));
      if (!nulls.all[i]) most = std::max(most, key);
      keys += number(key, width, big);
    }
    const TableOf column = testing::dictionary(
        field("d", kUtf8Tag), 1, testing::int_type(static_cast<std::int32_t>(8 * width)));
    const auto length = static_cast<std::int64_t>(nulls.all.size());
    Case made{.stream = testing::message(testing::kSchemaTag, testing::schema({column}, big)) +
                        words(count, big) +
                        testing::batch(length, {{length, nulls.count}}, {nulls.bitmap(), keys})};
    if (most >= count)
      made.expected.push_back(std::format("arrow-dictionary-index-in-range: index {}", most));
    negative.put("arrow-dictionary-index-not-negative", made.expected);
    return made;
  });
  RC_ASSERT(findings_in(drawn.stream) == drawn.expected);
}

// Lists of words; the dictionary is replaced by one with fewer words than the lists need.
TEST(Streams, NestedKeysAreCheckedAfterReplacement) {
  const TableOf lists = testing::dictionary(
      field("l", kListTag, {}, {testing::dictionary(field("w", kUtf8Tag), 1)}), 0);
  const testing::BodyOf body =
      testing::body_of({"", raw(0) + raw(3), "", raw(0) + raw(1) + raw(2)});
  const Bytes begin = testing::message(testing::kSchemaTag, testing::schema({lists})) + words(3) +
                      testing::message(testing::kDictionaryTag,
                                       testing::dictionary_batch(
                                           0, testing::record_batch(1, {{1, 0}, {3, 0}}, body)),
                                       body.bytes);
  const Bytes row = testing::batch(1, {{1, 0}}, {"", raw(0)});
  EXPECT_EQ(findings_in(begin + row + words(3) + row), Findings{});
  EXPECT_EQ(findings_in(begin + row + words(2)), Findings{});
  EXPECT_EQ(findings_in(begin + row + words(2) + row),
            Findings{"arrow-dictionary-index-in-range: index 2"});
}

// --- Files ---------------------------------------------------------------------------------------

// The bytes between the magic and the footer; batches begin at these offsets of the file.
Bytes file_of(const Bytes& stream,
              const std::vector<std::pair<std::size_t, std::size_t>>& batches) {
  Bytes blocks;
  for (const auto& [at, size] : batches)
    blocks += raw_all(static_cast<std::int64_t>(at), static_cast<std::int64_t>(size - 64),
                      std::int64_t{64});
  const Bytes footer = testing::padded(
      testing::flatbuffer({{{0, raw(std::int16_t{4})},
                            {1, testing::schema({field("i", kIntTag, testing::int_type(8))})},
                            {3, testing::Elements{24, blocks}}}}));
  return Bytes("ARROW1\0\0", 8) + stream + footer + raw(static_cast<std::int32_t>(footer.size())) +
         "ARROW1";
}

std::uint64_t rows_of(const Bytes& file) {
  const auto read =
      read_table(hepcheck::Bytes::of_image(std::as_bytes(std::span(file)), "image"), {}, 1 << 20);
  EXPECT_TRUE(read.has_value());
  return read ? read->table.rows : 99;
}

// Before the stream, up to seven words of zeros are skipped.
TEST(Files, BeginWithinTheirFirst64Bytes) {
  const Bytes schema = testing::message(
      testing::kSchemaTag, testing::schema({field("i", kIntTag, testing::int_type(8))}));
  const Bytes batch = testing::batch(64, {{64, 0}}, {"", Bytes(64, 'x')});
  for (std::size_t zeros = 0; zeros < 10; ++zeros) {
    const std::size_t begin = 8 + 8 * zeros;
    const Bytes file = file_of(Bytes(8 * zeros, '\0') + schema + batch + testing::end_of_stream(),
                               {{begin + schema.size(), batch.size()}});
    Findings all = testing::first_findings(file);
    std::erase_if(all, [](const std::string& each) {
      return !each.starts_with("arrow-file-stream-at-eight");
    });
    EXPECT_EQ(all, zeros == 0 || begin > 64
                       ? Findings{}
                       : Findings{std::format("arrow-file-stream-at-eight: the stream begins at {}",
                                              begin)});
    if (begin > 64) continue;
    EXPECT_EQ(rows_of(file), 64u) << zeros;
  }
}

// The schema of the footer replaces that of the stream.
TEST(Files, AreReadWithoutAStream) { EXPECT_EQ(rows_of(file_of("", {})), 0u); }

// --- Schemas -------------------------------------------------------------------------------------

Findings findings_in_schema(const TableOf& schema) {
  return findings_in(testing::message(testing::kSchemaTag, schema));
}

TEST(Schemas, HaveFeaturesUpToTwo) {
  for (const std::int64_t feature : {-1, 0, 1, 2, 3}) {
    TableOf schema = testing::schema({field("i", kIntTag, testing::int_type())});
    schema.fields.emplace_back(3u, testing::Elements{8, raw(feature)});
    EXPECT_EQ(findings_in_schema(schema),
              feature >= 0 && feature <= 2
                  ? Findings{}
                  : Findings{std::format("arrow-schema-features-known: feature {}", feature)});
  }
}

TEST(Schemas, HaveOneTypePerIdAtAnyDepth) {
  const auto list = [](std::int64_t id, std::int64_t inner) {
    const TableOf word = testing::dictionary(field("w", kUtf8Tag), inner);
    return testing::dictionary(field("l", kListTag, {}, {field("s", kStructTag, {}, {word})}), id);
  };
  const auto clauses = [](const Findings& all) {
    return all.size() == 1 ? all[0].substr(0, all[0].find(':')) : std::to_string(all.size());
  };
  const std::string clause = "arrow-dictionary-shared-id-same-type";
  EXPECT_EQ(findings_in_schema(testing::schema({list(0, 1), list(0, 1)})), Findings{});
  EXPECT_EQ(clauses(findings_in_schema(testing::schema({list(0, 1), list(0, 2)}))), clause);
  EXPECT_EQ(clauses(findings_in_schema(testing::schema({list(0, 0)}))), clause);
}

// --- Streamed input ------------------------------------------------------------------------------

TEST(Pipes, DiscardedBytesAreNotExamined) {
  constexpr std::uint64_t kMost = 1 << 20;
  for (const std::uint64_t size : {kMost / 2, 8 * kMost}) {
    const std::string text(size, 'x');
    const Bytes stream = stream_of(field("t", kUtf8Tag), false, 1, {{1, 0}},
                                   {"", raw(0) + raw(static_cast<std::int32_t>(size)), text});
    const exchange::testing::Folder folder;
    const std::string path = folder.file("a.arrows");
    std::ofstream(path, std::ios::binary) << stream;
    const auto file = open_for_reading(path);
    ASSERT_TRUE(file.has_value());
    Incoming incoming(file->get(), kMost);
    const FileOptions options;
    const FileReport report =
        examine_bytes(hepcheck::Bytes::of_incoming(incoming, "-"),
                      {.spec = find_specification("arrow-columnar-1.0"), .options = options});
    ASSERT_EQ(report.subjects.size(), 1u);
    EXPECT_EQ(report.subjects[0].verdict,
              size < kMost ? SubjectVerdict::kPass : SubjectVerdict::kUnchecked);
    EXPECT_EQ(report.subjects[0].reason.contains("it does not fit in memory"), size > kMost)
        << report.subjects[0].reason;
  }
}

// The footer arrives last: the revision is chosen without waiting for it.
TEST(Pipes, RevisionIsChosenByTheBeginning) {
  const Descriptor file = memory_file(Bytes("ARROW1\0\0", 8) + Bytes(1 << 20, '\xFF'));
  Incoming incoming(file.get(), 1 << 20);
  const FileOptions options;
  const RevisionChoice chosen =
      choose_revision(hepcheck::Bytes::of_incoming(incoming, "-"), {.options = options});
  EXPECT_EQ(chosen.choice.by, ChosenBy::kDefault);
  EXPECT_EQ(incoming.size(), Incoming::kWithoutEnd);
}

// --- Compression ---------------------------------------------------------------------------------

Bytes compressed(bool lz4, const Bytes& plain) {
  Bytes made(
      lz4 ? LZ4F_compressFrameBound(plain.size(), nullptr) : ZSTD_compressBound(plain.size()),
      '\0');
  made.resize(
      lz4 ? LZ4F_compressFrame(made.data(), made.size(), plain.data(), plain.size(), nullptr)
          : ZSTD_compress(made.data(), made.size(), plain.data(), plain.size(), 1));
  return made;
}

// The bytes after the frame, and the finding of the prefix about them.
RC_GTEST_PROP(Streams, CompressedBuffersAreOneFrame, ()) {
  const Case drawn = draw("buffer", [](Choices& c) {
    const bool lz4 = c.below(2) == 0;
    constexpr std::int64_t kRows = 300;
    const Bytes magic = raw(lz4 ? 0x184D2204u : 0xFD2FB528u),
                frame = compressed(lz4, Bytes(kRows, 'x'));
    Case made;
    const auto say = [&](const std::string& clause, const std::string& what) {
      made.expected.push_back("arrow-compression-" + clause + ": " + what);
    };
    std::int64_t stated = kRows;
    Bytes bytes = frame;
    switch (c.below(6)) {
      case 0: {
        const Bytes behind[] = {"x", magic.substr(0, 3), magic, magic + "x", frame, "xxxx"};
        const Bytes& more = behind[c.below(std::size(behind))];
        bytes += more;
        if (lz4 && more.starts_with(magic))
          say("lz4-one-frame", std::format("another frame after {} bytes", frame.size()));
        else
          say("no-trailing-bytes", std::format("{} bytes more", more.size()));
        break;
      }
      case 1: {
        stated = kRows + 1 + static_cast<std::int64_t>(c.below(3));
        say("size-exact", std::format("{} bytes", kRows));
        break;
      }
      case 2: {
        stated = -2 - static_cast<std::int64_t>(c.below(3));
        say("length-valid", std::format("an uncompressed length of {}", stated));
        break;
      }
      case 3: {
        const std::size_t at = c.below(4);
        bytes[at] = static_cast<char>(bytes[at] ^ 1 << c.below(8));
        std::uint32_t first = 0;
        std::memcpy(&first, bytes.data(), sizeof first);
        say(lz4 ? "lz4-frame" : "zstd-frame", std::format("data that begin with {:#010x}", first));
        break;
      }
      case 4: {
        bytes.resize(c.below(4));
        say(lz4 ? "lz4-frame" : "zstd-frame", std::format("{} bytes of data", bytes.size()));
        break;
      }
      default:
        stated = -1;
        bytes = Bytes(kRows, 'x');
        break;
    }
    bytes = raw(stated) + bytes;
    if (c.below(8) == 0) {
      bytes.resize(1 + c.below(7));
      made.expected.clear();
      say("prefix-present", std::format("{} bytes", bytes.size()));
    }
    testing::BodyOf body = testing::body_of({"", bytes});
    TableOf header = testing::record_batch(kRows, {{kRows, 0}}, body);
    header.fields.emplace_back(3u, TableOf{{{0, raw(static_cast<std::int8_t>(!lz4))}}});
    made.stream = testing::message(testing::kSchemaTag,
                                   testing::schema({field("i", kIntTag, testing::int_type(8))})) +
                  testing::message(testing::kRecordTag, header, body.bytes);
    return made;
  });
  RC_ASSERT(findings_in(drawn.stream) == drawn.expected);
}

// --- Limits of flatbuffers -----------------------------------------------------------------------

SubjectVerdict verdict_of(const Bytes& schema) {
  const FileReport report = examine_image(std::as_bytes(std::span(schema)), "image", std::nullopt,
                                          find_specification("arrow-columnar-1.0"), {});
  return report.subjects.at(0).verdict;
}

// 80 tables below the message: the schema, the fields and the type of the innermost.
TEST(Limits, DepthOfFieldsIsLimited) {
  for (const std::uint64_t depth : {1, 77, 78, 79, 200}) {
    TableOf one = field("x", kStructTag);
    for (std::uint64_t i = 1; i < depth; ++i) one = field("x", kStructTag, {}, {std::move(one)});
    const Bytes stream = testing::message(testing::kSchemaTag, testing::schema({std::move(one)}));
    EXPECT_EQ(verdict_of(stream), depth <= 78 ? SubjectVerdict::kPass : SubjectVerdict::kUnchecked)
        << depth;
  }
}

// One field with a long name that is visited repeatedly: 256 MiB of strings, and 16 times the
// message.
TEST(Limits, RepeatedTextsAreLimited) {
  constexpr std::uint32_t kName = 1 << 20;
  for (const std::uint32_t fields : {271u, 272u, 273u, 290u}) {
    testing::Tables all{field(Bytes(kName, 'n'), kStructTag)};
    for (std::uint32_t i = 1; i < fields; ++i) all.push_back(field("", kStructTag));
    Bytes stream = testing::message(testing::kSchemaTag, testing::schema(std::move(all)));
    const std::size_t first = stream.find(raw(fields)) + 4;
    std::uint32_t target = 0;
    std::memcpy(&target, stream.data() + first, sizeof target);
    for (std::uint32_t i = 1; i < fields; ++i) {
      const std::uint32_t offset = target - 4 * i;
      std::memcpy(stream.data() + first + 4 * std::size_t{i}, &offset, sizeof offset);
    }
    EXPECT_EQ(verdict_of(stream),
              fields <= 272 ? SubjectVerdict::kPass : SubjectVerdict::kUnchecked)
        << fields;
  }
}

}  // namespace

}  // namespace hepcheck::arrow
