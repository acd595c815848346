#include "validator/trace/dependencies.h"

#include <algorithm>
#include <iterator>

namespace hepcheck::trace {

bool Dependencies::leads(Entry from, Entry to) const {
  std::vector<Entry> ahead{from};
  std::set<Entry> seen;
  while (!ahead.empty()) {
    const Entry entry = ahead.back();
    ahead.pop_back();
    if (entry == to) return true;
    const auto children = children_.find(entry);
    if (!seen.insert(entry).second || children == children_.end()) continue;
    ahead.insert(ahead.end(), children->second.begin(), children->second.end());
  }
  return false;
}

bool Dependencies::add(Entry parent, Entry child) {
  if (leads(child, parent)) return false;
  children_[parent].insert(child);
  return true;
}

std::vector<Dependencies::Entry> Dependencies::write(Entry entry) {
  std::vector<Entry> early;
  if (const auto children = children_.find(entry); children != children_.end())
    std::ranges::set_intersection(children->second, dirty_, std::back_inserter(early));
  dirty_.erase(entry);
  return early;
}

}  // namespace hepcheck::trace
