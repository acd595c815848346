// A rule: the executable form of one clause, and the id that ties it to the catalogue.
//
// Each format has a list of clause ids, which the build generates from its catalogues, and its own
// form of check. A literal that is not the id of a clause of the format does not compile.
#pragma once

#include <algorithm>
#include <cstddef>
#include <initializer_list>
#include <source_location>
#include <span>
#include <string_view>
#include <type_traits>
#include <vector>

namespace hepcheck {

// The id of a clause in one of the catalogues of a format. `kIds` are all ids of the format,
// sorted.
template <const auto& kIds>
class ClauseIdOf {
 public:
  consteval ClauseIdOf(const char* id,  // NOLINT(google-explicit-constructor)
                       std::source_location place = std::source_location::current())
      : id_(id), file_(name_of(place.file_name())) {
    const auto at = std::ranges::lower_bound(kIds, id_);
    if (at == std::ranges::end(kIds) || *at != id_) throw "no such clause of this format";
    place_ = static_cast<std::size_t>(at - std::ranges::begin(kIds));
  }
  constexpr std::string_view str() const { return id_; }
  // The position of the id in `kIds`.
  constexpr std::size_t place() const { return place_; }
  // The source file that the literal is written in, below the format's directory:
  // "rules/nrows.cpp".
  constexpr std::string_view file() const { return file_; }

 private:
  static consteval std::string_view name_of(std::string_view path) {
    constexpr std::string_view kFormats = "/formats/";
    const std::size_t formats = path.rfind(kFormats);
    if (formats == path.npos) return path.substr(path.rfind('/') + 1);
    path.remove_prefix(formats + kFormats.size());
    return path.substr(path.find('/') + 1);
  }

  std::string_view id_, file_;
  std::size_t place_ = 0;
};

template <const auto& kIds, class Check>
struct RuleOf {
  ClauseIdOf<kIds> id;
  Check check;
};

// What the core knows about a rule.
struct RuleHead {
  std::string_view clause, file;
  bool data = false;      // the rule needs values, and not only the structure
  std::size_t place = 0;  // the position of its clause among the ids of the format

  friend bool operator==(const RuleHead&, const RuleHead&) = default;
};

// The rules of a table. A rule that is an object of its own is a table of one.
template <class Rule, std::size_t kSize>
constexpr std::span<const Rule, kSize> rules_of(const Rule (&table)[kSize]) {
  return table;
}
template <class Rule>
  requires(!std::is_array_v<Rule>)
constexpr std::span<const Rule, 1> rules_of(const Rule& rule) {
  return std::span<const Rule, 1>(&rule, 1);
}

// Collects the heads of rules. Each source file that has rules provides a function that adds its
// tables to such a list:
//
//   void list_rules(RuleList& list) {
//     list.structure<kSizes, kOffsets>();
//     list.values<kKeys>();
//   }
class RuleList {
 public:
  // Adds tables of rules that need nothing but the structure of the input.
  template <const auto&... kTables>
  void structure() {
    (add(rules_of(kTables), false), ...);
  }
  // Adds tables of rules that need values.
  template <const auto&... kTables>
  void values() {
    (add(rules_of(kTables), true), ...);
  }

  const std::vector<RuleHead>& heads() const { return heads_; }

 private:
  template <class Rules>
  void add(const Rules& rules, bool data) {
    for (const auto& rule : rules)
      heads_.push_back({.clause = rule.id.str(),
                        .file = rule.id.file(),
                        .data = data,
                        .place = rule.id.place()});
  }

  std::vector<RuleHead> heads_{};
};

// The heads of all rules that these functions list, in their order.
inline std::vector<RuleHead> joined(std::initializer_list<void (*)(RuleList&)> functions) {
  RuleList list;
  for (const auto add_to : functions) add_to(list);
  return list.heads();
}

// The ids as texts; the generated clause_ids.h of a format calls it by().
template <const auto& kIds>
std::vector<std::string_view> texts_of(std::initializer_list<ClauseIdOf<kIds>> clauses) {
  std::vector<std::string_view> texts;
  for (const ClauseIdOf<kIds>& clause : clauses) texts.push_back(clause.str());
  return texts;
}

}  // namespace hepcheck
