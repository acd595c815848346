// The grammar under RapidCheck: every decision is drawn, recorded and shrunk by the library.
#pragma once

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <string>

#include "fuzz/hep001/grammar/column.h"

namespace hepcheck::hep001::grammar {

class Drawn : public Choices {
 public:
  std::uint64_t below(std::uint64_t n) override {
    return *rc::gen::resize(rc::kNominalSize, rc::gen::inRange<std::uint64_t>(0, n));
  }
  std::uint64_t bits() override {
    return *rc::gen::resize(rc::kNominalSize, rc::gen::arbitrary<std::uint64_t>());
  }
};

// What does not matter is not shrunk decision by decision: one seed, and 0 means none of it.
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

inline Noise draw_noise() { return Noise(*rc::gen::arbitrary<std::uint64_t>().as("noise")); }

// A value that make(Drawn&) builds from drawn decisions; shown under `name`.
template <class Make>
auto draw(const std::string& name, Make make) {
  return *rc::gen::exec([make] {
            Drawn choices;
            return make(choices);
          }).as(name);
}

inline Family draw_family() {
  return draw("family", [](Choices& c) { return c.of(kFamilies); });
}

}  // namespace hepcheck::hep001::grammar

namespace hepcheck::hep001 {

// For RapidCheck's counterexamples.
inline std::ostream& operator<<(std::ostream& out, const Datatype& type) {
  return out << describe(type);
}

}  // namespace hepcheck::hep001

namespace hepcheck::hep001::grammar {

inline std::ostream& operator<<(std::ostream& out, Family family) {
  return out << static_cast<int>(family);
}

// A value by itself; a struct, because RapidCheck shows variants as bytes.
struct Shown {
  Value value{};
  friend std::ostream& operator<<(std::ostream& out, const Shown& shown) {
    return out << show(shown.value);
  }
};

inline Value draw_value(const std::string& name, const Datatype& type) {
  return draw(name, [type](Choices& c) { return Shown{random_value(c, type)}; }).value;
}
inline Datatype draw_type(Family family) {
  return draw("datatype", [=](Choices& c) { return random_type(c, family); });
}
inline RandomColumn draw_column(Family family, std::uint64_t most_rows) {
  return draw("column", [=](Choices& c) { return random_column(c, family, most_rows); });
}

}  // namespace hepcheck::hep001::grammar
