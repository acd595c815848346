// Compares a SORTED_ROWS index with its column (10.5).
//
// During the pass over the column, its values are kept in stored form if they fit into the memory
// limit. Then the whole index is checked at once (sorted_check.h); if it is correct, nothing is
// left to
// report. Otherwise it is examined again, element by element, to report the defects
// (sorted_explanation.h). A larger column is verified only in that way, out of core.
#include <atomic>
#include <memory>

#include "validator/formats/hep001/derive/codec.h"
#include "validator/formats/hep001/derive/fold.h"
#include "validator/formats/hep001/derive/kept_values.h"
#include "validator/formats/hep001/derive/order.h"
#include "validator/formats/hep001/derive/sorted_check.h"
#include "validator/formats/hep001/derive/sorted_explanation.h"

namespace hepcheck::hep001 {

namespace {

// Keeps the values of a column during the pass.
class KeptColumn {
 public:
  explicit KeptColumn(const FoldContext& context)
      : values_(context.column.type), budget_(context.memory_limit),
        in_core_(context.rows <= budget_ / values_.cost()) {
    if (in_core_) values_.make_room(context.rows);
  }

  void keep(const Block& block) {
    std::uint64_t bytes = 0;
    for (const std::string_view text : block.strings) bytes += text.size();
    if (bytes > 0 && text_bytes_.fetch_add(bytes) + bytes > budget_) in_core_ = false;
    if (in_core_) values_.set(block.first_row, block, 0, block.rows);
  }
  // All of them, after the last block; null if they are too many.
  const KeptValues* values() {
    if (in_core_) return &values_;
    values_.clear();
    return nullptr;
  }

 private:
  KeptValues values_;
  std::uint64_t budget_;
  std::atomic<bool> in_core_;
  std::atomic<std::uint64_t> text_bytes_ = 0;  // for variable-length strings
};

// Keeps the values, and counts the rows without a place in the order.
class SortedPart : public FoldPart {
 public:
  std::uint64_t nan_rows = 0, fill_rows = 0;
};

template <class Codec>
class SortedPartOf : public SortedPart {
 public:
  SortedPartOf(const Codec& codec, const Dataset& column, KeptColumn& kept)
      : codec_(codec), element_bytes_(column.type.size), missing_(codec, column), kept_(kept) {}

  void block(const Block& block) override {
    for (std::uint64_t i = 0; i < block.rows; ++i) {
      const auto key = key_at(codec_, block, element_bytes_, i);
      if (is_nan_key<Codec>(key))
        ++nan_rows;
      else if (missing_(key))
        ++fill_rows;
    }
    kept_.keep(block);
  }

 private:
  Codec codec_;
  std::size_t element_bytes_;
  Missing<Codec> missing_;
  KeptColumn& kept_;
};

// Calls use(codec) with a codec that is optimised for ordering many values.
template <class Use>
auto visit_sorting_codec(const Datatype& type, Use use) {
  if (const auto codec = ShortStringCodec::of(type)) return use(*codec);
  return visit_fast_codec(type, use);
}

class SortedFold : public Fold {
 public:
  SortedFold(const FoldContext& context, const Dataset& index, SortedFacts& into)
      : context_(context), index_(index), into_(into), kept_(context) {
    into_.rows = context.rows;
    if (context.progress) context.progress->expect(context.rows * index.type.size);
  }

  std::unique_ptr<FoldPart> part(const Run&) override {
    return visit_sorting_codec(context_.column.type, [&](auto codec) -> std::unique_ptr<FoldPart> {
      return std::make_unique<SortedPartOf<decltype(codec)>>(codec, context_.column, kept_);
    });
  }

  void join(FoldPart& part) override {
    const auto& later = static_cast<SortedPart&>(part);
    into_.nan_rows += later.nan_rows;
    into_.fill_rows += later.fill_rows;
  }

  void finish() override {
    SortedExplanation explanation(context_, index_, into_);
    const KeptValues* const values = kept_.values();
    if (!values)
      explanation.explain_in_windows();
    else if (!is_right(*values))
      explanation.explain(*values);
    explanation.explain_tails();
  }

  void fail(const Error& error) override { into_.obstacle = broken(error.text()); }

 private:
  bool is_right(const KeptValues& values) const {
    return visit_sorting_codec(context_.column.type, [&](auto codec) {
      return SortedCheck<decltype(codec)>(codec, context_, index_, values).is_right();
    });
  }

  FoldContext context_;
  const Dataset& index_;
  SortedFacts& into_;
  KeptColumn kept_;
};

std::optional<Obstacle> obstacle(const FoldContext& context, const Dataset& data) {
  const Datatype& type = context.column.type;
  if (!has_order(type) && !is_other_float(type))
    return broken("the column's datatype has no order",
                  {"sorted-orderable-type", "sorted-excluded-type"});
  if (auto why = incomparable(type)) return broken(std::move(*why));
  if (!missing_rows_are_known(context)) return no_fill(context.table);
  if (!data.space.one_dimensional()) return broken("the index is not of rank 1", {"sorted-rank-1"});
  if (!data.type.is(TypeClass::kInteger) || data.type.is_signed || !is_integral(data.type))
    return broken("the index is not of an unsigned integer type", {"sorted-unsigned"});
  if (data.type.precision < 64 && context.rows > std::uint64_t{1} << data.type.precision)
    return broken("the index type is too narrow", {"sorted-wide-enough"});
  if (data.space.extent[0] < context.rows)
    return broken("the index is too short", {"sorted-length"});
  return std::nullopt;
}

std::optional<std::uint64_t> tail_length(const Dataset& data, const char* name) {
  const Attribute* a = data.attribute(name);
  return a && a->space.scalar() ? unsigned_value(*a) : std::nullopt;
}

}  // namespace

std::unique_ptr<Fold> sorted_fold(const FoldContext& context, const SearchIndex& index,
                                  SortedFacts& into) {
  const Dataset& data = *index.data;
  into.nan_tail_length = tail_length(data, "nan_tail_length");
  into.fill_tail_length = tail_length(data, "fill_tail_length");
  into.obstacle = obstacle(context, data);
  if (into.obstacle) return nullptr;
  return std::make_unique<SortedFold>(context, data, into);
}

}  // namespace hepcheck::hep001
