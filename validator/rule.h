// A rule: the executable form of one clause, and the id that ties it to the catalogue.
//
// Each format has a list of clause ids, made from its catalogues, and a check of its own form; a
// literal that is no clause of the format does not compile.
#pragma once

#include <algorithm>
#include <source_location>
#include <string_view>

namespace hepcheck {

// The id of a clause in one of the catalogues of a format, whose ids are `kIds`, sorted.
template <const auto& kIds>
class ClauseIdOf {
 public:
  consteval ClauseIdOf(const char* id,  // NOLINT(google-explicit-constructor)
                       std::source_location place = std::source_location::current())
      : id_(id), file_(name_of(place.file_name())) {
    if (!std::ranges::binary_search(kIds, id_)) throw "no such clause of this format";
  }
  constexpr std::string_view str() const { return id_; }
  // Where it is written: "nrows.cpp".
  constexpr std::string_view file() const { return file_; }

 private:
  static consteval std::string_view name_of(std::string_view path) {
    return path.substr(path.rfind('/') + 1);
  }

  std::string_view id_, file_;
};

template <const auto& kIds, class Check>
struct RuleOf {
  ClauseIdOf<kIds> id;
  Check check;
};

// What the core knows of a rule.
struct RuleHead {
  std::string_view clause, file;
  bool data = false;  // it needs values, not the structure alone

  friend bool operator==(const RuleHead&, const RuleHead&) = default;
};

}  // namespace hepcheck
