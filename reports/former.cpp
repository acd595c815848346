#include "reports/former.h"

#include <algorithm>
#include <array>
#include <format>
#include <string>

#include "validator/format.h"

namespace hepcheck::reports {

namespace {

// Whether the bytes begin with `before`, the titles of some formats, and `after`.
bool titled(std::string_view bytes, std::string_view before, std::string_view after) {
  if (!bytes.starts_with(before)) return false;
  bytes.remove_prefix(before.size());
  for (std::size_t i = 0; i < all_formats().size(); ++i) {
    const auto format = std::ranges::find_if(
        all_formats(), [&](const Format* each) { return bytes.starts_with(each->title); });
    if (format == all_formats().end()) return false;
    bytes.remove_prefix((*format)->title.size());
    if (bytes.starts_with(after)) return true;
    if (!bytes.starts_with(", ")) return false;
    bytes.remove_prefix(2);
  }
  return false;
}

bool is_text(std::string_view bytes) {
  const std::string_view line = bytes.substr(0, bytes.find('\n'));
  return line.size() < bytes.size() && line.ends_with(": settings in force");
}

bool is_markdown(std::string_view bytes) {
  return std::ranges::any_of(
      std::array{":white_check_mark:", ":ballot_box_with_check:", ":x:", ":grey_question:"},
      [&](const char* sign) { return titled(bytes, std::format("## {} ", sign), ": "); });
}

// Whether the bytes begin with `before`, the label of a badge, and `after`.
bool labelled(std::string_view bytes, std::string_view before, std::string_view after) {
  return titled(bytes, before, after) ||
         bytes.starts_with(std::format("{}{}{}", before, kLabelOfSeveral, after));
}

bool is_badge_svg(std::string_view bytes) {
  constexpr std::string_view kLabel = "role=\"img\" aria-label=\"";
  const std::size_t at = bytes.find(kLabel);
  return bytes.starts_with("<svg xmlns=\"http://www.w3.org/2000/svg\" ") && at != bytes.npos &&
         labelled(bytes.substr(at + kLabel.size()), "", ": ");
}

}  // namespace

bool begins_as(std::string_view form, std::string_view bytes) {
  if (form == "text") return is_text(bytes);
  if (form == "json") return bytes.starts_with("{\n \"hepcheck\": \"");
  if (form == "json-findings")
    return bytes.starts_with("{\n \"form\": \"findings\",\n \"hepcheck\": \"");
  if (form == "gitlab")
    return bytes.starts_with("[]\n") || bytes.starts_with("[\n {\n  \"check_name\": \"");
  if (form == "ndjson") return bytes.starts_with("{\"hepcheck\":\"");
  if (form == "sarif")
    return bytes.starts_with("{\n \"$schema\": \"https://docs.oasis-open.org/sarif/") &&
           bytes.contains("\n     \"name\": \"hepcheck\",\n");
  if (form == "junit" || form == "junit-clauses")
    return bytes.starts_with(
        std::format("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"hepcheck{}\" ",
                    form == "junit" ? "" : " clauses"));
  if (form == "markdown") return is_markdown(bytes);
  if (form == "html")
    return bytes.starts_with("<!doctype html>") &&
           bytes.contains("\n<meta name=\"generator\" content=\"hepcheck\">\n");
  if (form == "earl")
    return bytes.starts_with("{\n \"@context\": {") &&
           bytes.contains("\n   \"@id\": \"_:hepcheck\",\n");
  if (form == "badge") return labelled(bytes, R"({"schemaVersion":1,"label":")", "\",");
  if (form == "github") return bytes.starts_with("::notice title=hepcheck::");
  return form == "badge-svg" && is_badge_svg(bytes);
}

}  // namespace hepcheck::reports
