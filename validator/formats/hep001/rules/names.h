// Which children of a table group its attributes name as columns, whether they are columns or not.
#pragma once

#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "validator/formats/hep001/model/unread.h"
#include "validator/formats/hep001/rules/attributes.h"

namespace hepcheck::hep001 {

// The names in column-order, _index and INDEX_COLUMNS. A child that is not a column dataset but is
// named here was intended as a column, and is judged as one (3, 8.1); otherwise it is foreign
// content (7.6).
class NamedColumns {
 public:
  explicit NamedColumns(const Table& table) : table_(table) {}

  bool call(const Child& child) {
    if (!known_) learn();
    if (names_.contains(child.name)) return true;
    if (child.hard()) return tokens_.contains(child.token);
    // An alias of a column that has a hard link is foreign.
    return child.soft_target && tokens_.contains(*child.soft_target) &&
           !table_.column_by_token.contains(*child.soft_target) &&
           !table_.list_by_token.contains(*child.soft_target);
  }

 private:
  // Most tables have no child for which this is asked.
  void learn() {
    known_ = true;
    for (const char* attribute : {"column-order", "_index"})
      if (const Attribute* a = table_.attribute(attribute))
        for (std::string& name : string_elements(*a)) names_.insert(std::move(name));
    if (const Attribute* a = table_.attribute("INDEX_COLUMNS"))
      for (const Reference& reference : a->references)
        if (reference.resolved()) tokens_.insert(reference.token);
  }

  const Table& table_;
  bool known_ = false;
  std::unordered_set<std::string> names_{};
  std::unordered_set<ObjectToken, ObjectTokenHash> tokens_{};
};

inline bool is_reserved_group_name(std::string_view name) {
  return name == "CATEGORIES" || name == "SEARCH_INDEXES";
}

// A name or a KIND that HEP001 reserves, in another meaning; `finding` makes what is reported.
template <class Make>
void judge_unreserved(const Table& table, const std::string& name, const Make& finding,
                      Probe& probe) {
  if (table.revision->reserves_name(name))
    probe.fail(finding());
  else if (table.revision->reserves_token(name))
    probe.warn(finding());
}

// An existing reserved child must be a hard-linked group (8.7, 10.1); a dataset of that name is
// column-name-not-reserved or no-multidimensional-dataset.
void reserved_child_is_group(const Table& table, const char* name, Probe& probe);

// A reserved group contains hard links to datasets and nothing else (8.7, 10.1). Table groups
// inside it are no-nested-table.
void only_datasets_in(const Group* group, Probe& probe);

// The objects in groups below CATEGORIES, where no categories dataset may be (8.7).
std::unordered_map<ObjectToken, const Child*, ObjectTokenHash> deeper_in_categories(
    const Table& table);

// The elements of column-order, if it is a list of fixed-length strings; otherwise column-order-1d
// and column-order-fixed-string block the clause.
std::optional<std::vector<std::string>> column_order(const Table& table, Probe& probe);

// The additional role of a column that another hard link places in CATEGORIES or SEARCH_INDEXES:
// datasets in those groups are not columns (3).
std::optional<std::string> other_role(const Table& table, const Column& column);

// The group has a member that cannot be opened, so an unresolved reference may refer to it.
inline bool has_unreadable_member(const Group* group) {
  return group && std::ranges::any_of(group->children, [](const Child& child) {
           return child.hard() && child.unreadable;
         });
}

// A reference to none of the known members of the group may refer to an unknown one: one that
// cannot be read, or a link that could not be listed, of the group or of the table that contains
// the group.
inline bool may_be_unread_member(const Table& table, const Group* group,
                                 const Reference& reference) {
  if (!reference.resolved() && !reference.dangling()) return false;
  if (table.group.unreadable || (group && group->unreadable)) return true;
  return group && std::ranges::any_of(group->children, [&](const Child& child) {
           return why_unread(child) && (reference.dangling() || child.token == reference.token ||
                                        child.object == ObjectKind::kUnknown);
         });
}

// The table has a column of that name, a list column included.
inline bool is_column_name(const Table& table, const std::string& name) {
  return table.column_by_name.contains(name) || table.list_by_name.contains(name);
}

// A group whose CLASS is unknown, so it may be a list column.
bool may_be_list(const Table& table, const Child& child);

// A readable dataset of this child; null for all other children.
inline const Dataset* readable_dataset(const Child& child) {
  return child.is_dataset() && child.dataset && !child.dataset->unreadable ? child.dataset.get()
                                                                           : nullptr;
}

}  // namespace hepcheck::hep001
