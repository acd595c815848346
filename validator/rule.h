// A rule: the executable form of one clause, and the id that ties it to the catalogue.
//
// Each format has a list of clause ids, made from its catalogues, and a check of its own form; a
// literal that is no clause of the format does not compile.
#pragma once

#include <algorithm>
#include <cstddef>
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
    const auto at = std::ranges::lower_bound(kIds, id_);
    if (at == std::ranges::end(kIds) || *at != id_) throw "no such clause of this format";
    place_ = static_cast<std::size_t>(at - std::ranges::begin(kIds));
  }
  constexpr std::string_view str() const { return id_; }
  // Its place among `kIds`.
  constexpr std::size_t place() const { return place_; }
  // Where it is written, below the format's own folder: "rules/nrows.cpp".
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

// What the core knows of a rule.
struct RuleHead {
  std::string_view clause, file;
  bool data = false;      // it needs values, not the structure alone
  std::size_t place = 0;  // of its clause among the ids of the format

  friend bool operator==(const RuleHead&, const RuleHead&) = default;
};

}  // namespace hepcheck
