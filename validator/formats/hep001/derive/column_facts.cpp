// Facts of single columns (8.5, 8.7).
#include <algorithm>
#include <array>
#include <format>
#include <utility>

#include "validator/formats/hep001/derive/codec.h"
#include "validator/formats/hep001/derive/fold.h"
#include "validator/formats/hep001/derive/order.h"
#include "validator/formats/hep001/model/unread.h"

namespace hepcheck::hep001 {

namespace {

// The questions of the clauses about this column's values.
struct Questions {
  bool missing = false;
  ValidRange range{};
  std::optional<CodeRange> categories{};
  std::optional<std::vector<std::byte>> sentinel{};
  bool boolean = false;  // is each FALSE or TRUE? none is missing

  bool any() const {
    return missing || range.min || range.max || categories || sentinel || boolean;
  }
};

// For any values, including those of list leaves.
Questions questions_about_range(const Dataset& data) {
  Questions questions;
  questions.range = valid_range(data);
  // An inverted pair, or a NaN, does not declare a range (valid-range-ordered).
  if (questions.range.min && questions.range.max &&
      !(compare_values(data.type, *questions.range.min, *questions.range.max) <= 0))
    questions.range = {};
  return questions;
}

Questions questions_about(const Table& table, const Column& column) {
  const Dataset& data = *column.data;
  Questions questions = questions_about_range(data);
  questions.boolean = table.revision->is_boolean_column(data.type);
  if (questions.boolean) return questions;
  if (const auto k = category_count(table, column).k)
    questions.categories = code_range(data.type, *k);
  questions.missing = data.type.is(TypeClass::kEnum) && fill_bytes(data);
  // A real value equal to the recommended fill proves that it is in the domain; a declared range,
  // or codes, decide as well.
  const bool declared = data.attribute("valid_min") && data.attribute("valid_max");
  if (!declared && !data.attribute("CATEGORIES") && fill_bytes(data))
    if (auto sentinel = recommended_fill(data.type);
        sentinel && !is_missing(data.type, *sentinel, *fill_bytes(data)))
      questions.sentinel = std::move(sentinel);
  return questions;
}

// The same questions about one key.
template <class Codec>
class Answers {
 public:
  using Key = typename Codec::Key;

  Missing<Codec> is_missing;
  bool missing = false;
  std::optional<Key> min{}, max{}, first_code{}, last_code{}, sentinel_key{};
  bool no_codes = false, boolean = false;

  Answers(const Codec& codec, const Dataset& column, const Questions& questions)
      : is_missing(codec, column), missing(questions.missing), boolean(questions.boolean) {
    if (boolean) is_missing.defined = false;
    if (const auto& codes = questions.categories) {
      first_code = key_of(codec, codes->first);
      if (codes->last) last_code = key_of(codec, *codes->last);
      no_codes = codes->empty;
    }
    if (questions.range.min) min = key_of(codec, *questions.range.min);
    if (questions.range.max) max = key_of(codec, *questions.range.max);
    if (questions.sentinel) sentinel_key = key_of(codec, *questions.sentinel);
    if constexpr (kFew)
      for (int code = 0; code < 256; ++code) {
        const auto each = static_cast<Key>(code);
        table_[static_cast<std::uint8_t>(each)] = judge(each);
      }
  }

  bool outside_range(const Key& key) const {
    if constexpr (std::is_same_v<Codec, FormCodec>)
      if (is_nan_key<Codec>(key)) return false;  // like a comparison with NaN
    return (min && key < *min) || (max && key > *max);
  }
  bool no_category(const Key& key) const {
    return no_codes || (first_code && key < *first_code) || (last_code && *last_code < key);
  }
  bool sentinel(const Key& key) const { return sentinel_key && key == *sentinel_key; }
  bool no_boolean(const Key& key) const {
    if constexpr (std::is_integral_v<Key>)
      return boolean && key != Key{0} && key != Key{1};
    else
      return false;
  }
  // There is something to record about a row with this key.
  bool notable(const Key& key) const {
    if constexpr (kFew)
      return table_[static_cast<std::uint8_t>(key)];
    else
      return judge(key);
  }

 private:
  static constexpr bool kFew = std::is_integral_v<Key> && sizeof(Key) == 1;

  bool judge(const Key& key) const {
    return is_missing(key)
               ? missing
               : outside_range(key) || no_category(key) || sentinel(key) || no_boolean(key);
  }

