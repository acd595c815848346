#include "validator/formats/hep001/libhdf5/make_type.h"

#include <vector>

namespace hepcheck::hep001::libhdf5 {

namespace {

H5T_order_t order_of(const Datatype& type) {
  return type.order == ByteOrder::kBig ? H5T_ORDER_BE : H5T_ORDER_LE;
}

// A bitfield, or an integer with or without a sign.
TypeHandle make_bits(const Datatype& type) {
  const bool bits = type.is(TypeClass::kBitfield);
  TypeHandle made{H5Tcopy(bits ? H5T_STD_B8LE : type.is_signed ? H5T_STD_I8LE : H5T_STD_U8LE)};
  const bool right = made && H5Tset_size(made.get(), type.size) >= 0 &&
                     H5Tset_order(made.get(), order_of(type)) >= 0 &&
                     H5Tset_precision(made.get(), type.precision) >= 0 &&
                     H5Tset_offset(made.get(), type.bit_offset) >= 0;
  return right ? std::move(made) : TypeHandle{};
}

TypeHandle make_float(const Datatype& type) {
  if (!is_ieee_float(type)) return {};
  if (type.size == 8)
    return TypeHandle{H5Tcopy(type.order == ByteOrder::kBig ? H5T_IEEE_F64BE : H5T_IEEE_F64LE)};
  if (type.size == 4)
    return TypeHandle{H5Tcopy(type.order == ByteOrder::kBig ? H5T_IEEE_F32BE : H5T_IEEE_F32LE)};
  TypeHandle made{H5Tcopy(H5T_IEEE_F32LE)};
  const FloatLayout& l = type.floating;
  const bool right = made &&
                     H5Tset_fields(made.get(), l.sign_position, l.exponent_position,
                                   l.exponent_size, l.mantissa_position, l.mantissa_size) >= 0 &&
                     H5Tset_ebias(made.get(), l.exponent_bias) >= 0 &&
                     H5Tset_size(made.get(), 2) >= 0 &&
                     H5Tset_order(made.get(), order_of(type)) >= 0;
  return right ? std::move(made) : TypeHandle{};
}

TypeHandle make_string(const Datatype& type) {
  TypeHandle made{H5Tcopy(H5T_C_S1)};
  const H5T_str_t padding = type.padding == StringPadding::kNullPad    ? H5T_STR_NULLPAD
                            : type.padding == StringPadding::kSpacePad ? H5T_STR_SPACEPAD
                                                                       : H5T_STR_NULLTERM;
  const bool right =
      made && H5Tset_size(made.get(), type.variable_length ? H5T_VARIABLE : type.size) >= 0 &&
      H5Tset_strpad(made.get(), padding) >= 0 &&
      H5Tset_cset(made.get(),
                  type.character_set == CharacterSet::kUtf8 ? H5T_CSET_UTF8 : H5T_CSET_ASCII) >= 0;
  return right ? std::move(made) : TypeHandle{};
}

TypeHandle make_enum(const Datatype& type) {
  const TypeHandle base = make_type(*type.base);
  if (!base) return {};
  TypeHandle made{H5Tenum_create(base.get())};
  for (const TypeMember& member : type.members)
    if (H5Tenum_insert(made.get(), member.name.c_str(), member.value.data()) < 0) return {};
  return made;
}

TypeHandle make_compound(const Datatype& type) {
  TypeHandle made{H5Tcreate(H5T_COMPOUND, type.size)};
  for (const TypeMember& member : type.members) {
    const TypeHandle inside = make_type(*member.type);
    if (!inside || H5Tinsert(made.get(), member.name.c_str(), member.offset, inside.get()) < 0)
      return {};
  }
  return made;
}

}  // namespace

TypeHandle make_type(const Datatype& type) {
  switch (type.cls) {
    case TypeClass::kInteger:
    case TypeClass::kBitfield: return make_bits(type);
    case TypeClass::kFloat: return make_float(type);
    case TypeClass::kString: return make_string(type);
    case TypeClass::kEnum: return make_enum(type);
    case TypeClass::kCompound: return make_compound(type);
    case TypeClass::kOpaque: {
      TypeHandle made{H5Tcreate(H5T_OPAQUE, type.size)};
      if (!made || H5Tset_tag(made.get(), type.tag.c_str()) < 0) return {};
      return made;
    }
    case TypeClass::kArray:
    case TypeClass::kVlen: {
      const TypeHandle base = make_type(*type.base);
      if (!base) return {};
      if (type.is(TypeClass::kVlen)) return TypeHandle{H5Tvlen_create(base.get())};
      const std::vector<hsize_t> dims(type.dims.begin(), type.dims.end());
      return TypeHandle{
          H5Tarray_create2(base.get(), static_cast<unsigned>(dims.size()), dims.data())};
    }
    case TypeClass::kReference: return TypeHandle{H5Tcopy(H5T_STD_REF)};
    case TypeClass::kTime:
    case TypeClass::kUnknown: break;
  }
  return {};
}

}  // namespace hepcheck::hep001::libhdf5
