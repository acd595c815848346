"""Values: converts Python values to stored bytes, and interprets values as indexes need them.

A value is an int, a float, a str or bytes, a member name or code of an enum, a tuple or dict for
a compound, a list for an array or sequence, or a reference. Except in strings, `bytes` are
stored unchanged, for example for a NaN with a payload or a long double.
"""

import ctypes
import math
import struct
from fractions import Fraction

import numpy as np
from h5py import h5t

from .datatypes import BOOL, NULLTERM, SPACEPAD
from .libhdf5 import (H5Tget_ebias, H5Tget_offset, H5Tget_precision, H5Tget_order, enum_code,
                      float_fields)

_IEEE = {2: "e", 4: "f", 8: "d"}
_IEEE_TYPES = {h5t.IEEE_F16LE, h5t.IEEE_F16BE, h5t.IEEE_F32LE, h5t.IEEE_F32BE, h5t.IEEE_F64LE,
               h5t.IEEE_F64BE}


def encode(type_id, value, context=None):
    """The bytes of `value` in memory, in the layout of `type_id`.

    `context` keeps the targets of pointers in the bytes alive, and creates references.
    """
    kind, size = type_id.get_class(), type_id.get_size()
    if kind == h5t.STRING:
        data = value.encode() if isinstance(value, str) else value
        if type_id.is_variable_str():
            return context.pointer(data + b"\0")
        assert len(data) <= size, f"{data!r} is longer than {size} bytes"
        return data.ljust(size, b" " if type_id.get_strpad() == SPACEPAD else b"\0")
    if isinstance(value, (bytes, bytearray)):
        assert len(value) == size, f"{len(value)} raw bytes for a datatype of {size}"
        return bytes(value)
    if kind in (h5t.INTEGER, h5t.BITFIELD, h5t.TIME):
        precision, offset = H5Tget_precision(type_id.id), H5Tget_offset(type_id.id)
        return (int(value) % (1 << precision) << offset).to_bytes(size, _order(type_id))
    if kind == h5t.FLOAT and _is_ieee(type_id):
        return struct.pack(("<" if _order(type_id) == "little" else ">") + _IEEE[size],
                           np.dtype(_IEEE[size]).type(value))
    if kind == h5t.FLOAT:
        return _float_bits(type_id, value).to_bytes(size, _order(type_id))
    if kind == h5t.ENUM:
        if isinstance(value, str):
            return enum_code(type_id, value)
        return encode(type_id.get_super(), value)
    if kind == h5t.COMPOUND:
        return _encode_compound(type_id, value, context)
    if kind == h5t.ARRAY:
        return b"".join(encode(type_id.get_super(), item, context) for item in flatten(value))
    if kind == h5t.VLEN:
        base = type_id.get_super()
        items = b"".join(encode(base, item, context) for item in value)
        return struct.pack("@N", len(value)) + context.pointer(items)
    if kind == h5t.REFERENCE:
        return context.reference(type_id, value)
    raise TypeError(f"no encoding for datatype class {kind}")


def x87(mantissa, exponent=0x3FFF, sign=0):
    """A LONG_DOUBLE as it is stored: mantissa * 2^(exponent - 0x3FFF - 63)."""
    return mantissa.to_bytes(8, "little") + (sign << 15 | exponent).to_bytes(2, "little") + bytes(6)


X87_ONE = 1 << 63  # the mantissa of 1


def _encode_compound(type_id, value, context):
    buffer = bytearray(type_id.get_size())
    for i in range(type_id.get_nmembers()):
        name = type_id.get_member_name(i).decode()
        item = value[name] if isinstance(value, dict) else value[i]
        data = encode(type_id.get_member_type(i), item, context)
        start = type_id.get_member_offset(i)
        buffer[start:start + len(data)] = data
    return bytes(buffer)


def _is_ieee(type_id):
    return any(type_id.equal(known) for known in _IEEE_TYPES)


def _float_bits(type_id, value):
    """The bits of any float type for a number, which must be exactly representable."""
    sign_at, exponent_at, exponent_size, mantissa_at, mantissa_size, implied = float_fields(type_id)
    fraction_size = mantissa_size if implied else mantissa_size - 1
    bias, top, leading = H5Tget_ebias(type_id.id), (1 << exponent_size) - 1, 1 << fraction_size
    sign = math.copysign(1, value) < 0
    if math.isnan(value):
        exponent, mantissa = top, leading | leading >> 1
    elif math.isinf(value):
        exponent, mantissa = top, leading
    elif value == 0:
        exponent, mantissa = 0, 0
    else:
        number = abs(Fraction(value))
        power = number.numerator.bit_length() - number.denominator.bit_length()
        if number < Fraction(2) ** power:
            power -= 1
        exponent = max(power + bias, 0)
        scaled = number / Fraction(2) ** (max(exponent, 1) - bias) * leading
        assert scaled.denominator == 1 and exponent < top, f"{value} does not fit"
        mantissa = int(scaled)
    if implied:
        mantissa %= leading
    return sign << sign_at | exponent << exponent_at | mantissa << mantissa_at


