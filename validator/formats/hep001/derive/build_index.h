// Builders of the four search-index families (10.4 to 10.7): they compute the contents of an index
// over
// a column.
//
// Each takes the column's model and a stream of its rows [0, NROWS), reads it once, and returns the
// contents of the index as plain values; validator/formats/hep001/libhdf5/write_index.h stores them
// in
// a file. The rules verify built indexes without a finding. Read failures are returned as an Error.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "validator/formats/hep001/derive/bloom.h"
#include "validator/formats/hep001/model/table.h"
#include "validator/formats/hep001/model/values.h"

namespace hepcheck::hep001 {

// The reason why this revision permits no index of this family over a column of this datatype, or
// why its values cannot be compared; nothing if one may be built. The builders require a datatype
// that the newest revision permits.
std::optional<std::string> index_refusal(IndexKind kind, const Datatype& type,
                                         const Revision& revision);

// A value as stored in the column; for a variable-length string, its text.
using OwnedValue = std::vector<std::byte>;

// 10.4: one entry of a CHUNK_MINMAX index.
struct ChunkMinmax {
  OwnedValue min{}, max{};  // the fill value if the chunk has no value with an order
  std::uint64_t nan_count = 0, fill_count = 0, n = 0;
};
// One entry for each chunk that contains logical rows, in order; a column that is not chunked is
// one chunk.
Result<std::vector<ChunkMinmax>> build_chunk_minmax(const Dataset& column, ValueStream& rows);

// 10.5: the rows in the order of their values; equal values, the missing rows after them and the
// NaN rows at the end, each in row order.
struct SortedRows {
  std::vector<std::uint64_t> rows{};
  std::uint64_t nan_tail_length = 0, fill_tail_length = 0;
};
// Sorts in memory; an Error if that needs more than `memory_limit` bytes.
Result<SortedRows> build_sorted_rows(const Dataset& column, ValueStream& rows,
                                     std::uint64_t memory_limit);

// 10.6: the distinct values that occur, and a row of bits for each. Missing and NaN rows have no
// value, so no bit is set for them.
struct Bitmap {
  std::vector<OwnedValue> values{};
  bool ordered = false;  // values in HEP001 order; otherwise in the order of first occurrence
  std::uint64_t row_bytes = 0;
  std::vector<std::byte> bits{};  // values.size() x row_bytes
};
// An Error if there are more than `most_values` distinct values, or if they need more than
// `memory_limit` bytes.
Result<Bitmap> build_bitmap(const Dataset& column, ValueStream& rows, std::uint64_t most_values,
                            std::uint64_t memory_limit);

// 10.7: chunks x m_bits / 8 bytes. Sums are wrapped at 64 bits; if m_bits is a power of two, as
// bloom_parameters chooses, every interpretation of the text finds every value.
Result<std::vector<std::byte>> build_chunk_bloom(const Dataset& column, ValueStream& rows,
                                                 const BloomParameters& parameters);

// Parameters for chunks of `values` values each: at least `bits_per_value` bits per value, rounded
// up to a power of two, and, unless `hashes` is given, the optimal number of hash functions.
BloomParameters bloom_parameters(std::uint64_t values, double bits_per_value,
                                 std::optional<std::uint32_t> hashes, std::uint32_t seed);
// Bits per value for a rate of false positives in (0, 1), with the optimal number of hash
// functions.
double bloom_bits_per_value(double false_positive_rate);

}  // namespace hepcheck::hep001
