#include "validator/format.h"

#include <algorithm>

namespace hepcheck {

const Format* find_format(std::string_view name) {
  const auto all = all_formats();
  const auto it = std::ranges::find(all, name, [](const Format* each) { return each->name; });
  return it == all.end() ? nullptr : *it;
}

const Format& format_of(const Specification& spec) { return *find_format(spec.format); }

namespace {

const Format* most_certain(const auto& likeness_of) {
  const Format* possible = nullptr;
  for (const Format* each : all_formats()) {
    const Likeness likeness = likeness_of(*each);
    if (likeness == Likeness::kCertain) return each;
    if (likeness == Likeness::kPossible && !possible) possible = each;
  }
  return possible;
}

}  // namespace

const Format* recognise(const Bytes& file) {
  return most_certain([&](const Format& format) { return format.recognise(file); });
}

const Format* recognise_directory(const std::string& path) {
  if (std::ranges::none_of(all_formats(),
                           [](const Format* each) { return each->recognise_directory != nullptr; }))
    return nullptr;
  const DirectoryProbe directory(path);
  if (!directory) return nullptr;
  return most_certain([&](const Format& format) {
    return format.recognise_directory ? format.recognise_directory(directory) : Likeness::kNone;
  });
}

const Specification& default_specification() {
  return default_revision(all_formats().front()->name);
}

}  // namespace hepcheck
