// The bytes of random datasets: contiguous or in chunks, of which any may be stored, damaged, or
// left from a larger extent. Rows and rectangles equal what a simple loop finds.
#include "validator/formats/hep001/storage/raw_data.h"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <format>
#include <functional>
#include <limits>
#include <list>
#include <map>
#include <memory>
#include <numeric>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "validator/bytes.h"
#include "validator/copy_file.h"
#include "validator/counted.h"
#include "validator/descriptor.h"
#include "validator/formats/hep001/storage/decode.h"
#include "validator/formats/hep001/storage/row_streams.h"
#include "validator/testing/number.h"
#include "validator/testing/random.h"

namespace hepcheck::hep001 {
namespace {

using Data = std::vector<std::byte>;
using Position = std::vector<std::uint64_t>;

constexpr int kFletcher = 3;

struct StoredChunk {
  std::uint64_t address = 0, size = 0;
  std::uint32_t mask = 0;
  Data values{};          // decoded
  std::string trouble{};  // why it cannot be decoded
};

// A dataset, its file, and what is stored of it.
struct Made {
  Dataset model{.path = "/d"};
  std::size_t element_bytes = 1;
  Data fill{}, file{};
  std::uint64_t most_bytes = 1 << 20;
  std::map<Position, StoredChunk> chunks{};  // by their position, counted in chunks
  std::optional<std::uint64_t> address{};    // contiguous

