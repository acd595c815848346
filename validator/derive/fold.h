// A fold: what a pass over a column feeds, block by block.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>

#include "validator/derive/facts.h"
#include "validator/model/values.h"

namespace hepcheck {

class Fold {
 public:
  virtual ~Fold() = default;
  virtual void block(const Block& block) = 0;
  // After the last block.
  virtual void finish() {}
  // Reading the column failed; there will be no further call.
  virtual void fail(const Error& error) = 0;
};

// What a fold needs to know about its column.
struct FoldContext {
  const Table& table;
  const Dataset& column;
  ValueSource& values;
  std::uint64_t rows;          // logical rows
  std::uint64_t memory_limit;  // bytes
};

// Folds of the families; `into` must outlive the fold. Nothing (and into.obstacle set) if the
// structure does not allow it.
std::unique_ptr<Fold> column_fold(const FoldContext& context, const Column& column,
                                  ColumnFacts& into);
std::unique_ptr<Fold> minmax_fold(const FoldContext& context, const SearchIndex& index,
                                  MinmaxFacts& into);
std::unique_ptr<Fold> sorted_fold(const FoldContext& context, const SearchIndex& index,
                                  SortedFacts& into);
std::unique_ptr<Fold> bitmap_fold(const FoldContext& context, const SearchIndex& index,
                                  BitmapFacts& into);
std::unique_ptr<Fold> bloom_fold(const FoldContext& context, const SearchIndex& index,
                                 BloomFacts& into);

// Counts a difference; describe() is asked only for the first one and returns a Difference
// with the texts.
template <class Describe>
void note(Difference& into, std::uint64_t position, Describe describe) {
  if (into.count++ > 0) return;
  Difference first = describe();
  into.first = position;
  into.stored = std::move(first.stored);
  into.computed = std::move(first.computed);
  into.witness = std::move(first.witness);
}

// The structure allows a look at the index's contents: bytes of a row of the index dataset.
inline Obstacle broken(std::string reason) { return {.reason = std::move(reason), .broken = true}; }

// What depends on which rows are missing cannot be known of a column without a fill value.
inline constexpr const char* kNoFill = "no user-defined fill value (fill-user-defined)";

// An unsigned integer of up to 8 bytes, either byte order.
inline std::uint64_t load_unsigned(const std::byte* at, const Datatype& type) {
  std::uint64_t bits = 0;
  for (std::size_t i = 0; i < type.size; ++i)
    bits |= std::to_integer<std::uint64_t>(
                at[type.order == ByteOrder::kBig ? type.size - 1 - i : i])
            << (8 * i);
  return bits;
}

}  // namespace hepcheck
