// CanonicalExtensions.rst: the values of extension types.
#include <algorithm>
#include <array>
#include <format>

#include "validator/formats/arrow/faults.h"
#include "validator/formats/arrow/json.h"
#include "validator/formats/arrow/views.h"
#include "validator/utf8.h"

namespace hepcheck::arrow {

namespace {

using ExtensionKind = Extension::Kind;

constexpr Rule<Faults> kJsonValues("arrow-json-values-valid", report_faults);
constexpr Rule<Faults> kTrueIsOne("arrow-bool8-true-is-one", report_faults);
constexpr Rule<Faults> kMinutes("arrow-timestamp-offset-range", report_faults);
constexpr Rule<Faults> kDataFits("arrow-variable-tensor-data-fits-shape", report_faults);
constexpr Rule<Faults> kUniformHolds("arrow-variable-tensor-uniform-holds", report_faults);

std::string_view text_of(ByteSpan bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

// `value(slot)` gives the bytes of a visible slot.
template <class Value>
void judge_json(const Array& array, Value value, Notes& notes) {
  const Place place = array.place();
  const VisibleSlots visible(array, array.length());
  if (!visible) return visible.block_if_unexamined<kJsonValues>(place, notes);
  Faults faults{.array = &array};
  bool utf8 = true, too_deep = false;
  visible.seen().each(array.length(), [&](std::uint64_t slot) {
    const std::string_view text = text_of(value(slot));
    const JsonState state = read_json(text);
    too_deep |= state == JsonState::kTooDeep;
    if (state != JsonState::kBroken) return;
    utf8 = utf8 && is_utf8(text);
    faults.add(
        slot, [&] { return std::format("a value of {} bytes that is not JSON", text.size()); },
        [] { return "one JSON text in each value"; });
  });
  if (!utf8) return;  // that has its own finding
  judge_each<kJsonValues>(faults, place, notes);
  if (too_deep)
    block<kJsonValues>(place.object() + ": some values are nested too deeply to be examined", {},
                       notes);
}

// Whether it is known which runs are below the length, if it has runs.
bool runs_known(const Array& array) { return !array.runs || array.runs->known; }

// Its slots; of the values of runs, those of runs below the length.
std::uint64_t shown_slots(const Array& array) {
  return array.runs ? std::min(array.length(), array.runs->used) : array.length();
}

template <const auto& kRule>
void block_if_unshown(const Array& array, const Place& place, const VisibleSlots& visible,
                      Notes& notes) {
  if (array.runs && array.runs->unexamined)
    return block<kRule>(place.object() + ": its run ends could not be examined", {}, notes);
  visible.block_if_unexamined<kRule>(place, notes);
}

// act.operator()<each rule about values that count only where they are used>(its number), by the
// extension type.
template <class Act>
void with_rules(const Field& field, Act act) {
  switch (field.extension.kind) {
    case ExtensionKind::kBool8: act.template operator()<kTrueIsOne>(0); break;
    case ExtensionKind::kVariableTensor:
      act.template operator()<kDataFits>(0);
      if (!field.extension.uniform.empty()) act.template operator()<kUniformHolds>(1);
      break;
    default: act.template operator()<kMinutes>(0);
  }
}

bool is_wanted(const Field& field, std::int64_t value) {
  return field.extension.kind == ExtensionKind::kBool8 ? value == 0 || value == 1
                                                       : value >= -779 && value <= 780;
}

std::string observed(const Field& field, const Unwanted::Value& value) {
  if (field.extension.kind != ExtensionKind::kVariableTensor) return std::to_string(value.found);
  return value.rule == 0 ? std::format("{} elements", value.found)
                         : std::format("size {} of dimension {}", value.found, value.dimension);
}

std::string expected(const Field& field, const Unwanted::Value& value) {
  switch (field.extension.kind) {
    case ExtensionKind::kBool8: return "0 or 1";
    case ExtensionKind::kVariableTensor:
      if (value.rule == 1)
        return std::format("{}, as uniform_shape says", field.extension.uniform[value.dimension]);
      return value.negative ? "sizes of 0 or more" : "the product of the shape";
    default: return "-779 to 780 minutes";
  }
}

// Values that an extension type does not want: findings, unless they are those of a dictionary.
class UnwantedValues {
 public:
  // `in`: the buffer that contains them; null: the array as a whole.
  UnwantedValues(const Array& array, const Loaded* in, Unwanted* into)
      : array_(array), in_(in), into_(into),
        of_the_dictionary_(into && array.role == Role::kDictionaryValues) {
    for (Faults& each : faults_)
      each = {&array, in, in ? array.number_of_first() : 0, in ? array.layout.width : 0};
  }

  void add(const Unwanted::Value& value) {
    if (!into_)
      return faults_[value.rule].add(
          value.slot, [&] { return observed(array_.field, value); },
          [&] { return expected(array_.field, value); });
    any_ = true;
    if (!of_the_dictionary_ || into_->too_many) return;
    if (into_->values.size() < Unwanted::kMost)
      into_->values.push_back(value);
    else
      into_->too_many = true;
  }

  // `judged`: false if they could not be judged, which has been noted.
  void finish(bool judged, Notes& notes) {
    if (of_the_dictionary_) {
      into_->known = judged;
      into_->of = &array_.field;
    } else if (any_) {
      into_->inside.insert(&array_.field);
    } else if (judged) {
      const Place place = in_ ? array_.in(*in_, array_.number_of_first()) : array_.place();
      with_rules(array_.field, [&] < const auto& kRule > (std::size_t rule) {
        judge_each<kRule>(faults_[rule], place, notes);
      });
    }
  }

 private:
  const Array& array_;
  const Loaded* in_;
  Unwanted* into_;
  bool of_the_dictionary_, any_ = false;
  std::array<Faults, 2> faults_{};  // by rule
};

// False if they cannot be judged; if they could not be examined, that has been noted.
bool find_unwanted_numbers(const Array& array, UnwantedValues& found, Notes& notes) {
  const std::uint64_t width = array.layout.width, length = shown_slots(array);
  const VisibleSlots visible(array, length);
  with_rules(array.field, [&] < const auto& kRule > (std::size_t) {
    block_if_unexamined<kRule>(array, array.first, array.number_of_first(), notes);
    if (array.first.usable())
      block_if_unshown<kRule>(array, array.in(array.first, array.number_of_first()), visible,
                              notes);
  });
  if (!array.first.usable() || array.first.bytes.size() != array.first.size ||
      !has_room(array.first, array.length(), width) || !runs_known(array) || !visible)
    return false;
  visible.seen().each(length, [&](std::uint64_t slot) {
    const std::int64_t value = offset_at(array.first.bytes, slot, width, array.order);
    if (!is_wanted(array.field, value)) found.add({.slot = slot, .found = value});
  });
  return true;
}

bool is_valid(const Array& array, std::uint64_t slot) {
  return array.zeros.value_or(0) == 0 ||
         (word_of(array.validity.bytes, slot / 64) >> (slot % 64) & 1) != 0;
}

void compare_tensor(const Tensors& it, std::uint64_t row, UnwantedValues& found) {
  if (!is_valid(it.shape, row)) return;
  const std::vector<std::int64_t>& uniform = it.structs.field.extension.uniform;
  const std::uint64_t dimensions = it.shape.layout.width;
  bool all = true, negative = false, zero = false;
  unsigned __int128 elements = 1;
  constexpr unsigned __int128 kMost = static_cast<unsigned __int128>(1) << 64;
  for (std::uint64_t d = 0; d < dimensions; ++d) {
    const std::uint64_t at = row * dimensions + d;
    if (!is_valid(it.sizes, at)) {
      all = false;
      continue;
    }
    const auto size = load<std::int32_t>(it.sizes.first.bytes.data() + 4 * at, it.sizes.order);
    negative |= size < 0;
    zero |= size == 0;
    if (size > 0 && elements < kMost) elements *= static_cast<std::uint32_t>(size);
    if (d < uniform.size() && uniform[d] >= 0 && size != uniform[d])
      found.add(
          {.slot = row, .rule = 1, .found = size, .dimension = static_cast<std::uint32_t>(d)});
  }
  if (!all || !is_valid(it.data, row)) return;
  const std::int64_t begin = offset_at(it.data.first.bytes, row, 4, it.data.order),
                     end = offset_at(it.data.first.bytes, row + 1, 4, it.data.order);
  if (negative || (zero ? 0 : elements) != static_cast<std::uint64_t>(end - begin))
    found.add({.slot = row, .rule = 0, .found = end - begin, .negative = negative});
}

// As find_unwanted_numbers.
bool find_unwanted_tensors(const Tensors& it, UnwantedValues& found, Notes& notes) {
  const std::uint64_t dimensions = it.shape.layout.width, length = shown_slots(it.structs);
  for (const Loaded* each :
       {&it.data.validity, &it.data.first, &it.shape.validity, &it.sizes.validity, &it.sizes.first})
    if (each->unexamined()) {
      block_extension_values(it.structs.field,
                             it.structs.place().object() + ": it could not be examined", notes);
      return false;
    }
  const std::uint64_t count = product(length, dimensions);
  const bool readable =
      it.data.nulls_known && it.shape.nulls_known && it.sizes.nulls_known &&
      it.sizes.first.usable() && it.sizes.first.bytes.size() == it.sizes.first.size &&
      it.data.first.bytes.size() == it.data.first.size && it.data.length() >= length &&
      it.shape.length() >= length && it.sizes.length() >= count &&
      has_room(it.sizes.first, count, 4) && runs_known(it.structs);
  const VisibleSlots visible(it.structs, length);
  with_rules(it.structs.field, [&] < const auto& kRule > (std::size_t) {
    block_if_unshown<kRule>(it.structs, it.structs.place(), visible, notes);
  });
  if (!readable || !visible) return false;
  visible.seen().each(length, [&](std::uint64_t row) { compare_tensor(it, row, found); });
  return true;
}

}  // namespace

bool limits_numbers(const Field& field) {
  return field.extension.kind == ExtensionKind::kBool8 ||
         field.extension.kind == ExtensionKind::kOffsetMinutes;
}

bool limits_values(const Field& field) {
  return limits_numbers(field) || field.extension.kind == ExtensionKind::kVariableTensor;
}

void block_extension_values(const Field& field, const std::string& reason, Notes& notes) {
  with_rules(field, [&] < const auto& kRule > (std::size_t) { block<kRule>(reason, {}, notes); });
}

void pass_extension_values(const Field& field, std::uint64_t slots, Notes& notes) {
  with_rules(field, [&] < const auto& kRule > (std::size_t) { notes.looked(kRule.id, slots); });
}

void judge_extension_numbers(const Array& array, Unwanted* into, Notes& notes) {
  UnwantedValues found(array, &array.first, into);
  found.finish(find_unwanted_numbers(array, found, notes), notes);
}

void judge_tensors(const Tensors& tensors, Unwanted* into, Notes& notes) {
  const bool empty = tensors.structs.length() == 0;
  if (empty && (!into || tensors.structs.role != Role::kDictionaryValues)) return;
  UnwantedValues found(tensors.structs, nullptr, into);
  found.finish(empty || find_unwanted_tensors(tensors, found, notes), notes);
}

void judge_used_values(const Array& array, const Unwanted& unwanted, Notes& notes) {
  const unsigned number = array.number_of_first();
  const std::uint64_t width = array.layout.width, length = shown_slots(array);
  if (unwanted.too_many)
    return block_extension_values(
        array.field, array.place().object() + ": its dictionary has too many such values", notes);
  const VisibleSlots visible(array, length, true);
  Loaded keys = array.first;
  const bool readable = keys.usable() && keys.open() && has_room(keys, array.length(), width) &&
                        runs_known(array) && visible;
  const Faults none{&array, &array.first, number, width};
  std::array<Faults, 2> faults{none, none};
  const auto look_up = [&](std::uint64_t slot, std::uint64_t key) {
    for (const Unwanted::Value& each :
         std::ranges::equal_range(unwanted.values, key, {}, &Unwanted::Value::slot))
      faults[each.rule].add(
          slot, [&] { return std::format("{}, index {}", observed(array.field, each), key); },
          [&] { return expected(array.field, each); });
  };
  if (readable && !unwanted.values.empty() && !each_key(array, length, visible.seen(), look_up))
    break_off(keys);
  with_rules(array.field, [&] < const auto& kRule > (std::size_t rule) {
    block_if_unexamined<kRule>(array, keys, number, notes);
    if (keys.usable()) block_if_unshown<kRule>(array, array.in(keys, number), visible, notes);
    if (readable && keys.usable()) judge_each<kRule>(faults[rule], array.in(keys, number), notes);
  });
}

void judge_json_texts(const Array& array, bool sound, Notes& notes) {
  const unsigned number = array.number_of_first();
  block_if_unexamined<kJsonValues>(array, array.validity, 0, notes);
  block_if_unexamined<kJsonValues>(array, array.first, number, notes);
  block_if_unexamined<kJsonValues>(array, array.second, number + 1, notes);
  if (!sound || !array.second.open()) return;
  Loaded offsets = array.first, data = array.second;
  if (!array.body->load_all(offsets) || !array.body->load_all(data)) {
    notes.blocked(kJsonValues.id, array.place().object() + ": it does not fit in memory");
    return;
  }
  const std::uint64_t width = array.layout.width;
  judge_json(
      array,
      [&](std::uint64_t slot) {
        const auto at = [&](std::uint64_t i) {
          return static_cast<std::uint64_t>(offset_at(offsets.bytes, i, width, array.order));
        };
        return data.bytes.subspan(at(slot), at(slot + 1) - at(slot));
      },
      notes);
}

void judge_json_views(const Array& array, std::span<const Loaded> data, bool sound, Notes& notes) {
  const unsigned number = array.number_of_first();
  block_if_unexamined<kJsonValues>(array, array.validity, 0, notes);
  block_if_unexamined<kJsonValues>(array, array.first, number, notes);
  for (std::size_t i = 0; i < data.size(); ++i)
    block_if_unexamined<kJsonValues>(array, data[i], number + 1 + static_cast<unsigned>(i), notes);
  if (array.given_up)
    notes.blocked(kJsonValues.id, array.place().object() + ": its values overlap too often");
  // A buffer that is not there has a finding of its own.
  if (!sound || !std::ranges::all_of(data, &Loaded::usable)) return;
  Loaded views = array.first;
  bool all = array.body->load_all(views);
  for (const Loaded& each : data) all &= each.bytes.size() == each.size;
  if (!all) {
    notes.blocked(kJsonValues.id, array.place().object() + ": it does not fit in memory");
    return;
  }
  judge_json(
      array,
      [&](std::uint64_t slot) {
        const View view{views.bytes.data() + 16 * slot, array.order};
        if (view.is_inline()) return view.inline_bytes();
        return data[static_cast<std::size_t>(view.index())].bytes.subspan(
            static_cast<std::size_t>(view.offset()), static_cast<std::size_t>(view.length()));
      },
      notes);
}

void extension_value_rules(RuleList& list) {
  list.values<kJsonValues, kTrueIsOne, kMinutes, kDataFits, kUniformHolds>();
}

}  // namespace hepcheck::arrow
