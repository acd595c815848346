#include "cli/ticker.h"

#include <signal.h>
#include <sys/time.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>

namespace hepcheck::cli {

namespace {

// Read by the signal handler.
std::atomic<const char*> shown_what = nullptr, shown_unit = nullptr;
std::atomic<std::uint64_t> counted_so_far = 0;
std::atomic<unsigned> ticks = 0;
std::atomic<bool> on_screen = false;

// Text of a line, made without functions that a signal handler must not call.
class Line {
 public:
  Line& add(const char* text) {
    while (*text && size_ < text_.size()) text_[size_++] = *text++;
    return *this;
  }
  Line& add(std::uint64_t number) {
    std::array<char, 21> digits{};
    std::size_t at = digits.size() - 1;
    do digits[--at] = static_cast<char>('0' + number % 10);
    while ((number /= 10) > 0);
    return add(digits.data() + at);
  }
  void write() const {
    [[maybe_unused]] const ssize_t told = ::write(STDERR_FILENO, text_.data(), size_);
  }

 private:
  std::array<char, 160> text_{};
  std::size_t size_ = 0;
};

extern "C" void on_tick(int) {
  const char* const what = shown_what;
  const unsigned seconds = ++ticks;
  constexpr unsigned kPatience = 2;
  if (!what || seconds < kPatience) return;
  const int trouble = errno;
  Line line;
  line.add("\r\x1b[K").add(what).add(": ").add(seconds).add(" s");
  if (const char* const unit = shown_unit) line.add(", ").add(counted_so_far).add(" ").add(unit);
  line.write();
  on_screen = true;
  errno = trouble;
}

}  // namespace

Ticker::Ticker(const char* what, bool quiet) {
  if (quiet || shown_what || isatty(STDERR_FILENO) == 0) return;
  ours_ = true;
  ticks = 0;
  shown_unit = nullptr;
  shown_what = what;
  struct sigaction action{};
  action.sa_handler = on_tick;
  action.sa_flags = SA_RESTART;
  sigaction(SIGALRM, &action, nullptr);
  const itimerval each{.it_interval = {.tv_sec = 1, .tv_usec = 0},
                       .it_value = {.tv_sec = 1, .tv_usec = 0}};
  setitimer(ITIMER_REAL, &each, nullptr);
}

Ticker::~Ticker() {
  if (ours_) stop();
}

void Ticker::stop() {
  if (!shown_what) return;
  const itimerval never{};
  setitimer(ITIMER_REAL, &never, nullptr);
  shown_what = nullptr;
  if (on_screen.exchange(false)) Line().add("\r\x1b[K").write();
}

void Ticker::count(std::uint64_t number, const char* unit) {
  counted_so_far = number;
  shown_unit = unit;
}

}  // namespace hepcheck::cli
