#include "cli/exchange.h"

#include <signal.h>

#include <print>

#include "reports/escape.h"
#include "validator/exchange/new_file.h"
#include "validator/rewrite.h"

namespace hepcheck::cli {

namespace {

void end(int number) {
  exchange::NewFile::on_signal();
  Rewrite::on_signal(number);
}

}  // namespace

int refused(const std::string& file, std::string why, int status) {
  if (why.starts_with(file + ": ")) why = why.substr(file.size() + 2);
  std::println(stderr, "hepcheck: {}{}{}", reports::escaped(file),
               why.starts_with('/') ? ":" : ": ", reports::escaped(why));
  return status;
}

void leave_nothing_behind() {
  for (const int number : {SIGHUP, SIGINT, SIGTERM})
    if (signal(number, end) == SIG_IGN) signal(number, SIG_IGN);  // nohup
  signal(SIGXFSZ, SIG_IGN);
}

}  // namespace hepcheck::cli