  const Position& extent() const { return model.space.extent; }
  const Position& chunk() const { return model.storage.chunk; }
  bool chunked() const { return !chunk().empty(); }
  std::size_t rank() const { return extent().size(); }
  std::uint64_t chunk_bytes() const {
    return std::accumulate(chunk().begin(), chunk().end(), std::uint64_t{element_bytes},
                           std::multiplies<>());
  }
  bool in_parts() const { return chunk_bytes() > most_bytes; }
  std::uint64_t number_of(const Position& at) const {
    std::uint64_t made = 0;
    for (std::size_t d = 0; d < rank(); ++d)
      made = made * ((extent()[d] + chunk()[d] - 1) / chunk()[d]) + at[d];
    return made;
  }
};

// Every position of a rectangle, in row-major order.
void for_each_position(const Position& start, const Position& count,
                       const std::function<void(const Position&)>& visit) {
  if (std::ranges::contains(count, std::uint64_t{0})) return;
  Position at = start;
  while (true) {
    visit(at);
    std::size_t d = at.size();
    while (d > 0 && ++at[d - 1] == start[d - 1] + count[d - 1]) {
      at[d - 1] = start[d - 1];
      --d;
    }
    if (d == 0) return;
  }
}

// One chunk at a random place of the file; some are damaged.
StoredChunk stored_chunk(Random& random, Made& made) {
  const std::size_t filters = made.model.storage.filters.size();
  StoredChunk chunk{.mask = random.number(1U << filters)};
  chunk.values = random.bytes(made.chunk_bytes());
  Data stored = chunk.values;
  const bool plain = chunk.mask + 1 == 1U << filters;
  for (std::size_t i = 0; i < filters; ++i)
    if ((chunk.mask >> i & 1) == 0) put_number(stored, fletcher32(stored), 4);
  const std::uint64_t damage = random.below(24);
  const auto wrong_size = [&](std::uint64_t bytes) {
    return std::format("it has {} instead of {}", counted(bytes, "byte"), made.chunk_bytes());
  };
  if (damage == 0 && plain) {
    stored.push_back({});
    chunk.trouble = wrong_size(stored.size());
  } else if (damage == 1 && plain) {
    stored.pop_back();
    chunk.trouble = wrong_size(stored.size());
  } else if (damage == 2 && !plain) {
    stored.back() ^= std::byte{1};
    chunk.trouble = "fletcher32: the checksum does not match";
  }
  made.file.resize(made.file.size() + random.below(4));
  chunk.address = made.file.size();
  chunk.size = stored.size();
  made.file.insert(made.file.end(), stored.begin(), stored.end());
  if (damage == 3) {
    chunk.address = std::uint64_t{1} << 40;
    chunk.trouble = "it is beyond the end of the file";
  }
  return chunk;
}

Made random_dataset(Random& random) {
  Made made;
  const std::size_t rank = 1 + random.below(3);
  // Runs of 4096 bytes and more are read in place.
  made.element_bytes = random.once_in(12) ? 4'095 + random.below(3) : 1 + random.below(9);
  made.model.type = opaque_type(made.element_bytes, "");
  made.model.space.kind = Dataspace::Kind::kSimple;
  for (std::size_t d = 0; d < rank; ++d)
    made.model.space.extent.push_back(random.below(rank == 1 ? 40 : 7));
  if (random.once_in(2)) made.fill = random.bytes(made.element_bytes);
  if (random.once_in(4)) {
    made.model.storage.layout = StorageLayout::kContiguous;
    if (random.once_in(4)) return made;  // nothing is stored
    const std::uint64_t before = random.below(20);
    made.file = random.bytes(before + made.model.space.elements() * made.element_bytes);
    made.address = before;
    if (random.once_in(4)) made.file.resize(random.below(made.file.size() + 1));
    return made;
  }
  made.model.storage.layout = StorageLayout::kChunked;
  for (std::size_t d = 0; d < rank; ++d)
    made.model.storage.chunk.push_back(1 + random.below(rank == 1 ? 12 : 4));
  const std::uint64_t filters = random.below(3);
  for (std::uint64_t i = 0; i < filters; ++i)
    made.model.storage.filters.push_back({.id = kFletcher, .name = "fletcher32"});
  // Chunks without filters may be too large to be read as a whole.
  if (filters == 0 && random.once_in(2)) made.most_bytes = made.chunk_bytes() - 1;
  Position grid;
  for (std::size_t d = 0; d < rank; ++d)
    grid.push_back((made.extent()[d] + made.chunk()[d] - 1) / made.chunk()[d] + 1);  // and residue
  for_each_position(Position(rank), grid, [&](const Position& at) {
    if (!random.once_in(3)) made.chunks.emplace(at, stored_chunk(random, made));
  });
  return made;
}

RawData raw_data(const Made& made, const FileBytes& file, Random& random) {
  RawData::Form form{.element_bytes = made.element_bytes, .fill = made.fill};
  if (!made.chunked()) return RawData::contiguous(file, made.model, std::move(form), made.address);
  auto raw = RawData::chunked(file, made.model, std::move(form), made.most_bytes);
  EXPECT_TRUE(raw);
  EXPECT_EQ(raw->chunk_bytes(), made.chunk_bytes());
  std::vector<Position> order;
  for (const auto& [at, chunk] : made.chunks) order.push_back(at);
  if (random.once_in(2)) std::ranges::reverse(order);
  for (const Position& at : order) {
    const StoredChunk& chunk = made.chunks.at(at);
    EXPECT_TRUE(raw->add_chunk(at, chunk.address, chunk.size, chunk.mask));
  }
  EXPECT_TRUE(raw->complete());
  return *std::move(raw);
}

// The rectangle, or the troubles of the chunks in it, each with the number of its chunk.
struct Wanted {
  Data bytes{};
  std::set<std::string> troubles{};
};
Wanted wanted(const Made& made, const Position& start, const Position& count) {
  Wanted all;
  for_each_position(start, count, [&](const Position& at) {
    Position chunk(made.rank());
    std::uint64_t inside = 0, element = 0;
    for (std::size_t d = 0; d < made.rank(); ++d) {
      element = element * made.extent()[d] + at[d];
      if (!made.chunked()) continue;
      chunk[d] = at[d] / made.chunk()[d];
      inside = inside * made.chunk()[d] + at[d] % made.chunk()[d];
    }
    const Data* from = nullptr;
    if (!made.chunked()) {
      from = made.address ? &made.file : nullptr;
      inside = element;
    } else if (const auto stored = made.chunks.find(chunk); stored != made.chunks.end()) {
      from = &stored->second.values;
      if (!stored->second.trouble.empty())
        all.troubles.insert(
            std::format("chunk {}: {}", made.number_of(chunk), stored->second.trouble));
    }
    const std::size_t begin =
        (made.chunked() || !from ? 0 : *made.address) + inside * made.element_bytes;
    if (from && begin + made.element_bytes > from->size()) {
      all.troubles.insert("the file ends before the values");
      all.bytes.resize(all.bytes.size() + made.element_bytes);
      return;
    }
    for (std::size_t i = 0; i < made.element_bytes; ++i)
      all.bytes.push_back(from                ? (*from)[begin + i]
                          : made.fill.empty() ? std::byte{0}
                                              : made.fill[i]);
  });
  return all;
}

void expect_rectangle(const Made& made, const RawData& raw, const Position& start,
                      const Position& count, ChunkDecoder& decoder, ChunkCache& cache) {
  const Wanted right = wanted(made, start, count);
  Data read(right.bytes.size(), std::byte{0xA5});
  const auto error = raw.read(start, count, read, decoder, cache);
  ASSERT_EQ(error.has_value(), !right.troubles.empty()) << (error ? error->text() : "");
  if (error) {
    EXPECT_TRUE(right.troubles.contains(error->cause)) << error->text();
    EXPECT_EQ(error->context, "/d");
  } else {
    EXPECT_EQ(read, right.bytes);
  }
}

// In the steps of the stream, and some more.
void expect_rows(const Made& made, const RawData& raw, Random& random, ChunkDecoder& decoder) {
  const std::uint64_t rows = made.extent()[0];
  for (std::uint64_t first = 0; first < rows;) {
    const std::uint64_t bytes = random.below(80);
    const std::uint64_t least = std::max<std::uint64_t>(1, bytes / made.element_bytes);
    std::uint64_t step = least;
    if (made.chunked()) {
      const std::uint64_t chunk = made.chunk()[0];
      step = chunk - first % chunk;
      while (step + chunk <= least) step += chunk;
      if (made.model.storage.filters.empty()) step = std::min(step, least);
    }
    ASSERT_EQ(raw.good_step(first, bytes), step);
    const std::uint64_t count = std::min(step, rows - first);
    std::uint64_t room = count * made.element_bytes;
    if (made.chunked() && !made.model.storage.filters.empty()) {
      std::set<std::uint64_t> chunks;
      for (std::uint64_t row = first; row < first + count; ++row)
        chunks.insert(row / made.chunk()[0]);
      room = chunks.size() * made.chunk_bytes();
    }
    ASSERT_EQ(raw.room_for(first, count), room);
    Data into(room, std::byte{0xA5});
    const Wanted right = wanted(made, {first}, {count});
    const auto offset = raw.read_rows(first, count, into, decoder);
    ASSERT_EQ(offset.has_value(), right.troubles.empty()) << (offset ? "" : offset.error().text());
    if (offset)
      EXPECT_TRUE(std::ranges::equal(std::span(into).subspan(*offset, count * made.element_bytes),
                                     right.bytes));
    else
      EXPECT_TRUE(right.troubles.contains(offset.error().cause)) << offset.error().text();
    first += count;
  }
}

TEST(RawData, RowsAndRectanglesEqualASimpleLoop) {
  ChunkDecoder decoder;
  ChunkCache cache;  // of all of them
  std::set<std::uint64_t> ids;
  for (std::uint64_t seed = 0; seed < 1'500; ++seed) {
    Random random(seed);
    const Made made = random_dataset(random);
    const FileBytes file(Bytes::of_image(made.file, "file"));
    EXPECT_EQ(file.size(), made.file.size());
    const RawData raw = raw_data(made, file, random);
    EXPECT_TRUE(ids.insert(raw.id()).second);
    EXPECT_EQ(raw.one_dimensional(), made.rank() == 1);
    std::uint32_t skipped = ~std::uint32_t{0};
    for (const auto& [at, chunk] : made.chunks) {
      bool inside = true;
      for (std::size_t d = 0; d < made.rank(); ++d)
        inside &= at[d] * made.chunk()[d] < made.extent()[d];
      if (inside) skipped &= chunk.mask;
    }
    EXPECT_EQ(raw.filters_skipped_by_all(), skipped);
    for (int i = 0; i < 4; ++i) {
      Position start, count;
      for (const std::uint64_t size : made.extent()) {
        start.push_back(random.below(size + 1));
        count.push_back(i == 0 ? size - start.back() : random.below(size - start.back() + 1));
      }
      if (i == 1) start.assign(made.rank(), 0), count = made.extent();
      expect_rectangle(made, raw, start, count, decoder, cache);
      // One more in any dimension is outside.
      const std::size_t d = random.below(made.rank());
      const std::uint64_t more = made.extent()[d] - start[d] + 1;
      count[d] = more;
      EXPECT_EQ(raw.read(start, count, {}, decoder, cache)->text(),
                "/d: the rectangle is outside the dataset");
      start[d] = made.extent()[d] + 1;
      count[d] = 0;
      EXPECT_TRUE(raw.read(start, count, {}, decoder, cache));
      // The sum of both may exceed 64 bits.
      start[d] = ~random.below(4);
      count[d] = random.below(6);
      EXPECT_TRUE(raw.read(start, count, {}, decoder, cache));
      std::swap(start[d], count[d]);
      EXPECT_TRUE(raw.read(start, count, {}, decoder, cache));
    }
    if (made.rank() == 1) expect_rows(made, raw, random, decoder);
    if (HasFailure()) {
      ADD_FAILURE() << "of dataset " << seed;
      return;
    }
  }
}

TEST(RawData, LongRunsAreThoseOfTheirChunks) {
  ChunkDecoder decoder;
  for (const std::uint64_t width : {4'095, 4'096, 4'097}) {
    Made made;
    made.model.type = opaque_type(1, "");
    made.model.space = {.kind = Dataspace::Kind::kSimple, .extent = {4, 2 * width}};
    made.model.storage.layout = StorageLayout::kChunked;
    made.model.storage.chunk = {2, width};
    Random random(width);
    for (const Position& at : {Position{0, 0}, {0, 1}, {1, 1}}) {
      StoredChunk& chunk = made.chunks[at];
      chunk.values = random.bytes(made.chunk_bytes());
      chunk.address = made.file.size();
      chunk.size = chunk.values.size();
      made.file.insert(made.file.end(), chunk.values.begin(), chunk.values.end());
    }
    const FileBytes file(Bytes::of_image(made.file, "file"));
    const RawData raw = raw_data(made, file, random);
    for (const auto& [start, count] : {std::pair(Position{0, 0}, Position{4, 2 * width}),
                                       {{1, 1}, {3, 2 * width - 2}},
                                       {{1, 0}, {1, width}},
                                       {{3, width - 1}, {1, 2}}}) {
      ChunkCache cache;
      expect_rectangle(made, raw, start, count, decoder, cache);
    }
    // The last chunk is cut: its first row is still there.
    const FileBytes cut(Bytes::of_image(std::span(made.file).first(made.file.size() - 1), "file"));
    const RawData shorter = raw_data(made, cut, random);
    Data read(width);
    for (const std::uint64_t row : {2, 3}) {
      ChunkCache cache;
      const auto error =
          shorter.read(Position{row, width}, Position{1, width}, read, decoder, cache);
      EXPECT_EQ(error.has_value(), row == 3 || width < 4'096) << width;
      if (error) {
        EXPECT_EQ(error->text(), "/d: chunk 3: it is beyond the end of the file");
      }
    }
  }
}

// Elements, chunks and their bytes beyond what 32 bits can count, in a file that is mostly a hole:
// those of a rectangle are written where they have to be, and read.
TEST(RawData, PositionsExceed32Bits) {
  constexpr std::uint64_t kFileBytes = std::uint64_t{1} << 42;
  // Whoever runs the test may have limited the size of files.
  rlimit limit{};
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &limit), 0);
  limit.rlim_cur = limit.rlim_max;
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &limit), 0);
  const Descriptor descriptor{memfd_create("large", MFD_CLOEXEC)};
  ASSERT_EQ(ftruncate(descriptor.get(), static_cast<off_t>(kFileBytes)), 0);
  const FileBytes file(Bytes::of_descriptor(descriptor.get(), "large"));
  ChunkDecoder decoder;
  for (std::uint64_t seed = 0; seed < 600; ++seed) {
    Random random(seed);
    Made made;
    const std::size_t rank = 1 + random.below(3);
    made.element_bytes = 1 + random.below(5);
    made.model.type = opaque_type(made.element_bytes, "");
    made.model.space.kind = Dataspace::Kind::kSimple;
    std::uint64_t bits = 34;
    for (std::size_t d = 0; d < rank; ++d) {
      const std::uint64_t here = d + 1 == rank ? bits : random.below(bits + 1);
      made.model.space.extent.push_back((std::uint64_t{1} << here) + random.below(3));
      bits -= here;
    }
    // A rectangle near a border of 31 to 34 bits.
    const std::uint64_t border = std::uint64_t{1} << (31 + random.below(4));
    std::uint64_t element = border / (random.once_in(2) ? made.element_bytes : 1);
    element =
        std::min(element + random.below(8), made.model.space.elements()) - random.below(4) - 1;
    Position start(rank), count(rank);
    for (std::size_t d = rank; d-- > 0; element /= made.extent()[d])
      start[d] = element % made.extent()[d];
    for (std::size_t d = 0; d < rank; ++d)
      count[d] = 1 + random.below(std::min<std::uint64_t>(3, made.extent()[d] - start[d]));
    const std::uint64_t kind = random.below(3);
    if (kind == 0) {
      made.model.storage.layout = StorageLayout::kContiguous;
      made.address = random.below(kFileBytes / 2);
    } else {
      made.model.storage.layout = StorageLayout::kChunked;
      for (const std::uint64_t size : made.extent())
        made.model.storage.chunk.push_back(kind == 1 ? 1 + random.below(5)
                                                     : size / (1 + random.below(3)) + 1);
      made.most_bytes = 1'000;
    }
    std::uint64_t next = random.below(kFileBytes / 16);
    Data wanted;
    for_each_position(start, count, [&](const Position& at) {
      std::uint64_t inside = 0;
      Position chunk(rank);
      for (std::size_t d = 0; d < rank; ++d) {
        const std::uint64_t size = made.chunked() ? made.chunk()[d] : made.extent()[d];
        inside = inside * size + at[d] % size;
        chunk[d] = at[d] / size;
      }
      std::uint64_t address = made.address.value_or(0);
      if (made.chunked()) {
        StoredChunk& stored = made.chunks[chunk];
        if (stored.size == 0) {
          stored.size = made.chunk_bytes();
          stored.address = next;
          next += stored.size;
        }
        address = stored.address;
      }
      const Data bytes = random.bytes(made.element_bytes);
      ASSERT_TRUE(write_bytes(descriptor.get(), bytes, address + inside * made.element_bytes));
      wanted.insert(wanted.end(), bytes.begin(), bytes.end());
    });
    ASSERT_LT(next, kFileBytes);
    const RawData raw = raw_data(made, file, random);
    Data read(wanted.size());
    ChunkCache cache;
    const auto error = raw.read(start, count, read, decoder, cache);
    ASSERT_FALSE(error) << error->text();
    ASSERT_EQ(read, wanted) << seed;
    if (rank > 1) continue;
    std::ranges::fill(read, std::byte{0});
    ASSERT_EQ(raw.room_for(start[0], count[0]), read.size());
    ASSERT_EQ(raw.read_rows(start[0], count[0], read, decoder), 0U);
    ASSERT_EQ(read, wanted) << seed;
  }
}

