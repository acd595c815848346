// The source of random values: one grammar, several engines.
//
// The grammar (column.h, table.h) makes small decisions and builds values from them. Under
// RapidCheck
// the library generates and shrinks each decision; under libFuzzer it is read from the input. Every
// grammar puts its simplest alternative at 0, so shrinking a decision, or exhausting the input,
// leads
// to something simple.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

namespace hepcheck::fuzz {

class Choices {
 public:
  virtual ~Choices() = default;
  // A number in [0, n), n > 0.
  virtual std::uint64_t below(std::uint64_t n) = 0;
  // Any 64 bits.
  virtual std::uint64_t bits() = 0;

  bool maybe() { return below(2) == 1; }
  bool one_in(std::uint64_t n) { return below(n) == n - 1; }
  template <class T>
  const T& of(std::span<const T> options) {
    return options[below(options.size())];
  }
  template <class T, std::size_t kCount>
  const T& of(const T (&options)[kCount]) {
    return options[below(kCount)];
  }
};

// Always the simplest alternative.
class NoChoice : public Choices {
 public:
  std::uint64_t below(std::uint64_t) override { return 0; }
  std::uint64_t bits() override { return 0; }
};

// Reads decisions from a fuzzer's input; zeros when it is exhausted.
class InputChoices : public Choices {
 public:
  explicit InputChoices(std::span<const std::byte> input) : input_(input) {}

  std::uint64_t below(std::uint64_t n) override {
    const auto width = static_cast<std::size_t>(std::bit_width(n - 1) + 7) / 8;
    return take(width) % n;
  }
  std::uint64_t bits() override { return take(8); }
  bool empty() const { return input_.empty(); }
  // The unread rest.
  std::span<const std::byte> rest() const { return input_; }

 private:
  std::uint64_t take(std::size_t bytes) {
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < bytes && !input_.empty(); ++i) {
      value |= std::to_integer<std::uint64_t>(input_.front()) << (8 * i);
      input_ = input_.subspan(1);
    }
    return value;
  }

  std::span<const std::byte> input_;
};

// Irrelevant values are not shrunk decision by decision: one seed represents them, and 0 means
// none.
class Noise : public Choices {
 public:
  explicit Noise(std::uint64_t seed) : state_(seed) {}
  std::uint64_t below(std::uint64_t n) override { return bits() % n; }
  std::uint64_t bits() override {
    if (state_ == 0) return 0;
    state_ ^= state_ << 13;
    state_ ^= state_ >> 7;
    state_ ^= state_ << 17;
    return state_;
  }

 private:
  std::uint64_t state_;
};

}  // namespace hepcheck::fuzz
