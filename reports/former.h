// Whether a file is a report of hepcheck.
#pragma once

#include <string_view>

namespace hepcheck::reports {

// How much of a file has to be looked at.
constexpr std::size_t kTellingBytes = 4096;

// Whether these first bytes of a file are those of a report of the form of that name; of text, only
// of one that names its settings.
bool begins_as(std::string_view form, std::string_view bytes);

}  // namespace hepcheck::reports
