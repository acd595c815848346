// How C++ types are mapped to fields and columns (chapter 8).
#pragma once

#include <cstdint>
#include <vector>

#include "validator/formats/rntuple/schema.h"

namespace hepcheck::rntuple {

enum class Shape : std::uint8_t {
  kOther,  // unknown column type, role 4 and more, projected: nothing is counted
  kLeafField,
  kString,
  kCollectionOf,  // by an index column
  kOptional,      // by an index column with steps of at most 1, or by a mask
  kArray,
  kParent,  // record, enum, atomic: each child once
  kVariantOf,
};

// What the values of a field must be like.
struct Mapped {
  Shape shape = Shape::kOther;
  bool countable = false;          // nothing contradicts the type, here and above
  std::uint64_t alternatives = 0;  // of a variant
};

// Judges each field; `fields` of a schema that is a tree.
std::vector<Mapped> judge_mapping(const Schema& schema, Notes& notes);

void mapping_rules(RuleList& list);

}  // namespace hepcheck::rntuple
