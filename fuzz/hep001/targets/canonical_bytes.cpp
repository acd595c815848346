// Canonical bytes (10.7) of any value in any two storage forms. Oracle: those that
// fuzz/hep001/grammar computes from the value.
#include "fuzz/hep001/grammar/column.h"
#include "fuzz/hep001/targets/canonical_of.h"
#include "fuzz/targets/target.h"
#include "validator/formats/hep001/derive/bloom.h"

using namespace hepcheck;
using namespace hepcheck::fuzz;
using namespace hepcheck::hep001;
using namespace hepcheck::hep001::grammar;

FUZZ_TARGET(canonical_bytes) {
  InputChoices choices(input(data, size));
  const Datatype type = random_type(choices, choices.of(kFamilies));
  require(has_canonical_bytes(type) == hashable(type), "which datatypes have canonical bytes");
  if (!hashable(type)) return 0;
  const Value value = random_value(choices, type);
  if (grammar::is_nan(value)) return 0;
  const auto wanted = canonical(type, value);
  require(canonical_of(type, encode(type, value, choices)) == wanted, "canonical bytes");
  const Datatype other = other_storage(choices, type);
  if (can_hold(other, value))
    require(canonical_of(other, encode(other, value, choices)) == wanted,
            "canonical bytes in another storage form");
  return 0;
}
