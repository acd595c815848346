// Examines a conformant and a broken file through the installed headers and libraries.
#include <iostream>
#include <string>

#include "reports/text.h"
#include "validator/examine_file.h"
#include "validator/format.h"

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  const std::string fixtures = argv[1];
  const hepcheck::Specification& spec = hepcheck::default_specification();

  hepcheck::Report report{.hepcheck = "consumer", .spec = &spec};
  report.files.push_back(hepcheck::examine_file(fixtures + "/valid/7.3/nrows-scalar--one-row.h5",
                                                std::nullopt, &spec, {}));
  if (hepcheck::exit_status(report) != 0) {
    hepcheck::reports::write_text(std::cout, report, {});
    return 1;
  }

  report.files = {hepcheck::examine_file(fixtures + "/invalid/7.3/nrows-uint64--int64.h5",
                                         std::nullopt, &spec, {})};
  std::string broken;
  for (const hepcheck::SubjectReport& table : report.files.front().subjects)
    for (const hepcheck::ClauseResult& result : table.clauses)
      if (result.verdict == hepcheck::Verdict::kFail)
        broken += std::string(result.clause->id) + '\n';
  if (hepcheck::exit_status(report) != 1 || broken != "nrows-uint64\n") {
    hepcheck::reports::write_text(std::cout, report, {});
    return 1;
  }
}
