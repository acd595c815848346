// Datatypes, fill values, ranges and extents of datasets.
#include <algorithm>
#include <format>

#include "validator/formats/hep001/derive/order.h"
#include "validator/formats/hep001/model/integers.h"
#include "validator/formats/hep001/repair/cases.h"
#include "validator/formats/hep001/repair/chapters.h"

namespace hepcheck::hep001 {

namespace {

using Decision = RepairDecisions::Kind;

// Calls use(row, value) for the first `rows` values of a fixed-size datatype until it returns
// false. False if they cannot be read.
template <class Use>
bool for_each_value(ValueSource& values, const Dataset& data, std::uint64_t rows, Use use) {
  if (data.type.size == 0 || has_variable_part(data.type) || data.extent().value_or(0) < rows)
    return false;
  bool stopped = false;
  const std::optional<Error> trouble =
      for_each_block(values.stream(data, rows), [&](const Block& block) {
        for (std::uint64_t i = 0; i < block.rows && !stopped; ++i)
          stopped =
              !use(block.first_row + i, block.bytes.subspan(i * data.type.size, data.type.size));
        return !stopped;
      });
  return !trouble;
}

// The first row whose value equals this one; nothing if none does.
struct Occurrence {
  bool read = false;
  std::optional<std::uint64_t> row{};
};
Occurrence find_value(const Case& c, const Dataset& data, std::span<const std::byte> wanted) {
  Occurrence found;
  found.read = for_each_value(c.values, data, logical_rows(c.table, data),
                              [&](std::uint64_t row, std::span<const std::byte> value) {
                                if (!is_missing(data.type, value, wanted)) return true;
                                found.row = row;
                                return false;
                              });
  return found;
}

Step recreated(const Dataset& data) {
  return {.kind = Step::Kind::kRecreate, .path = data.path, .token = data.token};
}

std::string fill_text(const Dataset& data) {
  const std::vector<std::byte>* fill = fill_bytes(data);
  return fill                                                 ? format_value(data.type, *fill)
         : data.storage.fill_state == FillState::kUndefined   ? "no fill value"
         : data.storage.fill_state == FillState::kUserDefined ? "a fill value"
                                                              : "the default fill value";
}

std::vector<std::string> fill_option(const std::string& name) {
  return {std::format("--fill {}=VALUE", name)};
}

// A fill value marks rows as missing, so only its owner can choose it; and none of the rows may
// become missing, or stop being missing, by the choice.
RepairPlan fill_value(const Case& c) {
  const Column* column = column_at(c.table, c.finding.object);
  if (!column) return left("the values of a list have no rows of their own");
  const Dataset& data = *column->data;
  std::optional<std::string> text = c.decisions.find(Decision::kFill, column->name());
  if (!text) text = c.decisions.find(Decision::kFill, column->path());
  if (!text)
    return left(
        "a fill value marks rows as missing; which value cannot occur is for the owner of "
        "the data to say",
        fill_option(column->name()));
  const auto value = parsed_value(data.type, *text);
  if (!value)
    return left(std::format("\"{}\" is not a value of {}", *text, describe(data.type)),
                fill_option(column->name()));
  if (const Occurrence found = find_value(c, data, *value); !found.read || found.row)
    return left(found.row ? std::format("row {} has the value {}, which would become missing",
                                        *found.row, *text)
                          : "its values cannot be read, so some may have this value",
                fill_option(column->name()));
  if (const std::vector<std::byte>* old = fill_bytes(data))
    if (const Occurrence found = find_value(c, data, *old); found.row)
      return left(
          std::format("row {} has the present fill value {}: whether it is missing is "
                      "not in the file",
                      *found.row, format_value(data.type, *old)));
  RepairPlan plan{
      .act = "created again with the given fill value; stored chunks are copied as they are"};
  plan.from = fill_text(data);
  plan.to = format_value(data.type, *value);
  Step step = recreated(data);
  step.fill = Step::Fill::kSet;
  step.fill_value = *value;
  plan.steps.push_back(std::move(step));
  return plan;
}

RepairPlan no_fill(const Case& c) {
  const Column* column = column_at(c.table, c.finding.object);
  const std::vector<std::byte>* fill = column ? fill_bytes(*column->data) : nullptr;
  if (!fill) return left("its fill value cannot be read");
  const Dataset& data = *column->data;
  const bool decided = c.decisions.find(Decision::kFill, column->name()) == "none";
  if (const Occurrence found = find_value(c, data, *fill); !decided && (!found.read || found.row))
    return left(found.row ? std::format("row {} has the fill value {}: whether it is missing is "
                                        "not in the file",
                                        *found.row, format_value(data.type, *fill))
                          : "its values cannot be read",
                {std::format("--fill {}=none", column->name())});
  RepairPlan plan{.act =
                      "created again without a fill value; stored chunks are copied as they are"};
  plan.from = fill_text(data);
  plan.to = "no user-defined fill value";
  Step step = recreated(data);
  step.fill = Step::Fill::kRemove;
  plan.steps.push_back(std::move(step));
  return plan;
}

// --- ranges

RepairPlan range(const Case& c) {
  const Host host = host_of(c.table, c.finding.object);
  const std::string name(last_name(c.finding.object));
  std::optional<std::string> text = c.decisions.find(Decision::kRange, name);
  if (!text) text = c.decisions.find(Decision::kRange, c.finding.object);
  std::vector<std::string> options{std::format("--range {}=MIN:MAX", name)};
  if (!text || !host.dataset)
    return left("which values are valid is for the owner of the data to say", std::move(options));
  const std::size_t colon = text->find(':', 1);
  const auto low = parsed_value(host.dataset->type, text->substr(0, colon));
  const auto high = colon == std::string::npos
                        ? std::nullopt
                        : parsed_value(host.dataset->type, text->substr(colon + 1));
  if (!low || !high)
    return left(std::format("\"{}\" is not a range of {}", *text, describe(host.dataset->type)),
                std::move(options));
  RepairPlan plan{.act = "written as the given range"};
  for (const auto& [attribute, value] :
       {std::pair("valid_min", low), std::pair("valid_max", high)}) {
    const Attribute* before = host.attribute(attribute);
    if (before) plan.from += (plan.from.empty() ? "" : "; ") + describe_value(*before);
    plan.steps.push_back(
        put_attribute(c.finding.object, scalar_attribute(attribute, host.dataset->type, *value)));
  }
  plan.to = *text;
  return plan;
}

// The range that excludes the fill value needs both ends.
RepairPlan sentinel(const Case& c) {
  RepairPlan plan = range(c);
  if (!plan.why.empty() && !plan.options.empty())
    plan.options.push_back(std::format("--fill {}=VALUE", last_name(c.finding.object)));
  return plan;
}

RepairPlan fill_or_range(const Case& c) {
  RepairPlan plan = fill_value(c);
  if (plan.why.empty()) return plan;
  RepairPlan other = range(c);
  if (other.why.empty()) return other;
  plan.options.insert(plan.options.end(), other.options.begin(), other.options.end());
  return plan;
}

// --- datatypes

// The bytes of the values stay: they mean the same in both datatypes.
RepairPlan retyped(const Dataset& data, Datatype type, std::string act) {
  RepairPlan plan{.act = std::move(act), .from = describe(data.type), .to = describe(type)};
  Step step = recreated(data);
  step.type = std::move(type);
  plan.steps.push_back(std::move(step));
  return plan;
}

const Dataset* dataset_at(const Case& c) { return host_of(c.table, c.finding.object).dataset; }

bool all_values(const Case& c, const Dataset& data, auto right) {
  bool all = true;
  return for_each_value(
             c.values, data, data.extent().value_or(0),
             [&](std::uint64_t, std::span<const std::byte> value) { return all = right(value); }) &&
         all;
}

// FALSE = 0 and TRUE = 1 in one byte, as an enumeration or as a number.
bool has_boolean_bytes(const Datatype& type) {
  if (type.size != 1) return false;
  if (type.is(TypeClass::kInteger)) return true;
  const auto is = [&](const char* name, std::byte code) {
    const TypeMember* member = find_member(type, name);
    return member && member->value == std::vector{code};
  };
  return type.is(TypeClass::kEnum) && is("FALSE", std::byte{0}) && is("TRUE", std::byte{1});
}

RepairPlan boolean_dataset(const Case& c) {
  const Dataset* data = dataset_at(c);
  const auto is_boolean = [](std::span<const std::byte> value) {
    return value[0] == std::byte{0} || value[0] == std::byte{1};
  };
  if (!data || !has_boolean_bytes(data->type) || data->type.members.size() > 2 ||
      !all_values(c, *data, is_boolean))
    return left("its values are not bytes of 0 and 1, and would have to be written again");
  return retyped(*data, boolean_type(),
                 "created again as the boolean of section 6; the stored bytes are the same");
}

RepairPlan exact_boolean(const Case& c) {
  const Dataset* data = dataset_at(c);
  if (!data || !has_boolean_bytes(data->type) || data->type.members.size() != 2)
    return left("its values would have to be written again");
  return retyped(*data, boolean_type(),
                 "created again as the boolean of section 6; the stored bytes are the same");
}

RepairPlan unsigned_dataset(const Case& c, std::size_t bytes) {
  const Dataset* data = dataset_at(c);
  if (!data || !data->type.is(TypeClass::kInteger) || data->type.size != bytes ||
      data->type.precision != 8 * bytes || data->type.bit_offset != 0)
    return left("its values would have to be written again");
  const bool fits = bytes == 1 || all_values(c, *data, [&](std::span<const std::byte> value) {
                      const std::optional<Integer> number = integer_value(data->type, value);
                      return number && !number->negative;
                    });
  if (!fits) return left("one of its values is negative");
  return retyped(*data, integer_type(bytes, false, data->type.order),
                 "created again as unsigned; the stored bytes are the same");
}
RepairPlan offsets_type(const Case& c) { return unsigned_dataset(c, 8); }
RepairPlan chars_type(const Case& c) { return unsigned_dataset(c, 1); }

// A MASK is a dataset, everything else that is boolean is an attribute.
RepairPlan boolean_of_any_kind(const Case& c) {
  return c.finding.attribute.empty() ? boolean_dataset(c) : find_repair("ordered-scalar")->plan(c);
}

// --- extents

// What is beyond NROWS is reserved storage: columns may have more or less of it.
RepairPlan equal_extents(const Case& c) {
  const std::uint64_t rows = c.table.nrows.value_or(0);
  std::uint64_t longest = 0, fixed = 0;
  for (const Column& column : c.table.columns) {
    const std::uint64_t extent = column.data->extent().value_or(0);
    if (extent < rows)
      return left(
          std::format("{} has fewer rows than NROWS, and the missing ones are not in the "
                      "file",
                      column.name()));
    longest = std::max(longest, extent);
    if (column.data->storage.layout != StorageLayout::kChunked) fixed = std::max(fixed, extent);
  }
  const auto reaches = [&](const Column& column, std::uint64_t extent) {
    const Dataset& data = *column.data;
    return data.extent() == extent ||
           (data.storage.layout == StorageLayout::kChunked && !data.space.max_extent.empty() &&
            data.space.max_extent.front() >= extent);
  };
  const auto all_reach = [&](std::uint64_t extent) {
    return std::ranges::all_of(c.table.columns,
                               [&](const Column& column) { return reaches(column, extent); });
  };
  std::uint64_t wanted = longest;
  if (!all_reach(longest)) {
    wanted = fixed > 0 ? fixed : rows;
    for (const Column& column : c.table.columns)
      if (fixed == 0 && !column.data->space.max_extent.empty())
        wanted = std::max(wanted, std::min(longest, column.data->space.max_extent.front()));
    if (!all_reach(wanted)) wanted = rows;
  }
  if (!all_reach(wanted)) return left("the extents of its columns are fixed, and differ");
  RepairPlan plan{
      .act = "extents of columns made equal; only reserved rows beyond NROWS are concerned"};
  for (const Column& column : c.table.columns) {
    const std::uint64_t extent = column.data->extent().value_or(0);
    if (extent == wanted) continue;
    plan.from += std::format("{}{} {}", plan.from.empty() ? "" : ", ", column.name(), extent);
    plan.steps.push_back(extend(column.path(), wanted));
  }
  plan.to = std::format("{}", wanted);
  return plan;
}

RepairPlan too_short(const Case& c) {
  if (const auto text = c.decisions.find(Decision::kSet, c.table.path() + "@NROWS")) {
    const auto bytes = parsed_value(integer_type(8, false), *text);
    if (bytes)
      return changed(c.table.attribute("NROWS"), c.table.path(),
                     scalar_attribute("NROWS", integer_type(8, false), *bytes),
                     "written with the given value");
  }
  return left("the missing rows are not in the file; NROWS may be wrong",
              {std::format("--set {}@NROWS=N", c.table.path())});
}

constexpr std::string_view kFill = "Needs a fill value that no row has: --fill COLUMN=VALUE.";
constexpr std::string_view kRange = "Needs a range: --range COLUMN=MIN:MAX.";
constexpr std::string_view kSameBytes =
    "Creates the dataset again with the required datatype, if its stored bytes mean the same.";

constexpr Repair kColumnRepairs[] = {
    {"bool-is-enum", boolean_of_any_kind, kSameBytes},
    {"bool-base-i8le", boolean_of_any_kind, kSameBytes},
    {"bool-two-members", boolean_of_any_kind, kSameBytes},
    {"bool-false-zero", boolean_of_any_kind, kSameBytes},
    {"bool-true-one", boolean_of_any_kind, kSameBytes},
    {"bool-not-plain-integer", boolean_of_any_kind, kSameBytes},
    {"bool-not-bitfield", boolean_of_any_kind, kSameBytes},
    {"bool-not-string", boolean_of_any_kind, kSameBytes},
    {"bool-value-is-member", boolean_of_any_kind, kSameBytes},
    {"equal-extents", equal_extents,
     "Makes the extents equal by adding or removing reserved rows beyond NROWS."},
    {"extent-ge-nrows", too_short, "Needs the number of rows: --set TABLE@NROWS=N."},
    {"fill-user-defined", fill_value, kFill},
    {"fill-user-defined-unless-boolean", fill_value, kFill},
    {"fill-outside-logical-range", fill_value, kFill},
    {"fill-strictly-outside-valid-range", fill_or_range, kFill},
    {"fill-not-a-valid-code", fill_value, kFill},
    {"enum-fill-not-ordinary-member", fill_value, kFill},
    {"enum-fill-is-missing-code", fill_value, kFill},
    {"valid-range-ordered", range, kRange},
    {"data-within-valid-range", range, kRange},
    {"sentinel-in-domain-declare-range", sentinel, kRange},
    {"boolean-dataset-exact-type", exact_boolean, kSameBytes},
    {"boolean-column-no-fill", no_fill,
     "Creates the column again without a fill value, if no row has that value."},
    {"list-offsets-uint64", offsets_type, kSameBytes},
    {"string-chars-uint8", chars_type, kSameBytes},
};

}  // namespace

std::span<const Repair> column_repairs() { return kColumnRepairs; }

}  // namespace hepcheck::hep001
