// The table of contents: the rules, in the order in which a file is read. Each source file that has
// rules ends with a function that lists them.
#include "validator/formats/rntuple/rules.h"

#include <vector>

namespace hepcheck::rntuple {

void root_file_rules(RuleList& list);  // root_file.cpp: C.1, C.2, 2
void anchor_rules(RuleList& list);     // anchor.cpp: C.3, 1, 2
void block_rules(RuleList& list);      // block.cpp: 3
void frame_rules(RuleList& list);      // frame.cpp: 4, 5, 6
void envelope_rules(RuleList& list);   // envelope.cpp: 6, 7
void schema_rules(RuleList& list);     // schema.cpp: 7.1
void footer_rules(RuleList& list);     // footer.cpp: 7.1, 7.2
void mapping_rules(RuleList& list);    // mapping.cpp: 8
void page_list_rules(RuleList& list);  // page_list.cpp: 7.2.3, 7.3
void page_rules(RuleList& list);       // pages.cpp: 7.3.2
void cluster_rules(RuleList& list);    // clusters.cpp: 2, 4, 7.1.2, 7.3.2, 8.3
void metadata_rules(RuleList& list);   // metadata.cpp: 7.4

std::span<const RuleHead> rule_heads() {
  static const std::vector<RuleHead> all = joined(
      {root_file_rules, anchor_rules, block_rules, frame_rules, envelope_rules, schema_rules,
       footer_rules, mapping_rules, page_list_rules, page_rules, cluster_rules, metadata_rules});
  return all;
}

}  // namespace hepcheck::rntuple
