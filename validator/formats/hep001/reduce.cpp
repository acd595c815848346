#include "validator/formats/hep001/reduce.h"

#include <algorithm>
#include <format>
#include <map>
#include <set>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "validator/formats/hep001/derive/list_facts.h"
#include "validator/formats/hep001/libhdf5/edit.h"
#include "validator/formats/hep001/libhdf5/file.h"
#include "validator/formats/hep001/libhdf5/file_values.h"
#include "validator/formats/hep001/storage/limited_values.h"

namespace hepcheck::hep001 {

namespace {

using libhdf5::Edit;
using libhdf5::Image;
using Change = std::vector<Edit>;  // edits that must be applied together
using Ids = std::set<std::string, std::less<>>;

// The clauses that the table violates; recommendations (info) do not count.
std::optional<Ids> broken_clauses(std::span<const std::byte> image, const std::string& group,
                                  const Specification& spec, const FileOptions& options) {
  const FileReport report = examine_image(image, "reduced", group, &spec, options);
  if (report.error || report.subjects.size() != 1) return std::nullopt;
  Ids ids;
  for (const ClauseResult& result : report.subjects[0].clauses) {
    if (result.verdict == Verdict::kFail && result.severity >= Severity::kWarning)
      ids.emplace(result.clause->id);
    // A clause that can no longer be checked would hide its violation.
    if (result.verdict == Verdict::kNotChecked && result.clause->mandatory())
      ids.insert("not checked: " + std::string(result.clause->id));
  }
  return ids;
}

// Changes to apply together, or each alone, or the first possible one.
struct Group {
  enum class Way : std::uint8_t { kTogether, kEach, kFirst };
  std::vector<Change> changes{};
  Way way = Way::kTogether;
};

// All of them merged: common edits once, and no edits of unlinked objects.
Change merged(std::span<const Change> changes) {
  std::map<std::pair<std::string, std::string>, Edit> of_attribute;
  std::map<std::string, Edit, std::less<>> unlinked;
  Change others;
  for (const Change& change : changes)
    for (const Edit& edit : change) switch (edit.kind) {
        case Edit::Kind::kUnlink: unlinked.emplace(edit.path, edit); break;
        case Edit::Kind::kDropAttribute:
        case Edit::Kind::kDropElements: {
          const auto [it, fresh] = of_attribute.try_emplace({edit.path, edit.name}, edit);
          if (fresh) break;
          it->second.elements.insert(edit.elements.begin(), edit.elements.end());
          if (edit.kind == Edit::Kind::kDropAttribute) it->second.kind = edit.kind;
          break;
        }
        default:
          if (!std::ranges::contains(others, edit)) others.push_back(edit);
      }
  // Whether it is unlinked, or inside a group that is.
  const auto is_gone = [&](std::string_view path) {
    for (; !path.empty(); path = path.substr(0, path.rfind('/')))
      if (unlinked.contains(path)) return true;
    return false;
  };
  Change all;
  for (const auto& [place, edit] : of_attribute)
    if (!is_gone(edit.path)) all.push_back(edit);
  for (const Edit& edit : others)
    if (!is_gone(edit.path)) all.push_back(edit);
  for (const auto& [path, edit] : unlinked)
    if (!is_gone(path.substr(0, path.rfind('/')))) all.push_back(edit);
  return all;
}

// The changes worth trying in one round, coarse ones first.
class Proposals {
 public:
  Proposals(const Table& table, ValueSource& values) : table_(table), values_(values) {
    if (const Attribute* order = table.attribute("column-order")) {
      const auto names = string_elements(*order);
      for (std::size_t i = 0; i < names.size(); ++i) places_.emplace(names[i], i);
    }
    whole_groups();
    next();
    for (std::size_t i = 0; i < table.columns.size(); ++i) column(i);
    for (const Child& child : table.group.children)
      if (is_other_dataset(child)) other_dataset(child);
    next();
    for (const Child& child : table.group.children)
      if (child.is_dataset()) unlink(child);
    next();
    for (const ListColumn& list : table.lists) list_column(list);
    next();
    for (const SearchIndex& index : table.indexes) search_index(index);
    next();
    for (const Child& child : table.group.children)
      if (!child.is_dataset()) unlink(child);
    next();
    for (const hep001::Group* group : {table.categories_group, table.search_indexes_group})
      if (group)
        for (const Child& child : group->children) unlink(child);
    next();
    attributes(table.path(), table.group.attributes);
    for (const Child& child : table.group.children) of_child(child);
    next();
    elements(table.path(), table.group.attributes);
    for (const Child& child : table.group.children) elements_of_child(child);
    next();
    next(Group::Way::kFirst);
    rows();
    next();
    storage();
    next(Group::Way::kEach);
    for (const ListColumn& list : table.lists) list_bounds(list);
  }

