#include "validator/formats/hep001/repair/cases.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>
#include <format>
#include <limits>

#include "validator/formats/hep001/derive/order.h"
#include "validator/formats/hep001/model/integers.h"
#include "validator/utf8.h"

namespace hepcheck::hep001 {

namespace {

using Decision = RepairDecisions::Kind;

Host of_dataset(Host::Role role, const Dataset& dataset) {
  return {.role = role, .attributes = &dataset.attributes, .dataset = &dataset};
}

// An object below the table group, by the path by which it was found.
const Child* find_below(const Group& group, const std::string& path) {
  for (const Child& child : group.children) {
    if (child.path == path) return &child;
    if (child.group && path.starts_with(child.path + "/"))
      if (const Child* found = find_below(*child.group, path)) return found;
  }
  return nullptr;
}

// Whole bytes without a gap, as every usual number has.
bool is_plain(const Datatype& type) {
  return type.precision == 8 * type.size && type.bit_offset == 0 && type.size <= 8 &&
         (type.order == ByteOrder::kLittle || type.order == ByteOrder::kBig || type.size == 1);
}

void in_order(const Datatype& type, std::vector<std::byte>& bytes) {
  if (type.order == ByteOrder::kBig) std::ranges::reverse(bytes);
}

std::optional<std::vector<std::byte>> stored_whole(const Datatype& type, const Integer& value) {
  if (!is_plain(type) || (value.negative && !type.is_signed)) return std::nullopt;
  const std::size_t bits = 8 * type.size;
  if (!value.negative) {
    const std::size_t usable = type.is_signed ? bits - 1 : bits;
    if (usable < 64 && (value.bits >> usable) != 0) return std::nullopt;
  } else if (bits < 64 &&
             static_cast<std::int64_t>(value.bits) < -(std::int64_t{1} << (bits - 1))) {
    return std::nullopt;
  }
  std::vector<std::byte> bytes(type.size);
  for (std::size_t i = 0; i < type.size; ++i)
    bytes[i] = static_cast<std::byte>(value.bits >> (8 * i));
  in_order(type, bytes);
  return bytes;
}

template <class Float>
std::vector<std::byte> stored_float(const Datatype& type, Float value) {
  std::vector<std::byte> bytes(sizeof value);
  std::memcpy(bytes.data(), &value, sizeof value);
  in_order(type, bytes);
  return bytes;
}

std::optional<std::vector<std::byte>> stored_real(const Datatype& type, double value) {
  if (!is_ieee_float(type) || std::isnan(value)) return std::nullopt;
  if (type.size == 8) return stored_float(type, value);
  const auto narrow = static_cast<float>(value);
  if (type.size != 4 || static_cast<double>(narrow) != value) return std::nullopt;
  return stored_float(type, narrow);
}

// A number as an integer; nothing if it has a fraction.
std::optional<Integer> whole(double value) {
  constexpr double kMost = 18446744073709551616.0, kLeast = -9223372036854775808.0;
  if (!(value >= kLeast && value < kMost) || std::trunc(value) != value) return std::nullopt;
  if (value < 0)
    return Integer{.bits = static_cast<std::uint64_t>(static_cast<std::int64_t>(value)),
                   .negative = true};
  return Integer{.bits = static_cast<std::uint64_t>(value)};
}

std::optional<Integer> whole_of(const Datatype& type, std::span<const std::byte> value) {
  if (type.is(TypeClass::kBitfield) && is_plain(type)) {
    Datatype number = type;
    number.cls = TypeClass::kInteger;
    number.is_signed = false;
    return integer_value(number, value);
  }
  if (is_integral(type)) return integer_value(type, value);
  if (is_ieee_float(type)) return whole(float_value(type, value));
  return std::nullopt;
}

std::string lower_case(std::string text) {
  for (char& c : text)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return text;
}

std::optional<bool> truth_of(std::string_view word) {
  const std::string name = lower_case(std::string(word));
  if (name == "true") return true;
  if (name == "false") return false;
  return std::nullopt;
}

bool one_element(const Attribute& attribute) {
  return !attribute.unreadable && attribute.space.kind != Dataspace::Kind::kNull &&
         attribute.space.elements() == 1;
}

std::optional<std::vector<std::byte>> parsed_integer(const Datatype& type,
                                                     const std::string& text) {
  const char* const begin = text.data();
  const char* const end = begin + text.size();
  if (text.starts_with('-')) {
    std::int64_t value = 0;
    const auto [at, wrong] = std::from_chars(begin, end, value);
    if (wrong != std::errc() || at != end) return std::nullopt;
    return stored_whole(type, {.bits = static_cast<std::uint64_t>(value), .negative = value < 0});
  }
  std::uint64_t value = 0;
  const auto [at, wrong] = std::from_chars(begin, end, value);
  if (wrong != std::errc() || at != end) return std::nullopt;
  return stored_whole(type, {.bits = value});
}

std::optional<std::vector<std::byte>> parsed_real(const Datatype& type, const std::string& text) {
  double value = 0;
#ifdef __cpp_lib_to_chars  // also of floating-point numbers; WebAssembly does not repair
  const auto [at, wrong] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (wrong != std::errc() || at != text.data() + text.size()) return std::nullopt;
#else
  return std::nullopt;
#endif
  if (!is_ieee_float(type)) return std::nullopt;
  if (type.size == 8) return stored_float(type, value);
  if (type.size == 4) return stored_float(type, static_cast<float>(value));
  return std::nullopt;
}

// The attribute in the form that its name requires, with a value from the command line.
std::optional<Attribute> parsed_attribute(const Case& c, const std::string& text) {
  const std::string& name = c.finding.attribute;
  const Host host = host_of(c.table, c.finding.object);
  for (const char* each : {"CLASS", "VERSION", "KIND"})
    if (name == each) return ascii_attribute(name, text);
  for (const char* each : {"NROWS", "GENERATION", "SOURCE_GENERATION", "SOURCE_NROWS"})
    if (name == each) {
      const auto bytes = parsed_integer(integer_type(8, false), text);
      if (!bytes) return std::nullopt;
      return scalar_attribute(name, integer_type(8, false), *bytes);
    }
  if (name == "ordered" || name == "exhaustive") {
    const std::optional<bool> value = truth_of(text);
    return value ? std::optional(boolean_attribute(name, *value)) : std::nullopt;
  }
  if (name == "INDEX_COLUMNS" || name == "column-order") {
    std::vector<std::string> names;
    std::vector<Reference> targets;
    for (std::size_t at = 0; at <= text.size();) {
      const std::size_t end = std::min(text.find(',', at), text.size());
      names.push_back(text.substr(at, end - at));
      at = end + 1;
      if (name == "column-order") continue;
      const auto column = c.table.column_by_name.find(names.back());
      if (column == c.table.column_by_name.end()) return std::nullopt;
      const Dataset& data = *c.table.columns[column->second].data;
      targets.push_back({.kind = Reference::Kind::kObject,
                         .target = Reference::Target::kObject,
                         .token = data.token,
                         .object = ObjectKind::kDataset,
                         .path = data.path});
    }
    return name == "column-order" ? utf8_list_attribute(name, names)
                                  : reference_list(name, std::move(targets));
  }
  if ((name == "valid_min" || name == "valid_max") && host.dataset) {
    auto bytes = parsed_value(host.dataset->type, text);
    return bytes ? std::optional(scalar_attribute(name, host.dataset->type, std::move(*bytes)))
                 : std::nullopt;
  }
  return is_utf8(text) ? std::optional(utf8_attribute(name, text)) : std::nullopt;
}

// Names of columns in column-order and _index follow a column that is renamed.
void rename_in_lists(const Table& table, const std::string& name, const std::string& to,
                     std::vector<Step>& steps) {
  if (const Attribute* order = table.attribute("column-order")) {
    std::vector<std::string> names = string_elements(*order);
    if (std::ranges::contains(names, name)) {
      std::ranges::replace(names, name, to);
      steps.push_back(put_attribute(table.path(), utf8_list_attribute("column-order", names)));
    }
  }
  if (const Attribute* label = table.attribute("_index"); label && string_value(*label) == name)
    steps.push_back(put_attribute(table.path(), utf8_attribute("_index", to)));
}

}  // namespace

const Attribute* Host::attribute(std::string_view name) const {
  if (!attributes) return nullptr;
  const auto found = attributes->find(name);
  return found == attributes->end() ? nullptr : &found->second;
}

const Child* child_at(const Group& group, const std::string& path) {
  return find_below(group, path);
}

const Column* column_at(const Table& table, const std::string& path) {
  const auto found = std::ranges::find(table.columns, path, &Column::path);
  return found == table.columns.end() ? nullptr : &*found;
}

const SearchIndex* index_at(const Table& table, const std::string& path) {
  for (const SearchIndex& index : table.indexes)
    if (index.data->path == path) return &index;
  for (const SearchIndex& index : table.indexes)
    if (index.values && index.values->path == path) return &index;
  return nullptr;
}

Host host_of(const Table& table, const std::string& path) {
  if (path == table.path())
    return {
        .role = Host::Role::kTable, .attributes = &table.group.attributes, .group = &table.group};
  if (const Column* column = column_at(table, path))
    return of_dataset(Host::Role::kColumn, *column->data);
  for (const SearchIndex& index : table.indexes)
    if (index.data->path == path) return of_dataset(Host::Role::kIndex, *index.data);
  for (const Categories& categories : table.categories)
    if (categories.data->path == path) return of_dataset(Host::Role::kCategories, *categories.data);
  for (const ListColumn& list : table.lists)
    for (const ListLevel& level : list.levels)
      if (level.path == path)
        return {.role = Host::Role::kList,
                .attributes = &level.group->attributes,
                .group = level.group.get()};
  const Child* child = child_at(table.group, path);
  if (child && child->dataset) return of_dataset(Host::Role::kOther, *child->dataset);
  if (child && child->group)
    return {.role = Host::Role::kOther,
            .attributes = &child->group->attributes,
            .group = child->group.get()};
  return {};
}

std::string_view last_name(std::string_view path) { return path.substr(path.rfind('/') + 1); }

std::string place_of(const Finding& finding) {
  return finding.attribute.empty() ? finding.object : finding.object + "@" + finding.attribute;
}

RepairPlan left(std::string why, std::vector<std::string> options) {
  RepairPlan plan;
  plan.why = std::move(why);
  plan.options = std::move(options);
  return plan;
}

RepairPlan rebuilt_index() {
  RepairPlan plan;
  plan.index = true;
  return plan;
}

RepairPlan changed(const Attribute* before, std::string path, Attribute after, std::string act) {
  RepairPlan plan;
  plan.act = std::move(act);
  plan.from = before ? describe_value(*before) : "absent";
  plan.to = describe_value(after);
  plan.steps.push_back(put_attribute(std::move(path), std::move(after)));
  return plan;
}

std::optional<std::string> only_text(const Attribute& attribute) {
  if (!one_element(attribute) || !attribute.type.is(TypeClass::kString)) return std::nullopt;
  std::optional<std::string> text = string_value(attribute);
  if (!text || text->contains('\0')) return std::nullopt;
  return text;
}

std::optional<std::uint64_t> only_number(const Attribute& attribute) {
  if (!one_element(attribute) || attribute.bytes.size() != attribute.type.size) return std::nullopt;
  const std::optional<Integer> value = whole_of(attribute.type, attribute.bytes);
  if (!value || value->negative) return std::nullopt;
  return value->bits;
}

std::optional<bool> only_boolean(const Attribute& attribute) {
  if (!one_element(attribute)) return std::nullopt;
  if (attribute.type.is(TypeClass::kString)) {
    const std::optional<std::string> text = only_text(attribute);
    return text ? truth_of(*text) : std::nullopt;
  }
  const std::optional<std::uint64_t> number = only_number(attribute);
  if (!number || *number > 1) return std::nullopt;
  if (!attribute.type.is(TypeClass::kEnum)) return *number == 1;
  // Programs test the stored number, people the name: they have to agree.
  for (const TypeMember& member : attribute.type.members)
    if (std::ranges::equal(member.value, attribute.bytes)) {
      const std::optional<bool> named = truth_of(member.name);
      return named == (*number == 1) ? named : std::nullopt;
    }
  return std::nullopt;
}

std::optional<std::vector<std::byte>> converted(const Datatype& from,
                                                std::span<const std::byte> value,
                                                const Datatype& to) {
  if (compare(from, to) == Sameness::kIdentical)
    return std::vector<std::byte>(value.begin(), value.end());
  if (from.is(TypeClass::kEnum) || to.is(TypeClass::kEnum)) return std::nullopt;
  if (to.is(TypeClass::kInteger)) {
    const std::optional<Integer> number = whole_of(from, value);
    return number ? stored_whole(to, *number) : std::nullopt;
  }
  if (!to.is(TypeClass::kFloat)) return std::nullopt;
  if (is_ieee_float(from)) return stored_real(to, float_value(from, value));
  const std::optional<Integer> number =
      is_integral(from) ? integer_value(from, value) : std::nullopt;
  if (!number) return std::nullopt;
  const double real = number->negative
                          ? static_cast<double>(static_cast<std::int64_t>(number->bits))
                          : static_cast<double>(number->bits);
  // Exact, or it would be another number.
  const std::optional<Integer> back = whole(real);
  return back == number ? stored_real(to, real) : std::nullopt;
}

std::optional<std::vector<std::byte>> parsed_value(const Datatype& type, const std::string& text) {
  if (type.is(TypeClass::kEnum)) {
    if (const TypeMember* member = find_member(type, text)) return member->value;
    return type.base ? parsed_value(*type.base, text) : std::nullopt;
  }
  if (type.is(TypeClass::kInteger)) return parsed_integer(type, text);
  if (type.is(TypeClass::kFloat)) return parsed_real(type, text);
  if (!type.fixed_string() || text.size() > type.size) return std::nullopt;
  if (type.padding == StringPadding::kNullTerm && text.size() == type.size) return std::nullopt;
  std::vector<std::byte> bytes(
      type.size, type.padding == StringPadding::kSpacePad ? std::byte{' '} : std::byte{0});
  std::ranges::copy(std::as_bytes(std::span(text)), bytes.begin());
  return bytes;
}

std::optional<RepairPlan> decided(const Case& c) {
  const std::string place = place_of(c.finding);
  const bool attribute = !c.finding.attribute.empty();
  const Host host = host_of(c.table, c.finding.object);
  const Attribute* before = attribute ? host.attribute(c.finding.attribute) : nullptr;
  if (attribute)
    if (const auto text = c.decisions.find(Decision::kSet, place)) {
      std::optional<Attribute> after = parsed_attribute(c, *text);
      if (!after)
        return left(std::format("\"{}\" is not a value for {}", *text, c.finding.attribute));
      return changed(before, c.finding.object, std::move(*after), "written with the given value");
    }
  if (c.decisions.find(Decision::kDrop, place)) {
    RepairPlan plan{.act = "removed, as decided"};
    if (before) plan.from = describe_value(*before);
    plan.steps.push_back(attribute ? drop_attribute(c.finding.object, c.finding.attribute)
                                   : remove_link(c.finding.object));
    return plan;
  }
  const Column* const column = attribute ? nullptr : column_at(c.table, c.finding.object);
  const std::string name(last_name(c.finding.object));
  std::optional<std::string> to = c.decisions.find(Decision::kRename, place);
  if (!to && !attribute && c.finding.object == c.table.path() + "/" + name)
    to = c.decisions.find(Decision::kRename, name);
  if (!to) return std::nullopt;
  RepairPlan plan{
      .act = "renamed, as decided", .from = attribute ? c.finding.attribute : place, .to = *to};
  if (attribute) {
    plan.steps.push_back(rename_attribute(c.finding.object, c.finding.attribute, *to));
    return plan;
  }
  const std::string folder = c.finding.object.substr(0, c.finding.object.rfind('/') + 1);
  plan.to = to->starts_with('/') ? *to : folder + *to;
  plan.steps.push_back(move_link(c.finding.object, plan.to));
  if (column || c.table.list_by_name.contains(name))
    if (plan.to == folder + std::string(last_name(plan.to)))
      rename_in_lists(c.table, name, std::string(last_name(plan.to)), plan.steps);
  return plan;
}

std::vector<std::string> ways_to_move(const Case& c) {
  const std::string place = place_of(c.finding);
  if (c.finding.attribute.empty())
    return {std::format("--rename {}=/NEW/PATH", place), std::format("--drop {}", place)};
  return {std::format("--rename {}=NEW_NAME", place), std::format("--drop {}", place)};
}

}  // namespace hepcheck::hep001
