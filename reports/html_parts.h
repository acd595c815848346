// The files of reports/html, compiled in (html/embed.cmake).
#pragma once

#include <string_view>

namespace hepcheck::reports {

extern const std::string_view kReportPage, kReportStyle, kReportScript;
// SHA-256 in base64, as a Content-Security-Policy wants it.
extern const std::string_view kReportPageHash, kReportStyleHash, kReportScriptHash;

}  // namespace hepcheck::reports
