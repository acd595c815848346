// A badge: JSON for a shields.io endpoint, or an SVG image. It contains no text from files.
#include <format>
#include <nlohmann/json.hpp>
#include <ostream>

#include "reports/formats.h"
#include "reports/former.h"
#include "reports/tally.h"

namespace hepcheck::reports {

namespace {

struct Colour {
  const char* name;
  const char* value;  // white text on it has a contrast of at least 4.5
};

Colour colour(const Headline& head) {
  switch (head.claim) {
    case Claim::kConformant:
      return head.scoped ? Colour{"green", "#46691f"} : Colour{"brightgreen", "#1f7a34"};
    case Claim::kAccepted: return {"yellow", "#835c00"};
    case Claim::kNotConformant: return {"red", "#b42318"};
    case Claim::kNotDecided: return {"lightgrey", "#5c6570"};
  }
  return {"lightgrey", "#5c6570"};
}

// The width of the text in pixels, estimated; textLength makes browsers use it.
std::size_t width(std::string_view text) { return 7 * text.size(); }

std::string label_of(const Report& report) {
  return formats_of(report).size() == 1 ? title_of(report) : std::string(kLabelOfSeveral);
}

}  // namespace

void write_badge(std::ostream& out, const Report& report) {
  const Headline head = headline(report);
  out << nlohmann::ordered_json{{"schemaVersion", 1},
                                {"label", label_of(report)},
                                {"message", head.text},
                                {"color", colour(head).name},
                                {"isError", head.claim == Claim::kNotConformant}}
             .dump()
      << '\n';
}

void write_badge_svg(std::ostream& out, const Report& report) {
  const Headline head = headline(report);
  const std::string label = label_of(report);
  const std::size_t left = width(label) + 10, right = width(head.text) + 10;
  out << std::format(
      R"(<svg xmlns="http://www.w3.org/2000/svg" width="{0}" height="20" role="img" aria-label="{1}: {2}">
<title>{1}: {2}</title>
<rect width="{0}" height="20" rx="3" fill="{3}"/>
<path d="M3 0h{4}v20h-{4}a3 3 0 0 1-3-3v-14a3 3 0 0 1 3-3z" fill="#444c56"/>
<g fill="#fff" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11" text-anchor="middle">
<text x="{5}" y="14" textLength="{6}">{1}</text>
<text x="{7}" y="14" textLength="{8}">{2}</text>
</g>
</svg>
)",
      left + right, label, head.text, colour(head).value, left - 3, left / 2, left - 10,
      left + right / 2, right - 10);
}

}  // namespace hepcheck::reports
