#include "validator/formats/hep001/model/revision.h"

#include <array>
#include <optional>
#include <string>
#include <unordered_set>
#include <utility>

#include "validator/formats/hep001/model/table.h"

namespace hepcheck::hep001 {

namespace {

constexpr std::array<std::string_view, 12> kNames2026_06_16{
    "CATEGORIES",    "SEARCH_INDEXES",    "CLASS",     "VERSION",   "NROWS", "TITLE",
    "INDEX_COLUMNS", "SEARCH_INDEX_LIST", "valid_min", "valid_max", "KIND",  "VALUES"};
constexpr std::array<std::string_view, 4> kTokens2026_06_16{"CHUNK_MINMAX", "SORTED_ROWS", "BITMAP",
                                                            "CHUNK_BLOOM"};

constexpr std::array<std::string_view, 18> kNames2026_07_09{
    "CATEGORIES", "SEARCH_INDEXES", "CLASS",      "VERSION",           "NROWS",
    "TITLE",      "INDEX_COLUMNS",  "valid_min",  "SEARCH_INDEX_LIST", "valid_max",
    "KIND",       "VALUES",         "GENERATION", "SOURCE_GENERATION", "SOURCE_NROWS",
    "MASK",       "OFFSETS",        "CHARS"};
constexpr std::array<std::string_view, 7> kTokens2026_07_09{
    "CHUNK_MINMAX", "SORTED_ROWS", "BITMAP",       "CHUNK_BLOOM",
    "COLUMN_TABLE", "LIST_COLUMN", "STRING_VALUES"};

constexpr std::array<Revision, 2> kRevisions{{
    {.spec = "hep001-2026-06-16",
     .list_columns = false,
     .boolean_columns = false,
     .tokens = false,
     .any_byte_order = false,
     .exhaustive = false,
     .bloom_enums = false,
     .fill_clause = "fill-user-defined",
     .composite_clause = "bloom-no-composite-column",
     .reserved_names = kNames2026_06_16,
     .reserved_tokens = kTokens2026_06_16},
    {.spec = "hep001-2026-07-09",
     .list_columns = true,
     .boolean_columns = true,
     .tokens = true,
     .any_byte_order = true,
     .exhaustive = true,
     .bloom_enums = true,
     .fill_clause = "fill-user-defined-unless-boolean",
     .composite_clause = "bloom-no-compound-array-sequence",
     .reserved_names = kNames2026_07_09,
     .reserved_tokens = kTokens2026_07_09},
}};

struct Sign {
  std::string what, path;
};

bool is_boolean(const Dataset& column) { return is_boolean_enum(column.type); }

bool has_user_fill_value(const Dataset& column) {
  return column.storage.fill_state == FillState::kUserDefined;
}

template <class Visit>
void for_each_dataset(const Group& group, const Visit& visit) {
  for (const Child& child : group.children)
    if (child.is_dataset() && child.dataset && !child.dataset->unreadable) visit(*child.dataset);
}

const Group* search_indexes(const Group& table) {
  const Child* child = table.child("SEARCH_INDEXES");
  return child && child->is_group() ? child->group.get() : nullptr;
}

std::optional<Sign> of_the_table(const Group& table) {
  if (table.attribute("GENERATION")) return Sign{"an attribute GENERATION", table.path};
  for (const Child& child : table.children)
    if (child.is_group() && child.group && is_of_class(*child.group, "LIST_COLUMN"))
      return Sign{"a list column", child.path};
  return std::nullopt;
}

std::optional<Sign> of_an_index(const Group& indexes) {
  std::optional<Sign> sign;
  for_each_dataset(indexes, [&](const Dataset& index) {
    if (sign) return;
    for (const char* token : {"SOURCE_GENERATION", "SOURCE_NROWS"})
      if (!sign && index.attribute(token))
        sign = Sign{std::string("an attribute ") + token, index.path};
    if (!sign && index.attribute("exhaustive") && is_string(index.attribute("KIND"), "BITMAP"))
      sign = Sign{"an attribute exhaustive", index.path};
  });
  return sign;
}

// Only the newer revision allows Bloom filters over enumerations.
std::optional<Sign> of_a_filter_over_an_enumeration(const Group& table, const Group& indexes) {
  std::unordered_set<ObjectToken, ObjectTokenHash> filters;
  for_each_dataset(indexes, [&](const Dataset& index) {
    if (is_string(index.attribute("KIND"), "CHUNK_BLOOM")) filters.insert(index.token);
  });
  std::optional<Sign> sign;
  for_each_dataset(table, [&](const Dataset& column) {
    const Attribute* list = column.attribute("SEARCH_INDEX_LIST");
    if (sign || !list || !column.type.is(TypeClass::kEnum) || is_boolean(column)) return;
    for (const Reference& each : list->references)
      if (!sign && each.resolved() && filters.contains(each.token))
        sign = Sign{"CHUNK_BLOOM over an enumeration", column.path};
  });
  return sign;
}

std::optional<Sign> of_a_boolean_column(const Group& table, bool with_fill_value) {
  std::optional<Sign> sign;
  for_each_dataset(table, [&](const Dataset& column) {
    if (sign || column.space.rank() != 1 || !is_boolean(column) || column.storage.fill_unreadable ||
        has_user_fill_value(column) != with_fill_value)
      return;
    sign = Sign{with_fill_value ? "a boolean column with a fill value"
                                : "a boolean column without a fill value",
                column.path};
  });
  return sign;
}

std::optional<Sign> of_the_newest(const Group& table) {
  const Group* indexes = search_indexes(table);
  std::optional<Sign> sign = of_the_table(table);
  if (!sign && indexes) sign = of_an_index(*indexes);
  if (!sign) sign = of_a_boolean_column(table, false);
  if (!sign && indexes) sign = of_a_filter_over_an_enumeration(table, *indexes);
  return sign;
}

std::optional<Sign> of_the_oldest(const Group& table) {
  std::optional<Sign> sign;
  // If the attributes could not be listed, the absence of a token is unknown.
  const Group* indexes = table.attributes_unreadable ? nullptr : search_indexes(table);
  if (indexes)
    for_each_dataset(*indexes, [&](const Dataset& index) {
      if (!sign && index.attribute("KIND") && !index.attributes_unreadable)
        sign = Sign{"search indexes without validity tokens", index.path};
    });
  if (!sign) sign = of_a_boolean_column(table, true);
  return sign;
}

RevisionChoice chosen(const Revision& revision, Sign sign) {
  return {.revision = &revision,
          .choice = {
              .by = ChosenBy::kSign, .sign = std::move(sign.what), .path = std::move(sign.path)}};
}

}  // namespace

bool Revision::is_boolean(const Datatype& type) const {
  return boolean_columns ? is_boolean_enum(type) : is_hep001_boolean(type);
}

bool Revision::is_boolean_column(const Datatype& type) const {
  return boolean_columns && is_boolean_enum(type);
}

std::span<const Revision> all_revisions() { return kRevisions; }

const Revision& revision_of(const Specification& spec) {
  return *std::ranges::find(kRevisions, spec.id, &Revision::spec);
}

RevisionChoice revision_by_signs(const Group& table) {
  if (std::optional<Sign> sign = of_the_newest(table)) return chosen(kRevisions.back(), *sign);
  if (std::optional<Sign> sign = of_the_oldest(table)) return chosen(kRevisions.front(), *sign);
  return {.revision = &kRevisions.back(), .choice = {.by = ChosenBy::kDefault}};
}

}  // namespace hepcheck::hep001