  std::array<bool, kFew ? 256 : 0> table_{};  // the answers for all keys of one byte
};

// The answers before the first row.
ColumnFacts nothing_found(const Questions& questions) {
  ColumnFacts facts;
  if (questions.missing) facts.missing.emplace();
  if (questions.range.min || questions.range.max) facts.outside_range.emplace();
  if (questions.categories) facts.code_out_of_range.emplace();
  if (questions.sentinel) facts.sentinel.emplace();
  if (questions.boolean) facts.no_boolean.emplace();
  return facts;
}

class ColumnPart : public FoldPart {
 public:
  ColumnPart(const Dataset& column, const Questions& questions)
      : facts(nothing_found(questions)), column_(column), questions_(questions) {}

  ColumnFacts facts;

 protected:
  // What to record about a row.
  struct Notable {
    bool missing, outside_range, no_category, sentinel, no_boolean;
  };
  void note_row(const Block& block, std::uint64_t i, const Notable& notable) {
    const std::uint64_t row = block.first_row + i;
    const auto text = [&] { return format_value(column_.type, stored_at(block, column_.type, i)); };
    const auto stored = [&] { return Difference{.stored = text()}; };
    if (notable.missing) {
      note(*facts.missing, row, stored);
      return;
    }
    if (notable.outside_range)
      note(*facts.outside_range, row, [&] {
        const auto side = [&](const auto& b) { return b ? format_value(column_.type, *b) : "..."; };
        return Difference{
            .stored = text(),
            .computed = "[" + side(questions_.range.min) + ", " + side(questions_.range.max) + "]"};
      });
    if (notable.no_category) note(*facts.code_out_of_range, row, stored);
    if (notable.sentinel) note(*facts.sentinel, row, stored);
    if (notable.no_boolean) note(*facts.no_boolean, row, stored);
  }

  const Dataset& column_;
  const Questions& questions_;
};

template <class Codec>
class ColumnPartOf : public ColumnPart {
 public:
  ColumnPartOf(const Codec& codec, const Dataset& column, const Questions& questions)
      : ColumnPart(column, questions), codec_(codec), answers_(codec, column, questions) {}

  void block(const Block& block) override {
    const Answers<Codec> answers = answers_;  // in registers
    const std::size_t element_bytes = column_.type.size;
    for (std::uint64_t i = 0; i < block.rows; ++i)
      if (const auto key = key_at(codec_, block, element_bytes, i); answers.notable(key))
        note_row(block, i,
                 {.missing = answers.is_missing(key),
                  .outside_range = answers.outside_range(key),
                  .no_category = answers.no_category(key),
                  .sentinel = answers.sentinel(key),
                  .no_boolean = answers.no_boolean(key)});
  }

 private:
  Codec codec_;
  Answers<Codec> answers_;
};

class ColumnFold : public Fold {
 public:
  ColumnFold(const Dataset& column, Questions questions, ColumnFacts& into)
      : column_(column), questions_(std::move(questions)), into_(into) {
    into_ = nothing_found(questions_);
  }

  std::unique_ptr<FoldPart> part(const Run&) override {
    return visit_fast_codec(column_.type, [&](auto codec) -> std::unique_ptr<FoldPart> {
      return std::make_unique<ColumnPartOf<decltype(codec)>>(codec, column_, questions_);
    });
  }

  void join(FoldPart& part) override {
    ColumnFacts& later = static_cast<ColumnPart&>(part).facts;
    for (const auto answer :
         {&ColumnFacts::missing, &ColumnFacts::outside_range, &ColumnFacts::code_out_of_range,
          &ColumnFacts::sentinel, &ColumnFacts::no_boolean})
      if (into_.*answer) hep001::join(*(into_.*answer), std::move(*(later.*answer)));
  }

  void fail(const Error& error) override { into_.obstacle = broken(error.text()); }

