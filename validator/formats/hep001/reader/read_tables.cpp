#include "validator/formats/hep001/reader/read_tables.h"

#include <deque>
#include <format>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "validator/counted.h"
#include "validator/worker_position.h"

namespace hepcheck::hep001 {

namespace {

// An object that waits to be visited, if it is a group.
struct Waiting {
  ObjectToken token;
  std::string path;
  std::uint64_t depth;
};

class GroupWalk {
 public:
  GroupWalk(TableFile& file, const Visitor& visit) : file_(file), visit_(visit) {}

  void run() {
    const Result<ObjectToken> root = file_.root();
    if (!root) {
      visit_.unreadable(root.error());
      return;
    }
    wait_for(*root, "/", 0);
    while (!waiting_.empty()) {
      const Waiting next = std::move(waiting_.front());
      waiting_.pop_front();
      visit_object(next);
    }
  }

 private:
  void wait_for(const ObjectToken& token, std::string path, std::uint64_t depth) {
    if (seen_.insert(token).second) waiting_.push_back({token, std::move(path), depth});
  }

  // Opens every object once, because opening is the expensive part.
  void visit_object(const Waiting& object) {
    now_at(Stage::kWalking, object.path);
    const TableFile::Opened opened = file_.open(object.token);
    if (!opened)
      visit_.unreadable({object.path, opened.error()});
    else if ((*opened)->kind() == ObjectKind::kGroup)
      visit_group(**opened, object);
  }

  void visit_group(OpenObject& opened, const Waiting& group) {
    if (group.depth > file_.limits().group_depth) {
      visit_.unreadable({group.path, "nested deeper than the limit of " +
                                         counted(file_.limits().group_depth, "group")});
      return;
    }
    std::optional<Attribute> marker = opened.attribute("CLASS");
    if (marker && marker->unreadable)
      visit_.unreadable({group.path, "attribute CLASS: " + *marker->unreadable});
    const std::optional<std::string> value = marker ? string_value(*marker) : std::nullopt;
    if (value && *value != "COLUMN_TABLE" && visit_.other) visit_.other(group.path, *value);
    if (value == "COLUMN_TABLE") {
      if (tables_++ >= file_.limits().subjects) {
        visit_.unreadable(
            {group.path,
             std::format("beyond the limit of {}; later objects were not visited either",
                         counted(file_.limits().subjects, "subject"))});
        waiting_.clear();
        return;
      }
      Table table = read_table(file_, opened, group.path, group.token, std::move(marker));
      links_ += table.group.children.size();
      walk_on(table.group, group.depth);
      visit_.table(std::move(table));
    } else {
      visit_links(opened, group);
    }
  }

  // Everything below a table group was read already, except for the contents of other tables.
  void walk_on(const Group& group, std::uint64_t depth) {
    for (const Child& child : group.children) {
      if (!child.is_group()) continue;
      if (!child.group || marks_table(*child.group) || child.group->unreadable)
        wait_for(child.token, child.path, depth + 1);
      else if (seen_.insert(child.token).second)
        walk_on(*child.group, depth + 1);
    }
  }

  void visit_links(OpenObject& opened, const Waiting& group) {
    std::optional<std::string> trouble;
    const std::uint64_t left = file_.limits().links > links_ ? file_.limits().links - links_ : 0;
    const std::vector<LinkInfo> links = opened.links(left, trouble);
    links_ += links.size();
    if (trouble && links_ >= file_.limits().links) {
      visit_.unreadable({group.path, std::format("more links than the limit of {} per file",
                                                 file_.limits().links)});
      waiting_.clear();
      return;
    }
    if (trouble) visit_.unreadable({group.path, *trouble});
    for (const LinkInfo& link : links) {
      if (link.kind != Child::LinkKind::kHard || seen_.contains(link.token)) continue;
      const std::string path = join_path(group.path, link.name);
      if (seen_.size() >= file_.limits().objects) {
        visit_.unreadable(
            {path, "beyond the limit of " + counted(file_.limits().objects, "object")});
        return;
      }
      wait_for(link.token, path, group.depth + 1);
    }
  }

  TableFile& file_;
  const Visitor& visit_;
  std::deque<Waiting> waiting_{};
  std::unordered_set<ObjectToken, ObjectTokenHash> seen_{};
  std::uint64_t links_ = 0, tables_ = 0;
};

// Reads one table group; remembers the visited groups, so cycles end.
class TableReader {
 public:
  explicit TableReader(TableFile& file) : file_(file) {}

  // Which datasets are opened: those of other groups are only counted.
  enum class Datasets : std::uint8_t { kNone, kHere, kAll };

  Group read_group(OpenObject& opened_group, std::string path, const ObjectToken& token,
                   Datasets opened, int depth, std::optional<Attribute> marker = {}) {
    seen_.insert(token);
    Group group{.path = std::move(path), .token = token};
    group.attributes = opened_group.attributes(group.attributes_unreadable, std::move(marker));
    const std::vector<LinkInfo> links = opened_group.links(file_.limits().links, group.unreadable);
    group.children.reserve(links.size());
    for (const LinkInfo& link : links)
      group.children.push_back(read_child(opened_group, group.path, link, opened, depth));
    return group;
  }

 private:
  Child read_child(OpenObject& parent, const std::string& parent_path, const LinkInfo& link,
                   Datasets opened, int depth) {
    Child child{.name = link.name, .path = join_path(parent_path, link.name)};
    now_at(Stage::kReading, child.path);
    child.link = link.kind;
    if (link.kind == Child::LinkKind::kHard) {
      child.token = link.token;
      if (objects_++ < file_.limits().objects)
        read_object(parent, link, opened, depth, child);
      else
        child.unreadable = "beyond the limit of " + counted(file_.limits().objects, "object");
    } else {
      child.link_target = parent.link_target(link);
      if (link.kind == Child::LinkKind::kSoft) find_soft_target(parent, link, child);
    }
    return child;
  }

