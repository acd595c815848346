#include "validator/formats/hdf5/filters.h"

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

Filters parse_filters(const Region& message) {
  Cursor read(message);
  Filters made{.version = read.u8(), .count = read.u8()};
  if (made.count > kMostFilters) return made;
  const bool old = made.version == 1;
  if (old) read.skip(6);
  made.whole = true;
  for (unsigned i = 0; i < made.count; ++i) {
    Filter filter{.id = read.u16()};
    const std::uint16_t name = old || filter.id >= kFirstRegistered ? read.u16() : 0;
    filter.flags = read.u16();
    const std::uint16_t values = read.u16();
    read.skip(old ? (name + 7U) / 8 * 8 : name);
    if (read.rest() / 4 < values) read.skip(kUndefined);
    for (unsigned v = 0; v < values && read.good(); ++v) filter.values.push_back(read.u32());
    if (old && values % 2 != 0) read.skip(4);
    made.whole = read.good();
    if (!made.whole) break;
    made.list.push_back(std::move(filter));
  }
  made.whole = made.whole && read.good();
  return made;
}

}  // namespace

void filter_rules(RuleList& list) { list.structure<kFiltersRules>(); }

std::optional<Filters> read_filters(const Region& message, Container& file) {
  Filters made = parse_filters(message);
  if (!judge<kFiltersRules>(made, message.place, file.notes)) return std::nullopt;
  return made;
}

}  // namespace hepcheck::hdf5
