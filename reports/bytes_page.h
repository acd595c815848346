// The map of a file, byte by byte, as one self-contained page.
#pragma once

#include <functional>
#include <iosfwd>
#include <string_view>

namespace hepcheck::reports {

// `data` writes the map as JSON (JsonStream::Form::kScript), which html/bytes.js shows.
void write_bytes_page(std::ostream& out, std::string_view file, std::string_view version,
                      const std::function<void()>& data);

}  // namespace hepcheck::reports
