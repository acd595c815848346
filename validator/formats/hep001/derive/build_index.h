// Builders of the four search-index families (10.4 to 10.7): what an index over a column holds.
//
// Each takes the column's model and a stream of its rows [0, NROWS), reads it once, and gives
// the index's contents as plain values; validator/formats/hep001/libhdf5/write_index.h puts them
// into a file. What they build, the rules verify without a finding. Trouble in reading comes back
// as an Error.
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

// Why this revision permits no index of this family over a column of this datatype, or why its
// values cannot be compared here; nothing if one may be built. The builders need a datatype that
// the newest revision permits.
std::optional<std::string> index_refusal(IndexKind kind, const Datatype& type,
                                         const Revision& revision);

// A value as the column stores it; of a variable-length string, its text.
using OwnedValue = std::vector<std::byte>;

// 10.4: one entry of a CHUNK_MINMAX index.
struct ChunkMinmax {
  OwnedValue min{}, max{};  // the fill value if the chunk has no value that can be ordered
  std::uint64_t nan_count = 0, fill_count = 0, n = 0;
};
// One entry a chunk that holds logical rows, in order; a column that is not chunked is one chunk.
Result<std::vector<ChunkMinmax>> build_chunk_minmax(const Dataset& column, ValueStream& rows);

// 10.5: the rows in order of their values; equal values, the missing rows behind them and the NaN
// rows at the end each in order of row.
struct SortedRows {
  std::vector<std::uint64_t> rows{};
  std::uint64_t nan_tail_length = 0, fill_tail_length = 0;
};
// Sorts in memory; an Error if that takes more than `memory_limit` bytes.
Result<SortedRows> build_sorted_rows(const Dataset& column, ValueStream& rows,
                                     std::uint64_t memory_limit);

// 10.6: the distinct values that occur, and for each a row of bits. Missing and NaN rows have no
// value, so that no bit is set for them.
struct Bitmap {
  std::vector<OwnedValue> values{};
  bool ordered = false;  // values in HEP001 order; otherwise in order of first occurrence
  std::uint64_t row_bytes = 0;
  std::vector<std::byte> bits{};  // values.size() x row_bytes
};
// An Error if there are more than `most_values` distinct values, or if they take more than
// `memory_limit` bytes.
Result<Bitmap> build_bitmap(const Dataset& column, ValueStream& rows, std::uint64_t most_values,
                            std::uint64_t memory_limit);

// 10.7: chunks x m_bits / 8 bytes. Sums are wrapped at 64 bits; with m_bits a power of two, which
// bloom_parameters gives, every reading of the text finds every value.
Result<std::vector<std::byte>> build_chunk_bloom(const Dataset& column, ValueStream& rows,
                                                 const BloomParameters& parameters);

// Filters for chunks of `values` values each: at least `bits_per_value` bits a value, rounded up
// to a power of two, and unless `hashes` says otherwise as many hash functions as suit them best.
BloomParameters bloom_parameters(std::uint64_t values, double bits_per_value,
                                 std::optional<std::uint32_t> hashes, std::uint32_t seed);
// Bits a value for a rate of false positives in (0, 1), at the best number of hash functions.
double bloom_bits_per_value(double false_positive_rate);

}  // namespace hepcheck::hep001
