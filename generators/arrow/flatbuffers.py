"""FlatBuffers: converts tables of named fields to bytes, and records their positions.

The flatbuffer of a Table is written from its root down: an object is placed after all objects that refer to
it, so that every offset is positive. A Style contains the choices that a valid flatbuffer leaves to its writer.
"""

import collections
import functools
from dataclasses import dataclass

from .tables import FIELDS, Table

WIDTHS = {"bool": 1, "i8": 1, "u8": 1, "i16": 2, "i32": 4, "i64": 8, "string": 4, "table": 4}
# Structs have fields of 4 or 8 bytes, and are aligned to 8.
STRUCTS = {"FieldNode": (8, 8), "Buffer": (8, 8), "Block": (8, 4, 4, 8)}


@dataclass(frozen=True)
class Style:
    """`vtables`: "before" their table, "behind" (after) it, or "shared" by tables with equal vtables.
    `defaults`: whether fields that have their default are written. `fields`: ordered by "width", so that a
    table has no gaps, or by "id". `deep`: the objects that an object refers to follow it immediately, so
    nothing can be shared; otherwise the objects at the same distance from the root come first.
    `last_first`: the objects that a table refers to are placed in reverse order."""
    vtables: str = "before"
    defaults: bool = False
    fields: str = "width"
    deep: bool = True
    last_first: bool = False


class Shared(str):
    """A string to which several offsets can refer. Equal strings of other types are stored separately."""


@functools.cache
def width_of(kind):
    if kind.startswith("struct "):
        return sum(STRUCTS[kind.removeprefix("struct ")])
    return 4 if kind.startswith("[") else WIDTHS[kind]


def _alignment(kind):
    return 8 if kind.startswith("struct ") or kind in STRUCTS else width_of(kind)


def integer(value, width):
    return (int(value) % (1 << 8 * width)).to_bytes(width, "little")


def struct_bytes(kind, values):
    return b"".join(integer(value, width) for value, width in zip(values, STRUCTS[kind]))


