// Texts of requests and replies.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace hepcheck::suite {

std::string base64(std::string_view bytes);
std::optional<std::string> from_base64(std::string_view text);

// The beginning of a text, if it is longer than that many bytes.
std::string brief(std::string_view text, std::size_t most);

}  // namespace hepcheck::suite
