// How what a program reports differs from what a file has.
#pragma once

#include <string>

#include "conformance/suite/engine/reply.h"

namespace hepcheck::suite {

struct Difference {
  std::string where{}, observed{}, expected{};
};

// Whether a value is the expected one: objects have the same members, in any order, beside the
// `value` that a floating-point number may have for display.
bool same(const Json& expected, const Json& got);
std::string shown(const Json& value);

}  // namespace hepcheck::suite
