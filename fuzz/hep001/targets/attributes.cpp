// Decodes attribute values: any datatype, any shape, any bytes. Oracle: padding is removed only
// once; integers agree in both byte orders.
#include <algorithm>

#include "fuzz/hep001/grammar/model.h"
#include "fuzz/targets/target.h"

using namespace hepcheck;
using namespace hepcheck::fuzz;
using namespace hepcheck::hep001;
using namespace hepcheck::hep001::grammar;

FUZZ_TARGET(attributes) {
  InputChoices choices(input(data, size));
  TestTable table("/t", 3);
  const Attribute attribute = any_attribute(choices, table);
  require(!describe(attribute.type).empty(), "every datatype has a description");
  require(!describe(attribute.space).empty(), "every shape has a description");
  // Nothing is known about a class that the library does not know.
  if (!contains_class(attribute.type, TypeClass::kUnknown))
    require(compare(attribute.type, attribute.type) == Sameness::kIdentical,
            "a datatype is the same as itself");
  const auto texts = string_elements(attribute);
  require(texts.size() <= attribute.space.elements(), "as many strings as elements");
  if (attribute.type.fixed_string())
    for (const std::string& text : texts) {
      require(text.size() <= attribute.type.size, "no string outgrows its datatype");
      require(strip_padding(text, attribute.type.padding) == text, "padding is removed once");
    }
  if (const auto value = string_value(attribute))
    require(!texts.empty() && texts[0] == *value, "the value is the first element");

  const auto as_unsigned = unsigned_value(attribute);
  const auto as_signed = signed_value(attribute);
  if (as_unsigned && as_signed)
    require(*as_unsigned == static_cast<std::uint64_t>(*as_signed), "one number, two readings");
  if (attribute.type.is(TypeClass::kInteger) && !attribute.bytes.empty()) {
    Attribute turned = attribute;
    turned.type.order = turned.type.order == ByteOrder::kBig ? ByteOrder::kLittle : ByteOrder::kBig;
    std::reverse(turned.bytes.begin(),
                 turned.bytes.begin() + static_cast<std::ptrdiff_t>(turned.type.size));
    require(unsigned_value(turned) == as_unsigned, "the same in the other byte order");
    require(signed_value(turned) == as_signed, "the same in the other byte order");
  }
  return 0;
}
