// Which entries of a cache may be written when: flush dependencies.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <vector>

namespace hepcheck::trace {

// A parent that has been changed may not be written before all its changed children are.
class Dependencies {
 public:
  using Entry = std::uint64_t;

  // False, and nothing is done, if that would make a circle.
  bool add(Entry parent, Entry child);
  void dirty(Entry entry) { dirty_.insert(entry); }

  // The entry is written now, and clean from then on. What should have been written before it;
  // empty if the order is kept.
  std::vector<Entry> write(Entry entry);

 private:
  bool leads(Entry from, Entry to) const;

  std::map<Entry, std::set<Entry>> children_{};
  std::set<Entry> dirty_{};
};

}  // namespace hepcheck::trace
