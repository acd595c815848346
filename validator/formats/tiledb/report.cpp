#include "validator/formats/tiledb/report.h"

#include <algorithm>
#include <format>

#include "validator/shorten.h"
#include "validator/utf8.h"

namespace hepcheck::tiledb {

namespace {

std::string shown(const Stored<Raw>& name) {
  std::string made(text_of(name.value));
  if (!is_utf8(made)) return hexadecimal(name.value);
  shorten_name(made);
  return made;
}

std::string cell_text(std::uint8_t datatype, std::uint32_t count) {
  std::string made(datatype_name(datatype));
  if (count == kVariable) return made + ", variable size";
  return count == 1 ? made : made + std::format(" x {}", count);
}

std::string order_text(std::uint8_t order) {
  return order == 0   ? "row-major"
         : order == 1 ? "column-major"
         : order == 4 ? "Hilbert"
                      : "unknown";
}

std::string range_text(const Range& range, const Dimension& of) {
  if (!of.is_variable())
    return std::format("[{}, {}]", value_text(range.low, of.datatype.value),
                       value_text(range.high, of.datatype.value));
  const auto text = [](Raw bytes) {
    return is_utf8(text_of(bytes)) ? '"' + std::string(text_of(bytes)) + '"' : hexadecimal(bytes);
  };
  return std::format("[{}, {}]", text(range.low), text(range.high));
}

// An integer attribute's fill value as a number, others in hexadecimal.
std::string fill_text(const Attribute& it) {
  if (!it.is_variable() && it.cell_val_num.value == 1 && is_known(it.datatype.value) &&
      it.fill.value.size() == width_of(it.datatype.value) &&
      (is_integral(it.datatype.value) || is_float(it.datatype.value)))
    return value_text(it.fill.value, it.datatype.value);
  return hexadecimal(it.fill.value);
}

Part dimension_part(const Dimension& it, const Schema& schema, std::size_t index) {
  Part part{.name = shown(it.name), .type = cell_text(it.datatype.value, it.cell_val_num.value)};
  part.labels.emplace_back("dimension");
  if (it.has_values())
    part.labels.push_back(std::format("domain [{}, {}]", value_text(it.low(), it.datatype.value),
                                      value_text(it.high(), it.datatype.value)));
  if (it.has_extent())
    part.labels.push_back("tile extent " +
                          (is_integral(it.datatype.value)
                               ? to_text(unsigned_at(it.extent.value, it.datatype.value))
                               : value_text(it.extent.value, it.datatype.value)));
  if (schema.current_domain && index < schema.current_domain->ranges.size())
    part.labels.push_back("current domain " + range_text(schema.current_domain->ranges[index], it));
  const bool inherited = schema.number() < 5 || it.filters.empty();
  part.labels.push_back((inherited ? "filters of the coordinates: " : "filters: ") +
                        pipeline_text(inherited ? schema.coordinates : it.filters));
  return part;
}

Part attribute_part(const Attribute& it, const Schema& schema) {
  Part part{.name = shown(it.name), .type = cell_text(it.datatype.value, it.cell_val_num.value)};
  part.labels.emplace_back("attribute");
  part.labels.push_back("filters: " + pipeline_text(it.filters));
  if (schema.number() >= 6) part.labels.push_back("fill " + fill_text(it));
  if (it.nullable.value != 0)
    part.labels.emplace_back(it.validity.value == 0 ? "nullable, fill is null" : "nullable");
  if (it.order.value == 1) part.labels.emplace_back("increasing");
  if (it.order.value == 2) part.labels.emplace_back("decreasing");
  if (!it.enumeration.value.empty()) part.labels.push_back("enumeration " + shown(it.enumeration));
  return part;
}

Part enumeration_part(const Enumeration& it) {
  Part part{.name = shown(it.name), .type = cell_text(it.datatype.value, it.cell_val_num.value)};
  part.labels.emplace_back(it.ordered.value == 0 ? "enumeration" : "ordered enumeration");
  if (it.whole) part.figures = {{"entries", it.count()}};
  return part;
}

void describe_schema(const SchemaFile& file, SubjectReport& into) {
  const Schema& schema = file.schema;
  if (schema.reached < Reached::kHead) return;
  std::string text = std::format("version {}, {}, tiles {}, cells {}, capacity {}", schema.number(),
                                 schema.is_dense()    ? "dense"
                                 : schema.is_sparse() ? "sparse"
                                                      : "of an unknown type",
                                 order_text(schema.tile_order.value),
                                 order_text(schema.cell_order.value), schema.capacity.value);
  if (schema.duplicates.value != 0) text += ", allows duplicates";
  into.notes.push_back(std::move(text));
  if (schema.reached < Reached::kPipelines) return;
  into.notes.push_back(std::format(
      "filters of coordinates: {}; of offsets: {}{}", pipeline_text(schema.coordinates),
      pipeline_text(schema.offsets),
      schema.number() >= 7 ? "; of validity: " + pipeline_text(schema.validity) : std::string()));
}

// How many of them `describe_parts` shows.
std::uint64_t fields_of(const Schema& schema) {
  return schema.dimensions.size() + schema.attributes.size() + schema.labels.size();
}

}  // namespace

void describe(const SchemaFile& file, SubjectReport& into) {
  into.figures = {{"dimensions", file.schema.dimensions.size()},
                  {"attributes", file.schema.attributes.size()},
                  {"enumerations", file.schema.enumerations.size()},
                  {"fields", fields_of(file.schema)}};
  describe_schema(file, into);
}

void describe(const EnumerationFile& file, SubjectReport& into) {
  into.figures = {{"fields", file.enumeration.named ? 1 : 0}, {"values", file.enumeration.count()}};
}

void describe(const Array& array, SubjectReport& into) {
  const SchemaFile* const newest = array.newest();
  const auto named = static_cast<std::uint64_t>(std::ranges::count_if(
      array.enumerations, [](const auto& each) { return each->enumeration.named; }));
  into.figures = {{"schemas", array.schemas.size()},
                  {"enumerations", array.enumerations.size()},
                  {"dimensions", newest ? newest->schema.dimensions.size() : 0},
                  {"attributes", newest ? newest->schema.attributes.size() : 0},
                  {"fields", (newest ? fields_of(newest->schema) : 0) + named}};
  if (newest) {
    into.notes.push_back("the newest schema is " + newest->opened.source.file);
    describe_schema(*newest, into);
  }
  std::string rest;
  for (const NotJudged& each : array.not_judged)
    rest += std::format("{}{} ({})", rest.empty() ? "" : ", ", each.what, each.count);
  if (!rest.empty()) into.notes.push_back("not judged: " + rest);
}

void describe_parts(const SchemaFile& file, SubjectReport& into) {
  const Schema& schema = file.schema;
  for (std::size_t i = 0; i < schema.dimensions.size(); ++i)
    into.parts.push_back(dimension_part(schema.dimensions[i], schema, i));
  for (const Attribute& each : schema.attributes)
    into.parts.push_back(attribute_part(each, schema));
  for (const Label& each : schema.labels) {
    Part part{.name = shown(each.name),
              .type = cell_text(each.datatype.value, each.cell_val_num.value)};
    part.labels = {std::format("label of dimension {}", each.dimension.value),
                   (each.external.value != 0 ? "external: " : "in ") + shown(each.uri)};
    into.parts.push_back(std::move(part));
  }
}

void describe_parts(const EnumerationFile& file, SubjectReport& into) {
  if (file.enumeration.named) into.parts.push_back(enumeration_part(file.enumeration));
}

void describe_parts(const Array& array, SubjectReport& into) {
  if (array.newest()) describe_parts(*array.newest(), into);
  for (const auto& each : array.enumerations) describe_parts(*each, into);
}

}  // namespace hepcheck::tiledb
