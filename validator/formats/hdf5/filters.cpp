#include "validator/formats/hdf5/filters.h"

#include <algorithm>
#include <format>

#include "validator/formats/hdf5/rule.h"

namespace hepcheck::hdf5 {

namespace {

constexpr std::uint8_t kMostFilters = 32;
constexpr std::uint16_t kFirstRegistered = 256;

void version(const Filters& it, Look& look) {
  look.looked();
  if (it.version != 1 && it.version != 2)
    look.fail(0, std::format("version {}", it.version), "version 1 or 2");
}

void count(const Filters& it, Look& look) {
  look.looked();
  if (it.count > kMostFilters) look.fail(1, std::format("{} filters", it.count), "32 at most");
}

void fit(const Filters& it, Look& look) {
  look.looked();
  if (!it.whole)
    look.fail(0, std::format("the message ends inside filter {}", it.list.size()),
              std::format("a message that holds {} filters", it.count));
}

void id(const Filters& it, Look& look) {
  look.looked();
  for (const Filter& filter : it.list)
    if (filter.id == 0) return look.fail(0, "a filter with the number 0", "a number above 0");
}

constexpr Rule<Filters> kFiltersRules[] = {
    {"swmr-filters-version", version},
    {"swmr-filters-count", count},
    {"swmr-filters-fit", fit},
    {"swmr-filters-id", id},
};

// The client values that an application sets; the library adds the others.
struct ClientValues {
  std::uint16_t filter;
  std::size_t set, all;
};
constexpr ClientValues kClientValues[] = {
    {filter_id::kDeflate, 1, 1},      {filter_id::kShuffle, 0, 1},
    {filter_id::kFletcher32, 0, 0},   {filter_id::kSzip, 2, 4},
    {filter_id::kScaleOffset, 2, 20}, {filter_id::kNbit, 0, 3}};  // n-bit: and a description

const ClientValues* client_values(const Filter& filter) {
  const auto it = std::ranges::find(kClientValues, filter.id, &ClientValues::filter);
  return it == std::ranges::end(kClientValues) ? nullptr : it;
}

// --- The form of a pipeline ---------------------------------------------------------------------

void name_length(const Filters& it, Look& look) {
  if (it.version != 1) return;
  look.looked();
  for (const Filter& filter : it.placed())
    if (filter.name_length % 8 != 0)
      return look.fail(filter.at + 2, std::format("a name of {} bytes", filter.name_length),
                       "a multiple of 8");
}

void name_terminated(const Filters& it, Look& look) {
  look.looked();
  for (const Filter& filter : it.placed())
    if (!filter.name_ends)
      return look.fail(filter.at, "a name without a zero", "a zero at the end of the name");
}

constexpr Rule<Filters> kFilterNameRules[] = {
    {"h5-filters-name-length", name_length},
    {"h5-filters-name-terminated", name_terminated},
};

void not_empty(const Filters& it, Look& look) {
  look.looked();
  if (it.count == 0) look.fail(1, "a pipeline of 0 filters", "one or more");
}

void filters_reserved(const Filters& it, Look& look) {
  if (it.version != 1) return;
  look.looked();
  if (it.reserved) return look.fail(2, "reserved bytes that are not zero", "zeros");
  for (const Filter& filter : it.placed())
    if (filter.padding)
      return look.fail(filter.at, "padding after the values that is not zero", "zeros");
}

void filter_flags_reserved(const Filters& it, Look& look) {
  look.looked();
  for (const Filter& filter : it.placed())
    if ((filter.flags & 0xfffe) != 0)
      return look.fail(filter.at, std::format("flags {:#06x}", filter.flags), "bits 1 to 15 clear");
}

constexpr Rule<Filters> kFiltersFormRules[] = {
    {"h5-filters-not-empty", not_empty},
    {"h5-filters-reserved", filters_reserved},
    {"h5-filters-flags-reserved", filter_flags_reserved},
};

Filters parse_filters(const Region& message) {
  Cursor read(message);
  Filters made{.version = read.u8("version"), .count = read.u8("count")};
  if (made.count > kMostFilters) return made;
  const bool old = made.version == 1;
  if (old) made.reserved = read.number(6, "reserved") != 0;
  made.whole = true;
  for (unsigned i = 0; i < made.count; ++i) {
    const std::uint64_t begin = read.at();
    Filter filter{.id = read.u16("id")};
    filter.at = begin;
    const std::uint16_t name = old || filter.id >= kFirstRegistered ? read.u16("name length") : 0;
    filter.flags = read.u16("flags");
    const std::uint16_t values = read.u16("values");
    const Region text = read.take(name, "name");
    if (old) read.skip((8U - name % 8U) % 8U);
    const auto zero = std::ranges::find(text.bytes, std::byte{0});
    filter.name_length = name;
    filter.name_ends = name == 0 || zero != text.bytes.end();
    filter.name.assign(reinterpret_cast<const char*>(text.bytes.data()),
                       static_cast<std::size_t>(zero - text.bytes.begin()));
    if (read.rest() / 4 < values) read.skip(kUndefined);
    for (unsigned v = 0; v < values && read.good(); ++v) filter.values.push_back(read.u32("value"));
    if (old && values % 2 != 0) filter.padding = read.u32("padding") != 0;
    made.whole = read.good();
    if (!made.whole) break;
    made.list.push_back(std::move(filter));
  }
  made.whole = made.whole && read.good();
  made.encoded = read.at();
  return made;
}

}  // namespace

bool Filter::left_out() const {
  const ClientValues* known = client_values(*this);
  return known && known->set < known->all && (flags & kOptional) != 0 &&
         values.size() == known->set;
}

bool Filter::counted() const {
  const ClientValues* known = client_values(*this);
  if (!known || left_out()) return true;
  if (id == filter_id::kNbit) return values.size() >= known->all && values[0] == values.size();
  return values.size() == known->all;
}

std::span<const Filter> Filters::placed() const {
  const auto it = std::ranges::find(list, false, &Filter::counted);
  const auto after = static_cast<std::size_t>(it - list.begin()) + 1;
  return std::span(list).first(std::min(after, list.size()));
}

void filter_rules(RuleList& list) {
  list.structure<kFiltersRules, kFilterNameRules, kFiltersFormRules>();
}

std::optional<Filters> read_filters(const Region& message, Container& file) {
  Filters made = parse_filters(message);
  if (!judge<kFiltersRules>(made, message.place, file.notes)) return std::nullopt;
  made.sound = judge<kFilterNameRules>(made, message.place, file.notes);
  if (made.sound) judge_each<kFiltersFormRules>(made, message.place, file.notes);
  return made;
}

}  // namespace hepcheck::hdf5
