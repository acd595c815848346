// IV.A.2.g: names of links, which those of attributes follow; and names of files.
#include "validator/formats/hdf5/names.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <format>
#include <string>

#include "validator/formats/hdf5/rule.h"
#include "validator/utf8.h"

namespace hepcheck::hdf5 {

namespace {

std::span<const std::byte> bytes_of(std::string_view text) {
  return std::as_bytes(std::span(text));
}

void name_utf8(const NameOf& it, Look& look) {
  if (!it.utf8) return;
  look.looked();
  if (!is_utf8(it.bytes))
    look.fail(0,
              std::format("a name that is not UTF-8 from byte {} on",
                          well_formed_utf8(bytes_of(it.bytes))),
              "well-formed UTF-8, as its character set says");
}

void name_ascii(const NameOf& it, Look& look) {
  if (it.utf8) return;
  look.looked();
  if (!is_ascii(bytes_of(it.bytes)))
    look.fail(0, std::format("other letters than ASCII in \"{}\"", it.bytes),
              "the character set UTF-8, or letters below 128");
}

void name_nul(const NameOf& it, Look& look) {
  look.looked();
  if (const std::size_t zero = it.bytes.find('\0'); zero != it.bytes.npos)
    look.fail(0, std::format("a zero at byte {} of a name of {}", zero, it.bytes.size()), "none");
}

void name_reachable(const NameOf& it, Look& look) {
  look.looked();
  if (it.bytes == "." || it.bytes.contains('/'))
    look.fail(0, std::format("the name \"{}\"", it.bytes), "a name without a slash, and not a dot");
}

bool controls(std::string_view text) {
  return std::ranges::any_of(text, [](char letter) {
    const auto code = static_cast<unsigned char>(letter);
    return code < 0x20 || code == 0x7f;
  });
}

// U+202A to U+202E and U+2066 to U+2069.
bool direction_marks(std::string_view text) {
  for (std::size_t at = text.find('\xe2'); at != text.npos && text.size() - at > 2;
       at = text.find('\xe2', at + 1)) {
    const auto second = static_cast<unsigned char>(text[at + 1]);
    const auto third = static_cast<unsigned char>(text[at + 2]);
    if ((second == 0x80 && third >= 0xaa && third <= 0xae) ||
        (second == 0x81 && third >= 0xa6 && third <= 0xa9))
      return true;
  }
  return false;
}

// The names of devices, with any ending.
bool reserved_by_windows(std::string_view text) {
  std::string stem(text.substr(0, text.find('.')));
  std::ranges::transform(stem, stem.begin(), [](char letter) {
    return static_cast<char>(std::toupper(static_cast<unsigned char>(letter)));
  });
  constexpr std::array<std::string_view, 4> kDevices = {"CON", "PRN", "AUX", "NUL"};
  if (std::ranges::contains(kDevices, std::string_view(stem))) return true;
  return stem.size() == 4 && (stem.starts_with("COM") || stem.starts_with("LPT")) &&
         stem[3] >= '1' && stem[3] <= '9';
}

std::string_view danger(std::string_view name) {
  constexpr std::size_t kLongest = 255;
  if (name == "." || name == "..") return "a name of dots";
  if (name.starts_with('~') || name.starts_with('-')) return "a leading tilde or minus";
  if (name.contains('\\') || name.contains(':')) return "a backslash or colon";
  if (controls(name)) return "a control character";
  if (direction_marks(name)) return "a direction mark";
  if (reserved_by_windows(name)) return "a name that Windows reserves";
  if (name.size() > kLongest) return "a name of more than 255 bytes";
  return {};
}

void risk_link_name(const NameOf& it, Look& look) {
  look.looked();
  if (const std::string_view why = danger(it.bytes); !why.empty())
    look.fail(0, std::format("{}: \"{}\"", why, it.bytes.substr(0, 100)),
              "a name that is safe as the name of a file");
}

constexpr Rule<NameOf> kLinkNameRules[] = {
    {"h5-link-name-utf8", name_utf8},      {"h5-link-name-ascii", name_ascii},
    {"h5-link-name-nul", name_nul},        {"h5-link-name-reachable", name_reachable},
    {"h5-risk-link-name", risk_link_name},
};
constexpr Rule<NameOf> kAttributeNameRules[] = {
    {"h5-link-name-utf8", name_utf8},
    {"h5-link-name-ascii", name_ascii},
    {"h5-risk-link-name", risk_link_name},
};

}  // namespace

void name_rules(RuleList& list) { list.structure<kLinkNameRules>(); }

void judge_link_name(const NameOf& name, const Place& at, Notes& notes) {
  judge_each<kLinkNameRules>(name, at, notes);
}

void judge_attribute_name(const NameOf& name, const Place& at, Notes& notes) {
  notes.in_attribute(std::string(name.bytes));
  judge_each<kAttributeNameRules>(name, at, notes);
  notes.in_attribute({});
}

std::string_view leads_out(std::string_view name) {
  if (name.empty()) return "an empty name";
  if (controls(name)) return "a control character";
  if (name.starts_with('/') || name.starts_with('\\')) return "an absolute name";
  if (name.contains("://")) return "a URL";
  const auto letter = static_cast<unsigned char>(name[0]);
  if (name.size() > 1 && name[1] == ':' && std::isalpha(letter) != 0) return "a drive letter";
  std::size_t begin = 0;
  while (begin <= name.size()) {
    const std::size_t end = std::min(name.find_first_of("/\\", begin), name.size());
    if (name.substr(begin, end - begin) == "..") return "two dots";
    begin = end + 1;
  }
  return {};
}

}  // namespace hepcheck::hdf5
