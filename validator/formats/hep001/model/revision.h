// The revisions of HEP001, and the choice of the revision of a table.
//
// Revisions share rules by clause ids. If a shared requirement differs in another revision, the
// rule queries the table's revision, and does not name any.
#pragma once

#include <algorithm>
#include <span>
#include <string_view>

#include "validator/report.h"

namespace hepcheck::hep001 {

struct Datatype;
struct Group;

struct Revision {
  std::string_view spec;              // "hep001-2026-07-09"
  bool list_columns;                  // groups of CLASS LIST_COLUMN are columns
  bool boolean_columns;               // a one-byte enumeration of FALSE and TRUE has no fill value
  bool tokens;                        // the contents of an index count only while its tokens agree
  bool any_byte_order;                // datatypes that differ only in byte order are the same
  bool exhaustive;                    // a BITMAP may declare that it lists every value
  bool bloom_enums;                   // CHUNK_BLOOM may index enumerations
  std::string_view fill_clause;       // requires a fill value for columns
  std::string_view composite_clause;  // prohibits CHUNK_BLOOM over composite columns
  std::span<const std::string_view> reserved_names;   // of attributes and links
  std::span<const std::string_view> reserved_tokens;  // values of KIND and CLASS

  bool reserves_name(std::string_view name) const {
    return std::ranges::contains(reserved_names, name);
  }
  bool reserves_token(std::string_view name) const {
    return std::ranges::contains(reserved_tokens, name);
  }
  // Its values are FALSE and TRUE. If columns may be boolean, this includes the forms that readers
  // accept.
  bool is_boolean(const Datatype& type) const;
  // A column of this type has no missing rows, and no fill value.
  bool is_boolean_column(const Datatype& type) const;
};

// Oldest first.
std::span<const Revision> all_revisions();
const Revision& revision_of(const Specification& spec);

// The revision of a table by its features, regardless of their form: features of the newest take
// precedence, those of the older count only without them, and without any the newest is chosen.
struct RevisionChoice {
  const Revision* revision = nullptr;
  Choice choice{};
};
RevisionChoice revision_by_signs(const Group& table);

}  // namespace hepcheck::hep001
