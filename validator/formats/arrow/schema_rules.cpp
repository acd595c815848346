// Schema.fbs and chapters 2.8 to 2.12, 4.2, 4.7, the clauses on schemas and their fields.
#include "validator/formats/arrow/schema_rules.h"

#include <algorithm>
#include <bitset>
#include <format>
#include <set>

#include "validator/formats/arrow/rule.h"
#include "validator/formats/arrow/type_rules.h"
#include "validator/utf8.h"

namespace hepcheck::arrow {

namespace {

struct FieldIn {
  const Field& field;
  const Field* parent;           // null at the top level
  bool named_by_layout = false;  // its name is that of a part of the layout
};

std::size_t children(const Field& field) { return field.children.size(); }
bool is(const Field& field, TypeTag tag) { return field.type.tag == tag; }

// --- Names ---------------------------------------------------------------------------------------

void name_utf8(const FieldIn& it, Look& look) {
  if (!it.field.name) return;
  look.ask(is_utf8(*it.field.name), "a name of other bytes", "UTF-8");
}

void struct_child_name(const FieldIn& it, Look& look) {
  if (!it.parent || !is(*it.parent, TypeTag::kStruct)) return;
  look.ask(it.field.name.has_value(), "a child of a struct without a name",
           "a name, which may be empty");
}

void field_name(const FieldIn& it, Look& look) {
  if ((it.parent && is(*it.parent, TypeTag::kStruct)) || it.named_by_layout) return;
  look.ask(it.field.name.has_value(), "a field without a name", "a name, which may be empty");
}

constexpr Rule<FieldIn> kNames[] = {
    {"arrow-field-name-utf8", name_utf8},
    {"arrow-struct-child-name-present", struct_child_name},
    {"arrow-field-name-present", field_name},
};

// --- Children ------------------------------------------------------------------------------------

bool has_no_children(TypeTag tag) {
  switch (tag) {
    case TypeTag::kList:
    case TypeTag::kStruct:
    case TypeTag::kUnion:
    case TypeTag::kFixedSizeList:
    case TypeTag::kMap:
    case TypeTag::kLargeList:
    case TypeTag::kRunEndEncoded:
    case TypeTag::kListView:
    case TypeTag::kLargeListView: return false;
    default: return true;
  }
}

std::string count_of(const Field& field) { return std::format("{} children", children(field)); }

constexpr Rule kPrimitive("arrow-primitive-no-children", [](const Field& field, Look& look) {
  const TypeTag tag = field.type.tag;
  if (!has_no_children(tag) || tag == TypeTag::kNone || tag >= TypeTag::kRunEndEncoded) return;
  look.ask(children(field) == 0, [&] { return count_of(field); }, "no children");
});

constexpr Rule kView("arrow-view-no-children", [](const Field& field, Look& look) {
  if (!is(field, TypeTag::kBinaryView) && !is(field, TypeTag::kUtf8View)) return;
  look.ask(children(field) == 0, [&] { return count_of(field); }, "no children");
});

void one_child(const Field& field, Look& look) {
  look.ask(children(field) == 1, [&] { return count_of(field); }, "one child");
}

void list_one_child(const Field& field, Look& look) {
  if (is(field, TypeTag::kList) || is(field, TypeTag::kLargeList)) one_child(field, look);
}
void fixed_size_list_one_child(const Field& field, Look& look) {
  if (is(field, TypeTag::kFixedSizeList)) one_child(field, look);
}
void list_view_one_child(const Field& field, Look& look) {
  if (is(field, TypeTag::kListView) || is(field, TypeTag::kLargeListView)) one_child(field, look);
}
void run_end_two_children(const Field& field, Look& look) {
  if (!is(field, TypeTag::kRunEndEncoded)) return;
  look.ask(
      children(field) == 2, [&] { return count_of(field); }, "two, the run ends and the values");
}
void map_one_child(const Field& field, Look& look) {
  if (is(field, TypeTag::kMap)) one_child(field, look);
}

void union_children_limit(const Field& field, Look& look) {
  if (!is(field, TypeTag::kUnion)) return;
  look.ask(children(field) <= 128, [&] { return count_of(field); }, "128 or fewer");
}

constexpr Rule kUnionCount("arrow-union-type-ids-count", [](const Field& field, Look& look) {
  if (!is(field, TypeTag::kUnion) || !field.type.has_type_ids) return;
  look.ask(
      field.type.type_ids.size() == children(field),
      [&] {
        return std::format("{} type ids for {}", field.type.type_ids.size(), count_of(field));
      },
      "one for each child");
});

void type_ids_range(const Field& field, Look& look) {
  if (!is(field, TypeTag::kUnion) || !field.type.has_type_ids) return;
  const auto wrong =
      std::ranges::find_if(field.type.type_ids, [](auto id) { return id < 0 || id > 127; });
  look.ask(
      wrong == field.type.type_ids.end(), [&] { return std::format("type id {}", *wrong); },
      "0 to 127");
}

void type_ids_unique(const Field& field, Look& look) {
  if (!is(field, TypeTag::kUnion) || !field.type.has_type_ids) return;
  std::set<std::int32_t> seen;
  const auto again =
      std::ranges::find_if(field.type.type_ids, [&](auto id) { return !seen.insert(id).second; });
  look.ask(
      again == field.type.type_ids.end(), [&] { return std::format("type id {} twice", *again); },
      "no id twice");
}

// A field without the number of children of its type has no known layout.
constexpr Rule<Field> kChildCounts[] = {
    {"arrow-list-one-child", list_one_child},
    {"arrow-fixed-size-list-one-child", fixed_size_list_one_child},
    {"arrow-map-one-child", map_one_child},
    {"arrow-list-view-one-child", list_view_one_child},
    {"arrow-run-end-two-children", run_end_two_children},
};
// If one of these is violated, the slots of a union cannot be assigned to children.
constexpr Rule<Field> kUnionIds[] = {{"arrow-union-children-limit", union_children_limit},
                                     {"arrow-union-type-ids-range", type_ids_range},
                                     {"arrow-union-type-ids-unique", type_ids_unique}};

// --- Maps ----------------------------------------------------------------------------------------

// Its only child exists.
constexpr Rule kEntries("arrow-map-entries-struct", [](const Field& map, Look& look) {
  look.ask(
      is(map.children[0], TypeTag::kStruct),
      [&] { return type_name(static_cast<unsigned>(map.children[0].type.tag)); },
      "a Struct of key and value");
});

void entries_two_children(const Field& map, Look& look) {
  look.ask(
      children(map.children[0]) == 2, [&] { return count_of(map.children[0]); },
      "two, key and value");
}

constexpr Rule kEntriesNullable("arrow-map-entries-not-nullable", [](const Field& map, Look& look) {
  look.ask(!map.children[0].nullable, "entries that are nullable", "entries that are not");
});

void key_not_nullable(const Field& map, Look& look) {
  if (map.children[0].children.empty()) return;
  look.ask(!map.children[0].children[0].nullable, "a key that is nullable", "a key that is not");
}

constexpr Rule<Field> kEntriesChildren[] = {
    {"arrow-map-entries-two-children", entries_two_children},
    {"arrow-map-key-not-nullable", key_not_nullable}};

// --- Run-end encoding ----------------------------------------------------------------------------

// Its two children exist.
constexpr Rule kRunEndType("arrow-run-end-type", [](const Field& field, Look& look) {
  const Field& ends = field.children[0];
  const Type& type = ends.type;
  const std::int32_t width = type.bit_width;
  look.ask(
      is(ends, TypeTag::kInt) && type.is_signed && (width == 16 || width == 32 || width == 64) &&
          !ends.encoding,
      [&] {
        if (ends.encoding) return std::string("run ends that are dictionary-encoded");
        return is(ends, TypeTag::kInt)
                   ? std::format("run ends of type {}{}", type.is_signed ? "Int" : "UInt", width)
                   : std::format("run ends of type {}", type_name(static_cast<unsigned>(type.tag)));
      },
      "Int16, Int32 or Int64");
});

void run_end_names(const Field& field, Look& look) {
  const std::string_view ends = field.children[0].name.value_or(""),
                         values = field.children[1].name.value_or("");
  look.ask(
      ends == "run_ends" && values == "values",
      [&] { return std::format("children \"{}\" and \"{}\"", ends, values); },
      "\"run_ends\" and \"values\"");
}

void run_ends_not_nullable(const Field& field, Look& look) {
  look.ask(!field.children[0].nullable, "run ends that are nullable", "run ends that are not");
}

constexpr Rule<Field> kRunEnds[] = {{"arrow-run-end-child-names", run_end_names},
                                    {"arrow-run-end-field-not-nullable", run_ends_not_nullable}};

// --- Dictionary encoding -------------------------------------------------------------------------

std::string index_type(const Encoding& encoding) {
  return std::format("{}int{} indices", encoding.is_signed ? "" : "u", encoding.bit_width);
}

constexpr Rule kIndexWidth("arrow-dictionary-index-width", [](const Encoding& encoding,
                                                              Look& look) {
  const std::int32_t width = encoding.bit_width;
  look.ask(
      width == 8 || width == 16 || width == 32 || width == 64,
      [&] { return std::format("bitWidth {}", width); }, "8, 16, 32 or 64");
});

void index_signed(const Encoding& encoding, Look& look) {
  if (encoding.bit_width == 64) return;
  look.ask(encoding.is_signed, [&] { return index_type(encoding); }, "signed indices");
}

void index_uint64(const Encoding& encoding, Look& look) {
  look.ask(
      encoding.is_signed || encoding.bit_width != 64, [&] { return index_type(encoding); },
      "signed indices");
}

constexpr Rule kDictionaryKind("arrow-dictionary-kind-known", [](const Encoding& encoding,
                                                                 Look& look) {
  look.ask(
      encoding.kind == 0, [&] { return std::format("dictionaryKind {}", encoding.kind); },
      "0 (DenseArray)");
});

constexpr Rule<Encoding> kIndexSign[] = {{"arrow-dictionary-index-signed-preferred", index_signed},
                                         {"arrow-dictionary-index-uint64-avoided", index_uint64}};

// --- The schema as a whole -----------------------------------------------------------------------

constexpr Rule kEndianness("arrow-schema-endianness-known", [](const Schema& schema, Look& look) {
  look.ask(
      schema.endianness == 0 || schema.endianness == 1,
      [&] { return std::format("endianness {}", schema.endianness); }, "0 (Little) or 1 (Big)");
});

constexpr Rule kFeatures("arrow-schema-features-known", [](const Schema& schema, Look& look) {
  if (schema.features.empty()) return;
  const auto unknown =
      std::ranges::find_if(schema.features, [](auto each) { return each < 0 || each > 2; });
  look.ask(
      unknown == schema.features.end(), [&] { return std::format("feature {}", *unknown); },
      "0, 1 (DICTIONARY_REPLACEMENT) or 2 (COMPRESSED_BODY)");
});

// The values of a dictionary: the type, and its children. Names of the fields themselves,
// nullability, index type and order may differ.
bool same_values(const Field& a, const Field& b) {
  if (a.type != b.type || a.children.size() != b.children.size()) return false;
  for (std::size_t i = 0; i < a.children.size(); ++i) {
    const Field &x = a.children[i], &y = b.children[i];
    if (x.encoding.has_value() != y.encoding.has_value() ||
        (x.encoding && x.encoding->id != y.encoding->id) || !same_values(x, y))
      return false;
  }
  return true;
}

bool contains_id(const Field& field, std::int64_t id) {
  return std::ranges::any_of(field.children, [&](const Field& child) {
    return (child.encoding && child.encoding->id == id) || contains_id(child, id);
  });
}

struct SharedId {
  std::int64_t id;
  const std::vector<const Field*>& fields;
};

constexpr Rule kSharedId("arrow-dictionary-shared-id-same-type", [](const SharedId& it,
                                                                    Look& look) {
  const Field& first = *it.fields.front();
  const auto other = std::ranges::find_if(
      it.fields, [&](const Field* each) { return !same_values(first, *each); });
  const bool inside =
      std::ranges::any_of(it.fields, [&](const Field* each) { return contains_id(*each, it.id); });
  look.ask(
      other == it.fields.end() && !inside,
      [&] {
        return inside ? std::format("id {} inside the values of its own dictionary", it.id)
                      : std::format("id {} for {} and for {}, or for other parameters", it.id,
                                    type_name(static_cast<unsigned>(first.type.tag)),
                                    type_name(static_cast<unsigned>((*other)->type.tag)));
      },
      "one type of values for an id");
});

class SchemaJudge {
 public:
  SchemaJudge(Schema& schema, Notes& notes) : schema_(schema), notes_(notes) {}

