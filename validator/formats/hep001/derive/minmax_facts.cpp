// Compares a CHUNK_MINMAX index with its column (10.4).
#include <format>

#include "validator/formats/hep001/derive/chunk_stats.h"
#include "validator/formats/hep001/derive/fold.h"

namespace hepcheck::hep001 {

namespace {

// The positions of the five fields in an entry.
struct Fields {
  const TypeMember *min = nullptr, *max = nullptr, *nan_count = nullptr, *fill_count = nullptr,
                   *n = nullptr;
};

std::optional<Fields> fields_of(const Datatype& type) {
  Fields fields{find_member(type, "min"), find_member(type, "max"), find_member(type, "nan_count"),
                find_member(type, "fill_count"), find_member(type, "n")};
  for (const TypeMember* m :
       {fields.min, fields.max, fields.nan_count, fields.fill_count, fields.n})
    if (!m || !m->type) return std::nullopt;
  return fields;
}

// The statistics of the chunks of one run.
class MinmaxPart : public FoldPart {
 public:
  std::vector<ChunkStats> chunks{};
};

template <class Codec>
class MinmaxPartOf : public MinmaxPart {
 public:
  MinmaxPartOf(const Codec& codec, const Dataset& column)
      : scan_(codec, column), chunk_rows_(chunk_rows(column)) {}

  void block(const Block& block) override {
    for_each_chunk_run(block, chunk_rows_, [&](std::uint64_t from, std::uint64_t count) {
      if (chunks.empty() || (block.first_row + from) % chunk_rows_ == 0) chunks.emplace_back();
      scan_.take(block, from, count, chunks.back());
    });
  }

 private:
  ChunkScan<Codec> scan_;
  std::uint64_t chunk_rows_;
};

class MinmaxFold : public Fold {
 public:
  MinmaxFold(const FoldContext& context, Fields fields, std::unique_ptr<ValueStream> entries,
             std::size_t entry_bytes, MinmaxFacts& into)
      : column_(context.column), order_(column_), rows_(context.rows),
        chunk_rows_(chunk_rows(column_)), fields_(fields), entries_(std::move(entries)),
        entry_bytes_(entry_bytes), into_(into) {}

  std::unique_ptr<FoldPart> part(const Run&) override {
    return visit_fast_codec(column_.type, [&](auto codec) -> std::unique_ptr<FoldPart> {
      return std::make_unique<MinmaxPartOf<decltype(codec)>>(codec, column_);
    });
  }

  void join(FoldPart& part) override {
    for (const ChunkStats& chunk : static_cast<MinmaxPart&>(part).chunks) {
      if (into_.obstacle) return;
      stats_.join(chunk, order_);  // the only chunk of a contiguous column arrives in pieces
      row_ += chunk.rows;
      if (row_ % chunk_rows_ != 0 && row_ != rows_) continue;
      compare_chunk(row_ == rows_);
      stats_ = {};
    }
  }

  void fail(const Error& error) override { into_.obstacle = broken(error.text()); }

 private:
  // The row that a reader loses which skips chunks by a wrong count: a chunk that claims none of
  // the rows in question, or nothing else.
  std::string wrong_count(std::uint64_t first_row, const char* query, std::uint64_t stored,
                          std::uint64_t chunk) const {
    if (stored == 0)
      return std::format("{} {}: row {} lies in chunk {}, which the index rules out", column_.name,
                         query, first_row, chunk);
    if (stats_.has_value && stored >= stats_.rows) return lost(stats_.min, stats_.min_row, chunk);
    return "none: no row is lost; a reader that counts by the index gets a wrong result";
  }

  // The next stored entry, as in the file.
  const std::byte* next_entry() {
    while (entry_in_block_ == entry_block_.rows) {
      Result<std::optional<Block>> next = entries_->next();
      if (!next || !*next) {
        into_.obstacle = broken(next ? "the index ends early" : next.error().text());
        return nullptr;
      }
      entry_block_ = **next;
      entry_in_block_ = 0;
    }
    return entry_block_.bytes.data() + entry_bytes_ * entry_in_block_++;
  }

