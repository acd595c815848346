// Chapter 2.6: variable-size binary arrays; Schema.fbs: text is UTF-8.
#include <format>

#include "validator/formats/arrow/array.h"
#include "validator/formats/arrow/offsets.h"
#include "validator/formats/arrow/utf8.h"

namespace hepcheck::arrow {

namespace {

// The first value that is no UTF-8, and how many there are.
struct BadText {
  const Array& array;
  std::uint64_t slot = 0, count = 0;
  std::uint64_t byte = 0;  // of the data
};

bool is_text(const Array& array) {
  return array.field.type.tag == TypeTag::kUtf8 || array.field.type.tag == TypeTag::kLargeUtf8;
}

template <class T>
class Texts {
 public:
  explicit Texts(const Array& array) : array_(array), data_(array.second.bytes) {}

  // Whether all values are UTF-8, valid or not: the data as a whole is, and none begins in the
  // midst of a character.
  bool all() const {
    const std::uint64_t begin = offset(0), end = offset(array_.length());
    const ByteSpan used = data_.subspan(begin, end - begin);
    const std::uint64_t ascii = leading_ascii(used);
    if (ascii == used.size()) return true;
    if (ascii + well_formed_utf8(used.subspan(ascii)) != used.size()) return false;
    for (std::uint64_t i = 0; i < array_.length(); ++i)
      if (offset(i) < end && is_continuation(data_[offset(i)])) return false;
    return true;
  }

  BadText bad(const Seen& seen) const {
    BadText found{array_};
    seen.each(array_.length(), [&](std::uint64_t i) {
      const ByteSpan text = data_.subspan(offset(i), offset(i + 1) - offset(i));
      const std::uint64_t good = well_formed_utf8(text);
      if (good == text.size() || found.count++ > 0) return;
      found.slot = i;
      found.byte = offset(i) + good;
    });
    return found;
  }

 private:
  std::uint64_t offset(std::uint64_t i) const {
    return static_cast<std::uint64_t>(
        load<T>(array_.first.bytes.data() + i * sizeof(T), array_.order));
  }

  const Array& array_;
  ByteSpan data_;
};

template <class T>
BadText bad_texts(const Array& array, const Seen& seen) {
  const Texts<T> texts(array);
  return texts.all() ? BadText{array} : texts.bad(seen);
}

void utf8(const BadText& it, Look& look) {
  look.looked(it.array.length());
  if (it.count == 0) return;
  const Place place = it.array.in(it.array.second, it.array.number_of_first() + 1, it.byte);
  look.move_to(*place.within, place.byte);
  look.fail(std::format("slot {}: the byte {:#04x}", it.slot,
                        static_cast<unsigned>(it.array.second.bytes[it.byte])),
            "UTF-8 in each value", {}, it.count - 1);
}

constexpr Rule<Array> kSize[] = {{"arrow-binary-offsets-size", offsets_size}};
constexpr Rule<Offsets> kFirst[] = {
    {"arrow-binary-first-offset-not-negative", first_offset_not_negative}};
constexpr Rule<Offsets> kAscending[] = {{"arrow-binary-offsets-ascending", offsets_ascending}};
constexpr Rule<Offsets> kStart[] = {{"arrow-binary-offsets-start-at-zero", offsets_start_at_zero}};
constexpr Rule<Room> kInData[] = {{"arrow-binary-offsets-in-data", last_offset_inside}};
constexpr Rule<BadText> kText[] = {{"arrow-utf8-values-valid", utf8}};

void judge_text(const Array& array, Notes& notes) {
  const Sight sight(array, array.length());
  if (!sight) return;
  const Place data{
      .path = &array.path, .buffer = array.number_of_first() + 1, .byte = array.second.byte};
  judge_each<kText>(array.layout.width == 4 ? bad_texts<std::int32_t>(array, sight.seen())
                                            : bad_texts<std::int64_t>(array, sight.seen()),
                    data, notes);
}

}  // namespace

bool judge_binary(const Array& array, Notes& notes) {
  if (!array.first.usable()) return false;
  const Place place{
      .path = &array.path, .buffer = array.number_of_first(), .byte = array.first.byte};
  if (!judge<kSize>(array, place, notes)) return false;
  judge_unpadded(array, array.first, array.number_of_first(),
                 product(array.length() + 1, array.layout.width), notes);
  if (array.length() == 0 || array.first.bytes.size() < array.first.size) return false;
  const Offsets offsets = read_offsets(array);
  const bool positive = judge<kFirst>(offsets, place, notes);
  const bool ascending = judge<kAscending>(offsets, place, notes);
  judge_each<kStart>(offsets, place, notes);
  if (!ascending || !array.second.usable()) return false;
  const bool inside = judge<kInData>(Room{offsets, array.second.size}, place, notes);
  if (!positive || !inside) return false;
  if (is_text(array) && array.second.bytes.size() == array.second.size) judge_text(array, notes);
  return true;
}

void binary_rules(std::vector<RuleHead>& heads) {
  list(kSize, heads);
  list(kFirst, heads, true);
  list(kAscending, heads, true);
  list(kStart, heads, true);
  list(kInData, heads, true);
  list(kText, heads, true);
}

}  // namespace hepcheck::arrow
