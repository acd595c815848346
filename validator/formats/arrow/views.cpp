// Format 1.5, chapter 3.7: binary views; Schema.fbs: text is UTF-8.
#include "validator/formats/arrow/views.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <format>
#include <limits>
#include <optional>
#include <vector>

#include "validator/formats/arrow/faults.h"
#include "validator/parallel.h"
#include "validator/utf8.h"
#include "validator/vectors.h"

namespace hepcheck::arrow {

namespace {

constexpr std::uint64_t kViewsTogether = std::uint64_t{1} << 18, kViewsOfPart = Parts::kSize / 16;
constexpr std::uint64_t kViewBytesForThreads = std::uint64_t{8} << 20;
constexpr std::uint64_t kHighBits = 0x8080808080808080;

constexpr Rule kViewSize("arrow-view-buffer-size", [](const Array& it, Look& look) {
  look.ask(
      has_room(it.first, it.length(), 16),
      [&] { return std::format("{} bytes of views for {} slots", it.first.size, it.length()); },
      "16 bytes for each slot");
});
constexpr Rule<Faults> kViewLength("arrow-view-length-not-negative", report_faults);
constexpr Rule<Faults> kViewInline("arrow-view-inline-padding-zero", report_faults);
constexpr Rule<Faults> kViewIndex("arrow-view-buffer-index-in-range", report_faults);
constexpr Rule<Faults> kViewRange("arrow-view-range-in-buffer", report_faults);
constexpr Rule<Faults> kViewPrefix("arrow-view-prefix-equal", report_faults);
constexpr Rule<Faults> kViewText("arrow-utf8-view-values-valid", report_faults);

bool is_view_text(const Array& array) { return array.field.type.tag == TypeTag::kUtf8View; }

// The bits behind the bytes of an inline value, in the first eight and the last four.
struct InlineMasks {
  std::array<std::uint64_t, 13> low{}, high{};
};
constexpr InlineMasks kBehind = [] {
  InlineMasks made;
  for (unsigned n = 0; n <= 12; ++n) {
    made.low[n] = n >= 8 ? 0 : ~std::uint64_t{0} << (8 * n);
    made.high[n] = n >= 12  ? 0
                   : n <= 8 ? 0xFFFFFFFF
                            : (~std::uint64_t{0} << (8 * (n - 8))) & 0xFFFFFFFF;
  }
  return made;
}();

// A data buffer.
struct DataBuffer {
  const Loaded& loaded;
  bool readable = false;  // its contents are in memory
  bool text = false;      // all of them are UTF-8
};

struct ViewFaults {
  explicit ViewFaults(const Array& array)
      : length{made(array)}, padding{made(array)}, index{made(array)}, range{made(array)},
        prefix{made(array)}, text{made(array)} {}

  void join(ViewFaults&& later) {
    length.join(std::move(later.length));
    padding.join(std::move(later.padding));
    index.join(std::move(later.index));
    range.join(std::move(later.range));
    prefix.join(std::move(later.prefix));
    text.join(std::move(later.text));
    known &= later.known;
    if (unread < 0) unread = later.unread;
    refused |= later.refused;
  }

  Faults length, padding, index, range, prefix, text;
  bool known = true;         // the views could be read
  std::int64_t unread = -1;  // a data buffer that views need and that was not examined
  bool refused = false;      // the texts could not be examined

