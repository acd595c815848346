// The datatype message: the type of an element, at any depth.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "validator/formats/hdf5/container.h"
#include "validator/formats/hdf5/region.h"

namespace hepcheck::hdf5 {

enum class TypeClass : std::uint8_t {
  kInteger,
  kFloat,
  kTime,
  kString,
  kBitField,
  kOpaque,
  kCompound,
  kReference,
  kEnumeration,
  kVariableLength,
  kArray,
  kComplex,
};

// One type of a message, as it is stored. The types of a message are a list, outer ones first;
// types refer to others by their positions in it.
struct TypeNode {
  Place at{};
  std::uint8_t version = 0;
  TypeClass type_class{};
  std::uint32_t bits = 0, size = 0;
  std::uint32_t outer = kNone;  // the type around it
  // Numbers, bit fields and times: the significant bits.
  std::uint16_t offset = 0, precision = 0;
  // Floating-point numbers.
  std::uint8_t exponent_at = 0, exponent_size = 0, mantissa_at = 0, mantissa_size = 0;
  std::uint32_t bias = 0;
  // The base type of an enumeration, a variable-length type, an array or a complex number.
  std::uint32_t base = kNone;
  std::uint64_t elements = 0;  // of an array
  struct Member {
    std::uint64_t offset = 0, times = 1;  // times: elements of its own dimensions (version 1)
    std::uint32_t type = kNone;
  };
  std::vector<Member> members{};
  // What is not as the text gives it: the padding of names, the reserved bytes of members and
  // arrays, the text of a tag.
  bool padding = false, member_reserved = false, array_reserved = false, tag = false;

  static constexpr std::uint32_t kNone = ~std::uint32_t{0};

  unsigned kind() const { return bits & 15U; }  // of a reference, or of a variable-length type
  bool is(TypeClass wanted) const { return type_class == wanted; }
  // A string, of fixed or of variable length.
  bool text() const {
    return is(TypeClass::kString) || (is(TypeClass::kVariableLength) && kind() == 1);
  }
  unsigned string_padding() const { return (is(TypeClass::kString) ? bits : bits >> 4U) & 15U; }
  unsigned charset() const { return (is(TypeClass::kString) ? bits >> 4U : bits >> 8U) & 15U; }
};
using TypeNodes = std::vector<TypeNode>;

// The properties of a type that the reader needs.
struct Datatype {
  std::uint8_t version = 0;
  TypeClass type_class{};
  std::uint32_t bits = 0, size = 0;
  // At any depth:
  bool variable_length = false;
  bool region_reference = false;     // class 7 of kind 1 or 3
  bool attribute_reference = false;  // class 7 of kind 4
  // The positions in an element of references that state their own kind (kind 2); not all, if there
  // are very many.
  std::vector<std::uint32_t> references{};
  bool all_references = true;
  // All types of the message, the outermost first. Its values can be examined if it is `sound`.
  std::shared_ptr<const TypeNodes> nodes{};
  bool sound = true;
  std::uint64_t encoded = 0;  // bytes of the message that are used
  // For a reader of values (Container::for_values): the message; and a number that types of equal
  // messages share, if they have one.
  std::shared_ptr<const std::vector<std::byte>> message{};
  std::optional<std::uint32_t> number{};
};

// The maximum depth, and the maximum number of types in one message.
constexpr unsigned kMostTypeLevels = 64;
constexpr std::size_t kMostTypes = 200'000;

// The type with that number, and what is inside of it: "uint64", "compound of 3 members".
std::string type_text(const TypeNodes& types, std::uint32_t number = 0);

// None if it is refused, or not examined.
std::optional<Datatype> read_datatype(const Region& message, Container& file);

}  // namespace hepcheck::hdf5
