// What a report says of its run: --stamp.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "cli/target.h"
#include "validator/examine_file.h"
#include "validator/report.h"

namespace CLI {
class App;
}

namespace hepcheck::cli {

// Now, or the time that SOURCE_DATE_EPOCH names, as 2026-06-16T12:00:00Z.
std::string date_of_run();

// The options that were given on the command line, as --skip=nrows-uint64.
std::vector<std::string> options_given(const CLI::App& command);

// Files as they are before they are examined, so that none is stamped that changed meanwhile.
class Stamper {
 public:
  Stamper(const std::vector<Target>& targets, const Limits& limits);

  // Gives every file its size and digest; tells, on standard error, of those that changed and
  // therefore get none. Standard input has none either.
  void stamp(std::vector<FileReport>& files) const;

 private:
  struct State {
    std::string name{};  // of a member
    std::uint64_t device = 0, inode = 0, size = 0;
    std::int64_t seconds = 0, nanoseconds = 0;

    friend bool operator==(const State&, const State&) = default;
  };
  static State state_of(int descriptor, const std::string& name);
  // Of a file, or of each member of a directory.
  static std::vector<State> states_of(const OpenedInput& input);

  Limits limits_;
  std::map<std::string, std::vector<State>> before_{};
};

}  // namespace hepcheck::cli
