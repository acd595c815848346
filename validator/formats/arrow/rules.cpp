// The table of contents: the rules, in the order in which an input is read. Each source file that
// has rules ends with a function that lists them.
#include "validator/formats/arrow/rules.h"

#include <vector>

namespace hepcheck::arrow {

void flatbuffer_rules(RuleList& list);       // flatbuffer.cpp
void message_rules(RuleList& list);          // message.cpp: 4.1
void examination_rules(RuleList& list);      // examination.cpp: 4.5, 4.6
void footer_rules(RuleList& list);           // footer.cpp: 4.6, File.fbs
void schema_rules(RuleList& list);           // schema_rules.cpp: 4.2, fields and their children
void type_rules(RuleList& list);             // type_rules.cpp: Schema.fbs, parameters of types
void metadata_rules(RuleList& list);         // metadata_rules.cpp: 4.8, 4.9
void batch_rules(RuleList& list);            // batch.cpp: 4.3
void array_rules(RuleList& list);            // arrays.cpp: 4
void buffer_rules(RuleList& list);           // body.cpp: 2.1, 4.3
void compression_rules(RuleList& list);      // compression.cpp: Message.fbs
void validity_rules(RuleList& list);         // validity.cpp: 2.2 to 2.4, 2.11
void slot_rules(RuleList& list);             // slots.cpp: 2.5, 2.12
void value_rules(RuleList& list);            // values.cpp: Schema.fbs
void binary_rules(RuleList& list);           // binary.cpp: 2.6
void list_rules(RuleList& list);             // list.cpp: 2.7 to 2.9, 2.10.2
void union_rules(RuleList& list);            // union.cpp: 2.10
void view_rules(RuleList& list);             // views.cpp: 3.7 of format 1.5
void list_view_rules(RuleList& list);        // list_view.cpp: 3.8.2
void run_end_rules(RuleList& list);          // run_ends.cpp: 3.14
void extension_rules(RuleList& list);        // extensions.cpp: CanonicalExtensions.rst
void extension_value_rules(RuleList& list);  // extension_values.cpp
void map_key_rules(RuleList& list);          // map_keys.cpp: Schema.fbs
void key_rules(RuleList& list);              // keys.cpp: 2.12
void dictionary_rules(RuleList& list);       // dictionaries.cpp: 4.7, 2.12

std::span<const RuleHead> rule_heads() {
  static const std::vector<RuleHead> all =
      joined({flatbuffer_rules,     message_rules,   examination_rules, footer_rules,
              schema_rules,         type_rules,      metadata_rules,    batch_rules,
              array_rules,          buffer_rules,    compression_rules, validity_rules,
              slot_rules,           value_rules,     binary_rules,      list_rules,
              union_rules,          map_key_rules,   key_rules,         dictionary_rules,
              view_rules,           list_view_rules, run_end_rules,     extension_rules,
              extension_value_rules});
  return all;
}

}  // namespace hepcheck::arrow
