#include "validator/formats/rntuple/schema.h"

#include <algorithm>
#include <format>
#include <set>
#include <tuple>
#include <utility>

#include "validator/formats/rntuple/rule.h"

namespace hepcheck::rntuple {

namespace {

constexpr std::uint32_t kSource = 0x2, kTypeChecksum = 0x4, kValueRange = 0x8;
constexpr std::uint32_t kLaterFieldFlags = kSource | kTypeChecksum | kValueRange;
constexpr std::uint32_t kColumnFlags = 0x0F, kColumnRange = 0x10, kDeferred = 0x08;

struct InSchema {
  const Schema& schema;
  std::uint64_t id;

  const Field& field() const { return schema.fields[id]; }
  const Column& column() const { return schema.columns[id]; }
  const Alias& alias() const { return schema.aliases[id]; }
};

// --- 7.1.1: fields -------------------------------------------------------------------------------

void parent_exists(const InSchema& it, Look& look) {
  look.ask(
      it.field().parent < it.schema.fields.size(),
      [&] { return std::format("parent {}", it.field().parent); },
      [&] { return std::format("one of {} fields", it.schema.fields.size()); });
}

void parent_earlier(const InSchema& it, Look& look) {
  look.ask(
      it.field().parent <= it.id, [&] { return std::format("parent {}", it.field().parent); },
      [&] { return std::format("a parent that is listed before field {}", it.id); });
}

void role_known(const InSchema& it, Look& look) {
  look.ask(
      it.field().role <= kStreamed, [&] { return std::format("role {:#06x}", it.field().role); },
      "0 to 4");
}

void role_reference(const InSchema& it, Look& look) {
  look.ask(it.field().role != kStreamed, "role 4, a reference", "roles 0 to 3");
}

void repetition(const InSchema& it, Look& look) {
  if (!it.field().repetitive()) return;
  look.ask(it.field().array_size > 0, "array size 0", "a positive array size");
}

void name_present(const InSchema& it, Look& look) {
  look.ask(!it.field().name.empty(), "an empty name", "a name");
}

constexpr Rule kParentExists("rntuple-field-parent-exists", parent_exists);
constexpr Rule<InSchema> kFields[] = {
    {"rntuple-field-parent-earlier", parent_earlier},
    {"rntuple-field-role", role_known},
    {"rntuple-field-role-reference", role_reference},
    {"rntuple-field-repetition-positive", repetition},
    {"rntuple-field-name-present", name_present},
};

struct FieldCycle {
  bool cyclic;
};
constexpr Rule kAcyclic("rntuple-field-parents-acyclic", [](const FieldCycle& it, Look& look) {
  look.ask(!it.cyclic, "parents that lead back to the field", "parents that lead to the top");
});

struct SameName {
  bool fresh;
  std::string_view name;
};
constexpr Rule kNamesUnique("rntuple-field-names-unique", [](const SameName& it, Look& look) {
  look.ask(
      it.fresh, [&] { return std::format("\"{}\" a second time", it.name); },
      "different names of siblings");
});

struct FieldFlags {
  std::uint32_t flags;
  bool later;
};
constexpr Rule kFieldFlags("rntuple-field-flags-defined", [](const FieldFlags& it, Look& look) {
  look.ask((it.flags & ~(1U | (it.later ? kLaterFieldFlags : 0U))) == 0,
           [&] { return std::format("flags {:#06x}", it.flags); },
           [&] { return it.later ? "flags 0x0001 to 0x000f" : "flag 0x0001 only"; });
});
constexpr Rule kLaterFlags("rntuple-dialect-field-flags", [](const FieldFlags& it, Look& look) {
  look.ask((it.flags & kLaterFieldFlags) == 0,
           [&] { return std::format("flags {:#06x} of a later draft", it.flags); },
           "flags 0 and 1");
});

// --- 7.1.2: columns ------------------------------------------------------------------------------

void column_bits(const InSchema& it, Look& look) {
  const Column& column = it.column();
  const ColumnType& type = column.kind();
  if (!type.known()) return;
  look.ask(
      column.bits == type.bits,
      [&] { return std::format("{} with {} bits", type.name, column.bits); },
      [&] { return std::format("{} bits", type.bits); });
}

void column_flags(const InSchema& it, Look& look) {
  const bool later = it.schema.later_draft;
  const std::uint32_t flags = it.column().flags;
  look.ask((flags & ~(kColumnFlags | (later ? kColumnRange : 0U))) == 0,
           [&] { return std::format("flags {:#x}", flags); }, "flags 0x01, 0x02, 0x04 and 0x08");
}

void sorted_both(const InSchema& it, Look& look) {
  look.ask((it.column().flags & 3) != 3, "flags of both orders", "one order at most");
}

void deferred_nonzero(const InSchema& it, Look& look) {
  if (!it.column().deferred()) return;
  look.ask(it.column().first > 0, "first element index 0", "a positive index");
}

void deferred_in_extension(const InSchema& it, Look& look) {
  if (!it.column().deferred()) return;
  look.ask(it.column().extension, "a deferred column in the header", "it in the footer");
}

void late_type(const InSchema& it, Look& look) {
  const std::uint16_t type = it.column().type;
  look.ask(
      type != kReal32Trunc && type != kReal32Quant,
      [&] {
        return type == kReal32Trunc ? "Real32Trunc of a later draft"
                                    : "Real32Quant of a later draft";
      },
      "types 0x01 to 0x1C");
}

void representation(const InSchema& it, Look& look) {
  if (!it.schema.later_draft) return;
  look.ask(
      it.column().representation == 0,
      [&] {
        return std::format("representation index {} of a later draft", it.column().representation);
      },
      "0");
}

void column_field(const InSchema& it, Look& look) {
  look.ask(
      it.column().field < it.schema.fields.size(),
      [&] { return std::format("field {}", it.column().field); },
      [&] { return std::format("one of {} fields", it.schema.fields.size()); });
}

constexpr Rule kColumnField("rntuple-column-field-exists", column_field);
constexpr Rule<InSchema> kColumns[] = {
    {"rntuple-column-bits", column_bits},
    {"rntuple-column-flags-defined", column_flags},
    {"rntuple-column-sorted-both", sorted_both},
    {"rntuple-deferred-index-nonzero", deferred_nonzero},
    {"rntuple-deferred-in-extension", deferred_in_extension},
    {"rntuple-dialect-late-column-types", late_type},
    {"rntuple-dialect-representation-index", representation},
};

// --- 7.1.3: alias columns ------------------------------------------------------------------------

void alias_physical(const InSchema& it, Look& look) {
  look.ask(
      it.alias().column < it.schema.columns.size(),
      [&] { return std::format("column {}", it.alias().column); },
      [&] { return std::format("one of {} physical columns", it.schema.columns.size()); });
}

void alias_field(const InSchema& it, Look& look) {
  look.ask(
      it.alias().field < it.schema.fields.size(),
      [&] { return std::format("field {}", it.alias().field); },
      [&] { return std::format("one of {} fields", it.schema.fields.size()); });
}

void alias_projected(const InSchema& it, Look& look) {
  const std::uint32_t field = it.alias().field;
  look.ask(
      std::ranges::none_of(it.schema.fields[field].columns, [](std::uint32_t) { return true; }),
      [&] { return std::format("field {}, which owns a physical column", field); },
      "a field without columns of its own");
}

constexpr Rule kAliasPhysical("rntuple-alias-physical-exists", alias_physical);
constexpr Rule kAliasField("rntuple-alias-field-exists", alias_field);
constexpr Rule kAliasProjected("rntuple-alias-field-projected", alias_projected);

// --- 7.1.4: extra type information ---------------------------------------------------------------

struct ExtraRecord {
  const ExtraType& type;
  bool later, fresh;
};

void extra_unique(const ExtraRecord& it, Look& look) {
  look.ask(
      it.fresh,
      [&] {
        return std::format("({}, {}, {}, \"{}\") a second time", it.type.numbers[0],
                           it.type.numbers[1], it.type.numbers[2], it.type.type);
      },
      "different records");
}

void extra_content(const ExtraRecord& it, Look& look) {
  look.ask(
      it.type.numbers[2] == 1 || (it.later && it.type.numbers[0] == 0),
      [&] { return std::format("content identifier {}", it.type.numbers[2]); }, "0x01");
}

void streamer_info(const ExtraRecord& it, Look& look) {
  if (!it.later) return;
  look.ask(it.type.numbers[0] != 0, "serialized streamer info of a later draft",
           "content identifier 1");
}

constexpr Rule<ExtraRecord> kExtra[] = {
    {"rntuple-extra-type-unique", extra_unique},
    {"rntuple-extra-type-content-known", extra_content},
    {"rntuple-dialect-streamer-info", streamer_info},
};

// --- Reading -------------------------------------------------------------------------------------

bool read_field(Cursor& cursor, Field& field) {
  field.at = cursor.at();
  if (!cursor.fixed(16, "a field")) return false;
  field.field_version = cursor.number<std::uint32_t>();
  field.type_version = cursor.number<std::uint32_t>();
  field.parent = cursor.number<std::uint32_t>();
  field.role = cursor.number<std::uint16_t>();
  field.flags = cursor.number<std::uint16_t>();
  const FieldFlags flags{field.flags, cursor.later_draft()};
  const Place place = cursor.place(field.at + 14);
  if (!judge<kFieldFlags>(flags, place, cursor.notes())) return false;
  if (cursor.later_draft()) judge<kLaterFlags>(flags, place, cursor.notes());
  if (field.repetitive()) {
    if (!cursor.fixed(8, "an array size")) return false;
    field.array_size = cursor.number<std::uint64_t>();
  }
  const std::uint64_t more = (flags.flags & kSource ? 4U : 0U) +
                             (flags.flags & kTypeChecksum ? 4U : 0U) +
                             (flags.flags & kValueRange ? 16U : 0U);
  if (!cursor.fixed(more, "numbers of a later draft")) return false;
  field.later = cursor.rest().first(more);
  cursor.go(cursor.at() + more);
  return cursor.string(field.name) && cursor.string(field.type) && cursor.string(field.alias) &&
         cursor.string(field.description);
}

bool read_column(Cursor& cursor, Column& column) {
  column.at = cursor.at();
  if (!cursor.fixed(12, "a column")) return false;
  column.type = cursor.number<std::uint16_t>();
  column.bits = cursor.number<std::uint16_t>();
  column.field = cursor.number<std::uint32_t>();
  column.stored_flags = column.flags = cursor.number<std::uint32_t>();
  if (cursor.later_draft()) {
    column.representation = static_cast<std::uint16_t>(column.flags >> 16);
    column.flags &= 0xFFFF;
  }
  if ((column.flags & kDeferred) != 0) {
    if (!cursor.fixed(8, "the index of the first element")) return false;
    column.first = cursor.number<std::uint64_t>();
    if (cursor.later_draft() && static_cast<std::int64_t>(column.first) < 0) {
      column.suppressed_first = true;
      column.first = ~column.first + 1;
    }
  }
  if (cursor.later_draft() && (column.flags & kColumnRange) != 0)
    return cursor.fixed(16, "a range of values");
  return true;
}

bool read_alias(Cursor& cursor, Alias& alias) {
  alias.at = cursor.at();
  if (!cursor.fixed(8, "an alias column")) return false;
  alias.column = cursor.number<std::uint32_t>();
  alias.field = cursor.number<std::uint32_t>();
  return true;
}

bool read_extra(Cursor& cursor, ExtraType& extra) {
  extra.at = cursor.at();
  if (!cursor.fixed(12, "extra type information")) return false;
  for (std::uint32_t& number : extra.numbers) number = cursor.number<std::uint32_t>();
  if (!cursor.string(extra.type)) return false;
  const std::uint64_t content_at = cursor.at();
  std::string_view content;
  if (cursor.left() >= 4 && extra.numbers[2] == 1 && !cursor.string(content)) return false;
  cursor.go(content_at);
  return true;
}

template <class T, class Read>
bool read_list(Cursor& cursor, std::string_view kind, bool extension, std::vector<T>& into,
               ByteSpan& tail, const Read& read) {
  Frame list;
  if (!cursor.frame(true, kLeastRecord, list)) return false;
  const Path& outer = cursor.path();
  const Inside inside(cursor, list, outer);
  for (std::uint32_t i = 0; i < list.items; ++i) {
    if (!cursor.item(kLeastRecord, list, i)) return false;
    const Path path{.up = &outer, .kind = kind, .index = into.size()};
    Frame record;
    cursor.in(path);
    const bool sound = cursor.frame(false, 0, record);
    cursor.in(outer);
    if (!sound) return false;
    const Inside one(cursor, record, path);
    T made{};
    made.extension = extension;
    if (!read(cursor, made)) return false;
    made.surplus = cursor.rest();
    into.push_back(std::move(made));
  }
  tail = cursor.rest();
  return true;
}

Place place_of(const Path& path, std::uint64_t at) { return {.path = &path, .within = at}; }

// Marks the fields whose parents lead to a cycle; one finding for each cycle.
void judge_cycles(Schema& schema, Notes& notes) {
  enum : std::uint8_t { kNew, kOnWay, kDone };
  std::vector<std::uint8_t> state(schema.fields.size(), kNew);
  std::vector<std::uint32_t> way;
  for (std::uint32_t i = 0; i < schema.fields.size(); ++i) {
    std::uint32_t at = i;
    while (state[at] == kNew) {
      state[at] = kOnWay;
      way.push_back(at);
      at = schema.fields[at].parent;
    }
    const bool cyclic = state[at] == kOnWay && schema.fields[at].parent != at;
    const Path path = schema.path_of("field", cyclic ? at : i, schema.fields[i].extension);
    if (!judge<kAcyclic>(FieldCycle{cyclic}, place_of(path, schema.fields[at].at), notes))
      schema.tree = false;
    for (const std::uint32_t each : way) state[each] = kDone;
    way.clear();
  }
}

void judge_names(const Schema& schema, Notes& notes) {
  std::set<std::pair<std::uint64_t, std::string_view>> seen;
  for (std::uint32_t i = 0; i < schema.fields.size(); ++i) {
    const Field& field = schema.fields[i];
    const std::uint64_t parent = field.parent == i ? ~std::uint64_t{0} : field.parent;
    // The names of base classes have a clause of their own.
    if (field.name.starts_with(":_")) continue;
    const bool fresh = seen.emplace(parent, field.name).second;
    const Path path = schema.path_of("field", i, field.extension);
    judge<kNamesUnique>(SameName{fresh, field.name}, place_of(path, field.at), notes);
  }
}

}  // namespace

bool read_lists(Cursor& cursor, bool extension, Schema& into) {
  SchemaLists& lists = extension ? into.of_extension : into.of_header;
  const auto next = [&](std::string_view kind, auto& list, const auto& read) {
    if (cursor.left() < kLeastRecord) return true;
    ByteSpan& tail = lists.tails[lists.count++];
    return read_list(cursor, kind, extension, list, tail, read);
  };
  const bool sound =
      next("field", into.fields, read_field) && next("column", into.columns, read_column) &&
      next("alias", into.aliases, read_alias) && next("type", into.extra_types, read_extra);
  if (!extension) into.header_columns = into.columns.size();
  return sound;
}

void settle_schema(Schema& schema, Notes& notes) {
  for (std::uint32_t i = 0; i < schema.fields.size(); ++i) {
    const Field& field = schema.fields[i];
    const Path path = schema.path_of("field", i, field.extension);
    const Place place = place_of(path, field.at);
    if (!judge<kParentExists>(InSchema{schema, i}, place, notes)) schema.tree = false;
  }
  if (schema.tree) judge_cycles(schema, notes);
  for (std::uint32_t i = 0; i < schema.columns.size(); ++i) {
    const Column& column = schema.columns[i];
    const Path path = schema.path_of("column", i, column.extension);
    const Place place = place_of(path, column.at);
    if (judge<kColumnField>(InSchema{schema, i}, place, notes))
      schema.fields[column.field].columns.push_back(i);
    else
      schema.tree = false;
    judge_each<kColumns>(InSchema{schema, i}, place, notes);
  }
  for (std::uint32_t i = 0; i < schema.fields.size(); ++i) {
    Field& field = schema.fields[i];
    if (field.parent < schema.fields.size() && field.parent != i)
      schema.fields[field.parent].children.push_back(i);
    const Path path = schema.path_of("field", i, field.extension);
    if (schema.tree) judge_each<kFields>(InSchema{schema, i}, place_of(path, field.at), notes);
  }
  if (schema.tree) judge_names(schema, notes);
  for (std::uint32_t i = 0; i < schema.aliases.size(); ++i) {
    const Alias& alias = schema.aliases[i];
    const Path path = schema.path_of("alias", i, alias.extension);
    const Place place = place_of(path, alias.at);
    judge<kAliasPhysical>(InSchema{schema, i}, place, notes);
    if (!judge<kAliasField>(InSchema{schema, i}, place, notes)) continue;
    judge<kAliasProjected>(InSchema{schema, i}, place, notes);
    schema.fields[alias.field].aliases.push_back(i);
  }
  std::set<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t, std::string_view>> seen;
  for (std::uint32_t i = 0; i < schema.extra_types.size(); ++i) {
    const ExtraType& extra = schema.extra_types[i];
    const Path path = schema.path_of("type", i, extra.extension);
    const bool fresh =
        seen.emplace(extra.numbers[0], extra.numbers[1], extra.numbers[2], extra.type).second;
    judge_each<kExtra>(ExtraRecord{extra, schema.later_draft, fresh}, place_of(path, extra.at),
                       notes);
  }
}

void schema_rules(RuleList& list) {
  list.structure<kParentExists, kFields, kAcyclic, kNamesUnique, kFieldFlags, kLaterFlags,
                 kColumnField, kColumns, kAliasPhysical, kAliasField, kAliasProjected, kExtra>();
}

}  // namespace hepcheck::rntuple
