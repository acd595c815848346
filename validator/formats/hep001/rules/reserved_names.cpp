// HEP001 13 "Reserved names", 13.3 names shared with Anndata.
#include "validator/formats/hep001/rules/names.h"

namespace hepcheck::hep001 {

namespace {

// Ignored differences in the search for near misses of a name.
enum class Folding : std::uint8_t { kCase, kCaseAndSeparators };

char folded(char c, Folding folding) {
  if (c >= 'A' && c <= 'Z') return static_cast<char>(c - 'A' + 'a');
  return c == '-' && folding == Folding::kCaseAndSeparators ? '_' : c;
}

bool same_when_folded(std::string_view a, std::string_view b, Folding folding) {
  return std::ranges::equal(
      a, b, [&](char x, char y) { return folded(x, folding) == folded(y, folding); });
}

// Calls visit(path, attributes) for the objects of a table that can have attributes.
template <class Visit>
void for_each_column(const Table& table, Visit visit) {
  for (const Column& column : table.columns) visit(column.path(), column.data->attributes);
}
template <class Visit>
void for_each_list(const Table& table, Visit visit) {
  for (const ListColumn& list : table.lists) visit(list.path(), list.group().attributes);
}
template <class Visit>
void for_each_categories(const Table& table, Visit visit) {
  for (const Categories& categories : table.categories)
    visit(categories.data->path, categories.data->attributes);
}
template <class Visit>
void for_each_index(const Table& table, Visit visit) {
  for (const SearchIndex& index : table.indexes) visit(index.data->path, index.data->attributes);
}
template <class Visit>
void for_each_other_index_dataset(const Table& table, Visit visit) {
  for (const auto& dataset : table.accompanying) visit(dataset->path, dataset->attributes);
  for (const auto& dataset : table.strays) visit(dataset->path, dataset->attributes);
}
template <class Visit>
void for_each_reserved_group(const Table& table, Visit visit) {
  for (const Group* group : {table.categories_group, table.search_indexes_group})
    if (group && !marks_table(*group))  // no-nested-table
      visit(group->path, group->attributes);
}

using Names = std::initializer_list<std::string_view>;

// Calls report(finding) for each attribute that equals one of `names` after folding.
template <class Report>
void near_misses(const std::string& path, const Attributes& attributes, Names names,
                 Folding folding, const char* expected, Report report) {
  for (const auto& [name, attribute] : attributes) {
    const auto meant = std::ranges::find_if(names, [&](std::string_view known) {
      return name != known && same_when_folded(name, known, folding);
    });
    if (meant != names.end())
      report(Finding{.object = path,
                     .attribute = name,
                     .observed = "an attribute " + name,
                     .expected = std::string(*meant) + ", " + expected,
                     .hint = "Rename the attribute with H5Arename, if this name is intended."});
  }
}

void names_uppercase(const Table& table, Probe& probe) {
  const auto look = [&](const std::string& path, const Attributes& attributes, Names names) {
    if (std::ranges::none_of(names, [&](auto name) { return table.revision->reserves_name(name); }))
      return;
    probe.looked();
    near_misses(path, attributes, names, Folding::kCaseAndSeparators,
                "in upper case with underscores",
                [&](Finding finding) { probe.fail(std::move(finding)); });
  };
  // A missing mandatory name has a finding already: class-present, version-present, nrows-present,
  // kind-present, bitmap-values-attr-present, the clauses of 12.2.
  const auto look_if_present = [&](const std::string& path, const Attributes& attributes,
                                   Names names) {
    for (const std::string_view name : names)
      if (attributes.contains(name)) look(path, attributes, {name});
  };
  look(table.path(), table.group.attributes, {"TITLE", "INDEX_COLUMNS"});
  look_if_present(table.path(), table.group.attributes, {"CLASS", "VERSION", "NROWS"});
  if (table.attribute("GENERATION") || table.indexes.empty())
    look(table.path(), table.group.attributes, {"GENERATION"});
  for_each_column(table, [&](const std::string& path, const Attributes& attributes) {
    look(path, attributes, {"SEARCH_INDEX_LIST", "CATEGORIES"});
  });
  for_each_index(table, [&](const std::string& path, const Attributes& attributes) {
    look_if_present(path, attributes, {"KIND", "VALUES", "SOURCE_GENERATION", "SOURCE_NROWS"});
  });
}

void reserved_search_index_name(const Table& table, const SearchIndex& index, Probe& probe) {
  if (!index.data->attribute("KIND")) return;  // kind-present
  probe.looked();
  const auto finding = [&] {
    return Finding{.object = index.data->path,
                   .observed = "a search index named " + index.data->name,
                   .expected = "a name that is not reserved",
                   .hint = "Rename the dataset with H5Lmove."};
  };
  judge_unreserved(table, index.data->name, finding, probe);
}

// Calls check(path, attributes, belong, object) for the groups of a list column and their members.
// Other objects are list-only-members.
template <class Check>
void misuse_in_list(const ListColumn& list, Check check) {
  // SEARCH_INDEX_LIST: list-no-search-index-list.
  constexpr std::string_view on_list[] = {"CLASS", "KIND", "SEARCH_INDEX_LIST"};
  constexpr std::string_view on_leaf[] = {"valid_min", "valid_max"};
  const std::span<const std::string_view> nothing, level_names(on_list), leaf_names(on_leaf);
  for (const ListLevel& level : list.levels) {
    const bool outermost = &level == &list.levels.front();
    const bool strings = level.cls == ListClass::kStrings;
    check(level.path, level.group->attributes,
          level_names.first(strings     ? 1
                            : outermost ? 3
                                        : 2),
          strings ? "a STRING_VALUES group" : "a list column group");
    for (const ListMember* member : {&level.offsets, &level.mask, &level.values})
      if (const Dataset* data = member->data())
        check(data->path, data->attributes, data == list.leaf() ? leaf_names : nothing,
              "a member of a list column");
  }
}

void reserved_attribute_misuse(const Table& table, Probe& probe) {
  const auto check = [&](const std::string& path, const Attributes& attributes,
                         std::span<const std::string_view> belong, const char* object) {
    for (const auto& [name, attribute] : attributes) {
      probe.looked();
      if (std::ranges::contains(belong, name)) continue;
      const auto finding = [&] {
        return Finding{.object = path,
                       .attribute = name,
                       .observed = "the reserved name " + name + " on " + object,
                       .expected = "reserved names only where HEP001 defines them",
                       .hint = "Rename or delete the attribute."};
      };
      judge_unreserved(table, name, finding, probe);
    }
  };
  constexpr std::string_view on_group[] = {"CLASS", "VERSION",       "NROWS",
                                           "TITLE", "INDEX_COLUMNS", "GENERATION"};
  // MASK: column-no-mask-attribute.
  constexpr std::string_view on_col[] = {"SEARCH_INDEX_LIST", "CATEGORIES", "valid_min",
                                         "valid_max", "MASK"};
  constexpr std::string_view on_bitmap[] = {"SOURCE_GENERATION", "SOURCE_NROWS", "KIND", "VALUES"};
  constexpr std::string_view on_accompanying[] = {"KIND"};  // accompanying-no-kind
  const std::span<const std::string_view> nothing, bitmap(on_bitmap), index_names = bitmap.first(3);
  check(table.path(), table.group.attributes, on_group, "the table group");
  for_each_column(table, [&](const auto& path, const auto& attributes) {
    check(path, attributes, on_col, "a column");
  });
  for_each_categories(table, [&](const auto& path, const auto& attributes) {
    check(path, attributes, nothing, "a categories dataset");
  });
  for_each_reserved_group(table, [&](const auto& path, const auto& attributes) {
    check(path, attributes, nothing, "a reserved group");
  });
  for (const SearchIndex& index : table.indexes) {
    // VALUES on an index of unknown KIND may be defined by another revision.
    const bool values = index.kind == IndexKind::kBitmap || index.kind == IndexKind::kUnknown;
    check(index.data->path, index.data->attributes, values ? bitmap : index_names,
          "a search index");
  }
  for (const auto& dataset : table.accompanying)
    check(dataset->path, dataset->attributes, on_accompanying, "an accompanying dataset");
  for (const auto& dataset : table.strays)  // no-stray-dataset
    check(dataset->path, dataset->attributes, index_names, "a dataset without KIND");
  for (const ListColumn& list : table.lists) misuse_in_list(list, check);
}

void reserved_link_name_elsewhere(const Table& table, Probe& probe) {
  const auto check = [&](const Dataset& dataset, const char* what) {
    probe.looked();
    if (table.revision->reserves_name(dataset.name) || table.revision->reserves_token(dataset.name))
      probe.fail({.object = dataset.path,
                  .observed = std::string(what) + " named " + dataset.name,
                  .expected = "a name that is not reserved",
                  .hint = "Rename the dataset with H5Lmove."});
  };
  for (const Categories& categories : table.categories)
    check(*categories.data, "a categories dataset");
  for (const auto& dataset : table.accompanying) check(*dataset, "an accompanying dataset");
}

void descriptive_attributes_lowercase(const Table& table, Probe& probe) {
  const auto look = [&](const std::string& path, const Attributes& attributes) {
    probe.looked();
    near_misses(
        path, attributes, {"units", "units_vocabulary", "description", "valid_min", "valid_max"},
        Folding::kCase, "in lower case", [&](Finding finding) { probe.fail(std::move(finding)); });
  };
  look(table.path(), table.group.attributes);
  for_each_column(table, look);
  for_each_list(table, look);
}

void borrowed_names_exact(const Table& table, Probe& probe) {
  const auto look = [&](const std::string& path, const Attributes& attributes, Names names) {
    probe.looked();
    near_misses(path, attributes, names, Folding::kCaseAndSeparators, "as Anndata writes it",
                [&](Finding finding) {
                  // These two are unambiguous; others could be ordinary user attributes.
                  if (finding.attribute == "column_order" || finding.attribute == "Ordered")
                    probe.error(std::move(finding));
                  else
                    probe.fail(std::move(finding));
                });
  };
  look(table.path(), table.group.attributes,
       {"column-order", "_index", "encoding-type", "encoding-version"});
  for_each_categories(table, [&](const std::string& path, const Attributes& attributes) {
    look(path, attributes, {"ordered"});
  });
  for (const SearchIndex& index : table.indexes)
    if (index.kind == IndexKind::kBitmap ||
        (index.kind == IndexKind::kSortedRows && index.data->attribute("ordered")))
      look(index.data->path, index.data->attributes,
           {"ordered"});  // otherwise sorted-ordered-present
}

void attribute_names_not_repurposed(const Table& table, Probe& probe) {
  const auto check = [&](const std::string& path, const Attributes& attributes, bool on_table,
                         bool ordered_belongs) {
    for (const auto& [name, attribute] : attributes) {
      probe.looked();
      const bool table_only = name == "column-order" || name == "_index";
      const bool encoding = name == "encoding-type" || name == "encoding-version";
      const bool wrong_place = (table_only && !on_table) || (name == "ordered" && !ordered_belongs);
      // On the table group, a clause of 7.4 covers a wrong datatype.
      const bool wrong_type = encoding && !on_table && !attribute.type.is(TypeClass::kString);
      if (!wrong_place && !wrong_type) continue;
      Finding finding{.object = path,
                      .attribute = name,
                      .expected = "the meaning that Anndata gives the name",
                      .hint = "Rename or delete the attribute."};
      if (wrong_place) {
        finding.observed = name + " on another kind of object";
        probe.error(std::move(finding));
      } else {
        finding.observed = name + " as " + describe(attribute.type);
        probe.fail(std::move(finding));
      }
    }
  };
  check(table.path(), table.group.attributes, true, false);
  for_each_column(table, [&](const auto& p, const auto& a) { check(p, a, false, false); });
  for_each_list(table, [&](const auto& p, const auto& a) { check(p, a, false, false); });
  for_each_categories(table, [&](const auto& p, const auto& a) { check(p, a, false, true); });
  for_each_reserved_group(table, [&](const auto& p, const auto& a) { check(p, a, false, false); });
  for (const SearchIndex& index : table.indexes)
    check(index.data->path, index.data->attributes, false,
          index.kind != IndexKind::kChunkMinmax && index.kind != IndexKind::kChunkBloom);
  for_each_other_index_dataset(table,
                               [&](const auto& p, const auto& a) { check(p, a, false, false); });
}

void string_values_not_repurposed(const Table& table, Probe& probe) {
  const auto check = [&](const std::string& path, const Attribute* encoding,
                         std::string_view contradiction, const char* object) {
    if (!encoding || !encoding->type.is(TypeClass::kString)) return;
    probe.looked();
    const std::optional<std::string> value = string_value(*encoding);
    if (value == contradiction)
      probe.fail({.object = path,
                  .attribute = encoding->name,
                  .observed = '"' + *value + "\" on " + object,
                  .expected = "the meaning that Anndata gives the value",
                  .hint = "Write the encoding of the object, or delete the attribute."});
  };
  check(table.path(), table.attribute("encoding-type"), "categorical", "a table group");
  for (const Column& column : table.columns)
    check(column.path(), column.data->attribute("encoding-type"), "dataframe", "a column");
  for (const ListColumn& list : table.lists)
    check(list.path(), list.group().attribute("encoding-type"), "dataframe", "a column");
}

constexpr Rule kReservedNamesRules[] = {
    {"names-uppercase", names_uppercase, Sees::kEverything},
    {"reserved-search-index-name", reserved_search_index_name},
    {"reserved-attribute-misuse", reserved_attribute_misuse, Sees::kEverything},
    {"reserved-link-name-elsewhere", reserved_link_name_elsewhere, Sees::kEverything},
    {"descriptive-attributes-lowercase", descriptive_attributes_lowercase, Sees::kEverything},
    {"borrowed-names-exact", borrowed_names_exact, Sees::kEverything},
    {"attribute-names-not-repurposed", attribute_names_not_repurposed, Sees::kEverything},
    {"string-values-not-repurposed", string_values_not_repurposed, Sees::kEverything},
};

}  // namespace

std::span<const Rule> reserved_name_rules() { return kReservedNamesRules; }

}  // namespace hepcheck::hep001