def _float_value(type_id, bits):
    """The value of the bits of any float type: a Fraction, or a float if it is not a number."""
    sign_at, exponent_at, exponent_size, mantissa_at, mantissa_size, implied = float_fields(type_id)
    exponent = bits >> exponent_at & (1 << exponent_size) - 1
    mantissa = bits >> mantissa_at & (1 << mantissa_size) - 1
    sign = -1 if bits >> sign_at & 1 else 1
    fraction_size = mantissa_size if implied else mantissa_size - 1
    if exponent == (1 << exponent_size) - 1:
        return math.nan if mantissa & (1 << fraction_size) - 1 else sign * math.inf
    if implied and exponent:
        mantissa |= 1 << mantissa_size
    return sign * mantissa * Fraction(2) ** (max(exponent, 1) - H5Tget_ebias(type_id.id) - fraction_size)


def _order(type_id):
    return "big" if H5Tget_order(type_id.id) == h5t.ORDER_BE else "little"


def flatten(value):
    """The innermost items of nested lists, in row-major order; a bytearray is a list of bytes."""
    if isinstance(value, (list, bytearray, np.ndarray)):
        for item in value:
            yield from flatten(item)
    else:
        yield value


class Context:
    """Memory to which pointers refer, kept alive for one write. References need a Writer."""

    def __init__(self):
        self._alive = []

    def pointer(self, data):
        self._alive.append(ctypes.create_string_buffer(data, max(len(data), 1)))
        return struct.pack("@P", ctypes.addressof(self._alive[-1]))

    def reference(self, type_id, value):
        raise TypeError("references can only be written by a Writer")


# The meaning of a stored value (HEP001 8.5, 10.5, 10.7).

def logical(type_id, value):
    """The value in comparable form: int, float or fraction, bytes of a string without padding, raw bytes,
    or a tuple of these for a compound, array or sequence."""
    kind = type_id.get_class()
    if kind == h5t.STRING:
        data = value.encode() if isinstance(value, str) else bytes(value)
        if type_id.is_variable_str() or type_id.get_strpad() == NULLTERM:
            return data.partition(b"\0")[0]
        return data.rstrip(b" " if type_id.get_strpad() == SPACEPAD else b"\0")
    if kind == h5t.VLEN:
        return tuple(logical(type_id.get_super(), item) for item in value)
    if kind == h5t.COMPOUND and not isinstance(value, bytes):
        names = [type_id.get_member_name(i).decode() for i in range(type_id.get_nmembers())]
        return tuple(logical(type_id.get_member_type(i),
                             value[name] if isinstance(value, dict) else value[i])
                     for i, name in enumerate(names))
    if kind == h5t.REFERENCE:
        return value
    if kind == h5t.COMPOUND:
        return tuple(logical(type_id.get_member_type(i),
                             value[offset:offset + type_id.get_member_type(i).get_size()])
                     for i in range(type_id.get_nmembers())
                     for offset in [type_id.get_member_offset(i)])
    if kind == h5t.ARRAY:
        base = type_id.get_super()
        if isinstance(value, bytes):
            size = base.get_size()
            return tuple(logical(base, value[i:i + size]) for i in range(0, len(value), size))
        items = value if isinstance(value, tuple) else flatten(value)
        return tuple(logical(base, item) for item in items)
    data = encode(type_id, value)
    if kind == h5t.ENUM:
        return logical(type_id.get_super(), data)
    if kind in (h5t.INTEGER, h5t.BITFIELD, h5t.TIME):
        precision, offset = H5Tget_precision(type_id.id), H5Tget_offset(type_id.id)
        bits = (int.from_bytes(data, _order(type_id)) >> offset) % (1 << precision)
        signed = kind == h5t.TIME or kind == h5t.INTEGER and type_id.get_sign() == h5t.SGN_2
        return bits - (1 << precision) if signed and bits >> (precision - 1) else bits
    if kind == h5t.FLOAT and not _is_ieee(type_id):
        return _float_value(type_id, int.from_bytes(data, _order(type_id)))
    if kind == h5t.FLOAT:
        return struct.unpack(("<" if _order(type_id) == "little" else ">") + _IEEE[len(data)],
                             data)[0]
    return data


def is_nan(value):
    return isinstance(value, float) and math.isnan(value)


def is_missing(value, fill):
    """The canonical missing-value test for logical values; if the fill value is None, nothing is missing."""
    if fill is None:
        return False
    return is_nan(value) if is_nan(fill) else value == fill


def canonical_bytes(type_id, value):
    """The bytes that CHUNK_BLOOM hashes; `value` is logical and not NaN."""
    kind, size = type_id.get_class(), type_id.get_size()
    if kind == h5t.INTEGER:
        return value.to_bytes(size, "little", signed=type_id.get_sign() == h5t.SGN_2)
    if kind == h5t.FLOAT:
        return struct.pack("<" + _IEEE[size], value + 0.0)  # -0.0 + 0.0 is +0.0
    if kind in (h5t.STRING, h5t.OPAQUE):
        return value
    if kind == h5t.ENUM and type_id.equal(BOOL):
        return bytes([value])
    if kind == h5t.ENUM:  # since 2026-07-09
        return canonical_bytes(type_id.get_super(), value)
    raise TypeError(f"no canonical bytes for datatype class {kind}")
