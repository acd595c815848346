// The smallest table that still breaks a clause: for bug reports, and for what fuzzers find.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "validator/examine_file.h"
#include "validator/result.h"

namespace hepcheck::hep001 {

struct Reduced {
  std::vector<std::byte> image{};
  std::size_t steps = 0;  // changes that were kept
  std::size_t tries = 0;
  bool stopped = false;  // before there was nothing left to try
  std::string why{};     // it is no smaller
};

// Who looks on, after each try.
struct ReduceWatch {
  std::function<bool()> stop{};  // whether what has been reached is enough
  std::function<void(std::size_t tries, std::size_t steps)> tried{};
};

// Drops attributes, links, indexes, columns, lists, categories and rows from the table at `group`,
// and whatever else is in the file, as long as the table breaks clause `keep` and no clause, error
// or warning, that it did not break before. What can be dropped together is dropped together, by
// halves. An Error if it does not break `keep` to begin with.
// `spec` null: the revision that the table bears signs of, to the end.
Result<Reduced> reduce(std::span<const std::byte> image, const std::string& group,
                       const std::string& keep, const Specification* spec,
                       const FileOptions& options, const ReduceWatch& watch = {});

}  // namespace hepcheck::hep001
