// The table of contents of what only the File Format Specification asks: chapter IV, values in
// data, and the risk profile. Each source file ends with a function that lists its rules.
#include "validator/formats/hdf5/rules.h"

namespace hepcheck::hdf5 {

void object_message_rules(RuleList& list);  // object_messages.cpp: IV.A, IV.A.2
void datatype_class_rules(RuleList& list);  // datatype_rules.cpp: IV.A.2.d
void name_rules(RuleList& list);            // names.cpp: IV.A.2.g
void external_file_rules(RuleList& list);   // external_files.cpp: IV.A.2.h
void filter_value_rules(RuleList& list);    // filter_rules.cpp: IV.A.2.l
void dataset_rules(RuleList& list);         // dataset_rules.cpp: the messages of a dataset together
void group_rules(RuleList& list);           // group_rules.cpp: the links of a group together
void value_rules(RuleList& list);           // values.cpp: IV.B, VIII.B, VIII.C
void virtual_rules(RuleList& list);         // virtual_datasets.cpp: III.F
void file_risk_rules(RuleList& list);       // file_risks.cpp: the file as a whole
void profile_rules(RuleList& list);         // profile.cpp: the risk profile

void content_rules(RuleList& list) {
  object_message_rules(list);
  datatype_class_rules(list);
  name_rules(list);
  external_file_rules(list);
  filter_value_rules(list);
  dataset_rules(list);
  group_rules(list);
  value_rules(list);
  virtual_rules(list);
  file_risk_rules(list);
  profile_rules(list);
}

}  // namespace hepcheck::hdf5
