"""Datatypes and values in the protocol's notation (conformance/protocol.md), to and from HDF5.

A value in the notation is a str (integer, enumeration code, text), {"bits"} (float), {"bytes"}
(any value reported as stored) or a list (compound, array, sequence); None is a missing one.
"""

import base64
import ctypes
import math
import struct

from h5py import h5t

import hdf5

FLOATS = {2: "e", 4: "f", 8: "d"}
CHARSETS = {h5t.CSET_ASCII: "ascii", h5t.CSET_UTF8: "utf-8"}
PADDINGS = {h5t.STR_NULLTERM: "null-term", h5t.STR_NULLPAD: "null-pad",
            h5t.STR_SPACEPAD: "space-pad"}
ORDERS = {h5t.ORDER_LE: "little", h5t.ORDER_BE: "big"}
IEEE = [h5t.IEEE_F16LE, h5t.IEEE_F16BE, h5t.IEEE_F32LE, h5t.IEEE_F32BE, h5t.IEEE_F64LE,
        h5t.IEEE_F64BE]
CLASSES = {h5t.INTEGER: "integer", h5t.FLOAT: "float", h5t.BITFIELD: "bitfield",
           h5t.TIME: "time", h5t.STRING: "string", h5t.OPAQUE: "opaque", h5t.ENUM: "enum",
           h5t.COMPOUND: "compound", h5t.ARRAY: "array", h5t.VLEN: "vlen",
           h5t.REFERENCE: "reference"}
BOOLEAN = {"class": "enum", "base": {"class": "integer", "size": 1, "order": "little", "signed": True},
           "members": [["FALSE", "0"], ["TRUE", "1"]]}  # of attributes (6)


# Datatypes

def describe_type(tid):
    kind, size = CLASSES.get(tid.get_class(), "unknown"), tid.get_size()
    made = {"class": kind}
    if kind in ("integer", "float", "bitfield", "time"):
        made.update(size=size, order=ORDERS.get(hdf5.order(tid), "little"))
        if kind == "integer":
            made["signed"] = tid.get_sign() == h5t.SGN_2
        if kind == "float" and not any(tid.equal(known) for known in IEEE):
            made["precision"] = hdf5.precision(tid)
        if kind in ("integer", "bitfield") and hdf5.precision(tid) != 8 * size:
            made["precision"] = hdf5.precision(tid)
            if hdf5.offset(tid):
                made["offset"] = hdf5.offset(tid)
    elif kind == "string":
        made["size"] = "variable" if tid.is_variable_str() else size
        # The library also reads numbers that have no meaning yet.
        if tid.get_cset() in CHARSETS:
            made["charset"] = CHARSETS[tid.get_cset()]
        if not tid.is_variable_str() and tid.get_strpad() in PADDINGS:
            made["padding"] = PADDINGS[tid.get_strpad()]
    elif kind == "opaque":
        made.update(size=size, tag=text(tid.get_tag()))
    elif kind == "enum":
        made["base"] = describe_type(tid.get_super())
        made["members"] = [[tid.get_member_name(i).decode(),
                            integer(tid.get_super(), hdf5.member_value(tid, i))]
                           for i in range(tid.get_nmembers())]
    elif kind == "compound":
        made["fields"] = [[tid.get_member_name(i).decode(), describe_type(tid.get_member_type(i))]
                          for i in range(tid.get_nmembers())]
    elif kind == "array":
        made.update(dims=list(tid.get_array_dims()), base=describe_type(tid.get_super()))
    elif kind == "vlen":
        made["base"] = describe_type(tid.get_super())
    elif kind == "reference":
        made["form"] = ("object" if tid.equal(h5t.STD_REF_OBJ) else
                        "region" if tid.equal(h5t.STD_REF_DSETREG) else "standard")
    else:
        made["size"] = size
    return made


def make_type(notation):
    kind, size = notation["class"], notation.get("size")
    big = notation.get("order") == "big"
    if kind == "boolean":
        return make_type({"class": "integer", "size": 1, "signed": False, "order": "little"})
    if kind in ("integer", "bitfield"):
        letter = "B" if kind == "bitfield" else "I" if notation["signed"] else "U"
        tid = getattr(h5t, f"STD_{letter}{8 * size}{'BE' if big else 'LE'}").copy()
        if "precision" in notation:
            hdf5.set_precision(tid, notation["precision"], notation.get("offset", 0))
        return tid
    if kind == "float":
        return getattr(h5t, f"IEEE_F{8 * size}{'BE' if big else 'LE'}")
    if kind == "string":
        tid = h5t.C_S1.copy()
        tid.set_size(h5t.VARIABLE if size == "variable" else size)
        tid.set_cset(next(key for key, name in CHARSETS.items() if name == notation["charset"]))
        if size != "variable":
            tid.set_strpad(next(key for key, name in PADDINGS.items()
                                if name == notation["padding"]))
        return tid
    if kind == "opaque":
        tid = h5t.create(h5t.OPAQUE, size)
        tid.set_tag(notation["tag"].encode())
        return tid
    if kind == "enum":
        tid = h5t.enum_create(make_type(notation["base"]))
        for name, code in notation["members"]:
            hdf5.insert_member(tid, name, Encoder().element(tid.get_super(), code))
        return tid
    if kind == "compound":
        fields = [(name, make_type(inner)) for name, inner in notation["fields"]]
        tid, offset = h5t.create(h5t.COMPOUND, sum(t.get_size() for _, t in fields)), 0
        for name, inner in fields:
            tid.insert(name.encode(), offset, inner)
            offset += inner.get_size()
        return tid
    if kind == "array":
        return h5t.array_create(make_type(notation["base"]), tuple(notation["dims"]))
    if kind == "vlen":
        return h5t.vlen_create(make_type(notation["base"]))
    raise NotImplementedError(f"datatype class {kind}")


