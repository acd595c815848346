// Suggests the nearest name to a mistyped one.
#pragma once

#include <CLI/App.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "validator/catalogue/clause.h"

namespace hepcheck::cli {

// The number of edits (insert, delete, replace, swap neighbours) that turn `a` into `b`.
std::size_t edit_distance(std::string_view a, std::string_view b);

// The nearest candidate, if it is near enough.
std::optional<std::string> nearest(std::string_view name,
                                   std::span<const std::string_view> candidates);

// "; did you mean x?", or nothing if no candidate is near.
std::string did_you_mean(std::string_view name, std::span<const std::string_view> candidates);

// An option whose value is one of these words.
CLI::Validator one_of(std::vector<std::string> words);

// An option whose value is a number in these bounds, which NaN is not.
CLI::Validator number_within(double least, double most);

// By its id, or the name of a format: its default revision. Both throw a usage error if there is
// none.
const Specification& specification_named(const std::string& id);
// In the first of these specifications that contains it.
const Clause& clause_named(std::span<const Specification* const> specs, const std::string& id,
                           const char* option);
const Clause& clause_named(const Specification& spec, const std::string& id, const char* option);

// All clauses that a word names (validator/catalogue/selection.h), at least one in any of these.
void check_names(std::span<const Specification* const> specs, const std::string& word,
                 const char* option);
// The clauses of one specification, in its order; none if it contains none of them.
std::vector<const Clause*> clauses_named(const Specification& spec, const std::string& word);

}  // namespace hepcheck::cli