 private:
  static Faults made(const Array& array) {
    return {&array, &array.first, array.number_of_first(), 16};
  }
};

constexpr std::size_t kViewsOfWord = 64;  // views: as many as a word of a bitmap has bits

// One byte for each view, 1 or 0.
using Flags = std::array<std::uint8_t, kViewsOfWord>;

// As a word of a bitmap.
std::uint64_t bits_of(const Flags& flags) {
  std::uint64_t bits = 0;
  for (std::size_t i = 0; i < flags.size(); i += 8) {
    // Moves bit 8 * k to bit 56 + k.
    const auto eight = load<std::uint64_t>(reinterpret_cast<const std::byte*>(flags.data() + i));
    bits |= (eight * 0x0102040810204080) >> 56 << i;
  }
  return bits;
}

// The bits of a word of a view behind the value, of which `bytes` are in it. No shift is by all of
// the bits, which C++ does not define.
inline std::uint32_t behind(std::uint32_t word, std::uint32_t bytes) {
  return word >> (4 * bytes) >> (4 * bytes);
}

// Which values are outside of the view, and which of the others have bits behind them, or are not
// ASCII although `texts` are wanted; returns whether there are any of the latter. A negative length
// counts as a large one.
HEPCHECK_VECTORS bool sort_views(const std::byte* views, bool texts, Flags& __restrict outside,
                                 Flags& __restrict odd) {
  const std::uint32_t high = texts ? 0x80808080 : 0;
  std::uint8_t any = 0;
  for (std::size_t i = 0; i < kViewsOfWord; ++i) {
    const std::byte* const view = views + 16 * i;
    const auto length = load<std::uint32_t>(view), first = load<std::uint32_t>(view + 4),
               second = load<std::uint32_t>(view + 8), third = load<std::uint32_t>(view + 12);
    const std::uint32_t others = behind(first, std::min(length, 4U)) |
                                 behind(second, std::clamp(length, 4U, 8U) - 4) |
                                 behind(third, std::clamp(length, 8U, 12U) - 8);
    const std::uint8_t is_long = length > kMostInline ? 1 : 0;
    const std::uint8_t is_odd = (others | ((first | second | third) & high)) != 0 ? 1 : 0;
    outside[i] = is_long;
    odd[i] = is_odd & ~is_long;
    any |= is_odd & ~is_long;
  }
  return any != 0;
}

// Looks at 64 views at once, without a branch for each. It only tells whether all of them are sound
// for certain; ViewReader finds what is wrong with the others.
class SoundViews {
 public:
  SoundViews(const Array& array, std::span<const DataBuffer> data, bool texts)
      : little_(array.order == std::endian::little), texts_(texts), buffers_(data.size() + 1) {
    for (std::size_t i = 0; i < data.size(); ++i)
      if (data[i].readable && (data[i].text || !texts)) buffers_[i] = data[i].loaded.bytes;
  }

  // Of the views of these slots.
  bool certain(ByteSpan views, std::uint64_t slots) const {
    if (!little_ || views.size() < 16 * kViewsOfWord) return false;
    Flags outside, odd;
    const bool any_odd = sort_views(views.data(), texts_, outside, odd);
    if (any_odd && (bits_of(odd) & slots) != 0) return false;
    return certain_outside(views.data(), bits_of(outside) & slots);
  }

 private:
  // Most values begin where the one before ends, so that one look at this place is enough.
  bool certain_outside(const std::byte* views, std::uint64_t slots) const {
    // Negative numbers count as large ones.
    constexpr std::uint64_t kMost = std::numeric_limits<std::int32_t>::max();
    std::uint32_t index = 0, differ = 0, starts = 0;
    ByteSpan buffer = buffers_.front();
    std::uint64_t before = 0;  // where the value before ends
    bool cut = false;
    for (; slots; slots &= slots - 1) {
      const std::byte* const view = views + 16 * std::countr_zero(slots);
      const auto length = load<std::uint32_t>(view), prefix = load<std::uint32_t>(view + 4),
                 offset = load<std::uint32_t>(view + 12);
      if (load<std::uint32_t>(view + 8) != index) {
        cut |= is_cut(buffer, before);
        index = load<std::uint32_t>(view + 8);
        if (index >= buffers_.size()) return false;
        buffer = buffers_[index];
        before = 0;
      }
      const std::uint64_t end = std::uint64_t{offset} + length;
      if (end > std::min<std::uint64_t>(buffer.size(), kMost)) return false;
      if (offset != before) cut |= is_cut(buffer, before);
      before = end;
      differ |= prefix ^ load<std::uint32_t>(buffer.data() + offset);
      starts |= prefix & ~(prefix << 1);  // bit 7: one begins inside a character
    }
    cut |= is_cut(buffer, before) || (starts & 0x80) != 0;
    return differ == 0 && !(texts_ && cut);
  }
  static bool is_cut(ByteSpan buffer, std::uint64_t end) {
    return end < buffer.size() && is_continuation(buffer[end]);
  }

