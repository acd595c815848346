// Stored reports, baselines and settings, which may be untrusted. The first line selects:
// "report", "baseline" or "settings". Oracle: the input is rejected with a message, or unchanged
// when written again, in every format.
#include <functional>
#include <nlohmann/json.hpp>
#include <sstream>

#include "cli/config.h"
#include "cli/confined_file.h"
#include "fuzz/targets/report_oracle.h"
#include "fuzz/targets/target.h"
#include "reports/baseline.h"
#include "reports/escape.h"
#include "reports/json.h"
#include "reports/merge.h"

using namespace hepcheck;
using namespace hepcheck::fuzz;

namespace {

template <class T>
bool refused(const Result<T>& read) {
  if (read) return false;
  const std::string sentence = reports::escaped(read.error().text());
  require(read.error().context.starts_with("name") && !read.error().cause.empty() &&
              is_utf8(sentence) && !sentence.contains('\n'),
          "refused without a sentence");
  return true;
}

void check_report(std::string_view text, std::size_t size) {
  const Result<Report> report = reports::read_json(text, "name");
  if (refused(report)) return;
  check_writing(*report, size % ways_to_write());
  check_writing(*report, ways_to_write() - 3);  // as JSON, and read again
  Report twice = *report;
  require(reports::merge(twice, *report).has_value() == !report->files.empty() &&
              twice.files.size() == report->files.size(),
          "it is joined with itself");
}

std::string baseline_text(const reports::Baseline& baseline) {
  std::ostringstream out;
  reports::write_baseline(out, baseline);
  return out.str();
}

void check_baseline(std::string_view text) {
  const auto baseline = reports::read_baseline(text, "name");
  if (refused(baseline)) return;
  const std::string written = baseline_text(*baseline);
  const auto again = reports::read_baseline(written, "name");
  require(again && baseline_text(*again) == written, "a baseline that is not read as written");
}

void check_settings(std::string_view text) {
  const Result<cli::Config> config = cli::parse_config(text, "name");
  if (refused(config)) return;
  for (const std::string& format : config->formats)
    if (const std::size_t equals = format.find('='); equals != format.npos)
      require(cli::is_confined(format.substr(equals + 1)), "a report outside the directory");
  require(!config->baseline || cli::is_confined(*config->baseline),
          "a baseline outside the directory");
  for (const cli::Skip& skip : config->skips)
    require(!skip.clause.empty() && !skip.reason.empty(), "a skip without a reason");
}

}  // namespace

FUZZ_TARGET(stored) {
  const std::string_view whole = text(data, size);
  const std::size_t line = whole.find('\n');
  if (line == whole.npos) return 0;
  const std::string_view kind = whole.substr(0, line), rest = whole.substr(line + 1);
  if (kind == "report") check_report(rest, size);
  if (kind == "baseline") check_baseline(rest);
  if (kind == "settings") check_settings(rest);
  return 0;
}
