#include "validator/formats/hep001/derive/bloom.h"

namespace hepcheck::hep001 {

bool has_canonical_bytes(const Datatype& type) {
  for (const std::size_t bytes : {1, 2, 4, 8})
    if (is_signed_integer(type, bytes) || is_unsigned_integer(type, bytes)) return true;
  return is_ieee_float(type) || is_hep001_boolean(type) || type.is(TypeClass::kString) ||
         type.is(TypeClass::kOpaque);
}

bool has_canonical_bytes(const Datatype& type, const Revision& revision) {
  if (revision.bloom_enums && type.is(TypeClass::kEnum))
    return type.base && has_canonical_bytes(*type.base);
  return has_canonical_bytes(type);
}

}  // namespace hepcheck::hep001
