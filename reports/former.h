// Recognises reports of hepcheck.
#pragma once

#include <string_view>

namespace hepcheck::reports {

// The number of bytes of a file that must be examined.
constexpr std::size_t kTellingBytes = 4096;

// The label of a badge for files of several formats, whose names do not fit.
constexpr std::string_view kLabelOfSeveral = "hepcheck";

// Whether these first bytes of a file are those of a report in the format of this name; a text
// report is recognised only if it names its settings.
bool begins_as(std::string_view form, std::string_view bytes);

}  // namespace hepcheck::reports