  // A stored min or max in the column's byte order.
  StoredValue stored_value(const std::byte* entry, const TypeMember& field,
                           std::vector<std::byte>& scratch) const {
    const StoredValue stored(entry + field.offset, field.type->size);
    if (field.type->variable_string())
      return std::as_bytes(std::span(VariableStringCodec().key(stored.data())));
    if (compare(*field.type, column_.type) != Sameness::kByteOrderOnly) return stored;
    scratch.assign(stored.rbegin(),
                   stored.rend());  // a number, like all types that have a byte order
    return scratch;
  }

  void compare_chunk(bool last) {
    const std::byte* entry = next_entry();
    if (!entry) return;
    const std::uint64_t chunk = into_.chunks++;
    const auto count = [&](const TypeMember& field) {
      return load_unsigned(entry + field.offset, field.type->size, field.type->order);
    };
    const auto counts = [&](Difference& into, std::uint64_t stored, std::uint64_t computed,
                            const char* what, auto witness) {
      if (stored == computed) return;
      note(into, chunk, [&] {
        return Difference{.stored = std::format("{} {}", what, stored),
                          .computed = std::format("{} {}", what, computed),
                          .witness = witness(stored)};
      });
    };
    counts(into_.nan_count, count(*fields_.nan_count), stats_.nan_count, "nan_count",
           [&](auto stored) { return wrong_count(stats_.first_nan, "is NaN", stored, chunk); });
    counts(into_.fill_count, count(*fields_.fill_count), stats_.fill_count, "fill_count",
           [&](auto stored) {
             return wrong_count(stats_.first_missing, "is missing", stored, chunk);
           });
    counts(last ? into_.n_last : into_.n_full, count(*fields_.n), stats_.rows, "n", [](auto) {
      return "none: no row is lost; a reader that counts by the index gets a wrong result";
    });

    std::vector<std::byte> low, high;
    const StoredValue min = stored_value(entry, *fields_.min, low);
    const StoredValue max = stored_value(entry, *fields_.max, high);
    if (stats_.has_value)
      compare_extremes(chunk, min, max);
    else
      compare_placeholders(chunk, min, max);
  }

  void compare_extremes(std::uint64_t chunk, StoredValue min, StoredValue max) {
    ++into_.chunks_with_values;
    const Datatype& type = column_.type;
    const bool min_nan = order_.is_nan(min), max_nan = order_.is_nan(max);
    if (min_nan || max_nan)
      note(into_.nan_included, chunk, [&] {
        return Difference{.stored = std::string(min_nan ? "min" : "max") + " NaN",
                          .computed = min_nan ? "min " + format_value(type, stats_.min)
                                              : "max " + format_value(type, stats_.max),
                          .witness = lost(min_nan ? stats_.min : stats_.max,
                                          min_nan ? stats_.min_row : stats_.max_row, chunk)};
      });
    const bool min_fill = !min_nan && order_.is_missing(min);
    const bool max_fill = !max_nan && order_.is_missing(max);
    if (min_fill || max_fill)
      note(into_.fill_included, chunk, [&] {
        return Difference{.stored = std::string(min_fill ? "min " : "max ") +
                                    format_value(type, min_fill ? min : max) + ", the fill value",
                          .computed = min_fill ? "min " + format_value(type, stats_.min)
                                               : "max " + format_value(type, stats_.max),
                          .witness = min_fill ? wrong_min(min, chunk) : wrong_max(max, chunk)};
      });
    if (!min_nan && !min_fill && order_.compare(min, stats_.min) != 0)
      note(into_.min, chunk, [&] {
        return Difference{.stored = "min " + format_value(type, min),
                          .computed = "min " + format_value(type, stats_.min),
                          .witness = wrong_min(min, chunk)};
      });
    if (!max_nan && !max_fill && order_.compare(max, stats_.max) != 0)
      note(into_.max, chunk, [&] {
        return Difference{.stored = "max " + format_value(type, max),
                          .computed = "max " + format_value(type, stats_.max),
                          .witness = wrong_max(max, chunk)};
      });
  }

