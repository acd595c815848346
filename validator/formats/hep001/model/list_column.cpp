#include "validator/formats/hep001/model/list_column.h"

#include <algorithm>
#include <unordered_map>

#include "validator/formats/hep001/model/table.h"

namespace hepcheck::hep001 {

namespace {

using Groups = std::unordered_map<ObjectToken, std::shared_ptr<const Group>, ObjectTokenHash>;

// Every group below a table once: a link that reaches a group again has no group.
void collect(const Group& group, Groups& into) {
  std::vector<const Group*> waiting{&group};
  while (!waiting.empty()) {
    const Group* next = waiting.back();
    waiting.pop_back();
    for (const Child& child : next->children)
      if (child.group && into.emplace(child.token, child.group).second)
        waiting.push_back(child.group.get());
  }
}

std::optional<ListClass> list_class(const Group& group) {
  if (is_of_class(group, "LIST_COLUMN")) return ListClass::kList;
  if (is_of_class(group, "STRING_VALUES")) return ListClass::kStrings;
  return std::nullopt;
}

// The reason why the value of CLASS is unknown; nothing if it is known, or absent.
std::optional<std::string> class_unreadable(const Group& group) {
  const Attribute* marker = group.attribute("CLASS");
  return marker ? marker->unreadable : group.attributes_unreadable;
}

ListLevel level_of(std::shared_ptr<const Group> group, std::string path, ListClass cls) {
  ListLevel level{.group = std::move(group), .path = std::move(path), .cls = cls};
  level.offsets.link = level.group->child("OFFSETS");
  level.mask.link = level.group->child("MASK");
  level.values.link = level.group->child(level.values_name());
  if (cls == ListClass::kStrings) return level;
  // Without a valid KIND, the members are judged like those of OFFSETS.
  const Attribute* kind = level.group->attribute("KIND");
  const std::optional<std::string> value = kind ? string_value(*kind) : std::nullopt;
  level.judged = !value || *value == "OFFSETS";
  return level;
}

class ColumnReader {
 public:
  explicit ColumnReader(const Groups& groups) : groups_(groups) {}

  ListColumn read(const Child& link, const std::shared_ptr<const Group>& outermost) const {
    ListColumn column{.name = link.name};
    column.levels.push_back(level_of(outermost, link.path, ListClass::kList));
    while (const Child* below = group_below(column.levels.back())) {
      const auto found = groups_.find(below->token);
      if (found == groups_.end()) {
        column.end = ListEnd::kUnreadable;
        column.unreadable = below->unreadable.value_or("it is unknown");
        break;
      }
      const std::shared_ptr<const Group>& group = found->second;
      const std::optional<ListClass> cls = list_class(*group);
      if (const auto why = class_unreadable(*group); !cls && why) {
        column.end = ListEnd::kUnreadable;
        column.unreadable = *why;
        break;
      }
      column.end = marks_table(*group)                     ? ListEnd::kTable
                   : !cls                                  ? ListEnd::kForeign
                   : encloses(column.levels, below->token) ? ListEnd::kCycle
                                                           : ListEnd::kWhole;
      if (column.end != ListEnd::kWhole) break;
      column.levels.push_back(level_of(group, column.levels.back().path + "/VALUES", *cls));
    }
    return column;
  }

 private:
  static const Child* group_below(const ListLevel& level) {
    if (level.cls == ListClass::kStrings || !level.judged) return nullptr;
    const Child* link = level.values.link;
    return link && link->is_group() ? link : nullptr;
  }

  static bool encloses(const std::vector<ListLevel>& levels, const ObjectToken& token) {
    return std::ranges::any_of(levels,
                               [&](const ListLevel& level) { return level.group->token == token; });
  }

  const Groups& groups_;
};

}  // namespace

const Dataset* ListMember::data() const {
  if (!link || !link->is_dataset() || !link->dataset || link->dataset->unreadable) return nullptr;
  return link->dataset.get();
}

const Dataset* ListColumn::leaf() const {
  const ListLevel& last = levels.back();
  return last.cls == ListClass::kStrings || !last.judged ? nullptr : last.values.data();
}

bool is_of_class(const Group& group, std::string_view value) {
  return is_string(group.attribute("CLASS"), value);
}

std::vector<ListColumn> list_columns(const Group& table) {
  std::vector<ListColumn> columns;
  if (std::ranges::none_of(table.children, &Child::is_group)) return columns;
  Groups groups;
  collect(table, groups);
  for (const Child& child : table.children) {
    if (child.name == "CATEGORIES" || child.name == "SEARCH_INDEXES") continue;
    const auto group = groups.find(child.token);
    if (group != groups.end() && is_of_class(*group->second, "LIST_COLUMN"))
      columns.push_back(ColumnReader(groups).read(child, group->second));
  }
  return columns;
}

}  // namespace hepcheck::hep001
