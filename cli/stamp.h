// --stamp: records the run in its report.
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

// The present time, or the value of SOURCE_DATE_EPOCH, such as 2026-06-16T12:00:00Z.
std::string date_of_run();

// The options of the command line, such as --skip=nrows-uint64.
std::vector<std::string> options_given(const CLI::App& command);

// The state of files before the examination, so that a file that changes during the run is not
// stamped.
class Stamper {
 public:
  Stamper(const std::vector<Target>& targets, const Limits& limits);

  // Adds the size and the digest to every file; names, on standard error, files that changed and
  // have no stamp. Standard input has none either.
  void stamp(std::vector<FileReport>& files) const;

 private:
  struct State {
    std::string name{};  // of a member
    std::uint64_t device = 0, inode = 0, size = 0;
    std::int64_t seconds = 0, nanoseconds = 0;

    friend bool operator==(const State&, const State&) = default;
  };
  static State state_of(int descriptor, const std::string& name);
  // The state of a file, or of each member of a directory.
  static std::vector<State> states_of(const OpenedInput& input);

  Limits limits_;
  std::map<std::string, std::vector<State>> before_{};
};

}  // namespace hepcheck::cli
