#include "validator/formats/hep001/exchange/plan.h"

#include <algorithm>
#include <cstring>
#include <format>
#include <map>
#include <set>

#include "validator/exchange/meaning.h"
#include "validator/formats/hep001/derive/codec.h"
#include "validator/formats/hep001/derive/facts.h"
#include "validator/formats/hep001/exchange/describe.h"
#include "validator/formats/hep001/exchange/mapping.h"
#include "validator/formats/hep001/exchange/type_text.h"
#include "validator/integers.h"

namespace hepcheck::hep001 {

namespace {

using exchange::Array;
using exchange::Kind;
using libhdf5::NewAttribute;
using libhdf5::NewDataset;
using libhdf5::NewGroup;

constexpr std::string_view kOwn = "hep001:", kAttribute = "hep001:attr:",
                           kAttributeType = "hep001:attr-type:";
// Reserved keys that are not names of attributes.
constexpr std::string_view kElsewhere[] = {
    "hep001:type",    "hep001:fill",  "hep001:valid_min",     "hep001:valid_max",
    "hep001:version", "hep001:title", "hep001:index_columns", "hep001:column_order"};

// --- Attributes ----------------------------------------------------------------------------------

NewAttribute text_attribute(std::string name, std::string_view value, CharacterSet set,
                            StringPadding padding, std::size_t size) {
  NewAttribute made{.name = std::move(name), .type = fixed_string_type(size, padding, set)};
  made.bytes.resize(size);
  std::memcpy(made.bytes.data(), value.data(), value.size());
  return made;
}
NewAttribute ascii(std::string name, std::string_view value) {
  return text_attribute(std::move(name), value, CharacterSet::kAscii, StringPadding::kNullTerm,
                        value.size() + 1);
}
NewAttribute utf8(std::string name, std::string_view value) {
  return text_attribute(std::move(name), value, CharacterSet::kUtf8, StringPadding::kNullPad,
                        std::max<std::size_t>(1, value.size()));
}

NewAttribute number(std::string name, const Datatype& type, std::vector<std::byte> bytes) {
  return {.name = std::move(name), .type = type, .bytes = std::move(bytes)};
}

class PlannedAttributes {
 public:
  PlannedAttributes(const Revision& revision, std::vector<std::string>& losses)
      : revision_(revision), losses_(losses) {}

  // Keys that represent properties of a field or of a schema.
  std::vector<NewAttribute> of(const std::string& where, const exchange::Metadata& metadata) {
    std::vector<NewAttribute> made;
    std::set<std::string> names;
    for (const auto& [key, value] : metadata) {
      if (std::ranges::contains(kElsewhere, key) || key.starts_with(kAttributeType)) continue;
      const std::string name(key.starts_with(kAttribute) ? key.substr(kAttribute.size())
                             : key.starts_with(kOwn)     ? key.substr(kOwn.size())
                                                         : key);
      auto attribute = names.contains(name) ? std::nullopt : one(name, value, metadata);
      if (!attribute) {
        losses_.push_back(std::format("{}: metadata \"{}\"", where, key));
        continue;
      }
      names.insert(name);
      made.push_back(std::move(*attribute));
    }
    return made;
  }

 private:
  std::optional<NewAttribute> one(const std::string& name, const std::string& value,
                                  const exchange::Metadata& metadata) const {
    constexpr std::string_view kTaken[] = {"arrow_type", "ordered", "column-order", "_index"};
    const bool taken =
        revision_.reserves_name(name) || (std::ranges::contains(kTaken, name) && name != "_index");
    if (name.empty() || name.contains('\0') || taken || value.size() > kMostText || !is_utf8(name))
      return std::nullopt;
    const auto type = std::ranges::find(metadata, std::string(kAttributeType) + name,
                                        &exchange::Metadata::value_type::first);
    if (type == metadata.end()) {
      if (value.contains('\0')) return std::nullopt;
      return utf8(name, value);
    }
    const auto datatype = parse_type(type->second);
    const auto bytes = datatype ? parse_value(*datatype, value) : std::nullopt;
    if (!bytes || datatype->is(TypeClass::kString)) return std::nullopt;
    return number(name, *datatype, *bytes);
  }

