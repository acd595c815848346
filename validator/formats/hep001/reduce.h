// Shrinks a table while it keeps violating a clause: for bug reports, and for the results of
// fuzzers.
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
  bool stopped = false;  // before everything was tried
  std::string why{};     // the reason why it is not smaller
};

// An observer, called after each try.
struct ReduceWatch {
  std::function<bool()> stop{};  // whether the result so far is sufficient
  std::function<void(std::size_t tries, std::size_t steps)> tried{};
};

// Removes attributes, links, indexes, columns, lists, categories and rows from the table at
// `group`, and everything else from the file, as long as the table violates clause `keep` and no
// clause, as error or warning, that it did not violate before. Changes are tried together, and
// bisected if they fail. An Error if the table does not violate `keep` initially. `spec` null: the
// revision whose features the table shows, throughout.
Result<Reduced> reduce(std::span<const std::byte> image, const std::string& group,
                       const std::string& keep, const Specification* spec,
                       const FileOptions& options, const ReduceWatch& watch = {});

}  // namespace hepcheck::hep001