  void run(const Path& path);

 private:
  void fields(std::vector<Field>& all, const Field* parent, const Path& up);
  void field(Field& it, const Field* parent, const Path& path);
  void lay_out(Field& it, const Place& place);
  void map_rules(const Field& map, const Path& path);
  void judge_run_ends(Field& it, const Place& place);
  void encoding(const Field& it, const Place& place);
  void dictionaries(const Path& path);
  Place place(const Path& path, std::uint64_t at) const {
    return {.path = &path, .byte = schema_.byte + at};
  }

  Schema& schema_;
  Notes& notes_;
};

void SchemaJudge::run(const Path& path) {
  if (!judge<kEndianness>(schema_, place(path, 0), notes_))
    schema_.invalidated_by = kEndianness.id.str();
  judge_each<kFeatures>(schema_, place(path, 0), notes_);
  judge_metadata(schema_.metadata, path, schema_.byte, notes_);
  fields(schema_.fields, nullptr, path);
  for (const Field& each : schema_.fields)
    if (schema_.invalidated_by.empty()) schema_.invalidated_by = each.arrays_invalidated_by();
  dictionaries(path);
}

void SchemaJudge::fields(std::vector<Field>& all, const Field* parent, const Path& up) {
  for (std::size_t i = 0; i < all.size(); ++i)
    field(all[i], parent, path_of(up, parent ? "child" : "field", i, all[i]));
}

void SchemaJudge::field(Field& it, const Field* parent, const Path& path) {
  const Place here = place(path, it.at);
  const bool named_by_layout = parent && is(*parent, TypeTag::kRunEndEncoded) &&
                               children(*parent) == 2 && notes_.judges("arrow-run-end-child-names");
  judge_each<kNames>(FieldIn{it, parent, named_by_layout}, here, notes_);
  judge_metadata(it.metadata, path, schema_.byte, notes_);
  judge_extension(it, here, notes_);
  lay_out(it, here);
  fields(it.children, &it, path);
  for (const Field& child : it.children)
    if (it.invalidated_by.empty()) it.invalidated_by = child.arrays_invalidated_by();
  if (is(it, TypeTag::kMap) && children(it) == 1 && it.children[0].whole) map_rules(it, path);
  if (is(it, TypeTag::kRunEndEncoded) && children(it) == 2) judge_run_ends(it, here);
  if (it.encoding) encoding(it, here);
  judge_canonical(it, here, notes_);
}

void SchemaJudge::judge_run_ends(Field& it, const Place& here) {
  judge_each<kRunEnds>(it, here, notes_);
  const Field& ends = it.children[0];
  if (ends.invalidated_by.empty() && ends.arrays_invalidated_by().empty())
    it.slots_known = judge<kRunEndType>(it, here, notes_);
}

void SchemaJudge::lay_out(Field& it, const Place& here) {
  it.invalidated_by = judge_type(it, here, notes_);
  if (!it.whole) return;  // no batch has a known layout either
  for (const Rule<Field>& rule : kChildCounts)
    if (it.invalidated_by.empty() && !judge_rule(rule, it, here, notes_))
      it.invalidated_by = rule.id.str();
  if (!judge<kPrimitive>(it, here, notes_) || !judge<kView>(it, here, notes_)) it.children.clear();
  if (it.invalidated_by.empty() && is(it, TypeTag::kUnion)) {
    if (!judge<kUnionCount>(it, here, notes_)) it.slots_known = false;
    if (it.slots_known) it.slots_known = judge_each<kUnionIds>(it, here, notes_);
  }
  if (it.invalidated_by.empty()) it.layout = layout_of(it.type);
}

void SchemaJudge::map_rules(const Field& map, const Path& path) {
  const Field& entries = map.children[0];
  const Path entries_path = path_of(path, "child", 0, entries);
  const Place here = place(entries_path, entries.at);
  judge_each<kEntriesNullable>(map, here, notes_);
  if (judge<kEntries>(map, here, notes_)) judge_each<kEntriesChildren>(map, here, notes_);
}

void SchemaJudge::encoding(const Field& it, const Place& here) {
  if (judge<kIndexWidth>(*it.encoding, here, notes_))
    judge_each<kIndexSign>(*it.encoding, here, notes_);
  judge_each<kDictionaryKind>(*it.encoding, here, notes_);
}

void collect(const std::vector<Field>& fields, Schema& schema) {
  for (const Field& field : fields) {
    if (field.encoding) schema.dictionaries[field.encoding->id].push_back(&field);
    collect(field.children, schema);
  }
}

void SchemaJudge::dictionaries(const Path& path) {
  schema_.dictionaries.clear();
  collect(schema_.fields, schema_);
  for (const auto& [id, fields] : schema_.dictionaries)
    if (!judge<kSharedId>(SharedId{id, fields}, place(path, fields.front()->at), notes_))
      schema_.unusable[id] = true;
}

}  // namespace

void judge_schema(Schema& schema, const Path& path, Notes& notes) {
  SchemaJudge(schema, notes).run(path);
}

void settle_schema(Schema& schema, Notes& notes) {
  const Notes::Silence silence(notes);
  const Path path{.kind = "schema"};
  judge_schema(schema, path, notes);
}

void schema_rules(RuleList& list) {
  list.structure<kNames, kPrimitive, kView, kRunEndType, kRunEnds, kChildCounts, kUnionCount,
                 kUnionIds, kEntries, kEntriesChildren, kEntriesNullable, kIndexWidth, kIndexSign,
                 kDictionaryKind, kEndianness, kFeatures, kSharedId>();
}

}  // namespace hepcheck::arrow
