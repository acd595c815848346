// HEP001 5 "Object references": the datatype of the four reference attributes.
#include "validator/formats/hep001/rules/attributes.h"

namespace hepcheck::hep001 {

namespace {

constexpr const char* kReferenceHint =
    "Store H5R_ref_t elements made by H5Rcreate_object in an attribute of type H5T_STD_REF "
    "(HDF5 >= 1.12).";

// H5T_STD_REF_OBJ has its own clause, no-std-ref-obj.
void is_standard_reference(const std::string& path, const Attribute& attribute, Probe& probe) {
  probe.looked();
  const Datatype& type = attribute.type;
  if (type.is(TypeClass::kReference) && type.reference != ReferenceKind::kLegacyRegion) return;
  probe.fail({.object = path,
              .attribute = attribute.name,
              .observed = describe(type),
              .expected = "H5T_STD_REF",
              .hint = kReferenceHint});
}

void no_std_ref_obj(const Table& table, Probe& probe) {
  for_each_reference_attribute(table, [&](const std::string& path, const Attribute& attribute) {
    if (!readable(&attribute, probe)) return;
    probe.looked();
    if (attribute.type.is(TypeClass::kReference) &&
        attribute.type.reference == ReferenceKind::kLegacyObject)
      probe.fail({.object = path,
                  .attribute = attribute.name,
                  .observed = "H5T_STD_REF_OBJ, the deprecated object reference",
                  .expected = "H5T_STD_REF",
                  .hint = kReferenceHint});
  });
}

void reference_is_object_reference(const Table& table, Probe& probe) {
  for_each_reference_attribute(table, [&](const std::string& path, const Attribute& attribute) {
    if (!readable(&attribute, probe)) return;
    if (!attribute.type.is(TypeClass::kReference) ||
        attribute.type.reference != ReferenceKind::kStandard)
      return;  // *-std-ref, no-std-ref-obj
    for (std::size_t i = 0; i < attribute.references.size(); ++i) {
      const Reference& reference = attribute.references[i];
      if (reference.null()) continue;
      probe.looked();
      if (reference.kind == Reference::Kind::kObject) continue;
      probe.fail({.object = path,
                  .attribute = attribute.name,
                  .where = std::format("element {}", i),
                  .observed = reference.kind == Reference::Kind::kRegion
                                  ? "a dataset region reference"
                                  : "an attribute reference",
                  .expected = "an object reference",
                  .hint = "Create the element with H5Rcreate_object."});
    }
  });
}

constexpr Rule kObjectReferencesRules[] = {
    {"index-columns-std-ref", on_table<"INDEX_COLUMNS", is_standard_reference>, Sees::kEverything},
    {"categories-std-ref", on_column<"CATEGORIES", is_standard_reference>},
    {"search-index-list-std-ref", on_column<"SEARCH_INDEX_LIST", is_standard_reference>},
    {"bitmap-values-std-ref", on_index<BitmapIndex, "VALUES", is_standard_reference>},
    {"no-std-ref-obj", no_std_ref_obj, Sees::kEverything},
    {"reference-is-object-reference", reference_is_object_reference, Sees::kEverything},
};

}  // namespace

std::span<const Rule> object_reference_rules() { return kObjectReferencesRules; }

}  // namespace hepcheck::hep001
