// Format 1.5, chapter 4.11 and CanonicalExtensions.rst: the storage types and the metadata of
// extension types.
#include <algorithm>
#include <format>

#include "validator/formats/arrow/json.h"
#include "validator/formats/arrow/rule.h"
#include "validator/formats/arrow/schema_rules.h"

namespace hepcheck::arrow {

namespace {

using Kind = Extension::Kind;

// A field with an extension name.
struct Extended {
  const Field& field;
  std::string_view name, metadata;
  const Json* json = nullptr;  // the metadata, if they are an object
  std::optional<std::size_t> dimensions{};
};

bool is_tag(const Field& field, TypeTag tag) { return field.type.tag == tag; }
template <class... Tags>
bool has_tag(const Field& field, Tags... tags) {
  return (is_tag(field, tags) || ...);
}
bool is_binary(const Field& field) {
  return has_tag(field, TypeTag::kBinary, TypeTag::kLargeBinary, TypeTag::kBinaryView);
}
bool is_int(const Field& field, std::int32_t width) {
  return is_tag(field, TypeTag::kInt) && field.type.bit_width == width && field.type.is_signed;
}
std::string name_of_type(const Field& field) {
  std::string name = type_name(static_cast<unsigned>(field.type.tag));
  if (is_tag(field, TypeTag::kInt))
    name = std::format("{}Int{}", field.type.is_signed ? "" : "U", field.type.bit_width);
  if (has_tag(field, TypeTag::kFixedSizeBinary, TypeTag::kFixedSizeList))
    name += std::format("({})", field.type.size);
  return name;
}

// --- All extension types
// ---------------------------------------------------------------------------

constexpr std::string_view kCanonical[] = {"arrow.fixed_shape_tensor",
                                           "arrow.variable_shape_tensor",
                                           "arrow.json",
                                           "arrow.uuid",
                                           "arrow.opaque",
                                           "arrow.bool8",
                                           "arrow.parquet.variant",
                                           "arrow.timestamp_with_offset"};

constexpr Rule kNameOnce("arrow-extension-name-once", [](const Extended& it, Look& look) {
  const auto times = [&](std::string_view key) {
    return std::ranges::count_if(it.field.metadata,
                                 [&](const KeyValue& pair) { return pair.key == key; });
  };
  look.ask(
      times(kExtensionName) <= 1 && times(kExtensionMetadata) <= 1,
      [&] {
        return std::format("{} names and {} metadata of an extension type", times(kExtensionName),
                           times(kExtensionMetadata));
      },
      "one of each");
});

constexpr Rule kReserved("arrow-extension-arrow-prefix-reserved", [](const Extended& it,
                                                                     Look& look) {
  if (!it.name.starts_with("arrow.")) return;
  look.ask(
      std::ranges::contains(kCanonical, it.name), [&] { return std::format("\"{}\"", it.name); },
      "the name of a canonical extension type, or one with another prefix");
});

// --- Storage types
// ---------------------------------------------------------------------------------

void ask_storage(bool holds, const Extended& it, Look& look, const char* expected) {
  look.ask(
      holds, [&] { return std::format("{} with the storage {}", it.name, name_of_type(it.field)); },
      expected);
}

constexpr Rule kUuidStorage("arrow-uuid-storage", [](const Extended& it, Look& look) {
  ask_storage(is_tag(it.field, TypeTag::kFixedSizeBinary) && it.field.type.size == 16, it, look,
              "FixedSizeBinary(16)");
});
constexpr Rule kJsonStorage("arrow-json-storage", [](const Extended& it, Look& look) {
  ask_storage(has_tag(it.field, TypeTag::kUtf8, TypeTag::kLargeUtf8, TypeTag::kUtf8View), it, look,
              "Utf8, LargeUtf8 or Utf8View");
});
constexpr Rule kBool8Storage("arrow-bool8-storage", [](const Extended& it, Look& look) {
  ask_storage(is_int(it.field, 8), it, look, "Int8");
});
constexpr Rule kFixedTensorStorage("arrow-fixed-tensor-storage", [](const Extended& it,
                                                                    Look& look) {
  ask_storage(is_tag(it.field, TypeTag::kFixedSizeList), it, look, "FixedSizeList");
});
constexpr Rule kVariantStorage("arrow-variant-storage-struct", [](const Extended& it, Look& look) {
  ask_storage(is_tag(it.field, TypeTag::kStruct), it, look, "Struct");
});

constexpr Rule kVariableTensorStorage("arrow-variable-tensor-storage", [](const Extended& it,
                                                                          Look& look) {
  const std::vector<Field>& children = it.field.children;
  const bool holds = is_tag(it.field, TypeTag::kStruct) && children.size() == 2 &&
                     children[0].name == "data" && is_tag(children[0], TypeTag::kList) &&
                     children[1].name == "shape" && is_tag(children[1], TypeTag::kFixedSizeList) &&
                     children[1].children.size() == 1 && is_int(children[1].children[0], 32);
  ask_storage(holds, it, look, "a Struct of data, a List, and shape, a FixedSizeList of Int32");
});

// The type of a field, or that of the values of its runs.
const Field& decoded(const Field& field) {
  return is_tag(field, TypeTag::kRunEndEncoded) && field.children.size() == 2 ? field.children[1]
                                                                              : field;
}

constexpr Rule kTimestampStorage("arrow-timestamp-offset-storage", [](const Extended& it,
                                                                      Look& look) {
  const std::vector<Field>& children = it.field.children;
  const bool holds = is_tag(it.field, TypeTag::kStruct) && children.size() == 2 &&
                     children[0].name == "timestamp" && !children[0].nullable &&
                     is_tag(children[0], TypeTag::kTimestamp) &&
                     children[0].type.timezone == "UTC" && children[1].name == "offset_minutes" &&
                     !children[1].nullable && is_int(decoded(children[1]), 16);
  ask_storage(holds, it, look,
              "a Struct of timestamp, a Timestamp in UTC, and offset_minutes, an Int16, neither of "
              "them nullable");
});

// --- Metadata
// --------------------------------------------------------------------------------------

void no_metadata(const Extended& it, Look& look) {
  look.ask(it.metadata.empty(), "extension metadata", "none");
}

constexpr Rule<Extended> kUuidMetadata("arrow-uuid-metadata-empty", no_metadata);
constexpr Rule<Extended> kBool8Metadata("arrow-bool8-metadata-empty", no_metadata);
constexpr Rule<Extended> kVariantMetadata("arrow-variant-metadata-key-empty", no_metadata);
constexpr Rule<Extended> kTimestampMetadata("arrow-timestamp-offset-metadata-empty", no_metadata);

constexpr Rule kJsonMetadata("arrow-json-metadata", [](const Extended& it, Look& look) {
  look.ask(it.metadata.empty() || (it.json && it.json->names.empty()),
           "metadata that are neither empty nor an empty object",
           "no metadata, or an empty JSON object");
});

void object(const Extended& it, Look& look) {
  look.ask(it.json != nullptr, "metadata that are not a JSON object", "a JSON object");
}

constexpr Rule<Extended> kOpaqueObject("arrow-opaque-metadata-object", object);
constexpr Rule kOpaqueNames("arrow-opaque-names-present", [](const Extended& it, Look& look) {
  const auto is_name = [&](std::string_view member) {
    const Json* name = it.json->member(member);
    return name && name->kind == Json::Kind::kString;
  };
  look.ask(is_name("type_name") && is_name("vendor_name"),
           "metadata without the name of the type or of its vendor",
           "the strings type_name and vendor_name");
});

bool is_size(const Json& json) { return json.integer().value_or(-1) >= 0; }

bool is_shape(const Json* shape) {
  return shape && shape->kind == Json::Kind::kArray &&
         std::ranges::all_of(shape->elements, is_size);
}

constexpr Rule kFixedTensorObject("arrow-fixed-tensor-metadata-object", [](const Extended& it,
                                                                           Look& look) {
  look.ask(it.json && is_shape(it.json->member("shape")),
           it.json ? "metadata without a shape of sizes" : "metadata that are not a JSON object",
           "a JSON object with shape, an array of sizes");
});

constexpr Rule kShapeProduct("arrow-fixed-tensor-shape-product", [](const Extended& it,
                                                                    Look& look) {
  const std::vector<Json>& shape = it.json->member("shape")->elements;
  const auto is_zero = [](const Json& size) { return size.integer() == 0; };
  unsigned __int128 product = std::ranges::any_of(shape, is_zero) ? 0 : 1;
  constexpr unsigned __int128 kMost = static_cast<unsigned __int128>(1) << 63;
  for (const Json& size : shape)
    if (product > 0 && product < kMost)
      product *= static_cast<std::uint64_t>(size.integer().value_or(0));
  const auto list_size = static_cast<std::uint64_t>(it.field.type.size);
  look.ask(
      product == list_size, [&] { return std::format("lists of {}", list_size); },
      "the product of the shape");
});

constexpr Rule<Extended> kVariableTensorObject("arrow-variable-tensor-metadata-object",
                                               [](const Extended& it, Look& look) {
                                                 if (it.metadata.empty()) return look.looked();
                                                 object(it, look);
                                               });

std::string elements_of(const Json& json) {
  return json.kind == Json::Kind::kArray ? std::format("an array of {}", json.elements.size())
                                         : std::string("no array");
}

void dimension_names(const Extended& it, Look& look) {
  const Json* names = it.json ? it.json->member("dim_names") : nullptr;
  if (!names || !it.dimensions) return;
  const auto is_string = [](const Json& each) { return each.kind == Json::Kind::kString; };
  look.ask(
      names->kind == Json::Kind::kArray && names->elements.size() == *it.dimensions &&
          std::ranges::all_of(names->elements, is_string),
      [&] { return "dim_names: " + elements_of(*names); },
      [&] { return std::format("{} strings, one for each dimension", *it.dimensions); });
}

void permutation(const Extended& it, Look& look) {
  const Json* numbers = it.json ? it.json->member("permutation") : nullptr;
  if (!numbers || !it.dimensions) return;
  bool holds = numbers->kind == Json::Kind::kArray && numbers->elements.size() == *it.dimensions;
  if (holds) {
    std::vector<bool> seen(*it.dimensions);
    for (const Json& each : numbers->elements) {
      const std::int64_t number = each.integer().value_or(-1);
      holds &= number >= 0 && static_cast<std::uint64_t>(number) < seen.size() &&
               !seen[static_cast<std::size_t>(number)];
      if (holds) seen[static_cast<std::size_t>(number)] = true;
    }
  }
  look.ask(
      holds, [&] { return "permutation: " + elements_of(*numbers); },
      [&] {
        return std::format("each of 0 to {} once", static_cast<std::int64_t>(*it.dimensions) - 1);
      });
}

constexpr Rule<Extended> kTensor[] = {{"arrow-tensor-dim-names", dimension_names},
                                      {"arrow-tensor-permutation", permutation}};

constexpr Rule kUniformShape("arrow-variable-tensor-uniform-shape", [](const Extended& it,
                                                                       Look& look) {
  const Json* shape = it.json ? it.json->member("uniform_shape") : nullptr;
  if (!shape || !it.dimensions) return;
  const auto is_uniform = [](const Json& each) {
    return each.kind == Json::Kind::kNull || (is_size(each) && *each.integer() <= 0x7FFFFFFF);
  };
  look.ask(
      shape->kind == Json::Kind::kArray && shape->elements.size() == *it.dimensions &&
          std::ranges::all_of(shape->elements, is_uniform),
      [&] { return "uniform_shape: " + elements_of(*shape); },
      [&] { return std::format("{} elements, each a size or null", *it.dimensions); });
});

// --- Variants
// --------------------------------------------------------------------------------------

const Field* child_named(const Field& field, std::string_view name) {
  const auto it =
      std::ranges::find_if(field.children, [&](const Field& child) { return child.name == name; });
  return it == field.children.end() ? nullptr : &*it;
}

constexpr Rule kVariantMetadataField("arrow-variant-metadata-field", [](const Extended& it,
                                                                        Look& look) {
  const auto count = std::ranges::count_if(
      it.field.children, [](const Field& child) { return child.name == "metadata"; });
  const Field* metadata = child_named(it.field, "metadata");
  look.ask(
      count == 1 && !metadata->nullable && is_binary(decoded(*metadata)),
      [&] {
        return count != 1 ? std::format("{} fields metadata", count)
                          : std::format("metadata of type {}{}", name_of_type(*metadata),
                                        metadata->nullable ? ", nullable" : "");
      },
      "one field metadata of a binary type, not nullable");
});

constexpr Rule kValueOrTyped("arrow-variant-value-or-typed-value", [](const Field& part,
                                                                      Look& look) {
  look.ask(child_named(part, "value") || child_named(part, "typed_value"),
           "neither value nor typed_value", "value, typed_value, or both");
});

constexpr Rule kVariantValue("arrow-variant-value-binary", [](const Field& value, Look& look) {
  look.ask(
      is_binary(value), [&] { return "value of type " + name_of_type(value); },
      "Binary, LargeBinary or BinaryView");
});

bool is_mapped(const Field& field) {
  const Type& type = field.type;
  switch (type.tag) {
    case TypeTag::kNull:
    case TypeTag::kBool:
    case TypeTag::kBinary:
    case TypeTag::kLargeBinary:
    case TypeTag::kBinaryView:
    case TypeTag::kUtf8:
    case TypeTag::kLargeUtf8:
    case TypeTag::kUtf8View:
    case TypeTag::kList:
    case TypeTag::kLargeList:
    case TypeTag::kListView:
    case TypeTag::kStruct: return true;
    case TypeTag::kInt: return type.is_signed || type.bit_width < 64;
    case TypeTag::kFloatingPoint: return type.unit == 1 || type.unit == 2;
    case TypeTag::kDecimal: return type.bit_width <= 128;
    case TypeTag::kDate: return type.unit == 0;
    case TypeTag::kTime: return type.bit_width == 64;
    case TypeTag::kTimestamp:
      return type.unit >= 2 && (type.timezone.empty() || type.timezone == "UTC");
    case TypeTag::kFixedSizeBinary: {
      const KeyValue* name = find_pair(field, kExtensionName);
      return type.size == 16 && name && name->value == "arrow.uuid";
    }
    default: return false;
  }
}

constexpr Rule kTypedValue("arrow-variant-typed-value-type", [](const Field& typed, Look& look) {
  look.ask(
      is_mapped(typed), [&] { return "typed_value of type " + name_of_type(typed); },
      "a type that variants are shredded into");
});

void not_nullable_struct(const Field& field, Look& look) {
  look.ask(
      is_tag(field, TypeTag::kStruct) && !field.nullable,
      [&] { return std::format("{}{}", name_of_type(field), field.nullable ? ", nullable" : ""); },
      "a Struct that is not nullable");
}
constexpr Rule<Field> kElements("arrow-variant-list-elements", not_nullable_struct);
constexpr Rule<Field> kObjectFields("arrow-variant-object-fields", not_nullable_struct);

class CanonicalJudge {
 public:
  CanonicalJudge(Field& field, std::string_view name, const Place& place, Notes& notes)
      : field_(field), it_{field, name, {}}, place_(place), notes_(notes) {
    const KeyValue* pair = find_pair(field, kExtensionMetadata);
    if (pair) it_.metadata = pair->value.value_or("");
  }

