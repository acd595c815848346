// HEP001 8.6 "Column attributes".
#include "validator/formats/hep001/rules/attributes.h"

namespace hepcheck::hep001 {

namespace {

constexpr Rule kColumnAttributesRules[] = {
    {"search-index-list-1d", on_column<"SEARCH_INDEX_LIST", is_one_dimensional>},
    {"units-scalar", on_any_column<"units", is_scalar>},
    {"units-fixed-string", on_any_column<"units", is_fixed_string>},
    {"units-utf8", on_any_column<"units", is_utf8<"units-fixed-string">>},
    {"column-units-vocabulary-scalar", on_any_column<"units_vocabulary", is_scalar>},
    {"column-units-vocabulary-fixed-string", on_any_column<"units_vocabulary", is_fixed_string>},
    {"column-units-vocabulary-utf8",
     on_any_column<"units_vocabulary", is_utf8<"column-units-vocabulary-fixed-string">>},
    {"column-description-scalar", on_any_column<"description", is_scalar>},
    {"column-description-fixed-string", on_any_column<"description", is_fixed_string>},
    {"column-description-utf8",
     on_any_column<"description", is_utf8<"column-description-fixed-string">>},
};

}  // namespace

std::span<const Rule> column_attribute_rules() { return kColumnAttributesRules; }

}  // namespace hepcheck::hep001
