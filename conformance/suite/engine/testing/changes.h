// Every value that a reply carries matters: of right replies about files of the corpus, each value
// is changed in turn, and the judge notices.
#pragma once

#include <functional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/corpus.h"
#include "conformance/suite/engine/reply.h"

namespace hepcheck::suite {

// A right reply, and whether a judge finds fault with one.
struct Case {
  std::string file{};
  Json reply{};
  std::function<bool(const Json&)> noticed{};
};

// What no judge has to notice: places and changes are patterns.
struct Exempt {
  std::string_view places, changes, reason;
};

// A member of the protocol that objects at other places have.
struct Foreign {
  std::string_view places, name;
  Json value;
};

inline constexpr std::string_view kIgnored = "the protocol does not define it",
                                  kLeftOut = "programs leave out what they cannot tell",
                                  kNone = "what is not there is null, or empty",
                                  kAnyOrder = "the order is not significant",
                                  kForDisplay = "it is for display";

// Asserts that the judge notices the changes of some replies: of each change at a place, as many as
// there are files, up to a limit. Every exception is needed.
void expect_noticed(const std::vector<Case>& cases, std::span<const Foreign> foreign,
                    std::span<const Exempt> exempt);

// A judge of a body, by a function that may throw `Malformed`.
std::function<bool(const Json&)> judged(std::function<bool(const Json&)> noticed);

std::set<std::string> set_of(std::span<const std::string_view> words);
// Few changes are enough.
bool is_small(const Json& reply);
std::vector<const conformance::Fixture*> valid_files(std::string_view spec);
// Members of the datatypes of protocol.md, of which each class has some.
std::vector<Foreign> foreign_to_types();

}  // namespace hepcheck::suite
