// The table of contents: every chapter's rules, in the order of the specification.
#include <iterator>

#include "validator/formats/hep001/rules/rule.h"

namespace hepcheck::hep001 {

std::span<const Rule> all_rules() {
  static const std::vector<Rule> rules = [] {
    std::vector<Rule> joined;
    for (const auto chapter :
         {terminology_rules,     object_reference_rules, boolean_attribute_rules,
          table_class_rules,     version_rules,          nrows_rules,
          table_attribute_rules, self_contained_rules,   column_rules,
          missing_value_rules,   column_attribute_rules, categorical_rules,
          row_index_rules,       search_index_rules,     chunk_minmax_rules,
          sorted_rows_rules,     bitmap_rules,           chunk_bloom_rules,
          consistency_rules,     reserved_name_rules})
      std::ranges::copy(chapter(), std::back_inserter(joined));
    return joined;
  }();
  return rules;
}

}  // namespace hepcheck::hep001