  bool little_, texts_;
  std::vector<ByteSpan> buffers_;  // empty: one that has to be looked at; the last one: no buffer
};

class ViewReader {
 public:
  // `shared`: null if all data buffers are UTF-8, so that only the borders of values matter.
  ViewReader(const Array& array, std::span<const DataBuffer> data, const SoundViews& sound,
             std::vector<TextRanges>* shared)
      : array_(array), data_(data), sound_(sound), shared_(shared), faults_(array) {}

  void read(std::uint64_t begin, std::uint64_t end, const Seen& valid, const Seen* texts) {
    Parts parts(*array_.body, array_.first);
    for (std::uint64_t slot = begin; slot < end; slot += kViewsOfPart) {
      const std::uint64_t count = std::min(kViewsOfPart, end - slot);
      const ByteSpan part = parts.read(16 * slot, 16 * count);
      faults_.known = !part.empty();
      if (!faults_.known) return;
      for (std::uint64_t at = 0; at < count; at += kViewsOfWord) {
        std::uint64_t bits = valid.word((slot + at) / kViewsOfWord) & within(count - at, 0);
        const std::uint64_t text = texts ? texts->word((slot + at) / kViewsOfWord) : 0;
        if (sound_.certain(part.subspan(16 * at), bits)) continue;
        for (; bits; bits &= bits - 1) {
          const auto i = static_cast<std::uint64_t>(std::countr_zero(bits));
          look_at({part.data() + 16 * (at + i), array_.order}, slot + at + i, text >> i & 1);
        }
      }
    }
  }
  ViewFaults& faults() { return faults_; }

 private:
  void look_at(const View& view, std::uint64_t slot, bool text) {
    const std::int32_t length = view.length();
    if (length < 0)
      return faults_.length.add(
          slot, [&] { return std::format("length {}", length); }, [] { return "0 or more"; });
    if (length <= kMostInline)
      return look_at_inline(view, static_cast<unsigned>(length), slot, text);
    const std::int32_t index = view.index();
    if (index < 0 || static_cast<std::size_t>(index) >= data_.size())
      return faults_.index.add(
          slot, [&] { return std::format("buffer index {}", index); },
          [&] { return std::format("one of the {} data buffers of the array", data_.size()); });
    look_at_long(view, static_cast<std::size_t>(index), static_cast<std::uint64_t>(length), slot,
                 text);
  }

  void look_at_inline(const View& view, unsigned length, std::uint64_t slot, bool text) {
    const auto low = load<std::uint64_t>(view.at + 4);
    const std::uint64_t high = load<std::uint32_t>(view.at + 12);
    if ((low & kBehind.low[length]) | (high & kBehind.high[length]))
      faults_.padding.add(
          slot,
          [&] { return std::format("a value of {} bytes with other bytes behind it", length); },
          [] { return "zero bytes in the rest of the view"; });
    if (!text || !((low | high) & kHighBits)) return;
    const std::uint64_t good = well_formed_utf8(view.inline_bytes());
    if (good < length) not_text(slot, good, view.at[4 + good]);
  }

  void look_at_long(const View& view, std::size_t index, std::uint64_t length, std::uint64_t slot,
                    bool text) {
    const DataBuffer& in = data_[index];
    if (in.loaded.unexamined()) faults_.unread = static_cast<std::int64_t>(index);
    if (!in.loaded.usable()) return;
    const std::int32_t offset = view.offset();
    const auto begin = static_cast<std::uint64_t>(offset);
    if (offset < 0 || begin + length > in.loaded.size)
      return faults_.range.add(
          slot,
          [&] { return std::format("{} bytes at {} of data buffer {}", length, offset, index); },
          [&] { return std::format("bytes inside the {} of that buffer", in.loaded.size); });
    if (!in.readable) return;
    const std::byte* value = in.loaded.bytes.data() + begin;
    if (std::memcmp(view.at + 4, value, 4) != 0)
      faults_.prefix.add(
          slot, [&] { return std::format("the prefix {}", hex(view.at + 4)); },
          [&] { return std::format("{}, the first four bytes of the value", hex(value)); });
    if (text) look_at_text(in, index, begin, begin + length, slot);
  }

