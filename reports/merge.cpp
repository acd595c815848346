#include "reports/merge.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace hepcheck::reports {

std::optional<std::string> merge(Report& whole, Report part) {
  if (!whole.spec) {
    whole.hepcheck = part.hepcheck;
    whole.spec = part.spec;
  } else if (whole.spec != part.spec) {
    return "a report about another specification";
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
  return std::nullopt;
}

}  // namespace hepcheck::reports
