// hepcheck.toml: the settings of a project.
#pragma once

#include <chrono>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "validator/catalogue/clause.h"
#include "validator/result.h"

namespace hepcheck::cli {

struct Skip {
  std::string clause{};
  std::string reason{};
  std::optional<std::chrono::year_month_day> until{};  // the last day on which it applies
};

// Output files and the baseline must be inside it (below.h).
struct Config {
  std::string folder{};                // of the file; empty: the working directory
  std::vector<std::string> paths{};    // made relative to the working directory
  std::vector<std::string> formats{};  // as after --format, but the files are inside the directory
  std::optional<std::string> baseline{};  // inside the directory
  std::optional<std::string> fail_on{}, depth{}, reader{};
  std::optional<bool> strict{}, allow_unchecked{}, allow_no_tables{};
  std::optional<std::uint64_t> max_findings{};
  std::vector<Skip> skips{};
  std::map<std::string, Severity, std::less<>> levels{};  // by clause
};

// An unknown key, a wrong type and a skip without a reason are errors.
Result<Config> read_config(const std::string& path);
Result<Config> parse_config(std::string_view text, const std::string& path);

}  // namespace hepcheck::cli
