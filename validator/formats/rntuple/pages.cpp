#include "validator/formats/rntuple/pages.h"

#include <xxhash.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <format>
#include <unordered_map>

#include "validator/formats/rntuple/rule.h"
#include "validator/parallel.h"
#include "validator/slab.h"

namespace hepcheck::rntuple {

namespace {

// --- 7.3.2: page checksums -----------------------------------------------------------------------

constexpr Rule kPageChecksum("rntuple-page-checksum", [](const PageFacts& it, Look& look) {
  if (it.sum == PageFacts::Sum::kNone) return;
  const bool room = it.sum != PageFacts::Sum::kNoRoom;
  look.ask(
      room && it.sum != PageFacts::Sum::kWrong,
      [&] { return room ? std::format("{:#018x}", it.stated) : "no bytes after the page"; },
      [&] {
        return room ? std::format("{:#018x}, the XXH3 of the page", it.real)
                    : "8 bytes of checksum";
      });
});

constexpr Rule kStoredChecksum("rntuple-dialect-page-checksum-stored", [](const PageFacts& it,
                                                                          Look& look) {
  if (it.sum == PageFacts::Sum::kNone) return;
  look.ask(it.sum != PageFacts::Sum::kStored, "a checksum of the stored bytes",
           "a checksum of the uncompressed page");
});

// --- Values --------------------------------------------------------------------------------------

template <unsigned kBytes, bool kSplit>
std::uint64_t element(const std::byte* raw, std::uint64_t n, std::uint64_t i) {
  std::uint64_t value = 0;
  if constexpr (kSplit) {
    for (unsigned k = 0; k < kBytes; ++k)
      value |= std::to_integer<std::uint64_t>(raw[k * n + i]) << 8 * k;
  } else {
    std::memcpy(&value, raw + i * kBytes, kBytes);
  }
  return value;
}

// Calls `each(i, value)` for the stored bits of each element.
template <class Each>
void for_each_element(const std::byte* raw, std::uint64_t n, const ColumnType& type,
                      const Each& each) {
  const auto run = [&]<unsigned kBytes, bool kSplit>() {
    for (std::uint64_t i = 0; i < n; ++i) each(i, element<kBytes, kSplit>(raw, n, i));
  };
  const auto width = [&]<unsigned kBytes>() {
    type.split ? run.template operator()<kBytes, true>() : run.template operator()<kBytes, false>();
  };
  switch (type.bits) {
    case 1:
      for (std::uint64_t i = 0; i < n; ++i)
        each(i, std::to_integer<std::uint64_t>(raw[i / 8] >> (i % 8) & std::byte{1}));
      break;
    case 8: width.template operator()<1>(); break;
    case 16: width.template operator()<2>(); break;
    case 32: width.template operator()<4>(); break;
    case 64: width.template operator()<8>(); break;
    default: break;
  }
}

double half(std::uint64_t bits) {
  const int exponent = static_cast<int>(bits >> 10 & 0x1F);
  const auto fraction = static_cast<double>(bits & 0x3FF);
  const double sign = (bits & 0x8000) != 0 ? -1 : 1;
  if (exponent == 0x1F) return fraction > 0 ? std::nan("") : sign * INFINITY;
  return sign *
         (exponent == 0 ? std::ldexp(fraction, -24) : std::ldexp(1024 + fraction, exponent - 25));
}

double real_of(std::uint64_t value, unsigned bits) {
  return bits == 64   ? std::bit_cast<double>(value)
         : bits == 32 ? static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(value)))
                      : half(value);
}

constexpr std::uint64_t kSign = std::uint64_t{1} << 63;

// A number whose order as an unsigned integer is that of the value.
std::uint64_t ordered(std::uint64_t value, const ColumnType& type, bool& negative, bool& nan) {
  if (type.kind == Kind::kReal) {
    double number = real_of(value, type.bits);
    nan = std::isnan(number);
    negative = number < 0;
    if (number == 0) number = 0;
    const auto bits = std::bit_cast<std::uint64_t>(number);
    return (bits & kSign) != 0 ? ~bits : bits | kSign;
  }
  if (type.kind != Kind::kSigned) return value;
  std::int64_t number = 0;
  if (type.zigzag) {
    number = static_cast<std::int64_t>(value >> 1 ^ (~(value & 1) + 1));
  } else {
    const unsigned unused = 64U - type.bits;
    number = static_cast<std::int64_t>(value << unused) >> unused;
  }
  negative = number < 0;
  return static_cast<std::uint64_t>(number) ^ kSign;
}

