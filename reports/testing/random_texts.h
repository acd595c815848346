// Random texts, among them those with a meaning in a format, for tests of reports.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "fuzz/choices.h"

namespace hepcheck::reports {

class RandomTexts {
 public:
  explicit RandomTexts(std::uint64_t seed) : c_((seed + 1) * 0x9E3779B97F4A7C15) {}

 protected:
  // As many as a format may show, one more, or few.
  std::uint64_t count() {
    constexpr std::uint64_t kCounts[] = {0, 0, 1, 1, 2, 3, 4, 5, 6, 9};
    return c_.of(kCounts);
  }
  // Some do not fit into 32 bits.
  std::uint64_t number(std::uint64_t end) {
    const std::uint64_t made = c_.below(end);
    return c_.one_in(6) ? made + (std::uint64_t{5} << 32) : made;
  }
  std::string word() {
    constexpr const char* kWords[] = {"x",    "a b",  "column",      "<b>",  "\"q\"", "it's", "|",
                                      "`c`",  "\n",   "\u20ac",      "&amp", "#1",    "[a]",  "\\",
                                      "\xff", "\x1b", "a,b;c:d=e%f", "::",   "%0A",   "",     "*_"};
    return c_.of(kWords);
  }
  std::string text() {
    std::string made = word();
    for (std::uint64_t n = count(); n > 0; --n) made += ' ' + word();
    return c_.one_in(40) ? made + std::string(300, 'l') : made;
  }
  std::string path() { return "/t/" + word() + std::to_string(c_.below(4)); }
  std::string maybe_text() { return c_.maybe() ? text() : std::string(); }
  std::vector<std::string> texts() {
    std::vector<std::string> made(count());
    for (std::string& each : made) each = text();
    return made;
  }

  fuzz::Noise c_;
};

}  // namespace hepcheck::reports
