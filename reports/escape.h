// Text from files, made safe to show.
#pragma once

#include <string>
#include <string_view>

namespace hepcheck::reports {

// For terminals and logs: control characters, bidirectional overrides and bytes that are no
// UTF-8 come out as \n, \t, \xNN or \u{NNNN}; a backslash is doubled. Nothing is lost.
std::string for_terminal(std::string_view text);

// For formats that must be UTF-8 and escape by themselves (JSON, XML, HTML): unchanged if
// valid UTF-8 without characters that XML forbids; otherwise as for_terminal.
std::string as_utf8(std::string_view text);

}  // namespace hepcheck::reports
