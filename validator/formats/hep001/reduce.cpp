#include "validator/formats/hep001/reduce.h"

#include <algorithm>
#include <format>
#include <set>

#include "validator/formats/hep001/derive/list_facts.h"
#include "validator/formats/hep001/libhdf5/edit.h"
#include "validator/formats/hep001/libhdf5/file.h"
#include "validator/formats/hep001/libhdf5/file_values.h"
#include "validator/formats/hep001/libhdf5/limited_values.h"

namespace hepcheck::hep001 {

namespace {

using libhdf5::Edit;
using libhdf5::Image;
using Change = std::vector<Edit>;  // edits that only make sense together
using Ids = std::set<std::string, std::less<>>;

// The clauses that the table breaks; advice (info) does not count.
std::optional<Ids> broken_clauses(std::span<const std::byte> image, const std::string& group,
                                  const Specification& spec, const FileOptions& options) {
  const FileReport report = examine_image(image, "reduced", group, &spec, options);
  if (report.error || report.subjects.size() != 1) return std::nullopt;
  Ids ids;
  for (const ClauseResult& result : report.subjects[0].clauses) {
    if (result.verdict == Verdict::kFail && result.severity >= Severity::kWarning)
      ids.emplace(result.clause->id);
    // What can no longer be checked would hide what it broke.
    if (result.verdict == Verdict::kNotChecked && result.clause->mandatory())
      ids.insert("not checked: " + std::string(result.clause->id));
  }
  return ids;
}

// The changes worth a try in one round, the coarse ones first.
class Proposals {
 public:
  Proposals(const Table& table, ValueSource& values) : table_(table), values_(values) {
    whole_groups();
    for (std::size_t i = 0; i < table.columns.size(); ++i) column(i);
    for (const ListColumn& list : table.lists) list_column(list);
    for (const SearchIndex& index : table.indexes) search_index(index);
    for (const Child& child : table.group.children)
      if (!child.is_dataset()) unlink(child);
    for (const Group* group : {table.categories_group, table.search_indexes_group})
      if (group)
        for (const Child& child : group->children) unlink(child);
    attributes(table.path(), table.group.attributes);
    for (const Child& child : table.group.children) of_child(child);
    rows();
    for (const ListColumn& list : table.lists) list_bounds(list);
  }

  const std::vector<Change>& all() const { return all_; }

 private:
  void propose(Change change) { all_.push_back(std::move(change)); }
  void unlink(const Child& child) { propose({{.kind = Edit::Kind::kUnlink, .path = child.path}}); }
  static Edit drop(const std::string& path, const std::string& name) {
    return {.kind = Edit::Kind::kDropAttribute, .path = path, .name = name};
  }

  // The attribute without one element; all of it when nothing would remain.
  static Edit without(const std::string& path, const Attribute& attribute, std::size_t element) {
    if (attribute.space.elements() <= 1) return drop(path, attribute.name);
    return {
        .kind = Edit::Kind::kDropElement, .path = path, .name = attribute.name, .number = element};
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
    const auto names = string_elements(*order);
    const auto at = std::ranges::find(names, name);
    if (at != names.end())
      change.push_back(
          without(table_.path(), *order, static_cast<std::size_t>(at - names.begin())));
  }

  // A column goes with its place in column-order and INDEX_COLUMNS.
  void column(std::size_t number) {
    const Column& column = table_.columns[number];
    Change change{{.kind = Edit::Kind::kUnlink, .path = column.path()}};
    without_place(change, column.name());
    without_reference(change, table_.path(), table_.attribute("INDEX_COLUMNS"), column.data->token);
    const Attribute* label = table_.attribute("_index");
    if (label && string_value(*label) == column.name())
      change.push_back(drop(table_.path(), "_index"));
    // So do the indexes and the categories that are its alone.
    for (const SearchIndex& index : table_.indexes)
      if (index.columns == std::vector{number}) remove(change, index);
    for (const Categories& categories : table_.categories)
      if (categories.columns == std::vector{number})
        change.push_back({.kind = Edit::Kind::kUnlink, .path = categories.data->path});
    propose(std::move(change));
    propose({{.kind = Edit::Kind::kUnlink, .path = column.path()}});
  }

