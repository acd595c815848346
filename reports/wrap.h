// Breaks the lines of a text report between words, for a terminal of a certain width.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace hepcheck::reports {

// Lines that are longer than `width` columns continue on further lines, which are indented further:
// a value in the column of values, anything else by four columns. A word that is longer than a line
// stays whole, so that paths can be copied. Colour codes take no columns. A width of 0, or one that
// is too small to be useful, changes nothing.
std::string wrapped(std::string_view text, std::size_t width);

}  // namespace hepcheck::reports
