// The table of contents of what only the File Format Specification asks: chapters II, III and V,
// and the messages of the superblock extension. Each source file ends with a function that lists
// its rules.
#include "validator/formats/hdf5/rules.h"

namespace hepcheck::hdf5 {

void driver_rules(RuleList& list);       // driver.cpp: II.B, IV.A.2.u
void space_info_rules(RuleList& list);   // space_info.cpp: IV.A.2.x
void cache_image_rules(RuleList& list);  // cache_image.cpp: IV.A.2
void heap_filter_rules(RuleList& list);
void huge_object_rules(RuleList& list);
void fractal_heap_space_rules(RuleList& list);
void free_space_rules(RuleList& list);
void shared_table_rules(RuleList& list);
void global_heap_rules(RuleList& list);  // global_heap.cpp: III.E
void selection_rules(RuleList& list);    // selection.cpp: VIII.A

void infrastructure_rules(RuleList& list) {
  driver_rules(list);
  space_info_rules(list);
  cache_image_rules(list);
  heap_filter_rules(list);
  huge_object_rules(list);
  fractal_heap_space_rules(list);
  free_space_rules(list);
  shared_table_rules(list);
  global_heap_rules(list);
  selection_rules(list);
}

}  // namespace hepcheck::hdf5
