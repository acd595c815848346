// The table of contents: the rules, in the order in which an input is read. Each file that has some
// ends with the tables that its function lists.
#include "validator/formats/arrow/rules.h"

#include <vector>

namespace hepcheck::arrow {

using Heads = std::vector<RuleHead>&;

void flatbuffer_rules(Heads heads);   // flatbuffer.cpp
void message_rules(Heads heads);      // message.cpp: 4.1
void examination_rules(Heads heads);  // examination.cpp: 4.5, 4.6
void footer_rules(Heads heads);       // footer.cpp: 4.6, File.fbs
void schema_rules(Heads heads);       // schema_rules.cpp: 4.2, fields and their children
void type_rules(Heads heads);         // type_rules.cpp: Schema.fbs, parameters of types
void metadata_rules(Heads heads);     // metadata_rules.cpp: 4.8, 4.9
void batch_rules(Heads heads);        // batch.cpp: 4.3
void array_rules(Heads heads);        // arrays.cpp: 4
void buffer_rules(Heads heads);       // body.cpp: 2.1, 4.3
void compression_rules(Heads heads);  // compression.cpp: Message.fbs
void validity_rules(Heads heads);     // validity.cpp: 2.2 to 2.4, 2.11
void slot_rules(Heads heads);         // slots.cpp: 2.5, 2.12
void value_rules(Heads heads);        // values.cpp: Schema.fbs
void binary_rules(Heads heads);       // binary.cpp: 2.6
void list_rules(Heads heads);         // list.cpp: 2.7 to 2.9, 2.10.2
void union_rules(Heads heads);        // union.cpp: 2.10
void map_key_rules(Heads heads);      // map_keys.cpp: Schema.fbs
void key_rules(Heads heads);          // keys.cpp: 2.12
void dictionary_rules(Heads heads);   // dictionaries.cpp: 4.7, 2.12

std::span<const RuleHead> rule_heads() {
  static const std::vector<RuleHead> all = [] {
    std::vector<RuleHead> heads;
    for (const auto add :
         {flatbuffer_rules,  message_rules,  examination_rules, footer_rules, schema_rules,
          type_rules,        metadata_rules, batch_rules,       array_rules,  buffer_rules,
          compression_rules, validity_rules, slot_rules,        value_rules,  binary_rules,
          list_rules,        union_rules,    map_key_rules,     key_rules,    dictionary_rules})
      add(heads);
    return heads;
  }();
  return all;
}

}  // namespace hepcheck::arrow