  void run() {
    judge_each<kNameOnce>(it_, place_, notes_);
    judge_each<kReserved>(it_, place_, notes_);
    if (!field_.invalidated_by.empty() || !field_.whole) return;
    const std::string_view name = it_.name;
    if (name == "arrow.uuid") plain<kUuidStorage, kUuidMetadata>();
    if (name == "arrow.json") json();
    if (name == "arrow.bool8" && plain<kBool8Storage, kBool8Metadata>())
      field_.extension.kind = Kind::kBool8;
    if (name == "arrow.opaque") opaque();
    if (name == "arrow.fixed_shape_tensor") fixed_tensor();
    if (name == "arrow.variable_shape_tensor") variable_tensor();
    if (name == "arrow.parquet.variant" && plain<kVariantStorage, kVariantMetadata>()) variant();
    if (name == "arrow.timestamp_with_offset" && plain<kTimestampStorage, kTimestampMetadata>())
      decoded_offsets().extension.kind = Kind::kOffsetMinutes;
  }

 private:
  template <const auto& kStorage, const auto& kMetadata>
  bool plain() {
    judge_each<kMetadata>(it_, place_, notes_);
    return judge_each<kStorage>(it_, place_, notes_);
  }

  // Reads the metadata. False if they are too large or too deep, which was recorded.
  template <const auto&... kRules>
  bool read() {
    const JsonState state =
        it_.metadata.size() > kMostJsonSize ? JsonState::kTooDeep : read_json(it_.metadata, &json_);
    if (state == JsonState::kTooDeep) {
      block<kRules...>(
          place_.object() + ": the extension metadata are too large or nested too deeply", {},
          notes_);
      return false;
    }
    if (state == JsonState::kSound && json_.kind == Json::Kind::kObject) it_.json = &json_;
    return true;
  }

