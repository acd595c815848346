// CanonicalExtensions.rst: the values of extension types.
#include <algorithm>
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
void block_if_unshown(const Array& array, const Loaded& loaded, const VisibleSlots& visible,
                      Notes& notes) {
  if (!loaded.usable()) return;
  const Place place = array.in(loaded, array.number_of_first());
  if (array.runs && array.runs->unexamined)
    return block<kRule>(place.object() + ": its run ends could not be examined", {}, notes);
  visible.block_if_unexamined<kRule>(place, notes);
}

// act.operator()<the rule about numbers of this extension type>().
template <class Act>
void with_number_rule(const Field& field, Act act) {
  if (field.extension.kind == ExtensionKind::kBool8)
    act.template operator()<kTrueIsOne>();
  else
    act.template operator()<kMinutes>();
}

bool is_wanted(const Field& field, std::int64_t value) {
  return field.extension.kind == ExtensionKind::kBool8 ? value == 0 || value == 1
                                                       : value >= -779 && value <= 780;
}

std::string_view wanted_numbers(const Field& field) {
  return field.extension.kind == ExtensionKind::kBool8 ? "0 or 1" : "-779 to 780 minutes";
}

// visit(slot, value) for each visible slot whose number is not wanted. False if they cannot be
// judged; if they could not be examined, that has been noted.
template <class Visit>
bool each_unwanted(const Array& array, Notes& notes, Visit visit) {
  const std::uint64_t width = array.layout.width, length = shown_slots(array);
  const VisibleSlots visible(array, length);
  with_number_rule(array.field, [&]<const auto & kRule>() {
    block_if_unexamined<kRule>(array, array.first, array.number_of_first(), notes);
    block_if_unshown<kRule>(array, array.first, visible, notes);
  });
  if (!array.first.usable() || array.first.bytes.size() != array.first.size ||
      !has_room(array.first, array.length(), width) || !runs_known(array) || !visible)
    return false;
  visible.seen().each(length, [&](std::uint64_t slot) {
    const std::int64_t value = offset_at(array.first.bytes, slot, width, array.order);
    if (!is_wanted(array.field, value)) visit(slot, value);
  });
  return true;
}

}  // namespace

bool needs_values(const Field& field) {
  return field.extension.kind == ExtensionKind::kBool8 ||
         field.extension.kind == ExtensionKind::kOffsetMinutes;
}

void block_extension_numbers(const Field& field, const std::string& reason, Notes& notes) {
  with_number_rule(field, [&]<const auto & kRule>() { block<kRule>(reason, {}, notes); });
}

void pass_extension_numbers(const Field& field, std::uint64_t slots, Notes& notes) {
  with_number_rule(field, [&]<const auto & kRule>() { notes.looked(kRule.id, slots); });
}

void judge_extension_numbers(const Array& array, Notes& notes) {
  Faults faults{&array, &array.first, array.number_of_first(), array.layout.width};
  const bool judged = each_unwanted(array, notes, [&](std::uint64_t slot, std::int64_t value) {
    faults.add(
        slot, [&] { return std::to_string(value); }, [&] { return wanted_numbers(array.field); });
  });
  if (!judged) return;
  with_number_rule(array.field, [&]<const auto & kRule>() {
    judge_each<kRule>(faults, array.in(array.first, array.number_of_first()), notes);
  });
}

void collect_extension_numbers(const Array& array, Unwanted& into, Notes& notes) {
  const bool of_the_dictionary = array.role == Role::kDictionaryValues;
  bool any = false;
  const bool judged = each_unwanted(array, notes, [&](std::uint64_t slot, std::int64_t value) {
    any = true;
    if (!of_the_dictionary || into.too_many) return;
    if (into.slots.size() < Unwanted::kMost)
      into.slots.emplace_back(slot, static_cast<std::int16_t>(value));
    else
      into.too_many = true;
  });
  if (of_the_dictionary)
    into.known = judged;
  else if (any)
    into.inside.insert(&array.field);
  else if (judged)
    pass_extension_numbers(array.field, array.length(), notes);
}

