// The table of contents: every chapter's rules, in the order of the specification. Each chapter has
// one file, which ends with the table that its function returns.
#include <algorithm>
#include <iterator>
#include <vector>

#include "validator/formats/hep001/rules/rule.h"

namespace hepcheck::hep001 {

std::span<const Rule> terminology_rules();          // 3    terminology.cpp
std::span<const Rule> object_reference_rules();     // 5    object_references.cpp
std::span<const Rule> boolean_attribute_rules();    // 6    boolean_attributes.cpp
std::span<const Rule> table_class_rules();          // 7.1  table_class.cpp
std::span<const Rule> version_rules();              // 7.2  version.cpp
std::span<const Rule> nrows_rules();                // 7.3  nrows.cpp
std::span<const Rule> table_attribute_rules();      // 7.4  table_attributes.cpp
std::span<const Rule> self_contained_rules();       // 7.6  self_contained.cpp
std::span<const Rule> column_rules();               // 8.1-8.4  columns.cpp
std::span<const Rule> missing_value_rules();        // 8.5  missing_values.cpp
std::span<const Rule> column_attribute_rules();     // 8.6  column_attributes.cpp
std::span<const Rule> categorical_rules();          // 8.7  categoricals.cpp
std::span<const Rule> boolean_column_rules();       // -, 8.8  boolean_columns.cpp
std::span<const Rule> list_identification_rules();  // -, 9.1  list_identification.cpp
std::span<const Rule> list_member_rules();          // -, 9.2  list_members.cpp
std::span<const Rule> list_string_rules();          // -, 9.4  list_strings.cpp
std::span<const Rule> list_restriction_rules();     // -, 9.5, 9.6  list_restrictions.cpp
std::span<const Rule> row_index_rules();            // 9    row_indexes.cpp
std::span<const Rule> search_index_rules();         // 10.1-10.3  search_indexes.cpp
std::span<const Rule> chunk_minmax_rules();         // 10.4 chunk_minmax.cpp
std::span<const Rule> sorted_rows_rules();          // 10.5 sorted_rows.cpp
std::span<const Rule> bitmap_rules();               // 10.6 bitmap.cpp
std::span<const Rule> chunk_bloom_rules();          // 10.7 chunk_bloom.cpp
std::span<const Rule> validity_token_rules();       // -, 12.2  validity_tokens.cpp
std::span<const Rule> consistency_rules();          // 12   consistency.cpp
std::span<const Rule> reserved_name_rules();        // 13   reserved_names.cpp

std::span<const Rule> all_rules() {
  static const std::vector<Rule> rules = [] {
    std::vector<Rule> joined;
    for (const auto chapter : {terminology_rules,
                               object_reference_rules,
                               boolean_attribute_rules,
                               table_class_rules,
                               version_rules,
                               nrows_rules,
                               table_attribute_rules,
                               self_contained_rules,
                               column_rules,
                               missing_value_rules,
                               column_attribute_rules,
                               categorical_rules,
                               boolean_column_rules,
                               list_identification_rules,
                               list_member_rules,
                               list_string_rules,
                               list_restriction_rules,
                               row_index_rules,
                               search_index_rules,
                               chunk_minmax_rules,
                               sorted_rows_rules,
                               bitmap_rules,
                               chunk_bloom_rules,
                               validity_token_rules,
                               consistency_rules,
                               reserved_name_rules})
      std::ranges::copy(chapter(), std::back_inserter(joined));
    return joined;
  }();
  return rules;
}

}  // namespace hepcheck::hep001
