// Values of extension types in arrays of any shape: tensors whose parts are null, of other sizes or
// longer than the array, numbers below run ends that may be wrong, and dictionaries of which too
// much is kept. What is said of them is what a loop over the slots says.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <format>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "validator/formats/arrow/testing/build.h"
#include "validator/formats/arrow/testing/slots.h"
#include "validator/testing/random.h"

namespace hepcheck::arrow::random_extensions {
namespace {

using namespace testing;  // NOLINT(google-build-using-namespace)

constexpr std::uint8_t kFixedSizeListTag = 16, kRunEndTag = 22, kTimestampTag = 10;

TableOf extended(TableOf field, const Bytes& name, const Bytes& metadata = {}) {
  const auto pair = [](const Bytes& key, const Bytes& value) {
    return TableOf{{{0, Text{key}}, {1, Text{value}}}};
  };
  Tables pairs{pair("ARROW:extension:name", name)};
  if (!metadata.empty()) pairs.push_back(pair("ARROW:extension:metadata", metadata));
  field.fields.emplace_back(6u, std::move(pairs));
  return field;
}

// --- Tensors -------------------------------------------------------------------------------------

// A part of an array of tensors: as many slots, fewer or more.
std::size_t some_length(Random& random, std::size_t slots, bool& enough) {
  if (random.once_in(6)) return slots + 1 + random.below(3);
  if (slots == 0 || !random.once_in(30)) return slots;
  enough = false;
  return slots - 1;
}

NodeOf node(const Column& column) {
  return {static_cast<std::int64_t>(column.nulls.size()), column.null_count};
}

TEST(RandomExtensions, Tensors) {
  constexpr std::int32_t kSizes[] = {0, 1, 1, 2, 2, 3, 5, -1, 65'536, 0x7FFF'FFFF};
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    Random random(seed);
    // Of some, the number of values is so large that it has more than 128 bits.
    const bool large = random.once_in(12);
    const std::size_t slots = random.below(70), dimensions = large ? 8 : 1 + random.below(3);
    bool readable = true;
    const Column structs(random, slots);
    Column data(random, some_length(random, slots, readable));
    Column shape(random, some_length(random, slots, readable));
    std::size_t items = shape.nulls.size() * dimensions;
    if (random.once_in(6)) items += random.below(3);
    if (items > 0 && random.once_in(30)) --items;
    readable = readable && items >= slots * dimensions;
    Column sizes(random, items);
    // It is not known which parts of one of them are null.
    Column* const parts[] = {&data, &shape, &sizes};
    Bytes& validity = random.one_of(parts)->validity;
    if (validity.size() > 1 && random.once_in(20)) {
      validity.pop_back();
      readable = false;
    }
    const std::int32_t uniform = random.once_in(2) ? 2 : -1;
    const std::size_t fixed = random.below(dimensions);
    Bytes numbers;
    std::vector<std::int32_t> of_sizes;
    for (std::size_t i = 0; i < items; ++i) {
      const std::int32_t size = random.one_of(kSizes);
      of_sizes.push_back(large                                      ? 65'536
                         : random.once_in(3)                        ? 2
                         : std::abs(size) > 5 && !random.once_in(9) ? 1
                                                                    : size);
      numbers += raw(of_sizes.back());
    }
    // The node may have more values than the buffer, and the buffer more than the node.
    if (!numbers.empty() && random.once_in(30)) {
      numbers.resize(numbers.size() - 4);
      readable = readable && numbers.size() >= 4 * slots * dimensions;
    } else if (random.once_in(6)) {
      numbers += raw(2);
    }
    std::vector<bool> fits, holds;
    std::vector<std::int32_t> offsets{0};
    for (std::size_t row = 0; row < data.nulls.size(); ++row) {
      const bool inside =
          row < slots && row < shape.nulls.size() && (row + 1) * dimensions <= items;
      bool known = inside && !data.nulls[row] && !shape.nulls[row], negative = false, same = true;
      long double product = 1;
      for (std::size_t d = 0; inside && d < dimensions; ++d) {
        const std::size_t at = row * dimensions + d;
        known = known && !sizes.nulls[at];
        negative = negative || of_sizes[at] < 0;
        product *= of_sizes[at];
        if (d == fixed && uniform >= 0 && !shape.nulls[row] && !sizes.nulls[at])
          same = of_sizes[at] == uniform;
      }
      const bool right = !random.once_in(4);
      const auto elements = static_cast<std::int32_t>(
          right && product >= 0 && product < 100 ? product : static_cast<double>(random.below(9)));
      offsets.push_back(offsets.back() + elements);
      if (row >= slots) continue;
      fits.push_back(!known || (!negative && product == elements));
      holds.push_back(same);
    }
    Bytes ends;
    for (const std::int32_t each : offsets) ends += raw(each);
    std::string metadata = "{\"uniform_shape\": [";
    for (std::size_t d = 0; d < dimensions; ++d)
      metadata += (d == 0 ? "" : ", ") + (d == fixed && uniform >= 0 ? "2" : std::string("null"));
    const TableOf type = extended(
        field(
            "t", kStructTag, {},
            {field("data", kListTag, {}, {field("item", kIntTag, int_type(8))}),
             field("shape", kFixedSizeListTag, {{{0, raw(static_cast<std::int32_t>(dimensions))}}},
                   {field("item", kIntTag, int_type())})}),
        "arrow.variable_shape_tensor", metadata + "]}");
    const std::int64_t bytes = offsets.back();
    const Bytes stream = message(kSchemaTag, schema({type})) +
                         batch(static_cast<std::int64_t>(slots),
                               {node(structs), node(data), {bytes, 0}, node(shape), node(sizes)},
                               {structs.validity, data.validity, ends, "",
                                Bytes(static_cast<std::size_t>(bytes), '\1'), shape.validity,
                                sizes.validity, numbers}) +
                         end_of_stream();
    const auto judged = [&](std::string_view clause, const std::vector<bool>& good) {
      const std::string is = found(stream, clause);
      EXPECT_EQ(is, slots == 0 || !readable
                        ? "not applicable"
                        : wanted(structs, [&](std::size_t i) { return good[i]; }))
          << clause << ' ' << seed << ' ' << slots << ' ' << dimensions;
    };
    judged("arrow-variable-tensor-data-fits-shape", fits);
    if (uniform >= 0) judged("arrow-variable-tensor-uniform-holds", holds);
  }
}

// --- Numbers below run ends ----------------------------------------------------------------------

TEST(RandomExtensions, NumbersBelowRunEnds) {
  for (std::uint64_t seed = 0; seed < 600; ++seed) {
    Random random(seed);
    const std::size_t runs = random.once_in(20) ? 1'030 : random.below(70);
    const unsigned width = 2U << random.below(3);
    // Where each ends; one of them may be wrong.
    std::vector<std::int64_t> ends;
    for (std::size_t i = 0; i < runs; ++i)
      ends.push_back((ends.empty() ? 0 : ends.back()) + 1 +
                     static_cast<std::int64_t>(random.below(4)));
    const std::int64_t last = ends.empty() ? 0 : ends.back();
    std::int64_t length = last;
    switch (random.below(8)) {
      case 0: length += 1; break;
      case 1:
        length = std::max<std::int64_t>(0, last - static_cast<std::int64_t>(random.below(9)));
        break;
      case 2: length = 0; break;
      case 3:
        if (runs > 0) ends[random.below(runs)] -= static_cast<std::int64_t>(random.below(9));
        break;
      default: break;
    }
    bool ascending = true;
    std::size_t descents = 0, first_descent = 0;
    for (std::size_t i = 1; i < runs; ++i)
      if (ends[i] <= ends[i - 1] && descents++ == 0) first_descent = i;
    ascending = descents == 0;
    const bool positive = runs == 0 || ends[0] >= 1;
    const bool covered = length == 0 || (runs > 0 && ends.back() >= length && ends.back() > 0);
    Bytes of_ends;
    for (const std::int64_t each : ends) of_ends += raw(each).substr(0, width);
    // The values, of which those count that a slot has.
    const Column column(random, runs);
    const std::uint64_t rarely = random.once_in(2) ? 9 : 1'000'000;
    Bytes values;
    std::size_t wrong = 0, first_wrong = 0;
    for (std::size_t i = 0; i < runs; ++i) {
      const char value = random.once_in(rarely) ? '\2' : '\1';
      values += value;
      const std::int64_t begin = i == 0 ? 0 : ends[i - 1];
      if (value != '\2' || column.nulls[i] || begin >= length) continue;
      if (wrong++ == 0) first_wrong = i;
    }
    const TableOf type = field(
        "r", kRunEndTag, {},
        {field("run_ends", kIntTag, int_type(static_cast<std::int32_t>(8 * width)), {}, false),
         extended(field("values", kIntTag, int_type(8)), "arrow.bool8")});
    const auto count = static_cast<std::int64_t>(runs);
    const Bytes stream = message(kSchemaTag, schema({type})) +
                         batch(length, {{length, 0}, {count, 0}, node(column)},
                               {"", of_ends, column.validity, values}) +
                         end_of_stream();
    const auto results = results_of(
        stream, "arrow-columnar-1.5",
        {"arrow-run-ends-positive", "arrow-run-ends-ascending", "arrow-run-ends-cover-length",
         "arrow-run-ends-not-beyond-length", "arrow-bool8-true-is-one"});
    const auto place = [](std::size_t slot, std::size_t times) {
      return std::format("slot {}", slot) + (times > 1 ? std::format(" +{}", times - 1) : "");
    };
    const auto of = [&](bool applies, bool good, std::string_view what) {
      return applies ? good ? "pass 1" : std::format("fail 1: {}", what) : "not applicable";
    };
    EXPECT_EQ(results[0],
              of(runs > 0, positive, runs > 0 ? std::format("first run end {}", ends[0]) : ""))
        << seed;
    const auto slots = [&](std::size_t first, std::size_t times) {
      if (runs == 0) return std::string("not applicable");
      return times > 0 ? std::format("fail {}: {}", runs, place(first, times))
                       : std::format("pass {}", runs);
    };
    EXPECT_EQ(without_values(results[1]), slots(first_descent, descents)) << seed;
    const std::string last_end =
        runs > 0 ? std::format("last run end {}", ends.back()) : "no run ends";
    EXPECT_EQ(results[2], of(ascending && length > 0 && (runs != 1 || positive), covered, last_end))
        << seed;
    const bool beyond = runs > 0 && (length == 0 || (covered && ends.back() > length));
    EXPECT_EQ(results[3], of(ascending, !beyond, last_end)) << seed;
    const bool known = positive && ascending && covered;
    EXPECT_EQ(without_values(results[4]), known ? slots(first_wrong, wrong) : "not applicable")
        << seed << ' ' << runs << ' ' << length;
  }
}

// --- What is kept of dictionaries ----------------------------------------------------------------

// Offsets of time zones, of which many are out of range: so many of one dictionary are kept, and so
// many of all.
TEST(RandomExtensions, KeptValuesOfDictionaries) {
  constexpr std::size_t kMostOfOne = 65'536, kMostOfAll = 4 * kMostOfOne;
  constexpr std::int64_t kDictionaries = 6;
  const TableOf utc{{{0, raw(std::int16_t{2})}, {1, Text{"UTC"}}}};
  Tables fields;
  for (std::int64_t id = 0; id < kDictionaries; ++id)
    fields.push_back(
        extended(field("t", kStructTag, {},
                       {field("timestamp", kTimestampTag, utc, {}, false),
                        dictionary(field("offset_minutes", kIntTag, int_type(16), {}, false), id)}),
                 "arrow.timestamp_with_offset"));
  struct Kept {
    std::size_t values = 0;
    bool too_many = false;
  };
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    Random random(seed);
    std::map<std::int64_t, Kept> kept;
    const auto of_all = [&] {
      std::size_t sum = 0;
      for (const auto& [id, each] : kept) sum += each.values;
      return sum;
    };
    Bytes stream = message(kSchemaTag, schema(fields));
    for (std::int64_t n = 0; n < kDictionaries + 3; ++n) {
      const bool first = n < kDictionaries;
      const std::int64_t id = first ? n : static_cast<std::int64_t>(random.below(kDictionaries));
      const bool delta = !first && random.once_in(2);
      constexpr std::size_t kSome[] = {1,          2,          kMostOfOne - 1,
                                       kMostOfOne, kMostOfOne, kMostOfOne + 1};
      const std::size_t values = random.one_of(kSome);
      const auto length = static_cast<std::int64_t>(values);
      Bytes numbers;
      for (std::size_t i = 0; i < values; ++i) numbers += raw(std::int16_t{900});
      const BodyOf body = body_of({"", numbers});
      stream += message(kDictionaryTag,
                        dictionary_batch(id, record_batch(length, {{length, 0}}, body), delta),
                        body.bytes);
      Kept& into = kept[id];
      if (!delta) into = {};
      if (into.too_many || into.values + values > kMostOfOne)
        into = {.too_many = true};
      else
        into.values += values;
      if (of_all() > kMostOfAll) into = {.too_many = true};
    }
    // A row that uses all of them: those of which too much would be kept are not examined.
    std::vector<NodeOf> nodes;
    std::vector<Bytes> buffers;
    for (std::int64_t id = 0; id < kDictionaries; ++id) {
      nodes.insert(nodes.end(), 3, {1, 0});
      buffers.insert(buffers.end(), {"", "", Bytes(8, '\0'), "", raw(std::int32_t{0})});
    }
    const auto examined =
        std::ranges::count(kept, false, [](const auto& each) { return each.second.too_many; });
    const std::string result = result_of(stream + batch(1, nodes, buffers), "arrow-columnar-1.5",
                                         "arrow-timestamp-offset-range");
    EXPECT_TRUE(result.starts_with(std::format("fail {}: slot 0: 900", examined)))
        << result << ' ' << seed << ' ' << examined;
  }
}

