// Runs something that may not survive.
#pragma once

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <functional>
#include <optional>

namespace hepcheck {

// The result of `work` in a child process; nothing if it crashed or did not finish in time: the
// HDF5 library aborts on some files, because it is built with assertions.
inline std::optional<int> in_a_child(const std::function<int()>& work) {
  const pid_t child = ::fork();
  if (child == 0) {
    constexpr rlimit kSeconds{.rlim_cur = 5, .rlim_max = 5};
    ::setrlimit(RLIMIT_CPU, &kSeconds);
    ::_exit(work());
  }
  int status = 0;
  if (child < 0 || ::waitpid(child, &status, 0) != child || !WIFEXITED(status)) return std::nullopt;
  return WEXITSTATUS(status);
}

}  // namespace hepcheck
