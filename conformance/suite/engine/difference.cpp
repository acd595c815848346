#include "conformance/suite/engine/difference.h"

#include <algorithm>

#include "conformance/suite/engine/text.h"

namespace hepcheck::suite {

namespace {

// The member `value` of a floating-point number is for display.
std::size_t compared_members(const Json& object) {
  return object.size() - (object.contains("bits") && object.contains("value") ? 1 : 0);
}

}  // namespace

bool same(const Json& expected, const Json& got) {
  if (expected.is_object() && got.is_object())
    return compared_members(expected) == compared_members(got) &&
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
