// The table of contents: the rules of every structure, in the order in which a file is read. Each
// file that reads a structure, or judges it, ends with the tables that its function lists.
#include "validator/formats/hdf5/rules.h"

#include <vector>

namespace hepcheck::hdf5 {

using Heads = std::vector<RuleHead>&;

void superblock_rules(Heads heads);        // superblock.cpp
void walk_rules(Heads heads);              // walk.cpp: what the superblock leads to
void reach_rules(Heads heads);             // container.cpp: blocks inside the file
void object_header_rules(Heads heads);     // object_header_rules.cpp
void shared_message_rules(Heads heads);    // shared_message.cpp
void object_part_rules(Heads heads);       // object_parts.cpp: kinds of objects, names
void attribute_rules(Heads heads);         // attribute.cpp
void link_rules(Heads heads);              // link.cpp
void symbol_table_rules(Heads heads);      // symbol_table.cpp
void local_heap_rules(Heads heads);        // local_heap.cpp
void dense_rules(Heads heads);             // dense.cpp
void fractal_heap_rules(Heads heads);      // fractal_heap.cpp
void dataspace_rules(Heads heads);         // dataspace.cpp
void datatype_rules(Heads heads);          // datatype.cpp
void fill_rules(Heads heads);              // fill.cpp
void filter_rules(Heads heads);            // filters.cpp
void layout_rules(Heads heads);            // layout_rules.cpp
void btree1_rules(Heads heads);            // btree1.cpp
void chunk_tree1_rules(Heads heads);       // chunk_tree1.cpp
void btree2_rules(Heads heads);            // btree2_rules.cpp
void chunk_tree2_rules(Heads heads);       // chunk_tree2.cpp
void array_element_rules(Heads heads);     // array_elements.cpp
void fixed_array_rules(Heads heads);       // fixed_array.cpp
void extensible_array_rules(Heads heads);  // extensible_array_rules.cpp
void implicit_rules(Heads heads);          // chunk_index.cpp
void chunk_rules(Heads heads);             // chunk.cpp
void decode_rules(Heads heads);            // decode.cpp
void reference_rules(Heads heads);         // objects.cpp
void overlap_rules(Heads heads);           // overlaps.cpp
void eligibility_rules(Heads heads);       // eligibility.cpp

std::span<const RuleHead> rule_heads() {
  static const std::vector<RuleHead> all = [] {
    std::vector<RuleHead> heads;
    for (const auto add :
         {superblock_rules,     walk_rules,          reach_rules,       object_header_rules,
          shared_message_rules, object_part_rules,   attribute_rules,   link_rules,
          symbol_table_rules,   local_heap_rules,    dense_rules,       fractal_heap_rules,
          dataspace_rules,      datatype_rules,      fill_rules,        filter_rules,
          layout_rules,         btree1_rules,        chunk_tree1_rules, btree2_rules,
          chunk_tree2_rules,    array_element_rules, fixed_array_rules, extensible_array_rules,
          implicit_rules,       chunk_rules,         decode_rules,      reference_rules,
          overlap_rules,        eligibility_rules})
      add(heads);
    return heads;
  }();
  return all;
}

}  // namespace hepcheck::hdf5
