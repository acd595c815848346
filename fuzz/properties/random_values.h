// Connects a grammar to RapidCheck: every decision is generated, recorded and shrunk by the
// library.
#pragma once

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <functional>
#include <string>
#include <type_traits>
#include <utility>

#include "fuzz/choices.h"

namespace hepcheck::fuzz {

class Drawn : public Choices {
 public:
  std::uint64_t below(std::uint64_t n) override {
    return *rc::gen::resize(rc::kNominalSize, rc::gen::inRange<std::uint64_t>(0, n));
  }
  std::uint64_t bits() override {
    return *rc::gen::resize(rc::kNominalSize, rc::gen::arbitrary<std::uint64_t>());
  }
};

inline Noise draw_noise() { return Noise(*rc::gen::arbitrary<std::uint64_t>().as("noise")); }

// One generator for each type of value and not for each lambda, because RapidCheck's templates take
// long to compile.
template <class Value>
Value draw_by(const std::string& name, std::function<Value()> make) {
  return *rc::gen::exec(std::move(make)).as(name);
}

// A value that make(Drawn&) builds from generated decisions; displayed under `name`.
template <class Make>
auto draw(const std::string& name, Make make) {
  return draw_by<std::invoke_result_t<Make, Drawn&>>(name, [make] {
    Drawn choices;
    return make(choices);
  });
}

}  // namespace hepcheck::fuzz
