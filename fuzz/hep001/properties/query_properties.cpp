// The purpose of indexes: a reader that trusts them finds the rows that a plain scan finds. The
// readers below use only the index and the order of values.
#include <algorithm>

#include "fuzz/hep001/properties/cases.h"
#include "validator/formats/hep001/derive/build_index.h"
#include "validator/formats/hep001/derive/order.h"

namespace hepcheck::hep001::grammar {

namespace {

using RowList = std::vector<std::uint64_t>;

// low <= value <= high
struct Query {
  Value low{}, high{};
  bool holds(const Value& value) const { return !less(value, low) && !less(high, value); }
};

Query draw_query(const Datatype& type) {
  Query query{draw_value("low", type), draw_value("high", type)};
  RC_PRE(!is_nan(query.low) && !is_nan(query.high));
  return query;
}

RowList scan(const RandomColumn& column, const Query& query) {
  RowList rows;
  for (std::uint64_t row = 0; row < column.nrows; ++row)
    if (column.plain(row) && query.holds(column.rows[row])) rows.push_back(row);
  return rows;
}

struct Loaded {
  Case of = draw_case(draw_family(), 40);
  RandomColumn column = of.column;
  Query query = draw_query(column.type);
  Noise noise = draw_noise();
  TestTable table{"/t", column.nrows};

  Loaded() {
    add(table, "c", column, noise);
    table.values.block_rows = of.cut.block_rows;
    table.values.blocks_are_chunks = of.cut.blocks_are_chunks;
  }
  const Dataset& dataset() { return table.dataset("c"); }
  std::unique_ptr<ValueStream> rows() { return *table.values.stream(dataset(), column.nrows); }
};

RC_GTEST_PROP(Queries, PruningByMinmaxEqualsAScan, ()) {
  Loaded t;
  const auto index = build_chunk_minmax(t.dataset(), *t.rows());
  RC_ASSERT(index.has_value());
  const auto low = encode(t.column.type, t.query.low), high = encode(t.column.type, t.query.high);
  RowList found;
  for (std::size_t chunk = 0; chunk < index->size(); ++chunk) {
    const ChunkMinmax& entry = (*index)[chunk];
    if (compare_values(t.column.type, entry.max, low) < 0 ||
        compare_values(t.column.type, entry.min, high) > 0)
      continue;
    for (std::uint64_t i = 0; i < entry.n; ++i) {
      const std::uint64_t row = chunk * t.column.chunk_rows() + i;
      if (t.column.plain(row) && t.query.holds(t.column.rows[row])) found.push_back(row);
    }
  }
  RC_ASSERT(found == scan(t.column, t.query));
}

RC_GTEST_PROP(Queries, BinarySearchEqualsAScan, ()) {
  Loaded t;
  const auto index = build_sorted_rows(t.dataset(), *t.rows(), 1 << 20);
  RC_ASSERT(index.has_value());
  const std::span values(index->rows.data(),
                         index->rows.size() - index->nan_tail_length - index->fill_tail_length);
  const auto stored = [&](std::uint64_t row) { return encode(t.column.type, t.column.rows[row]); };
  const auto low = encode(t.column.type, t.query.low), high = encode(t.column.type, t.query.high);
  const auto begin = std::ranges::partition_point(values, [&](std::uint64_t row) {
    return compare_values(t.column.type, stored(row), low) < 0;
  });
  const auto end = std::ranges::partition_point(values, [&](std::uint64_t row) {
    return compare_values(t.column.type, stored(row), high) <= 0;
  });
  RowList found;
  if (begin < end) found.assign(begin, end);
  std::ranges::sort(found);
  RC_ASSERT(found == scan(t.column, t.query));
}

RC_GTEST_PROP(Queries, BitmapEqualsAScan, ()) {
  Loaded t;
  const auto index = build_bitmap(t.dataset(), *t.rows(), 1000, 1 << 20);
  RC_ASSERT(index.has_value());
  RowList found;
  for (std::size_t k = 0; k < index->values.size(); ++k)
    if (compare_values(t.column.type, index->values[k], encode(t.column.type, t.query.low)) == 0)
      for (std::uint64_t row = 0; row < t.column.nrows; ++row)
        if (test_bit(std::span(index->bits).subspan(k * index->row_bytes), row))
          found.push_back(row);
  RC_ASSERT(found == scan(t.column, {t.query.low, t.query.low}));
}

RC_GTEST_PROP(Queries, BloomNeverHidesARow, ()) {
  Loaded t;
  RC_PRE(hashable(t.column.type));
  const BloomParameters p{.k = 3, .m_bits = 64, .seed = 7};
  const auto index = build_chunk_bloom(t.dataset(), *t.rows(), p);
  RC_ASSERT(index.has_value());
  const auto bytes = canonical(t.column.type, t.query.low);
  const Hash128 hash = murmur3_x64_128(bytes.data(), bytes.size(), p.seed);
  for (const std::uint64_t row : scan(t.column, {t.query.low, t.query.low}))
    RC_ASSERT(bloom_contains(std::span(*index).subspan(row / t.column.chunk_rows() * 8, 8), hash, p,
                             BloomSum::kExact));
}

}  // namespace

}  // namespace hepcheck::hep001::grammar
