"""Arrays: converts values to nodes and buffers.

An Array is created from a field and Python values, None for null: `array(field("a", I32), [1, None])`.
Changes that a recipe then makes are written unchanged: `length`, `null_count`, and the buffers.
"""

import struct

from .tables import DENSE

OFFSETS = {"Binary": 4, "Utf8": 4, "List": 4, "Map": 4, "LargeBinary": 8, "LargeUtf8": 8,
           "LargeList": 8}
VIEWS, LIST_VIEWS = ("BinaryView", "Utf8View"), {"ListView": 4, "LargeListView": 8}
# The widths of types with several numbers per slot: an interval of days and milliseconds has two.
PARTS = {"DayTime": (4, 4), "MonthDayNano": (4, 4, 8)}


class Buffer:
    """`values` are integers of `width` bytes each in the byte order of the stream (if there are several
    widths, they alternate); `content` is given as bytes. The `offset` and `length` of its entry in a batch
    may be set to wrong values. `before` is the number of unused bytes before it, `align` its alignment
    if it differs from the others. In a compressed batch `prefix` is the stated length, `frame` compresses the
    content, and `stored` replaces both."""

    def __init__(self, values=None, width=1, content=None):
        self.values, self.width, self.content = values, width, content
        self.offset = self.length = self.stored = self.frame = self.prefix = None
        self.before, self.align = 0, None

    def bytes(self, order):
        if self.content is not None:
            return bytes(self.content)
        widths = self.width if isinstance(self.width, tuple) else (self.width,)
        return b"".join((int(value) % (1 << 8 * widths[i % len(widths)])).to_bytes(
            widths[i % len(widths)], order) for i, value in enumerate(self.values))

    def __len__(self):
        return len(self.bytes("little"))


class View:
    """A view: of a short value, or of a long one at an offset of a data buffer. `rest` is what follows the
    length of a short one."""

    def __init__(self, value=b"", index=None, offset=0):
        self.length, self.prefix, self.index, self.offset = len(value), value[:4], index, offset
        self.rest = value.ljust(12, b"\0") if index is None else None

    def bytes(self, order):
        def number(value):
            return (value % (1 << 32)).to_bytes(4, order)
        behind = self.rest if self.rest is not None else (
            self.prefix + number(self.index) + number(self.offset))
        return number(self.length) + behind


class Views(Buffer):
    """The views of an array, in `slots`."""

    def __init__(self, slots):
        super().__init__()
        self.slots = slots

    def bytes(self, order):
        if self.content is not None:
            return bytes(self.content)
        return b"".join(slot.bytes(order) for slot in self.slots)


