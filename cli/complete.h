// The possible next words of the command line, derived from its description.
#pragma once

#include <CLI/App.hpp>
#include <span>
#include <string>
#include <vector>

namespace hepcheck::cli {

struct Candidate {
  std::string word{};  // whole: the word typed so far is a prefix of it
  std::string what{};  // a short description, or empty
};

struct Completion {
  std::vector<Candidate> candidates{};
  bool files = false;  // a file name is possible as well
};

// `words` follow the name of the program; the last one is incomplete and may be empty.
Completion complete(const CLI::App& app, std::span<const std::string> words);

}  // namespace hepcheck::cli
