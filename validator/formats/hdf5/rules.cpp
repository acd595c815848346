// The table of contents: the rules of every structure, in the order in which a file is read. Each
// source file that reads or judges a structure ends with a function that lists its rules.
#include "validator/formats/hdf5/rules.h"

#include <vector>

namespace hepcheck::hdf5 {

void superblock_rules(RuleList& list);        // superblock.cpp
void walk_rules(RuleList& list);              // walk.cpp: what the superblock leads to
void reach_rules(RuleList& list);             // container.cpp: blocks inside the file
void object_header_rules(RuleList& list);     // object_header_rules.cpp
void shared_message_rules(RuleList& list);    // shared_message.cpp
void object_part_rules(RuleList& list);       // object_parts.cpp: kinds of objects, names
void attribute_rules(RuleList& list);         // attribute.cpp
void link_rules(RuleList& list);              // link.cpp
void symbol_table_rules(RuleList& list);      // symbol_table.cpp
void local_heap_rules(RuleList& list);        // local_heap.cpp
void dense_rules(RuleList& list);             // dense.cpp
void fractal_heap_rules(RuleList& list);      // fractal_heap.cpp
void dataspace_rules(RuleList& list);         // dataspace.cpp
void datatype_rules(RuleList& list);          // datatype.cpp
void fill_rules(RuleList& list);              // fill.cpp
void filter_rules(RuleList& list);            // filters.cpp
void layout_rules(RuleList& list);            // layout_rules.cpp
void btree1_rules(RuleList& list);            // btree1.cpp
void chunk_tree1_rules(RuleList& list);       // chunk_tree1.cpp
void btree2_rules(RuleList& list);            // btree2_rules.cpp
void chunk_tree2_rules(RuleList& list);       // chunk_tree2.cpp
void array_element_rules(RuleList& list);     // array_elements.cpp
void fixed_array_rules(RuleList& list);       // fixed_array.cpp
void extensible_array_rules(RuleList& list);  // extensible_array_rules.cpp
void implicit_rules(RuleList& list);          // chunk_index.cpp
void chunk_rules(RuleList& list);             // chunk.cpp
void decode_rules(RuleList& list);            // decode.cpp
void reference_rules(RuleList& list);         // objects.cpp
void overlap_rules(RuleList& list);           // overlaps.cpp
void eligibility_rules(RuleList& list);       // eligibility.cpp
void infrastructure_rules(RuleList& list);    // infrastructure_rules.cpp: 4.0, chapters II, III, V
void content_rules(RuleList& list);           // content_rules.cpp: 4.0, chapters IV, VIII

std::span<const RuleHead> rule_heads() {
  static const std::vector<RuleHead> all = joined(
      {superblock_rules,     walk_rules,          reach_rules,          object_header_rules,
       shared_message_rules, object_part_rules,   attribute_rules,      link_rules,
       symbol_table_rules,   local_heap_rules,    dense_rules,          fractal_heap_rules,
       dataspace_rules,      datatype_rules,      fill_rules,           filter_rules,
       layout_rules,         btree1_rules,        chunk_tree1_rules,    btree2_rules,
       chunk_tree2_rules,    array_element_rules, fixed_array_rules,    extensible_array_rules,
       implicit_rules,       chunk_rules,         decode_rules,         reference_rules,
       overlap_rules,        eligibility_rules,   infrastructure_rules, content_rules});
  return all;
}

}  // namespace hepcheck::hdf5
