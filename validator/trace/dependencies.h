// The order in which entries of a cache may be written: flush dependencies.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <vector>

namespace hepcheck::trace {

// A changed parent must not be written before all its changed children.
class Dependencies {
 public:
  using Entry = std::uint64_t;

  // False, without an effect, if this would create a cycle.
  bool add(Entry parent, Entry child);
  void dirty(Entry entry) { dirty_.insert(entry); }

  // The entry is written now and clean from then on. Returns the entries that should have been
  // written before it; empty if the order is correct.
  std::vector<Entry> write(Entry entry);

 private:
  bool leads(Entry from, Entry to) const;

  std::map<Entry, std::set<Entry>> children_{};
  std::set<Entry> dirty_{};
};

}  // namespace hepcheck::trace
