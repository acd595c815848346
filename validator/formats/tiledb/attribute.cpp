// Attributes.                                                       [array_schema.md, "Attribute"]
#include <algorithm>
#include <format>
#include <unordered_set>

#include "validator/formats/tiledb/schema.h"

namespace hepcheck::tiledb {

namespace {

constexpr std::size_t kMostAttributes = 100'000;

constexpr LookRule kAttrCountFits("tiledb-schema-attr-count-fits", fits);
constexpr LookRule kAttrNameLength("tiledb-attr-name-length", fits);
constexpr LookRule kAttrComplete("tiledb-attr-complete", fits);
constexpr LookRule kAttrFillFits("tiledb-attr-fill-fits", fits);
constexpr LookRule kAttrEnumLength("tiledb-attr-enum-name-length", fits);

struct AttributeUse {
  const Attribute& it;
  const Schema& in;
};

void attr_datatype_known(const AttributeUse& use, Look& look) {
  look.at("datatype", use.it.datatype.at);
  look.ask(
      is_known(use.it.datatype.value),
      [&] { return std::format("datatype {}", use.it.datatype.value); }, "a datatype from 0 to 43");
}
void attr_cell_val_num(const AttributeUse& use, Look& look) {
  look.at("cell_val_num", use.it.cell_val_num.at);
  look.ask(use.it.cell_val_num.value > 0, "0 values per cell",
           "a number above 0, or 4294967295 for variable size");
}
void attr_any_is_var(const AttributeUse& use, Look& look) {
  if (use.it.datatype.value != kAny || use.it.cell_val_num.value == 0) return;
  look.at("cell_val_num", use.it.cell_val_num.at);
  look.ask(
      use.it.is_variable(), [&] { return std::format("{}", use.it.cell_val_num.value); },
      "4294967295 for the datatype ANY");
}

// Version 6
void attr_fill_nonempty(const AttributeUse& use, Look& look) {
  if (use.in.number() < 6) return;
  look.at("fill_size", use.it.fill_size.at);
  look.ask(use.it.fill_size.value > 0, "a fill value of 0 bytes", "a fill value");
}
void attr_fill_size(const AttributeUse& use, Look& look) {
  const Attribute& it = use.it;
  const unsigned width = width_of(it.datatype.value);
  if (use.in.number() < 6 || it.is_variable() || it.cell_val_num.value == 0 || width == 0 ||
      it.fill_size.value == 0)
    return;
  const std::uint64_t wanted = std::uint64_t{width} * it.cell_val_num.value;
  look.at("fill_size", it.fill_size.at);
  look.ask(
      it.fill_size.value == wanted,
      [&] { return std::format("a fill value of {} bytes", it.fill_size.value); },
      [&] { return std::format("{}, one cell", wanted); });
}

// Version 7
void attr_nullable_flag(const AttributeUse& use, Look& look) {
  if (use.in.number() < 7) return;
  look.at("nullable", use.it.nullable.at);
  look.ask(
      use.it.nullable.value <= 1, [&] { return std::format("{}", use.it.nullable.value); },
      "0 or 1");
}
void attr_fill_validity(const AttributeUse& use, Look& look) {
  if (use.in.number() < 7) return;
  look.at("validity", use.it.validity.at);
  look.ask(
      use.it.validity.value <= 1, [&] { return std::format("{}", use.it.validity.value); },
      "0 or 1");
}
void attr_validity_unused(const AttributeUse& use, Look& look) {
  if (use.in.number() < 7 || use.it.nullable.value != 0 || use.it.validity.value > 1) return;
  look.at("validity", use.it.validity.at);
  look.ask(use.it.validity.value == 0, "1 on an attribute that cannot be null", "0");
}

// Version 17
void attr_order(const AttributeUse& use, Look& look) {
  if (use.in.number() < 17) return;
  look.at("order", use.it.order.at);
  look.ask(
      use.it.order.value <= 2, [&] { return std::format("{}", use.it.order.value); },
      "0 (unordered), 1 (increasing) or 2 (decreasing)");
}
bool is_ordered_attribute(const AttributeUse& use) {
  return use.in.number() >= 17 && (use.it.order.value == 1 || use.it.order.value == 2);
}
void attr_ordered_count(const AttributeUse& use, Look& look) {
  if (!is_ordered_attribute(use) || use.it.cell_val_num.value == 0) return;
  const bool string = use.it.datatype.value == kStringAscii;
  look.at("cell_val_num", use.it.cell_val_num.at);
  look.ask(
      use.it.cell_val_num.value == (string ? kVariable : 1),
      [&] { return std::format("{}", use.it.cell_val_num.value); },
      string ? "4294967295 for an ordered STRING_ASCII" : "1 for an ordered attribute");
}
void attr_ordered_datatype(const AttributeUse& use, Look& look) {
  if (!is_ordered_attribute(use) || !is_known(use.it.datatype.value)) return;
  look.at("datatype", use.it.datatype.at);
  look.ask(
      is_dimension_type(use.it.datatype.value),
      [&] { return datatype_text(use.it.datatype.value); },
      "a datatype with an order: a number, date, time or STRING_ASCII");
}
void attr_ordered_not_nullable(const AttributeUse& use, Look& look) {
  if (!is_ordered_attribute(use)) return;
  look.at("nullable", use.it.nullable.at);
  look.ask(use.it.nullable.value == 0, "an ordered attribute that can be null",
           "one that cannot be null");
}

// Version 20
bool has_enumeration(const AttributeUse& use) {
  return use.in.number() >= 20 && !use.it.enumeration.value.empty();
}
void attr_enum_integer(const AttributeUse& use, Look& look) {
  if (!has_enumeration(use) || !is_known(use.it.datatype.value)) return;
  look.at("datatype", use.it.datatype.at);
  look.ask(
      is_integer(use.it.datatype.value) || use.it.datatype.value == kBool,
      [&] { return datatype_text(use.it.datatype.value); },
      "an integer datatype, since cells are positions in the enumeration");
}
void attr_enum_single(const AttributeUse& use, Look& look) {
  if (!has_enumeration(use) || use.it.cell_val_num.value == 0) return;
  look.at("cell_val_num", use.it.cell_val_num.at);
  look.ask(
      use.it.cell_val_num.value == 1, [&] { return std::format("{}", use.it.cell_val_num.value); },
      "one value per cell, since cells are positions in the enumeration");
}

void attr_reserved_name(const AttributeUse& use, Look& look) {
  if (use.in.number() < 5) return;
  look.at("name", use.it.name.at);
  look.ask(!text_of(use.it.name.value).starts_with("__"), "a name that starts with two underscores",
           "another name");
}

// What can be judged of an attribute that was not read to its end.
constexpr Rule<AttributeUse> kAttributeStartRules[] = {
    {"tiledb-attr-datatype-known", attr_datatype_known},
    {"tiledb-attr-cell-val-num", attr_cell_val_num},
    {"tiledb-attr-any-is-var", attr_any_is_var},
    {"tiledb-attr-reserved-name", attr_reserved_name},
};
constexpr Rule<AttributeUse> kFillRules[] = {
    {"tiledb-attr-fill-nonempty", attr_fill_nonempty},
    {"tiledb-attr-fill-size", attr_fill_size},
};
constexpr Rule<AttributeUse> kNullableRules[] = {
    {"tiledb-attr-nullable-flag", attr_nullable_flag},
    {"tiledb-attr-fill-validity", attr_fill_validity},
    {"tiledb-attr-fill-validity-unused", attr_validity_unused},
};
constexpr Rule<AttributeUse> kOrderRules[] = {
    {"tiledb-attr-order", attr_order},
    {"tiledb-attr-ordered-cell-val-num", attr_ordered_count},
    {"tiledb-attr-ordered-datatype", attr_ordered_datatype},
    {"tiledb-attr-ordered-not-nullable", attr_ordered_not_nullable},
};
constexpr Rule<AttributeUse> kEnumerationUseRules[] = {
    {"tiledb-attr-enum-integer", attr_enum_integer},
    {"tiledb-attr-enum-single", attr_enum_single},
};

// Judged with the map, which comes later.
constexpr LookRule kAttrEnumKnown("tiledb-attr-enum-known", [](const Schema& it, Look& look) {
  std::unordered_set<std::string_view> names;
  for (const EnumerationEntry& each : it.enumerations) names.insert(text_of(each.name.value));
  for (std::size_t i = 0; i < it.attributes.size(); ++i) {
    const Attribute& each = it.attributes[i];
    if (!has_enumeration({each, it})) continue;
    const Path path = path_of("attribute", i, each.name);
    look.at(path, each.enumeration.at);
    look.ask(
        names.contains(text_of(each.enumeration.value)),
        [&] {
          return std::format("the enumeration \"{}\"", shown_name(text_of(each.enumeration.value)));
        },
        "an enumeration of the schema's map");
  }
});

Stored<Raw> taken_bytes(BoundedReader& read, std::uint64_t size) {
  const std::uint64_t at = read.at();
  return {read.take_bytes(size), at};
}

void read_attribute(BoundedReader& read, const Path& path, Schema& into) {
  into.attributes.push_back({.at = read.at()});
  Attribute& it = into.attributes.back();
  if (!read.room<kAttrNameLength>(&path, "the length of a name", 4)) return;
  const auto name = read.get<std::uint32_t>().value;
  if (!read.room<kAttrNameLength>(&path, "a name", name)) return;
  it.name = taken_bytes(read, name);
  if (!read.room<kAttrComplete>(&path, "an attribute", 5)) return;
  it.datatype = read.get<std::uint8_t>();
  it.cell_val_num = read.get<std::uint32_t>();
  const Path filters{.up = &path, .kind = "filters"};
  it.filters = read_pipeline(read, &filters);
  if (read.stopped()) return;
  if (into.number() >= 6) {
    if (!read.room<kAttrComplete>(&path, "the size of a fill value", 8)) return;
    it.fill_size = read.get<std::uint64_t>();
    if (!read.room<kAttrFillFits>(&path, "a fill value", it.fill_size.value)) return;
    it.fill = taken_bytes(read, it.fill_size.value);
  }
  if (into.number() >= 7) {
    if (!read.room<kAttrComplete>(&path, "nullability and the validity of the fill value", 2))
      return;
    it.nullable = read.get<std::uint8_t>();
    it.validity = read.get<std::uint8_t>();
  }
  if (into.number() >= 17) {
    if (!read.room<kAttrComplete>(&path, "the order of an attribute", 1)) return;
    it.order = read.get<std::uint8_t>();
  }
  if (into.number() >= 20) {
    if (!read.room<kAttrEnumLength>(&path, "the length of an enumeration's name", 4)) return;
    const auto length = read.get<std::uint32_t>().value;
    if (!read.room<kAttrEnumLength>(&path, "an enumeration's name", length)) return;
    it.enumeration = taken_bytes(read, length);
  }
}

bool webp_array(const Schema& schema) {
  return schema.is_dense() && schema.dimensions.size() == 2 &&
         schema.dimensions[0].datatype.value == schema.dimensions[1].datatype.value &&
         is_integer(schema.dimensions[0].datatype.value);
}

}  // namespace

void attribute_rules(RuleList& list) {
  list.structure<kAttrCountFits, kAttrNameLength, kAttrComplete, kAttrFillFits, kAttrEnumLength,
                 kAttributeStartRules, kFillRules, kNullableRules, kOrderRules,
                 kEnumerationUseRules, kAttrEnumKnown>();
}

void block_attributes(const Stop& stop, std::uint32_t version, Notes& notes) {
  block_behind<kAttrCountFits, kAttrNameLength, kAttrComplete, kAttributeStartRules>(stop, notes);
  if (version >= 6) block_behind<kAttrFillFits, kFillRules>(stop, notes);
  if (version >= 7) block_behind<kNullableRules>(stop, notes);
  if (version >= 17) block_behind<kOrderRules>(stop, notes);
  if (version >= 20) block_behind<kAttrEnumLength, kEnumerationUseRules>(stop, notes);
}

void read_attributes(BoundedReader& read, Schema& into) {
  const Path path{.kind = "attributes"};
  const std::uint32_t version = into.number();
  const std::uint64_t least = version < 6    ? 17
                              : version < 7  ? 25
                              : version < 17 ? 27
                              : version < 20 ? 28
                                             : 32;
  if (!read.room<kAttrCountFits>(&path, "the number of attributes", 4)) return;
  into.attribute_count = read.get<std::uint32_t>();
  if (!read.room_for<kAttrCountFits>(&path, "attributes", into.attribute_count.value, least))
    return;
  if (into.attribute_count.value > kMostAttributes)
    return read.end(std::format("more than {} attributes", kMostAttributes));
  for (std::uint32_t i = 0; i < into.attribute_count.value; ++i) {
    const Path each{.kind = "attribute", .index = i};
    read_attribute(read, each, into);
    if (read.stopped()) return;
  }
  into.reached = Reached::kAttributes;
}

void judge_attributes(const Schema& schema, BoundedReader& at) {
  const bool webp = webp_array(schema);
  for (std::size_t i = 0; i < schema.attributes.size(); ++i) {
    const Attribute& each = schema.attributes[i];
    const AttributeUse use{each, schema};
    const bool whole = schema.reached >= Reached::kAttributes || i + 1 < schema.attributes.size();
    const Path path = path_of("attribute", i, each.name);
    const Path filters{.up = &path, .kind = "filters"};
    const Place place = at.place(&path, each.at);
    if (each.datatype.at > 0) judge_each<kAttributeStartRules>(use, place, at.notes());
    judge_pipeline({.pipeline = &each.filters,
                    .role = Role::kAttribute,
                    .version = schema.number(),
                    .typed = true,
                    .datatype = each.datatype.value,
                    .cell_val_num = each.cell_val_num.value,
                    .webp_array = webp},
                   &filters, at);
    // A field that was read has a place.
    if (whole || each.fill.at > 0) judge_each<kFillRules>(use, place, at.notes());
    if (whole || each.validity.at > 0) judge_each<kNullableRules>(use, place, at.notes());
    if (whole || each.order.at > 0) judge_each<kOrderRules>(use, place, at.notes());
    if (whole) judge_each<kEnumerationUseRules>(use, place, at.notes());
  }
  const Path list{.kind = "attributes"};
  if (schema.number() < 20) return;
  if (schema.reached >= Reached::kEnumerations)
    judge_each<kAttrEnumKnown>(schema, at.place(&list, schema.attribute_count.at), at.notes());
  else
    at.notes().blocked("tiledb-attr-enum-known", "the map of enumerations was not read");
}

}  // namespace hepcheck::tiledb
