// What of a table could not be read, and what it may have been. Nobody knows what it says, so no
// clause about all of that kind can pass.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "validator/formats/hep001/model/table.h"

namespace hepcheck::hep001 {

// Why not all of a kind are known: the first object that stands in the way. Nothing if all are.
struct Unread {
  using Reason = std::optional<std::string>;
  Reason columns{};     // datasets of the table group, and their attributes
  Reason lists{};       // list columns, in revisions that have them
  Reason categories{};  // datasets in CATEGORIES
  Reason indexes{};     // search indexes
  Reason references{};  // which columns refer to them

  // Of any kind.
  Reason any() const;
};

Unread unread_of(const Table& table);

// Why the object that a hard link leads to cannot be read; nothing if it can, or is none's
// business.
std::optional<std::string> why_unread(const Child& child);

// Why there may be more in this reserved group of the table than is known: it cannot be read, or
// not all of its links.
std::optional<std::string> unlisted(const Table& table, std::string_view reserved);

// What may be a column, categories or a search index, but cannot be read. In link order.
std::vector<const Child*> unread_columns(const Table& table);
std::vector<const Child*> unread_categories(const Table& table);
std::vector<const Child*> unread_indexes(const Table& table);

}  // namespace hepcheck::hep001