  const std::vector<Group>& all() const { return all_; }

 private:
  // The following changes belong together, and not to the previous ones.
  void next(Group::Way way = Group::Way::kTogether) { all_.push_back({.way = way}); }
  void propose(Change change) { all_.back().changes.push_back(std::move(change)); }
  void unlink(const Child& child) { propose({{.kind = Edit::Kind::kUnlink, .path = child.path}}); }
  static Edit drop(const std::string& path, const std::string& name) {
    return {.kind = Edit::Kind::kDropAttribute, .path = path, .name = name};
  }

  // The attribute without one element; the whole attribute if nothing would remain.
  static Edit without(const std::string& path, const Attribute& attribute, std::size_t element) {
    if (attribute.space.elements() <= 1) return drop(path, attribute.name);
    return {.kind = Edit::Kind::kDropElements,
            .path = path,
            .name = attribute.name,
            .elements = {element}};
  }
  static void without_reference(Change& change, const std::string& path, const Attribute* list,
                                const ObjectToken& token) {
    if (!list) return;
    const auto at = std::ranges::find(list->references, token, &Reference::token);
    if (at != list->references.end())
      change.push_back(
          without(path, *list, static_cast<std::size_t>(at - list->references.begin())));
  }

  void whole_groups() {
    for (const char* name : {"SEARCH_INDEXES", "CATEGORIES"}) {
      const Child* child = table_.group.child(name);
      if (!child) continue;
      const std::string link = name == std::string("CATEGORIES") ? name : "SEARCH_INDEX_LIST";
      Change change{{.kind = Edit::Kind::kUnlink, .path = child->path}};
      for (const Column& column : table_.columns)
        if (column.data->attribute(link)) change.push_back(drop(column.path(), link));
      propose(std::move(change));
    }
  }

  void without_place(Change& change, const std::string& name) {
    const Attribute* order = table_.attribute("column-order");
    if (!order) return;
    if (const auto at = places_.find(name); at != places_.end())
      change.push_back(without(table_.path(), *order, at->second));
  }

  // A dataset that is not a column, or cannot be read. It may be in column-order.
  static bool is_other_dataset(const Child& child) {
    return child.hard() &&
           (child.object == ObjectKind::kUnknown ||
            (child.is_dataset() && !(child.dataset && child.dataset->space.one_dimensional())));
  }
  void other_dataset(const Child& child) {
    Change change{{.kind = Edit::Kind::kUnlink, .path = child.path}};
    without_place(change, child.name);
    propose(std::move(change));
  }

  // A column is removed with its entries in column-order and INDEX_COLUMNS.
  void column(std::size_t number) {
    const Column& column = table_.columns[number];
    Change change{{.kind = Edit::Kind::kUnlink, .path = column.path()}};
    without_place(change, column.name());
    without_reference(change, table_.path(), table_.attribute("INDEX_COLUMNS"), column.data->token);
    const Attribute* label = table_.attribute("_index");
    if (label && string_value(*label) == column.name())
      change.push_back(drop(table_.path(), "_index"));
    // And with the indexes and categories that only it uses.
    for (const SearchIndex& index : table_.indexes)
      if (index.columns == std::vector{number}) remove(change, index);
    for (const Categories& categories : table_.categories)
      if (categories.columns == std::vector{number})
        change.push_back({.kind = Edit::Kind::kUnlink, .path = categories.data->path});
    propose(std::move(change));
  }

