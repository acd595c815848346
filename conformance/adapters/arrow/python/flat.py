"""FlatBuffers, as far as the metadata of Arrow need them: reading with every offset checked, and writing."""
import struct


class Broken(Exception):
    """The input does not conform to the specification."""


class Table:
    """A table of a flatbuffer. Several offsets may refer to one table, so tables are counted in `visited`,
    which all tables share."""

    def __init__(self, data, at, visited, depth):
        visited[0] += 1
        if visited[0] > 8 * len(data) or depth > 80:
            raise Broken("the flatbuffer leads to more tables than it has room for")
        self.data, self.at, self.visited, self.depth = data, at, visited, depth
        vtable = at - self._number("<i", at)
        size = self._number("<H", vtable)
        self.places = [self._number("<H", vtable + 4 + 2 * i) for i in range((size - 4) // 2)]

    def _number(self, code, at):
        if at < 0 or at + struct.calcsize(code) > len(self.data):
            raise Broken("an offset leads out of the flatbuffer")
        return struct.unpack_from(code, self.data, at)[0]

    def _place(self, i):
        return self.at + self.places[i] if i < len(self.places) and self.places[i] else None

    def _target(self, i):
        place = self._place(i)
        return None if place is None else place + self._number("<I", place)

    def scalar(self, i, code, default=0):
        place = self._place(i)
        return default if place is None else self._number("<" + code, place)

    def table(self, i):
        target = self._target(i)
        return None if target is None else self._deeper(target)

    def _deeper(self, at):
        return Table(self.data, at, self.visited, self.depth + 1)

    def string(self, i):
        target = self._target(i)
        if target is None:
            return None
        size = self._number("<I", target)
        if target + 4 + size > len(self.data):
            raise Broken("a string leads out of the flatbuffer")
        return self.data[target + 4:target + 4 + size]

    def _elements(self, i, width):
        target = self._target(i)
        if target is None:
            return range(0)
        count = self._number("<I", target)
        if target + 4 + count * width > len(self.data):
            raise Broken(f"a vector of {count} elements leads out of the flatbuffer")
        return range(target + 4, target + 4 + count * width, width)

    def structs(self, i, code):
        return [struct.unpack_from("<" + code, self.data, at)
                for at in self._elements(i, struct.calcsize("<" + code))]

    def tables(self, i):
        return [self._deeper(at + self._number("<I", at)) for at in self._elements(i, 4)]


def root(data):
    if len(data) < 4:
        raise Broken("no flatbuffer")
    return Table(data, struct.unpack_from("<I", data)[0], [0], 0)


# Writing. A table is {id: value}: ("h", 4) is a scalar with its format code, "text" or bytes a string, a dict a table,
# [dicts] a vector of tables, ("qq", [(1, 2)]) a vector of structs or numbers.

class _Writer:
    def __init__(self):
        self.out = bytearray(4)

    def align(self, n, further=0):
        self.out += bytes(-(len(self.out) + further) % n)

    def table(self, fields):
        """Returns the offset of the table. The objects that it refers to follow it."""
        def width(value):
            return struct.calcsize("<" + value[0]) if isinstance(value, tuple) and isinstance(value[1], (int, bool)) else 4
        places, size = {}, 4
        for i in sorted(fields, key=lambda i: -width(fields[i])):
            size += -size % width(fields[i])
            places[i] = size
            size += width(fields[i])
        count = max(places, default=-1) + 1
        self.align(8, 4 + 2 * count)
        self.out += struct.pack("<HH", 4 + 2 * count, size)
        self.out += b"".join(struct.pack("<H", places.get(i, 0)) for i in range(count))
        at = len(self.out)
        self.out += struct.pack("<i", 4 + 2 * count) + bytes(size - 4)
        for i, value in fields.items():
            place = at + places[i]
            if width(value) != 4 or isinstance(value, tuple) and isinstance(value[1], (int, bool)):
                struct.pack_into("<" + value[0], self.out, place, value[1])
            else:
                struct.pack_into("<I", self.out, place, self.object(value) - place)
        return at

    def object(self, value):
        if isinstance(value, dict):
            return self.table(value)
        if isinstance(value, (str, bytes)):
            text = value.encode() if isinstance(value, str) else value
            self.align(4)
            at = len(self.out)
            self.out += struct.pack("<I", len(text)) + text + b"\0"
            return at
        code, values = value if isinstance(value, tuple) else ("I", value)
        self.align(8 if "q" in code else 4, 4)
        at = len(self.out)
        self.out += struct.pack("<I", len(values))
        if not isinstance(value, tuple):
            first = len(self.out)
            self.out += bytes(4 * len(values))
            for i, each in enumerate(values):
                struct.pack_into("<I", self.out, first + 4 * i, self.table(each) - first - 4 * i)
        else:
            for each in values:
                self.out += struct.pack("<" + code, *(each if isinstance(each, tuple) else (each,)))
        return at


def flatbuffer(fields):
    writer = _Writer()
    struct.pack_into("<I", writer.out, 0, writer.table(fields))
    writer.align(8)
    return bytes(writer.out)
