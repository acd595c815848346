#include "validator/formats/hep001/exchange/export_column.h"

#include <algorithm>
#include <cstring>
#include <format>
#include <limits>
#include <type_traits>

#include "validator/formats/hep001/derive/codec.h"
#include "validator/formats/hep001/exchange/describe.h"
#include "validator/formats/hep001/exchange/mapping.h"
#include "validator/vectors.h"

namespace hepcheck::hep001 {

namespace {

using exchange::Array;
using exchange::Kind;

// --- Nulls -------------------------------------------------------------------------------------

constexpr std::uint64_t kRowsTogether = 64;

// Marks which of these rows are missing, and returns whether any is. NaNs are equal.
template <class T>
[[gnu::always_inline]] inline bool mark(const std::byte* from, T fill, bool nan,
                                        std::uint8_t* __restrict into) {
  std::uint8_t any = 0;
  for (std::uint64_t i = 0; i < kRowsTogether; ++i) {
    T value;
    std::memcpy(&value, from + i * sizeof value, sizeof value);
    into[i] = (value == fill) | (nan & (value != value)) ? 1 : 0;
    any |= into[i];
  }
  return any != 0;
}
HEPCHECK_VECTORS bool mark_missing(const std::byte* from, std::uint8_t fill, bool,
                                   std::uint8_t* __restrict into) {
  return mark(from, fill, false, into);
}
HEPCHECK_VECTORS bool mark_missing(const std::byte* from, std::uint16_t fill, bool,
                                   std::uint8_t* __restrict into) {
  return mark(from, fill, false, into);
}
HEPCHECK_VECTORS bool mark_missing(const std::byte* from, std::uint32_t fill, bool,
                                   std::uint8_t* __restrict into) {
  return mark(from, fill, false, into);
}
HEPCHECK_VECTORS bool mark_missing(const std::byte* from, std::uint64_t fill, bool,
                                   std::uint8_t* __restrict into) {
  return mark(from, fill, false, into);
}
HEPCHECK_VECTORS bool mark_missing(const std::byte* from, float fill, bool nan,
                                   std::uint8_t* __restrict into) {
  return mark(from, fill, nan, into);
}
HEPCHECK_VECTORS bool mark_missing(const std::byte* from, double fill, bool nan,
                                   std::uint8_t* __restrict into) {
  return mark(from, fill, nan, into);
}

// Whether the elements are keys as the machine has them.
template <class Codec>
constexpr bool kNative = std::is_same_v<Codec, NativeIntegerCodec<typename Codec::Key>> ||
                         std::is_same_v<Codec, NativeFloatCodec<typename Codec::Key>>;

// Integers as unsigned ones, which are equal where these are.
template <class Key>
auto without_sign(Key key) {
  if constexpr (std::is_integral_v<Key>)
    return static_cast<std::make_unsigned_t<Key>>(key);
  else
    return key;
}

// The missing rows of a block, one byte each; none if no row is.
class MissingRows {
 public:
  // `none`: the dataset has no missing rows, regardless of its fill value.
  MissingRows(const Dataset& data, bool none) : data_(data), none_(none || !has_user_fill(data)) {}

  std::span<const std::uint8_t> of(const Block& block) {
    if (none_) return {};
    bool any = false;
    rows_.resize(block.rows);
    const auto compare = [&]<class Codec>(const Codec& codec) {
      const Missing missing(codec, data_);
      // Copies, which the results that are stored cannot change as far as the compiler knows.
      const Block from = block;
      const std::size_t size = data_.type.size;
      std::uint8_t* const into = rows_.data();
      std::uint64_t i = 0;
      if constexpr (kNative<Codec>)
        for (; missing.defined && i + kRowsTogether <= from.rows; i += kRowsTogether)
          any |= mark_missing(from.bytes.data() + i * size, without_sign(missing.fill), missing.nan,
                              into + i);
      bool found = false;
      for (; i < from.rows; ++i) {
        const bool each = missing(key_at(codec, from, size, i));
        into[i] = each;
        found |= each;
      }
      any |= found;
    };
    const auto brief = ShortStringCodec::of(data_.type);
    if (brief && brief->size == sizeof(std::uint64_t) && !brief->ends_at_nul)
      compare(NativeIntegerCodec<std::uint64_t>());  // they are equal where their bytes are
    else if (brief)
      compare(*brief);
    else
      visit_fast_codec(data_.type, compare);
    return any ? std::span<const std::uint8_t>(rows_) : std::span<const std::uint8_t>();
  }