  static constexpr std::size_t kMostText = 60'000;  // the limit of an object header

  const Revision& revision_;
  std::vector<std::string>& losses_;
};

// --- Elements ------------------------------------------------------------------------------------

// Stored elements of a dataset, and its properties.
struct NewElements {
  Datatype type{};
  std::vector<std::byte> bytes{};
  std::optional<std::vector<std::byte>> fill{};
  std::vector<NewAttribute> attributes{};
};

class Planner {
 public:
  Planner(const exchange::Table& table, const Revision& revision, std::uint64_t memory, Plan& plan)
      : table_(table), revision_(revision), memory_(memory), plan_(plan),
        attributes_(revision, plan.losses) {}

  void run() {
    check_names();
    plan_.table.rows = table_.rows;
    for (std::size_t i = 0; i < table_.columns.size(); ++i)
      column(table_.schema.fields[i], table_.columns[i]);
    describe();
  }

 private:
  // I4: an invalid name is refused, not changed.
  void check_names() const {
    std::set<std::string> names;
    for (const exchange::Field& field : table_.schema.fields) {
      const std::string& name = field.name;
      const auto refuse = [&](const char* why) {
        throw Unstorable{std::format("column \"{}\"", name), why};
      };
      if (name.empty()) refuse("a column must have a name");
      if (name == "." || name.contains('/') || name.contains('\0') || !is_utf8(name))
        refuse("column names must not be empty, and must not contain \"/\" or NUL");
      if (revision_.reserves_name(name)) refuse("this name is reserved");
      if (!names.insert(name).second) refuse("another column has the same name");
    }
  }

  static std::string where(const exchange::Field& field) {
    return std::format("column \"{}\"", field.name);
  }

  static std::optional<Datatype> hinted(const exchange::Field& field) {
    const std::string* text = field.find("hep001:type");
    return text ? parse_type(*text) : std::nullopt;
  }

  void column(const exchange::Field& field, const Array& array) {
    if (field.type.labels && !is_enum(field, array)) return categorical(field, array);
    const bool list = field.type.kind == Kind::kList || field.type.kind == Kind::kBytes;
    const auto hint = hinted(field);
    const bool stays = hint && (hint->is(TypeClass::kVlen) || hint->is(TypeClass::kString));
    if (list && revision_.list_columns && !stays) {
      plan_.table.columns.push_back(nested(field, array, field.name, where(field), true));
      return;
    }
    NewElements made = elements(field, field.type, array, where(field), false);
    NewDataset data = dataset(field.name, std::move(made));
    add(data.attributes, attributes_.of(where(field), field.metadata));
    add_meaning(field, data.attributes);
    if (field.type.kind == Kind::kList) {
      const exchange::Field& item = field.type.children[0];
      add_meaning(item, data.attributes);
      if (!item.metadata.empty()) plan_.losses.push_back(where(field) + ": metadata of its items");
    }
    plan_.table.columns.push_back(std::move(data));
  }

  // The labels are the names of the original enumeration.
  bool is_enum(const exchange::Field& field, const Array& array) {
    const auto hint = hinted(field);
    return hint && hint->is(TypeClass::kEnum) &&
           stored_as(*hint, field, field.type, array, false).has_value();
  }

  static void add(std::vector<NewAttribute>& to, std::vector<NewAttribute> more) {
    std::ranges::move(more, std::back_inserter(to));
  }

  // 8.6: the logical type of numbers, and their units.
  static void add_meaning(const exchange::Field& field, std::vector<NewAttribute>& to) {
    const exchange::Type& type = field.type;
    const std::string meaning = type.kind == Kind::kNull    ? "null"
                                : type.kind == Kind::kBytes ? "binary"
                                                            : type.meaning;
    const auto has = [&](std::string_view name) {
      return std::ranges::contains(to, name, &NewAttribute::name);
    };
    if (meaning.empty() || has("arrow_type")) return;
    to.push_back(utf8("arrow_type", meaning));
    if (const std::string units = exchange::units_of(meaning); !units.empty() && !has("units"))
      to.push_back(utf8("units", units));
  }