  // The same for a list column; or a member of a level is removed.
  void list_column(const ListColumn& list) {
    Change change{{.kind = Edit::Kind::kUnlink, .path = list.path()}};
    without_place(change, list.name);
    propose(std::move(change));
    for (const ListLevel& level : list.levels)
      for (const Child& member : level.group->children)
        propose({{.kind = Edit::Kind::kUnlink, .path = level.path + "/" + member.name}});
  }

  // Members are shrunk to the entries that their level needs.
  void list_bounds(const ListColumn& list) {
    const ListFacts facts = list_facts(list, {.table = table_, .values = values_});
    Change all;
    for (std::size_t i = 0; i < list.levels.size(); ++i) {
      const ListLevel& level = list.levels[i];
      const std::optional<std::uint64_t> entries = facts.levels[i].entries;
      if (entries && *entries < std::uint64_t{0} - 1) {
        cut(all, level.path + "/OFFSETS", level.offsets, *entries + 1);
        cut(all, level.path + "/MASK", level.mask, *entries);
      }
      if (facts.levels[i].end)
        cut(all, level.path + "/" + level.values_name(), level.values, *facts.levels[i].end);
    }
    if (all.empty()) return;
    propose(all);
    if (all.size() > 1)
      for (const Edit& edit : all) propose({edit});
  }
  static void cut(Change& change, const std::string& path, const ListMember& member,
                  std::uint64_t bound) {
    if (const Dataset* data = member.data(); data && data->extent() > bound)
      change.push_back({.kind = Edit::Kind::kCut, .path = path, .number = bound});
  }

  static void remove(Change& change, const SearchIndex& index) {
    change.push_back({.kind = Edit::Kind::kUnlink, .path = index.data->path});
    if (index.values && index.values->token != index.data->token)
      change.push_back({.kind = Edit::Kind::kUnlink, .path = index.values->path});
  }

  void search_index(const SearchIndex& index) {
    Change change;
    remove(change, index);
    for (const std::size_t number : index.columns) {
      const Dataset& column = *table_.columns[number].data;
      without_reference(change, column.path, column.attribute("SEARCH_INDEX_LIST"),
                        index.data->token);
    }
    propose(std::move(change));
  }

  void attributes(const std::string& path, const Attributes& attributes) {
    for (const auto& [name, attribute] : attributes) {
      propose({drop(path, name)});
    }
  }
  void elements(const std::string& path, const Attributes& attributes) {
    for (const auto& [name, attribute] : attributes) {
      if (attribute.space.one_dimensional())
        for (std::uint64_t i = 0; i < std::min<std::uint64_t>(attribute.space.extent[0], 16); ++i)
          propose({without(path, attribute, i)});
    }
  }

  void of_child(const Child& child) {
    if (child.dataset) attributes(child.path, child.dataset->attributes);
    if (!child.group) return;
    attributes(child.path, child.group->attributes);
    for (const Child& below : child.group->children) of_child(below);
  }
  void elements_of_child(const Child& child) {
    if (child.dataset) elements(child.path, child.dataset->attributes);
    if (!child.group) return;
    elements(child.path, child.group->attributes);
    for (const Child& below : child.group->children) elements_of_child(below);
  }

  // Fewer rows: none, one, or all except a half, a quarter, an eighth and so on. An index with
  // matching tokens keeps matching ones, otherwise its violations would no longer count; other
  // indexes continue to fail.
  void rows() {
    const std::uint64_t nrows = table_.nrows.value_or(0);
    std::vector<std::uint64_t> fewer{0, 1};
    for (std::uint64_t part = nrows / 2; part > 0; part /= 2) fewer.push_back(nrows - part);
    for (const std::uint64_t number : fewer) {
      if (number >= nrows) continue;
      Change change{{.kind = Edit::Kind::kSetNumber,
                     .path = table_.path(),
                     .name = "NROWS",
                     .number = number}};
      for (const SearchIndex& index : table_.indexes)
        if (table_.revision->tokens && index.gate.open())
          change.push_back({.kind = Edit::Kind::kSetNumber,
                            .path = index.data->path,
                            .name = "SOURCE_NROWS",
                            .number = number});
      propose(std::move(change));
    }
  }