class Flatbuffer:
    """`places`: {name: (position, width)} of everything that a recipe may corrupt.

    ":root" is the root offset. For a table at `p` ("" is the root, "header", "header.fields[0]"),
    "p:table" is the offset to its vtable, "p:vtable" the length of the vtable, "p:size" the object size,
    "p:entry name" the vtable entry of a field, "p.name" the field; of a vector or string "p:count"
    is the number of elements, "p[0]" an element, "p:end" the byte after a string.
    """

    def __init__(self, root, style=Style(), skews=None):
        self.style, self.skews = style, skews or {}
        self.bytes, self.places = bytearray(4), {":root": (0, 4)}
        self._vtables, self._placed = {}, {}  # bytes -> position; id -> (object, position)
        self._waiting = collections.deque()   # (position of the offset, name, kind, value)
        self._added = []                      # the objects that the current object refers to
        self._later(0, "", "table", root)
        while self._added or self._waiting:
            self._queue()
            self._place(*self._waiting.popleft())
        self.bytes += bytes(-len(self.bytes) % 8)

    def _later(self, at, name, kind, value):
        self._added.append((at, name, kind, value))

    def _queue(self):
        added = self._added[::-1] if self.style.last_first else self._added
        if self.style.deep:
            self._waiting.extendleft(reversed(added))
        else:
            self._waiting.extend(added)
        self._added = []

    def _place(self, at, name, kind, value):
        _, position = self._placed.get(id(value), (None, 0))
        if position <= at or isinstance(value, str) and not isinstance(value, Shared):
            position = self._write(name, kind, value)
            self._placed[id(value)] = value, position
        self.bytes[at:at + 4] = integer(position - at, 4)

    def _write(self, name, kind, value):
        if kind == "table":
            return self._table(name, value)
        if kind == "string":
            return self._string(name, value)
        return self._vector(name, kind[1:-1], value)

    def _align(self, name, alignment, further=0):
        """Pads so that the position `further` bytes on is aligned, or misaligned as requested."""
        self.bytes += bytes(-(len(self.bytes) + further) % alignment + self.skews.get(name, 0))
        return len(self.bytes)

    def _string(self, name, text):
        at = self._align(name, 4)
        content = text.encode() if isinstance(text, str) else bytes(text)
        self.bytes += integer(len(content), 4) + content + b"\0"
        self.places[f"{name}:count"] = at, 4
        self.places[f"{name}:end"] = at + 4 + len(content), 1
        return at

    def _vector(self, name, kind, values):
        offsets = kind not in WIDTHS and kind not in STRUCTS or kind == "string"
        alignment = 4 if offsets else 8 if kind in STRUCTS else width_of(kind)
        at = self._align(name, max(alignment, 4), 4)
        self.places[f"{name}:count"] = at, 4
        self.bytes += integer(len(values), 4)
        for i, value in enumerate(values):
            position, element = len(self.bytes), f"{name}[{i}]"
            if offsets:
                self.bytes += bytes(4)
                self._later(position, element, "string" if kind == "string" else "table", value)
            elif kind in STRUCTS:
                self.bytes += struct_bytes(kind, value)
            else:
                self.bytes += integer(value, width_of(kind))
            self.places[element] = position, len(self.bytes) - position
        return at

    def _present(self, table):
        """(id, name, kind, value) of the fields that are written."""
        found = []
        for number, (name, kind, default) in enumerate(FIELDS[table.kind]):
            value = table.values.get(name)
            if value is not None and (value != default or self.style.defaults
                                      or kind not in WIDTHS or kind in ("string", "table")):
                found.append((number, name, kind, value))
        return found + [(number, f"+{number}", "i32", value)
                        for number, value in sorted(table.unknown.items())]

    def _table(self, name, table):
        fields = self._present(table)
        widest = max([4, *(_alignment(kind) for _, _, kind, _ in fields)])
        if self.style.fields == "width":
            fields.sort(key=lambda field: -width_of(field[2]))
            begin = 4  # the table starts where this is aligned
        else:
            begin = 0
        places, size = {}, 4
        for number, _, kind, _ in fields:
            size += (begin - size) % _alignment(kind)
            places[number] = size
            size += width_of(kind)
        count = max([-1, *places]) + 1
        vtable = b"".join(integer(n, 2) for n in (4 + 2 * count, size,
                                                  *(places.get(i, 0) for i in range(count))))
        behind = self.style.vtables == "behind"
        shared = self._vtables.get(vtable) if self.style.vtables == "shared" else None
        if not behind and shared is None:
            shared = self._add_vtable(vtable)
        at = self._align(name, widest, begin)
        self.bytes += bytes(size)
        if behind:
            shared = self._add_vtable(vtable)
        self.bytes[at:at + 4] = integer(at - shared, 4)
        self._note(name, at, shared, fields, places)
        for number, field, kind, value in fields:
            self._field(at + places[number], f"{name}.{field}".lstrip("."), kind, value)
        return at

    def _add_vtable(self, vtable):
        at = self._align("vtable", 2)
        self.bytes += vtable
        self._vtables[vtable] = at
        return at

    def _note(self, name, at, vtable, fields, places):
        self.places.update({f"{name}:table": (at, 4), f"{name}:vtable": (vtable, 2),
                            f"{name}:size": (vtable + 2, 2)})
        for number, field, kind, _ in fields:
            self.places[f"{name}:entry {field}"] = vtable + 4 + 2 * number, 2
            self.places[f"{name}.{field}".lstrip(".")] = at + places[number], width_of(kind)

    def _field(self, at, name, kind, value):
        if kind in WIDTHS and kind not in ("string", "table"):
            self.bytes[at:at + width_of(kind)] = integer(value, width_of(kind))
        elif kind.startswith("struct "):
            self.bytes[at:at + width_of(kind)] = struct_bytes(kind.split()[1], value)
        else:
            self._later(at, name, kind, value)


def flatbuffer(root: Table, style=Style(), skews=None, pokes=()):
    """The bytes with some positions overwritten, and the positions."""
    made = Flatbuffer(root, style, skews)
    content = made.bytes
    for name, value in pokes:
        at, width = made.places[name]
        content[at:at + width] = value if isinstance(value, bytes) else integer(value, width)
    return bytes(content), made.places
