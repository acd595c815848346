// Measures the throughput of the loops that dominate verification, on one core and in memory:
//
//   hot_loops [MILLIONS OF VALUES]     one line per loop: name, million values per second, GB/s
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <format>
#include <numeric>
#include <print>
#include <random>
#include <span>
#include <vector>

#include "validator/formats/hep001/derive/bloom.h"
#include "validator/formats/hep001/derive/facts.h"
#include "validator/formats/hep001/testing/build.h"
#include "validator/slab.h"

namespace hepcheck::hep001 {

namespace {

// The median time of five runs of `loop`, in seconds.
template <class Loop>
double median_time(Loop loop) {
  std::vector<double> seconds;
  for (int run = 0; run < 5; ++run) {
    const auto start = std::chrono::steady_clock::now();
    loop();
    seconds.push_back(
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  }
  std::ranges::nth_element(seconds, seconds.begin() + 2);
  return seconds[2];
}

// Prints the rate of `loop` over `values` values of `bytes` bytes each.
template <class Loop>
void measure(const char* name, std::uint64_t values, std::uint64_t bytes, Loop loop) {
  const double rate = static_cast<double>(values) / median_time(loop);
  std::println("{:<44} {:>8.1f} {:>8.2f}", name, rate / 1e6,
               rate * static_cast<double>(bytes) / 1e9);
}

// Prevents the compiler from removing a result.
void use(std::uint64_t value) { asm volatile("" : : "r"(value) : "memory"); }

void murmur3(std::uint64_t values, std::size_t bytes) {
  std::vector<std::byte> data(values * bytes);
  std::mt19937_64 random(1);
  std::ranges::generate(data, [&] { return static_cast<std::byte>(random()); });
  measure(std::format("murmur3_x64_128, {} bytes a value", bytes).c_str(), values, bytes, [&] {
    std::uint64_t sum = 0;
    for (std::uint64_t i = 0; i < values; ++i)
      sum += murmur3_x64_128(data.data() + i * bytes, bytes, 0).a;
    use(sum);
  });
}

// Values of 8 bytes, many at a time, as a Bloom filter is checked.
void murmur3_together(std::uint64_t values) {
  std::vector<std::uint64_t> words(values / kWordsTogether * kWordsTogether);
  std::mt19937_64 random(4);
  std::ranges::generate(words, random);
  std::vector<Hash128> hashes(kWordsTogether);
  measure("murmur3_x64_128 of words, many at a time", words.size(), 8, [&] {
    for (std::size_t i = 0; i < words.size(); i += kWordsTogether) {
      murmur3_of_words(std::span(words).subspan(i, kWordsTogether), 8, 0, hashes);
      use(hashes[0].a);
    }
  });
}

// Bytes of a file in the page cache, copied to a buffer that stays in the cache of a core, as every
// reader does.
void copy_pages() {
  constexpr std::size_t kFile = std::size_t{256} << 20, kBuffer = std::size_t{256} << 10;
  std::FILE* const made = std::tmpfile();
  const int file = made ? fileno(made) : -1;
  std::vector<std::byte> buffer(kBuffer, std::byte{1});
  for (std::size_t at = 0; at < kFile; at += kBuffer)
    if (write(file, buffer.data(), kBuffer) != static_cast<ssize_t>(kBuffer)) {
      std::println(stderr, "hot_loops: no space for a file");
      std::exit(1);
    }
  measure("cached pages of a file, copied", kFile, 1, [&] {
    for (std::size_t at = 0; at < kFile; at += kBuffer)
      use(static_cast<std::uint64_t>(pread(file, buffer.data(), kBuffer, static_cast<off_t>(at))));
  });
  std::fclose(made);
}

// Memory that no cache holds, read in order.
void read_memory() {
  const std::vector<std::uint64_t> words(std::size_t{64} << 20, 1);
  measure("memory, read in order", words.size(), sizeof words[0], [&] {
    std::uint64_t sums[8] = {};
    for (std::size_t i = 0; i < words.size(); i += 8)
      for (std::size_t k = 0; k < 8; ++k) sums[k] += words[i + k];
    use(std::accumulate(std::begin(sums), std::end(sums), std::uint64_t{0}));
  });
}

// Values of 8 bytes, read in an order in which each of them occurs once.
void gather(std::uint64_t values) {
  constexpr std::size_t kAhead = 192;
  const LargeBlock block(values * sizeof(std::uint64_t));
  const auto* const from = reinterpret_cast<const std::uint64_t*>(block.get());
  std::memset(block.get(), 1, values * sizeof(std::uint64_t));
  std::vector<std::uint64_t> order(values);
  std::iota(order.begin(), order.end(), 0u);
  std::ranges::shuffle(order, std::mt19937_64(3));
  measure("values of 8 bytes in memory, in random order", values, 8, [&] {
    std::uint64_t sum = 0;
    for (std::uint64_t i = 0; i < values; ++i) {
      if (i + kAhead < values) __builtin_prefetch(from + order[i + kAhead]);
      sum += from[order[i]];
    }
    use(sum);
  });
}

template <class T>
std::vector<std::byte> bytes_of(const std::vector<T>& values) {
  const auto bytes = std::as_bytes(std::span(values));
  return {bytes.begin(), bytes.end()};
}

// Verifies a column with a correct SORTED_ROWS index in memory.
template <class T>
void order_check(const char* name, const Datatype& type, std::vector<T> column) {
  const std::uint64_t rows = column.size();
  std::vector<std::uint64_t> index(rows);
  std::iota(index.begin(), index.end(), 0u);
  std::ranges::stable_sort(index, {}, [&](std::uint64_t row) { return column[row]; });

  TableBuilder t("/t", rows);
  t.add_column("c", type, {}, 0).space.extent = {rows};
  t.add_group("SEARCH_INDEXES");
  t.add_dataset("SEARCH_INDEXES/c__sorted", integer_type(8, false), {rows});
  t.set("SEARCH_INDEXES/c__sorted", ascii("KIND", "SORTED_ROWS"));
  t.set("c", references("SEARCH_INDEX_LIST", {t.to("SEARCH_INDEXES/c__sorted")}));
  t.values.set(t.dataset("c").token, bytes_of(column));
  t.values.set(t.dataset("SEARCH_INDEXES/c__sorted").token, bytes_of(index));
  t.values.block_rows = 1 << 16;
  const Table& table = t.finish();
  measure(name, rows, type.size + 8, [&] {
    const TableFacts facts = collect_facts(table, t.values, {.memory_limit = 1 << 30, .jobs = 1});
    const auto& sorted = std::get<SortedFacts>(facts.indexes.at(0));
    if (sorted.obstacle || sorted.rows != rows || sorted.order.count > 0) {
      std::println(stderr, "hot_loops: the order was not checked");
      std::exit(1);
    }
  });
}

void run(std::uint64_t values) {
  std::println("{:<44} {:>8} {:>8}", "loop, one core", "M/s", "GB/s");
  copy_pages();
  read_memory();
  gather(values);
  for (const std::size_t bytes : {8, 16, 64, 1024})
    murmur3(std::max<std::uint64_t>(1, values * 8 / bytes), bytes);
  murmur3_together(values);
  std::mt19937_64 random(2);
  std::vector<double> floats(values);
  std::ranges::generate(floats, [&] { return static_cast<double>(random() % 1'000'000 + 1); });
  order_check("order check, float64", ieee_float_type(8), std::move(floats));
  std::vector<std::int64_t> integers(values);
  std::ranges::generate(integers, [&] { return static_cast<std::int64_t>(random() >> 1 | 1); });
  order_check("order check, int64", integer_type(8, true), std::move(integers));
}

}  // namespace

}  // namespace hepcheck::hep001

int main(int argc, char** argv) {
  const long millions = argc > 1 ? std::atol(argv[1]) : 4;
  if (millions < 1) return std::fprintf(stderr, "usage: hot_loops [MILLIONS OF VALUES]\n"), 2;
  hepcheck::hep001::run(static_cast<std::uint64_t>(millions) * 1'000'000);
}
