#include "validator/formats/hep001/repair/acts.h"

#include <algorithm>
#include <type_traits>
#include <variant>

#include "validator/formats/hep001/repair/cases.h"
#include "validator/formats/hep001/repair/chapters.h"
#include "validator/formats/hep001/rules/rule.h"

namespace hepcheck::hep001 {

namespace {

// Whether a check is about one search index: then the index is built again, or dropped.
struct IsAboutIndex {
  template <class... Rest>
  bool operator()(void (*)(const Table&, const SearchIndex&, Rest...)) const {
    return true;
  }
  template <IndexKind kFamily, class... Rest>
  bool operator()(void (*)(const Table&, const FamilyIndex<kFamily>&, Rest...)) const {
    return true;
  }
  template <class... Rest>
  bool operator()(void (*)(Rest...)) const {
    return false;
  }
};

std::string_view clause_of(const Repair& repair) { return repair.clause.str(); }

// The first of a clause counts. Columns come before attributes, because they refer to them.
std::vector<Repair> joined_repairs() {
  std::vector<Repair> all;
  for (const auto& chapter : {column_repairs(), attribute_repairs(), link_repairs()})
    for (const Repair& repair : chapter)
      if (!std::ranges::contains(all, clause_of(repair), clause_of)) all.push_back(repair);
  for (const Rule& rule : all_rules())
    if (std::visit(IsAboutIndex{}, rule.check) &&
        !std::ranges::contains(all, rule.id.str(), clause_of))
      all.push_back({.clause = rule.id,
                     .plan = [](const Case&) { return rebuilt_index(); },
                     .words = "Builds the index again from its column, or drops it."});
  return all;
}

}  // namespace

std::span<const Repair> all_repairs() {
  static const std::vector<Repair> all = joined_repairs();
  return all;
}

const Repair* find_repair(std::string_view clause) {
  const auto found = std::ranges::find(all_repairs(), clause, clause_of);
  return found == all_repairs().end() ? nullptr : &*found;
}

}  // namespace hepcheck::hep001
