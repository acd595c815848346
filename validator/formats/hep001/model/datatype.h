// An HDF5 datatype as a plain value, independent of the library.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace hepcheck::hep001 {

enum class TypeClass : std::uint8_t {
  kInteger,
  kFloat,
  kTime,
  kString,
  kBitfield,
  kOpaque,
  kCompound,
  kReference,
  kEnum,
  kVlen,  // variable-length sequence; variable-length strings are kString
  kArray,
  kUnknown,  // a class that this version of the library does not define
};

enum class ByteOrder : std::uint8_t { kLittle, kBig, kVax, kMixed, kNone };
enum class StringPadding : std::uint8_t { kNullTerm, kNullPad, kSpacePad, kOther };
enum class CharacterSet : std::uint8_t { kAscii, kUtf8, kOther };

// H5T_STD_REF (HDF5 >= 1.12) and its two predecessors.
enum class ReferenceKind : std::uint8_t { kStandard, kLegacyObject, kLegacyRegion };

// Positions of the parts of a floating-point number, in bits from the least significant one.
struct FloatLayout {
  std::uint32_t sign_position = 0;
  std::uint32_t exponent_position = 0;
  std::uint32_t exponent_size = 0;
  std::uint32_t mantissa_position = 0;
  std::uint32_t mantissa_size = 0;
  std::uint64_t exponent_bias = 0;
  bool implied_one = false;  // normalisation: the most significant bit is not stored

  friend bool operator==(const FloatLayout&, const FloatLayout&) = default;
};

struct Datatype;

// A field of a compound or a member of an enumeration.
struct TypeMember {
  std::string name{};
  std::size_t offset = 0;                  // compound: byte offset within the element
  std::shared_ptr<const Datatype> type{};  // compound only
  std::vector<std::byte> value{};          // enumeration only: stored in the form of the base type
};

struct Datatype {
  TypeClass cls = TypeClass::kUnknown;
  std::size_t size = 0;  // bytes of one element in the form of the file; vlen: in memory
  ByteOrder order = ByteOrder::kNone;

  // Atomic numbers (integer, float, time, bitfield): significant bits and their offset.
  std::uint32_t precision = 0;
  std::uint32_t bit_offset = 0;
  bool is_signed = false;  // integers
  FloatLayout floating{};  // floats

  // Strings.
  bool variable_length = false;
  StringPadding padding = StringPadding::kOther;
  CharacterSet character_set = CharacterSet::kOther;

  std::string tag{};  // opaque
  ReferenceKind reference = ReferenceKind::kStandard;

  std::vector<TypeMember> members{};       // compound, enumeration; declaration order
  std::shared_ptr<const Datatype> base{};  // enumeration, array, vlen
  std::vector<std::uint64_t> dims{};       // array

  bool is(TypeClass c) const { return cls == c; }
  bool fixed_string() const { return is(TypeClass::kString) && !variable_length; }
  bool variable_string() const { return is(TypeClass::kString) && variable_length; }
};

// uintN or intN exactly: size, full precision, sign; the byte order is not compared.
bool is_unsigned_integer(const Datatype& type, std::size_t bytes);
bool is_signed_integer(const Datatype& type, std::size_t bytes);
// An IEEE 754 binary16, binary32 or binary64 of either byte order.
bool is_ieee_float(const Datatype& type);
// The enumeration of section 6: base H5T_STD_I8LE, exactly FALSE = 0 and TRUE = 1.
bool is_hep001_boolean(const Datatype& type);
// What readers treat as such: any one-byte enumeration of exactly FALSE = 0 and TRUE = 1.
bool is_boolean_enum(const Datatype& type);
// Contains a variable-length part, so the stored bytes contain heap pointers.
bool has_variable_part(const Datatype& type);
// A part of it has the class `cls`, itself included.
bool contains_class(const Datatype& type, TypeClass cls);

// The result of comparing two datatypes where the specification requires "the same datatype".
enum class Sameness : std::uint8_t {
  kIdentical,
  kByteOrderOnly,  // the same information in another byte order: a warning, not a failure
  kDifferent,
};
// Structural comparison: class, size, precision, sign, padding, character set, members.
// The opaque tag and the order in which enumeration members are declared do not count.
Sameness compare(const Datatype& a, const Datatype& b);

// The enumeration member called `name`, or null.
const TypeMember* find_member(const Datatype& type, const std::string& name);

// One line for display: "uint64", "int16 big-endian", "fixed string of 13 bytes (NULLTERM, ASCII)",
// "enum over int8 {FALSE = 0, TRUE = 1}", "compound {re: float64, im: float64}".
std::string describe(const Datatype& type);

// Predefined datatypes, for builders and tests.
Datatype integer_type(std::size_t bytes, bool is_signed, ByteOrder order = ByteOrder::kLittle);
Datatype ieee_float_type(std::size_t bytes, ByteOrder order = ByteOrder::kLittle);
Datatype fixed_string_type(std::size_t bytes, StringPadding padding, CharacterSet set);
Datatype variable_string_type(CharacterSet set);
Datatype opaque_type(std::size_t bytes, std::string tag = {});
Datatype enum_type(Datatype base, const std::vector<std::pair<std::string, std::int64_t>>& members);
Datatype boolean_type();  // section 6
Datatype standard_reference_type();
Datatype compound_type(std::size_t size, std::vector<TypeMember> members);

}  // namespace hepcheck::hep001
