// References, lists of names, links and names.
#include <algorithm>
#include <format>
#include <set>

#include "validator/formats/hep001/repair/cases.h"
#include "validator/formats/hep001/repair/chapters.h"

namespace hepcheck::hep001 {

namespace {

using Role = Host::Role;

Reference object_reference(const ObjectToken& token, std::string path) {
  return {.kind = Reference::Kind::kObject,
          .target = Reference::Target::kObject,
          .token = token,
          .object = ObjectKind::kDataset,
          .path = std::move(path)};
}

// The targets of a reference attribute of any generation, or of absolute paths; nothing if one of
// them is unknown.
std::optional<std::vector<Reference>> targets_of(const Table& table, const Attribute& attribute) {
  std::vector<Reference> targets;
  if (attribute.unreadable) return std::nullopt;
  if (attribute.type.is(TypeClass::kString)) {
    for (const std::string& path : string_elements(attribute)) {
      const Child* child = child_at(table.group, path);
      if (!child || !child->hard() || !child->dataset) return std::nullopt;
      targets.push_back(object_reference(child->token, path));
    }
    return targets;
  }
  if (!attribute.type.is(TypeClass::kReference)) return std::nullopt;
  for (const Reference& each : attribute.references) {
    if (each.null() || !each.resolved() || each.object != ObjectKind::kDataset ||
        each.kind == Reference::Kind::kAttribute)
      return std::nullopt;
    targets.push_back(object_reference(each.token, each.path));
  }
  return targets;
}

constexpr const char* kWritten = "written as H5T_STD_REF, with the same targets";

// A SEARCH_INDEX_LIST is a list of what can be derived: what leads nowhere is left out.
RepairPlan index_list(const Case& c, const Attribute& list, const std::string& act) {
  std::vector<Reference> kept;
  std::set<ObjectToken> seen;
  if (list.type.is(TypeClass::kString)) {
    if (auto targets = targets_of(c.table, list)) kept = std::move(*targets);
  } else {
    for (const Reference& each : list.references)
      if (each.resolved() && c.table.index_by_token.contains(each.token) &&
          seen.insert(each.token).second)
        kept.push_back(object_reference(each.token, each.path));
  }
  if (!kept.empty())
    return changed(&list, c.finding.object, reference_list("SEARCH_INDEX_LIST", std::move(kept)),
                   act);
  RepairPlan plan{.act = "removed: no element leads to a search index"};
  plan.from = describe_value(list);
  plan.steps.push_back(drop_attribute(c.finding.object, "SEARCH_INDEX_LIST"));
  return plan;
}

RepairPlan reference_form(const Case& c) {
  const Host host = host_of(c.table, c.finding.object);
  const Attribute* attribute = host.attribute(c.finding.attribute);
  if (!attribute) return left("it cannot be found again");
  if (attribute->name == "SEARCH_INDEX_LIST") return index_list(c, *attribute, kWritten);
  if (auto plan = decided(c)) return *plan;
  std::optional<std::vector<Reference>> targets = targets_of(c.table, *attribute);
  const bool is_list = attribute->name == "INDEX_COLUMNS";
  if (!targets || (!is_list && targets->size() != 1)) {
    if (host.role == Role::kIndex) return rebuilt_index();
    std::vector<std::string> ways;
    if (is_list) ways.push_back(std::format("--set {}=COLUMN,...", place_of(c.finding)));
    ways.push_back(std::format("--drop {}", place_of(c.finding)));
    return left("its targets are not in the file, or not known", std::move(ways));
  }
  return changed(attribute, c.finding.object,
                 is_list ? reference_list(attribute->name, std::move(*targets))
                         : reference_attribute(attribute->name, targets->front()),
                 kWritten);
}

RepairPlan list_resolves(const Case& c) {
  const Attribute* list = host_of(c.table, c.finding.object).attribute("SEARCH_INDEX_LIST");
  if (!list) return left("it cannot be found again");
  return index_list(c, *list, "written without the elements that lead to no search index");
}

// Null elements and repetitions label nothing; an element that leads elsewhere was meant for a
// column.
RepairPlan index_columns(const Case& c) {
  if (auto plan = decided(c)) return *plan;
  const Attribute* list = c.table.attribute("INDEX_COLUMNS");
  if (!list || !list->type.is(TypeClass::kReference)) return left("it cannot be found again");
  std::vector<Reference> kept;
  std::set<ObjectToken> seen;
  for (const Reference& each : list->references) {
    if (each.null()) continue;
    if (!each.resolved() || !c.table.column_by_token.contains(each.token))
      return left("an element leads to no column; which one was meant is not in the file",
                  {std::format("--set {}@INDEX_COLUMNS=COLUMN,...", c.table.path()),
                   std::format("--drop {}@INDEX_COLUMNS", c.table.path())});
    if (seen.insert(each.token).second) kept.push_back(object_reference(each.token, each.path));
  }
  if (!kept.empty())
    return changed(list, c.table.path(), reference_list("INDEX_COLUMNS", std::move(kept)),
                   "written without null elements and repetitions");
  RepairPlan plan{.act = "removed: no element leads anywhere", .from = describe_value(*list)};
  plan.steps.push_back(drop_attribute(c.table.path(), "INDEX_COLUMNS"));
  return plan;
}

RepairPlan underscore_index(const Case& c) {
  const Attribute* list = c.table.attribute("INDEX_COLUMNS");
  const Attribute* label = c.table.attribute("_index");
  if (list && label && !list->references.empty() && list->references.front().resolved()) {
    const auto column = c.table.column_by_token.find(list->references.front().token);
    if (column != c.table.column_by_token.end())
      return changed(label, c.table.path(),
                     utf8_attribute("_index", c.table.columns[column->second].name()),
                     "written as the name of the first column of INDEX_COLUMNS");
  }
  if (auto plan = decided(c)) return *plan;
  return left("which column has the labels is not in the file",
              {std::format("--set {}@_index=COLUMN", c.table.path()),
               std::format("--drop {}@_index", c.table.path())});
}

// Names of columns stay in their order, each once; what is missing comes last, in the order of
// links.
RepairPlan column_order(const Case& c) {
  const Attribute* order = c.table.attribute("column-order");
  if (!order) return left("it cannot be found again");
  std::vector<std::string> names;
  std::set<std::string> seen, reported;
  const bool categories = c.finding.observed.contains("a categories dataset");
  for (const std::string& name : string_elements(*order)) {
    const Child* child = c.table.group.child(name);
    const bool column =
        c.table.column_by_name.contains(name) || c.table.list_by_name.contains(name);
    // A child that was meant as a column stays: another clause is about it.
    const bool meant = child && !categories && (child->is_dataset() || !child->hard());
    if ((column || meant) && seen.insert(name).second) names.push_back(name);
  }
  for (const Child& child : c.table.group.children)
    if ((c.table.column_by_name.contains(child.name) ||
         c.table.list_by_name.contains(child.name)) &&
        seen.insert(child.name).second)
      names.push_back(child.name);
  if (names == string_elements(*order))
    return left("the name stands for two objects", ways_to_move(c));
  return changed(order, c.table.path(), utf8_list_attribute("column-order", names),
                 "written with each column once");
}

RepairPlan hard_link(const Case& c) {
  const Child* child = child_at(c.table.group, c.finding.object);
  if (!child) return left("it cannot be found again");
  if (child->link != Child::LinkKind::kSoft || !child->soft_target) {
    if (auto plan = decided(c)) return *plan;
    return left("it leads to another file, or to nothing", ways_to_move(c));
  }
  RepairPlan plan{.act = "replaced by a hard link to the same dataset"};
  plan.from = "a soft link to " + child->link_target;
  plan.to = "a hard link";
  plan.steps = {remove_link(child->path),
                link_to(child->path, *child->soft_target, child->link_target)};
  return plan;
}

// What does not belong where it is.
RepairPlan foreign_object(const Case& c) {
  if (auto plan = decided(c)) return *plan;
  return left("it is not part of a table, and where it belongs is for its owner to say",
              ways_to_move(c));
}
RepairPlan foreign_attribute(const Case& c) {
  if (auto plan = decided(c)) return *plan;
  return left("whether the name was meant as that of HEP001 is for its owner to say",
              ways_to_move(c));
}
RepairPlan foreign_name(const Case& c) {
  if (auto plan = decided(c)) return *plan;
  const std::string name(last_name(c.finding.object));
  return left("a new name is for its owner to choose",
              {std::format("--rename {}=NEW_NAME", name.contains('=') ? c.finding.object : name)});
}

// Two misspellings that nothing else can mean.
RepairPlan borrowed_name(const Case& c) {
  const Host host = host_of(c.table, c.finding.object);
  const std::string meant = c.finding.attribute == "column_order" ? "column-order" : "ordered";
  if (c.finding.severity != Severity::kError || host.attribute(meant)) return foreign_attribute(c);
  RepairPlan plan{.act = "renamed", .from = c.finding.attribute, .to = meant};
  plan.steps.push_back(rename_attribute(c.finding.object, c.finding.attribute, meant));
  return plan;
}

// --- categories

std::string free_name(const Group& group, const std::string& name) {
  std::string candidate = name;
  for (int i = 2; group.child(candidate); ++i) candidate = std::format("{}_{}", name, i);
  return candidate;
}

// Labels in another place of the file get a link in CATEGORIES; the reference stays as it is.
RepairPlan link_labels(const Case& c) {
  if (auto plan = decided(c)) return *plan;
  const Column* column = column_at(c.table, c.finding.object);
  const Attribute* link = column ? column->data->attribute("CATEGORIES") : nullptr;
  if (!link || link->references.size() != 1) return left("it cannot be found again");
  const Reference& target = link->references.front();
  const Group* group = c.table.categories_group;
  if (!target.resolved() || target.object != ObjectKind::kDataset || target.path.empty() ||
      !group || c.table.column_by_token.contains(target.token) ||
      c.table.index_by_token.contains(target.token))
    return left("the labels are not in the file, or are something else as well",
                {std::format("--drop {}@CATEGORIES", c.finding.object)});
  RepairPlan plan{.act = "linked into CATEGORIES; the labels stay where they are, too"};
  plan.from = target.path;
  plan.to = group->path + "/" + free_name(*group, std::string(last_name(target.path)));
  plan.steps.push_back(link_to(plan.to, target.token, target.path));
  return plan;
}

RepairPlan raise_labels(const Case& c) {
  const Group* group = c.table.categories_group;
  const Child* child = group ? child_at(*group, c.finding.object) : nullptr;
  if (!child) return left("it cannot be found again");
  RepairPlan plan{.act = "moved directly into CATEGORIES", .from = child->path};
  plan.to = group->path + "/" + free_name(*group, child->name);
  plan.steps = {link_to(plan.to, child->token, child->path), remove_link(child->path)};
  // The group is removed if nothing else is in it.
  const std::string folder = child->path.substr(0, child->path.rfind('/'));
  const Child* parent = child_at(*group, folder);
  if (parent && parent->group && parent->group->children.size() == 1 &&
      parent->group->attributes.empty())
    plan.steps.back() = remove_link(folder);
  return plan;
}

RepairPlan drop_orphan(const Case& c) {
  const Child* child =
      c.table.categories_group ? child_at(*c.table.categories_group, c.finding.object) : nullptr;
  if (!child || !child->dataset) return left("it cannot be found again");
  RepairPlan plan{.act = "removed: no column refers to these labels"};
  plan.from = describe(child->dataset->type) + ", " + describe(child->dataset->space);
  plan.steps.push_back(remove_link(child->path));
  return plan;
}

// --- search indexes

RepairPlan drop_list(const Case& c) {
  const Attribute* list = host_of(c.table, c.finding.object).attribute("SEARCH_INDEX_LIST");
  RepairPlan plan{.act = "removed: a list column has no search indexes"};
  if (list) plan.from = describe_value(*list);
  plan.steps.push_back(drop_attribute(c.finding.object, "SEARCH_INDEX_LIST"));
  return plan;
}

RepairPlan drop_pointer(const Case& c) {
  const Attribute* pointer = host_of(c.table, c.finding.object).attribute(c.finding.attribute);
  RepairPlan plan{.act = "removed: only columns refer to indexes"};
  if (pointer) plan.from = describe_value(*pointer);
  plan.steps.push_back(drop_attribute(c.finding.object, c.finding.attribute));
  return plan;
}

RepairPlan drop_stray(const Case& c) {
  if (c.finding.severity != Severity::kError)
    return left("an index of a later specification may need it",
                {std::format("--drop {}", c.finding.object)});
  RepairPlan plan{.act = "removed: no search index needs it"};
  plan.steps.push_back(remove_link(c.finding.object));
  return plan;
}

RepairPlan build_or_drop(const Case&) { return rebuilt_index(); }

constexpr std::string_view kReference =
    "Writes the references again as H5T_STD_REF with the same targets, if all of them are known.";
constexpr std::string_view kOrder =
    "Writes column-order with each column once: the names in their order, then missing columns in "
    "the order of links.";
constexpr std::string_view kMove = "Needs a decision: --rename OLD=NEW, or --drop PATH.";
constexpr std::string_view kName = "Needs a name: --rename OLD=NEW.";
constexpr std::string_view kIndex = "Builds the index again from its column, or drops it.";

constexpr Repair kLinkRepairs[] = {
    {"column-hard-link", hard_link, "Replaces a soft link by a hard link to the same dataset."},
    {"index-columns-std-ref", reference_form, kReference},
    {"categories-std-ref", reference_form, kReference},
    {"search-index-list-std-ref", reference_form, kReference},
    {"bitmap-values-std-ref", reference_form, kReference},
    {"no-std-ref-obj", reference_form, kReference},
    {"reference-is-object-reference", reference_form, kReference},
    {"index-columns-1d", reference_form, kReference},
    {"index-columns-not-null", index_columns, "Leaves out null elements and repetitions."},
    {"index-columns-not-list-column", index_columns, "Needs a decision: --set or --drop."},
    {"index-columns-resolve-to-column", index_columns,
     "Leaves out repetitions; for other elements it needs a decision: --set or --drop."},
    {"underscore-index-equals-first", underscore_index,
     "Writes the name of the first column of INDEX_COLUMNS."},
    {"underscore-index-names-column", underscore_index, "Needs a decision: --set or --drop."},
    {"descendants-serve-the-model", foreign_object, kMove},
    {"no-named-datatype", foreign_object, kMove},
    {"no-soft-link", foreign_object, kMove},
    {"no-nested-table", foreign_object, kMove},
    {"no-multidimensional-dataset", foreign_object, kMove},
    {"no-user-subgroup", foreign_object, kMove},
    {"column-name-utf8", foreign_name, kName},
    {"column-name-not-reserved", foreign_name, kName},
    {"column-no-mask-attribute", foreign_attribute, kMove},
    {"search-index-list-1d", reference_form, kReference},
    {"categories-only-on-categorical", foreign_attribute, kMove},
    {"categories-is-group", foreign_object, kMove},
    {"categories-only-datasets", foreign_object, kMove},
    {"categories-attr-scalar", reference_form, kReference},
    {"categories-directly-under", raise_labels, "Moves the labels directly into CATEGORIES."},
    {"categories-not-in-column-order", column_order, kOrder},
    {"list-only-members", foreign_object, kMove},
    {"string-values-only-members", foreign_object, kMove},
    {"list-no-vlen-attribute", foreign_attribute, kMove},
    {"list-no-search-index-list", drop_list, "Removes the list; its indexes are dropped."},
    {"search-indexes-is-group", foreign_object, kMove},
    {"only-datasets", foreign_object, kMove},
    {"no-stray-dataset", drop_stray, "Removes what no index needs."},
    {"accompanying-no-kind", build_or_drop, kIndex},
    {"index-referenced", build_or_drop, "Drops an index that no column lists."},
    {"no-back-pointer", drop_pointer, "Removes the reference."},
    {"search-index-list-resolves", list_resolves,
     "Leaves out the elements that lead to no search index, and repetitions."},
    {"categories-ref-resolves", link_labels,
     "Links labels from elsewhere in the file into CATEGORIES."},
    {"categories-referenced", drop_orphan, "Removes labels to which no column refers."},
    {"column-order-complete", column_order, kOrder},
    {"column-order-no-duplicates", column_order, kOrder},
    {"column-order-only-columns", column_order, kOrder},
    {"names-uppercase", foreign_attribute, kMove},
    {"reserved-search-index-name", build_or_drop, kIndex},
    {"reserved-attribute-misuse", foreign_attribute, kMove},
    {"reserved-link-name-elsewhere", foreign_name, kName},
    {"descriptive-attributes-lowercase", foreign_attribute, kMove},
    {"borrowed-names-exact", borrowed_name,
     "Renames column_order and Ordered; other names need a decision: --rename OBJECT@OLD=NEW."},
    {"attribute-names-not-repurposed", foreign_attribute, kMove},
    {"string-values-not-repurposed", foreign_attribute, kMove},
};

}  // namespace

std::span<const Repair> link_repairs() { return kLinkRepairs; }

}  // namespace hepcheck::hep001
