// "did you mean": the nearest name to a mistyped one.
#pragma once

#include <CLI/App.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "validator/catalogue/clause.h"

namespace hepcheck::cli {

// Edits (insert, delete, replace, swap neighbours) that turn `a` into `b`.
std::size_t edit_distance(std::string_view a, std::string_view b);

// The nearest candidate, if it is near enough to be what was meant.
std::optional<std::string> nearest(std::string_view name,
                                   std::span<const std::string_view> candidates);

// "; did you mean x?", or nothing if no candidate is near.
std::string did_you_mean(std::string_view name, std::span<const std::string_view> candidates);

// An option whose value is one of these words.
CLI::Validator one_of(std::vector<std::string> words);

// An option whose value is a number in these bounds, which NaN is not.
CLI::Validator number_within(double least, double most);

// By its id, or the name of a format: its default revision.
// Both complain on the command line's behalf if there is no such thing.
const Specification& specification_named(const std::string& id);
// Of the first of these specifications that has it.
const Clause& clause_named(std::span<const Specification* const> specs, const std::string& id,
                           const char* option);
const Clause& clause_named(const Specification& spec, const std::string& id, const char* option);

// All that a word names (validator/catalogue/selection.h), at least one of any of these.
void check_names(std::span<const Specification* const> specs, const std::string& word,
                 const char* option);
// Those of a specification, in its order; none if it has none of them.
std::vector<const Clause*> clauses_named(const Specification& spec, const std::string& word);

}  // namespace hepcheck::cli
