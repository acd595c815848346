#include "conformance/suite/hep001/content.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <format>
#include <limits>

#include "conformance/suite/hep001/list_content.h"
#include "validator/formats/hep001/derive/codec.h"
#include "validator/formats/hep001/derive/order.h"
#include "validator/formats/hep001/libhdf5/file.h"
#include "validator/formats/hep001/libhdf5/file_values.h"
#include "validator/formats/hep001/model/integers.h"

namespace hepcheck::hep001::suite {

namespace {

std::string_view order_name(ByteOrder order) { return order == ByteOrder::kBig ? "big" : "little"; }

// For an integer or bitfield with insignificant bits.
void add_precision(Json& notation, const Datatype& type) {
  if (type.precision == 8 * type.size) return;
  notation["precision"] = type.precision;
  if (type.bit_offset) notation["offset"] = type.bit_offset;
}

std::string member_number(const Datatype& base, std::span<const std::byte> stored);

// A double that needs all of its digits and no more.
std::string readable(double value) {
  if (std::isnan(value)) return "nan";
  return std::format("{}", value);
}

template <class Bits>
Json float_notation(Bits bits, double value) {
  return {{"bits", std::format("{:0{}x}", bits, 2 * sizeof bits)}, {"value", readable(value)}};
}

Json bytes_notation(std::string_view bytes) { return {{"bytes", base64(bytes)}}; }

bool is_utf8(std::string_view text) {
  try {
    return !Json(text).dump().empty();
  } catch (const Json::exception&) {
    return false;
  }
}

}  // namespace

Json string_notation(std::string_view text) {
  return is_utf8(text) ? Json(text) : bytes_notation(text);
}

namespace {

// Decodes elements as returned by the library; pointers of variable-length parts are followed.
class Decoder {
 public:
  explicit Decoder(std::string_view bytes) : rest_(bytes) {}

  Json element(const Datatype& type) {
    switch (type.cls) {
      case TypeClass::kString: return string(type);
      case TypeClass::kVlen: return sequence(type);
      case TypeClass::kCompound: return compound(type);
      case TypeClass::kArray: return array(type);
      default: break;
    }
    const std::string_view stored = take(type.size);
    if (type.is(TypeClass::kInteger) || type.is(TypeClass::kEnum)) return integer(type, stored);
    if (is_ieee_float(type)) return floating(type, stored);
    return bytes_notation(stored);
  }

 private:
  std::string_view take(std::size_t size) {
    const std::string_view taken = rest_.substr(0, size);
    rest_.remove_prefix(taken.size());
    return taken;
  }

  static Json integer(const Datatype& type, std::string_view stored) {
    if (!is_integral(type)) return bytes_notation(stored);
    return integer_text(type, std::as_bytes(std::span(stored)));
  }

  static Json floating(const Datatype& type, std::string_view stored) {
    const auto* at = reinterpret_cast<const std::byte*>(stored.data());
    return visit_codec(type, [&](const auto& codec) -> Json {
      if constexpr (requires { codec.bits(at); })
        return float_notation(codec.bits(at), static_cast<double>(codec.key(at)));
      else
        return bytes_notation(stored);
    });
  }

  Json string(const Datatype& type) {
    const std::string_view stored = take(type.size);
    if (!type.variable_length) return string_notation(strip_padding(stored, type.padding));
    const char* text = nullptr;
    if (stored.size() == sizeof text) std::memcpy(&text, stored.data(), sizeof text);
    return string_notation(text ? text : "");
  }

  Json sequence(const Datatype& type) {
    struct {  // as hvl_t
      std::size_t length;
      const char* items;
    } sequence{};
    const std::string_view stored = take(sizeof sequence);
    if (stored.size() == sizeof sequence) std::memcpy(&sequence, stored.data(), sizeof sequence);
    Decoder items({sequence.items, sequence.length * type.base->size});
    Json made = Json::array();
    for (std::size_t i = 0; i < sequence.length; ++i) made.push_back(items.element(*type.base));
    return made;
  }

  Json compound(const Datatype& type) {
    Json fields = Json::array();
    const std::string_view whole = take(type.size);
    for (const TypeMember& member : type.members)
      fields.push_back(Decoder(whole.substr(member.offset)).element(*member.type));
    return fields;
  }

