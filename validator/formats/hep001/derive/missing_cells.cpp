// Where along a column rows are missing (8.5), for the pictures of a report.
#include <algorithm>

#include "validator/formats/hep001/derive/codec.h"
#include "validator/formats/hep001/derive/fold.h"

namespace hepcheck::hep001 {

namespace {

class MissingPart : public FoldPart {
 public:
  std::uint64_t first_cell = 0;
  std::vector<std::uint64_t> cells{};
};

template <class Codec>
class MissingPartOf : public MissingPart {
 public:
  MissingPartOf(const Codec& codec, const Dataset& column, std::uint64_t rows_per_cell)
      : codec_(codec), element_bytes_(column.type.size), missing_(codec, column),
        rows_per_cell_(rows_per_cell) {}

  void block(const Block& block) override {
    for (std::uint64_t i = 0; i < block.rows;) {
      const std::uint64_t row = block.first_row + i;
      const std::uint64_t end = std::min(block.rows, i + rows_per_cell_ - row % rows_per_cell_);
      std::uint64_t count = 0;
      for (; i < end; ++i) count += missing_(key_at(codec_, block, element_bytes_, i));
      if (cells.empty()) first_cell = row / rows_per_cell_;
      cells.resize(row / rows_per_cell_ - first_cell + 1);
      cells.back() += count;
    }
  }

 private:
  Codec codec_;
  std::size_t element_bytes_;
  Missing<Codec> missing_;
  std::uint64_t rows_per_cell_;
};

class MissingFold : public Fold {
 public:
  MissingFold(const Dataset& column, MissingCells& into) : column_(column), into_(into) {}

  std::unique_ptr<FoldPart> part(const Run&) override {
    const auto make = [&](auto codec) -> std::unique_ptr<FoldPart> {
      return std::make_unique<MissingPartOf<decltype(codec)>>(codec, column_, into_.rows_per_cell);
    };
    if (const auto codec = ShortStringCodec::of(column_.type)) return make(*codec);
    return visit_fast_codec(column_.type, make);
  }

  void join(FoldPart& part) override {
    const auto& later = static_cast<MissingPart&>(part);
    for (std::size_t i = 0; i < later.cells.size(); ++i)
      into_.missing[later.first_cell + i] += later.cells[i];
  }

  void fail(const Error&) override { into_ = {}; }

 private:
  const Dataset& column_;
  MissingCells& into_;
};

}  // namespace

std::unique_ptr<Fold> missing_fold(const FoldContext& context, MissingCells& into) {
  if (context.rows == 0 || !has_user_fill(context.column) ||
      context.table.revision->is_boolean_column(context.column.type))
    return nullptr;
  const std::uint64_t chunks = data_bearing_chunks(context.table, context.column);
  const std::uint64_t chunks_per_cell = (chunks - 1) / MissingCells::kMostCells + 1;
  into.rows_per_cell = chunk_rows(context.column) * chunks_per_cell;
  into.missing.resize((context.rows - 1) / into.rows_per_cell + 1);
  return std::make_unique<MissingFold>(context.column, into);
}

}  // namespace hepcheck::hep001
