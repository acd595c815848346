// Current domains.                                             [array_schema.md, "Current Domain"]
#include <algorithm>
#include <cmath>
#include <format>

#include "validator/formats/tiledb/schema.h"

namespace hepcheck::tiledb {

namespace {

constexpr LookRule kCdComplete("tiledb-cd-complete", fits);
constexpr LookRule kCdRangeFits("tiledb-cd-range-fits", fits);

constexpr LookRule kCdType("tiledb-cd-type", [](const CurrentDomain& it, Look& look) {
  look.at("type", it.type.at);
  look.ask(
      it.type.value == 0, [&] { return std::format("type {}", it.type.value); }, "0 (a rectangle)");
});

void cd_version_known(const CurrentDomain& it, Look& look) {
  look.at("version", it.version.at);
  look.ask(
      it.version.value <= 1, [&] { return std::format("version {}", it.version.value); },
      "version 0");
}
void cd_version_zero(const CurrentDomain& it, Look& look) {
  look.at("version", it.version.at);
  look.ask(it.version.value != 1, "version 1, which no release reads", "version 0");
}
void cd_empty_flag(const CurrentDomain& it, Look& look) {
  look.at("empty", it.empty.at);
  look.ask(it.empty.value <= 1, [&] { return std::format("{}", it.empty.value); }, "0 or 1");
}
constexpr Rule<CurrentDomain> kCurrentDomainRules[] = {
    {"tiledb-cd-version-known", cd_version_known},
    {"tiledb-cd-version-zero", cd_version_zero},
    {"tiledb-cd-empty-flag", cd_empty_flag},
};

struct RangeUse {
  const Range& it;
  const Dimension& of;

  std::uint8_t type() const { return of.datatype.value; }
  bool numbers() const {
    return !of.is_variable() && of.allowed() && type() != kStringAscii && !it.low.empty();
  }
  bool has_nan() const {
    return is_float(type()) &&
           (std::isnan(float_at(it.low, type())) || std::isnan(float_at(it.high, type())));
  }
};

bool at_most(Raw a, Raw b, std::uint8_t type) {
  if (is_float(type)) return float_at(a, type) <= float_at(b, type);
  return integer_at(a, type) <= integer_at(b, type);
}

void cd_var_min_length(const RangeUse& use, Look& look) {
  if (!use.of.is_variable()) return;
  look.ask(
      use.it.minimum_size <= use.it.size,
      [&] {
        return std::format("a minimum of {} bytes in a range of {}", use.it.minimum_size,
                           use.it.size);
      },
      "a minimum inside the range");
}

bool range_ordered(const RangeUse& use) {
  if (use.numbers()) return at_most(use.it.low, use.it.high, use.type());
  return !std::ranges::lexicographical_compare(
      use.it.high, use.it.low, {}, [](std::byte b) { return std::to_integer<unsigned>(b); },
      [](std::byte b) { return std::to_integer<unsigned>(b); });
}

void cd_range_ordered(const RangeUse& use, Look& look) {
  if (use.of.is_variable()) {
    if (use.it.minimum_size > use.it.size || use.it.size == 0) return;
  } else if (!use.numbers() || use.has_nan()) {
    return;
  }
  look.ask(
      range_ordered(use),
      [&] {
        return std::format("[{}, {}]", value_text(use.it.low, use.type()),
                           value_text(use.it.high, use.type()));
      },
      "a minimum that is at most the maximum");
}

void cd_range_finite(const RangeUse& use, Look& look) {
  if (!use.numbers() || !is_float(use.type())) return;
  look.ask(!use.has_nan(), "a bound that is NaN", "numbers");
}

void cd_within_domain(const RangeUse& use, Look& look) {
  if (!use.numbers() || use.has_nan() || !use.of.is_sound() || !range_ordered(use)) return;
  look.ask(
      at_most(use.of.low(), use.it.low, use.type()) &&
          at_most(use.it.high, use.of.high(), use.type()),
      [&] {
        return std::format("[{}, {}]", value_text(use.it.low, use.type()),
                           value_text(use.it.high, use.type()));
      },
      [&] {
        return std::format("a range within the domain [{}, {}]",
                           value_text(use.of.low(), use.type()),
                           value_text(use.of.high(), use.type()));
      });
}

constexpr Rule<RangeUse> kRangeRules[] = {
    {"tiledb-cd-var-min-length", cd_var_min_length},
    {"tiledb-cd-range-ordered", cd_range_ordered},
    {"tiledb-cd-range-finite", cd_range_finite},
    {"tiledb-cd-within-domain", cd_within_domain},
};

bool read_range(BoundedReader& read, const Path& path, const Dimension& of, Range& it) {
  it.at = read.at();
  if (of.is_variable()) {
    if (!read.room<kCdRangeFits>(&path, "the lengths of a range", 16)) return false;
    it.size = read.get<std::uint64_t>().value;
    it.minimum_size = read.get<std::uint64_t>().value;
    if (!read.room<kCdRangeFits>(&path, "a range", it.size)) return false;
    it.bytes = read.take_bytes(it.size);
    if (it.minimum_size > it.size) return true;
    it.low = it.bytes.first(it.minimum_size);
    it.high = it.bytes.subspan(it.minimum_size);
    return true;
  }
  const std::uint64_t width = of.width();
  if (width == 0) {
    read.end("the width of a range is unknown", "tiledb-dim-datatype-known");
    return false;
  }
  if (!read.room<kCdRangeFits>(&path, "a range", 2 * width)) return false;
  it.bytes = read.take_bytes(2 * width);
  it.low = it.bytes.first(width);
  it.high = it.bytes.subspan(width);
  return true;
}

}  // namespace

void current_domain_rules(RuleList& list) {
  list.structure<kCdComplete, kCdRangeFits, kCdType, kCurrentDomainRules, kRangeRules>();
}

void block_current_domain(const Stop& stop, Notes& notes) {
  block_behind<kCdComplete, kCdRangeFits, kCdType, kCurrentDomainRules, kRangeRules>(stop, notes);
}

void read_current_domain(BoundedReader& read, Schema& into) {
  const Path path{.kind = "current_domain"};
  if (!read.room<kCdComplete>(&path, "the head of a current domain", 5)) return;
  CurrentDomain& it = into.current_domain.emplace();
  it.version = read.get<std::uint32_t>();
  it.empty = read.get<std::uint8_t>();
  if (it.empty.value == 0) {
    if (!read.room<kCdComplete>(&path, "the type of a current domain", 1)) return;
    it.type = read.get<std::uint8_t>();
    if (!judge<kCdType>(it, read.place(&path, it.type.at), read.notes()))
      return read.end("what follows the type is unknown", "tiledb-cd-type");
    for (std::size_t i = 0; i < into.dimensions.size(); ++i) {
      const Path each{.up = &path, .kind = "range", .index = i};
      Range range;
      if (!read_range(read, each, into.dimensions[i], range)) return;
      it.ranges.push_back(range);
    }
  }
  into.reached = Reached::kCurrentDomain;
}

void judge_current_domain(const Schema& schema, BoundedReader& at) {
  const CurrentDomain& it = *schema.current_domain;
  const Path path{.kind = "current_domain"};
  judge_each<kCurrentDomainRules>(it, at.place(&path, it.version.at), at.notes());
  for (std::size_t i = 0; i < it.ranges.size(); ++i) {
    const Path each{.up = &path, .kind = "range", .index = i};
    judge_each<kRangeRules>(RangeUse{it.ranges[i], schema.dimensions[i]},
                            at.place(&each, it.ranges[i].at), at.notes());
  }
}

}  // namespace hepcheck::tiledb