  void read_object(OpenObject& parent, const LinkInfo& link, Datasets opened, int depth,
                   Child& child) {
    const TableFile::Opened object = file_.open(link.token);
    if (!object) {
      child.unreadable = object.error();
      describe_unopenable(parent, link, child);
      return;
    }
    child.object = (*object)->kind();
    if (child.object == ObjectKind::kGroup)
      read_subgroup(**object, opened, depth, child);
    else if (child.object == ObjectKind::kDataset && opened != Datasets::kNone)
      child.dataset =
          std::make_shared<Dataset>((*object)->dataset(child.name, child.path, child.token));
  }

  void read_subgroup(OpenObject& subgroup, Datasets inside, int depth, Child& child) {
    if (seen_.contains(child.token)) return;  // a cycle, or a second path to it
    if (static_cast<std::uint64_t>(depth) >= file_.limits().group_depth) {
      child.unreadable =
          "nested deeper than the limit of " + counted(file_.limits().group_depth, "group");
      return;
    }
    // Only the outermost group of a nested table counts here; it is validated separately.
    std::optional<Attribute> marker = subgroup.attribute("CLASS");
    const auto is_class = [&](std::string_view value) {
      return marker && is_string(&*marker, value);
    };
    if (is_class("COLUMN_TABLE")) {
      child.group = std::make_shared<Group>(Group{.path = child.path, .token = child.token});
      child.group->attributes.emplace("CLASS", std::move(*marker));
      return;
    }
    const bool reserved =
        depth == 0 && (child.name == "CATEGORIES" || child.name == "SEARCH_INDEXES");
    const bool list = !reserved && (is_class("LIST_COLUMN") || is_class("STRING_VALUES"));
    child.group =
        std::make_shared<Group>(read_group(subgroup, child.path, child.token,
                                           inside == Datasets::kAll || list ? Datasets::kAll
                                           : reserved                       ? Datasets::kHere
                                                                            : Datasets::kNone,
                                           depth + 1, std::move(marker)));
  }

  void describe_unopenable(OpenObject& parent, const LinkInfo& link, Child& child) {
    child.object = file_.kind_of_unopenable(parent, link);
    if (child.object != ObjectKind::kDataset) return;
    child.dataset = std::make_shared<Dataset>(
        Dataset{.name = child.name, .path = child.path, .token = child.token});
    child.dataset->unreadable = child.unreadable;
  }

  static void find_soft_target(OpenObject& parent, const LinkInfo& link, Child& child) {
    if (const std::optional<SoftTarget> target = parent.soft_target(link)) {
      child.soft_target = target->token;
      child.object = target->object;
    }
  }

  TableFile& file_;
  std::unordered_set<ObjectToken, ObjectTokenHash> seen_{};
  std::uint64_t objects_ = 0;
};

// Adds the paths of the targets to the references of a table: from the table itself if the target
// is in it, from a search through the file for a few others.
class PathFinder {
 public:
  PathFinder(TableFile& file, Table& table) : file_(file), table_(table) { teach(table.group); }

 private:
  void learn(const Group& group) {
    paths_.emplace(group.token, group.path);
    for (const Child& child : group.children) {
      if (child.hard()) paths_.emplace(child.token, child.path);
      if (child.group) learn(*child.group);
    }
  }

  void teach(Group& group) {
    teach(group.attributes);
    for (Child& child : group.children) {
      if (child.dataset) teach(child.dataset->attributes);
      if (child.group) teach(*child.group);
    }
  }

  void teach(Attributes& attributes) {
    for (auto& [name, attribute] : attributes)
      for (Reference& reference : attribute.references)
        if (reference.resolved()) reference.path = path_of(reference.token);
  }

  const std::string& path_of(const ObjectToken& token) {
    if (paths_.empty()) learn(table_.group);  // few tables have references
    const auto known = paths_.find(token);
    if (known != paths_.end()) return known->second;
    std::string path = "an object outside this table";
    if (searches_left_ > 0) {
      --searches_left_;
      if (std::string found = file_.path_of(token); !found.empty()) path = std::move(found);
    }
    return paths_.emplace(token, std::move(path)).first->second;
  }

  TableFile& file_;
  const Table& table_;
  std::unordered_map<ObjectToken, std::string, ObjectTokenHash> paths_{};
  int searches_left_ = 16;
};

}  // namespace

std::string join_path(const std::string& group, const std::string& name) {
  return group.ends_with('/') ? group + name : group + '/' + name;
}

void for_each_table(TableFile& file, const Visitor& visit) { GroupWalk(file, visit).run(); }

Result<Table> read_table_at(TableFile& file, const std::string& path) {
  const std::optional<ObjectToken> token = file.find(path);
  if (!token) return failure(path, "no such group");
  const TableFile::Opened opened = file.open(*token);
  if (!opened) return failure(path, opened.error());
  if ((*opened)->kind() != ObjectKind::kGroup) return failure(path, "not a group");
  std::string absolute = path.starts_with('/') ? path : "/" + path;
  while (absolute.size() > 1 && absolute.ends_with('/')) absolute.pop_back();
  return read_table(file, **opened, std::move(absolute), *token);
}

Table read_table(TableFile& file, OpenObject& group, std::string path, const ObjectToken& token,
                 std::optional<Attribute> marker) {
  Table table;
  table.group = TableReader(file).read_group(group, std::move(path), token,
                                             TableReader::Datasets::kHere, 0, std::move(marker));
  PathFinder(file, table);
  return table;
}

}  // namespace hepcheck::hep001
