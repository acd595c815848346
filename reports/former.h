// Recognises reports of hepcheck.
#pragma once

#include <string_view>

namespace hepcheck::reports {

// The number of bytes of a file that must be examined.
constexpr std::size_t kTellingBytes = 4096;

// Whether these first bytes of a file are those of a report in the format of this name; a text
// report is recognised only if it names its settings.
bool begins_as(std::string_view form, std::string_view bytes);

}  // namespace hepcheck::reports
