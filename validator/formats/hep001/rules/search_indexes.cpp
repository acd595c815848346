// HEP001 10.1 to 10.3: the SEARCH_INDEXES group, links to it, attributes of every index.
#include "validator/formats/hep001/model/unread.h"
#include "validator/formats/hep001/rules/names.h"

namespace hepcheck::hep001 {

namespace {

void search_indexes_is_group(const Table& table, Probe& probe) {
  reserved_child_is_group(table, "SEARCH_INDEXES", probe);
}

void only_datasets(const Table& table, Probe& probe) {
  only_datasets_in(table.search_indexes_group, probe);
}

const Attribute* kind_of(const SearchIndex& index) { return index.data->attribute("KIND"); }

// Its KIND is misspelt or belongs to another revision (kind-value); consumers ignore it.
bool has_unknown_kind(const SearchIndex& index) {
  return index.kind == IndexKind::kUnknown && kind_of(index) != nullptr;
}

Unclear unclear_list(const Table& table) {
  return unclear_reference(table, "SEARCH_INDEX_LIST", kIndexList);
}

Unclear unclear_values(const Table& table) {
  for (const SearchIndex& index : table.indexes)
    if (index.kind == IndexKind::kBitmap)
      if (Unclear ids = unclear_reference(index.data->attribute("VALUES"), kValues)) return ids;
  return std::nullopt;
}

// The targets of indexes of unknown KIND, or without one, belong to these indexes.
std::unordered_set<ObjectToken, ObjectTokenHash> companions_of_unknown_kinds(const Table& table) {
  std::unordered_set<ObjectToken, ObjectTokenHash> tokens;
  for (const SearchIndex& index : table.indexes)
    if (index.kind == IndexKind::kUnknown)
      for (const auto& [name, attribute] : index.data->attributes)
        for (const Reference& reference : attribute.references)
          if (reference.resolved()) tokens.insert(reference.token);
  return tokens;
}

// An index's attributes could not be listed, so it may require other datasets.
bool any_unlisted_attributes(const Table& table) {
  const auto unlisted = [](const Dataset& d) { return d.attributes_unreadable.has_value(); };
  return std::ranges::any_of(table.indexes,
                             [&](const SearchIndex& i) { return unlisted(*i.data); }) ||
         std::ranges::any_of(table.strays, [&](const auto& d) { return unlisted(*d); });
}

void no_stray_dataset(const Table& table, Probe& probe) {
  if (!table.search_indexes_group) return;
  probe.looked();
  if (table.strays.empty()) return;
  Unclear unclear = unclear_list(table);
  if (!unclear) unclear = unclear_values(table);
  if (unclear) return probe.blocked("a reference attribute cannot be interpreted", *unclear);
  if (const auto unread = unlisted(table, "SEARCH_INDEXES")) return probe.blocked(*unread);
  if (has_unreadable_member(table.search_indexes_group) || any_unlisted_attributes(table))
    return probe.blocked("a dataset in SEARCH_INDEXES cannot be read");
  const bool foreign = std::ranges::any_of(table.indexes, has_unknown_kind);
  const auto companions = companions_of_unknown_kinds(table);
  for (const auto& stray : table.strays) {
    if (companions.contains(stray->token)) continue;
    Finding finding{.object = stray->path,
                    .observed = "a dataset without KIND that no search index refers to",
                    .expected = "search indexes and the datasets that they require",
                    .hint = "Delete it, or refer to it from the VALUES of its bitmap."};
    // It may belong to an index of a KIND that only a later revision defines.
    if (foreign)
      probe.warn(std::move(finding));
    else
      probe.fail(std::move(finding));
  }
}

void kind_present(const Table&, const SearchIndex& index, Probe& probe) {
  if (!kind_of(index) && index.data->attributes_unreadable)
    return probe.blocked(index.data->path + ": " + *index.data->attributes_unreadable);
  probe.looked();
  if (!kind_of(index))
    probe.fail({.object = index.data->path,
                .attribute = "KIND",
                .observed = "absent from a dataset that a SEARCH_INDEX_LIST refers to",
                .expected = "an attribute KIND on every search index",
                .hint = "Write KIND with the name of the index family."});
}

void accompanying_no_kind(const Table& table, Probe& probe) {
  for (const auto& dataset : table.accompanying) {
    probe.looked();
    if (dataset->attribute("KIND"))
      probe.fail({.object = dataset->path,
                  .attribute = "KIND",
                  .observed = "KIND on the values dataset of a bitmap",
                  .expected = "no KIND on an accompanying dataset",
                  .hint = "Delete the attribute."});
  }
}

void index_referenced(const Table& table, Probe& probe) {
  const Unclear unclear = unclear_list(table);
  for (const SearchIndex& index : table.indexes) {
    if (!kind_of(index)) continue;  // kind-present; it is the target of a reference
    probe.looked();
    if (!index.columns.empty() || index.listed_by_list_column) continue;
    if (unclear) return probe.blocked("a SEARCH_INDEX_LIST cannot be interpreted", *unclear);
    Finding finding{.object = index.data->path,
                    .observed = "no column lists this search index",
                    .expected = "a reference from the SEARCH_INDEX_LIST of its column",
                    .hint = "Add the reference to the column, or delete the index."};
    if (index.kind == IndexKind::kUnknown)
      probe.warn(std::move(finding));
    else
      probe.fail(std::move(finding));
  }
}

void no_back_pointer(const Table& table, const SearchIndex& index, Probe& probe) {
  probe.looked();
  for (const auto& [name, attribute] : index.data->attributes) {
    if (name == "VALUES" && index.kind == IndexKind::kBitmap) continue;  // bitmap-values-resolves
    const auto to_column = std::ranges::find_if(attribute.references, [&](const Reference& r) {
      return r.resolved() && table.column_by_token.contains(r.token);
    });
    if (to_column != attribute.references.end())
      probe.fail({.object = index.data->path,
                  .attribute = name,
                  .observed = describe(*to_column),
                  .expected = "no reference from a search index back to its column",
                  .hint = "Delete the attribute; SEARCH_INDEX_LIST is the only linkage."});
  }
}

std::string upper_case(std::string text) {
  for (char& c : text)
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  return text;
}

void kind_value(const Table& table, const SearchIndex& index, Probe& probe) {
  const Attribute* kind = readable_scalar(kind_of(index), "kind-scalar", probe);
  kind = readable_string(kind, "kind-fixed-string", probe);
  if (!kind) return;  // kind-present
  const std::string value = string_value(*kind).value_or("");
  probe.looked();
  if (index.kind != IndexKind::kUnknown) return;
  constexpr std::string_view kKinds[] = {"CHUNK_MINMAX", "SORTED_ROWS", "BITMAP", "CHUNK_BLOOM"};
  const bool misspelt = std::ranges::contains(kKinds, upper_case(value));
  const bool of_lists = table.revision->list_columns && value == "OFFSETS";
  Finding finding{.object = index.data->path,
                  .attribute = "KIND",
                  .observed = '"' + value + "\"; its contents were not examined",
                  .expected = "CHUNK_MINMAX, SORTED_ROWS, BITMAP or CHUNK_BLOOM",
                  .hint = misspelt ? "Write it in upper case."
                                   : "Consumers of this revision ignore the index."};
  // A later HEP may have registered it.
  if (value.empty() || misspelt || of_lists)
    probe.fail(std::move(finding));
  else
    probe.warn(std::move(finding));
}

// Whether an index can grow with its column: the dimension of the rows is unlimited.
void index_chunked_growable(const Table&, const SearchIndex& index, Probe& probe) {
  if (index.kind == IndexKind::kUnknown) return;
  const Dataset& data = *index.data;
  const std::size_t growing = index.kind == IndexKind::kBitmap ? 1 : 0;
  if (data.space.rank() <= growing) return;  // *-rank-1, *-rank-2
  probe.looked();
  const bool chunked = data.storage.layout == StorageLayout::kChunked;
  const bool unlimited = data.space.max_extent.size() > growing &&
                         data.space.max_extent[growing] == Dataspace::kUnlimited;
  if (chunked && unlimited) return;
  probe.fail({.object = data.path,
              .observed = chunked ? std::format("dimension {} is limited", growing)
                                  : std::string("no chunked storage"),
              .expected = std::format("a chunked dataset whose dimension {} is unlimited", growing),
              .hint = "Create the index so that it can be extended when rows are appended."});
}

void description_provenance(const Table&, const SearchIndex& index, Probe& probe) {
  if (!kind_of(index)) return;
  const Attribute* description = index.data->attribute("description");
  if (!description && index.data->attributes_unreadable) return;
  probe.looked();
  if (!description)
    probe.fail({.object = index.data->path,
                .attribute = "description",
                .observed = "absent",
                .expected = "the provenance of the index: when, by what, with which parameters",
                .hint = "Write a description."});
  else if (description->type.is(TypeClass::kString) && string_value(*description) == "")
    probe.fail({.object = index.data->path,
                .attribute = "description",
                .observed = "empty",
                .expected = "the provenance of the index: when, by what, with which parameters",
                .hint = "Write a description."});
}

constexpr Rule kSearchIndexesRules[] = {
    {"search-indexes-is-group", search_indexes_is_group, Sees::kIndexes},
    {"only-datasets", only_datasets, Sees::kIndexes},
    {"no-stray-dataset", no_stray_dataset, Sees::kIndexes},
    {"kind-present", kind_present},
    {"accompanying-no-kind", accompanying_no_kind, Sees::kIndexes},
    {"index-referenced", index_referenced, Sees::kIndexes},
    {"no-back-pointer", no_back_pointer},
    {"kind-scalar", on_index<SearchIndex, "KIND", is_scalar>},
    {"kind-fixed-string", on_index<SearchIndex, "KIND", is_fixed_string>},
    {"kind-ascii", on_index<SearchIndex, "KIND", is_ascii<"kind-fixed-string">>},
    {"kind-value", kind_value},
    {"index-chunked-growable", index_chunked_growable},
    {"index-description-scalar", on_index<SearchIndex, "description", is_scalar>},
    {"index-description-fixed-string", on_index<SearchIndex, "description", is_fixed_string>},
    {"index-description-utf8",
     on_index<SearchIndex, "description", is_utf8<"index-description-fixed-string">>},
    {"description-provenance", description_provenance},
};

}  // namespace

std::span<const Rule> search_index_rules() { return kSearchIndexesRules; }

}  // namespace hepcheck::hep001
