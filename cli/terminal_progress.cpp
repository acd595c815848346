#include "cli/terminal_progress.h"

#include <algorithm>
#include <cstdio>
#include <format>
#include <print>

#include "cli/ticker.h"

namespace hepcheck::cli {

namespace {

std::string in_bytes(double bytes) {
  constexpr const char* kUnits[] = {"B", "KiB", "MiB", "GiB", "TiB"};
  std::size_t unit = 0;
  for (; bytes >= 1024 && unit + 1 < std::size(kUnits); ++unit) bytes /= 1024;
  return std::format("{:.{}f} {}", bytes, unit == 0 ? 0 : 1, kUnits[unit]);
}

std::string in_time(double seconds) {
  // The numbers may come from an untrusted process.
  constexpr double kMost = 1e9;
  const auto whole = static_cast<std::uint64_t>(std::min(seconds, kMost) + 0.5);
  if (whole < 60) return std::format("{} s", whole);
  if (whole < 3600) return std::format("{} min {} s", whole / 60, whole % 60);
  return std::format("{} h {} min", whole / 3600, whole % 3600 / 60);
}

}  // namespace

std::string progress_text(std::uint64_t done, std::uint64_t expected, double seconds) {
  const auto rate = static_cast<double>(done) / seconds;
  // More may be read than was announced; then the total is unknown.
  std::string text = in_bytes(static_cast<double>(done));
  if (done <= expected) text += " of " + in_bytes(static_cast<double>(expected));
  text += std::format(", {}/s", in_bytes(rate));
  if (done > 0 && done <= expected)
    text += std::format(", {} left", in_time(static_cast<double>(expected - done) / rate));
  return text;
}

void TerminalProgress::advance(std::uint64_t bytes) {
  done_ += bytes;
  show_if_due();
}

void TerminalProgress::begin_file(std::size_t number, std::size_t of) {
  if (of > 1) file_ = std::format("file {} of {}; ", number, of);
  show_if_due();
}

void TerminalProgress::show_if_due() {
  const std::unique_lock lock(mutex_, std::try_to_lock);
  const auto now = Clock::now();
  if (!lock || now < next_) return;
  next_ = now + std::chrono::milliseconds(200);
  shown_ = true;
  Ticker::stop();
  const double seconds = std::chrono::duration<double>(now - start_).count();
  std::print(stderr, "\r\x1b[K{}{}", file_, progress_text(done_, expected_, seconds));
  std::fflush(stderr);
}

TerminalProgress::~TerminalProgress() {
  if (!shown_) return;
  std::print(stderr, "\r\x1b[K");
  std::fflush(stderr);
}

}  // namespace hepcheck::cli
