// hepcheck.toml: what a project always asks for.
#pragma once

#include <chrono>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "validator/catalogue/clause.h"
#include "validator/result.h"

namespace hepcheck::cli {

struct Skip {
  std::string clause{};
  std::string reason{};
  std::optional<std::chrono::year_month_day> until{};  // the last day on which it holds
};

struct Config {
  std::vector<std::string> paths{};    // relative to the folder of the file
  std::vector<std::string> formats{};  // as after --format
  std::optional<std::string> fail_on{}, depth{}, baseline{};
  std::optional<bool> strict{}, allow_unchecked{}, allow_no_tables{};
  std::optional<std::uint64_t> max_findings{};
  std::vector<Skip> skips{};
  std::map<std::string, Severity, std::less<>> levels{};  // by clause
};

// An unknown key, a wrong type and a skip without a reason are errors.
Result<Config> read_config(const std::string& path);

}  // namespace hepcheck::cli