 private:
  const Dataset& data_;
  bool none_;
  std::vector<std::uint8_t> rows_{};
};

// Calls use(i) for each missing row; most are not, so eight are looked at together.
template <class Use>
void for_each_missing(std::span<const std::uint8_t> missing, Use use) {
  std::uint64_t i = 0;
  for (std::uint64_t eight = 0; i + 8 <= missing.size(); i += 8) {
    std::memcpy(&eight, missing.data() + i, sizeof eight);
    if (eight == 0) continue;
    for (std::uint64_t k = i; k < i + 8; ++k)
      if (missing[k] != 0) use(k);
  }
  for (; i < missing.size(); ++i)
    if (missing[i] != 0) use(i);
}

// The elements for which room is made in advance: the offsets of a list that was not examined may
// state any number.
std::uint64_t likely(std::uint64_t count) {
  constexpr std::uint64_t kMost = std::uint64_t{1} << 20;
  return std::min(count, kMost);
}

// --- Elements of a dataset -----------------------------------------------------------------------

bool is_number_in(const Attributes& attributes, std::string_view name, std::uint64_t value) {
  const auto it = attributes.find(name);
  return it != attributes.end() && unsigned_value(it->second) == value;
}

// 8.5, 8.8: uint8 of 0 and 1, and a fill value outside.
bool is_wide_truth(const Dataset& data) {
  const std::vector<std::byte>* fill = fill_bytes(data);
  return is_unsigned_integer(data.type, 1) && fill && (*fill)[0] > std::byte{1} &&
         is_number_in(data.attributes, "valid_min", 0) &&
         is_number_in(data.attributes, "valid_max", 1);
}

bool is_other_enum(const Datatype& type) { return type.is(TypeClass::kEnum) && !is_truth(type); }

// One of the first `rows` elements for which `is_wrong` is true; nothing if there is none.
template <class Wrong>
Result<std::optional<std::uint64_t>> find_row(ValueSource& values, const Dataset& data,
                                              std::uint64_t rows, Wrong is_wrong) {
  std::optional<std::uint64_t> found;
  MissingRows missing(data, false);
  const auto stream = values.stream(data, rows);
  const auto trouble = for_each_block(stream, [&](const Block& block) {
    const auto hidden = missing.of(block);
    for (std::uint64_t i = 0; i < block.rows; ++i)
      if ((hidden.empty() || hidden[i] == 0) && is_wrong(block, i)) {
        found = block.first_row + i;
        return false;
      }
    return true;
  });
  if (trouble) return std::unexpected(*trouble);
  return found;
}

std::string_view text_of(const Datatype& type, const Block& block, std::uint64_t i) {
  if (type.variable_string()) return block.strings[i];
  return TextCodec{type.size, type.padding}.key(block.bytes.data() + i * type.size);
}

// The neutral type of the elements of a dataset: determined by the datatype, except for strings
// that are not text and for enumerations with codes that are not members.
Result<Mapping> mapping_for(ColumnContext& context, const Dataset& data, std::uint64_t rows) {
  if (is_wide_truth(data)) return truth_mapping(data.type);
  MappingOptions options;
  if (data.type.is(TypeClass::kString) && context.binary) {
    const auto wrong =
        find_row(context.values, data, rows, [&](const Block& block, std::uint64_t i) {
          return !is_utf8(text_of(data.type, block, i));
        });
    if (!wrong) return std::unexpected(wrong.error());
    options.binary = wrong->has_value();
  }
  if (is_other_enum(data.type)) {
    const Result<Mapping> members = mapping_of(data.type);
    if (!members) return members;
    const auto wrong =
        find_row(context.values, data, rows, [&](const Block& block, std::uint64_t i) {
          const auto code =
              integer_value(data.type, block.bytes.subspan(i * data.type.size, data.type.size));
          return !code || !members->positions.contains(static_cast<std::int64_t>(code->bits));
        });
    if (!wrong) return std::unexpected(wrong.error());
    options.enums_as_numbers = wrong->has_value();
    if (*wrong)
      context.losses.push_back(
          std::format("{} (names of the enumeration: row {} has a code that is not a member, so "
                      "numbers are exported)",
                      data.path, **wrong));
  }
  return mapping_of(data.type, options);
}

// Neutral values of elements that arrive by block.
class Elements {
 public:
  // `truths_only`: booleans have no missing elements, regardless of their fill value.
  Elements(const Dataset& data, Mapping mapping, const Revision& revision)
      : data_(data), mapping_(std::move(mapping)),
        missing_(data, revision.is_boolean_column(data.type)) {}

