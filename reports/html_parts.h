// The files of reports/html, embedded at build time (html/embed.cmake).
#pragma once

#include <string_view>

namespace hepcheck::reports {

extern const std::string_view kReportPage, kReportStyle, kReportScript;
extern const std::string_view kBytesPage, kBytesScript;
// SHA-256 in base64, as required by Content-Security-Policy.
extern const std::string_view kReportPageHash, kReportStyleHash, kReportScriptHash;
extern const std::string_view kBytesPageHash, kBytesScriptHash;

}  // namespace hepcheck::reports
