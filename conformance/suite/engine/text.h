// Texts of requests and replies.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "reports/escape.h"

namespace hepcheck::suite {

std::string base64(std::string_view bytes);
std::optional<std::string> from_base64(std::string_view text);

using reports::brief;

}  // namespace hepcheck::suite
