// CHUNK_MINMAX against its column (10.4).
#include <format>

#include "validator/derive/codec.h"
#include "validator/derive/fold.h"
#include "validator/derive/order.h"

namespace hepcheck {

namespace {

// Where the five fields lie in an entry.
struct Fields {
  const TypeMember *min = nullptr, *max = nullptr, *nan_count = nullptr, *fill_count = nullptr,
                   *n = nullptr;
};

std::optional<Fields> fields_of(const Datatype& type) {
  Fields fields{find_member(type, "min"), find_member(type, "max"),
                find_member(type, "nan_count"), find_member(type, "fill_count"),
                find_member(type, "n")};
  for (const TypeMember* m : {fields.min, fields.max, fields.nan_count, fields.fill_count, fields.n})
    if (!m || !m->type) return std::nullopt;
  return fields;
}

// A value that outlives the block it came from.
template <class Key>
struct Held {
  Key key{};
  void hold(const Key& from) { key = from; }
  const Key& get() const { return key; }
};
template <>
struct Held<std::string_view> {
  std::string text{};
  void hold(std::string_view from) { text = from; }
  std::string_view get() const { return text; }
};

std::string show(std::string_view text, const Datatype& type) {
  if (type.is(TypeClass::kString)) return format_string(text);
  return format_value(type, std::as_bytes(std::span(text)));
}
template <class Number>
std::string show(Number number, const Datatype& type) {
  if (type.is(TypeClass::kEnum))
    for (const TypeMember& member : type.members) {
      const auto key = visit_codec(type, [&](auto codec) -> double {
        if constexpr (std::is_arithmetic_v<typename decltype(codec)::Key>)
          return static_cast<double>(codec.key(member.value.data()));
        return 0;
      });
      if (member.value.size() == type.size && key == static_cast<double>(number))
        return member.name + " (" + std::to_string(+number) + ")";
    }
  return std::format("{}", +number);
}

template <class Codec>
class MinmaxFold : public Fold {
 public:
  using Key = typename Codec::Key;

  MinmaxFold(Codec codec, const FoldContext& context, Fields fields,
             std::unique_ptr<ValueStream> entries, std::size_t entry_bytes, MinmaxFacts& into)
      : codec_(codec), column_(context.column), rows_(context.rows),
        chunk_rows_(chunk_rows(context.column)), fields_(fields), entries_(std::move(entries)),
        entry_bytes_(entry_bytes), into_(into), missing_(codec, context.column) {
    into_.floating = column_.type.is(TypeClass::kFloat);
    if (column_.storage.layout != Layout::kChunked) chunk_rows_ = rows_;
  }

  void block(const Block& block) override {
    std::uint64_t i = 0;
    while (i < block.rows) {
      const std::uint64_t row = block.first_row + i;
      const std::uint64_t left = chunk_rows_ - row % chunk_rows_;
      const std::uint64_t count = std::min(left, block.rows - i);
      take(block, i, count);
      i += count;
      if (count == left || row + count == rows_) compare_chunk();
      if (into_.obstacle) return;
    }
  }

  void fail(const Error& error) override { into_.obstacle = broken(error.text()); }

 private:
  void take(const Block& block, std::uint64_t from, std::uint64_t count) {
    if (seen_ == 0) first_row_ = block.first_row + from;
    // The extremes of this run stay in registers; they are held once a run.
    std::optional<Key> least, greatest;
    std::uint64_t least_at = 0, greatest_at = 0;
    for (std::uint64_t i = from; i < from + count; ++i) {
      const Key key = key_at(codec_, block, column_.type.size, i);
      const bool nan = is_nan_key<Codec>(key);
      nan_count_ += nan;
      if (missing_(key)) {
        ++fill_count_;
        continue;
      }
      if (nan) continue;
      if (!least || key < *least) least = key, least_at = i;
      if (!greatest || *greatest < key) greatest = key, greatest_at = i;
    }
    seen_ += count;
    if (!least) return;
    if (!has_value_ || *least < min_.get()) min_.hold(*least), min_row_ = block.first_row + least_at;
    if (!has_value_ || max_.get() < *greatest)
      max_.hold(*greatest), max_row_ = block.first_row + greatest_at;
    has_value_ = true;
  }

