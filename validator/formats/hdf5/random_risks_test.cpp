// Datasets and files whose amounts are near the limits of the risk profile: bytes of values and of
// the file, chunks and what is stored of them, filters, pieces of external files, and bytes that
// nothing reaches. What is found is what the amounts say, calculated with more bits or one by one.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <format>
#include <string>
#include <utility>
#include <vector>

#include "validator/formats/hdf5/dataset_rules.h"
#include "validator/formats/hdf5/testing/zeros.h"
#include "validator/testing/random.h"

namespace hepcheck::hdf5::random_risks {
namespace {

using testing::Zeros;
using Wide = unsigned __int128;
using Texts = std::vector<std::string>;

constexpr std::uint64_t kGiB = std::uint64_t{1} << 30;

// A number, or one that is a little less or more.
std::uint64_t near(std::uint64_t number, Random& random) {
  constexpr std::int64_t kSteps[] = {0, 0, 1, -1, 2, -2, 999, -1'000};
  const auto step = static_cast<std::uint64_t>(random.one_of(kSteps));
  return number + step;
}

Texts only_if(bool found, const std::string& text) { return found ? Texts{text} : Texts{}; }

// Contiguous if it has no chunks.
Dataset dataset_of(const std::vector<std::uint64_t>& sizes, const std::vector<std::uint64_t>& chunk,
                   std::uint32_t type_size) {
  Dataset made{.object = 1, .known = Dataset::Known::kLayout};
  made.space.version = 2;
  made.space.type = 1;
  made.space.whole = true;
  made.space.rank = static_cast<std::uint8_t>(sizes.size());
  std::ranges::copy(sizes, made.space.sizes.begin());
  made.space.maxima = made.space.sizes;
  made.type.size = type_size;
  made.layout.version = 4;
  made.layout.class_byte =
      static_cast<std::uint8_t>(chunk.empty() ? LayoutClass::kContiguous : LayoutClass::kChunked);
  if (chunk.empty()) return made;
  made.layout.dimensionality = static_cast<std::uint8_t>(chunk.size() + 1);
  std::ranges::copy(chunk, made.layout.chunk.begin());
  made.layout.chunk[chunk.size()] = type_size;
  return made;
}

TEST(RandomRisks, OfValuesAndTheSizeOfTheFile) {
  constexpr std::size_t kFiles[] = {100, 1'073'740, 1'073'741, 1'073'742, 1'300'000};
  std::size_t times = 0;
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    Random random(seed);
    const std::size_t size = random.one_of(kFiles);
    constexpr std::uint32_t kSizes[] = {1, 1, 2, 3, 8};
    const std::uint32_t element = random.one_of(kSizes);
    const std::uint64_t limit = random.once_in(2) ? kGiB : 1'000 * std::uint64_t{size};
    const std::uint64_t wanted = near(limit, random), width = 1 + random.below(3);
    std::vector<std::uint64_t> sizes{wanted / element / width, width};
    if (random.once_in(12)) sizes = {~std::uint64_t{0}, 2};
    Dataset dataset = dataset_of(sizes, {}, element);
    Zeros made(size);
    judge_dataset(dataset, "/d", made.file);
    const Wide bytes = Wide{sizes[0]} * sizes[1] * element;
    const bool large = bytes > kGiB && bytes > Wide{1'000} * size;
    times += large;
    const auto shown = static_cast<std::uint64_t>(bytes);
    EXPECT_EQ(made.found("h5-risk-expansion"),
              only_if(large, bytes >> 64 != 0 ? "more than 2^64 bytes of values"
                                              : std::format("{} bytes of values", shown)))
        << size << ' ' << seed;
  }
  EXPECT_GT(times, 50u);
  EXPECT_LT(times, 300u);
}

TEST(RandomRisks, OfChunks) {
  std::size_t tiny = 0, expanded = 0;
  for (std::uint64_t seed = 0; seed < 2'000; ++seed) {
    Random random(seed);
    Zeros made(64);
    // Chunks of about 4,096 bytes, and about as many of them; or of about a gibibyte.
    const bool large = random.once_in(4);
    constexpr std::uint32_t kSizes[] = {1, 1, 2, 8};
    const std::uint32_t element = random.one_of(kSizes);
    const std::uint64_t bytes = near(large ? kGiB : 4'096, random);
    const std::uint64_t width = 1 + random.below(3);
    const std::vector<std::uint64_t> chunk{std::max<std::uint64_t>(1, bytes / element / width),
                                           width};
    const std::uint64_t columns = 1 + random.below(3), rows = near(4'096, random) / columns;
    const std::uint64_t more = random.below(chunk[0]);  // of a last chunk that is not full
    const std::vector<std::uint64_t> sizes{rows * chunk[0] + more,
                                           (columns - 1) * width + 1 + random.below(width)};
    Dataset dataset = dataset_of(sizes, chunk, element);
    judge_dataset(dataset, "/d", made.file);
    const std::uint64_t of_one = chunk[0] * chunk[1] * element,
                        count = (rows + (more > 0 ? 1 : 0)) * columns;
    const bool many = of_one < 4'096 && count > 4'096;
    tiny += many;
    EXPECT_EQ(made.found("h5-risk-chunk-tiny"),
              only_if(many, std::format("{} chunks of {} bytes", count, of_one)))
        << seed;
    // One of them, of which so many bytes are stored.
    const std::uint64_t of_ratio = of_one / 1'032;
    const std::uint64_t stored =
        random.once_in(6) ? random.below(3) : of_ratio + random.below(3) - (of_ratio > 0 ? 1 : 0);
    judge_expansion(dataset, stored, {}, made.notes);
    const bool much = of_one > kGiB || of_one > 1'032 * stored;
    expanded += much;
    EXPECT_EQ(made.found("h5-risk-chunk-expansion"),
              only_if(much, std::format("a chunk of {} bytes from {} stored", of_one, stored)))
        << seed;
  }
  EXPECT_GT(tiny, 100u);
  EXPECT_GT(expanded, 300u);
  EXPECT_LT(expanded, 1'700u);
}

TEST(RandomRisks, OfFilters) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    Random random(seed);
    Zeros made(64);
    Dataset dataset = dataset_of({4}, {2}, 4);
    std::uint64_t deflated = 0, szip = 0, plugins = 0, unregistered = 0;
    const std::uint64_t count = random.once_in(2) ? 7 + random.below(4) : 1 + random.below(3);
    for (std::uint64_t n = 0; n < count; ++n) {
      constexpr std::uint16_t kIds[] = {1, 3, 3, 3, 4, 255, 256, 32'767, 32'768};
      const std::uint16_t id = random.one_of(kIds);
      Filter filter{.id = id};
      if (id == 1) filter.values = {6};
      if (id == 4) filter.values = {4, 8, 32, 8};
      dataset.filters.list.push_back(std::move(filter));
      deflated += id == 1;
      szip += id == 4;
      plugins += id == 4 || id > 6;
      unregistered += id == 255 || id == 32'768;
    }
    dataset.filters.sound = false;  // their values are judged elsewhere
    judge_dataset(dataset, "/d", made.file);
    made.file.profile.judge_all(made.file);
    const Texts text = count > 8                  ? Texts{std::format("{} filters", count)}
                       : deflated > 1 || szip > 1 ? Texts{"a compression that is applied twice"}
                                                  : Texts{};
    EXPECT_EQ(made.found("h5-risk-filter-many"), text) << seed;
    const auto tally = [&](const ClauseId& clause, std::uint64_t times, const char* one,
                           const char* more) {
      const Texts all = made.found(clause);
      ASSERT_EQ(all.size(), times > 0 ? 1u : 0u) << seed;
      const std::string begin = std::format("{} {}: /d by ", times, times == 1 ? one : more);
      EXPECT_TRUE(all.empty() || all[0].starts_with(begin)) << all[0] << ' ' << seed;
    };
    tally("h5-risk-filter-plugin", plugins, "filter that is not built in",
          "filters that are not built in");
    tally("h5-risk-filter-private", unregistered, "filter with a number that nobody registers",
          "filters with numbers that nobody registers");
  }
}

// Pieces of two files that belong to three datasets: each piece that begins inside what another
// dataset has of the same file.
TEST(RandomRisks, OfExternalPieces) {
  std::size_t times = 0;
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    Random random(seed);
    Zeros made(64);
    struct Piece {
      std::uint64_t begin, end;
      std::uint32_t object;
    };
    std::vector<Piece> all[2];
    std::uint64_t used = 0, unlimited = 0;
    Texts short_ones;
    for (std::uint32_t object = 1; object <= 3; ++object) {
      Dataset dataset = dataset_of({4}, {}, 4);
      dataset.object = object;
      dataset.external = true;
      dataset.files.emplace();
      std::uint64_t sum = 0;
      bool endless = false;
      for (std::uint64_t n = 1 + random.below(3); n > 0; --n) {
        const std::uint64_t which = random.below(2);
        std::uint64_t begin = ++used * 100;  // each begins elsewhere
        if (random.once_in(8)) begin += std::uint64_t{3} << 32;
        std::uint64_t size = 1 + random.below(40);
        if (random.once_in(5)) size += 100 * random.below(5);
        if (random.once_in(16)) size = kUndefined;
        endless = endless || size == kUndefined;
        unlimited += size == kUndefined;
        sum += size;
        const std::uint64_t end = size == kUndefined ? kUndefined : begin + size;
        all[which].push_back({begin, end, object});
        dataset.files->slots.push_back(
            {.name = which == 0 ? "a.bin" : "b.bin", .offset = begin, .size = size});
      }
      judge_dataset(dataset, std::format("/{}", object), made.file);
      if (!endless && sum < 16)
        short_ones.push_back(std::format("{} bytes of external files", sum));
    }
    EXPECT_EQ(made.found("h5-efl-size"), short_ones) << seed;
    made.file.profile.judge_all(made.file);
    std::uint64_t shared = 0;
    for (std::vector<Piece>& pieces : all) {
      std::ranges::sort(pieces, {}, &Piece::begin);
      std::uint64_t reached = 0;
      std::uint32_t by = 0;
      for (const Piece& each : pieces) {
        shared += each.begin < reached && each.object != by;
        if (each.end > reached) reached = each.end, by = each.object;
      }
    }
    times += shared > 0;
    const auto begins = [&](const ClauseId& clause, std::uint64_t count, const char* one,
                            const char* more) {
      const Texts found = made.found(clause);
      ASSERT_EQ(found.size(), count > 0 ? 1u : 0u) << seed;
      const std::string begin = std::format("{} {}: ", count, count == 1 ? one : more);
      EXPECT_TRUE(found.empty() || found[0].starts_with(begin)) << found[0] << ' ' << seed;
    };
    begins("h5-risk-shared-storage", shared, "external piece of several datasets",
           "external pieces of several datasets");
    begins("h5-risk-external-storage", 3, "", "datasets whose values are in other files");
    begins("h5-risk-external-storage-unlimited", unlimited, "external file without a limit",
           "external files without a limit");
  }
  EXPECT_GT(times, 50u);
}

TEST(RandomRisks, OfBytesThatNothingReaches) {
  std::size_t times = 0;
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    Random random(seed);
    Zeros made(64);
    constexpr std::uint64_t kEnds[] = {
        2'000, 20'460, 20'479, 20'480, 20'500, 100'000, (std::uint64_t{7} << 32) + 19};
    made.file.end = random.one_of(kEnds);
    const std::uint64_t limit = random.once_in(2) ? 1'024 : made.file.end / 20;
    // What is needed, from five sources of which one takes away.
    const std::uint64_t wanted = near(std::max<std::uint64_t>(limit, 1'024), random);
    const std::uint64_t free = random.once_in(2) ? 0 : random.below(2 * wanted);
    const std::uint64_t thirds = random.below(3), unused = thirds * random.below(wanted + 1) / 3;
    made.file.profile.left_over = random.once_in(2) ? 0 : random.below(wanted - unused + 1);
    const std::uint64_t rest = wanted - unused - made.file.profile.left_over + free;
    Unreached bytes;
    bytes.behind = random.below(rest + 1);
    bytes.between = rest - bytes.behind;
    if (random.once_in(9)) bytes.behind = bytes.between = 0;  // less than what is free
    const std::uint64_t open = bytes.behind + bytes.between;
    const std::uint64_t hidden =
        (open > free ? open - free : 0) + made.file.profile.left_over + unused;
    judge_hidden_bytes(bytes, free, unused, made.file);
    const bool many = hidden >= 1'024 && 20 * hidden >= made.file.end;
    times += many;
    EXPECT_EQ(made.found("h5-risk-hidden-bytes"),
              only_if(many, std::format("{} of {} bytes that no structure reaches or needs", hidden,
                                        made.file.end)))
        << seed;
  }
  EXPECT_GT(times, 100u);
  EXPECT_LT(times, 400u);
}

}  // namespace
}  // namespace hepcheck::hdf5::random_risks
