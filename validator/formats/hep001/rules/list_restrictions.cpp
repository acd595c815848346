// HEP001 9.5 "No variable-length datatypes", 9.6 "List column attributes".
#include "validator/formats/hep001/rules/lists.h"

namespace hepcheck::hep001 {

namespace {

// Calls visit(path, child) for every link below a group, each group once.
template <class Visit>
void for_each_below(const std::string& path, const Group& group, Visit& visit) {
  for (const Child& child : group.children) {
    const std::string at = path + '/' + child.name;
    visit(at, child);
    if (child.group) for_each_below(at, *child.group, visit);
  }
}

void list_no_vlen_dataset(const Table&, const ListColumn& list, Probe& probe) {
  auto look = [&](const std::string& path, const Child& child) {
    if (child.hard() && child.object == ObjectKind::kDataset &&
        (child.unreadable || !child.dataset || child.dataset->unreadable))
      return probe.blocked(path + " cannot be read");
    if (!child.dataset) return;
    probe.looked();
    if (has_variable_part(child.dataset->type))
      probe.fail({.object = path,
                  .observed = describe(child.dataset->type),
                  .expected = "a datatype without variable-length parts",
                  .hint = "Store strings as a STRING_VALUES group, sequences as nested lists."});
  };
  for_each_below(list.path(), list.group(), look);
}

// CLASS and KIND of nested levels are list-class-fixed-length, list-kind-fixed-string.
bool has_own_clause(const Group& group, std::string_view name) {
  const bool strings = is_of_class(group, "STRING_VALUES");
  const bool list = is_of_class(group, "LIST_COLUMN");
  return (name == "CLASS" && (strings || list)) || (name == "KIND" && list);
}

void no_variable_attributes(const std::string& path, const Attributes& attributes,
                            const Group* group, Probe& probe) {
  for (const auto& [name, attribute] : attributes) {
    if (group && has_own_clause(*group, name)) continue;
    if (!readable(&attribute, probe)) continue;
    probe.looked();
    if (has_variable_part(attribute.type))
      probe.fail({.object = path,
                  .attribute = name,
                  .observed = describe(attribute.type),
                  .expected = "an attribute without variable-length parts",
                  .hint = "Use a fixed-length string."});
  }
}

void list_no_vlen_attribute(const Table&, const ListColumn& list, Probe& probe) {
  auto look = [&](const std::string& path, const Child& child) {
    const std::optional<std::string>* unlisted = nullptr;
    if (child.dataset) {
      no_variable_attributes(path, child.dataset->attributes, nullptr, probe);
      unlisted = &child.dataset->attributes_unreadable;
    } else if (child.group) {
      no_variable_attributes(path, child.group->attributes, child.group.get(), probe);
      unlisted = &child.group->attributes_unreadable;
    } else if (child.hard() && child.unreadable) {
      probe.blocked(path + ": " + *child.unreadable);
    }
    if (unlisted && *unlisted) probe.blocked(path + ": " + **unlisted);
  };
  for_each_below(list.path(), list.group(), look);
  // The user's own attributes of the group itself are prohibited as well by the literal text.
  for (const auto& [name, attribute] : list.group().attributes) {
    constexpr std::string_view kDefined[] = {"CLASS", "KIND", "description", "units",
                                             "units_vocabulary"};
    if (attribute.unreadable || std::ranges::contains(kDefined, name)) continue;
    probe.looked();
    if (has_variable_part(attribute.type))
      probe.warn({.object = list.path(),
                  .attribute = name,
                  .observed = describe(attribute.type),
                  .expected = "no variable-length data on a list column group",
                  .hint = "Use a fixed-length string."});
  }
}

void list_no_search_index_list(const Table&, const ListColumn& list, Probe& probe) {
  const Group& group = list.group();
  if (!group.attribute("SEARCH_INDEX_LIST") && group.attributes_unreadable)
    return probe.blocked(list.path() + ": " + *group.attributes_unreadable);
  probe.looked();
  if (group.attribute("SEARCH_INDEX_LIST"))
    probe.fail({.object = list.path(),
                .attribute = "SEARCH_INDEX_LIST",
                .observed = "present",
                .expected = "no search indexes over list columns",
                .hint = "Delete the attribute and the index."});
}

constexpr Rule kListRestrictionsRules[] = {
    {"list-no-vlen-dataset", list_no_vlen_dataset},
    {"list-no-vlen-attribute", list_no_vlen_attribute},
    {"list-no-search-index-list", list_no_search_index_list},
};

}  // namespace

std::span<const Rule> list_restriction_rules() { return kListRestrictionsRules; }

}  // namespace hepcheck::hep001