 private:
  const Dataset& column_;
  Questions questions_;
  ColumnFacts& into_;
};

}  // namespace

ValidRange valid_range(const Dataset& column) {
  const auto bound = [&](const char* name) -> std::optional<std::vector<std::byte>> {
    const Attribute* a = column.attribute(name);
    if (!a || a->unreadable || !a->space.scalar()) return std::nullopt;
    const Sameness same = compare(a->type, column.type);
    if (same == Sameness::kDifferent || !can_compare(column.type)) return std::nullopt;
    if (column.type.variable_string()) {
      if (a->strings.empty()) return std::nullopt;
      const auto text = std::as_bytes(std::span(a->strings[0]));
      return std::vector<std::byte>(text.begin(), text.end());
    }
    std::vector<std::byte> bytes = a->bytes;
    if (bytes.size() != column.type.size) return std::nullopt;
    if (same == Sameness::kByteOrderOnly) std::ranges::reverse(bytes);  // of a number
    return bytes;
  };
  return {.min = bound("valid_min"), .max = bound("valid_max")};
}

CategoryCount category_count(const Table& table, const Column& column) {
  const Attribute* link = column.data->attribute("CATEGORIES");
  if (!link) return {};
  if (!column.data->type.is(TypeClass::kInteger))
    return {.broken = broken("the column is not an integer", {"categorical-integer"})};
  if (auto why = incomparable(column.data->type)) return {.broken = broken(std::move(*why))};
  if (link->unreadable) return {.broken = broken(*link->unreadable)};
  const bool resolved = !link->references.empty() && link->references[0].resolved();
  const bool known = resolved && table.categories_by_token.contains(link->references[0].token);
  if (!known) {
    if (auto unread = unlisted(table, "CATEGORIES")) return {.broken = broken(std::move(*unread))};
    if (!resolved && !unread_categories(table).empty())
      return {.broken = broken("a dataset in CATEGORIES cannot be read")};
  }
  if (!resolved)
    return {.broken = broken("CATEGORIES does not resolve", {"categories-ref-resolves"})};
  const auto it = table.categories_by_token.find(link->references[0].token);
  if (it == table.categories_by_token.end())
    return {.broken = broken("CATEGORIES refers to another object", {"categories-ref-resolves"})};
  const Dataset& categories = *table.categories[it->second].data;
  if (categories.unreadable) return {.broken = broken(*categories.unreadable)};
  if (!categories.space.one_dimensional())
    return {.broken = broken("the categories dataset is not of rank 1", {"categories-rank-1"})};
  return {.k = categories.space.extent[0]};
}

CodeRange code_range(const Datatype& type, std::uint64_t k) {
  return {.empty = k == 0,
          .first = *stored_integer(type, 0),
          .last = k > 0 ? stored_integer(type, k - 1) : std::nullopt};
}

std::optional<std::vector<std::byte>> recommended_fill(const Datatype& type) {
  std::uint64_t bits = 0;
  if (is_signed_integer(type, type.size) && type.size <= 8)
    bits = (std::uint64_t{1} << (8 * type.size - 1)) + 1;
  else if (is_unsigned_integer(type, type.size) && type.size <= 8)
    bits = ~std::uint64_t{0};
  else if (is_ieee_float(type) && type.size == 4)
    bits = 0x7CF00000;
  else if (is_ieee_float(type) && type.size == 8)
    bits = 0x479E000000000000;
  else
    return std::nullopt;
  const bool listed = type.size == 1 || type.size == 2 || type.size == 4 || type.size == 8;
  if (!listed) return std::nullopt;
  std::vector<std::byte> bytes(type.size);
  for (std::size_t i = 0; i < type.size; ++i)
    bytes[type.order == ByteOrder::kBig ? type.size - 1 - i : i] =
        static_cast<std::byte>(bits >> (8 * i));
  return bytes;
}

std::unique_ptr<Fold> column_fold(const FoldContext& context, const Column& column,
                                  ColumnFacts& into) {
  Questions questions = questions_about(context.table, column);
  if (!questions.any()) return nullptr;
  if (context.rows == 0) {
    into.obstacle = {.reason = "no rows", .broken = false};
    return nullptr;
  }
  if (!questions.boolean && !has_user_fill(*column.data)) {
    into.obstacle = no_fill(context.table);
    return nullptr;
  }
  return std::make_unique<ColumnFold>(*column.data, std::move(questions), into);
}

std::unique_ptr<Fold> leaf_fold(const FoldContext& context, ColumnFacts& into) {
  Questions questions = questions_about_range(context.column);
  if (!questions.any()) return nullptr;
  if (context.rows == 0) {
    into.obstacle = {.reason = "no elements", .broken = false};
    return nullptr;
  }
  return std::make_unique<ColumnFold>(context.column, std::move(questions), into);
}

}  // namespace hepcheck::hep001
