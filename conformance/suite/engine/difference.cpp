#include "conformance/suite/engine/difference.h"

#include <algorithm>

#include "conformance/suite/engine/text.h"

namespace hepcheck::suite {

namespace {

// The member `value` of a floating-point number is for display.
bool is_displayed(const Json& object) {
  return object.size() == 2 && object.contains("bits") && object.contains("value");
}

}  // namespace

bool same(const Json& expected, const Json& got) {
  if (expected.is_object() && got.is_object())
    return expected.size() == got.size() - (is_displayed(got) ? 1 : 0) &&
           std::ranges::all_of(expected.items(), [&](const auto& item) {
             return got.contains(item.key()) && same(item.value(), got.at(item.key()));
           });
  if (expected.is_array() && got.is_array()) return std::ranges::equal(expected, got, same);
  return expected == got;
}

std::string shown(const Json& value) {
  return brief(value.dump(-1, ' ', false, Json::error_handler_t::replace), 120);
}

}  // namespace hepcheck::suite
