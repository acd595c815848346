// Why values are not read, word by word: filters, storage elsewhere, limits, shapes.
#include "validator/formats/hep001/storage/refusal.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <format>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "validator/formats/hep001/storage/decode.h"
#include "validator/formats/hep001/storage/lzf.h"
#include "validator/formats/hep001/storage/packed.h"

namespace hepcheck::hep001 {
namespace {

using Numbers = std::vector<std::uint64_t>;

Dataset dataset(Numbers extent, Datatype type = integer_type(4, true)) {
  Dataset made{.path = "/d", .type = std::move(type)};
  if (!extent.empty()) made.space = {.kind = Dataspace::Kind::kSimple, .extent = std::move(extent)};
  return made;
}

template <class T>
std::string reason(const Result<T>& result) {
  return result ? std::format("{}", *result) : result.error().text();
}
std::string reason(const std::optional<Error>& error) { return error ? error->text() : ""; }

TEST(Refusals, OfStorage) {
  Limits limits;
  limits.block_bytes = 480;
  Dataset data = dataset({10});
  EXPECT_EQ(reason(refusal(data, limits)), "");
  data.unreadable = "it is not there";
  EXPECT_EQ(reason(refusal(data, limits)), "/d: it is not there");
  data.unreadable.reset();
  data.storage.layout = StorageLayout::kVirtual;
  EXPECT_EQ(reason(refusal(data, limits)),
            "/d: a virtual dataset; its source files are never opened");
  data.storage.layout = StorageLayout::kExternal;
  EXPECT_EQ(reason(refusal(data, limits)), "/d: stored in external files, which are never opened");
  // Filters count only where there are no chunks, which may all skip them.
  data.storage.filters = {{.id = 1, .name = "deflate"}, {.id = 400, .available = false}};
  for (const StorageLayout layout : {StorageLayout::kCompact, StorageLayout::kContiguous}) {
    data.storage.layout = layout;
    EXPECT_EQ(reason(refusal(data, limits)), "/d: filter 400 is not available");
  }
  data.storage.filters[1].name = "own";
  EXPECT_EQ(reason(refusal(data, limits)), "/d: filter 400 (own) is not available");
  data.storage.layout = StorageLayout::kChunked;
  data.storage.chunk = {10, 12};
  EXPECT_EQ(reason(refusal(data, limits)), "");
  data.storage.chunk = {10, 13};
  EXPECT_EQ(reason(refusal(data, limits)), "/d: a chunk is larger than the limit of 480 bytes");
  data.storage.chunk = {std::uint64_t{1} << 40, std::uint64_t{1} << 40};
  EXPECT_EQ(reason(refusal(data, limits)), "/d: a chunk is larger than the limit of 480 bytes");
  data.storage.filters.clear();
  EXPECT_EQ(reason(refusal(data, limits)), "");
}

TEST(Refusals, OfFiltersThatChunksUse) {
  Dataset data = dataset({10});
  data.storage.chunk = {5, 2};
  int asked = 0;
  const auto needed = [&](std::uint32_t skipped) {
    return reason(needs_missing_filter(data, [&] {
      ++asked;
      return skipped;
    }));
  };
  EXPECT_EQ(needed(0), "");
  data.storage.filters = {{.id = 1}, {.id = 2, .name = "shuffle"}};
  EXPECT_EQ(needed(0), "");
  EXPECT_EQ(asked, 0);  // nothing is missing
  data.storage.filters[1].available = false;
  EXPECT_EQ(needed(0b01), "/d: filter 2 (shuffle) is not available");
  EXPECT_EQ(needed(0b10), "");
  // LZF states the size of a chunk, here 40 bytes, as its third parameter.
  Filter lzf{.id = kLzfFilter, .name = "lzf", .parameters = {4, 261, 40}};
  data.storage.filters = {lzf};
  EXPECT_EQ(needed(0), "");
  for (const std::vector<unsigned>& other :
       {std::vector<unsigned>{4, 261}, {4, 261, 39}, {4, 261, 41}, {4, 261, 0}, {}}) {
    data.storage.filters[0].parameters = other;
    EXPECT_EQ(needed(0), "/d: filter 32000 (lzf) does not state the size of a chunk");
    EXPECT_EQ(needed(1), "");
    EXPECT_FALSE(states_chunk_size(data.storage.filters[0], data));
  }
  data.storage.filters[0].parameters = {4, 261, 40, 7};
  EXPECT_TRUE(states_chunk_size(data.storage.filters[0], data));
  data.storage.chunk = {0};
  data.storage.filters[0].parameters[2] = 0;
  EXPECT_FALSE(states_chunk_size(data.storage.filters[0], data));
  data.storage.chunk = {std::uint64_t{1} << 32, std::uint64_t{1} << 32};
  EXPECT_FALSE(states_chunk_size(data.storage.filters[0], data));
  // A mask has 32 bits: a chunk cannot skip what comes after.
  for (const std::size_t at : {0, 30, 31, 32, 33}) {
    data.storage.filters.assign(34, {.id = 1});
    data.storage.filters[at] = {.id = 400, .available = false};
    EXPECT_EQ(needed(~std::uint32_t{0}), at < 32 ? "" : "/d: filter 400 is not available") << at;
    EXPECT_EQ(needed(~(at < 32 ? std::uint32_t{1} << at : 0)), "/d: filter 400 is not available");
  }
}

TEST(Refusals, OfRows) {
  Limits limits;
  limits.block_bytes = 24;
  const auto rows = [&](const Dataset& data, std::uint64_t first, std::uint64_t count) {
    return reason(streamed_row_bytes(data, first, count, limits));
  };
  const Dataset plain = dataset({10});
  EXPECT_EQ(rows(plain, 0, 10), "4");
  EXPECT_EQ(rows(plain, 10, 0), "4");
  EXPECT_EQ(rows(plain, 3, 7), "4");
  for (const auto& [first, count] :
       {std::pair<std::uint64_t, std::uint64_t>(0, 11), {10, 1}, {11, 0}, {3, 8}, {3, ~0ULL}})
    EXPECT_EQ(rows(plain, first, count), "/d: has fewer rows than requested");
  EXPECT_EQ(rows(dataset({}), 0, 0), "/d: has fewer rows than requested");
  EXPECT_EQ(rows(dataset({10, 6}), 0, 1), "24");
  EXPECT_EQ(rows(dataset({10, 7}), 0, 1), "/d: a row is larger than the limit of 24 bytes");
  EXPECT_EQ(rows(dataset({10, 0}), 0, 1), "0");
  constexpr std::uint64_t kLarge = std::uint64_t{1} << 32;
  EXPECT_EQ(rows(dataset({10, kLarge, kLarge}), 0, 1),
            "/d: a row is larger than the limit of 24 bytes");
  const Datatype texts = variable_string_type(CharacterSet::kUtf8);
  EXPECT_EQ(rows(dataset({10}, texts), 0, 1), "8");
  EXPECT_EQ(rows(dataset({10, 1}, texts), 0, 1),
            "/d: variable-length values have no fixed-size form");
}

TEST(Refusals, OfRectangles) {
  const auto rectangle = [](const Dataset& data, const Numbers& start, const Numbers& count) {
    return reason(rectangle_bytes(data, start, count));
  };
  const char* const kRanks = "/d: the rectangle and the dataset have different ranks";
  EXPECT_EQ(rectangle(dataset({10, 3}), {1, 1}, {2, 2}), "16");
  EXPECT_EQ(rectangle(dataset({10, 3}), {1, 1}, {2, 0}), "0");
  EXPECT_EQ(rectangle(dataset({10, 3}), {1}, {2}), kRanks);
  EXPECT_EQ(rectangle(dataset({10, 3}), {1, 1}, {2}), kRanks);
  EXPECT_EQ(rectangle(dataset({10, 3}), {1}, {2, 2}), kRanks);
  EXPECT_EQ(rectangle(dataset({}), {}, {}), kRanks);
  constexpr std::uint64_t kLarge = std::uint64_t{1} << 32;
  EXPECT_EQ(rectangle(dataset({10, 3}), {0, 0}, {kLarge, kLarge}),
            "/d: the rectangle is larger than the address space");
  EXPECT_EQ(rectangle(dataset({10}, variable_string_type(CharacterSet::kUtf8)), {1}, {1}),
            "/d: variable-length values have no fixed-size form");
}

// Which filters are decoded, by their number and parameters.
TEST(Filters, ThatAreDecoded) {
  struct Case {
    int id;
    std::vector<unsigned> parameters;
    bool always, some;  // can_decode, can_decode_some
  };
  std::vector<unsigned> scaled(20);
  scaled[0] = 2, scaled[2] = 5, scaled[4] = 4;
  std::vector<unsigned> empty = scaled;
  empty[2] = 0;
  for (const Case& each :
       {Case{1, {}, true, true}, Case{2, {4}, true, true}, Case{2, {0}, false, false},
        Case{2, {}, false, false}, Case{2, {4, 4}, false, false}, Case{3, {}, true, true},
        Case{kSzipFilter, {}, false, has_szip()},
        Case{kNbitFilter, {8, 0, 10, 1, 4, 0, 7, 0}, false, true},
        Case{kNbitFilter, {8, 0, 0, 1, 4, 0, 7, 0}, false, false},
        Case{kNbitFilter, {8, 1, 10}, false, true}, Case{kNbitFilter, {8, 1}, false, false},
        Case{kNbitFilter, {8, 0, 10, 1}, false, false},
        Case{kScaleOffsetFilter, scaled, false, true},
        Case{kScaleOffsetFilter, empty, false, false}, Case{kScaleOffsetFilter, {}, false, false},
        Case{kLzfFilter, {4, 261, 40}, false, true}, Case{kLzfFilter, {4, 261}, false, false},
        Case{400, {}, false, false}}) {
    const Filter filter{.id = each.id, .parameters = each.parameters};
    const Filter two[] = {{.id = 1}, filter};
    EXPECT_EQ(can_decode(std::span(&filter, 1)), each.always) << each.id;
    EXPECT_EQ(can_decode(two), each.always) << each.id;
    EXPECT_EQ(can_decode_some(std::span(&filter, 1), 0), each.some) << each.id;
    EXPECT_EQ(can_decode_some(two, 0b01), each.some) << each.id;
    EXPECT_TRUE(can_decode_some(two, 0b10)) << each.id;
  }
  const std::vector<Filter> many(32, {.id = 1}), more(33, {.id = 1});
  EXPECT_TRUE(can_decode(many) && can_decode_some(many, 0));
  EXPECT_FALSE(can_decode(more) || can_decode_some(more, ~std::uint32_t{0}));
}

// Arrays within arrays of N-bit, as deep as a datatype may be.
TEST(Nbit, DescribesDatatypesOfAnyDepth) {
  constexpr unsigned kArray = 2, kAtomic = 1;
  for (const unsigned levels : {0U, 1U, 10U, 63U, 64U, 65U, 200U}) {
    std::vector<unsigned> parameters = {0, 0, 1};
    for (unsigned i = 0; i < levels; ++i) parameters.insert(parameters.end(), {kArray, 2});
    parameters.insert(parameters.end(), {kAtomic, 2, 0, 9, 3});
    const std::byte stored[] = {std::byte{0xff}, std::byte{0x80}};
    std::vector<std::byte> into(2);
    const Unpacked done = unpack_nbit(parameters, stored, into);
    EXPECT_EQ(done.has_value(), levels <= 64) << levels;
    if (done)
      EXPECT_EQ(into, (std::vector{std::byte{0xf8}, std::byte{0x0f}}));
    else
      EXPECT_EQ(done.error(), "its parameters describe no datatype");
  }
  // Each number of parameters that is too small, and each kind that is none.
  const std::vector<unsigned> all = {0, 0, 1, 3, 4, 1, 1, kAtomic, 2, 0, 9, 3};
  std::vector<std::byte> into(4), stored(2, std::byte{0xff});
  EXPECT_TRUE(unpack_nbit(all, stored, into));
  for (std::size_t count = 5; count < all.size(); ++count)
    EXPECT_FALSE(unpack_nbit(std::span(all).first(count), stored, into)) << count;
  for (const auto& [at, value] : {std::pair<std::size_t, unsigned>(3, 0),
                                  {3, 5},
                                  {5, 0},
                                  {6, 5},
                                  {6, 3},
                                  {7, 9},
                                  {8, 0},
                                  {8, 4},
                                  {9, 2},
                                  {10, 0},
                                  {10, 14},
                                  {11, 8}}) {
    std::vector<unsigned> other = all;
    other[at] = value;
    EXPECT_EQ(unpack_nbit(other, stored, into).error(), "its parameters describe no datatype")
        << at << ' ' << value;
  }
  stored.pop_back();
  EXPECT_EQ(unpack_nbit(all, stored, into).error(), "the data ends before the last element");
}

}  // namespace
}  // namespace hepcheck::hep001