# Values

def text(data):
    """The bytes of a string: text if they are UTF-8."""
    try:
        return data.decode()
    except UnicodeDecodeError:
        return raw(data)


def raw(data):
    return {"bytes": base64.b64encode(data).decode()}


def unraw(value):
    return base64.b64decode(value["bytes"])


def real(bits, size):
    value = struct.unpack(">" + FLOATS[size], bits.to_bytes(size, "big"))[0]
    return {"bits": f"{bits:0{2 * size}x}", "value": repr(value)}


def strip(data, padding):
    if padding == h5t.STR_NULLTERM:
        return data.partition(b"\0")[0]
    return data.rstrip(b" " if padding == h5t.STR_SPACEPAD else b"\0")


def decode(tid, address):
    """The element at an address in memory."""
    kind, size = tid.get_class(), tid.get_size()
    if kind == h5t.VLEN:
        length, = ctypes.c_size_t.from_address(address),
        items, base = ctypes.c_void_p.from_address(address + 8).value, tid.get_super()
        return [decode(base, items + i * base.get_size()) for i in range(length.value)]
    if kind == h5t.COMPOUND:
        return [decode(tid.get_member_type(i), address + tid.get_member_offset(i))
                for i in range(tid.get_nmembers())]
    if kind == h5t.ARRAY:
        base = tid.get_super()
        return [decode(base, address + i * base.get_size())
                for i in range(size // base.get_size())]
    if kind == h5t.STRING and tid.is_variable_str():
        pointer = ctypes.c_char_p.from_address(address).value
        return text(pointer or b"")
    data = ctypes.string_at(address, size)
    if kind == h5t.STRING:
        return text(strip(data, tid.get_strpad()))
    if kind == h5t.ENUM:
        return integer(tid.get_super(), data)
    if kind == h5t.INTEGER:
        return integer(tid, data)
    if kind == h5t.FLOAT and any(tid.equal(known) for known in IEEE):
        order = "little" if hdf5.order(tid) == h5t.ORDER_LE else "big"
        return real(int.from_bytes(data, order), size)
    return raw(data)


def integer(tid, data):
    order = "little" if hdf5.order(tid) == h5t.ORDER_LE else "big"
    precision = hdf5.precision(tid)
    bits = (int.from_bytes(data, order) >> hdf5.offset(tid)) % (1 << precision)
    if tid.get_sign() == h5t.SGN_2 and bits >> (precision - 1):
        bits -= 1 << precision
    return str(bits)


class Encoder:
    """Encodes values to bytes in memory; keeps the targets of their pointers alive."""

    def __init__(self):
        self._alive = []

    def _pointer(self, data):
        self._alive.append(ctypes.create_string_buffer(data, max(len(data), 1)))
        return ctypes.addressof(self._alive[-1])

    def elements(self, tid, values):
        return b"".join(self.element(tid, value) for value in values)

    def element(self, tid, value):
        kind, size = tid.get_class(), tid.get_size()
        if kind == h5t.VLEN:
            items = self.elements(tid.get_super(), value)
            return struct.pack("@NP", len(value), self._pointer(items))
        if kind == h5t.COMPOUND:
            fields = bytearray(size)
            for i, item in enumerate(value):
                at = tid.get_member_offset(i)
                data = self.element(tid.get_member_type(i), item)
                fields[at:at + len(data)] = data
            return bytes(fields)
        if kind == h5t.ARRAY:
            return self.elements(tid.get_super(), value)
        if kind == h5t.STRING:
            data = value.encode() if isinstance(value, str) else unraw(value)
            if tid.is_variable_str():
                return struct.pack("@P", self._pointer(data + b"\0"))
            return data.ljust(size, b" " if tid.get_strpad() == h5t.STR_SPACEPAD else b"\0")
        if kind in (h5t.INTEGER, h5t.ENUM):
            base = tid.get_super() if kind == h5t.ENUM else tid
            order = "little" if hdf5.order(base) == h5t.ORDER_LE else "big"
            bits = int(value) % (1 << hdf5.precision(base)) << hdf5.offset(base)
            return bits.to_bytes(size, order)
        if "bits" in value:
            order = "little" if hdf5.order(tid) == h5t.ORDER_LE else "big"
            return int(value["bits"], 16).to_bytes(size, order)
        return unraw(value)


# The meaning of values

def key(kind, value):
    """A value in comparable form; `kind` is its datatype in the notation."""
    if kind["class"] in ("integer", "enum", "boolean"):
        return int(value)
    if isinstance(value, dict) and "bits" in value:
        size = len(value["bits"]) // 2
        return struct.unpack(">" + FLOATS[size], bytes.fromhex(value["bits"]))[0]
    if isinstance(value, dict):
        return unraw(value)
    if isinstance(value, str):
        return value.encode()
    inner = kind.get("base") or kind
    if kind["class"] == "compound":
        return tuple(key(field, item) for (_, field), item in zip(kind["fields"], value))
    return tuple(key(inner, item) for item in value)


def is_nan(key_):
    return isinstance(key_, float) and math.isnan(key_)


def has_order(kind):
    return (kind["class"] in ("integer", "enum", "string", "opaque", "boolean") or
            kind["class"] == "float" and "precision" not in kind)
