// hepcheck.toml: what a project always asks for.
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
  std::optional<std::chrono::year_month_day> until{};  // the last day on which it holds
};

// What it names to be written or to be judged by lies below it (below.h).
struct Config {
  std::string folder{};                   // of the file; empty: the working directory
  std::vector<std::string> paths{};       // made relative to the working directory
  std::vector<std::string> formats{};     // as after --format, but that files are below the folder
  std::optional<std::string> baseline{};  // below the folder
  std::optional<std::string> fail_on{}, depth{};
  std::optional<bool> strict{}, allow_unchecked{}, allow_no_tables{};
  std::optional<std::uint64_t> max_findings{};
  std::vector<Skip> skips{};
  std::map<std::string, Severity, std::less<>> levels{};  // by clause
};

// An unknown key, a wrong type and a skip without a reason are errors.
Result<Config> read_config(const std::string& path);
Result<Config> parse_config(std::string_view text, const std::string& path);

}  // namespace hepcheck::cli
