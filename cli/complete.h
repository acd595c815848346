// What could stand next on the command line, read off its own description.
#pragma once

#include <CLI/App.hpp>
#include <span>
#include <string>
#include <vector>

namespace hepcheck::cli {

struct Candidate {
  std::string word{};  // whole: what stands there already is its beginning
  std::string what{};  // a short description, or nothing
};

struct Completion {
  std::vector<Candidate> candidates{};
  bool files = false;  // the name of a file could stand here too
};

// `words` follow the name of the program; the last one is being typed and may be empty.
Completion complete(const CLI::App& app, std::span<const std::string> words);

}  // namespace hepcheck::cli