  std::string lost(StoredValue key, std::uint64_t row, std::uint64_t chunk) const {
    return std::format("{} == {}: row {} lies in chunk {}, which the index rules out", column_.name,
                       format_value(column_.type, key), row, chunk);
  }
  std::string wrong_min(StoredValue stored, std::uint64_t chunk) const {
    return order_.compare(stats_.min, stored) < 0 ? lost(stats_.min, stats_.min_row, chunk)
                                                  : "none: the bound is loose, no row is lost";
  }
  std::string wrong_max(StoredValue stored, std::uint64_t chunk) const {
    return order_.compare(stored, stats_.max) < 0 ? lost(stats_.max, stats_.max_row, chunk)
                                                  : "none: the bound is loose, no row is lost";
  }

  // A chunk without a value: both fields contain the fill value.
  void compare_placeholders(std::uint64_t chunk, StoredValue min, StoredValue max) {
    const std::optional<StoredValue> fill = stored_fill(column_);
    if (!fill) return;  // fill-user-defined
    ++into_.chunks_all_missing;
    const auto check = [&](Difference& into, StoredValue stored, const char* field) {
      if (order_.is_missing(stored)) return;
      note(into, chunk, [&] {
        return Difference{.stored = std::string(field) + " " + format_value(column_.type, stored),
                          .computed = std::string(field) + " " + format_value(column_.type, *fill) +
                                      ", the fill value",
                          .witness = "none: the chunk has no value that a query could find"};
      });
    };
    check(into_.all_missing_min, min, "min");
    check(into_.all_missing_max, max, "max");
  }

  const Dataset& column_;
  ColumnOrder order_;
  std::uint64_t rows_, chunk_rows_;
  Fields fields_;
  std::unique_ptr<ValueStream> entries_;
  std::size_t entry_bytes_;
  MinmaxFacts& into_;
  ChunkStats stats_{};     // of the incomplete chunk
  std::uint64_t row_ = 0;  // where the next part begins

  Block entry_block_{};
  std::uint64_t entry_in_block_ = 0;
};

std::optional<Obstacle> obstacle(const FoldContext& context, const Dataset& index,
                                 const std::optional<Fields>& fields) {
  const Datatype& type = context.column.type;
  if (!has_order(type) && !is_other_float(type))
    return broken("the column's datatype has no order",
                  {"minmax-orderable-type", "minmax-excluded-type"});
  if (auto why = incomparable(type)) return broken(std::move(*why));
  if (!missing_rows_are_known(context)) return no_fill(context.table);
  if (!index.space.one_dimensional())
    return broken("the index is not of rank 1", {"minmax-rank-1"});
  if (!index.type.is(TypeClass::kCompound))
    return broken("the index is not a compound", {"minmax-compound"});
  if (!fields)
    return broken("a field is missing", {"minmax-field-set", "minmax-nan-count-present"});
  struct Demand {
    const TypeMember* field;
    ClauseId clause;
  };
  for (const auto& [field, clause] :
       {Demand{fields->min, "minmax-min-type"}, Demand{fields->max, "minmax-max-type"}})
    if (compare(*field->type, type) == Sameness::kDifferent)
      return broken(field->name + " has another datatype than the column", {clause});
  for (const auto& [field, clause] : {Demand{fields->nan_count, "minmax-nan-count-uint64"},
                                      Demand{fields->fill_count, "minmax-fill-count-uint64"},
                                      Demand{fields->n, "minmax-n-uint64"}})
    if (!is_unsigned_integer(*field->type, 8))
      return broken(field->name + " is not uint64", {clause});
  if (index.space.extent[0] < data_bearing_chunks(context.table, context.column))
    return broken("the index is too short", {"minmax-length-chunked", "minmax-length-contiguous"});
  return std::nullopt;
}

}  // namespace

std::unique_ptr<Fold> minmax_fold(const FoldContext& context, const SearchIndex& index,
                                  MinmaxFacts& into) {
  const Dataset& data = *index.data;
  const std::optional<Fields> fields = fields_of(data.type);
  into.obstacle = obstacle(context, data, fields);
  if (into.obstacle) return nullptr;
  const std::uint64_t chunks = data_bearing_chunks(context.table, context.column);
  Result<std::unique_ptr<ValueStream>> entries = context.values.stream(data, chunks);
  if (!entries) {
    into.obstacle = broken(entries.error().text());
    return nullptr;
  }
  return std::make_unique<MinmaxFold>(context, *fields, std::move(*entries), data.type.size, into);
}

}  // namespace hepcheck::hep001
