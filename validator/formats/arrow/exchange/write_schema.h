// Writes a neutral schema as the metadata of messages and footers: chapter 4.2 and Schema.fbs.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "validator/exchange/table.h"
#include "validator/formats/arrow/exchange/flat.h"

namespace hepcheck::arrow {

// The dictionaries of a schema, by their labels; ids are counted from 0 in the order of the fields,
// children after their parents.
class DictionaryIds {
 public:
  explicit DictionaryIds(const exchange::Schema& schema);
  std::int64_t of(const exchange::Labels& labels) const { return ids_.at(&labels); }
  const std::vector<const exchange::Labels*>& all() const { return all_; }

 private:
  void find(const std::vector<exchange::Field>& fields);

  std::map<const exchange::Labels*, std::int64_t> ids_{};
  std::vector<const exchange::Labels*> all_{};
};

FlatTable schema_table(const exchange::Schema& schema, const DictionaryIds& ids);

}  // namespace hepcheck::arrow
