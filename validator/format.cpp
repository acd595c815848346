#include "validator/format.h"

#include <algorithm>

namespace hepcheck {

const Format* find_format(std::string_view name) {
  const auto all = all_formats();
  const auto it = std::ranges::find(all, name, [](const Format* each) { return each->name; });
  return it == all.end() ? nullptr : *it;
}

const Format& format_of(const Specification& spec) { return *find_format(spec.format); }

const Format* recognise(const Bytes& file) {
  const Format* possible = nullptr;
  for (const Format* each : all_formats()) {
    const Likeness likeness = each->recognise(file);
    if (likeness == Likeness::kCertain) return each;
    if (likeness == Likeness::kPossible && !possible) possible = each;
  }
  return possible;
}

const Specification& default_specification() {
  return default_revision(all_formats().front()->name);
}

}  // namespace hepcheck
