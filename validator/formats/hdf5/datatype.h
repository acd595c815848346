// The datatype message: the type of an element, at any depth.
#pragma once

#include <cstdint>
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

// The properties of a type that the reader needs.
struct Datatype {
  std::uint8_t version = 0;
  TypeClass type_class{};
  std::uint32_t bits = 0, size = 0;
  std::string text{};  // "uint64", "compound of 3 members"
  // At any depth:
  bool variable_length = false;
  bool region_reference = false;     // class 7 of kind 1 or 3
  bool attribute_reference = false;  // class 7 of kind 4
  // The positions in an element of references that state their own kind (kind 2); not all, if there
  // are very many.
  std::vector<std::uint32_t> references{};
  bool all_references = true;
};

// The maximum depth.
constexpr unsigned kMostTypeLevels = 64;

// None if it is refused, or not examined.
std::optional<Datatype> read_datatype(const Region& message, Container& file);

}  // namespace hepcheck::hdf5