  NewDataset dataset(std::string name, NewElements made) {
    NewDataset data{.name = std::move(name),
                    .type = std::move(made.type),
                    .fill = std::move(made.fill),
                    .attributes = std::move(made.attributes)};
    data.rows = data.type.size > 0 ? made.bytes.size() / data.type.size : 0;
    data.values = plan_.values.emplace_back(std::move(made.bytes)).data();
    return data;
  }

  // Properties that belong to a column or to the elements of a list, and not to deeper levels.
  void lose_inside(const exchange::Type& type, const std::string& at) {
    if (type.kind != Kind::kStruct && type.kind != Kind::kFixedList) return;
    for (const exchange::Field& each : type.children) {
      if (!each.type.meaning.empty())
        plan_.losses.push_back(
            std::format("{}: that \"{}\" is {}", at, each.name, each.type.meaning));
      if (!each.metadata.empty())
        plan_.losses.push_back(std::format("{}: metadata of \"{}\"", at, each.name));
      lose_inside(each.type, at);
    }
  }

  // --- Datatypes and fill values

  // `below`: the elements of a list, which need no pointers.
  NewElements elements(const exchange::Field& field, const exchange::Type& type, const Array& array,
                       const std::string& at, bool below) {
    lose_inside(type, at);
    if (const auto hint = hinted(field); hint && !(below && has_variable_part(*hint)))
      if (auto made = stored_as(*hint, field, type, array, below)) return std::move(*made);
    if (type.kind == Kind::kBoolean) return truths(field, array);
    if (type.kind == Kind::kNull) return nothing(array);
    const auto own = own_datatype(type, array);
    if (!own || (below && has_variable_part(*own)))
      throw Unstorable{at, exchange::describe(type) + " cannot be stored in a column"};
    std::uint64_t wrong = 0;
    if (auto made = stored_as(*own, field, type, array, below, &wrong)) return std::move(*made);
    if (type.kind == Kind::kInteger)
      for (std::uint64_t width = 2 * type.width; width <= 8; width *= 2)
        if (auto made = stored_as(integer_type(width, type.is_signed), field, type, array, below)) {
          if (type.meaning.empty())
            made->attributes.push_back(utf8("arrow_type", exchange::describe(type)));
          return std::move(*made);
        }
    throw Unstorable{at, wrong < array.length ? std::format("row {} cannot be stored in {}", wrong,
                                                            hepcheck::hep001::describe(*own))
                                              : "every possible fill value occurs as a value"};
  }

  // The elements in this datatype, with a fill value; nothing if that is impossible. `wrong`: a row
  // that it cannot store; the number of rows if only the fill value is missing.
  std::optional<NewElements> stored_as(const Datatype& to, const exchange::Field& field,
                                       const exchange::Type& type, const Array& array, bool below,
                                       std::uint64_t* wrong = nullptr) {
    // A hint may state any size.
    const std::uint64_t needed = product(to.size, array.length);
    if (needed > memory_)
      throw Unstorable{where(field), "its values take more memory than the limit"};
    std::uint64_t row = array.length;
    auto bytes = encode_all(to, type, array, plan_.arena, row);
    if (wrong) *wrong = row;
    if (!bytes) return std::nullopt;
    memory_ -= needed;
    NewElements made{.type = to, .bytes = std::move(*bytes)};
    if (revision_.is_boolean_column(to)) {
      if (array.nulls > 0) return std::nullopt;
      add_range(field, std::nullopt, made);
      return made;
    }
    // Leaves of lists do not need one (9.2).
    if (below && array.nulls == 0 && !field.find("hep001:fill")) {
      if (field.nullable && to.size <= kMostFillValue && !to.is(TypeClass::kEnum) &&
          add_fill(field, array, made))
        return made;
      add_range(field, std::nullopt, made);
      return made;
    }
    if (to.size > kMostFillValue)
      throw Unstorable{
          where(field),
          std::format("a value of {} bytes is larger than a fill value may be, {} bytes", to.size,
                      kMostFillValue)};
    const TypeMember* missing = to.is(TypeClass::kEnum) ? find_member(to, "MISSING") : nullptr;
    if (to.is(TypeClass::kEnum) && !missing && array.nulls > 0) return std::nullopt;
    if (missing) {
      made.fill = missing->value;
      if (Occurs{to, made.bytes, array}(*made.fill)) return std::nullopt;
      add_range(field, std::nullopt, made);
    } else if (!add_fill(field, array, made)) {
      return std::nullopt;
    }
    fill_nulls(array, made);
    return made;
  }

