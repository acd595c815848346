// How what a program reports differs from what a file has.
#pragma once

#include <string>

#include "conformance/suite/engine/reply.h"

namespace hepcheck::suite {

struct Difference {
  std::string where{}, observed{}, expected{};
};

// Two values. Additional members of objects are ignored.
bool same(const Json& expected, const Json& got);
std::string shown(const Json& value);

}  // namespace hepcheck::suite
