// The parts of a table that could not be read, and their possible roles. Their contents are
// unknown, so a clause about all objects of such a role cannot pass.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "validator/formats/hep001/model/table.h"

namespace hepcheck::hep001 {

// The reason why not all objects of a role are known: the first unreadable object. Nothing if all
// are known.
struct Unread {
  using Reason = std::optional<std::string>;
  Reason columns{};     // datasets of the table group, and their attributes
  Reason lists{};       // list columns, in revisions that have them
  Reason categories{};  // datasets in CATEGORIES
  Reason indexes{};     // search indexes
  Reason references{};  // which columns refer to them

  // The reason for any role.
  Reason any() const;
};

Unread unread_of(const Table& table);

// The reason why the target of a hard link cannot be read; nothing if it can, or is irrelevant.
std::optional<std::string> why_unread(const Child& child);

// The reason why this reserved group of the table may have further members: it cannot be read, or
// not all of its links.
std::optional<std::string> unlisted(const Table& table, std::string_view reserved);

// Unreadable objects that may be columns, categories or search indexes. In link order.
std::vector<const Child*> unread_columns(const Table& table);
std::vector<const Child*> unread_categories(const Table& table);
std::vector<const Child*> unread_indexes(const Table& table);

}  // namespace hepcheck::hep001
