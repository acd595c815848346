#include "reports/merge.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <string_view>
#include <utility>

namespace hepcheck::reports {

namespace {

// Whether both contain the same tables of the same file.
bool same(const FileReport& a, const FileReport& b) {
  return a.path == b.path &&
         std::ranges::equal(a.subjects, b.subjects, [](const auto& x, const auto& y) {
           return x.path == y.path && x.spec == y.spec;
         });
}

}  // namespace

std::optional<std::string> merge(Report& whole, Report part) {
  if (!whole.spec) {
    whole.hepcheck = part.hepcheck;
    whole.spec = part.spec;
  } else if (whole.spec != part.spec) {
    return "it uses a different specification than the first";
  }
  std::multimap<std::string_view, const FileReport*> known;
  for (const FileReport& file : whole.files) known.emplace(file.path, &file);
  for (const FileReport& file : part.files) {
    const auto [begin, end] = known.equal_range(file.path);
    if (std::any_of(begin, end, [&](const auto& each) { return same(*each.second, file); }))
      return file.path + " is already in one of the others";
  }
  whole.compared |= part.compared;
  whole.stamped |= part.stamped;
  if (whole.date.empty()) whole.date = part.date;
  for (std::string& each : part.options)
    if (!std::ranges::contains(whole.options, each)) whole.options.push_back(std::move(each));
  for (Settings& each : part.settings)
    if (!std::ranges::contains(whole.settings, each)) whole.settings.push_back(std::move(each));
  std::ranges::move(part.files, std::back_inserter(whole.files));
  std::ranges::move(part.gone, std::back_inserter(whole.gone));
  if (part.against && whole.against) {
    if (part.against->earlier != whole.against->earlier)
      whole.against->earlier += ", " + part.against->earlier;
    std::ranges::move(part.against->fresh, std::back_inserter(whole.against->fresh));
    std::ranges::move(part.against->gone, std::back_inserter(whole.against->gone));
    whole.against->still += part.against->still;
  } else if (part.against) {
    whole.against = std::move(part.against);
  }
  return std::nullopt;
}

}  // namespace hepcheck::reports
