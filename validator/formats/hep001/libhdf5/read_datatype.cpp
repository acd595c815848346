#include "validator/formats/hep001/libhdf5/read_datatype.h"

#include <algorithm>
#include <format>

#include "validator/formats/hep001/libhdf5/error.h"

namespace hepcheck::hep001::libhdf5 {

namespace {

struct Bounded {
  const Limits& limits;
  std::optional<std::string>& trouble;
};

ReferenceKind reference_kind(hid_t type, const Bounded& bounded) {
  const htri_t object = H5Tequal(type, H5T_STD_REF_OBJ);
  const htri_t region = object == 0 ? H5Tequal(type, H5T_STD_REF_DSETREG) : 0;
  if (object < 0 || region < 0) bounded.trouble = last_error("").cause;
  return object > 0   ? ReferenceKind::kLegacyObject
         : region > 0 ? ReferenceKind::kLegacyRegion
                      : ReferenceKind::kStandard;
}

ByteOrder byte_order(hid_t type) {
  switch (H5Tget_order(type)) {
    case H5T_ORDER_LE: return ByteOrder::kLittle;
    case H5T_ORDER_BE: return ByteOrder::kBig;
    case H5T_ORDER_VAX: return ByteOrder::kVax;
    case H5T_ORDER_MIXED: return ByteOrder::kMixed;
    default: return ByteOrder::kNone;
  }
}

void read_bits(hid_t type, Datatype& into) {
  into.precision = static_cast<std::uint32_t>(H5Tget_precision(type));
  into.bit_offset = static_cast<std::uint32_t>(std::max(0, H5Tget_offset(type)));
}

FloatLayout float_layout(hid_t type) {
  std::size_t sign = 0, exponent = 0, exponent_size = 0, mantissa = 0, mantissa_size = 0;
  H5Tget_fields(type, &sign, &exponent, &exponent_size, &mantissa, &mantissa_size);
  return {.sign_position = static_cast<std::uint32_t>(sign),
          .exponent_position = static_cast<std::uint32_t>(exponent),
          .exponent_size = static_cast<std::uint32_t>(exponent_size),
          .mantissa_position = static_cast<std::uint32_t>(mantissa),
          .mantissa_size = static_cast<std::uint32_t>(mantissa_size),
          .exponent_bias = H5Tget_ebias(type),
          .implied_one = H5Tget_norm(type) == H5T_NORM_IMPLIED};
}

void read_string(hid_t type, Datatype& into, const Bounded& bounded) {
  const htri_t variable = H5Tis_variable_str(type);
  if (variable < 0) bounded.trouble = last_error("").cause;
  into.variable_length = variable > 0;
  switch (H5Tget_strpad(type)) {
    case H5T_STR_NULLTERM: into.padding = StringPadding::kNullTerm; break;
    case H5T_STR_NULLPAD: into.padding = StringPadding::kNullPad; break;
    case H5T_STR_SPACEPAD: into.padding = StringPadding::kSpacePad; break;
    default: into.padding = StringPadding::kOther;
  }
  switch (H5Tget_cset(type)) {
    case H5T_CSET_ASCII: into.character_set = CharacterSet::kAscii; break;
    case H5T_CSET_UTF8: into.character_set = CharacterSet::kUtf8; break;
    default: into.character_set = CharacterSet::kOther;
  }
}

std::string library_string(char* text, const Bounded& bounded) {
  if (!text) bounded.trouble = last_error("").cause;
  std::string copy = text ? text : "";
  H5free_memory(text);
  return copy;
}

Datatype read_at(hid_t type, const Bounded& bounded, std::uint64_t depth);

std::shared_ptr<const Datatype> read_super(hid_t type, const Bounded& bounded,
                                           std::uint64_t depth) {
  const TypeHandle super{H5Tget_super(type)};
  if (super) return std::make_shared<const Datatype>(read_at(super.get(), bounded, depth + 1));
  bounded.trouble = last_error("").cause;
  return nullptr;
}

unsigned member_count(hid_t type, const Bounded& bounded) {
  const int count = H5Tget_nmembers(type);
  if (count < 0) {
    bounded.trouble = last_error("").cause;
    return 0;
  }
  if (static_cast<unsigned>(count) <= bounded.limits.type_members)
    return static_cast<unsigned>(count);
  bounded.trouble =
      std::format("a datatype has more members than the limit of {}", bounded.limits.type_members);
  return 0;
}

void read_fields(hid_t type, Datatype& into, const Bounded& bounded, std::uint64_t depth) {
  const unsigned count = member_count(type, bounded);
  for (unsigned i = 0; i < count; ++i) {
    const TypeHandle member{H5Tget_member_type(type, i)};
    if (!member) {
      bounded.trouble = last_error("").cause;
      return;
    }
    into.members.push_back(
        {.name = library_string(H5Tget_member_name(type, i), bounded),
         .offset = H5Tget_member_offset(type, i),
         .type = std::make_shared<const Datatype>(read_at(member.get(), bounded, depth + 1))});
  }
}

void read_enumeration(hid_t type, Datatype& into, const Bounded& bounded, std::uint64_t depth) {
  into.base = read_super(type, bounded, depth);
  if (into.base) into.is_signed = into.base->is_signed;
  const unsigned count = member_count(type, bounded);
  for (unsigned i = 0; i < count; ++i) {
    TypeMember member{.name = library_string(H5Tget_member_name(type, i), bounded),
                      .value = std::vector<std::byte>(into.size)};
    if (H5Tget_member_value(type, i, member.value.data()) < 0) {
      bounded.trouble = last_error("").cause;
      return;
    }
    into.members.push_back(std::move(member));
  }
}

Datatype read_at(hid_t type, const Bounded& bounded, std::uint64_t depth) {
  Datatype into{.size = H5Tget_size(type)};
  if (depth > bounded.limits.type_depth)
    bounded.trouble =
        std::format("datatypes are nested deeper than the limit of {}", bounded.limits.type_depth);
  if (bounded.trouble) return into;
  switch (H5Tget_class(type)) {
    case H5T_INTEGER:
      into.cls = TypeClass::kInteger;
      into.order = byte_order(type);
      into.is_signed = H5Tget_sign(type) == H5T_SGN_2;
      read_bits(type, into);
      break;
    case H5T_FLOAT:
      into.cls = TypeClass::kFloat;
      into.order = byte_order(type);
      into.floating = float_layout(type);
      read_bits(type, into);
      break;
    case H5T_TIME:
      into.cls = TypeClass::kTime;
      into.order = byte_order(type);
      into.precision = static_cast<std::uint32_t>(H5Tget_precision(type));
      break;
    case H5T_STRING:
      into.cls = TypeClass::kString;
      read_string(type, into, bounded);
      break;
    case H5T_BITFIELD:
      into.cls = TypeClass::kBitfield;
      into.order = byte_order(type);
      read_bits(type, into);
      break;
    case H5T_OPAQUE:
      into.cls = TypeClass::kOpaque;
      into.tag = library_string(H5Tget_tag(type), bounded);
      break;
    case H5T_COMPOUND:
      into.cls = TypeClass::kCompound;
      read_fields(type, into, bounded, depth);
      break;
    case H5T_REFERENCE:
      into.cls = TypeClass::kReference;
      into.reference = reference_kind(type, bounded);
      break;
    case H5T_ENUM:
      into.cls = TypeClass::kEnum;
      into.order = byte_order(type);
      read_enumeration(type, into, bounded, depth);
      break;
    case H5T_VLEN:
      into.cls = TypeClass::kVlen;
      into.base = read_super(type, bounded, depth);
      break;
    case H5T_ARRAY: {
      into.cls = TypeClass::kArray;
      into.base = read_super(type, bounded, depth);
      hsize_t dims[H5S_MAX_RANK] = {};
      const int rank = H5Tget_array_dims2(type, dims);
      if (rank > 0)
        into.dims.assign(dims, dims + rank);
      else if (rank < 0)
        bounded.trouble = last_error("").cause;
      break;
    }
    default:  // of complex numbers, the base counts against the limits, but is not part of the
              // model
      into.cls = TypeClass::kUnknown;
      read_super(type, bounded, depth);
  }
  return into;
}

}  // namespace

Datatype read_datatype(hid_t type, const Limits& limits, std::optional<std::string>& trouble) {
  return read_at(type, {limits, trouble}, 0);
}

}  // namespace hepcheck::hep001::libhdf5
