#include "validator/formats/rntuple/exchange/column_values.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <format>
#include <utility>

#include "validator/slab.h"

namespace hepcheck::rntuple {

namespace {

// The bytes of a page, uncompressed.
void read_page(const Bytes& file, const PageInfo& page, std::span<std::byte> into) {
  Slab stored;
  const std::span<std::byte> bytes = stored.take(page.size);
  if (!page.usable || !file.read(page.offset, bytes)) throw ColumnTrouble{"a page cannot be read"};
  Block block = scan_block(bytes, into.size());
  if (block.usable()) decode_block(bytes, into, block);
  if (!block.usable()) throw ColumnTrouble{"a page cannot be decompressed"};
}

// The elements of a page, one after another.
void lay_out(std::span<const std::byte> plain, std::uint64_t n, const ColumnType& type,
             std::byte* into) {
  if (type.bits == 1) {
    for (std::uint64_t i = 0; i < n; ++i) into[i] = plain[i / 8] >> (i % 8) & std::byte{1};
    return;
  }
  const std::uint64_t width = type.bits / 8;
  if (!type.split)
    std::memcpy(into, plain.data(), n * width);
  else
    for (std::uint64_t i = 0; i < n; ++i)
      for (std::uint64_t k = 0; k < width; ++k) into[i * width + k] = plain[k * n + i];
  if (!type.zigzag && !type.delta) return;
  std::uint64_t before = 0;
  for (std::uint64_t i = 0; i < n; ++i) {
    std::uint64_t value = 0;
    std::memcpy(&value, into + i * width, width);
    if (type.zigzag) value = value >> 1 ^ (~(value & 1) + 1);
    if (type.delta) value = before += value;
    std::memcpy(into + i * width, &value, width);
  }
}

}  // namespace

double real_at(const std::byte* at, std::uint64_t width) {
  if (width == 8) return std::bit_cast<double>(load<std::uint64_t>(at));
  if (width == 4) return static_cast<double>(std::bit_cast<float>(load<std::uint32_t>(at)));
  const auto bits = load<std::uint16_t>(at);
  const int exponent = bits >> 10 & 0x1F;
  const double fraction = bits & 0x3FF, sign = (bits & 0x8000) != 0 ? -1 : 1;
  if (exponent == 0x1F) return fraction > 0 ? std::nan("") : sign * INFINITY;
  return sign *
         (exponent == 0 ? std::ldexp(fraction, -24) : std::ldexp(1024 + fraction, exponent - 25));
}

// The clusters in the order of their entries.
template <class Each>
void ColumnReader::each_cluster(const Each& each) const {
  if (nothing_) return;
  std::vector<std::pair<const PageList*, const Cluster*>> all;
  for (const PageList& list : seen_.page_lists())
    for (const Cluster& cluster : list.clusters) {
      if (cluster.sharded()) throw ColumnTrouble{"sharded clusters are not read"};
      if (cluster.entries > 0) all.emplace_back(&list, &cluster);
    }
  std::ranges::sort(all, {}, [](const auto& at) { return at.second->first_entry; });
  for (const auto& [list, cluster] : all) each(*list, *cluster);
}

std::uint64_t ColumnReader::entries() const {
  std::uint64_t total = 0;
  each_cluster([&](const PageList&, const Cluster& cluster) { total += cluster.entries; });
  return total;
}

void ColumnReader::take(std::uint64_t bytes) {
  if (bytes > left_) throw ColumnTrouble{"the table does not fit into the memory that is allowed"};
  left_ -= bytes;
}

std::vector<std::uint64_t> ColumnReader::counts(std::uint32_t id) const {
  const Column& column = seen_.schema().columns[id];
  std::vector<std::uint64_t> made;
  std::uint64_t leading = column.first, total = 0;
  each_cluster([&](const PageList& list, const Cluster& cluster) {
    std::uint64_t stored = 0;
    if (id < cluster.chunks.size()) {
      const ColumnChunk& chunk = cluster.chunks[id];
      for (std::uint64_t p = 0; p < chunk.pages; ++p)
        stored += list.pages[chunk.first_page + p].elements;
    }
    // Of a deferred column of the top level, the leading elements are those of the first entries.
    const std::uint64_t zeros = column.deferred() && cluster.entries > stored
                                    ? std::min(leading, cluster.entries - stored)
                                    : 0;
    leading -= zeros;
    made.push_back(sum(zeros, stored));
    total = sum(total, made.back());
  });
  return made;
}

ColumnValues ColumnReader::read(std::uint32_t id) {
  const Column& column = seen_.schema().columns[id];
  if (!column.decodable()) throw ColumnTrouble{std::format("column {} has an unknown type", id)};
  const std::uint64_t width = std::max<std::uint64_t>(1, column.bits / 8);
  ColumnValues made{.counts = counts(id)};
  for (const std::uint64_t each : made.counts) made.elements = sum(made.elements, each);
  take(product(made.elements, width));
  made.bytes.resize(made.elements * width);
  std::memset(made.bytes.data(), 0, made.bytes.size());
  std::uint64_t at = 0;
  std::size_t number = 0;
  Slab plain;
  each_cluster([&](const PageList& list, const Cluster& cluster) {
    std::uint64_t end = at + made.counts[number++];
    std::uint64_t stored = 0;
    const ColumnChunk* const chunk = id < cluster.chunks.size() ? &cluster.chunks[id] : nullptr;
    for (std::uint64_t p = 0; chunk && p < chunk->pages; ++p)
      stored += list.pages[chunk->first_page + p].elements;
    at = end - stored;
    for (std::uint64_t p = 0; chunk && p < chunk->pages; ++p) {
      const PageInfo& page = list.pages[chunk->first_page + p];
      const std::uint64_t length = divided_up(product(page.elements, column.bits), 8);
      if (length > seen_.context()->memory) throw ColumnTrouble{"a page is larger than the limit"};
      const std::span<std::byte> bytes = plain.take(length);
      read_page(seen_.context()->root.file(), page, bytes);
      lay_out(bytes, page.elements, column.kind(), made.bytes.data() + at * width);
      at += page.elements;
    }
  });
  return made;
}

std::vector<std::uint64_t> ColumnReader::offsets(std::uint32_t id) {
  const ColumnValues values = read(id);
  const std::uint64_t width = seen_.schema().columns[id].bits / 8;
  take(product(values.elements, 8));
  std::vector<std::uint64_t> made;
  made.reserve(values.elements);
  std::uint64_t base = 0, at = 0;
  for (const std::uint64_t count : values.counts) {
    std::uint64_t last = 0;
    for (std::uint64_t i = 0; i < count; ++i, ++at) {
      last = 0;
      std::memcpy(&last, values.bytes.data() + at * width, width);
      made.push_back(base + last);
    }
    base += last;
  }
  return made;
}

}  // namespace hepcheck::rntuple
