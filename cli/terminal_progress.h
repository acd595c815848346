// Progress on a terminal: bytes, rate and remaining time, on one line of standard error.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <mutex>
#include <string>

#include "validator/progress.h"

namespace hepcheck::cli {

// "1.2 GiB of 3.4 GiB, 850.0 MiB/s, 3 s left"; without a time while it is unknown, and without a
// total if more than that is done.
std::string progress_text(std::uint64_t done, std::uint64_t expected, double seconds);

// Shows a line when the work has taken a second, and removes it at the end.
class TerminalProgress : public Progress {
 public:
  TerminalProgress() = default;
  TerminalProgress(const TerminalProgress&) = delete;
  TerminalProgress& operator=(const TerminalProgress&) = delete;
  ~TerminalProgress() override;

  void expect(std::uint64_t bytes) override { expected_ += bytes; }
  void advance(std::uint64_t bytes) override;

  // The next of several files begins. Must not be called while another thread counts bytes.
  void begin_file(std::size_t number, std::size_t of);

 private:
  using Clock = std::chrono::steady_clock;
  const Clock::time_point start_ = Clock::now();
  std::atomic<std::uint64_t> expected_ = 0, done_ = 0;
  std::mutex mutex_{};
  Clock::time_point next_ = start_ + std::chrono::seconds(1);
  bool shown_ = false;
  std::string file_{};  // "file 3 of 12; " if there are several

  void show_if_due();
};

}  // namespace hepcheck::cli