  // The next stored entry, as it lies in the file.
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
  Key stored_key(const std::byte* entry, const TypeMember& field, std::byte (&scratch)[8]) const {
    const std::byte* at = entry + field.offset;
    if (field.type->size <= 8 && compare(*field.type, column_.type) == Sameness::kByteOrderOnly) {
      std::reverse_copy(at, at + field.type->size, scratch);
      at = scratch;
    }
    return codec_.key(at);
  }

  void compare_chunk() {
    const std::byte* entry = next_entry();
    if (!entry) return;
    const std::uint64_t chunk = into_.chunks++;
    const auto count = [&](const TypeMember& field) {
      return load_unsigned(entry + field.offset, *field.type);
    };
    const auto counts = [&](Difference& into, std::uint64_t stored, std::uint64_t computed,
                            const char* what) {
      if (stored == computed) return;
      note(into, chunk, [&] {
        return Difference{.stored = std::format("{} {}", what, stored),
                          .computed = std::format("{} {}", what, computed),
                          .witness = "no row query goes wrong; a reader that counts from the "
                                     "index does"};
      });
    };
    counts(into_.nan_count, count(*fields_.nan_count), nan_count_, "nan_count");
    counts(into_.fill_count, count(*fields_.fill_count), fill_count_, "fill_count");
    const bool last = first_row_ + seen_ == rows_;
    counts(last ? into_.n_last : into_.n_full, count(*fields_.n), seen_, "n");

    std::byte low[8], high[8];
    const Key min = stored_key(entry, *fields_.min, low);
    const Key max = stored_key(entry, *fields_.max, high);
    if (has_value_)
      compare_extremes(chunk, min, max);
    else
      compare_placeholders(chunk, min, max);
    seen_ = nan_count_ = fill_count_ = 0;
    has_value_ = false;
  }

  void compare_extremes(std::uint64_t chunk, const Key& min, const Key& max) {
    ++into_.chunks_with_values;
    const Datatype& type = column_.type;
    const bool min_nan = is_nan_key<Codec>(min), max_nan = is_nan_key<Codec>(max);
    if (min_nan || max_nan)
      note(into_.nan_included, chunk, [&] {
        return Difference{.stored = std::string(min_nan ? "min" : "max") + " NaN",
                          .computed = min_nan ? "min " + show(min_.get(), type)
                                              : "max " + show(max_.get(), type),
                          .witness = lost(min_nan ? min_.get() : max_.get(),
                                          min_nan ? min_row_ : max_row_, chunk)};
      });
    const bool min_fill = !min_nan && missing_(min), max_fill = !max_nan && missing_(max);
    if (min_fill || max_fill)
      note(into_.fill_included, chunk, [&] {
        return Difference{.stored = std::string(min_fill ? "min " : "max ") +
                                    show(min_fill ? min : max, type) + ", the fill value",
                          .computed = min_fill ? "min " + show(min_.get(), type)
                                               : "max " + show(max_.get(), type),
                          .witness = min_fill ? wrong_min(min, chunk) : wrong_max(max, chunk)};
      });
    if (!min_nan && !min_fill && min != min_.get())
      note(into_.min, chunk, [&] {
        return Difference{.stored = "min " + show(min, type),
                          .computed = "min " + show(min_.get(), type),
                          .witness = wrong_min(min, chunk)};
      });
    if (!max_nan && !max_fill && max != max_.get())
      note(into_.max, chunk, [&] {
        return Difference{.stored = "max " + show(max, type),
                          .computed = "max " + show(max_.get(), type),
                          .witness = wrong_max(max, chunk)};
      });
  }

