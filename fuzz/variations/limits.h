// All limits by their names in options.
#pragma once

#include <cstdint>
#include <iterator>
#include <string_view>
#include <utility>

#include "validator/limits.h"

namespace hepcheck::fuzz {

inline constexpr std::pair<std::string_view, std::uint64_t Limits::*> kLimits[] = {
    {"attribute-bytes", &Limits::attribute_bytes},
    {"attributes", &Limits::attributes},
    {"links", &Limits::links},
    {"objects", &Limits::objects},
    {"subjects", &Limits::subjects},
    {"group-depth", &Limits::group_depth},
    {"type-depth", &Limits::type_depth},
    {"type-members", &Limits::type_members},
    {"chunks", &Limits::chunks},
    {"block-bytes", &Limits::block_bytes},
    {"string-bytes", &Limits::string_bytes},
    {"value-bytes", &Limits::value_bytes},
    {"members", &Limits::members},
    {"member-depth", &Limits::member_depth},
    {"member-name", &Limits::member_name},
    {"member-bytes", &Limits::member_bytes},
    {"ratio", &Limits::ratio},
};
static_assert(sizeof(Limits) == std::size(kLimits) * sizeof(std::uint64_t), "all of them");

}  // namespace hepcheck::fuzz