void look_at_order(const std::byte* raw, std::uint64_t n, const ColumnType& type, Values& into) {
  std::uint64_t before = 0;
  for_each_element(raw, n, type, [&](std::uint64_t i, std::uint64_t stored) {
    bool negative = false, nan = false;
    const std::uint64_t value = ordered(stored, type, negative, nan);
    if (nan && !into.nan) into.nan = i;
    if ((negative || nan) && !into.negative) into.negative = i;
    if (i == 0) into.first = value;
    if (i > 0 && value < before && !into.falls) into.falls = i;
    if (i > 0 && value > before && !into.rises) into.rises = i;
    before = value;
  });
  into.last = before;
}

void look_at_index(const std::byte* raw, std::uint64_t n, const ColumnType& type, Values& into) {
  const std::uint64_t mask = type.bits == 64 ? kLargestNumber : (std::uint64_t{1} << type.bits) - 1;
  std::uint64_t before = 0;
  for_each_element(raw, n, type, [&](std::uint64_t i, std::uint64_t stored) {
    const std::uint64_t value = type.delta && i > 0 ? (before + stored) & mask : stored;
    if (i == 0) {
      into.first = value;
    } else if (value < before) {
      if (!into.falls) into.falls = i;
    } else {
      if (value > before && !into.rises) into.rises = i;
      if (value - before > into.largest_step) {
        into.largest_step = value - before;
        into.step_at = i;
      }
    }
    before = value;
  });
  into.last = before;
}

void look_at_tags(const std::byte* raw, std::uint64_t n, std::uint64_t alternatives, Values& into) {
  constexpr std::size_t kElement = 12;
  std::unordered_map<std::uint32_t, std::size_t> places;
  for (std::uint64_t i = 0; i < n; ++i) {
    const auto index = load<std::uint64_t>(raw + i * kElement);
    const auto tag = load<std::uint32_t>(raw + i * kElement + 8);
    if (tag > alternatives) {
      into.bad_tag = i;
      into.bad_tag_value = tag;
      return;
    }
    if (tag == 0) continue;
    const auto [place, fresh] = places.try_emplace(tag, into.tags.size());
    if (fresh) into.tags.push_back({.tag = tag, .first = index, .most = index});
    TagFacts& facts = into.tags[place->second];
    facts.ascending &= index == facts.first + facts.count;
    facts.most = std::max(facts.most, index);
    ++facts.count;
  }
}

void look_at_text(ByteSpan bytes, Values& into) {
  const auto bad =
      std::ranges::find_if(bytes, [](std::byte b) { return (b & std::byte{0x80}) != std::byte{}; });
  if (bad != bytes.end()) into.non_ascii = static_cast<std::uint64_t>(bad - bytes.begin());
}

std::uint64_t unset_bits(ByteSpan bytes, std::uint64_t n) {
  std::uint64_t set = 0;
  for (std::uint64_t i = 0; i < n / 8; ++i)
    set += static_cast<unsigned>(std::popcount(std::to_integer<std::uint8_t>(bytes[i])));
  // What lies behind the last element counts for nothing.
  if (n % 8 != 0) {
    const unsigned last = std::to_integer<std::uint8_t>(bytes[n / 8]) & ((1U << n % 8) - 1);
    set += static_cast<unsigned>(std::popcount(last));
  }
  return n - set;
}

void look_at_values(ByteSpan plain, const PageJob& job, Values& into) {
  const ColumnType& type = column_type(job.type);
  into.elements = job.page.elements;
  if (!type.known() || type.bits != job.bits) return;
  if (job.wants.index) look_at_index(plain.data(), into.elements, type, into);
  if (job.wants.order && !job.wants.index) look_at_order(plain.data(), into.elements, type, into);
  if (job.wants.tags) look_at_tags(plain.data(), into.elements, job.wants.alternatives, into);
  if (job.wants.ascii) look_at_text(plain, into);
  if (job.wants.mask) into.unset = unset_bits(plain, into.elements);
}

constexpr std::uint64_t kChecksum = 8;

