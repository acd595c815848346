// What the host of WebAssembly does instead of a system. In place of terminal_progress.cpp: it
// shows the progress.
#include <emscripten/em_js.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include <string>

#include "cli/terminal_progress.h"

// clang-format off
EM_JS(void, tell_host, (double done, double expected, double file, double of), {
  if (Module["onProgress"]) Module["onProgress"](done, expected, file, of);
});
// clang-format on

// For standard input that has to be collected: all files that this program can create are in
// memory.
extern "C" int memfd_create(const char*, unsigned) {
  std::string path = "/.collected-XXXXXX";
  const int file = mkstemp(path.data());
  if (file >= 0) unlink(path.c_str());
  return file;
}

namespace hepcheck::cli {

namespace {

double number_of_file = 1, number_of_files = 1;

}  // namespace

void TerminalProgress::advance(std::uint64_t bytes) {
  done_ += bytes;
  show_if_due();
}

void TerminalProgress::begin_file(std::size_t number, std::size_t of) {
  number_of_file = static_cast<double>(number);
  number_of_files = static_cast<double>(of);
  show_if_due();
}

void TerminalProgress::show_if_due() {
  const auto now = Clock::now();
  if (shown_ && now < next_) return;
  next_ = now + std::chrono::milliseconds(100);
  shown_ = true;
  tell_host(static_cast<double>(done_), static_cast<double>(expected_), number_of_file,
            number_of_files);
}

TerminalProgress::~TerminalProgress() = default;

}  // namespace hepcheck::cli