  const exchange::Type& type() const { return mapping_.type; }
  void label(std::shared_ptr<const exchange::Labels> labels, bool ordered) {
    mapping_.type.labels = std::move(labels);
    mapping_.type.ordered = ordered;
  }

  Result<Array> read(ValueSource& values, std::uint64_t first, std::uint64_t count) {
    Array into = exchange::empty_array(mapping_.type);
    reserve(into, likely(count));
    const auto stream = values.stream_rows(data_, first, count);
    std::uint64_t at = first;
    try {
      const auto trouble = for_each_block(stream, [&](const Block& block) {
        at = block.first_row;
        add(block, into);
      });
      if (trouble) return std::unexpected(*trouble);
    } catch (const Unconvertible& wrong) {
      return failure(std::format("{}, row {}", data_.path, at + wrong.element), wrong.why);
    }
    return into;
  }

 private:
  void reserve(Array& into, std::uint64_t count) const {
    if (mapping_.type.kind == Kind::kInteger || mapping_.type.kind == Kind::kFloat)
      into.bytes.reserve(count * mapping_.type.width);
    if (mapping_.type.kind == Kind::kText && data_.type.size <= sizeof(std::uint64_t))
      into.bytes.reserve((count + 1) * sizeof(std::uint64_t));
    if (!into.offsets.empty()) into.offsets.reserve(count + 1);
  }

  void add(const Block& block, Array& into) {
    const std::uint64_t before = into.length;
    const std::span<const std::uint8_t> missing = missing_.of(block);
    const HiddenRows hidden{missing.empty() ? nullptr : missing.data(), 1};
    if (mapping_.how == Mapping::How::kPointer)
      for (std::uint64_t i = 0; i < block.rows; ++i)
        convert_text(mapping_, block.strings[i], i, hidden[i], into);
    else
      convert(mapping_, block.bytes.data(), data_.type.size, block.rows, hidden, into);
    if (mapping_.how != Mapping::How::kMember && mapping_.type.labels)
      check_codes(hidden, before, into);
    for_each_missing(missing, [&](std::uint64_t i) { into.set_null(before + i); });
    if (is_ieee_float(data_.type)) fill_up(missing, before, into);
  }

  void check_codes(const HiddenRows& hidden, std::uint64_t first, const Array& array) const {
    const std::uint64_t count = mapping_.type.labels->values.length;
    const auto check = [&]<class T>(T) {
      const std::byte* at = array.bytes.data() + first * sizeof(T);
      for (std::uint64_t i = 0; first + i < array.length; ++i)
        if (const T code = load<T>(at + i * sizeof(T)); code >= count && !hidden[i])
          throw Unconvertible{
              i, std::format("the code {} is not one of the {} categories",
                             exchange::integer_at(mapping_.type, array, first + i), count)};
    };
    switch (mapping_.type.width) {  // negative codes become large unsigned numbers
      case 1: return check(std::uint8_t());
      case 2: return check(std::uint16_t());
      case 4: return check(std::uint32_t());
      default: return check(std::uint64_t());
    }
  }

  // Zeros of either sign are equal, and so are NaNs: a null contains the fill value itself.
  void fill_up(std::span<const std::uint8_t> missing, std::uint64_t first, Array& into) const {
    const std::vector<std::byte>* fill = fill_bytes(data_);
    if (!fill || missing.empty()) return;
    std::vector<std::byte> value = *fill;
    if (is_foreign(data_.type.order)) std::ranges::reverse(value);
    for_each_missing(missing, [&](std::uint64_t i) {
      std::memcpy(into.bytes.data() + (first + i) * value.size(), value.data(), value.size());
    });
  }