  void look_at_text(const DataBuffer& in, std::size_t index, std::uint64_t begin, std::uint64_t end,
                    std::uint64_t slot) {
    const ByteSpan bytes = in.loaded.bytes;
    if (in.text) {
      if (is_continuation(bytes[begin])) return not_text(slot, 0, bytes[begin]);
      if (end == bytes.size() || !is_continuation(bytes[end])) return;
      const std::uint64_t good = well_formed_utf8(bytes.subspan(begin, end - begin));
      return not_text(slot, good, bytes[begin + good]);
    }
    TextRanges& ranges = (*shared_)[index];
    const std::uint64_t bad = ranges.first_bad(begin, end);
    faults_.refused |= ranges.refused();
    if (bad < end) not_text(slot, bad - begin, bytes[bad]);
  }

  void not_text(std::uint64_t slot, std::uint64_t at, std::byte value) {
    faults_.text.add(
        slot,
        [&] {
          return std::format("byte {} of the value is {:#04x}", at, static_cast<unsigned>(value));
        },
        [] { return "UTF-8 in each value"; });
  }

  static std::string hex(const std::byte* at) {
    return std::format("{:02x}{:02x}{:02x}{:02x}", static_cast<unsigned>(at[0]),
                       static_cast<unsigned>(at[1]), static_cast<unsigned>(at[2]),
                       static_cast<unsigned>(at[3]));
  }