  std::string lost(const Key& key, std::uint64_t row, std::uint64_t chunk) const {
    return std::format("{} == {}: row {} lies in chunk {}, which the index rules out",
                       column_.name, show(key, column_.type), row, chunk);
  }
  std::string wrong_min(const Key& stored, std::uint64_t chunk) const {
    return min_.get() < stored ? lost(min_.get(), min_row_, chunk)
                               : "none: the bound is loose, no row is lost";
  }
  std::string wrong_max(const Key& stored, std::uint64_t chunk) const {
    return stored < max_.get() ? lost(max_.get(), max_row_, chunk)
                               : "none: the bound is loose, no row is lost";
  }

  // A chunk without a value: both fields hold the fill value.
  void compare_placeholders(std::uint64_t chunk, const Key& min, const Key& max) {
    if (!missing_.defined) return;  // fill-user-defined
    ++into_.chunks_all_missing;
    const auto check = [&](Difference& into, const Key& stored, const char* field) {
      if (missing_(stored)) return;
      note(into, chunk, [&] {
        return Difference{.stored = std::string(field) + " " + show(stored, column_.type),
                          .computed = std::string(field) + " " + show(missing_.fill, column_.type) +
                                      ", the fill value",
                          .witness = "none: the chunk has no value that a query could find"};
      });
    };
    check(into_.all_missing_min, min, "min");
    check(into_.all_missing_max, max, "max");
  }

  Codec codec_;
  const Dataset& column_;
  std::uint64_t rows_, chunk_rows_;
  Fields fields_;
  std::unique_ptr<ValueStream> entries_;
  std::size_t entry_bytes_;
  MinmaxFacts& into_;
  Missing<Codec> missing_;

  Block entry_block_{};
  std::uint64_t entry_in_block_ = 0;
  // The chunk under way.
  std::uint64_t first_row_ = 0, seen_ = 0, nan_count_ = 0, fill_count_ = 0;
  std::uint64_t min_row_ = 0, max_row_ = 0;
  bool has_value_ = false;
  Held<Key> min_{}, max_{};
};

std::optional<Obstacle> obstacle(const FoldContext& context, const Dataset& index,
                                 const std::optional<Fields>& fields) {
  // Floats beyond the closed list of 10.5 only draw a warning, and no look at the contents.
  if (context.column.type.is(TypeClass::kFloat) && !is_ieee_float(context.column.type))
    return Obstacle{.reason = "the float has no order", .broken = false};
  if (!has_order(context.column.type))
    return broken("the column's datatype has no order (minmax-orderable-type, minmax-excluded-type)");
  if (!index.space.one_dimensional()) return broken("the index is not of rank 1 (minmax-rank-1)");
  if (!index.type.is(TypeClass::kCompound))
    return broken("the index is no compound (minmax-compound)");
  if (!fields) return broken("a field is missing (minmax-field-set, minmax-nan-count-present)");
  for (const TypeMember* m : {fields->min, fields->max})
    if (compare(*m->type, context.column.type) == Sameness::kDifferent)
      return broken(m->name + " has another datatype than the column (minmax-" + m->name + "-type)");
  for (const TypeMember* m : {fields->nan_count, fields->fill_count, fields->n})
    if (!is_unsigned_integer(*m->type, 8)) return broken(m->name + " is not uint64");
  if (index.space.extent[0] < data_bearing_chunks(context.table, context.column))
    return broken("the index is too short (minmax-length-chunked, minmax-length-contiguous)");
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
  return visit_codec(context.column.type, [&](auto codec) -> std::unique_ptr<Fold> {
    if constexpr (decltype(codec)::kOrdered)
      return std::make_unique<MinmaxFold<decltype(codec)>>(codec, context, *fields,
                                                           std::move(*entries), data.type.size, into);
    return nullptr;
  });
}

}  // namespace hepcheck
