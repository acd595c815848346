// How the rules of a byte format judge what is read of an input.
//
// A reader judges each structure by a table of rules. Where it comes to depend on them one after
// the other (`judge`), the first error ends the table, and what depends on the structure is not
// judged: so one defect triggers one finding. Where the rules are independent of one another
// (`judge_each`), each is judged. A rule that is alone is one declaration:
//
//   constexpr Rule kVersion("toy-version", [](const Header& header, Look& look) {
//     look.ask(
//         header.version == 1, [&] { return std::format("version {}", header.version); },
//         "version 1");
//   });
//
//   if (!judge<kVersion>(header, place, notes)) return false;
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "validator/notes.h"
#include "validator/rule.h"

namespace hepcheck {

// Through it a check speaks about its clause, at one place. A format that needs more derives from
// it.
template <class NotesOfFormat>
class LookOf {
 public:
  using Notes = NotesOfFormat;
  using Place = typename Notes::Place;
  using ClauseId = typename Notes::ClauseId;

  LookOf(Notes& notes, const ClauseId& clause, const Place& at)
      : at_(at), notes_(notes), clause_(clause) {}

  // The clause applies here, and is examined.
  void looked(std::uint64_t times = 1) { notes_.looked(clause_, times); }
  // The clause does not hold here.
  void fail(std::string observed, std::string expected, std::string hint = {},
            std::uint64_t more = 0) {
    broken_ |=
        notes_.fail(clause_, at_, std::move(observed), std::move(expected), std::move(hint), more);
    failed_ = true;
  }
  // The clause is examined, and does not hold unless `holds`. Each text is a string, or a function
  // that returns one and is called only if it is needed.
  template <class Observed, class Expected>
  void ask(bool holds, Observed&& observed, Expected&& expected) {
    looked();
    if (!holds) fail(text(observed), text(expected));
  }
  // Whether there was an error, and not merely a warning; whether there was any finding.
  bool broken() const { return broken_; }
  bool failed() const { return failed_; }

 protected:
  Place at_;  // of the next finding

 private:
  template <class Text>
  static std::string text(const Text& text) {
    if constexpr (std::invocable<const Text&>)
      return text();
    else
      return text;
  }

  Notes& notes_;
  const ClauseId& clause_;
  bool broken_ = false, failed_ = false;
};

// A rule about structures of one type. A format names its own: Rule<Structure>.
template <class StructureOfRule, class LookOfRule>
struct LookRule {
  using Structure = StructureOfRule;
  using Look = LookOfRule;
  using Place = typename Look::Place;
  using Notes = typename Look::Notes;

  typename Look::ClauseId id;
  void (*check)(const Structure&, Look&);
};

// The types of a rule follow from its check, a function or a lambda without captures.
template <class Check>
struct CheckTraits;
template <class Check, class StructureOfRule, class LookOfRule>
struct CheckTraits<void (Check::*)(const StructureOfRule&, LookOfRule&) const> {
  using Structure = StructureOfRule;
  using Look = LookOfRule;
};
template <class Check>
LookRule(const char*, Check)
    -> LookRule<typename CheckTraits<decltype(&Check::operator())>::Structure,
                typename CheckTraits<decltype(&Check::operator())>::Look>;
template <class Structure, class Look>
LookRule(const char*, void (*)(const Structure&, Look&)) -> LookRule<Structure, Look>;

// The type of the rules of a table.
template <const auto& kRules>
using RuleIn = std::remove_const_t<typename decltype(rules_of(kRules))::element_type>;

// Judges a structure by one rule. Returns false if there was an error.
template <class Rule>
bool judge_rule(const Rule& rule, const typename Rule::Structure& structure,
                const typename Rule::Place& at, typename Rule::Notes& notes) {
  typename Rule::Look look(notes, rule.id, at);
  rule.check(structure, look);
  return !look.broken();
}

// Judges a structure by a table of rules, as far as the first error. Returns false if there was
// one.
template <const auto& kRules>
bool judge(const typename RuleIn<kRules>::Structure& structure,
           const typename RuleIn<kRules>::Place& at, typename RuleIn<kRules>::Notes& notes) {
  constexpr auto kTable = rules_of(kRules);
  return [&]<std::size_t... kAt>(std::index_sequence<kAt...>) {
    return (... && judge_rule(kTable[kAt], structure, at, notes));
  }(std::make_index_sequence<kTable.size()>());
}

// Judges a structure by each rule of a table. Returns false if there was an error.
template <const auto& kRules>
bool judge_each(const typename RuleIn<kRules>::Structure& structure,
                const typename RuleIn<kRules>::Place& at, typename RuleIn<kRules>::Notes& notes) {
  constexpr auto kTable = rules_of(kRules);
  bool all = true;
  [&]<std::size_t... kAt>(std::index_sequence<kAt...>) {
    (..., (all &= judge_rule(kTable[kAt], structure, at, notes)));
  }(std::make_index_sequence<kTable.size()>());
  return all;
}

// Records that none of the rules of these tables could be judged.
template <const auto&... kTables, class Notes>
void block(const std::string& reason, const std::vector<std::string_view>& by, Notes& notes) {
  const auto table = [&](const auto& rules) {
    for (const auto& rule : rules) notes.blocked(rule.id, reason, by);
  };
  (table(rules_of(kTables)), ...);
}

}  // namespace hepcheck
