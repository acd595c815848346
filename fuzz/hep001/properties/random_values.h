// Connects the grammar to RapidCheck.
#pragma once

#include <string>

#include "fuzz/hep001/grammar/column.h"
#include "fuzz/properties/random_values.h"

namespace hepcheck::hep001::grammar {

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

// A single value; a struct, because RapidCheck displays variants as bytes.
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
