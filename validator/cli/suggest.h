// "did you mean": the nearest name to a mistyped one.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace hepcheck::cli {

// Edits (insert, delete, replace, swap neighbours) that turn `a` into `b`.
std::size_t edit_distance(std::string_view a, std::string_view b);

// The nearest candidate, if it is near enough to be what was meant.
std::optional<std::string> nearest(std::string_view name,
                                   std::span<const std::string_view> candidates);

}  // namespace hepcheck::cli
