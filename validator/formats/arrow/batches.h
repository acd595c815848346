// The batches of a stream or file, in the order in which they are judged.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "validator/formats/arrow/arrays.h"
#include "validator/formats/arrow/byte_cells.h"
#include "validator/formats/arrow/dictionaries.h"
#include "validator/formats/arrow/null_cells.h"
#include "validator/options.h"

namespace hepcheck::arrow {

// Figures for reports, summed up from the statements of the batches.
struct FieldTotals {
  std::uint64_t slots = 0, nulls = 0, bytes = 0;
  NullCells null_cells{};  // if pictures are requested, and the batches are not too many
};
struct Totals {
  std::uint64_t batches = 0, rows = 0, dictionary_batches = 0, buffers = 0;
  std::vector<FieldTotals> fields{};  // top-level fields of the schema
};

class Batches {
 public:
  // All of them must outlive it. The schema has been judged.
  Batches(const Bytes& file, const Schema& schema, bool is_file, InputBudget& budget,
          const ExamineOptions& options, Notes& notes);

  // Some dictionaries could not be read.
  void some_unread() { dictionaries_.some_unread(); }
  void dictionary(const Message& message, const SharedBytes& metadata);
  // They are judged concurrently, when enough have been collected.
  void record(const Message& message, const SharedBytes& metadata);
  // The input before the next message is not needed any more.
  bool idle() const { return waiting_.empty(); }
  // After the last one. `whole`: the stream was read to its end.
  void finish(bool whole);

  const Totals& totals() const { return totals_; }
  // For the picture; streamed input has none.
  const std::optional<ByteCells>& cells() const { return cells_; }
  std::size_t dictionaries() const { return dictionaries_.size(); }

 private:
  // The result for the arrays of a batch, or for some of them.
  struct Outcome {
    Notes notes;
    std::vector<KeptKeys> keys{};
    Unwanted unwanted{};  // of the values of a dictionary
    bool readable = false;
  };
  // A batch, and its statements.
  struct Begun {
    Batch batch;
    Columns columns;
    Outcome outcome;
    std::vector<ColumnRange> ranges{};
  };

  void begin(Begun& begun, std::uint64_t together);
  // `jobs`: threads that may share one array.
  Outcome judge_arrays(const Begun& begun, const ColumnRange& range, unsigned jobs);
  unsigned jobs_inside(std::size_t tasks) const;
  // All of them, on several threads.
  void judge(std::vector<Begun>& batches);
  void flush();
  void add_up(const Batch& batch);

  const Bytes& file_;
  const Schema& schema_;
  std::array<Extent, 2> extents_{};  // of its fields
  bool is_file_;
  InputBudget& budget_;
  bool values_, pictures_;
  unsigned jobs_;
  Notes& notes_;
  Dictionaries dictionaries_;
  SpareSlabs spare_;
  std::vector<Batch> waiting_{};
  std::uint64_t waiting_bytes_ = 0;
  Totals totals_{};
  std::optional<ByteCells> cells_{};
};

}  // namespace hepcheck::arrow