  struct Occurs {
    const Datatype& type;
    const std::vector<std::byte>& elements;
    const Array& array;
    bool operator()(const std::vector<std::byte>& value) const {
      const std::string form = comparable_form(type, value);
      for (std::uint64_t i = 0; i < array.length; ++i)
        if (!array.null(i) &&
            comparable_form(type, std::span(elements).subspan(i * type.size, type.size)) == form)
          return true;
      return false;
    }
  };

  // The value that the field states under a reserved key; nothing if it is not a value of the
  // datatype.
  std::optional<std::vector<std::byte>> stated(const exchange::Field& field, const char* key,
                                               const Datatype& type) {
    const std::string* text = field.find(key);
    if (!text) return std::nullopt;
    if (!type.variable_string()) return parse_value(type, *text);
    Array one = exchange::empty_array({.kind = Kind::kText});
    const auto bytes = std::as_bytes(std::span(*text));
    one.bytes.assign(bytes.begin(), bytes.end());
    one.offsets.push_back(one.bytes.size());
    one.push(false);
    std::vector<std::byte> pointer(type.size);
    if (!encode(type, {.kind = Kind::kText}, one, 0, pointer.data(), plan_.arena))
      return std::nullopt;
    return pointer;
  }
  ValidRange stated_range(const exchange::Field& field, const Datatype& type) {
    return {stated(field, "hep001:valid_min", type), stated(field, "hep001:valid_max", type)};
  }

  bool add_fill(const exchange::Field& field, const Array& array, NewElements& made) {
    auto fill = choose_fill({made.type, made.bytes, array}, stated(field, "hep001:fill", made.type),
                            stated_range(field, made.type), 0, plan_.arena);
    if (!fill) return false;
    made.fill = fill->value;
    add_range(field, fill->range, made);
    return true;
  }

  // The range that the field states, unless it contains the fill value; values outside it existed
  // in the original table. Otherwise the range that is needed, if any.
  void add_range(const exchange::Field& field, const std::optional<ValidRange>& needed,
                 NewElements& made) {
    const ValidRange range = stated_range(field, made.type);
    const bool whole = range.min && range.max;
    const bool kept = whole ? !made.fill || is_outside(made.type, *made.fill, range) : !needed;
    const ValidRange put = kept ? range : needed.value_or(ValidRange{});
    if (put.min) made.attributes.push_back(number("valid_min", made.type, *put.min));
    if (put.max) made.attributes.push_back(number("valid_max", made.type, *put.max));
    if (field.find("hep001:valid_min") && !(kept && range.min))
      plan_.losses.push_back(where(field) + ": valid_min");
    if (field.find("hep001:valid_max") && !(kept && range.max))
      plan_.losses.push_back(where(field) + ": valid_max");
  }

  static void fill_nulls(const Array& array, NewElements& made) {
    for (std::uint64_t i = 0; array.nulls > 0 && i < array.length; ++i)
      if (array.null(i))
        std::memcpy(made.bytes.data() + i * made.type.size, made.fill->data(), made.type.size);
  }