  // Storage is shrunk to the rows.
  void storage() {
    const std::uint64_t nrows = table_.nrows.value_or(0);
    for (const Column& column : table_.columns)
      if (column.data->extent() > nrows)
        propose({{.kind = Edit::Kind::kShrink, .path = column.path(), .number = nrows}});
  }

  const Table& table_;
  ValueSource& values_;
  std::unordered_map<std::string, std::size_t> places_{};  // in column-order
  std::vector<Group> all_{{}};
};

// Links of the file that lead away from the table, from the root to it.
std::vector<Change> beside_the_table(std::span<const std::byte> image, const std::string& group,
                                     const Limits& limits) {
  std::vector<Change> changes;
  for (std::string at = "/"; at != group;) {
    Result<libhdf5::File> file = libhdf5::File::open_image(image, limits);
    Result<Table> parent = file ? libhdf5::read_table_at(*file, at) : std::unexpected(file.error());
    if (!parent) break;
    std::string next;
    for (const Child& child : parent->group.children)
      if (child.path == group || group.starts_with(child.path + "/"))
        next = child.path;
      else
        changes.push_back({{.kind = Edit::Kind::kUnlink, .path = child.path}});
    for (const auto& [name, attribute] : parent->group.attributes)
      changes.push_back({{.kind = Edit::Kind::kDropAttribute, .path = at, .name = name}});
    if (next.empty()) break;
    at = next;
  }
  return changes;
}

// The revision whose features the table shows; the newest if no table can be read.
const Specification& spec_by_signs(std::span<const std::byte> image, const std::string& group,
                                   const FileOptions& options) {
  const Result<libhdf5::File> file = libhdf5::File::open_image(image, options.limits);
  const Result<Table> table =
      file ? libhdf5::read_table_at(*file, group) : std::unexpected(file.error());
  const Revision& revision =
      table ? *revision_by_signs(table->group).revision : all_revisions().back();
  return *find_specification(revision.spec);
}

// --- Trying -------------------------------------------------------------------------------------

class Reducer {
 public:
  Reducer(std::span<const std::byte> image, const std::string& group, const std::string& keep,
          const Specification& spec, const FileOptions& options, const ReduceWatch& watch,
          Ids original)
      : group_(group), keep_(keep), spec_(spec), options_(options), watch_(watch),
        original_(std::move(original)), best_{.image = {image.begin(), image.end()}} {}

  Reduced run() && {
    const std::size_t before = best_.image.size();
    // A change may enable another that failed before; repeats until a whole round has no effect.
    for (bool progress = true; progress && !stopped();) {
      progress = attempt_all({.changes = beside_the_table(best_.image, group_, options_.limits)});
      // The proposals refer to the present table.
      for (std::size_t i = 0, count = 1; i < count && !stopped(); ++i) {
        const std::vector<Group> groups = proposals();
        count = groups.size();
        if (i < count) progress |= attempt_all(groups[i]);
      }
    }
    best_.stopped = stopped();
    compact();
    if (best_.image.size() >= before && best_.why.empty()) best_.why = most_often();
    return std::move(best_);
  }

 private:
  bool stopped() const { return watch_.stop && watch_.stop(); }

