// HEP001 7.3 "The NROWS attribute".
#include "validator/formats/hep001/rules/attributes.h"

namespace hepcheck::hep001 {

namespace {

void nrows_present(const Table& table, Probe& probe) {
  table_has<"NROWS">(table, "a scalar uint64 attribute NROWS",
                     "Write the number of rows as a scalar H5T_STD_U64LE attribute.", probe);
}

constexpr Rule kNrowsRules[] = {
    {"nrows-present", nrows_present, Sees::kTableAttributes},
    {"nrows-uint64", on_table<"NROWS", is_uint<8>>, Sees::kTableAttributes},
    {"nrows-scalar", on_table<"NROWS", is_scalar>, Sees::kTableAttributes},
};

}  // namespace

std::span<const Rule> nrows_rules() { return kNrowsRules; }

}  // namespace hepcheck::hep001
