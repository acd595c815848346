#include "validator/cli/examiner.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <format>
#include <new>
#include <print>
#include <utility>
#include <vector>

#include "validator/descriptor.h"

namespace hepcheck::cli {

namespace {

// Standard input as a file in memory, so that it is examined like any other.
Result<Descriptor> standard_input(std::uint64_t most) {
  Descriptor file{memfd_create("standard input", MFD_CLOEXEC)};
  if (!file) return failure("-", "no memory to keep it");
  std::vector<char> buffer(std::size_t{1} << 16);
  std::uint64_t total = 0;
  while (true) {
    const ssize_t got = read(STDIN_FILENO, buffer.data(), buffer.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return failure("-", "it cannot be read");
    if (got == 0) break;
    const auto part = static_cast<std::size_t>(got);
    total += part;
    if (total > most)
      return failure("-", std::format("standard input is larger than the limit of {} bytes", most));
    if (write(file.get(), buffer.data(), part) != got) return failure("-", "no memory to keep it");
  }
  if (total == 0) return failure("-", "the file is empty");
  return file;
}

}  // namespace

FileReport Examiner::examine(const std::string& path, const std::optional<std::string>& group) {
  const Result<Descriptor> file =
      path == "-" ? standard_input(bounds_.memory) : open_for_reading(path);
  if (!file) return {.path = path, .error = file.error()};
  if (!isolated_) {
    try {
      return examine_descriptor(file->get(), path, group, spec_, options_);
    } catch (const std::bad_alloc&) {
      return {.path = path, .error = Error{path, "out of memory"}};
    }
  }
  isolate::Isolated isolated =
      isolate::examine_isolated(file->get(), path, group, spec_, options_, bounds_);
  if (!isolated.refused.empty() && !std::exchange(said_, true))
    std::println(stderr, "hepcheck: this system refuses part of the isolation: {}",
                 isolated.refused);
  return std::move(isolated.report);
}

}  // namespace hepcheck::cli