TEST(RawData, ChunksHaveOnePositionEach) {
  Made made;
  made.model.space = {.kind = Dataspace::Kind::kSimple, .extent = {10}};
  made.model.storage.chunk = {2};
  const FileBytes file(Bytes::of_image(made.file, "file"));
  for (std::uint64_t one = 0; one < 7; ++one)
    for (std::uint64_t other = 0; other < 7; ++other) {
      auto raw = RawData::chunked(file, made.model, {.element_bytes = 1}, 100).value();
      for (const std::uint64_t at : {one, std::uint64_t{3}, other})
        EXPECT_TRUE(raw.add_chunk(Position{at}, 0, 2, 0));
      // Those that are outside do not count.
      EXPECT_EQ(raw.complete(), (one != other || one > 4) && one != 3 && other != 3);
    }
}

TEST(RawData, OfTooManyOrTooLargeChunksIsNone) {
  const FileBytes file(std::nullopt);
  EXPECT_FALSE(static_cast<bool>(file));
  EXPECT_EQ(file.size(), 0U);
  Dataset model;
  model.space.kind = Dataspace::Kind::kSimple;
  const auto possible = [&](Position extent, Position chunk, std::size_t element, bool filtered,
                            std::uint64_t most) {
    model.space.extent = std::move(extent);
    model.storage.chunk = std::move(chunk);
    model.storage.filters.clear();
    if (filtered) model.storage.filters.push_back({.id = kFletcher});
    return RawData::chunked(file, model, {.element_bytes = element}, most).has_value();
  };
  EXPECT_TRUE(possible({10, 10}, {2, 5}, 8, true, 80));
  EXPECT_FALSE(possible({10, 10}, {2, 5}, 8, true, 79));
  EXPECT_TRUE(possible({10, 10}, {2, 5}, 8, false, 79));
  constexpr std::uint64_t kHalf = std::uint64_t{1} << 32;
  EXPECT_FALSE(possible({10, 10}, {kHalf, kHalf}, 1, false, 1));
  EXPECT_FALSE(possible({kHalf, kHalf}, {1, 1}, 1, false, 1));
  EXPECT_TRUE(possible({kHalf, kHalf}, {2, 1}, 1, false, 2));
  // No bytes of values can be read without a file.
  ChunkDecoder decoder;
  Data into(2);
  model.space.extent = {4};
  const RawData raw = RawData::contiguous(file, model, {.element_bytes = 1}, 0);
  EXPECT_EQ(raw.read_rows(0, 2, into, decoder).error().cause, "the file ends before the values");
  ChunkCache cache;
  EXPECT_EQ(raw.read(Position{0}, Position{2}, into, decoder, cache)->cause,
            "the file ends before the values");
}