  // The clause is still violated, and no other is.
  bool still_broken(const Image& candidate) {
    ++best_.tries;
    if (watch_.tried) watch_.tried(best_.tries, best_.steps);
    const std::optional<Ids> ids = broken_clauses(candidate, group_, spec_, options_);
    if (!ids) {
      ++reasons_["the table could not be examined without it"];
    } else if (!ids->contains(keep_)) {
      ++reasons_["without it " + keep_ + " is not violated any more"];
    } else if (const auto other = std::ranges::find_if(
                   *ids, [&](const std::string& id) { return !original_.contains(id); });
               other != ids->end()) {
      ++reasons_["without it another clause fails: " + *other];
    } else {
      return true;
    }
    return false;
  }

  bool attempt(const Image& base, const Change& change, std::size_t steps) {
    Result<Image> candidate = libhdf5::edited(base, change);
    if (!candidate) {
      ++best_.tries;
      ++reasons_["the library cannot drop it: " + candidate.error().cause];
      return false;
    }
    if (!still_broken(*candidate)) return false;
    best_.image = std::move(*candidate);
    best_.steps += steps;
    return true;
  }

  // Keeps as many as possible; returns whether any was kept.
  bool attempt_all(const Group& group) {
    const std::size_t before = best_.steps;
    if (group.way != Group::Way::kTogether) {
      for (const Change& change : group.changes)
        if (!stopped() && attempt(best_.image, change, 1) && group.way == Group::Way::kFirst) break;
    } else if (!group.changes.empty()) {
      const Image base = best_.image;
      std::vector<Change> kept;
      halve(base, group.changes, kept);
    }
    return best_.steps > before;
  }

  // All of them together with those that are kept already, or else each half.
  void halve(const Image& base, std::span<const Change> changes, std::vector<Change>& kept) {
    if (stopped()) return;
    std::vector<Change> whole = kept;
    whole.insert(whole.end(), changes.begin(), changes.end());
    if (attempt(base, merged(whole), changes.size())) {
      kept = {merged(whole)};
      return;
    }
    if (changes.size() == 1) return;
    halve(base, changes.first(changes.size() / 2), kept);
    halve(base, changes.subspan(changes.size() / 2), kept);
  }

  std::vector<Group> proposals() const {
    const Result<libhdf5::File> file = libhdf5::File::open_image(best_.image, options_.limits);
    Result<Table> table =
        file ? libhdf5::read_table_at(*file, group_) : std::unexpected(file.error());
    if (!table) return {};
    assign_roles(*table, revision_of(spec_));
    libhdf5::FileValues all_values(file->context());
    LimitedValues values(all_values, options_.limits, file->bytes());
    return Proposals(*table, values).all();
  }

  // Unlinked objects occupy space until the file is rewritten.
  void compact() {
    Result<Image> compact = libhdf5::compacted(best_.image);
    if (!compact) {
      best_.why =
          "the file cannot be rewritten without the unused space: " + compact.error().text();
    } else if (compact->size() < best_.image.size() && still_broken(*compact)) {
      best_.image = std::move(*compact);
    }
  }

  std::string most_often() const {
    const auto it = std::ranges::max_element(reasons_, {}, [](const auto& e) { return e.second; });
    return it == reasons_.end() ? "there is nothing to remove"
                                : std::format("of most that was tried: {}", it->first);
  }

  const std::string& group_;
  const std::string& keep_;
  const Specification& spec_;
  const FileOptions& options_;
  const ReduceWatch& watch_;
  Ids original_;
  Reduced best_;
  std::map<std::string, std::size_t> reasons_{};  // the reasons why changes were not kept
};

}  // namespace

Result<Reduced> reduce(std::span<const std::byte> image, const std::string& group,
                       const std::string& keep, const Specification* wanted,
                       const FileOptions& options, const ReduceWatch& watch) {
  const Specification& spec = wanted ? *wanted : spec_by_signs(image, group, options);
  std::optional<Ids> original = broken_clauses(image, group, spec, options);
  if (!original) return failure(group, "cannot be examined as a table");
  if (!original->contains(keep))
    return failure(group, std::format("does not violate {} of {}", keep, spec.id));
  return Reducer(image, group, keep, spec, options, watch, *std::move(original)).run();
}

}  // namespace hepcheck::hep001