  Json array(const Datatype& type) {
    std::uint64_t count = 1;
    for (const std::uint64_t n : type.dims) count *= n;
    Json items = Json::array();
    for (std::uint64_t i = 0; i < count; ++i) items.push_back(element(*type.base));
    return items;
  }

  std::string_view rest_;
};

std::string_view text_of(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

std::string member_number(const Datatype& base, std::span<const std::byte> stored) {
  return integer_text(base, stored);
}

}  // namespace

Result<std::vector<Json>> elements(const Dataset& dataset, ValueSource& values,
                                   std::uint64_t rows) {
  std::vector<Json> made;
  Result<std::unique_ptr<ValueStream>> stream = values.stream(dataset, rows);
  if (!stream) return std::unexpected(stream.error());
  for (;;) {
    const Result<std::optional<Block>> next = (*stream)->next();
    if (!next) return std::unexpected(next.error());
    if (!*next) return made;
    const Block& block = **next;
    for (std::uint64_t i = 0; i < block.rows; ++i) {
      if (dataset.type.variable_string()) {
        made.push_back(string_notation(block.strings[i]));
      } else {
        const auto row = block.bytes.subspan(i * dataset.type.size, dataset.type.size);
        made.push_back(Decoder(text_of(row)).element(dataset.type));
      }
    }
  }
}

namespace {

std::optional<std::string> text_attribute(const Attribute* attribute) {
  return attribute ? string_value(*attribute) : std::nullopt;
}

std::optional<std::uint64_t> number_attribute(const Attribute* attribute) {
  return attribute ? unsigned_value(*attribute) : std::nullopt;
}

// A scalar attribute of fixed size in the notation; null if it is not one.
Json value_of(const Attribute* attribute) {
  if (!attribute || has_variable_part(attribute->type) || attribute->bytes.empty() ||
      attribute->bytes.size() != attribute->type.size)
    return {};
  return Decoder(text_of(attribute->bytes)).element(attribute->type);
}

CategoriesContent categories_of(const Categories& categories, ValueSource& values) {
  CategoriesContent content{.type = type_notation(categories.data->type)};
  if (auto labels = elements(*categories.data, values, categories.data->extent().value_or(0)))
    content.labels = std::move(*labels);
  if (const Attribute* ordered = categories.data->attribute("ordered"))
    content.ordered = signed_value(*ordered).value_or(0) != 0;
  return content;
}

// The fill value in the notation; sets missing_known.
void read_fill(ColumnContent& column, const Dataset& data) {
  if (data.storage.fill_state != FillState::kUserDefined) return;
  if (data.storage.fill_string)
    column.fill = string_notation(*data.storage.fill_string);
  else if (const std::vector<std::byte>* bytes = fill_bytes(data);
           bytes && !has_variable_part(data.type))
    column.fill = Decoder(text_of(*bytes)).element(data.type);
  else
    column.missing_known = false;
}

}  // namespace

Result<std::vector<Json>> present_elements(const Dataset& dataset, ValueSource& values,
                                           std::uint64_t rows, ColumnContent& column) {
  read_fill(column, dataset);
  const Json type = type_notation(dataset.type);
  Result<std::vector<Json>> made = elements(dataset, values, rows);
  if (made && !column.fill.is_null())
    for (Json& value : *made)
      if (is_nan(column.fill) ? is_nan(value) : equal_values(type, value, column.fill))
        value = nullptr;
  return made;
}

namespace {

// An enumeration over one byte of exactly FALSE = 0 and TRUE = 1. With more bytes it may or may not
// be treated as one (ambiguity wide-boolean-enum).
std::optional<bool> is_boolean(const Datatype& type) {
  if (type.cls != TypeClass::kEnum || type.members.size() != 2) return false;
  const auto has = [&](std::string_view name, std::string_view code) {
    return std::ranges::any_of(type.members, [&](const TypeMember& member) {
      return member.name == name && member_number(*type.base, member.value) == code;
    });
  };
  if (!has("FALSE", "0") || !has("TRUE", "1")) return false;
  return type.size == 1 ? std::optional(true) : std::nullopt;
}

ColumnContent column_content(const Table& table, const Dataset& data, ValueSource& values) {
  ColumnContent column{{.name = data.name, .type = type_notation(data.type)}};
  column.units = text_attribute(data.attribute("units"));
  column.units_vocabulary = text_attribute(data.attribute("units_vocabulary"));
  column.own_vocabulary = column.units_vocabulary.has_value();
  if (!column.own_vocabulary)
    column.units_vocabulary = text_attribute(table.attribute("units_vocabulary"));
  column.description = text_attribute(data.attribute("description"));
  if (table.revision->boolean_columns) column.boolean = is_boolean(data.type);
  column.valid_min = value_of(data.attribute("valid_min"));
  column.valid_max = value_of(data.attribute("valid_max"));
  column.extent = data.extent().value_or(0);
  if (data.storage.layout == StorageLayout::kChunked) column.chunk = chunk_rows(data);
  for (const Filter& filter : data.storage.filters)
    column.filters.push_back(filter.id == 1   ? "deflate"
                             : filter.id == 2 ? "shuffle"
                             : filter.id == 3 ? "fletcher32"
                                              : std::to_string(filter.id));

  Result<std::vector<Json>> rows =
      present_elements(data, values, logical_rows(table, data), column);
  if (rows)
    column.values = std::move(*rows);
  else
    column.unreadable = rows.error().text();

  if (const Attribute* attribute = data.attribute("CATEGORIES");
      attribute && attribute->references.size() == 1)
    if (const auto at = table.categories_by_token.find(attribute->references[0].token);
        at != table.categories_by_token.end()) {
      column.categories = categories_of(table.categories[at->second], values);
      for (const Json& code : column.values)
        column.labels.push_back(column.categories->label(code));
    }
  return column;
}

IndexContent index_content(const SearchIndex& index, ValueSource& values) {
  IndexContent content{.kind = text_attribute(index.data->attribute("KIND")).value_or(""),
                       .path = index.data->path};
  content.description = text_attribute(index.data->attribute("description"));
  if (const Attribute* ordered = index.data->attribute("ordered"))
    content.ordered = signed_value(*ordered).value_or(0) != 0;
  content.source_generation = number_attribute(index.data->attribute("SOURCE_GENERATION"));
  content.source_nrows = number_attribute(index.data->attribute("SOURCE_NROWS"));
  content.valid = index.gate.open();
  if (index.values)
    if (auto listed = elements(*index.values, values, index.values->extent().value_or(0)))
      content.values = std::move(*listed);
  return content;
}

TableContent table_content(const Table& table, ValueSource& values) {
  TableContent content{.path = table.path(),
                       .version = text_attribute(table.attribute("VERSION")).value_or(""),
                       .rows = table.nrows.value_or(0)};
  content.generation = number_attribute(table.attribute("GENERATION"));
  content.title = text_attribute(table.attribute("TITLE"));
  content.description = text_attribute(table.attribute("description"));
  for (const Column& column : table.columns)
    content.columns.push_back(column_content(table, *column.data, values));
  for (const ListColumn& list : table.lists)
    content.columns.push_back(list_content(table, list, values));
  for (const SearchIndex& index : table.indexes)
    for (const std::size_t at : index.columns)
      content.columns[at].indexes.push_back(index_content(index, values));
  if (const Attribute* order = table.attribute("column-order")) {
    content.fixed_order = true;
    const std::vector<std::string> names = string_elements(*order);
    std::ranges::stable_sort(content.columns, {}, [&](const ColumnContent& column) {
      return std::ranges::find(names, column.name) - names.begin();
    });
  }
  if (const Attribute* labels = table.attribute("INDEX_COLUMNS"))
    for (const Reference& reference : labels->references)
      if (const auto at = table.column_by_token.find(reference.token);
          reference.resolved() && at != table.column_by_token.end())
        content.row_labels.push_back(table.columns[at->second].name());
  return content;
}

}  // namespace

Json CategoriesContent::label(const Json& code) const {
  if (!code.is_string()) return {};
  const std::uint64_t at = std::strtoull(code.get_ref<const std::string&>().c_str(), nullptr, 10);
  return at < labels.size() ? labels[at] : Json();
}

bool ColumnDescription::has_index(std::string_view kind) const {
  return std::ranges::contains(indexes, kind, &IndexContent::kind);
}

const ColumnContent* TableContent::column(std::string_view name) const {
  const auto at = std::ranges::find(columns, name, &ColumnContent::name);
  return at == columns.end() ? nullptr : &*at;
}

namespace {

Result<FileContent> content_of(const Result<libhdf5::File>& file, const Specification& spec) {
  if (!file) return std::unexpected(file.error());
  libhdf5::FileValues values(file->context());
  FileContent content;
  const auto look = [&](Table&& table) {
    assign_roles(table, revision_of(spec));
    content.push_back(table_content(table, values));
  };
  libhdf5::for_each_table(*file, {.table = look, .unreadable = [](const Error&) {}});
  return content;
}

}  // namespace

Result<FileContent> read_content(std::span<const std::byte> image, const Specification& spec) {
  return content_of(libhdf5::File::open_image(image), spec);
}

Result<FileContent> read_content(int descriptor, const std::string& name,
                                 const Specification& spec) {
  return content_of(libhdf5::File::open_descriptor(descriptor, name), spec);
}

std::set<std::string> readable_columns(int descriptor, const std::string& name,
                                       const Specification& spec, std::uint64_t rows) {
  std::set<std::string> names;
  const Result<libhdf5::File> file = libhdf5::File::open_descriptor(descriptor, name);
  if (!file) return names;
  libhdf5::FileValues values(file->context());
  const auto look = [&](Table&& table) {
    assign_roles(table, revision_of(spec));
    for (const Column& column : table.columns)
      if (elements(*column.data, values, std::min(rows, logical_rows(table, *column.data))))
        names.insert(column.name());
  };
  libhdf5::for_each_table(*file, {.table = look, .unreadable = [](const Error&) {}});
  return names;
}

Json type_notation(const Datatype& type) {
  const auto ordered = [&](std::string_view cls) {
    return Json{{"class", cls}, {"size", type.size}, {"order", order_name(type.order)}};
  };
  switch (type.cls) {
    case TypeClass::kInteger: {
      Json made = ordered("integer");
      made["signed"] = type.is_signed;
      add_precision(made, type);
      return made;
    }
    case TypeClass::kFloat: {
      Json made = ordered("float");
      if (!is_ieee_float(type)) made["precision"] = type.precision;
      return made;
    }
    case TypeClass::kBitfield: {
      Json made = ordered("bitfield");
      add_precision(made, type);
      return made;
    }
    case TypeClass::kTime: return ordered("time");
    case TypeClass::kString: {
      const char* charset = type.character_set == CharacterSet::kAscii ? "ascii" : "utf-8";
      if (type.variable_length)
        return {{"class", "string"}, {"size", "variable"}, {"charset", charset}};
      return {{"class", "string"},
              {"size", type.size},
              {"charset", charset},
              {"padding", type.padding == StringPadding::kNullTerm  ? "null-term"
                          : type.padding == StringPadding::kNullPad ? "null-pad"
                                                                    : "space-pad"}};
    }
    case TypeClass::kOpaque: return {{"class", "opaque"}, {"size", type.size}, {"tag", type.tag}};
    case TypeClass::kEnum: {
      Json members = Json::array();
      for (const TypeMember& member : type.members)
        members.push_back(Json::array({member.name, member_number(*type.base, member.value)}));
      return {{"class", "enum"}, {"base", type_notation(*type.base)}, {"members", members}};
    }
    case TypeClass::kCompound: {
      Json fields = Json::array();
      for (const TypeMember& member : type.members)
        fields.push_back(Json::array({member.name, type_notation(*member.type)}));
      return {{"class", "compound"}, {"fields", fields}};
    }
    case TypeClass::kArray:
      return {{"class", "array"}, {"dims", type.dims}, {"base", type_notation(*type.base)}};
    case TypeClass::kVlen: return {{"class", "vlen"}, {"base", type_notation(*type.base)}};
    case TypeClass::kReference:
      return {{"class", "reference"},
              {"form", type.reference == ReferenceKind::kStandard       ? "standard"
                       : type.reference == ReferenceKind::kLegacyObject ? "object"
                                                                        : "region"}};
    case TypeClass::kUnknown: break;
  }
  return {{"class", "unknown"}, {"size", type.size}};
}

std::vector<std::string> classes_in(const Json& type) {
  std::vector<std::string> classes;
  const auto add = [&](const Json& inner) {
    for (std::string& each : classes_in(inner)) classes.push_back(std::move(each));
  };
  std::string cls = type.at("class").get<std::string>();
  if (cls == "string" && type.at("size") == "variable") cls = "vlen-string";
  if ((cls == "float" || cls == "integer") && type.contains("precision")) cls = "other-" + cls;
  classes.push_back(cls);
  if (type.contains("base")) add(type.at("base"));
  if (type.contains("fields"))
    for (const Json& field : type.at("fields")) add(field.at(1));
  return classes;
}

namespace {

std::optional<double> number(const Json& value) {
  if (!value.is_object() || !value.contains("bits") || !value.at("bits").is_string())
    return std::nullopt;
  const std::string& hex = value.at("bits").get_ref<const std::string&>();
  if (hex.find_first_not_of("0123456789abcdef") != std::string::npos) return std::nullopt;
  const std::uint64_t bits = std::strtoull(hex.c_str(), nullptr, 16);
  switch (hex.size()) {
    case 4: return half_to_float(static_cast<std::uint16_t>(bits));
    case 8: return std::bit_cast<float>(static_cast<std::uint32_t>(bits));
    case 16: return std::bit_cast<double>(bits);
    default: return std::nullopt;
  }
}

// The bytes of a string or opaque value.
std::optional<std::string> byte_string(const Json& value) {
  if (value.is_string()) return value.get<std::string>();
  if (value.is_object() && value.contains("bytes") && value.at("bytes").is_string())
    return from_base64(value.at("bytes").get_ref<const std::string&>());
  return std::nullopt;
}

bool is_numeric(const Json& type) {
  return type.at("class") == "integer" || type.at("class") == "enum";
}

// Decimal strings of any width.
std::strong_ordering compare_decimals(const std::string& a, const std::string& b) {
  const bool minus = a.starts_with('-');
  if (minus != b.starts_with('-'))
    return minus ? std::strong_ordering::less : std::strong_ordering::greater;
  const auto magnitude = a.size() != b.size() ? a.size() <=> b.size() : a <=> b;
  return minus ? 0 <=> magnitude : magnitude;
}

}  // namespace

bool is_nan(const Json& value) {
  const std::optional<double> x = number(value);
  return x && std::isnan(*x);
}

bool equal_values(const Json& type, const Json& a, const Json& b) {
  if (type.at("class") == "float") {
    const std::optional<double> x = number(a), y = number(b);
    if (x && y) return *x == *y;
  }
  return a == b;
}

bool has_order(const Json& type) {
  const std::string& cls = type.at("class").get_ref<const std::string&>();
  return is_numeric(type) || cls == "string" || cls == "opaque" ||
         (cls == "float" && !type.contains("precision"));
}

bool less(const Json& type, const Json& a, const Json& b) {
  if (is_numeric(type))
    return a.is_string() && b.is_string() &&
           compare_decimals(a.get_ref<const std::string&>(), b.get_ref<const std::string&>()) < 0;
  if (type.at("class") == "float") return number(a).value_or(NAN) < number(b).value_or(NAN);
  const std::optional<std::string> x = byte_string(a), y = byte_string(b);
  return x && y && *x < *y;
}

std::string shown(const Json& value, std::size_t most) {
  const auto plain = [](const Json& json) {
    return json.dump(-1, ' ', false, Json::error_handler_t::replace);
  };
  const bool is_float =
      value.is_object() && value.contains("value") && value.value("bits", Json("")).is_string();
  const std::string text = value.is_null() ? "missing"
                           : is_float
                               ? plain(value.at("value")) + " (" + value.value("bits", "") + ")"
                               : plain(value);
  return brief(text, most);
}

}  // namespace hepcheck::hep001::suite