  const Dataset& data_;
  Mapping mapping_;
  MissingRows missing_;
};

std::optional<Error> unusable(const Dataset& data) {
  if (data.unreadable) return Error{data.path, *data.unreadable};
  if (data.attribute("MASK"))
    return Error{
        data.path,
        "an attribute MASK, which is reserved: the fill value alone does not determine the nulls"};
  return std::nullopt;
}

// The logical type that an import stored in an attribute.
void restore_meaning(const Attributes& attributes, exchange::Type& type) {
  const auto it = attributes.find("arrow_type");
  if (it == attributes.end() || type.labels) return;
  const auto meaning = string_value(it->second);
  if (!meaning || !is_utf8(*meaning)) return;
  const bool list = type.kind == Kind::kList && type.children[0].type.kind == Kind::kInteger &&
                    type.children[0].type.width == 1;
  if (*meaning == "null" && type.kind == Kind::kInteger) {
    type = {.kind = Kind::kNull};
  } else if (*meaning == "binary" && list) {
    type = {.kind = Kind::kBytes};
  } else if (type.kind == Kind::kInteger) {
    // A column that was widened for a fill value.
    for (std::uint64_t width = 1; width < type.width; width *= 2)
      if (*meaning == std::format("{}int{}", type.is_signed ? "" : "u", 8 * width)) {
        type.width = width;
        return;
      }
    type.meaning = *meaning;
  } else if (type.kind == Kind::kStruct) {
    type.meaning = *meaning;
  } else if (type.kind == Kind::kList && type.children[0].type.kind == Kind::kInteger &&
             *meaning != "null" && *meaning != "binary") {
    restore_meaning(attributes, type.children[0].type);  // of each item
  }
}

// The value of an array that an element of its child belongs to.
std::uint64_t value_of_child(const exchange::Type& type, const Array& array,
                             std::uint64_t element) {
  if (type.kind == Kind::kFixedList) return type.width > 0 ? element / type.width : 0;
  if (array.offsets.empty()) return element;
  const auto behind = std::ranges::upper_bound(array.offsets, element);
  return static_cast<std::uint64_t>(behind - array.offsets.begin()) - 1;
}

// Values of their datatype as values of their logical type.
void restore(const exchange::Type& from, const exchange::Type& to, Array& array) {
  if (to.kind == Kind::kNull) {
    array = Array{.length = array.length};
  } else if (to.kind == Kind::kBytes && from.kind == Kind::kList) {
    array.bytes = std::move(array.children[0].bytes);
    array.children.clear();
  } else if (to.kind == Kind::kInteger && to.width < from.width) {
    exchange::Buffer narrow(array.length * to.width);
    for (std::uint64_t i = 0; i < array.length; ++i) {
      const std::int64_t value = exchange::integer_at(from, array, i);
      const auto bits = static_cast<unsigned>(64 - 8 * to.width);
      const auto cut = static_cast<std::int64_t>(static_cast<std::uint64_t>(value) << bits) >> bits;
      if (to.is_signed && cut != value && !array.null(i))
        throw Unconvertible{i,
                            std::format("{} does not fit the type that arrow_type names", value)};
      if (!to.is_signed && static_cast<std::uint64_t>(value) >> (8 * to.width) != 0 &&
          !array.null(i))
        throw Unconvertible{i,
                            std::format("{} does not fit the type that arrow_type names", value)};
      std::memcpy(narrow.data() + i * to.width, &value, to.width);
    }
    array.bytes = std::move(narrow);
  }
  for (std::size_t k = 0; k < to.children.size() && k < array.children.size(); ++k) try {
      restore(from.children[k].type, to.children[k].type, array.children[k]);
    } catch (const Unconvertible& wrong) {
      throw Unconvertible{value_of_child(from, array, wrong.element), wrong.why};
    }
}

// --- Categories ----------------------------------------------------------------------------------

// Labels that are dictionary-encoded themselves.
exchange::Labels resolved(const exchange::Labels& labels) {
  if (!labels.type.labels) return labels;
  const exchange::Labels& inner = *labels.type.labels;
  exchange::Labels made{.type = inner.type, .values = exchange::empty_array(inner.type)};
  for (std::uint64_t i = 0; i < labels.values.length; ++i) {
    const bool null = labels.values.null(i);
    const auto at = null ? 0 : exchange::integer_at(labels.type, labels.values, i);
    exchange::append(made.type, made.values,
                     exchange::slice(inner.type, inner.values, static_cast<std::uint64_t>(at), 1));
    if (null) made.values.set_null(i);
  }
  return made;
}

Result<std::shared_ptr<const exchange::Labels>> labels_of(ColumnContext& context,
                                                          const Dataset& data) {
  if (const auto it = context.labels.find(data.token); it != context.labels.end())
    return it->second;
  if (const auto error = unusable(data)) return std::unexpected(*error);
  const std::uint64_t count = data.extent().value_or(0);
  Result<Mapping> mapping = mapping_for(context, data, count);
  if (!mapping) return std::unexpected(mapping.error());
  Elements elements(data, std::move(*mapping), *context.table.revision);
  Result<Array> values = elements.read(context.values, 0, count);
  if (!values) return std::unexpected(values.error());
  auto labels = std::make_shared<const exchange::Labels>(
      resolved({.type = elements.type(), .values = std::move(*values)}));
  for (const auto& [name, attribute] : data.attributes)
    if (name != "ordered") context.losses.push_back(data.path + '@' + name);
  return context.labels.emplace(data.token, std::move(labels)).first->second;
}

// 8.7: the labels that the codes of a column represent.
Result<void> add_labels(ColumnContext& context, const Dataset& data, Elements& elements) {
  const Attribute* attribute = data.attribute("CATEGORIES");
  if (!attribute || attribute->references.size() != 1) return {};
  const auto at = context.table.categories_by_token.find(attribute->references[0].token);
  if (at == context.table.categories_by_token.end() || elements.type().kind != Kind::kInteger)
    return failure(data.path, "its categories cannot be found");
  const Dataset& categories = *context.table.categories[at->second].data;
  auto labels = labels_of(context, categories);
  if (!labels) return std::unexpected(labels.error());
  const Attribute* ordered = categories.attribute("ordered");
  elements.label(std::move(*labels), ordered && signed_value(*ordered) == 1);
  return {};
}

// --- Columns -------------------------------------------------------------------------------------

class PlainColumn : public ColumnReader {
 public:
  PlainColumn(ColumnContext& context, const Dataset& data, Elements elements)
      : values_(context.values), data_(data), elements_(std::move(elements)) {
    field_.name = data.name;
    field_.type = elements_.type();
    field_.nullable = has_user_fill(data) && !context.table.revision->is_boolean_column(data.type);
    restore_meaning(data.attributes, field_.type);
    describe_dataset(data, field_.type.kind, field_.metadata, context.losses);
  }