  // 8.8, and 8.5 of the older revision.
  NewElements truths(const exchange::Field& field, const Array& array) {
    if (!revision_.boolean_columns) {
      NewElements made = with_fill(integer_type(1, false), array, 2);
      made.attributes.push_back(number("valid_min", made.type, {std::byte{0}}));
      made.attributes.push_back(number("valid_max", made.type, {std::byte{1}}));
      return made;
    }
    if (array.nulls == 0 && !field.nullable) {
      if (auto made = stored_as(boolean_type(), field, {.kind = Kind::kBoolean}, array, false))
        return std::move(*made);
    }
    return with_fill(enum_type(integer_type(1, true), {{"FALSE", 0}, {"TRUE", 1}, {"MISSING", 2}}),
                     array, 2);
  }

  NewElements with_fill(const Datatype& type, const Array& array, int fill) {
    NewElements made{.type = type, .bytes = {array.bytes.begin(), array.bytes.end()}};
    made.fill = {static_cast<std::byte>(fill)};
    fill_nulls(array, made);
    return made;
  }

  static NewElements nothing(const Array& array) {
    NewElements made{.type = integer_type(1, true)};
    made.fill = recommended_fill(made.type);
    made.bytes.assign(array.length, made.fill->front());
    return made;
  }

  // --- Categoricals

  void categorical(const exchange::Field& field, const Array& array) {
    const exchange::Labels& labels = *field.type.labels;
    const std::uint64_t count = labels.values.length;
    Array codes = array;
    for (std::uint64_t i = 0; i < codes.length; ++i) {
      if (codes.null(i)) continue;
      const auto code = static_cast<std::uint64_t>(exchange::integer_at(field.type, codes, i));
      if (code >= count)
        throw Unstorable{where(field), std::format("row {} has a key without a value", i)};
    }
    exchange::Type type{
        .kind = Kind::kInteger, .width = field.type.width, .is_signed = field.type.is_signed};
    // The original datatype, unless it does not hold the keys.
    std::vector<Datatype> candidates;
    if (auto hint = hinted(field); hint && hint->is(TypeClass::kInteger))
      candidates.push_back(std::move(*hint));
    for (std::uint64_t width = type.width; width <= 8; width *= 2)
      candidates.push_back(integer_type(width, type.is_signed));
    for (const Datatype& to : candidates) {
      std::uint64_t wrong = 0;
      auto bytes = encode_all(to, type, codes, plan_.arena, wrong);
      if (!bytes) continue;
      NewElements made{.type = to, .bytes = std::move(*bytes)};
      auto fill = choose_fill({made.type, made.bytes, codes}, stated(field, "hep001:fill", to),
                              stated_range(field, to), count, plan_.arena);
      if (!fill) continue;
      made.fill = std::move(fill->value);
      add_range(field, fill->range, made);
      fill_nulls(codes, made);
      NewDataset data = dataset(field.name, std::move(made));
      data.categories = categories(field, labels);
      add(data.attributes, attributes_.of(where(field), field.metadata));
      plan_.table.columns.push_back(std::move(data));
      return;
    }
    throw Unstorable{where(field), "no integer type holds its keys and a fill value"};
  }

  // One dataset for all columns that share the labels and the order.
  std::size_t categories(const exchange::Field& field, const exchange::Labels& labels) {
    const auto key = std::pair(field.type.labels.get(), field.type.ordered);
    if (const auto it = categories_.find(key); it != categories_.end()) return it->second;
    if (labels.type.kind == Kind::kList || labels.type.kind == Kind::kBytes)
      throw Unstorable{where(field), exchange::describe(labels.type) + " cannot be labels"};
    if (!labels.type.meaning.empty())
      plan_.losses.push_back(
          std::format("{}: that its labels are {}", where(field), labels.type.meaning));
    exchange::Field plain{.name = field.name, .type = labels.type};
    NewElements made = elements(plain, labels.type, labels.values, where(field), false);
    std::erase_if(made.attributes, [](const NewAttribute& each) {
      return each.name == "valid_min" || each.name == "valid_max";
    });
    std::string name = field.name + "__CATEGORIES";
    NewDataset data = dataset(std::move(name), std::move(made));
    if (field.type.ordered)
      data.attributes.push_back(number("ordered", boolean_type(), {std::byte{1}}));
    plan_.table.categories.push_back(std::move(data));
    return categories_[key] = plan_.table.categories.size() - 1;
  }

