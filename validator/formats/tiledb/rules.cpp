// The table of contents: the rules of every structure, in the order in which a file is read. Each
// source file that judges a structure ends its rules with a function that lists them.
#include "validator/formats/tiledb/rules.h"

#include <vector>

namespace hepcheck::tiledb {

void tile_rules(RuleList& list);            // tile.cpp: headers and chunks of generic tiles
void pipeline_rules(RuleList& list);        // pipeline.cpp
void undo_rules(RuleList& list);            // undo.cpp: what filters leave behind
void schema_rules(RuleList& list);          // schema.cpp
void domain_rules(RuleList& list);          // domain.cpp: domains and dimensions
void attribute_rules(RuleList& list);       // attribute.cpp
void label_rules(RuleList& list);           // label.cpp
void current_domain_rules(RuleList& list);  // current_domain.cpp
void enumeration_rules(RuleList& list);     // enumeration.cpp
void array_rules(RuleList& list);           // array.cpp: names, files, evolution

std::span<const RuleHead> rule_heads() {
  static const std::vector<RuleHead> all =
      joined({tile_rules, pipeline_rules, undo_rules, schema_rules, domain_rules, attribute_rules,
              label_rules, current_domain_rules, enumeration_rules, array_rules});
  return all;
}

}  // namespace hepcheck::tiledb