  std::uint64_t row_bytes() const override { return data_.type.size + 8; }
  Result<Array> read(std::uint64_t first, std::uint64_t count) override {
    try {
      Result<Array> made = elements_.read(values_, first, count);
      if (made) restore(elements_.type(), field_.type, *made);
      return made;
    } catch (const Unconvertible& wrong) {
      return failure(std::format("{}, row {}", data_.path, first + wrong.element), wrong.why);
    }
  }

 private:
  ValueSource& values_;
  const Dataset& data_;
  Elements elements_;
};

// --- Lists ---------------------------------------------------------------------------------------

class Level {
 public:
  Level(const ListLevel& level) : level_(level) {}

  bool nullable() const { return level_.mask.data() != nullptr; }
  const ListLevel& list() const { return level_; }

  Result<std::uint64_t> offset(ValueSource& values, std::uint64_t at) const {
    const std::uint64_t start[] = {at}, count[] = {1};
    const auto bytes = values.read(*level_.offsets.data(), start, count);
    if (!bytes) return std::unexpected(bytes.error());
    return load_unsigned(bytes->data(), 8, level_.offsets.data()->type.order);
  }

  // Offsets and nulls of entries [first, first + count); `begin`: the first offset, as stored.
  Result<void> read(ValueSource& values, std::uint64_t first, std::uint64_t count, Array& into,
                    std::uint64_t& begin) const {
    const Dataset& data = *level_.offsets.data();
    std::optional<std::uint64_t> start, last;
    into.length = count;
    into.offsets.clear();
    into.offsets.reserve(likely(count) + 1);
    if (count == std::numeric_limits<std::uint64_t>::max())
      return failure(data.path, "it has fewer offsets than it has entries");
    const auto trouble =
        for_each_block(values.stream_rows(data, first, count + 1), [&](const Block& block) {
          for (std::uint64_t i = 0; i < block.rows; ++i) {
            const std::uint64_t each =
                load_unsigned(block.bytes.data() + 8 * i, 8, data.type.order);
            if (!start) start = last = each;
            if (each < *last) throw Unconvertible{block.first_row + i, "OFFSETS decreases"};
            last = each;
            into.offsets.push_back(each - *start);
          }
        });
    if (trouble) return std::unexpected(*trouble);
    begin = *start;
    return nulls(values, first, count, into);
  }

