#include "conformance/suite/safely.h"

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>

namespace hepcheck::hep001::suite {

std::optional<int> safely(const std::function<int()>& work) {
  const pid_t child = ::fork();
  if (child == 0) {
    // Some files are read for ever: two seconds of work are a thousand times what is needed.
    const rlimit seconds{.rlim_cur = 2, .rlim_max = 2};
    ::setrlimit(RLIMIT_CPU, &seconds);
    ::alarm(30);
    try {
      ::_exit(work());
    } catch (...) {
      std::abort();
    }
  }
  int status = 0;
  if (child < 0 || ::waitpid(child, &status, 0) != child || !WIFEXITED(status)) return std::nullopt;
  return WEXITSTATUS(status);
}

}  // namespace hepcheck::hep001::suite
