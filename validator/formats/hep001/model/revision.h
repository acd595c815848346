// The revisions of HEP001, and which of them a table follows.
//
// Rules are shared by the ids of their clauses. Where a shared demand means something else in
// another revision, the rule asks the table's revision, and knows none by name.
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
  bool any_byte_order;                // datatypes that differ in byte order alone are the same
  bool exhaustive;                    // a BITMAP may promise that it lists every value
  bool bloom_enums;                   // CHUNK_BLOOM may stand over enumerations
  std::string_view fill_clause;       // asks columns for a fill value
  std::string_view composite_clause;  // keeps CHUNK_BLOOM from composite columns
  std::span<const std::string_view> reserved_names;   // of attributes and links
  std::span<const std::string_view> reserved_tokens;  // values of KIND and CLASS

  bool reserves_name(std::string_view name) const {
    return std::ranges::contains(reserved_names, name);
  }
  bool reserves_token(std::string_view name) const {
    return std::ranges::contains(reserved_tokens, name);
  }
  // Its values are FALSE and TRUE. Where booleans may be columns, so are what readers take for
  // them.
  bool is_boolean(const Datatype& type) const;
  // A column of this type has no missing rows, and no fill value.
  bool is_boolean_column(const Datatype& type) const;
};

// Oldest first.
std::span<const Revision> all_revisions();
const Revision& revision_of(const Specification& spec);

// The revision of a table by the signs that it bears, whatever their form: those of the newest
// first, those of the older only without them, and the newest if there is none.
struct RevisionChoice {
  const Revision* revision = nullptr;
  Choice choice{};
};
RevisionChoice revision_by_signs(const Group& table);

}  // namespace hepcheck::hep001
