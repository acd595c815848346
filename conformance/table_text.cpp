#include "conformance/table_text.h"

#include <format>

#include "conformance/findings_text.h"
#include "validator/testing/file_text.h"

namespace hepcheck::conformance {

std::string table_text(const exchange::Table& table) {
  std::string text = std::format("{} rows\n", table.rows);
  const auto metadata = [](const exchange::Metadata& all) {
    std::string made;
    for (const auto& [key, value] : all) made += std::format("; {}={}", key, value);
    return made;
  };
  for (std::size_t k = 0; k < table.columns.size(); ++k) {
    const exchange::Field& field = table.schema.fields[k];
    std::string values;
    for (std::uint64_t i = 0; i < table.columns[k].length; ++i)
      values += (table.columns[k].null(i) ? std::string("null")
                                          : exchange::identity(field.type, table.columns[k], i)) +
                '\n';
    text +=
        line(std::format(" {}: {}{}, {} values {}{}", field.name, exchange::describe(field.type),
                         field.nullable ? " or null" : "", table.columns[k].length,
                         golden::sha256_of(values).substr(0, 16), metadata(field.metadata)));
    if (!field.type.labels) continue;
    const exchange::Labels& labels = *field.type.labels;
    for (std::uint64_t i = 0; i < labels.values.length; ++i)
      text += line("  label " + exchange::identity(labels.type, labels.values, i));
  }
  return text + line(metadata(table.schema.metadata));
}

std::string layout_text(const exchange::TableLayout& layout) {
  std::string text = std::format("{} {} rows\n", layout.path, layout.rows);
  for (const exchange::ColumnLayout& each : layout.columns) {
    text += std::format("{} {} {} {} {} {} {} {} {}", each.name, static_cast<int>(each.kind),
                        each.width, each.is_signed, each.utf8, each.count, each.variable,
                        each.categories ? std::to_string(*each.categories) : "-", each.chunk);
    for (const std::byte byte : each.fill)
      text += std::format(" {:02x}", std::to_integer<unsigned>(byte));
    for (const exchange::StoredFilter& filter : each.filters)
      text += std::format(" {} {}", filter.name, filter.level.value_or(-1));
    text += '\n';
  }
  for (const exchange::CategoriesLayout& each : layout.categories) {
    text += std::format("{} {}", each.name, each.ordered);
    for (const std::string& value : each.values) text += ' ' + value;
    text += '\n';
  }
  for (const auto* list : {&layout.refused, &layout.losses})
    for (const std::string& each : *list) text += each + '\n';
  return text;
}

}  // namespace hepcheck::conformance