class Array:
    def __init__(self, kind, length, null_count, buffers, children=()):
        self.kind, self.length, self.null_count = kind, length, null_count
        self.buffers, self.children = list(buffers), list(children)

    # The buffers by their purpose.
    @property
    def validity(self):
        return self.buffers[0]

    @property
    def data(self):
        return self.buffers[-1]

    @property
    def offsets(self):
        return self.buffers[1]

    ids = validity

    @property
    def views(self):
        """The views themselves, which recipes change."""
        return self.buffers[1].slots

    @property
    def sizes(self):
        return self.buffers[2]

    @property
    def is_view(self):
        return self.kind in VIEWS

    def with_bitmap(self):
        """Writes the bitmap even if there are no nulls."""
        if not len(self.validity):
            self.validity.values = bits([1] * self.length).values
        return self

    def hide(self, *slots):
        """Makes slots null; their values are kept."""
        self.with_bitmap()
        for slot in slots:
            self.validity.values[slot // 8] &= ~(1 << slot % 8)
        self.null_count += len(slots)
        return self

    def flat(self):
        """The array and all its descendants, in pre-order."""
        return [self, *(each for child in self.children for each in child.flat())]


def bits(flags):
    """Packs bits, the least significant first."""
    made = bytearray((len(flags) + 7) // 8)
    for i, flag in enumerate(flags):
        made[i // 8] |= bool(flag) << i % 8
    return Buffer([*made])


def validity(values):
    nulls = sum(value is None for value in values)
    return (bits([value is not None for value in values]) if nulls else Buffer([])), nulls


def _float(value, precision):
    code, width = (("e", 2), ("f", 4), ("d", 8))[precision]
    return int.from_bytes(struct.pack("<" + code, value), "little"), width


def array(of, values):
    """The physical type of a Field."""
    if of.dictionary is not None:
        keys = of.dictionary.indexType
        return _plain(values, (keys.get("bitWidth") if keys else 32) // 8, "keys")
    return values_of(of, values)


def values_of(of, values):
    """The type of a Field, or of the dictionary that it is encoded with."""
    kind = of.type.kind
    if kind == "Null":
        return Array(kind, len(values), len(values), [])
    if kind == "Bool":
        bitmap, nulls = validity(values)
        return Array(kind, len(values), nulls, [bitmap, bits(values)])
    if kind in OFFSETS:
        return _variable(of, values)
    if kind in VIEWS:
        return _views(kind, values)
    if kind in LIST_VIEWS:
        return _list_views(of, values)
    if kind == "RunEndEncoded":
        return _runs(of, values)
    if kind == "FixedSizeBinary":
        width = of.type.get("byteWidth")
        bitmap, nulls = validity(values)
        data = b"".join(value or bytes(width) for value in values)
        return Array(kind, len(values), nulls, [bitmap, Buffer(content=data)])
    if kind == "FixedSizeList":
        size = of.type.get("listSize")
        bitmap, nulls = validity(values)
        below = [each for value in values for each in (value or size * [_nothing(of.children[0])])]
        return Array(kind, len(values), nulls, [bitmap], [array(of.children[0], below)])
    if kind == "Struct_":
        return _struct(of, values)
    if kind == "Union":
        return _union(of, values)
    if kind == "FloatingPoint":
        values = [value if value is None else _float(value, of.type.get("precision"))[0]
                  for value in values]
    return _plain(values, slot_width(of.type), kind)


def slot_width(type):
    """The width in bytes of a fixed-width type; a tuple if a slot has several numbers."""
    if type.kind in ("Int", "Decimal", "Time"):
        return type.get("bitWidth") // 8
    if type.kind == "FloatingPoint":
        return 2 << type.get("precision")
    if type.kind == "Date":
        return 4 << type.get("unit")
    if type.kind == "Interval":
        return (4, PARTS["DayTime"], PARTS["MonthDayNano"])[type.get("unit")]
    return 8


def _nothing(of):
    """The value under a null slot of a parent: a valid value of zero bytes."""
    if of.dictionary is None and of.type.kind == "RunEndEncoded":
        return _nothing(of.children[1])
    return {"Utf8View": b"", "BinaryView": b"", "ListView": [], "LargeListView": [], "Utf8": b"", "Binary": b"", "LargeUtf8": b"", "LargeBinary": b"", "Bool": False,
            "Null": None, "Struct_": tuple(_nothing(child) for child in of.children or ()),
            "List": [], "LargeList": [], "Map": [], "FixedSizeBinary": None,
            "FixedSizeList": None}.get(of.type.kind, 0) if of.dictionary is None else 0


def _plain(values, width, kind):
    bitmap, nulls = validity(values)
    if isinstance(width, tuple):
        flat = [part for value in values for part in (value or len(width) * (0,))]
    else:
        flat = [0 if value is None else value for value in values]
    return Array(kind, len(values), nulls, [bitmap, Buffer(flat, width)])


def _variable(of, values):
    kind = of.type.kind
    bitmap, nulls = validity(values)
    pieces = [value.encode() if isinstance(value, str) else value for value in values]
    ends = [0]
    for piece in pieces:
        ends.append(ends[-1] + len(piece or ()))
    buffers = [bitmap, Buffer(ends, OFFSETS[kind])]
    if kind in ("List", "LargeList", "Map"):
        below = [each for piece in pieces for each in (piece or ())]
        return Array(kind, len(values), nulls, buffers, [array(of.children[0], below)])
    data = Buffer(content=b"".join(piece or b"" for piece in pieces))
    return Array(kind, len(values), nulls, [*buffers, data])


def _struct(of, values):
    bitmap, nulls = validity(values)
    columns = [[_nothing(child) if value is None else value[i] for value in values]
               for i, child in enumerate(of.children)]
    return Array("Struct_", len(values), nulls, [bitmap],
                 [array(child, column) for child, column in zip(of.children, columns)])


def _union(of, values):
    """Values are pairs of a type id and a value."""
    ids = of.type.typeIds or [*range(len(of.children))]
    types = Buffer([id for id, _ in values])
    if of.type.get("mode") == DENSE:
        offsets, columns = [], [[] for _ in ids]
        for id, value in values:
            column = columns[ids.index(id)]
            offsets.append(len(column))
            column.append(value)
        buffers = [types, Buffer(offsets, 4)]
    else:
        columns = [[value if id == own else _nothing(child) for id, value in values]
                   for own, child in zip(ids, of.children)]
        buffers = [types]
    return Array("Union", len(values), 0, buffers,
                 [array(child, column) for child, column in zip(of.children, columns)])


def _views(kind, values):
    """A long value lies in data buffer 0, or in that of a pair (value, buffer), with two bytes before it."""
    bitmap, nulls = validity(values)
    slots, data = [], []
    for value in values:
        value, index = value if isinstance(value, tuple) else (value, 0)
        value = value.encode() if isinstance(value, str) else value or b""
        if len(value) <= 12:
            slots.append(View(value))
            continue
        while len(data) <= index:
            data.append(bytearray())
        data[index] += b"--"
        slots.append(View(value, index, len(data[index])))
        data[index] += value
    return Array(kind, len(values), nulls,
                 [bitmap, Views(slots), *(Buffer(content=each) for each in data)])


def _list_views(of, values):
    width = LIST_VIEWS[of.type.kind]
    bitmap, nulls = validity(values)
    offsets, below = [], []
    for value in values:
        offsets.append(len(below))
        below += value or []
    buffers = [bitmap, Buffer(offsets, width), Buffer([len(value or []) for value in values], width)]
    return Array(of.type.kind, len(values), nulls, buffers, [array(of.children[0], below)])


def _runs(of, values):
    """Equal neighbours are one run."""
    ends, runs = [], []
    for i, value in enumerate(values):
        if runs and runs[-1] == value:
            ends[-1] = i + 1
        else:
            ends.append(i + 1)
            runs.append(value)
    return Array(of.type.kind, len(values), 0, [],
                 [array(of.children[0], ends), array(of.children[1], runs)])
