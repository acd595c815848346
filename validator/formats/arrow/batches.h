// The batches of a stream or of a file, in the order in which they are to be judged.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "validator/formats/arrow/arrays.h"
#include "validator/formats/arrow/dictionaries.h"
#include "validator/options.h"

namespace hepcheck::arrow {

// What reports show of them, summed up from what the batches say of themselves.
struct FieldTotals {
  std::uint64_t slots = 0, nulls = 0, bytes = 0;
};
struct Totals {
  std::uint64_t batches = 0, rows = 0, dictionary_batches = 0, buffers = 0;
  std::vector<FieldTotals> fields{};  // of the top of the schema
};

class Batches {
 public:
  // All of them must outlive it. The schema has been judged.
  Batches(const Bytes& file, const Schema& schema, bool is_file, Budget& budget,
          const ExamineOptions& options, Notes& notes);

  // Some dictionaries could not be read.
  void some_unread() { dictionaries_.some_unread(); }
  void dictionary(const Message& message, const SharedBytes& metadata);
  // Several of them are judged at the same time, once there are enough.
  void record(const Message& message, const SharedBytes& metadata);
  // Behind the last one. `whole`: the stream has been read to its end.
  void finish(bool whole);

  const Totals& totals() const { return totals_; }
  std::size_t dictionaries() const { return dictionaries_.size(); }

 private:
  // What came of the arrays of a batch.
  struct Outcome {
    Notes notes;
    std::vector<KeptKeys> keys{};
    bool readable = false;
  };

  Outcome judge_arrays(Batch& batch, const Columns& columns, std::uint64_t memory);
  void look_into(Batch& batch, const Columns& columns, std::uint64_t memory, Outcome& into);
  void flush();
  void add_up(const Batch& batch);

  const Bytes& file_;
  const Schema& schema_;
  bool is_file_;
  Budget& budget_;
  bool values_;
  unsigned jobs_;
  Notes& notes_;
  Dictionaries dictionaries_;
  SpareSlabs spare_;
  std::vector<Batch> waiting_{};
  Totals totals_{};
};

}  // namespace hepcheck::arrow
