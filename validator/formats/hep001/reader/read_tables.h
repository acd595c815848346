// Finds the table groups of a file, and reads them as models.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "validator/formats/hep001/reader/table_file.h"

namespace hepcheck::hep001 {

// The results of the walk through a file.
struct Visitor {
  // A table group, in the order of discovery (breadth first, links in native order). Each group
  // once, however many paths lead to it. Its roles are not assigned yet.
  std::function<void(Table&&)> table;
  // An object that could not be examined, so a table may have been missed.
  std::function<void(Error)> unreadable;
  // A group whose CLASS is another string; may be empty.
  std::function<void(const std::string& path, const std::string& value)> other{};
};

// Visits every table group of the file: every group reachable from the root by hard links whose
// CLASS attribute has the string value COLUMN_TABLE, in any storage.
void for_each_table(TableFile& file, const Visitor& visit);

// The group that the caller declares to be a table, with or without CLASS; otherwise the same.
Result<Table> read_table_at(TableFile& file, const std::string& path);

// A table group with everything below it; roles are not assigned yet. `group` is the opened group;
// its children are read completely, CATEGORIES and SEARCH_INDEXES with their datasets; of other
// subgroups, down to the first table group inside them, only links and kinds. `marker` is the
// attribute CLASS, if it was read already.
Table read_table(TableFile& file, OpenObject& group, std::string path, const ObjectToken& token,
                 std::optional<Attribute> marker = {});

// "/" + "a" = "/a", "/t" + "a" = "/t/a".
std::string join_path(const std::string& group, const std::string& name);

}  // namespace hepcheck::hep001