// The chunks that were used last, up to 16 MiB.
TEST(ChunkCaches, KeepWhatWasUsedLast) {
  constexpr std::uint64_t kMost = 16 << 20;
  const FileBytes file(std::nullopt);
  const Dataset model;
  const std::vector<RawData> datasets = {RawData::contiguous(file, model, {.element_bytes = 1}, 0),
                                         RawData::contiguous(file, model, {.element_bytes = 1}, 0)};
  std::vector<ChunkCache::Bytes> sizes;
  for (const std::size_t size : {1, 3, 4, 8, 12, 16, 17})
    sizes.push_back(std::make_shared<Data>(size << 20));
  struct Entry {
    std::size_t data;
    std::uint64_t chunk;
    ChunkCache::Bytes bytes;
  };
  ChunkCache cache;
  std::list<Entry> kept;  // the one that was used last first
  Random random(1);
  for (int i = 0; i < 3'000; ++i) {
    const std::size_t data = random.below(datasets.size());
    const std::uint64_t chunk = random.below(3);
    const auto known = std::ranges::find_if(
        kept, [&](const Entry& each) { return each.data == data && each.chunk == chunk; });
    const ChunkCache::Bytes found = cache.find(datasets[data], chunk);
    ASSERT_EQ(found, known == kept.end() ? nullptr : known->bytes);
    if (known != kept.end()) {
      kept.splice(kept.begin(), kept, known);
      continue;
    }
    const std::size_t size = random.once_in(20) ? random.below(sizes.size()) : random.below(4);
    kept.push_front({data, chunk, sizes[size]});
    cache.keep(datasets[data], chunk, sizes[size]);
    std::uint64_t bytes = 0;
    for (const Entry& each : kept) bytes += each.bytes->size();
    for (; bytes > kMost; kept.pop_back()) bytes -= kept.back().bytes->size();
  }
}

