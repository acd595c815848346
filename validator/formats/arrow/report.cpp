#include "validator/formats/arrow/report.h"

#include <format>

#include "validator/shorten.h"

namespace hepcheck::arrow {

namespace {

std::string type_text(const Field& field) {
  const Type& type = field.type;
  std::string text = type_name(static_cast<unsigned>(type.tag));
  switch (type.tag) {
    case TypeTag::kInt:
      text = std::format("{}{}", type.is_signed ? "Int" : "UInt", type.bit_width);
      break;
    case TypeTag::kFloatingPoint: text = std::format("Float{}", 16 << (type.unit & 3)); break;
    case TypeTag::kDecimal:
      text = std::format("Decimal{}({}, {})", type.bit_width, type.precision, type.scale);
      break;
    case TypeTag::kFixedSizeBinary:
    case TypeTag::kFixedSizeList: text += std::format("({})", type.size); break;
    default: break;
  }
  if (!field.children.empty()) {
    text += "<";
    for (std::size_t i = 0; i < field.children.size() && i < 8; ++i)
      text += (i > 0 ? ", " : "") + type_text(field.children[i]);
    text += field.children.size() > 8 ? ", ...>" : ">";
  }
  return text;
}

std::string version_text(std::int16_t version) { return std::format("metadata V{}", version + 1); }

}  // namespace

void describe(const Examination& seen, SubjectReport& into) {
  const Totals& totals = seen.totals();
  into.figures = {{"batches", totals.batches},
                  {"rows", totals.rows},
                  {"fields", seen.schema() ? seen.schema()->fields.size() : 0},
                  {"dictionaries", seen.dictionaries()},
                  {"buffers", totals.buffers}};
  std::string kind = seen.file() ? "a file" : "a stream";
  if (seen.version()) kind += ", " + version_text(*seen.version());
  if (seen.schema() && seen.schema()->endianness == 1) kind += ", big-endian";
  into.notes.push_back(std::move(kind));
}

void describe_parts(const Examination& seen, SubjectReport& into) {
  if (seen.cells()) into.layout = seen.cells()->map();
  if (!seen.schema()) return;
  const std::vector<Field>& fields = seen.schema()->fields;
  for (std::size_t i = 0; i < fields.size(); ++i) {
    const Field& field = fields[i];
    Part part{.name = std::string(field.name.value_or("")), .type = type_text(field)};
    shorten_name(part.name);  // unnamed fields may share a name
    if (i < seen.totals().fields.size()) {
      const FieldTotals& totals = seen.totals().fields[i];
      part.figures = {{"slots", totals.slots}, {"nulls", totals.nulls}, {"bytes", totals.bytes}};
      part.missing = totals.null_cells.cells();
    }
    if (field.encoding)
      part.labels.push_back(std::format("dictionary {}, {}int{} indices", field.encoding->id,
                                        field.encoding->is_signed ? "" : "u",
                                        field.encoding->bit_width));
    into.parts.push_back(std::move(part));
  }
}

}  // namespace hepcheck::arrow