  const Array& array_;
  std::span<const DataBuffer> data_;
  const SoundViews& sound_;
  std::vector<TextRanges>* shared_;
  ViewFaults faults_;
};

ViewFaults read_views(const Array& array, std::span<const DataBuffer> data, const Seen& valid,
                      const Seen* texts) {
  std::optional<std::vector<TextRanges>> ranges;
  std::uint64_t bytes = array.first.size;
  for (const DataBuffer& each : data) {
    bytes = sum(bytes, each.loaded.bytes.size());
    if (!texts || !each.readable || each.text) continue;
    if (!ranges) {
      ranges.emplace();
      for (const DataBuffer& of : data) ranges->emplace_back(of.loaded.bytes, array.body->budget());
    }
  }
  const std::uint64_t length = array.length();
  std::vector<ViewFaults> pieces(divided_up(length, kViewsTogether), ViewFaults(array));
  const bool threads = bytes >= kViewBytesForThreads && !ranges;
  const SoundViews sound(array, data, texts != nullptr);
  parallel_for(pieces.size(), threads ? array.body->jobs() : 1, [&](std::uint64_t i) {
    ViewReader reader(array, data, sound, ranges ? &*ranges : nullptr);
    reader.read(i * kViewsTogether, std::min(length, (i + 1) * kViewsTogether), valid, texts);
    pieces[i] = std::move(reader.faults());
  });
  ViewFaults all = std::move(pieces.front());
  for (std::size_t i = 1; i < pieces.size(); ++i) all.join(std::move(pieces[i]));
  return all;
}

}  // namespace

void TextRanges::add(std::uint64_t begin, std::uint64_t end) {
  constexpr std::size_t kMost = std::size_t{1} << 16;
  if (known_.size() >= kMost) known_.clear();
  auto next = known_.lower_bound(begin);
  if (next != known_.begin()) {
    const auto before = std::prev(next);
    if (before->second == begin) {
      before->second = end;
      if (next != known_.end() && next->first == end) {
        before->second = next->second;
        known_.erase(next);
      }
      return;
    }
  }
  if (next != known_.end() && next->first == end) {
    end = next->second;
    known_.erase(next);
  }
  known_.emplace(begin, end);
}

// The beginning of the character that does not end at `end`; `end` if it does.
std::uint64_t TextRanges::cut(std::uint64_t end) const {
  if (end >= bytes_.size() || !is_continuation(bytes_[end])) return end;
  do --end;
  while (is_continuation(bytes_[end]));
  return end;
}

std::uint64_t TextRanges::first_bad(std::uint64_t begin, std::uint64_t end) {
  for (std::uint64_t at = begin; at < end;) {
    const auto next = known_.upper_bound(at);
    if (next != known_.begin()) {
      const auto here = std::prev(next);
      if (here->second > at) {
        if (is_continuation(bytes_[at])) return at;
        if (here->second >= end) return here->second == end ? end : cut(end);
        at = here->second;
        continue;
      }
    }
    const std::uint64_t limit = next == known_.end() ? end : std::min(end, next->first);
    if (!budget_.examine(limit - at)) {
      refused_ = true;
      return end;
    }
    const std::uint64_t good = well_formed_utf8(bytes_.subspan(at, limit - at));
    const std::uint64_t stop = at + good;
    if (good > 0) add(at, stop);
    if (stop < limit) return stop;
    at = stop;
  }
  return end;
}

bool judge_views(Array& array, std::span<const Loaded> data, Notes& notes) {
  const unsigned number = array.number_of_first();
  const auto block_views = [&] {
    block_if_unexamined<kViewSize, kViewLength, kViewInline, kViewIndex, kViewRange, kViewPrefix>(
        array, array.first, number, notes);
    if (is_view_text(array)) block_if_unexamined<kViewText>(array, array.first, number, notes);
    return false;
  };
  if (!array.first.usable()) return block_views();
  const Place place{.path = &array.path, .buffer = number, .byte = array.first.byte};
  if (!judge<kViewSize>(array, place, notes)) return false;
  judge_unpadded(array, array.first, number, product(array.length(), 16), notes);
  if (array.length() == 0 || !array.first.open()) return false;
  if (array.validity.unexamined()) {
    block_if_unexamined<kViewLength, kViewInline, kViewIndex, kViewRange, kViewPrefix>(
        array, array.validity, 0, notes);
    if (is_view_text(array)) block_if_unexamined<kViewText>(array, array.validity, 0, notes);
  }
  if (!array.nulls_known) return false;
  const Seen valid{.validity = array.zeros.value_or(0) > 0 ? array.validity.bytes : ByteSpan()};
  std::optional<VisibleSlots> visible;
  if (is_view_text(array)) {
    visible.emplace(array, array.length());
    if (!*visible) visible->block_if_unexamined<kViewText>(place, notes);
  }
  const bool texts = visible && static_cast<bool>(*visible);
  std::vector<DataBuffer> buffers;
  for (const Loaded& each : data) {
    buffers.push_back({each});
    DataBuffer& made = buffers.back();
    made.readable = each.usable() && !each.in_parts && each.bytes.size() == each.size;
    made.text = texts && made.readable && each.text;
  }
  const ViewFaults faults = read_views(array, buffers, valid, texts ? &visible->seen() : nullptr);
  if (!faults.known) {
    break_off(array.first);
    return block_views();
  }
  bool sound = judge<kViewLength>(faults.length, place, notes);
  sound &= judge<kViewInline>(faults.padding, place, notes);
  sound &= judge<kViewIndex>(faults.index, place, notes);
  sound &= judge<kViewRange>(faults.range, place, notes);
  sound &= judge<kViewPrefix>(faults.prefix, place, notes);
  if (texts) sound &= judge<kViewText>(faults.text, place, notes);
  if (faults.unread >= 0) {
    const auto index = static_cast<std::size_t>(faults.unread);
    const unsigned buffer = number + 1 + static_cast<unsigned>(index);
    block_if_unexamined<kViewRange, kViewPrefix>(array, data[index], buffer, notes);
    if (texts) block_if_unexamined<kViewText>(array, data[index], buffer, notes);
    return false;
  }
  if (faults.refused) {
    notes.blocked(kViewText.id, place.object() + ": its values overlap too often");
    array.given_up = true;
    return false;
  }
  return sound;
}

void view_rules(RuleList& list) {
  list.structure<kViewSize>();
  list.values<kViewLength, kViewInline, kViewIndex, kViewRange, kViewPrefix, kViewText>();
}

}  // namespace hepcheck::arrow