// --- Steps of rectangles ------------------------------------------------------------------------

// Rows come in the steps that suit the chunks: whole ones, unless they exceed the limit.
TEST(RectangleStreams, StepAlongChunks) {
  for (std::uint64_t seed = 0; seed < 2'000; ++seed) {
    Random random(seed);
    constexpr std::uint64_t kRowBytes[] = {0, 1, 1'000, 70'000, 300'000};
    const std::uint64_t row_bytes = random.one_of(kRowBytes), chunk = random.below(20);
    const std::uint64_t most_bytes = 1 + random.below(4) * 1'000'000;
    Dataset model;
    model.space = {.kind = Dataspace::Kind::kSimple, .extent = {100, row_bytes}};
    const bool chunked = random.once_in(2);
    model.storage.layout = chunked ? StorageLayout::kChunked : StorageLayout::kContiguous;
    if (!random.once_in(8)) model.storage.chunk = {chunk, 1};
    const std::uint64_t first = random.below(100), count = random.below(101 - first);
    std::uint64_t next = first;
    RectangleStream stream(
        [&](auto start, auto size, auto into, ChunkDecoder&) -> std::optional<Error> {
          EXPECT_EQ(start.size(), 2U);
          EXPECT_EQ(start[0], next);
          EXPECT_EQ(start[1], 0U);
          EXPECT_EQ(size[1], row_bytes);
          EXPECT_EQ(into.size(), size[0] * row_bytes);
          next += size[0];
          return std::nullopt;
        },
        model, most_bytes, row_bytes, first, count);
    const std::uint64_t rows =
        chunked && !model.storage.chunk.empty() ? std::max<std::uint64_t>(1, chunk) : 1;
    constexpr std::uint64_t kStep = 262'144;
    std::uint64_t step = row_bytes == 0 ? kStep : std::max<std::uint64_t>(1, kStep / row_bytes);
    if (rows * row_bytes <= most_bytes && rows <= most_bytes)
      step = step < rows ? rows : step - step % rows;
    for (std::uint64_t row = first; row < first + count;) {
      // To the next chunk after as many steps as there are before it.
      const std::uint64_t wanted = std::min(step - row % rows % step, first + count - row);
      const auto block = stream.next();
      ASSERT_TRUE(block && *block);
      ASSERT_EQ((*block)->first_row, row);
      ASSERT_EQ((*block)->rows, wanted) << seed;
      ASSERT_EQ((*block)->bytes.size(), wanted * row_bytes);
      row += wanted;
      ASSERT_EQ(next, row);
    }
    ASSERT_FALSE(stream.next()->has_value());
  }
}

}  // namespace
}  // namespace hepcheck::hep001
