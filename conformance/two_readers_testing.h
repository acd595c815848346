// What the comparisons of two readers share.
#pragma once

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <optional>
#include <vector>

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

// How many expectations of the current test have failed.
inline int failures() {
  return ::testing::UnitTest::GetInstance()->current_test_info()->result()->total_part_count();
}

// The HDF5 files below a directory, sorted.
inline std::vector<std::filesystem::path> files_below(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> paths;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder))
    if (entry.path().extension() == ".h5" || entry.path().extension() == ".hdf5")
      paths.push_back(entry.path());
  std::ranges::sort(paths);
  return paths;
}

}  // namespace hepcheck