PageFacts look_at_page(const Context& context, const PageJob& job, Slab& stored_slab,
                       Slab& plain_slab) {
  PageFacts made{.done = true};
  const PageInfo& page = job.page;
  const std::uint64_t length = divided_up(product(std::uint64_t{page.elements}, job.bits), 8);
  const bool room = context.root.limit() - page.offset - page.size >= kChecksum;
  const auto too_much = [&](std::uint64_t bytes) {
    return bytes > context.memory || !context.decoded.take(bytes);
  };
  const auto unread = [&](std::uint64_t bytes) {
    made.unread = std::format("decoding {} bytes would exceed the limits of memory or time", bytes);
    return made;
  };
  if (too_much(page.size)) return unread(page.size);
  if (page.checksum && !room && context.root.cut()) {
    made.unread = "its checksum lies behind the end of the file";
    return made;
  }
  const std::uint64_t read = page.size + (page.checksum && room ? kChecksum : 0);
  const std::span<std::byte> bytes = stored_slab.take(read);
  if (!context.root.file().read(page.offset, bytes)) {
    made.unread = "it cannot be read";
    return made;
  }
  const ByteSpan stored = ByteSpan(bytes).first(page.size);
  if (page.checksum && room) {
    made.stated = load<std::uint64_t>(bytes.data() + page.size);
    made.real = XXH3_64bits(stored.data(), stored.size());
    made.sum = made.stated == made.real ? PageFacts::Sum::kStored : PageFacts::Sum::kWrong;
  } else if (page.checksum) {
    made.sum = PageFacts::Sum::kNoRoom;
  }
  made.block = scan_block(stored, length);
  ByteSpan plain = stored;
  if (made.block.raw) {
    if (made.sum == PageFacts::Sum::kStored) made.sum = PageFacts::Sum::kRaw;
  } else if (made.block.usable()) {
    if (too_much(length)) return unread(length);
    const std::span<std::byte> output = plain_slab.take(length);
    decode_block(stored, output, made.block);
    plain = output;
    if (made.sum == PageFacts::Sum::kWrong && made.block.usable()) {
      const std::uint64_t real = XXH3_64bits(plain.data(), plain.size());
      if (real == made.stated) made.sum = PageFacts::Sum::kPlain;
    }
  }
  made.usable = made.block.usable() && made.sum != PageFacts::Sum::kWrong &&
                made.sum != PageFacts::Sum::kNoRoom;
  if (made.usable) look_at_values(plain, job, made.values);
  return made;
}

}  // namespace

std::vector<PageFacts> look_at_pages(const Context& context, const std::vector<PageJob>& jobs,
                                     unsigned threads) {
  std::vector<PageFacts> made(jobs.size());
  std::uint64_t bytes = 0;
  for (const PageJob& each : jobs) bytes = sum(bytes, sum(each.page.size, each.page.elements));
  // A thread does not pay for little work.
  constexpr std::uint64_t kLittle = std::uint64_t{1} << 20;
  constexpr std::uint64_t kAtOnce = 4;
  parallel_for(divided_up(jobs.size(), kAtOnce), bytes < kLittle ? 1 : threads,
               [&](std::uint64_t part) {
                 thread_local Slab stored, plain;
                 for (std::uint64_t i = part * kAtOnce;
                      i < std::min<std::uint64_t>(jobs.size(), (part + 1) * kAtOnce); ++i)
                   made[i] = look_at_page(context, jobs[i], stored, plain);
               });
  return made;
}

bool judge_page(const PageFacts& facts, const PageInfo& page, const Place& at, Context& context) {
  Notes& notes = context.notes;
  if (!facts.unread.empty()) {
    context.incomplete = true;
    if (page.checksum) block<kPageChecksum>(at.object() + ": " + facts.unread, {}, notes);
    notes.blocked("rntuple-block-decodes", at.object() + ": " + facts.unread);
    return false;
  }
  Place place = at;
  place.byte = page.offset;
  if (!judge<kPageChecksum>(facts, place, notes)) return false;
  judge<kStoredChecksum>(facts, place, notes);
  if (facts.block.fault == Block::Fault::kNotDecoded) context.incomplete = true;
  return judge_block(facts.block, place, notes);
}

void page_rules(RuleList& list) { list.values<kPageChecksum, kStoredChecksum>(); }

}  // namespace hepcheck::rntuple
