"""Datatypes and values in the notation of conformance/protocol-hdf5.md, from the bytes that a recipe stores."""

import math

from ..contents import raw, text

ORDERS = ("little", "big")
PADDINGS = ("null-term", "null-pad", "space-pad")
CHARSETS = ("ascii", "utf-8")
FORMS = {0: "object", 1: "region"}
IEEE = {2: (0, 16, 10, 5, 0, 10, 15), 4: (0, 32, 23, 8, 0, 23, 127), 8: (0, 64, 52, 11, 0, 52, 1023)}
DEEPEST = 16
MOST = 16384  # elements with what is in them


class Unknown(Exception):
    """There is no notation for it."""


class Type:
    """A datatype message, as far as a reader needs it: `notation`, and how elements are decoded."""

    def __init__(self, data, level=0):
        if level > DEEPEST:
            raise Unknown("a datatype of too many levels")
        self.data, self.at, self.level = data, 8, level
        self.number, self.version = data[0] & 15, data[0] >> 4
        self.bits, self.size = int.from_bytes(data[1:4], "little"), int.from_bytes(data[4:8], "little")
        classes = (self._fixed, self._float, self._time, self._string, self._bitfield, self._opaque, self._compound,
                   self._reference, self._enum, self._vlen, self._array)
        if self.number >= len(classes) or not 1 <= self.version <= 5 or not self.size:
            raise Unknown("a datatype of another class or version, or of no bytes")
        self.notation = classes[self.number]()
        self.length = self.at  # of its message

    def _take(self, width):
        if self.at + width > len(self.data):
            raise Unknown("a datatype that ends early")
        self.at += width
        return int.from_bytes(self.data[self.at - width:self.at], "little")

    def _name(self):
        end = self.data.find(b"\0", self.at)
        if end < 0:
            raise Unknown("a name without an end")
        name, size = self.data[self.at:end], end + 1 - self.at
        self._take(size if self.version > 2 else -(-size // 8) * 8)
        return name

    def _inner(self):
        inner = Type(self.data[self.at:], self.level + 1)
        self.at += inner.length
        return inner

    def _placed(self, name):
        """The members of numbers with bits at a place."""
        self.offset, self.precision = self._take(2), self._take(2)
        if not self.precision or self.offset + self.precision > 8 * self.size:
            raise Unknown("bits outside the element")
        self.big = self.bits & 1
        made = {"class": name, "size": self.size, "order": ORDERS[self.big]}
        if self.precision != 8 * self.size:
            made["precision"] = self.precision
            if self.offset:
                made["offset"] = self.offset
        return made

    def _fixed(self):
        return {**self._placed("integer"), "signed": bool(self.bits & 8)}

    def _bitfield(self):
        return self._placed("bitfield")

    def _float(self):
        self.big = self.bits & 1
        offset, precision = self._take(2), self._take(2)
        properties = (offset, precision, *(self._take(1) for _ in range(4)), self._take(4))
        self.ieee = properties == IEEE.get(self.size) and self.bits & 0x70 == 0x20 and not self.bits & 0x40
        made = {"class": "float", "size": self.size}
        if not self.bits & 0x40:  # the order of VAX has no word
            made["order"] = ORDERS[self.big]
        return made if self.ieee else {**made, "precision": precision}

    def _time(self):
        self._take(2)
        return {"class": "time", "size": self.size, "order": ORDERS[self.bits & 1]}

    def _string(self):
        made = {"class": "string", "size": self.size}
        padding, charset = self.bits & 15, self.bits >> 4 & 15
        if padding < 3:
            made["padding"] = PADDINGS[padding]
        if charset < 2:
            made["charset"] = CHARSETS[charset]
        return made

    def _opaque(self):
        tag = self.data[self.at:self.at + (self.bits & 255)]
        self._take(self.bits & 255)
        return {"class": "opaque", "size": self.size, "tag": text(tag.partition(b"\0")[0])}

    def _compound(self):
        self.members = []
        for _ in range(self.bits & 0xFFFF):
            name = self._name()
            offset = self._take(4 if self.version < 3 else max(1, (self.size.bit_length() + 7) // 8))
            dimensions = []
            if self.version == 1:
                rank = self._take(1)
                self._take(11)
                dimensions = [self._take(4) for _ in range(4)][:rank]
            inner = self._inner()
            if offset + inner.size * math.prod(dimensions) > self.size or self.version == 1 and rank > 4:
                raise Unknown("a member outside the element")
            self.members.append((name, offset, inner, dimensions))
        return {"class": "compound", "fields": [
            [text(name), {"class": "array", "dims": dimensions, "base": inner.notation} if dimensions else inner.notation]
            for name, _, inner, dimensions in self.members]}

    def _reference(self):
        return {"class": "reference", "form": FORMS.get(self.bits & 15, "standard")}

    def _enum(self):
        self.base, count = self._inner(), self.bits & 0xFFFF
        if self.base.number != 0:
            raise Unknown("an enumeration of what is no integer")
        names = [self._name() for _ in range(count)]
        size, at = self.base.size, self.at
        self._take(size * count)
        codes = [self.base.code(self.data[at + i * size:at + (i + 1) * size]) for i in range(count)]
        return {"class": "enum", "base": self.base.notation, "members": [[text(name), code] for name, code in zip(names, codes)]}

    def _vlen(self):
        self.base = self._inner()
        if self.bits & 15 == 1:
            charset = self.bits >> 8 & 15
            return {"class": "string", "size": "variable", **({"charset": CHARSETS[charset]} if charset < 2 else {})}
        return {"class": "vlen", "base": self.base.notation}

    def _array(self):
        rank = self._take(1)
        if self.version < 3:
            self._take(3)
        self.dimensions = [self._take(4) for _ in range(rank)]
        if self.version < 3:
            self._take(4 * rank)
        self.base = self._inner()
        if math.prod(self.dimensions) * self.base.size != self.size:
            raise Unknown("an array of another size")
        return {"class": "array", "dims": self.dimensions, "base": self.base.notation}

    def comparable(self):
        """Whether its values have a notation: references lead to objects, and only those of the oldest kind are addresses."""
        if self.number == 7:
            return self.bits & 15 == 0
        if self.number == 6:
            return all(inner.comparable() for _, _, inner, _ in self.members)
        return self.number not in (9, 10) or self.base.comparable()

    def values(self, data, count, heap):
        """So many elements. `heap(address, index)` gives the bytes of an object of the global heap, or None."""
        self.heap, self.left = heap, MOST
        return self._items(self, data, count)

    def code(self, data):
        """An integer."""
        bits = int.from_bytes(data, ORDERS[self.big]) >> self.offset & (1 << self.precision) - 1
        return str(bits - (1 << self.precision) if self.bits & 8 and bits >> self.precision - 1 else bits)

    def _items(self, base, data, count):
        self.left -= count
        if self.left < 0:
            raise Unknown("too many elements")
        return [self._value(base, data[i * base.size:(i + 1) * base.size]) for i in range(count)]

    def _value(self, type, data):
        if type.number == 0:
            return type.code(data)
        if type.number == 1:
            return {"bits": (data if type.big else data[::-1]).hex()} if type.ieee else raw(data)
        if type.number == 3:
            padding = type.bits & 15
            return text(data.partition(b"\0")[0] if padding == 0 else data.rstrip(b" " if padding == 2 else b"\0"))
        if type.number == 6:
            return [self._member(data, *member[1:]) for member in type.members]
        if type.number == 8:
            return type.base.code(data)
        if type.number == 10:
            return self._items(type.base, data, math.prod(type.dimensions))
        if type.number == 9:
            return self._sequence(type, data)
        # An address of less than eight bytes is widened.
        return raw(data.ljust(8, b"\0") if type.number == 7 else data)

    def _member(self, data, offset, inner, dimensions):
        count = math.prod(dimensions)
        values = self._items(inner, data[offset:offset + count * inner.size], count)
        return values if dimensions else values[0]

    def _sequence(self, type, data):
        length, address = int.from_bytes(data[:4], "little"), int.from_bytes(data[4:-4], "little")
        text_wanted = type.bits & 15 == 1
        if not length:
            return "" if text_wanted else []
        stored = self.heap(address, int.from_bytes(data[-4:], "little"))
        if stored is None or len(stored) < length * type.base.size:
            return {"damaged": True}
        if text_wanted:
            return text(stored[:length].partition(b"\0")[0])
        return self._items(type.base, stored, length)
