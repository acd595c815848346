// HEP001 7.2 "The VERSION attribute".
#include "validator/formats/hep001/rules/version.h"

#include "validator/formats/hep001/rules/attributes.h"

namespace hepcheck::hep001 {

namespace {

constexpr const char* kVersionHint = "Write VERSION as a scalar fixed-length ASCII string \"1.0\".";

// The components of "1.0.2"; empty unless all are decimal digits.
std::vector<std::string_view> components(std::string_view text) {
  std::vector<std::string_view> parts;
  while (true) {
    const std::size_t dot = text.find('.');
    const std::string_view part = text.substr(0, dot);
    const bool digits =
        !part.empty() && std::ranges::all_of(part, [](char c) { return c >= '0' && c <= '9'; });
    if (!digits) return {};
    parts.push_back(part);
    if (dot == std::string_view::npos) return parts;
    text.remove_prefix(dot + 1);
  }
}

std::string_view without_leading_zeros(std::string_view digits) {
  const std::size_t first = digits.find_first_not_of('0');
  return first == std::string_view::npos ? digits.substr(digits.size() - 1) : digits.substr(first);
}

void version_present(const Table& table, Probe& probe) {
  table_has<"VERSION">(table, "an attribute VERSION", kVersionHint, probe);
}

const Attribute* fixed_version(const Table& table, Probe& probe) {
  return readable_string(table.attribute("VERSION"), "version-fixed-string", probe);
}

void version_sized(const Table& table, Probe& probe) {
  const Attribute* version = fixed_version(table, probe);
  if (!version) return;
  if (version->bytes.empty()) return probe.blocked("VERSION has no value", by({"version-scalar"}));
  probe.looked();
  if (version->type.padding == StringPadding::kNullTerm &&
      !std::ranges::contains(version->bytes, std::byte{0}))
    probe.fail({.object = table.path(),
                .attribute = "VERSION",
                .observed = describe(version->type) + " without a NUL",
                .expected = "a size that includes the terminator",
                .hint = "Make the string one byte longer, or null-pad it."});
}

void version_value(const Table& table, Probe& probe) {
  if (!readable_scalar(fixed_version(table, probe), "version-scalar", probe)) return;
  const VersionClaim claim = version_claim(table);
  if (claim.kind == VersionClaim::Kind::kLaterMinor && claim.two_components)
    return;  // another revision's value, which the report mentions
  probe.looked();
  if (claim.text != "1.0")
    probe.fail({.object = table.path(),
                .attribute = "VERSION",
                .observed = '"' + claim.text + '"',
                .expected = "\"1.0\", two decimal numbers and a dot",
                .hint = kVersionHint});
}

constexpr Rule kVersionRules[] = {
    {"version-present", version_present, Sees::kTableAttributes},
    {"version-fixed-string", on_table<"VERSION", is_fixed_string>, Sees::kTableAttributes},
    {"version-ascii", on_table<"VERSION", is_ascii<"version-fixed-string">>,
     Sees::kTableAttributes},
    {"version-scalar", on_table<"VERSION", is_scalar>, Sees::kTableAttributes},
    {"version-sized", version_sized, Sees::kTableAttributes},
    {"version-value", version_value, Sees::kTableAttributes},
};

}  // namespace

VersionClaim version_claim(const Table& table) {
  const Attribute* version = table.attribute("VERSION");
  const std::optional<std::string> text = version ? string_value(*version) : std::nullopt;
  VersionClaim claim;
  if (!text) return claim;
  claim.text = *text;
  const std::vector<std::string_view> parts = components(claim.text);
  if (parts.size() != 2 && parts.size() != 3) {
    claim.kind = VersionClaim::Kind::kMalformed;
    return claim;
  }
  const std::string_view major = without_leading_zeros(parts[0]);
  const std::string_view minor = without_leading_zeros(parts[1]);
  claim.two_components = parts.size() == 2 && major == parts[0] && minor == parts[1];
  claim.kind = major == "0"   ? VersionClaim::Kind::kEarlierMajor
               : major != "1" ? VersionClaim::Kind::kLaterMajor
               : minor != "0" ? VersionClaim::Kind::kLaterMinor
                              : VersionClaim::Kind::kThis;
  return claim;
}

std::span<const Rule> version_rules() { return kVersionRules; }

}  // namespace hepcheck::hep001
