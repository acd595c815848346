#include "validator/clause_results.h"

#include <algorithm>
#include <iterator>
#include <ranges>

namespace hepcheck {

const ClauseResult& ClauseResults::operator[](std::size_t i) const {
  if (own_.empty()) return (*base_)[i];
  const auto at = std::ranges::lower_bound(own_, i, {}, &Difference::at);
  return at != own_.end() && at->at == i ? at->result : (*base_)[i];
}

ClauseResults ClauseResults::with(const ClauseResults& base, Differences differences) {
  const bool longer = !differences.empty() && differences.back().at >= base.size();
  const std::size_t given = differences.size();
  for (const Difference& own : base.own_)
    if (!std::ranges::binary_search(differences.begin(),
                                    differences.begin() + static_cast<std::ptrdiff_t>(given),
                                    own.at, {}, &Difference::at))
      differences.push_back(own);
  std::ranges::sort(differences, {}, &Difference::at);
  // A few results are stored in addition to the shared base.
  if (!longer && differences.size() <= base.size() / 4) {
    ClauseResults made;
    made.base_ = base.base_;
    made.own_ = std::move(differences);
    return made;
  }
  std::vector<ClauseResult> all;
  if (base.base_) all = *base.base_;
  for (Difference& difference : differences) {
    if (difference.at == all.size())
      all.push_back(std::move(difference.result));
    else
      all[difference.at] = std::move(difference.result);
  }
  return ClauseResults(std::move(all));
}

ClauseResults ClauseResults::shared() const {
  ClauseResults made;
  made.base_ = base_;
  return made;
}

ClauseResults ClauseResults::merged() const {
  return own_.empty() ? *this : ClauseResults({begin(), end()});
}

ClauseResults::Differences ClauseResults::differences_from(const ClauseResults& base) const {
  if (base_ == base.base_ && base.own_.empty()) return own_;
  Differences found;
  const auto compare = [&](std::size_t i) {
    if ((*this)[i] != base[i]) found.push_back({i, (*this)[i]});
  };
  if (base_ == base.base_) {
    // They can differ only where one of them has a result of its own.
    const auto place = std::views::transform([](const Difference& each) { return each.at; });
    std::vector<std::size_t> places;
    std::ranges::set_union(own_ | place, base.own_ | place, std::back_inserter(places));
    for (const std::size_t i : places) compare(i);
    return found;
  }
  for (std::size_t i = 0; i < size(); ++i)
    if (i >= base.size() || (*this)[i] != base[i]) found.push_back({i, (*this)[i]});
  return found;
}

}  // namespace hepcheck
