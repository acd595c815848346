// The order of 10.5 and the missing-value test of 8.5 on any three stored values of any datatype.
// Oracle: a preorder, the same in the other byte order, and consistent with canonical bytes.
#include "validator/formats/hep001/derive/order.h"

#include <algorithm>

#include "fuzz/hep001/grammar/column.h"
#include "fuzz/hep001/targets/canonical_of.h"
#include "fuzz/targets/target.h"
#include "validator/formats/hep001/derive/bloom.h"

using namespace hepcheck;
using namespace hepcheck::fuzz;
using namespace hepcheck::hep001;
using namespace hepcheck::hep001::grammar;

namespace {

using Bytes = std::vector<std::byte>;

Bytes stored_value(InputChoices& choices, const Datatype& type) {
  Bytes bytes;
  for (std::size_t i = type.variable_string() ? choices.below(9) : type.size; i > 0; --i)
    bytes.push_back(static_cast<std::byte>(choices.below(256)));
  return bytes;
}

}  // namespace

FUZZ_TARGET(order) {
  InputChoices choices(input(data, size));
  const Datatype type = random_type(choices, choices.of(kFamilies));
  const Bytes a = stored_value(choices, type), b = stored_value(choices, type),
              c = stored_value(choices, type);
  const auto ab = compare_values(type, a, b), bc = compare_values(type, b, c),
             ac = compare_values(type, a, c);
  const bool nan = hep001::is_nan(type, a) || hep001::is_nan(type, b);
  require((ab == std::partial_ordering::unordered) == nan, "only NaN is unordered");
  require(compare_values(type, b, a) == (0 <=> ab), "the order turned round");
  if (!hep001::is_nan(type, a)) require(compare_values(type, a, a) == 0, "a value equals itself");
  if (ab <= 0 && bc <= 0) require(ac <= 0, "transitive");
  if (ab <= 0 && bc < 0) require(ac < 0, "strictly transitive");
  require(is_missing(type, a, b) == (hep001::is_nan(type, b) ? hep001::is_nan(type, a) : ab == 0),
          "missing is equality with the fill, or NaN");
  if (has_canonical_bytes(type) && !nan)
    require((canonical_of(type, a) == canonical_of(type, b)) == (ab == 0),
            "canonical bytes are equal exactly for equal values");

  const bool number = type.is(TypeClass::kInteger) || type.is(TypeClass::kFloat);
  if (number) {
    NoChoice none;
    const Datatype other = other_storage(none, type);
    Bytes turned_a = a, turned_b = b;
    std::ranges::reverse(turned_a);
    std::ranges::reverse(turned_b);
    require(compare_values(other, turned_a, turned_b) == ab, "the same in the other byte order");
  }
  require(!format_value(type, a).empty(), "every value can be shown");
  return 0;
}
