// List columns (9): groups that store offsets and values, level by level.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "validator/formats/hep001/model/revision.h"

namespace hepcheck::hep001 {

struct Child;
struct Dataset;
struct Group;
struct Table;

enum class ListClass : std::uint8_t {
  kList,     // CLASS = LIST_COLUMN: OFFSETS, VALUES, MASK
  kStrings,  // CLASS = STRING_VALUES: OFFSETS, CHARS, MASK
};

// A member: its link, and its target.
struct ListMember {
  const Child* link = nullptr;  // null: there is no member of this name
  // The dataset to which it leads by a hard link, if that can be read.
  const Dataset* data() const;
};

// One level of a list column. Its entries are the rows of the table at the outermost level, and the
// elements of the level above otherwise.
struct ListLevel {
  std::shared_ptr<const Group> group{};
  std::string path{};  // the path from the table; the group may have others
  ListClass cls = ListClass::kList;
  bool judged = true;  // its KIND is OFFSETS, or equivalent: the members have the meaning of 9.2
  ListMember offsets{}, mask{}, values{};  // values: CHARS of strings

  const char* values_name() const { return cls == ListClass::kStrings ? "CHARS" : "VALUES"; }
};

// The reason why no level follows the last one although its VALUES is a group.
enum class ListEnd : std::uint8_t {
  kWhole,      // the last level has its elements, or none
  kForeign,    // VALUES is a group that is not a level (list-values-form)
  kCycle,      // VALUES is a group that contains it (list-values-form)
  kTable,      // VALUES is a table group (no-nested-table)
  kUnreadable  // it cannot be read
};

struct ListColumn {
  std::string name{};
  std::vector<ListLevel> levels{};  // the outermost first; never empty
  ListEnd end = ListEnd::kWhole;
  std::string unreadable{};  // kUnreadable: the reason

  const std::string& path() const { return levels.front().path; }
  const Group& group() const { return *levels.front().group; }
  // VALUES of the innermost level, unless it contains strings or is not a readable dataset.
  const Dataset* leaf() const;
};

// The list columns among the children of a table group, in link order. Linear in the number of
// objects below them, whatever their links.
std::vector<ListColumn> list_columns(const Group& table);

// Its CLASS has this string value, in any storage.
bool is_of_class(const Group& group, std::string_view value);

}  // namespace hepcheck::hep001