  void json() {
    if (judge_each<kJsonStorage>(it_, place_, notes_)) field_.extension.kind = Kind::kJson;
    if (it_.metadata.empty() || read<kJsonMetadata>())
      judge_each<kJsonMetadata>(it_, place_, notes_);
  }

  void opaque() {
    if (read<kOpaqueObject, kOpaqueNames>() && judge<kOpaqueObject>(it_, place_, notes_) &&
        it_.json)
      judge_each<kOpaqueNames>(it_, place_, notes_);
  }

  void fixed_tensor() {
    const bool list = judge_each<kFixedTensorStorage>(it_, place_, notes_);
    if (!read<kFixedTensorObject, kShapeProduct, kTensor>() ||
        !judge<kFixedTensorObject>(it_, place_, notes_) || !it_.json ||
        !is_shape(it_.json->member("shape")))
      return;
    it_.dimensions = it_.json->member("shape")->elements.size();
    if (list && is_tag(field_, TypeTag::kFixedSizeList))
      judge_each<kShapeProduct>(it_, place_, notes_);
    judge_each<kTensor>(it_, place_, notes_);
  }

  void variable_tensor() {
    const bool storage =
        judge_each<kVariableTensorStorage>(it_, place_, notes_) && field_.children.size() == 2;
    const bool examined =
        it_.metadata.empty() || read<kVariableTensorObject, kUniformShape, kTensor>();
    const bool good = examined && judge_each<kVariableTensorObject>(it_, place_, notes_);
    if (!storage) return;
    it_.dimensions = static_cast<std::size_t>(field_.children[1].type.size);
    field_.extension.kind = Kind::kVariableTensor;
    if (!good) return;
    judge_each<kTensor>(it_, place_, notes_);
    const Json* uniform = it_.json ? it_.json->member("uniform_shape") : nullptr;
    if (!judge_each<kUniformShape>(it_, place_, notes_) || !uniform) return;
    for (const Json& each : uniform->elements)
      field_.extension.uniform.push_back(each.integer().value_or(-1));
  }

