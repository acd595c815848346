// What a run of a suite is to do.
#pragma once

#include <cstdint>
#include <filesystem>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace hepcheck::suite {

// The largest file of a program, in bytes, that the suite holds in memory.
inline constexpr std::size_t kLargestOfProgram = std::size_t{256} << 20;

struct RunOptions {
  std::filesystem::path folder{};     // where files are put, and where the program finds them
  std::set<std::string> only{};       // the clauses to judge; all if empty
  std::vector<std::string> files{};   // readers: globs of the files to use; all if empty
  std::vector<std::string> tables{};  // writers: globs of the tables to use; all if empty
  std::uint64_t seed = 1;
  std::uint64_t random = 10;  // random tables in addition to those of the corpus
  bool every_state = false;   // writers: a crash during a flush, too, must leave a readable file

  bool leaves_out(std::string_view clause) const {
    return !only.empty() && !only.contains(std::string(clause));
  }
};

// Whether a name fits one of the globs, or there are none.
bool is_wanted(std::string_view name, const std::vector<std::string>& globs);

}  // namespace hepcheck::suite
