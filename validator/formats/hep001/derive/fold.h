// Folds: the consumers of one pass over a column.
//
// The rows are divided into runs, and every run is read by one thread, which feeds a part of each
// fold with its blocks. The parts are merged in row order, so facts do not depend on the number of
// threads.
#pragma once

#include <algorithm>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "validator/formats/hep001/clause_ids.h"
#include "validator/formats/hep001/derive/facts.h"
#include "validator/formats/hep001/model/values.h"

namespace hepcheck::hep001 {

// Consecutive rows of a dataset.
struct Run {
  std::uint64_t first = 0, rows = 0;
};

// Rows [0, rows) of a dataset divided into runs that begin at chunk boundaries.
class Runs {
 public:
  Runs(const Dataset& dataset, std::uint64_t rows, const Cuts& cuts);
  static Runs whole(std::uint64_t rows) { return {rows, rows}; }
  std::uint64_t count() const { return rows_ / step_ + (rows_ % step_ != 0); }
  std::uint64_t holding(std::uint64_t row) const { return row / step_; }
  Run operator[](std::uint64_t i) const { return {i * step_, std::min(step_, rows_ - i * step_)}; }

 private:
  Runs(std::uint64_t rows, std::uint64_t step)
      : rows_(rows), step_(std::max<std::uint64_t>(1, step)) {}
  std::uint64_t rows_, step_;
};

// The contribution of one run. Parts of one fold are fed on different threads concurrently.
class FoldPart {
 public:
  virtual ~FoldPart() = default;
  virtual void block(const Block& block) = 0;
};

class Fold {
 public:
  virtual ~Fold() = default;
  // A part for a run; called on any thread.
  virtual std::unique_ptr<FoldPart> part(const Run& run) = 0;
  // Receives the parts in row order, one at a time.
  virtual void join(FoldPart& part) = 0;
  // After the last part.
  virtual void finish() {}
  // Reading the column failed; there will be no further call.
  virtual void fail(const Error& error) = 0;
  // A chunk must not be divided among several runs, not even the only chunk of a contiguous column.
  virtual bool whole_chunks() const { return false; }
};

// The properties of its column that a fold needs.
struct FoldContext {
  const Table& table;
  const Dataset& column;
  ValueSource& values;
  std::uint64_t rows;          // logical rows
  std::uint64_t memory_limit;  // bytes
  unsigned jobs = 1;           // threads
  Progress* progress = nullptr;
  Cuts cuts{};
};

// Folds of the families; `into` must outlive the fold. Nothing (and into.obstacle is set) if the
// structure does not allow it.
std::unique_ptr<Fold> column_fold(const FoldContext& context, const Column& column,
                                  ColumnFacts& into);
// The same for the leaf of a list column, whose elements do not have to be missing.
std::unique_ptr<Fold> leaf_fold(const FoldContext& context, ColumnFacts& into);
// Counts missing rows. Nothing if no row can be missing.
std::unique_ptr<Fold> missing_fold(const FoldContext& context, MissingCells& into);
std::unique_ptr<Fold> minmax_fold(const FoldContext& context, const SearchIndex& index,
                                  MinmaxFacts& into);
std::unique_ptr<Fold> sorted_fold(const FoldContext& context, const SearchIndex& index,
                                  SortedFacts& into);
std::unique_ptr<Fold> bitmap_fold(const FoldContext& context, const SearchIndex& index,
                                  BitmapFacts& into);
std::unique_ptr<Fold> bloom_fold(const FoldContext& context, const SearchIndex& index,
                                 BloomFacts& into);

// Counts a difference; describe() is called only for the first one and returns a Difference with
// the texts.
template <class Describe>
void note(Difference& into, std::uint64_t position, Describe describe) {
  into.where.add(position);
  if (into.count++ > 0) return;
  Difference first = describe();
  into.first = position;
  into.stored = std::move(first.stored);
  into.computed = std::move(first.computed);
  into.witness = std::move(first.witness);
}

// The same if differences do not arrive in order: the first one is that of the lowest position.
template <class Describe>
void note_lowest(Difference& into, std::uint64_t position, Describe describe) {
  into.where.add(position);
  ++into.count;
  if (into.count > 1 && into.first <= position) return;
  Difference first = describe();
  into.first = position;
  into.stored = std::move(first.stored);
  into.computed = std::move(first.computed);
  into.witness = std::move(first.witness);
}

// Merges the results of a later part.
inline void join(Difference& into, Difference&& later) {
  if (into.count == 0) {
    into = std::move(later);
  } else {
    into.count += later.count;
    into.where.add(later.where);
  }
}

// The reason why the facts of a subject are unknown: these violated clauses, or something
// unreadable. Probe::blocked adds the ids to its text, so `reason` does not contain them.
inline Obstacle broken(std::string reason, std::initializer_list<ClauseId> clauses = {}) {
  return {.reason = std::move(reason), .broken = true, .by = by(clauses)};
}

// Facts that depend on missing rows are unknown for a column without a fill value.
inline Obstacle no_fill(const Table& table) {
  return {.reason = "no user-defined fill value", .by = {table.revision->fill_clause}};
}
// A boolean column has no missing rows.
inline bool missing_rows_are_known(const FoldContext& context) {
  return has_user_fill(context.column) ||
         context.table.revision->is_boolean_column(context.column.type);
}

}  // namespace hepcheck::hep001