 private:
  Result<void> nulls(ValueSource& values, std::uint64_t first, std::uint64_t count,
                     Array& into) const {
    const Dataset* mask = level_.mask.data();
    if (!mask) return {};
    const auto trouble =
        for_each_block(values.stream_rows(*mask, first, count), [&](const Block& block) {
          for (std::uint64_t i = 0; i < block.rows; ++i)
            if (block.bytes[i] == std::byte{0}) into.set_null(block.first_row - first + i);
        });
    if (trouble) return std::unexpected(*trouble);
    return {};
  }

  const ListLevel& level_;
};

bool is_offsets(const Dataset* data) { return data && is_unsigned_integer(data->type, 8); }

// The reason why a list column cannot be exported.
std::optional<Error> unusable(const ListColumn& list) {
  for (const ListLevel& level : list.levels) {
    if (!level.judged)
      return Error{level.path, "its KIND is not OFFSETS, so its contents are unknown"};
    if (!is_offsets(level.offsets.data())) return Error{level.path, "its OFFSETS cannot be used"};
    if (level.mask.link && (!level.mask.data() || level.mask.data()->type.size != 1))
      return Error{level.path, "its MASK cannot be used"};
  }
  if (list.end == ListEnd::kUnreadable) return Error{list.path(), list.unreadable};
  if (list.end != ListEnd::kWhole) return Error{list.path(), "its VALUES is not a list"};
  const ListLevel& last = list.levels.back();
  const Dataset* values = last.values.data();
  if (!values || values->unreadable ||
      (last.cls == ListClass::kStrings && !is_unsigned_integer(values->type, 1)))
    return Error{list.path(), std::string("its ") + last.values_name() + " cannot be used"};
  return std::nullopt;
}

class NestedColumn : public ColumnReader {
 public:
  NestedColumn(ColumnContext& context, const ListColumn& list, std::optional<Elements> elements)
      : values_(context.values), elements_(std::move(elements)) {
    for (const ListLevel& level : list.levels) levels_.emplace_back(level);
    leaf_ = list.levels.back().values.data();
    stored_ = field_at(context, 0, false).type;
    field_ = field_at(context, 0, true);
    field_.name = list.name;
    describe_attributes(list.path(), list.group().attributes, {"CLASS", "KIND", "arrow_type"},
                        field_.metadata, context.losses);
  }

  // The average number of values per row.
  Result<void> measure(std::uint64_t rows, std::uint64_t most) {
    std::uint64_t entries = rows, bytes = 0;
    for (std::size_t i = 0; i < levels_.size(); ++i) {
      const auto last = levels_[i].offset(values_, entries);
      if (!last) return std::unexpected(last.error());
      bytes += 9 * entries;
      entries = *last;
      // There may be only one entry.
      if (entries > most) large(i);
    }
    row_bytes_ = 16 + (bytes + entries * leaf_->type.size) / std::max<std::uint64_t>(1, rows);
    return {};
  }

  std::uint64_t row_bytes() const override { return row_bytes_; }

  Result<Array> read(std::uint64_t first, std::uint64_t count) override {
    try {
      Result<Array> made = entries(0, first, count);
      if (made) restore(stored_, field_.type, *made);
      return made;
    } catch (const Unconvertible& wrong) {
      return failure(levels_[0].list().path, wrong.why);
    }
  }