  // --- Lists

  NewDataset member(const char* name, const Datatype& type, std::vector<std::byte> bytes) {
    return dataset(name, {.type = type, .bytes = std::move(bytes)});
  }

  NewDataset offsets(const Array& array) {
    const auto bytes = std::as_bytes(std::span(array.offsets));
    return member("OFFSETS", integer_type(8, false), {bytes.begin(), bytes.end()});
  }

  void add_mask(const exchange::Field& field, const Array& array, NewGroup& into) {
    if (array.nulls == 0 && !field.nullable) return;
    std::vector<std::byte> mask(array.length);
    for (std::uint64_t i = 0; i < array.length; ++i)
      mask[i] = static_cast<std::byte>(!array.null(i));
    into.members.push_back(member("MASK", boolean_type(), std::move(mask)));
  }

  // The innermost first, OFFSETS last (12.3).
  NewGroup nested(const exchange::Field& field, const Array& given, std::string name,
                  const std::string& at, bool outermost) {
    const Array array = without_hidden(field.type, given);
    NewGroup made{.name = std::move(name)};
    if (field.type.kind == Kind::kText) {
      made.attributes.push_back(ascii("CLASS", "STRING_VALUES"));
      made.members.push_back(
          member("CHARS", integer_type(1, false), {array.bytes.begin(), array.bytes.end()}));
    } else {
      made.attributes.push_back(ascii("CLASS", "LIST_COLUMN"));
      made.attributes.push_back(ascii("KIND", "OFFSETS"));
      if (field.type.kind == Kind::kBytes)
        bytes_below(array, made);
      else
        below(field, array, at, made);
    }
    if (outermost || !field.metadata.empty())
      add(made.attributes, attributes_.of(at, field.metadata));
    add_meaning(field, made.attributes);
    add_mask(field, array, made);
    made.members.push_back(offsets(array));
    return made;
  }

  void bytes_below(const Array& array, NewGroup& made) {
    const exchange::Type type{.kind = Kind::kInteger, .width = 1};
    Array bytes;
    bytes.length = array.bytes.size();
    bytes.bytes = array.bytes;
    // All of their values may occur, so these have no fill value.
    made.members.push_back(
        member("VALUES", integer_type(1, false), {bytes.bytes.begin(), bytes.bytes.end()}));
  }

  void below(const exchange::Field& field, const Array& array, const std::string& at,
             NewGroup& made) {
    const exchange::Field& item = field.type.children[0];
    const Array& inside = array.children[0];
    const auto hint = hinted(item);
    const bool fixed_text = hint && (hint->fixed_string() || hint->is(TypeClass::kEnum)) &&
                            stored_as(*hint, item, item.type, inside, true).has_value();
    const bool level = item.type.kind == Kind::kList || item.type.kind == Kind::kBytes ||
                       (item.type.kind == Kind::kText && !fixed_text);
    if (level) {
      made.members.push_back(nested(item, inside, "VALUES", at, false));
      return;
    }
    NewElements stored = elements(item, item.type, inside, at, true);
    NewDataset data = dataset("VALUES", std::move(stored));
    add(data.attributes, attributes_.of(at, item.metadata));
    add_meaning(item, data.attributes);
    made.members.push_back(std::move(data));
  }

  // 9.2: a null entry has no elements.
  static Array without_hidden(const exchange::Type& type, const Array& array) {
    bool hidden = false;
    for (std::uint64_t i = 0; array.nulls > 0 && i < array.length; ++i)
      hidden |= array.null(i) && array.offsets[i] != array.offsets[i + 1];
    if (!hidden) return array;
    Array made = exchange::empty_array(type);
    for (std::uint64_t i = 0; i < array.length; ++i) {
      if (!array.null(i)) {
        exchange::append(type, made, exchange::slice(type, array, i, 1));
        continue;
      }
      made.offsets.push_back(made.offsets.back());
      made.push(true);
    }
    return made;
  }

