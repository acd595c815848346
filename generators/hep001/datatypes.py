"""HDF5 datatypes under short names. A datatype is an h5py TypeID; never change one in place."""

from h5py import h5t

from . import libhdf5

I8, I16, I32, I64 = h5t.STD_I8LE, h5t.STD_I16LE, h5t.STD_I32LE, h5t.STD_I64LE
U8, U16, U32, U64 = h5t.STD_U8LE, h5t.STD_U16LE, h5t.STD_U32LE, h5t.STD_U64LE
I8BE, I16BE, I32BE, I64BE = h5t.STD_I8BE, h5t.STD_I16BE, h5t.STD_I32BE, h5t.STD_I64BE
U8BE, U16BE, U32BE, U64BE = h5t.STD_U8BE, h5t.STD_U16BE, h5t.STD_U32BE, h5t.STD_U64BE
F16, F32, F64 = h5t.IEEE_F16LE, h5t.IEEE_F32LE, h5t.IEEE_F64LE
F16BE, F32BE, F64BE = h5t.IEEE_F16BE, h5t.IEEE_F32BE, h5t.IEEE_F64BE
B8, B16, B32, B64 = h5t.STD_B8LE, h5t.STD_B16LE, h5t.STD_B32LE, h5t.STD_B64LE
TIME32 = h5t.UNIX_D32LE
LONG_DOUBLE = h5t.NATIVE_LDOUBLE  # x87 80-bit on x86-64; values are given as raw bytes
STD_REF = libhdf5.std_ref()
REF_OBJ, REF_REGION = h5t.STD_REF_OBJ, h5t.STD_REF_DSETREG

ASCII, UTF8 = h5t.CSET_ASCII, h5t.CSET_UTF8
NULLTERM, NULLPAD, SPACEPAD = h5t.STR_NULLTERM, h5t.STR_NULLPAD, h5t.STR_SPACEPAD


def string(size, *, cset=UTF8, pad=NULLPAD):
    """A fixed-length string of `size` bytes; size None makes it variable-length."""
    type_id = h5t.C_S1.copy()
    type_id.set_size(h5t.VARIABLE if size is None else size)
    type_id.set_cset(cset)
    type_id.set_strpad(pad)
    return type_id


def enum(members, base=I8):
    """An enumeration from a dict or a list of (name, code) pairs, in declaration order."""
    type_id = h5t.enum_create(base)
    for name, code in dict(members).items():
        if base.get_size() <= 8:
            type_id.enum_insert(name.encode(), code)
        else:  # which h5py cannot represent
            order = "little" if libhdf5.H5Tget_order(base.id) == h5t.ORDER_LE else "big"
            stored = (code % 2 ** (8 * base.get_size())).to_bytes(base.get_size(), order)
            libhdf5.H5Tenum_insert(type_id.id, name.encode(), stored)
    return type_id


BOOL = enum({"FALSE": 0, "TRUE": 1})  # section 6


def opaque(size, tag=b""):
    type_id = h5t.create(h5t.OPAQUE, size)
    type_id.set_tag(tag)
    return type_id


def array(base, *dims):
    return h5t.array_create(base, dims)


def sequence(base):
    """A variable-length sequence of `base`."""
    return h5t.vlen_create(base)


def compound(fields, gap=0):
    """A compound from a dict of fields in declaration order, with `gap` bytes after each."""
    size = sum(field.get_size() + gap for field in fields.values())
    type_id, offset = h5t.create(h5t.COMPOUND, size), 0
    for name, field in fields.items():
        type_id.insert(name.encode(), offset, field)
        offset += field.get_size() + gap
    return type_id


def wide(base, size, precision=None, offset=0):
    """An integer, time or bitfield type of any number of bytes, in which all bits are significant unless
    `precision` states their number."""
    type_id = base.copy()
    type_id.set_size(size)
    libhdf5.H5Tset_precision(type_id.id, precision or 8 * size)
    libhdf5.H5Tset_offset(type_id.id, offset)
    return type_id


def real(size, exponent, mantissa, base=F64):
    """A float with these sizes of exponent and mantissa, in the lowest bits, with the layout of IEEE 754."""
    type_id = base.copy()
    if size > type_id.get_size():
        type_id.set_size(size)
        libhdf5.H5Tset_precision(type_id.id, 1 + exponent + mantissa)
    libhdf5.H5Tset_fields(type_id.id, exponent + mantissa, mantissa, exponent, 0, mantissa)
    libhdf5.H5Tset_precision(type_id.id, 1 + exponent + mantissa)
    libhdf5.H5Tset_ebias(type_id.id, 2 ** (exponent - 1) - 1)
    type_id.set_size(size)
    return type_id


def with_leading_bit(base):
    """The same float, but the leading bit of its mantissa is stored explicitly (H5T_NORM_NONE)."""
    type_id = base.copy()
    libhdf5.H5Tset_norm(type_id.id, 2)
    return type_id


I128, U128, I128BE = wide(I64, 16), wide(U64, 16), wide(I64BE, 16)
BFLOAT16, BFLOAT16BE, F128 = real(2, 8, 7), real(2, 8, 7, F64BE), real(16, 15, 112)


def odd_width(base, precision, offset=0):
    """An integer or bitfield type with fewer significant bits, placed `offset` bits up."""
    type_id = base.copy()
    libhdf5.H5Tset_precision(type_id.id, precision)
    libhdf5.H5Tset_offset(type_id.id, offset)
    return type_id
