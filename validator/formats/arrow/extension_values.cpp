// CanonicalExtensions.rst: the values of extension types.
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

template <class T, class Good>
Faults bad_numbers(const Array& array, const Seen& seen, std::uint64_t length, Good good,
                   const char* expected) {
  Faults faults{&array, &array.first, array.number_of_first(), sizeof(T)};
  seen.each(length, [&](std::uint64_t slot) {
    const T value = load<T>(array.first.bytes.data() + slot * sizeof(T), array.order);
    if (!good(value))
      faults.add(slot, [&] { return std::to_string(value); }, [&] { return expected; });
  });
  return faults;
}

}  // namespace

bool needs_values(const Field& field) {
  return field.extension.kind == ExtensionKind::kBool8 ||
         field.extension.kind == ExtensionKind::kOffsetMinutes;
}

void judge_extension_numbers(const Array& array, Notes& notes) {
  const bool bools = array.field.extension.kind == ExtensionKind::kBool8;
  const Place place{
      .path = &array.path, .buffer = array.number_of_first(), .byte = array.first.byte};
  if (bools)
    block_if_unexamined<kTrueIsOne>(array, array.first, array.number_of_first(), notes);
  else
    block_if_unexamined<kMinutes>(array, array.first, array.number_of_first(), notes);
  if (!array.first.usable() || array.first.bytes.size() != array.first.size ||
      !has_room(array.first, array.length(), array.layout.width))
    return;
  std::uint64_t length = array.length();
  if (array.runs) {
    if (!array.runs->known) return;
    length = std::min(length, array.runs->used);
  }
  const VisibleSlots visible(array, length);
  if (!visible) {
    if (bools) return visible.block_if_unexamined<kTrueIsOne>(place, notes);
    return visible.block_if_unexamined<kMinutes>(place, notes);
  }
  if (bools)
    judge_each<kTrueIsOne>(bad_numbers<std::int8_t>(
                               array, visible.seen(), length,
                               [](std::int8_t it) { return it == 0 || it == 1; }, "0 or 1"),
                           place, notes);
  else
    judge_each<kMinutes>(
        bad_numbers<std::int16_t>(
            array, visible.seen(), length, [](std::int16_t it) { return it >= -779 && it <= 780; },
            "-779 to 780 minutes"),
        place, notes);
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
