#include "cli/specifications.h"

#include <algorithm>

#include "cli/suggest.h"
#include "validator/format.h"

namespace hepcheck::cli {

Specifications specifications_named(const std::vector<std::string>& words) {
  Specifications wanted;
  for (const std::string& word : words) {
    const Specification* spec = word == kAutomatic ? nullptr : &specification_named(word);
    if (!std::ranges::contains(wanted, spec)) wanted.push_back(spec);
  }
  return wanted;
}

const Specification& first_of(std::span<const Specification* const> wanted) {
  return wanted.front() ? *wanted.front() : default_specification();
}

Specifications known_of(std::span<const Specification* const> wanted) {
  if (!std::ranges::contains(wanted, nullptr)) return {wanted.begin(), wanted.end()};
  Specifications all;
  for (const Specification& each : all_specifications()) all.push_back(&each);
  return all;
}

std::string names_of(std::span<const Specification* const> wanted) {
  std::string text;
  for (const Specification* each : wanted)
    text +=
        std::string(text.empty() ? "" : ", ").append(each ? each->id : default_specification().id);
  return text;
}

}  // namespace hepcheck::cli