void judge_used_numbers(const Array& array, const Unwanted& unwanted, Notes& notes) {
  const unsigned number = array.number_of_first();
  const std::uint64_t width = array.layout.width, length = shown_slots(array);
  if (unwanted.too_many)
    return block_extension_numbers(
        array.field, array.place().object() + ": its dictionary has too many such values", notes);
  const VisibleSlots visible(array, length, true);
  Loaded keys = array.first;
  const bool readable = keys.usable() && keys.open() && has_room(keys, array.length(), width) &&
                        runs_known(array) && visible;
  Faults faults{&array, &array.first, number, width};
  const auto look_up = [&](std::uint64_t slot, std::uint64_t key) {
    const auto at = std::ranges::lower_bound(unwanted.slots, key, {}, &Unwanted::Slot::first);
    if (at == unwanted.slots.end() || at->first != key) return;
    faults.add(
        slot, [&] { return std::format("{}, index {}", at->second, key); },
        [&] { return wanted_numbers(array.field); });
  };
  if (readable && !unwanted.slots.empty() && !each_key(array, length, visible.seen(), look_up))
    break_off(keys);
  with_number_rule(array.field, [&]<const auto & kRule>() {
    block_if_unexamined<kRule>(array, keys, number, notes);
    block_if_unshown<kRule>(array, keys, visible, notes);
    if (readable && keys.usable()) judge_each<kRule>(faults, array.in(keys, number), notes);
  });
}

void judge_json_texts(const Array& array, Notes& notes) {
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

void judge_json_views(const Array& array, std::span<const Loaded> data, Notes& notes) {
  Loaded views = array.first;
  bool all = array.body->load_all(views);
  for (const Loaded& each : data) all &= each.usable() && each.bytes.size() == each.size;
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

void judge_tensors(const Array& tensors, const Array& data, const Array& shape, const Array& sizes,
                   Notes& notes) {
  const std::uint64_t dimensions = shape.layout.width, length = tensors.length();
  const Place place = tensors.place();
  for (const Loaded* each :
       {&data.validity, &data.first, &shape.validity, &sizes.validity, &sizes.first})
    if (each->unexamined())
      return block<kDataFits, kUniformHolds>(place.object() + ": it could not be examined", {},
                                             notes);
  const std::uint64_t count = product(length, dimensions);
  const bool readable = data.nulls_known && shape.nulls_known && sizes.nulls_known &&
                        sizes.first.usable() && sizes.first.bytes.size() == sizes.first.size &&
                        data.first.bytes.size() == data.first.size && data.length() >= length &&
                        shape.length() >= length && sizes.length() >= count &&
                        has_room(sizes.first, count, 4);
  if (!readable || length == 0) return;
  const VisibleSlots visible(tensors, length);
  if (!visible) return visible.block_if_unexamined<kDataFits, kUniformHolds>(place, notes);
  const auto is_valid = [](const Array& array, std::uint64_t slot) {
    return array.zeros.value_or(0) == 0 ||
           (word_of(array.validity.bytes, slot / 64) >> (slot % 64) & 1) != 0;
  };
  const std::vector<std::int64_t>& uniform = tensors.field.extension.uniform;
  Faults fits{.array = &tensors}, holds{.array = &tensors};
  visible.seen().each(length, [&](std::uint64_t row) {
    if (!is_valid(shape, row)) return;
    bool all = true, negative = false, zero = false;
    unsigned __int128 elements = 1;
    constexpr unsigned __int128 kMost = static_cast<unsigned __int128>(1) << 64;
    for (std::uint64_t d = 0; d < dimensions; ++d) {
      const std::uint64_t at = row * dimensions + d;
      if (!is_valid(sizes, at)) {
        all = false;
        continue;
      }
      const auto size = load<std::int32_t>(sizes.first.bytes.data() + 4 * at, sizes.order);
      negative |= size < 0;
      zero |= size == 0;
      if (size > 0 && elements < kMost) elements *= static_cast<std::uint32_t>(size);
      if (d < uniform.size() && uniform[d] >= 0 && size != uniform[d])
        holds.add(
            row, [&] { return std::format("size {} of dimension {}", size, d); },
            [&] { return std::format("{}, as uniform_shape says", uniform[d]); });
    }
    if (!all || !is_valid(data, row)) return;
    const std::int64_t begin = offset_at(data.first.bytes, row, 4, data.order),
                       end = offset_at(data.first.bytes, row + 1, 4, data.order);
    const bool fit = !negative && (zero ? 0 : elements) == static_cast<std::uint64_t>(end - begin);
    if (!fit)
      fits.add(
          row, [&] { return std::format("{} elements", end - begin); },
          [&] { return negative ? "sizes of 0 or more" : "the product of the shape"; });
  });
  judge_each<kDataFits>(fits, place, notes);
  if (!uniform.empty()) judge_each<kUniformHolds>(holds, place, notes);
}

void extension_value_rules(RuleList& list) {
  list.values<kJsonValues, kTrueIsOne, kMinutes, kDataFits, kUniformHolds>();
}

}  // namespace hepcheck::arrow
