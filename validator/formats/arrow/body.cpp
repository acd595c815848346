#include "validator/formats/arrow/body.h"

#include <algorithm>
#include <format>

#include "validator/formats/arrow/rule.h"
#include "validator/incoming.h"
#include "validator/shortage.h"

namespace hepcheck::arrow {

namespace {

struct InBody {
  BufferEntry entry;
  std::int64_t body_length;
};

std::string described(const BufferEntry& entry) {
  return std::format("offset {}, length {}", entry.offset, entry.length);
}

void length_not_negative(const InBody& it, Look& look) {
  look.ask(it.entry.length >= 0, [&] { return described(it.entry); }, "a length of 0 or more");
}

void offset_not_negative(const InBody& it, Look& look) {
  if (it.entry.length == 0) return;
  look.ask(it.entry.offset >= 0, [&] { return described(it.entry); }, "an offset of 0 or more");
}

void in_body(const InBody& it, Look& look) {
  if (it.entry.length == 0) return;
  look.ask(
      it.entry.offset <= it.body_length && it.entry.length <= it.body_length - it.entry.offset,
      [&] { return described(it.entry); },
      [&] { return std::format("a buffer inside the body of {} bytes", it.body_length); });
}

constexpr Rule kAligned("arrow-buffer-offset-aligned", [](const InBody& it, Look& look) {
  if (it.entry.length == 0) return;
  look.ask(
      it.entry.offset % 8 == 0, [&] { return described(it.entry); },
      "an offset that is a multiple of 8");
});

constexpr Rule kAligned64("arrow-buffer-align-64", [](const InBody& it, Look& look) {
  if (it.entry.length == 0) return;
  look.ask(
      it.entry.offset % 64 == 0, [&] { return described(it.entry); },
      "an offset that is a multiple of 64");
});

// The first error ends the check: the buffer cannot be read.
constexpr Rule<InBody> kReach[] = {{"arrow-buffer-length-not-negative", length_not_negative},
                                   {"arrow-buffer-offset-not-negative", offset_not_negative},
                                   {"arrow-buffer-in-body", in_body}};

// --- The buffers of a batch together -------------------------------------------------------------

struct Extents {
  std::vector<BufferEntry> listed{};  // the buffers inside the body that are not empty
  std::vector<BufferEntry> sorted{};
  std::int64_t body_length = 0;
  bool all_there = true;  // no buffer is outside
};

void no_overlap(const Extents& it, Look& look) {
  std::uint64_t overlaps = 0;
  const BufferEntry* first = nullptr;
  std::int64_t end = 0;
  for (const BufferEntry& each : it.sorted) {
    if (each.offset < end && overlaps++ == 0) first = &each;
    end = std::max(end, each.offset + each.length);
  }
  look.looked();
  if (first)
    look.fail(described(*first) + ", inside another buffer", "buffers that do not overlap", {},
              overlaps - 1);
}

void listed_order(const Extents& it, Look& look) {
  const auto back = std::ranges::adjacent_find(
      it.listed, [](const BufferEntry& a, const BufferEntry& b) { return b.offset < a.offset; });
  look.ask(
      back == it.listed.end(),
      [&] { return std::format("offset {} after {}", (back + 1)->offset, back->offset); },
      "buffers in the order in which they are listed");
}

void no_unreferenced_bytes(const Extents& it, Look& look) {
  if (!it.all_there) return;
  constexpr std::int64_t kGap = 64;
  std::int64_t end = 0, gap_at = -1, gap = 0;
  const auto reach = [&](std::int64_t offset, std::int64_t length) {
    if (gap_at < 0 && offset - end >= kGap) {
      gap_at = end;
      gap = offset - end;
    }
    end = std::max(end, offset + length);
  };
  for (const BufferEntry& each : it.sorted) reach(each.offset, each.length);
  reach(it.body_length, 0);
  look.ask(
      gap_at < 0, [&] { return std::format("{} bytes at {} of the body", gap, gap_at); },
      "buffers and their padding");
}

constexpr Rule<Extents> kExtentRules[] = {
    {"arrow-buffer-no-overlap", no_overlap},
    {"arrow-buffer-order", listed_order},
    {"arrow-body-no-unreferenced-bytes", no_unreferenced_bytes}};

bool reachable(const BufferEntry& entry, std::int64_t body_length) {
  return entry.length > 0 && entry.offset >= 0 && entry.offset <= body_length &&
         entry.length <= body_length - entry.offset;
}

}  // namespace

void judge_body(const Batch& batch, const Path& path, Notes& notes) {
  Extents extents{.body_length = batch.message.body_length};
  for (std::uint32_t i = 0; i < batch.buffers.size(); ++i) {
    const BufferEntry entry = batch.buffer(i);
    if (reachable(entry, extents.body_length))
      extents.listed.push_back(entry);
    else
      extents.all_there &= entry.length == 0;
  }
  extents.sorted = extents.listed;
  std::ranges::stable_sort(extents.sorted, {}, &BufferEntry::offset);
  judge_each<kExtentRules>(extents, {.path = &path, .byte = batch.message.body_at}, notes);
}

std::uint64_t Body::room() const {
  std::uint64_t held = 0;
  for (const std::uint64_t size : held_) held += size;
  return memory_ - std::min(held, memory_);
}

// The next unused slab.
Slab& Body::spare() {
  if (held_.size() == slabs_.size()) slabs_.push_back(std::make_unique<Slab>());
  return *slabs_[held_.size()];
}

std::span<std::byte> Body::hold(std::uint64_t size) {
  Slab& slab = spare();
  held_.push_back(size);
  return slab.take(size);
}

// `check` receives the bytes; those of a file piece by piece, while they are in the cache.
bool Body::fetch(std::uint64_t at, std::uint64_t size, ByteSpan& into, Utf8Check* check) {
  if (!budget_.examine(size)) return false;
  if (file_.descriptor() < 0 || file_.incoming()) {
    if (at > file_.size() || size > file_.size() - at) return false;
    into = file_.incoming() ? file_.incoming()->held(at, size) : file_.image().subspan(at, size);
    if (check) check->add(into);
    return into.size() == size;
  }
  if (size > room()) return false;
  const std::span<std::byte> kept = hold(size);
  into = kept;
  if (!check) return file_.read(at, kept);
  for (std::uint64_t begin = 0; begin < size; begin += Parts::kSize) {
    const std::span<std::byte> part = kept.subspan(begin, std::min(Parts::kSize, size - begin));
    if (!file_.read(at + begin, part)) return false;
    check->add(part);
  }
  return true;
}

void Body::undo(Loaded& loaded, bool contents, const Place& place, Notes& notes) {
  using State = Decompressed::State;
  Slab& slab = spare();
  const std::uint64_t most = budget_.left_to_decode();
  const Decompressed made =
      decompress(loaded.bytes, *batch_.codec, contents ? std::min(room(), most) : most,
                 contents ? &slab : nullptr, place, notes);
  budget_.decoded(made.decoded);
  loaded.compressed = true;
  loaded.state = made.state == State::kUsable   ? Loaded::State::kUsable
                 : made.state == State::kBroken ? Loaded::State::kBroken
                                                : Loaded::State::kNotExamined;
  if (!loaded.usable()) return;
  if (made.stored) {
    loaded.bytes = loaded.bytes.subspan(8);
    loaded.size = loaded.bytes.size();
    return;
  }
  loaded.size = made.size;
  loaded.bytes = contents ? slab.first(made.size) : ByteSpan();
  if (contents) held_.push_back(made.size);
}

Loaded Body::load(std::uint32_t i, const Path& path, unsigned buffer, Notes& notes, Want want) {
  const BufferEntry entry = batch_.buffer(i);
  const InBody it{entry, batch_.message.body_length};
  Loaded loaded{.byte = batch_.message.body_at};
  Place place{.path = &path, .buffer = buffer, .byte = batch_.message.body_at};
  if (reachable(entry, it.body_length))
    loaded.byte = place.byte += static_cast<std::uint64_t>(entry.offset);
  if (!judge<kReach>(it, place, notes)) return loaded;
  judge_each<kAligned>(it, place, notes);
  judge_each<kAligned64>(it, place, notes);
  loaded.size = loaded.stated = static_cast<std::uint64_t>(entry.length);
  loaded.state = Loaded::State::kUsable;
  loaded.text = loaded.stated == 0;
  if (loaded.stated == 0) return loaded;
  const auto not_examined = [&](std::string_view why) {
    loaded.state = Loaded::State::kNotExamined;
    loaded.why = why;
    return loaded;
  };
  if (!batch_.unreadable_by.empty()) {
    constexpr std::string_view kWhy = "the buffers of the batch cannot be read";
    block_compression(std::format("{}: {}", place.object(), kWhy), {batch_.unreadable_by}, notes);
    return not_examined(kWhy);
  }
  if (!values_ && batch_.codec) return not_examined("only the structure was examined");
  // If the contents are not examined, only the size matters.
  if ((want == Want::kSize || !values_) && !batch_.codec) return loaded;
  if (want == Want::kParts && !batch_.codec && file_.descriptor() >= 0 && !file_.incoming()) {
    loaded.in_parts = budget_.examine(loaded.stated);
    if (loaded.in_parts) return loaded;
  }
  Utf8Check check;
  const bool text = want == Want::kText;
  if (!fetch(loaded.byte, loaded.stated, loaded.bytes, text && !batch_.codec ? &check : nullptr)) {
    record_memory_shortage();
    constexpr std::string_view kWhy =
        "it does not fit in memory, or the file refers to the same bytes repeatedly";
    if (batch_.codec) block_compression(std::format("{}: {}", place.object(), kWhy), {}, notes);
    return not_examined(kWhy);
  }
  if (batch_.codec) {
    undo(loaded, want != Want::kSize, place, notes);
    if (loaded.state == Loaded::State::kNotExamined)
      return not_examined("decompressing it would exceed the limits of memory or time");
    if (text) check.add(loaded.bytes);
  }
  loaded.text = text && check.well_formed();
  return loaded;
}

bool Body::load_all(Loaded& loaded) {
  if (loaded.in_parts) loaded.in_parts = !fetch(loaded.byte, loaded.stated, loaded.bytes);
  return !loaded.in_parts;
}

ByteSpan Parts::read(std::uint64_t begin, std::uint64_t size) {
  if (!of_.in_parts) return of_.bytes.subspan(begin, size);
  const std::span<std::byte> part = slab_->take(kSize).first(size);
  return body_.file_.read(of_.byte + begin, part) ? part : std::span<std::byte>();
}

void buffer_rules(RuleList& list) { list.structure<kReach, kAligned, kAligned64, kExtentRules>(); }

}  // namespace hepcheck::arrow
