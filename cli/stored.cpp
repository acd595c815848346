#include "cli/stored.h"

#include <CLI/Error.hpp>
#include <iostream>
#include <iterator>
#include <optional>

#include "reports/baseline.h"
#include "reports/escape.h"
#include "reports/json.h"
#include "validator/read_whole.h"

namespace hepcheck::cli {

Result<Report> stored_report(const std::string& path) {
  if (path == "-")
    return reports::read_json(std::string{std::istreambuf_iterator<char>(std::cin), {}}, path);
  const std::optional<std::string> text = read_whole(path);
  if (!text) return failure(path, "cannot be read");
  return reports::read_json(*text, path);
}

void compare_with_stored(const std::string& path,
                         const std::function<bool(const std::string& path)>& whole,
                         Report& report) {
  const Result<Report> earlier = stored_report(path);
  if (!earlier) throw CLI::ValidationError("--against", reports::escaped(earlier.error().text()));
  report.against = reports::compare(report, *earlier, path, whole);
}

}  // namespace hepcheck::cli