  Field& decoded_offsets() {
    Field& offsets = field_.children[1];
    return is_tag(offsets, TypeTag::kRunEndEncoded) ? offsets.children[1] : offsets;
  }

  void variant() {
    judge_each<kVariantMetadataField>(it_, place_, notes_);
    part(field_);
  }

  // A struct of value and typed_value. Fields nest at most 64 levels.
  void part(const Field& of) {
    judge_each<kValueOrTyped>(of, place_, notes_);
    for (const Field& child : of.children) {
      if (child.name == "value") judge_each<kVariantValue>(child, place_, notes_);
      if (child.name == "typed_value") typed(child);
    }
  }

  void typed(const Field& of) {
    if (!judge_each<kTypedValue>(of, place_, notes_)) return;
    if (has_tag(of, TypeTag::kList, TypeTag::kLargeList, TypeTag::kListView) &&
        of.children.size() == 1 && judge_each<kElements>(of.children[0], place_, notes_))
      part(of.children[0]);
    if (!is_tag(of, TypeTag::kStruct)) return;
    for (const Field& each : of.children)
      if (judge_each<kObjectFields>(each, place_, notes_)) part(each);
  }

  Field& field_;
  Extended it_;
  Json json_{};
  const Place& place_;
  Notes& notes_;
};

}  // namespace

void judge_canonical(Field& field, const Place& place, Notes& notes) {
  if (!notes.judges("arrow-uuid-storage")) return;
  const KeyValue* pair = find_pair(field, kExtensionName);
  if (pair && pair->value) CanonicalJudge(field, *pair->value, place, notes).run();
}

void extension_rules(RuleList& list) {
  list.structure<kNameOnce, kReserved, kUuidStorage, kUuidMetadata, kJsonStorage, kJsonMetadata,
                 kBool8Storage, kBool8Metadata, kOpaqueObject, kOpaqueNames, kFixedTensorStorage,
                 kFixedTensorObject, kShapeProduct, kTensor, kVariableTensorStorage,
                 kVariableTensorObject, kUniformShape, kVariantStorage, kVariantMetadata,
                 kVariantMetadataField, kValueOrTyped, kVariantValue, kTypedValue, kElements,
                 kObjectFields, kTimestampStorage, kTimestampMetadata>();
}

}  // namespace hepcheck::arrow
