// What is said about a set of random structures, for a golden file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <format>
#include <map>
#include <string>
#include <string_view>

#include "validator/formats/hdf5/notes.h"
#include "validator/testing/file_text.h"

namespace hepcheck::hdf5::testing {

struct Said {
  std::string all{};
  std::map<std::string, std::size_t, std::less<>> violated{};  // how often, by clause

  void count(std::string_view clause) { ++violated[std::string(clause)]; }
  // Every finding with its place.
  void add(const Notes& notes) {
    for (const Notes::Placed& each : notes.placed()) {
      count(each.clause);
      all +=
          std::format("{} {}: {}; {}\n", each.clause, each.at.text(), each.observed, each.expected);
    }
  }
  // A line with the digest of all, and one for each violated clause. `words` precede the digest.
  std::string text(std::uint64_t set, std::string_view words = "") const {
    std::string made = std::format("{}: {}{}\n", set, words, golden::digest_of(all));
    for (const auto& [clause, times] : violated) made += std::format("  {} {}\n", clause, times);
    return made;
  }
};

// Of sets of so many structures, each of which is made from a seed and read.
template <class Made>
std::string said_of_sets(std::uint64_t sets, std::uint64_t structures) {
  std::string text;
  for (std::uint64_t set = 0; set < sets; ++set) {
    Said said;
    for (std::uint64_t i = 0; i < structures; ++i) Made(1'000 * set + i).read(said);
    text += said.text(set);
  }
  return text;
}

}  // namespace hepcheck::hdf5::testing
