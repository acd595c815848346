#include "validator/formats/rntuple/frame.h"

#include <algorithm>
#include <format>
#include <limits>

#include "validator/formats/rntuple/rule.h"

namespace hepcheck::rntuple {

namespace {

// --- Chapter 4: strings and feature flags --------------------------------------------------------

struct StoredString {
  std::uint64_t left;
  std::optional<std::uint32_t> length;
};

constexpr Rule kStringInside("rntuple-string-inside", [](const StoredString& it, Look& look) {
  look.ask(
      it.length && *it.length <= it.left,
      [&] {
        return it.length ? std::format("a string of {} bytes", *it.length)
                         : std::format("{} bytes for the length of a string", it.left);
      },
      [&] { return it.length ? std::format("at most {} bytes", it.left) : "4 bytes"; });
});

constexpr Rule kStringAscii("rntuple-string-ascii", [](const std::string_view& it, Look& look) {
  const auto bad = std::ranges::find_if(it, [](char c) { return (c & 0x80) != 0; });
  look.ask(
      bad == it.end(),
      [&] {
        return std::format("byte {:#04x} at position {}", static_cast<unsigned char>(*bad),
                           bad - it.begin());
      },
      "ASCII characters");
});

struct FlagChain {
  std::uint64_t read;
  bool ended;
};

constexpr Rule kFlagChain("rntuple-feature-flags-chain", [](const FlagChain& it, Look& look) {
  look.ask(
      it.ended, [&] { return std::format("no end after {} integers", it.read); },
      "an integer without bit 63 inside the envelope");
});

constexpr std::uint64_t kContinued = std::uint64_t{1} << 63;
constexpr std::size_t kTestingWord = 2;
constexpr std::uint64_t kTesting = std::uint64_t{1} << 9;

constexpr Rule kFeatures("rntuple-feature-bits-defined", [](const std::vector<std::uint64_t>& it,
                                                            Look& look) {
  look.looked();
  for (std::size_t i = 0; i < it.size(); ++i) {
    const std::uint64_t known = kContinued | (i == kTestingWord ? kTesting : 0);
    if ((it[i] & ~known) == 0) continue;
    const auto bit = static_cast<std::size_t>(std::countr_zero(it[i] & ~known));
    return look.fail(std::format("bit {}", 64 * i + bit), "bits that are defined: 137");
  }
});

constexpr Rule kTestingBit("rntuple-feature-testing-bit",
                           [](const std::vector<std::uint64_t>& it, Look& look) {
                             look.ask(it.size() <= kTestingWord || !(it[kTestingWord] & kTesting),
                                      "bit 137, which is reserved for testing", "bit 137 clear");
                           });

// --- Chapter 5: frames ---------------------------------------------------------------------------

struct StoredFrame {
  std::int64_t size;
  std::uint64_t left;
  bool wants_list;

  std::uint64_t bytes() const {
    return size < 0 ? ~static_cast<std::uint64_t>(size) + 1 : static_cast<std::uint64_t>(size);
  }
};

void frame_minimum(const StoredFrame& it, Look& look) {
  const bool lowest = it.size == std::numeric_limits<std::int64_t>::min();
  look.ask(
      !lowest && it.bytes() >= (it.size < 0 ? kLeastList : kLeastRecord),
      [&] { return std::format("size {}", it.size); },
      [&] { return it.size < 0 ? "12 bytes or more" : "8 bytes or more"; });
}

void frame_inside(const StoredFrame& it, Look& look) {
  look.ask(
      it.bytes() <= it.left, [&] { return std::format("a frame of {} bytes", it.bytes()); },
      [&] { return std::format("at most {} bytes", it.left); });
}

void frame_kind(const StoredFrame& it, Look& look) {
  look.ask((it.size < 0) == it.wants_list,
           [&] { return it.size < 0 ? "a list frame" : "a record frame"; },
           [&] { return it.wants_list ? "a list frame" : "a record frame"; });
}

constexpr Rule<StoredFrame> kFrame[] = {
    {"rntuple-frame-minimum-size", frame_minimum},
    {"rntuple-frame-inside-parent", frame_inside},
    {"rntuple-frame-kind", frame_kind},
};

struct Items {
  std::uint64_t items, room, least;
};

constexpr Rule kItems("rntuple-list-items-inside", [](const Items& it, Look& look) {
  look.ask(
      product(it.items, it.least) <= it.room,
      [&] { return std::format("{} items in {} bytes", it.items, it.room); },
      [&] { return std::format("at least {} bytes for each item", it.least); });
});

struct FixedPart {
  std::uint64_t left, bytes;
  std::string_view what;
};

constexpr Rule kFixedPart("rntuple-frame-holds-record", [](const FixedPart& it, Look& look) {
  look.ask(
      it.bytes <= it.left, [&] { return std::format("{} bytes left in the record", it.left); },
      [&] { return std::format("{} bytes for {}", it.bytes, it.what); });
});

// --- Chapter 6: locators -------------------------------------------------------------------------

struct LocatorSize {
  std::uint64_t own, left;
};

constexpr Rule kOwnSize("rntuple-locator-own-size", [](const LocatorSize& it, Look& look) {
  look.ask(
      it.own >= 4 && it.own <= it.left,
      [&] { return std::format("a locator of {} bytes", it.own); },
      [&] { return std::format("4 to {} bytes", it.left); });
});

struct OtherLocator {
  unsigned type;
  ByteSpan payload;
  bool later_draft;