 private:
  // `meant`: with the logical type of the values; otherwise as stored.
  exchange::Field field_at(ColumnContext& context, std::size_t i, bool meant) const {
    const bool strings = levels_[i].list().cls == ListClass::kStrings;
    exchange::Field made{.name = "item",
                         .type = {.kind = strings ? Kind::kText : Kind::kList},
                         .nullable = levels_[i].nullable()};
    if (strings) return made;
    if (i + 1 < levels_.size()) {
      made.type.children.push_back(field_at(context, i + 1, meant));
      const ListLevel& below = levels_[i + 1].list();
      if (meant)
        describe_attributes(below.path, below.group->attributes, {"CLASS", "KIND", "arrow_type"},
                            made.type.children[0].metadata, context.losses);
      if (meant) restore_meaning(levels_[i].list().group->attributes, made.type);
      return made;
    }
    exchange::Field item{.name = "item", .type = elements_->type()};
    item.nullable =
        has_user_fill(*leaf_) && !context.table.revision->is_boolean_column(leaf_->type);
    if (meant) {
      restore_meaning(leaf_->attributes, item.type);
      describe_dataset(*leaf_, item.type.kind, item.metadata, context.losses);
    }
    made.type.children.push_back(std::move(item));
    if (meant) restore_meaning(levels_[i].list().group->attributes, made.type);
    return made;
  }

  void large(std::size_t level) {
    exchange::Type* type = &field_.type;
    for (std::size_t i = 0; i < level && !type->children.empty(); ++i)
      type = &type->children[0].type;
    type->large = true;
  }

  Result<Array> entries(std::size_t i, std::uint64_t first, std::uint64_t count) {
    Array made;
    std::uint64_t begin = 0;
    if (const auto read = levels_[i].read(values_, first, count, made, begin); !read)
      return std::unexpected(read.error());
    const std::uint64_t inside = made.offsets.back();
    if (levels_[i].list().cls == ListClass::kStrings) {
      if (auto done = characters(begin, inside, made); !done) return std::unexpected(done.error());
      return made;
    }
    Result<Array> child = i + 1 < levels_.size() ? entries(i + 1, begin, inside)
                                                 : elements_->read(values_, begin, inside);
    if (!child) return child;
    made.children.push_back(std::move(*child));
    return made;
  }

  // 9.4: the bytes of strings.
  Result<void> characters(std::uint64_t begin, std::uint64_t count, Array& into) {
    into.bytes.reserve(likely(count));
    const auto trouble =
        for_each_block(values_.stream_rows(*leaf_, begin, count), [&](const Block& block) {
          into.bytes.insert(into.bytes.end(), block.bytes.begin(), block.bytes.end());
        });
    if (trouble) return std::unexpected(*trouble);
    for (std::uint64_t i = 0; i < into.length; ++i)
      if (!into.null(i) && !is_utf8(into.text(i)))
        throw Unconvertible{i, "a string that is not UTF-8"};
    return {};
  }

  ValueSource& values_;
  std::vector<Level> levels_{};
  const Dataset* leaf_ = nullptr;
  std::optional<Elements> elements_;
  exchange::Type stored_{};  // before it gets its logical type
  std::uint64_t row_bytes_ = 16;
};

}  // namespace

Result<std::unique_ptr<ColumnReader>> column_reader(ColumnContext& context, const Column& column) {
  const Dataset& data = *column.data;
  if (const auto error = unusable(data)) return std::unexpected(*error);
  Result<Mapping> mapping = mapping_for(context, data, logical_rows(context.table, data));
  if (!mapping) return std::unexpected(mapping.error());
  Elements elements(data, std::move(*mapping), *context.table.revision);
  if (const auto labelled = add_labels(context, data, elements); !labelled)
    return std::unexpected(labelled.error());
  return std::make_unique<PlainColumn>(context, data, std::move(elements));
}

Result<std::unique_ptr<ColumnReader>> list_reader(ColumnContext& context, const ListColumn& list) {
  if (const auto error = unusable(list)) return std::unexpected(*error);
  const std::uint64_t rows = context.table.nrows.value_or(0);
  std::optional<Elements> elements;
  if (list.levels.back().cls == ListClass::kList) {
    // As many elements as the offsets of all levels cover.
    std::uint64_t entries = rows;
    for (const ListLevel& level : list.levels) {
      const auto last = Level(level).offset(context.values, entries);
      if (!last) return std::unexpected(last.error());
      entries = *last;
    }
    const Dataset& leaf = *list.leaf();
    Result<Mapping> mapping = mapping_for(context, leaf, entries);
    if (!mapping) return std::unexpected(mapping.error());
    elements.emplace(leaf, std::move(*mapping), *context.table.revision);
  }
  auto made = std::make_unique<NestedColumn>(context, list, std::move(elements));
  if (const auto measured = made->measure(rows, context.most_offset); !measured)
    return std::unexpected(measured.error());
  return made;
}

}  // namespace hepcheck::hep001