  // --- The table

  void describe() {
    std::vector<NewAttribute>& to = plan_.table.attributes;
    const exchange::Schema& schema = table_.schema;
    const std::string* version = schema.find("hep001:version");
    to.push_back(ascii("VERSION", version && is_minor(*version) ? *version : "1.0"));
    if (const std::string* title = schema.find("hep001:title")) to.push_back(utf8("TITLE", *title));
    add(to, attributes_.of("the table", schema.metadata));
    std::erase_if(to, [&](const NewAttribute& each) {
      return each.name == "_index" && !is_column({each.bytes, each.type});
    });
    add_order(to);
    if (const std::string* text = schema.find("hep001:index_columns")) add_index_columns(*text);
    to.push_back(ascii("CLASS", "COLUMN_TABLE"));
  }

  struct Text {
    const std::vector<std::byte>& bytes;
    const Datatype& type;
  };
  bool is_column(const Text& text) const {
    const auto name = strip_padding(
        {reinterpret_cast<const char*>(text.bytes.data()), text.bytes.size()}, text.type.padding);
    return std::ranges::any_of(table_.schema.fields,
                               [&](const exchange::Field& field) { return field.name == name; });
  }

  // 7.2: "1." and digits, few enough for any reader.
  static bool is_minor(std::string_view version) {
    return version.size() > 2 && version.size() < 8 && version.starts_with("1.") &&
           version.find_first_not_of("0123456789", 2) == std::string_view::npos;
  }

  // Unless the original table had none.
  void add_order(std::vector<NewAttribute>& to) const {
    const exchange::Schema& schema = table_.schema;
    const bool sorted = std::ranges::is_sorted(schema.fields, {}, &exchange::Field::name);
    const bool without = schema.find("hep001:version") && !schema.find("hep001:column_order");
    if (schema.fields.empty() || (sorted && without)) return;
    std::size_t size = 1;
    for (const exchange::Field& field : schema.fields) size = std::max(size, field.name.size());
    NewAttribute made{.name = "column-order",
                      .type = fixed_string_type(size, StringPadding::kNullPad, CharacterSet::kUtf8),
                      .count = schema.fields.size()};
    made.bytes.resize(size * schema.fields.size());
    for (std::size_t i = 0; i < schema.fields.size(); ++i)
      std::memcpy(made.bytes.data() + i * size, schema.fields[i].name.data(),
                  schema.fields[i].name.size());
    to.push_back(std::move(made));
  }

  void add_index_columns(const std::string& text) {
    const auto names = parse_json_list(text);
    if (!names) {
      plan_.losses.push_back("the table: metadata \"hep001:index_columns\"");
      return;
    }
    for (const std::string& name : *names) {
      const bool there = std::ranges::any_of(plan_.table.columns, [&](const auto& column) {
        const auto* data = std::get_if<NewDataset>(&column);
        return data && data->name == name;
      });
      if (there) continue;
      const bool list = std::ranges::contains(table_.schema.fields, name, &exchange::Field::name);
      if (list)
        throw Unstorable{std::format("column \"{}\"", name),
                         "it is named in hep001:index_columns, and lists have no order"};
      plan_.losses.push_back("the table: metadata \"hep001:index_columns\"");
      return;
    }
    plan_.table.index_columns = *names;
  }

  const exchange::Table& table_;
  // Bytes of a message of an object header that follow its fields.
  static constexpr std::uint64_t kMostFillValue = 65'500;

  const Revision& revision_;
  std::uint64_t memory_;  // that may still be used for values
  Plan& plan_;
  PlannedAttributes attributes_;
  std::map<std::pair<const exchange::Labels*, bool>, std::size_t> categories_{};
};

}  // namespace

void plan_table(const exchange::Table& table, const Revision& revision, std::uint64_t memory,
                Plan& plan) {
  Planner(table, revision, memory, plan).run();
}

}  // namespace hepcheck::hep001
