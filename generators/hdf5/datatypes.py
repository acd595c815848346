"""Datatypes of all classes and versions, as bytes with names."""

from dataclasses import dataclass, field

from .blocks import Struct

(FIXED, FLOAT, TIME, STRING, BITFIELD, OPAQUE, COMPOUND, REFERENCE, ENUM, VLEN, ARRAY,
 COMPLEX) = range(12)


@dataclass
class Datatype:
    number: int                 # the number of the class
    size: int
    version: int = 1
    bits: int = 0               # the 24 bits of the class
    properties: list = field(default_factory=list)  # (name, value, width), or (name, Datatype)
    format: str = None          # the numpy format, if elements are numbers

    def encode(self):
        made = Struct(("class and version", self.version << 4 | self.number, 1),
                      ("bits", self.bits, 3), ("size", self.size, 4))
        for name, value, *width in self.properties:
            made.add(name, value.encode() if isinstance(value, Datatype) else value, *width)
        return made

    def element(self, number):
        """The bytes of an element, which differ for each number; None for references."""
        if self.number == ARRAY:
            base = self.properties[-1][1]
            parts = [base.element(number + i) for i in range(self.size // base.size)]
            return None if None in parts else b"".join(parts)
        if self.number in (VLEN, REFERENCE) or any(
                isinstance(part[1], Datatype) and part[1].element(0) is None
                for part in self.properties):
            return None
        if self.number == ENUM:
            return self.values[number % len(self.values)]
        return (number % (1 << 8 * self.size)).to_bytes(
            self.size, "big" if self.number == FIXED and self.bits & 1 else "little")


def integer(size=4, signed=True, big=False, version=1):
    return Datatype(FIXED, size, version, big | 8 * signed,
                    [("bit offset", 0, 2), ("precision", 8 * size, 2)],
                    f"{'>' if big else '<'}{'i' if signed else 'u'}{size}")


I8, I16, I32, I64 = (integer(size) for size in (1, 2, 4, 8))
U8 = integer(1, signed=False)


def real(size=8, version=1):
    sign, place, exponent, bias = {2: (15, 10, 5, 15), 4: (31, 23, 8, 127),
                                   8: (63, 52, 11, 1023)}[size]
    return Datatype(FLOAT, size, version, 0x20 | sign << 8, [
        ("bit offset", 0, 2), ("precision", 8 * size, 2), ("exponent location", place, 1),
        ("exponent size", exponent, 1), ("mantissa location", 0, 1), ("mantissa size", place, 1),
        ("exponent bias", bias, 4)])


def time(size=4):
    return Datatype(TIME, size, properties=[("precision", 8 * size, 2)])


def string(size, version=1):
    return Datatype(STRING, size, version)


def bitfield(size=1):
    return Datatype(BITFIELD, size, properties=[("bit offset", 0, 2), ("precision", 8 * size, 2)])


def opaque(size, tag=b"opaque\0\0"):
    return Datatype(OPAQUE, size, 1, len(tag), [("tag", tag)])


def enough(largest):
    """The number of bytes that can represent numbers up to `largest`."""
    return max(1, (largest.bit_length() + 7) // 8)


def _padded(text):
    """A name with its NUL, padded to a multiple of 8 bytes."""
    return text + bytes(8 - len(text) % 8)


def compound(members, size=None, version=3):
    """`members`: (name, type), stored consecutively, or (name, type, offset)."""
    placed, at = [], 0
    for name, type, *offset in members:
        at = offset[0] if offset else at
        placed.append((name, type, at))
        at += type.size
    size = size or at
    properties = []
    for number, (name, type, offset) in enumerate(placed):
        word = f"member {number}"
        if version < 3:
            properties += [(f"{word} name", _padded(name.encode())), (f"{word} offset", offset, 4)]
        else:
            properties += [(f"{word} name", name.encode() + b"\0"),
                           (f"{word} offset", offset, enough(size))]
        if version == 1:
            properties += [(f"{word} rank", 0, 1), (f"{word} padding", 0, 3),
                           (f"{word} permutation", 0, 4), (f"{word} reserved", 0, 4),
                           (f"{word} dimensions", bytes(16))]
        properties.append((word, type))
    return Datatype(COMPOUND, size, version, len(placed), properties)


def reference(kind=0, version=1):
    sizes = {0: 8, 1: 12}
    return Datatype(REFERENCE, sizes.get(kind, 18), version, kind | 0x10 * (kind >= 2))


def enum(names, base=I8, version=3):
    """`names`: {name: value}."""
    padded = _padded if version < 3 else lambda name: name + b"\0"
    values = [value.to_bytes(base.size, "little") for value in names.values()]
    made = Datatype(ENUM, base.size, version, len(names), [
        ("base", base), ("names", b"".join(padded(name.encode()) for name in names)),
        ("values", b"".join(values))])
    made.values = values
    return made


def vlen(base, version=1, text=False, size=16):
    return Datatype(VLEN, size, version, int(text), [("base", base)])


def array(dimensions, base, version=2):
    size = base.size
    for each in dimensions:
        size *= each
    properties = [("rank", len(dimensions), 1)]
    if version < 3:
        properties.append(("padding", 0, 3))
    properties += [(f"dimension {i}", each, 4) for i, each in enumerate(dimensions)]
    if version < 3:
        properties += [(f"permutation {i}", 0, 4) for i in range(len(dimensions))]
    return Datatype(ARRAY, size, version, 0, [*properties, ("base", base)])


def complex_number():
    """A class of HDF5 2.0; its base type follows."""
    return Datatype(COMPLEX, 8, 5, 1, [("base", real(4))])
