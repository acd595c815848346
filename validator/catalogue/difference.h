// Expands a catalogue that is written as a difference to an earlier revision.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <toml++/toml.hpp>

#include "validator/result.h"

namespace hepcheck {

// `catalogue` with everything that it inherits from `base`, which must be expanded already. The
// head of a difference says follows = "ID"; `dropped` lists the ids of clauses and ambiguities that
// no longer hold (an ambiguity is also settled when all clauses that it names are dropped),
// [renumbered] maps sections, [sections] maps single ids to sections, and an entry
// for an inherited id has only the keys that differ. The result is in the order of its sections;
// inside a section, inherited entries come first. An entry that changes nothing is an error, as is
// every reference to something that the base does not have.
Result<toml::table> expand_difference(const toml::table& catalogue, const toml::table& base);

}  // namespace hepcheck