  bool large() const { return later_draft && type == 1 && payload.size() == 16; }
};

void locator_type(const OtherLocator& it, Look& look) {
  look.ask(
      it.type == 1 || it.type == 2, [&] { return std::format("type {:#04x}", it.type); },
      "0x01, URI, or 0x02, DAOS");
}

void uri_ascii(const OtherLocator& it, Look& look) {
  if (it.type != 1 || it.large()) return;
  look.ask(std::ranges::all_of(it.payload,
                               [](std::byte b) { return (b & std::byte{0x80}) == std::byte{}; }),
           "a byte above 0x7F in a URI", "ASCII characters");
}

void object64(const OtherLocator& it, Look& look) {
  if (it.type != 2) return;
  look.ask(
      it.payload.size() == 12 || (it.later_draft && it.payload.size() == 16),
      [&] { return std::format("a payload of {} bytes", it.payload.size()); },
      [&] { return it.later_draft ? "12 or 16 bytes" : "12 bytes"; });
}

constexpr Rule<OtherLocator> kOther[] = {
    {"rntuple-locator-type", locator_type},
    {"rntuple-locator-uri-ascii", uri_ascii},
    {"rntuple-locator-object64", object64},
};

constexpr Rule kOnDisk("rntuple-locator-on-disk", [](const Locator& it, Look& look) {
  look.ask(
      it.on_disk, [&] { return std::format("a locator of type {:#04x}", it.word >> 24 & 0x7F); },
      "an offset in the file");
});

}  // namespace

bool Cursor::string(std::string_view& into) {
  StoredString stored{left(), std::nullopt};
  const std::uint64_t begin = at_;
  if (left() >= 4) {
    stored.length = number<std::uint32_t>();
    stored.left = left();
  }
  if (!judge<kStringInside>(stored, place(begin), notes_)) return false;
  into = {reinterpret_cast<const char*>(bytes_.data() + at_), *stored.length};
  judge<kStringAscii>(into, place(begin), notes_);
  at_ += *stored.length;
  return true;
}

bool Cursor::flags(std::vector<std::uint64_t>& into) {
  const std::uint64_t begin = at_;
  bool ended = false;
  while (!ended && left() >= 8) {
    into.push_back(number<std::uint64_t>());
    ended = (into.back() & kContinued) == 0;
  }
  if (!judge<kFlagChain>(FlagChain{into.size(), ended}, place(begin), notes_)) return false;
  if (!judge<kFeatures>(into, place(begin), notes_)) return false;
  judge<kTestingBit>(into, place(begin), notes_);
  return true;
}

bool Cursor::frame(bool list, std::uint64_t least, Frame& into) {
  const std::uint64_t begin = at_;
  if (!fixed(kLeastRecord, "a frame")) return false;
  const StoredFrame stored{number<std::int64_t>(), end_ - begin, list};
  if (!judge<kFrame>(stored, place(begin), notes_)) return false;
  into = {.begin = begin, .end = begin + stored.bytes(), .list = list};
  if (!list) return true;
  into.items = number<std::uint32_t>();
  const Items items{into.items, into.end - at_, least};
  return judge<kItems>(items, place(begin), notes_);
}

bool Cursor::item(std::uint64_t least, const Frame& list, std::uint64_t index) {
  if (left() >= least) return true;
  return judge<kItems>(Items{list.items - index, left(), least}, place(list.begin), notes_);
}

bool Cursor::fixed(std::uint64_t bytes, std::string_view what) {
  return judge<kFixedPart>(FixedPart{left(), bytes, what}, place(), notes_);
}

bool Cursor::locator(Locator& into) {
  into.at = at_;
  if (!fixed(4, "a locator")) return false;
  const auto word = number<std::int32_t>();
  into.on_disk = word >= 0;
  if (into.on_disk) {
    if (!fixed(8, "the offset of a locator")) return false;
    into.size = static_cast<std::uint64_t>(word);
    into.offset = number<std::uint64_t>();
    into.bytes = 12;
    judge<kOnDisk>(into, place(into.at), notes_);
    return true;
  }
  into.word = ~static_cast<std::uint32_t>(word) + 1;
  into.bytes = into.word & 0xFFFF;
  if (!judge<kOwnSize>(LocatorSize{into.bytes, end_ - into.at}, place(into.at), notes_))
    return false;
  into.payload = bytes_.subspan(at_, into.bytes - 4);
  at_ = into.at + into.bytes;
  const OtherLocator other{into.word >> 24 & 0x7F, into.payload, later_draft_};
  into.sound = judge<kOther>(other, place(into.at), notes_);
  if (!into.sound) return true;
  if (other.large()) {
    into.size = load<std::uint64_t>(into.payload.data());
    into.offset = load<std::uint64_t>(into.payload.data() + 8);
  }
  judge<kOnDisk>(into, place(into.at), notes_);
  return true;
}

bool Cursor::link(Link& into) {
  if (!fixed(8, "the length of an envelope link")) return false;
  into.length = number<std::uint64_t>();
  return locator(into.locator);
}

void frame_rules(RuleList& list) {
  list.structure<kStringInside, kStringAscii, kFlagChain, kFeatures, kTestingBit, kFrame, kItems,
                 kFixedPart, kOwnSize, kOther, kOnDisk>();
}

}  // namespace hepcheck::rntuple
