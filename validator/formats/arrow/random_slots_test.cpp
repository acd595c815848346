// Arrays of any values, of which some are wrong: which slot is named first, and how many there are,
// is what a loop over the slots says.
#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "validator/formats/arrow/testing/build.h"
#include "validator/formats/arrow/testing/slots.h"
#include "validator/testing/random.h"

namespace hepcheck::arrow::random_slots {
namespace {

using namespace testing;  // NOLINT(google-build-using-namespace)

constexpr std::uint64_t kTimes = 150;

// A value that a clause wants, or any other one, rarely or often.
std::int64_t mostly(Random& random, std::uint64_t rarely, std::int64_t good, std::int64_t other) {
  return random.once_in(rarely) ? other : good;
}

struct Values {
  std::string_view clause;
  TableOf field;
  unsigned width;
  std::int64_t good, other;  // a value that is wanted, and one that is not
};

TEST(RandomSlots, OfNumbers) {
  constexpr std::int64_t kDay = 86'400'000;
  const auto decimal = [](std::int32_t precision, std::int32_t width) {
    return TableOf{{{0, raw(precision)}, {1, raw(0)}, {2, raw(width)}}};
  };
  const Values all[] = {
      {"arrow-date-milliseconds-whole-days", testing::field("d", 8, {{{0, raw(std::int16_t{1})}}}),
       8, 5 * kDay, 5 * kDay + 1},
      {"arrow-time-within-one-day",
       testing::field("t", 9, {{{0, raw(std::int16_t{0})}, {1, raw(32)}}}), 4, 86'399, 86'400},
      {"arrow-time-within-one-day",
       testing::field("t", 9, {{{0, raw(std::int16_t{1})}, {1, raw(32)}}}), 4, 0, -1},
      {"arrow-decimal-value-fits-precision", testing::field("n", 7, decimal(3, 32)), 4, -999,
       1'000},
      {"arrow-decimal-value-fits-precision", testing::field("n", 7, decimal(3, 64)), 8, 999,
       -1'000},
      {"arrow-decimal-value-fits-precision", testing::field("n", 7, decimal(3, 128)), 16, 999,
       1'000},
      {"arrow-decimal-value-fits-precision", testing::field("n", 7, decimal(3, 256)), 32, -999,
       -1'000},
      {"arrow-dictionary-index-not-negative", dictionary(testing::field("k", kUtf8Tag), 0), 4, 0,
       -1},
  };
  for (const Values& each : all)
    for (std::uint64_t seed = 0; seed < kTimes; ++seed) {
      Random random(seed);
      const Column column(random, some_slots(random));
      const std::uint64_t rarely = random.once_in(3) ? 1'000 : random.once_in(2) ? 40 : 2;
      std::vector<bool> good;
      Bytes values;
      for (std::size_t i = 0; i < column.nulls.size(); ++i) {
        const std::int64_t value = mostly(random, rarely, each.good, each.other);
        good.push_back(value == each.good);
        for (unsigned byte = 0; byte < each.width; ++byte)
          values += static_cast<char>(byte < 8 ? value >> 8 * byte : value >> 63);
      }
      const auto slots = static_cast<std::int64_t>(column.nulls.size());
      const Bytes entry =
          message(kDictionaryTag,
                  dictionary_batch(0, record_batch(1, {{1, 0}}, body_of({"", raw_all(0, 1), "x"}))),
                  body_of({"", raw_all(0, 1), "x"}).bytes);
      const Bytes stream = message(kSchemaTag, schema({each.field})) +
                           (each.clause.starts_with("arrow-dictionary") ? entry : Bytes()) +
                           batch(slots, {{slots, column.null_count}}, {column.validity, values}) +
                           end_of_stream();
      EXPECT_EQ(found(stream, each.clause), wanted(column, [&](std::size_t i) { return good[i]; }))
          << each.clause << ' ' << each.width << ' ' << seed;
    }
}

// Offsets of the slots of a dense union: inside the child, and not before the one of the slot
// before that has the same child.
TEST(RandomSlots, OfDenseUnions) {
  const TableOf type = testing::field(
      "u", kUnionTag, {{{0, raw(std::int16_t{1})}}},
      {testing::field("a", kIntTag, int_type()), testing::field("b", kIntTag, int_type())});
  for (std::uint64_t seed = 0; seed < kTimes; ++seed) {
    Random random(seed);
    const std::size_t slots = some_slots(random);
    Column column(random, slots);
    column.nulls.assign(slots, false);  // a union has none
    const bool outside = random.once_in(3), back = random.once_in(2);
    const std::int32_t length = 50;
    std::array<std::int32_t, 2> last{};
    std::vector<bool> inside, ascends;
    Bytes ids, offsets;
    for (std::size_t i = 0; i < slots; ++i) {
      const std::size_t child = random.below(2);
      std::int32_t offset =
          std::min(length - 1, last[child] + static_cast<std::int32_t>(random.below(2)));
      if (back && random.once_in(20)) offset = static_cast<std::int32_t>(random.below(50));
      if (outside && random.once_in(30)) offset = random.once_in(2) ? length : -1;
      inside.push_back(offset >= 0 && offset < length);
      ascends.push_back(offset >= last[child]);
      last[child] = offset;
      ids += static_cast<char>(child);
      offsets += raw(offset);
    }
    const auto rows = static_cast<std::int64_t>(slots);
    const Bytes values(4 * static_cast<std::size_t>(length), '\1');
    const Bytes stream =
        message(kSchemaTag, schema({type})) +
        batch(rows, {{rows, 0}, {length, 0}, {length, 0}}, {ids, offsets, "", values, "", values}) +
        end_of_stream();
    const std::string places = wanted(column, [&](std::size_t i) { return inside[i]; });
    EXPECT_EQ(found(stream, "arrow-dense-union-offset-in-child"), places) << seed;
    if (places.starts_with("pass")) {
      EXPECT_EQ(found(stream, "arrow-dense-union-offsets-ascending"),
                wanted(column, [&](std::size_t i) { return ascends[i]; }))
          << seed;
    }
  }
}

// The places of lists of any order, null ones included.
TEST(RandomSlots, OfListViews) {
  const TableOf type = testing::field("l", 25, {}, {testing::field("item", kIntTag, int_type())});
  for (std::uint64_t seed = 0; seed < kTimes; ++seed) {
    Random random(seed);
    const Column column(random, some_slots(random));
    const std::int32_t length = 20;
    const std::uint64_t rarely = random.once_in(2) ? 10'000 : 40;
    std::vector<std::int32_t> begins, sizes;
    Bytes offsets, counts;
    for (std::size_t i = 0; i < column.nulls.size(); ++i) {
      const auto begin = static_cast<std::int32_t>(
          random.once_in(rarely) ? (random.once_in(2) ? -1 : length + 1) : random.below(21));
      const std::int32_t rest = std::clamp(length - begin, 0, length);
      std::int32_t size =
          random.once_in(2)
              ? rest
              : static_cast<std::int32_t>(random.below(1 + static_cast<std::uint64_t>(rest)));
      if (random.once_in(rarely)) size = random.once_in(2) ? -1 : rest + 1;
      begins.push_back(begin);
      sizes.push_back(size);
      offsets += raw(begin);
      counts += raw(size);
    }
    const auto rows = static_cast<std::int64_t>(column.nulls.size());
    const Bytes stream = message(kSchemaTag, schema({type})) +
                         batch(rows, {{rows, column.null_count}, {length, 0}},
                               {column.validity, offsets, counts, "", Bytes(80, '\1')}) +
                         end_of_stream();
    const auto begin_good = [&](std::size_t i) { return begins[i] >= 0 && begins[i] <= length; };
    EXPECT_EQ(found(stream, "arrow-list-view-offset-in-child"), wanted(column, begin_good, true))
        << seed;
    EXPECT_EQ(found(stream, "arrow-list-view-size-not-negative"),
              wanted(
                  column, [&](std::size_t i) { return sizes[i] >= 0; }, true))
        << seed;
    EXPECT_EQ(found(stream, "arrow-list-view-end-in-child"),
              wanted(
                  column,
                  [&](std::size_t i) {
                    return !begin_good(i) || sizes[i] < 0 || begins[i] + sizes[i] <= length;
                  },
                  true))
        << seed;
  }
}

}  // namespace
}  // namespace hepcheck::arrow::random_slots