  // So does a list column; or it loses a member of some level.
  void list_column(const ListColumn& list) {
    Change change{{.kind = Edit::Kind::kUnlink, .path = list.path()}};
    without_place(change, list.name);
    propose(std::move(change));
    for (const ListLevel& level : list.levels)
      for (const Child& member : level.group->children)
        propose({{.kind = Edit::Kind::kUnlink, .path = level.path + "/" + member.name}});
  }

  // No more of each member than the entries of its level ask for.
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

  // Fewer rows, then no more storage than rows. An index whose tokens agree keeps them so, lest
  // what is wrong with it no longer counted; the others go on to fail.
  void rows() {
    const std::uint64_t nrows = table_.nrows.value_or(0);
    for (const std::uint64_t fewer : {std::uint64_t{0}, std::uint64_t{1}, nrows / 2, nrows - 1}) {
      if (fewer >= nrows) continue;
      Change change{{.kind = Edit::Kind::kSetNumber,
                     .path = table_.path(),
                     .name = "NROWS",
                     .number = fewer}};
      for (const SearchIndex& index : table_.indexes)
        if (table_.revision->tokens && index.gate.open())
          change.push_back({.kind = Edit::Kind::kSetNumber,
                            .path = index.data->path,
                            .name = "SOURCE_NROWS",
                            .number = fewer});
      propose(std::move(change));
    }
    Change shrink;
    for (const Column& column : table_.columns)
      if (column.data->extent() > nrows)
        shrink.push_back({.kind = Edit::Kind::kShrink, .path = column.path(), .number = nrows});
    if (!shrink.empty()) propose(std::move(shrink));
  }

  const Table& table_;
  ValueSource& values_;
  std::vector<Change> all_{};
};

// Links of the file that lead away from the table, from the root down to it.
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

// The revision that the table bears signs of; the newest if there is no table to be read.
const Specification& spec_by_signs(std::span<const std::byte> image, const std::string& group,
                                   const FileOptions& options) {
  const Result<libhdf5::File> file = libhdf5::File::open_image(image, options.limits);
  const Result<Table> table =
      file ? libhdf5::read_table_at(*file, group) : std::unexpected(file.error());
  const Revision& revision =
      table ? *revision_by_signs(table->group).revision : all_revisions().back();
  return *find_specification(revision.spec);
}

}  // namespace

Result<Reduced> reduce(std::span<const std::byte> image, const std::string& group,
                       const std::string& keep, const Specification* wanted,
                       const FileOptions& options) {
  const Specification& spec = wanted ? *wanted : spec_by_signs(image, group, options);
  const std::optional<Ids> original = broken_clauses(image, group, spec, options);
  if (!original) return failure(group, "cannot be examined as a table");
  if (!original->contains(keep))
    return failure(group, std::format("does not break {} of {}", keep, spec.id));

  Reduced best{.image = {image.begin(), image.end()}};
  const auto still_broken = [&](const Image& candidate) {
    ++best.tries;
    const std::optional<Ids> ids = broken_clauses(candidate, group, spec, options);
    return ids && ids->contains(keep) && std::ranges::includes(*original, *ids);
  };
  const auto attempt = [&](const Change& change) {
    Result<Image> candidate = libhdf5::edited(best.image, change);
    if (!candidate || !still_broken(*candidate)) return false;
    best.image = std::move(*candidate);
    ++best.steps;
    return true;
  };
  const auto changes_to_try = [&] {
    std::vector<Change> all = beside_the_table(best.image, group, options.limits);
    const Result<libhdf5::File> file = libhdf5::File::open_image(best.image, options.limits);
    Result<Table> table =
        file ? libhdf5::read_table_at(*file, group) : std::unexpected(file.error());
    if (!table) return all;
    assign_roles(*table, revision_of(spec));
    libhdf5::FileValues all_values(file->context());
    libhdf5::LimitedValues values(all_values, options.limits, file->bytes());
    const Proposals proposals(*table, values);
    all.insert(all.end(), proposals.all().begin(), proposals.all().end());
    return all;
  };
  // A change may open the way for one that failed before; until a whole round brings nothing.
  for (bool progress = true; progress;) {
    progress = false;
    for (const Change& change : changes_to_try()) progress |= attempt(change);
  }
  if (Result<Image> compact = libhdf5::compacted(best.image);
      compact && compact->size() < best.image.size() && still_broken(*compact))
    best.image = std::move(*compact);
  return best;
}

}  // namespace hepcheck::hep001
