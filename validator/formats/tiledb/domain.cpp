// Domains and dimensions.                                              [array_schema.md, "Domain"]
#include <algorithm>
#include <cmath>
#include <format>

#include "validator/formats/tiledb/schema.h"

namespace hepcheck::tiledb {

namespace {

constexpr std::size_t kMostDimensions = 100'000;

constexpr LookRule kDomainComplete("tiledb-domain-complete", fits);
constexpr LookRule kDimCountFits("tiledb-domain-dim-count-fits", fits);
constexpr LookRule kDimNameLength("tiledb-dim-name-length", fits);
constexpr LookRule kDimComplete("tiledb-dim-complete", fits);
constexpr LookRule kDimDomainFits("tiledb-dim-domain-fits", fits);
constexpr LookRule kDimExtentFits("tiledb-dim-extent-fits", fits);

constexpr LookRule kDomainDatatypeKnown("tiledb-domain-datatype-known", [](const Schema& it,
                                                                           Look& look) {
  look.ask(
      is_known(it.domain_datatype.value),
      [&] { return std::format("datatype {}", it.domain_datatype.value); },
      "a datatype from 0 to 43");
});

// --- The domain
// ---------------------------------------------------------------------------------------

constexpr LookRule kDomainDatatypeAllowed("tiledb-domain-datatype-allowed", [](const Schema& it,
                                                                               Look& look) {
  const std::uint8_t type = it.domain_datatype.value;
  if (it.number() >= 5 || !is_known(type)) return;
  look.at("domain_datatype", it.domain_datatype.at);
  look.ask(
      is_dimension_type(type) && type != kStringAscii, [&] { return datatype_text(type); },
      "an integer, floating-point, date or time datatype");
});

constexpr LookRule kDimCount("tiledb-domain-dim-count", [](const Schema& it, Look& look) {
  look.at("dimension_count", it.dimension_count.at);
  look.ask(it.dimension_count.value > 0, "no dimension", "at least one dimension");
});

bool all_allowed(const Schema& it) {
  return std::ranges::all_of(it.dimensions, &Dimension::allowed);
}

constexpr LookRule kDenseSameType("tiledb-domain-dense-same-type", [](const Schema& it,
                                                                      Look& look) {
  if (it.number() < 5 || !it.is_dense() || !all_allowed(it)) return;
  if (!std::ranges::all_of(it.dimensions,
                           [](const Dimension& each) { return is_integral(each.datatype.value); }))
    return;
  for (std::size_t i = 1; i < it.dimensions.size(); ++i) {
    const Dimension& each = it.dimensions[i];
    const Path path = path_of("dimension", i, each.name);
    look.at(path, each.datatype.at);
    look.ask(
        each.datatype.value == it.dimensions[0].datatype.value,
        [&] { return datatype_text(each.datatype.value); },
        [&] {
          return "that of the first dimension, " + datatype_text(it.dimensions[0].datatype.value);
        });
    if (look.failed()) return;
  }
  look.looked();
});

constexpr LookRule kDenseIntegral("tiledb-domain-dense-integral", [](const Schema& it, Look& look) {
  if (!it.is_dense()) return;
  for (std::size_t i = 0; i < it.dimensions.size(); ++i) {
    const Dimension& each = it.dimensions[i];
    if (!each.allowed() || (it.number() < 5 && each.datatype.value == kStringAscii)) continue;
    const Path path = path_of("dimension", i, each.name);
    look.at(path, each.datatype.at);
    look.ask(
        is_integral(each.datatype.value), [&] { return datatype_text(each.datatype.value); },
        "an integer, date or time datatype in a dense array");
    if (look.failed() && it.number() < 5) return;
  }
});

// --- A dimension
// --------------------------------------------------------------------------------------

struct DimensionUse {
  const Dimension& it;
  const Schema& in;
};

void dim_datatype_known(const DimensionUse& use, Look& look) {
  if (use.in.number() < 5) return;
  look.at("datatype", use.it.datatype.at);
  look.ask(
      is_known(use.it.datatype.value),
      [&] { return std::format("datatype {}", use.it.datatype.value); }, "a datatype from 0 to 43");
}

void dim_datatype_allowed(const DimensionUse& use, Look& look) {
  if (use.in.number() < 5 || !is_known(use.it.datatype.value)) return;
  look.at("datatype", use.it.datatype.at);
  look.ask(
      use.it.allowed(), [&] { return datatype_text(use.it.datatype.value); },
      "an integer, floating-point, date or time datatype, or STRING_ASCII");
}

bool count_known(const Dimension& it) { return it.cell_val_num.value == 1 || it.is_variable(); }

void dim_cell_val_num(const DimensionUse& use, Look& look) {
  if (use.in.number() < 5) return;
  look.at("cell_val_num", use.it.cell_val_num.at);
  look.ask(
      count_known(use.it), [&] { return std::format("{}", use.it.cell_val_num.value); },
      "1, or 4294967295 for strings");
}

void dim_var_is_string(const DimensionUse& use, Look& look) {
  if (use.in.number() < 5 || !count_known(use.it) || !use.it.allowed()) return;
  const bool string = use.it.datatype.value == kStringAscii;
  look.at("cell_val_num", use.it.cell_val_num.at);
  look.ask(
      use.it.is_variable() == string,
      [&] {
        return std::format("{} of {} size", datatype_text(use.it.datatype.value),
                           use.it.is_variable() ? "variable" : "fixed");
      },
      "variable size for STRING_ASCII and for nothing else");
}

void dim_domain_size(const DimensionUse& use, Look& look) {
  const Dimension& it = use.it;
  if (use.in.number() < 5 || it.cell_val_num.value != 1 || it.width() == 0 ||
      it.datatype.value == kStringAscii)
    return;
  look.at("domain_size", it.domain_size.at);
  look.ask(
      it.domain_size.value == 2 * it.width(),
      [&] { return std::format("a domain of {} bytes", it.domain_size.value); },
      [&] { return std::format("{}, two values", 2 * it.width()); });
}

void dim_string_domain_empty(const DimensionUse& use, Look& look) {
  if (use.in.number() < 5 || !use.it.is_variable() || use.it.datatype.value != kStringAscii) return;
  look.at("domain_size", use.it.domain_size.at);
  look.ask(
      use.it.domain_size.value == 0,
      [&] { return std::format("a domain of {} bytes", use.it.domain_size.value); },
      "no domain for a string dimension");
}

std::string domain_text(const Dimension& it) {
  return std::format("[{}, {}]", value_text(it.low(), it.datatype.value),
                     value_text(it.high(), it.datatype.value));
}

bool is_finite(const Dimension& it) {
  return !is_float(it.datatype.value) || (std::isfinite(float_at(it.low(), it.datatype.value)) &&
                                          std::isfinite(float_at(it.high(), it.datatype.value)));
}
bool is_nan(const Dimension& it) {
  return is_float(it.datatype.value) && (std::isnan(float_at(it.low(), it.datatype.value)) ||
                                         std::isnan(float_at(it.high(), it.datatype.value)));
}
bool is_ordered(const Dimension& it) {
  if (is_float(it.datatype.value))
    return float_at(it.low(), it.datatype.value) <= float_at(it.high(), it.datatype.value);
  return integer_at(it.low(), it.datatype.value) <= integer_at(it.high(), it.datatype.value);
}

void dim_domain_ordered(const DimensionUse& use, Look& look) {
  if (!use.it.has_values() || is_nan(use.it)) return;
  look.at("domain", use.it.domain.at);
  look.ask(
      is_ordered(use.it), [&] { return domain_text(use.it); },
      "a minimum that is at most the maximum");
}

void dim_domain_finite(const DimensionUse& use, Look& look) {
  if (!use.it.has_values() || !is_float(use.it.datatype.value)) return;
  look.at("domain", use.it.domain.at);
  look.ask(is_finite(use.it), [&] { return domain_text(use.it); }, "finite bounds");
}

void dim_domain_not_full(const DimensionUse& use, Look& look) {
  const Dimension& it = use.it;
  const std::uint8_t type = it.datatype.value;
  if (!it.has_values() || !is_integral(type)) return;
  if (use.in.number() < 9 && it.width() < 8 && type != kInt32) return;
  look.at("domain", it.domain.at);
  look.ask(
      integer_at(it.low(), type) != least_of(type) ||
          integer_at(it.high(), type) != greatest_of(type),
      [&] { return domain_text(it) + ", all values of the datatype"; },
      "a domain whose size fits the datatype");
}

void dim_null_flag(const DimensionUse& use, Look& look) {
  look.at("null_extent", use.it.null_extent.at);
  look.ask(
      use.it.null_extent.value <= 1, [&] { return std::format("{}", use.it.null_extent.value); },
      "0 or 1");
}

// --- Its tile extent

bool extent_has_value(const Dimension& it) {
  return it.has_extent() && is_dimension_type(it.datatype.value) &&
         it.datatype.value != kStringAscii && !it.is_variable();
}
Wide size_of_domain(const Dimension& it) {
  return integer_at(it.high(), it.datatype.value) - integer_at(it.low(), it.datatype.value) + 1;
}
std::string extent_text(const Dimension& it) {
  return is_float(it.datatype.value)
             ? "tile extent " + value_text(it.extent.value, it.datatype.value)
             : "tile extent " + to_text(unsigned_at(it.extent.value, it.datatype.value));
}

// Without regard to the domain it is no extent; with regard to it neither.
bool extent_positive(const Dimension& it) {
  const std::uint8_t type = it.datatype.value;
  if (is_float(type)) {
    const double extent = float_at(it.extent.value, type);
    if (std::isnan(extent) || extent < 0) return false;
    if (!it.is_sound() || (std::isfinite(extent) && extent > 0)) return true;
    return extent == float_difference(float_at(it.high(), type), float_at(it.low(), type), type);
  }
  const Wide extent = unsigned_at(it.extent.value, type);
  if (extent == 0) return false;
  if (!is_signed(type) || integer_at(it.extent.value, type) > 0 || !it.is_sound()) return true;
  return extent <= size_of_domain(it);
}

void dim_extent_positive(const DimensionUse& use, Look& look) {
  if (!extent_has_value(use.it)) return;
  look.at("extent", use.it.extent.at);
  look.ask(
      extent_positive(use.it),
      [&] { return "tile extent " + value_text(use.it.extent.value, use.it.datatype.value); },
      "an extent above 0, or the size of the domain");
}

bool extent_judged(const Dimension& it) {
  return extent_has_value(it) && it.is_sound() && extent_positive(it);
}

void dim_extent_within(const DimensionUse& use, Look& look) {
  const Dimension& it = use.it;
  const std::uint8_t type = it.datatype.value;
  if (!extent_judged(it)) return;
  bool holds = true;
  if (is_float(type)) {
    const double size = float_sum(
        float_difference(float_at(it.high(), type), float_at(it.low(), type), type), 1, type);
    holds = float_at(it.extent.value, type) <= size;
  } else {
    holds = unsigned_at(it.extent.value, type) <= size_of_domain(it);
  }
  look.at("extent", it.extent.at);
  look.ask(
      holds, [&] { return extent_text(it) + " over " + domain_text(it); },
      "an extent within the domain");
}

void dim_extent_expansion(const DimensionUse& use, Look& look) {
  const Dimension& it = use.it;
  const std::uint8_t type = it.datatype.value;
  if (!extent_judged(it) || !is_integral(type) || it.width() < 8) return;
  if (type != kUint64 && use.in.number() < 6) return;
  const Wide extent = unsigned_at(it.extent.value, type), size = size_of_domain(it);
  if (extent > size) return;  // tiledb-dim-extent-within-domain
  const Wide low = integer_at(it.low(), type);
  const Wide end = low + (size + extent - 1) / extent * extent - 1;
  look.at("extent", it.extent.at);
  look.ask(
      size % extent == 0 || end <= greatest_of(type),
      [&] { return std::format("the last tile ends at {}", to_text(end)); },
      [&] { return std::format("at most {}, the greatest value", to_text(greatest_of(type))); });
}

void dim_string_extent_null(const DimensionUse& use, Look& look) {
  if (use.in.number() < 5 || use.it.datatype.value != kStringAscii) return;
  look.at("null_extent", use.it.null_extent.at);
  look.ask(use.it.null_extent.value != 0, "a tile extent", "none for a string dimension");
}

void dim_dense_extent(const DimensionUse& use, Look& look) {
  if (!use.in.is_dense() || use.it.datatype.value == kStringAscii) return;
  look.at("null_extent", use.it.null_extent.at);
  look.ask(use.it.null_extent.value == 0, "no tile extent", "a tile extent in a dense array");
}

constexpr Rule<DimensionUse> kDimensionRules[] = {
    {"tiledb-dim-datatype-known", dim_datatype_known},
    {"tiledb-dim-datatype-allowed", dim_datatype_allowed},
    {"tiledb-dim-cell-val-num", dim_cell_val_num},
    {"tiledb-dim-var-is-string", dim_var_is_string},
    {"tiledb-dim-domain-size", dim_domain_size},
    {"tiledb-dim-string-domain-empty", dim_string_domain_empty},
    {"tiledb-dim-domain-ordered", dim_domain_ordered},
    {"tiledb-dim-domain-finite", dim_domain_finite},
    {"tiledb-dim-domain-not-full", dim_domain_not_full},
    {"tiledb-dim-null-extent-flag", dim_null_flag},
    {"tiledb-dim-extent-positive", dim_extent_positive},
    {"tiledb-dim-extent-within-domain", dim_extent_within},
    {"tiledb-dim-extent-expansion", dim_extent_expansion},
    {"tiledb-dim-string-extent-null", dim_string_extent_null},
    {"tiledb-dim-dense-extent", dim_dense_extent},
};

// --- Reading
// ------------------------------------------------------------------------------------------

Stored<Raw> taken(BoundedReader& read, std::uint64_t size) {
  const std::uint64_t at = read.at();
  return {read.take_bytes(size), at};
}

// Adds the dimension as far as it was read.
void read_dimension(BoundedReader& read, const Path& path, Schema& into) {
  into.dimensions.push_back({.at = read.at()});
  Dimension& it = into.dimensions.back();
  if (!read.room<kDimNameLength>(&path, "the length of a name", 4)) return;
  const auto name = read.get<std::uint32_t>().value;
  if (!read.room<kDimNameLength>(&path, "a name", name)) return;
  it.name = taken(read, name);
  it.datatype = into.domain_datatype;
  if (into.number() >= 5) {
    if (!read.room<kDimComplete>(&path, "a dimension", 5)) return;
    it.datatype = read.get<std::uint8_t>();
    it.cell_val_num = read.get<std::uint32_t>();
    const Path filters{.up = &path, .kind = "filters"};
    it.filters = read_pipeline(read, &filters);
    if (read.stopped()) return;
    if (!read.room<kDimComplete>(&path, "the size of a domain", 8)) return;
    it.domain_size = read.get<std::uint64_t>();
  } else {
    it.domain_size = {std::uint64_t{2} * it.width(), read.at()};
  }
  if (!read.room<kDimDomainFits>(&path, "a domain", it.domain_size.value)) return;
  it.domain = taken(read, it.domain_size.value);
  if (!read.room<kDimComplete>(&path, "the flag of the tile extent", 1)) return;
  it.null_extent = read.get<std::uint8_t>();
  if (it.null_extent.value != 0) return;
  if (it.width() == 0)
    return read.end("the width of a tile extent is unknown", "tiledb-dim-datatype-known");
  if (!read.room<kDimExtentFits>(&path, "a tile extent", it.width())) return;
  it.extent = taken(read, it.width());
}

}  // namespace

bool Dimension::is_sound() const { return has_values() && is_finite(*this) && is_ordered(*this); }

void domain_rules(RuleList& list) {
  list.structure<kDomainComplete, kDimCountFits, kDimNameLength, kDimComplete, kDimDomainFits,
                 kDimExtentFits, kDomainDatatypeKnown, kDomainDatatypeAllowed, kDimCount,
                 kDenseSameType, kDenseIntegral, kDimensionRules>();
}

void block_domain(const Stop& stop, Notes& notes) {
  block_behind<kDomainComplete, kDimCountFits, kDimNameLength, kDimComplete, kDimDomainFits,
               kDimExtentFits, kDomainDatatypeKnown, kDomainDatatypeAllowed, kDimCount,
               kDenseSameType, kDenseIntegral, kDimensionRules>(stop, notes);
}

void read_domain(BoundedReader& read, Schema& into) {
  const Path path{.kind = "domain"};
  if (into.number() < 5) {
    if (!read.room<kDomainComplete>(&path, "the head of a domain", 5)) return;
    into.domain_datatype = read.get<std::uint8_t>();
    if (!judge<kDomainDatatypeKnown>(into, read.place(&path, into.domain_datatype.at),
                                     read.notes()))
      return read.end("the widths of the dimensions are unknown", "tiledb-domain-datatype-known");
  } else if (!read.room<kDomainComplete>(&path, "the head of a domain", 4)) {
    return;
  }
  into.dimension_count = read.get<std::uint32_t>();
  if (!read.room_for<kDimCountFits>(&path, "dimensions", into.dimension_count.value,
                                    into.number() < 5 ? 7 : 26))
    return;
  if (into.dimension_count.value > kMostDimensions)
    return read.end(std::format("more than {} dimensions", kMostDimensions));
  for (std::uint32_t i = 0; i < into.dimension_count.value; ++i) {
    const Path each{.kind = "dimension", .index = i};
    read_dimension(read, each, into);
    if (read.stopped()) return;
  }
  into.reached = Reached::kDomain;
}

void judge_domain(const Schema& schema, BoundedReader& at) {
  const Path domain{.kind = "domain"};
  const Place place = at.place(&domain, schema.dimension_count.at);
  if (schema.reached >= Reached::kDomain || !schema.dimensions.empty()) {
    judge_each<kDomainDatatypeAllowed>(schema, place, at.notes());
    judge_each<kDimCount>(schema, place, at.notes());
  }
  // A dimension that ended early is judged by what there is of it.
  const std::size_t whole =
      schema.reached >= Reached::kDomain
          ? schema.dimensions.size()
          : schema.dimensions.size() - std::min<std::size_t>(1, schema.dimensions.size());
  for (std::size_t i = 0; i < schema.dimensions.size(); ++i) {
    const Dimension& each = schema.dimensions[i];
    const Path path = path_of("dimension", i, each.name);
    const Path filters{.up = &path, .kind = "filters"};
    if (i < whole) {
      judge_each<kDimensionRules>(DimensionUse{each, schema}, at.place(&path, each.at), at.notes());
    } else if (each.datatype.at > 0) {
      const DimensionUse use{each, schema};
      const Place here = at.place(&path, each.at);
      judge_rule(kDimensionRules[0], use, here, at.notes());
      judge_rule(kDimensionRules[1], use, here, at.notes());
      if (each.cell_val_num.at > 0) {
        judge_rule(kDimensionRules[2], use, here, at.notes());
        judge_rule(kDimensionRules[3], use, here, at.notes());
      }
    }
    judge_pipeline({.pipeline = &each.filters,
                    .role = Role::kDimension,
                    .version = schema.number(),
                    .typed = true,
                    .datatype = each.datatype.value,
                    .cell_val_num = each.cell_val_num.value},
                   &filters, at);
  }
  if (schema.reached < Reached::kDomain) return;
  judge_each<kDenseSameType>(schema, place, at.notes());
  judge_each<kDenseIntegral>(schema, place, at.notes());
}

}  // namespace hepcheck::tiledb