// Values in a dictionary of a dictionary: which of them are used is not known, so that nothing is
// said of a wrong one, however many there are.
TEST(RandomExtensions, WrongValuesInsideADictionary) {
  constexpr std::size_t kMost = 65'536;
  const TableOf inner = dictionary(extended(field("b", kIntTag, int_type(8)), "arrow.bool8"), 2);
  const Bytes begin =
      message(kSchemaTag, schema({dictionary(field("s", kStructTag, {}, {inner}), 1)}));
  for (const std::size_t wrong : {std::size_t{0}, std::size_t{1}, kMost, kMost + 1}) {
    const Bytes values = Bytes(wrong, '\2') + '\1';
    const auto length = static_cast<std::int64_t>(values.size());
    const BodyOf numbers = body_of({"", values}), structs = body_of({"", "", raw(std::int32_t{0})});
    const std::string result = result_of(
        begin +
            message(kDictionaryTag,
                    dictionary_batch(2, record_batch(length, {{length, 0}}, numbers)),
                    numbers.bytes) +
            message(kDictionaryTag, dictionary_batch(1, record_batch(1, {{1, 0}, {1, 0}}, structs)),
                    structs.bytes) +
            batch(1, {{1, 0}}, {"", raw(std::int32_t{0})}) + end_of_stream(),
        "arrow-columnar-1.5", "arrow-bool8-true-is-one");
    EXPECT_TRUE(result.starts_with(wrong == 0 ? "pass" : "not checked")) << wrong << ' ' << result;
  }
}

}  // namespace
}  // namespace hepcheck::arrow::random_extensions
