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

struct Group;

struct Revision {
  std::string_view spec;  // "hep001-2026-07-09"
  bool list_columns;      // groups of CLASS LIST_COLUMN are columns
  bool boolean_columns;   // a one-byte enumeration of FALSE and TRUE needs no fill value
  bool tokens;            // the contents of an index count only while its tokens agree
  bool exhaustive;        // a BITMAP may promise that it lists every value
  bool bloom_enums;       // CHUNK_BLOOM may stand over enumerations
  std::span<const std::string_view> reserved_names;   // of attributes and links
  std::span<const std::string_view> reserved_tokens;  // values of KIND and CLASS

  bool reserves_name(std::string_view name) const {
    return std::ranges::contains(reserved_names, name);
  }
  bool reserves_token(std::string_view name) const {
    return std::ranges::contains(reserved_tokens, name);
  }
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
