"""Messages of object headers: the contents of each, field by field.

All functions take `w`, the widths of addresses and lengths, first.
"""

from dataclasses import dataclass
from typing import Any

from .blocks import Computed, Struct, size_of

NUMBERS = {
    "nil": 0, "dataspace": 1, "link info": 2, "datatype": 3, "old fill": 4, "fill": 5, "link": 6,
    "external files": 7, "layout": 8, "bogus": 9, "group info": 10, "filters": 11, "attribute": 12,
    "comment": 13, "old time": 14, "shared table": 15, "continuation": 16, "symbol table": 17,
    "time": 18, "k values": 19, "driver": 20, "attribute info": 21, "reference count": 22,
    "file space": 23, "cache image": 24, "first unknown": 25, "unknown": 0x40}

UNLIMITED = None


@dataclass(frozen=True)
class Widths:
    offset: int = 8
    length: int = 8

    @property
    def unlimited(self):
        return (1 << 8 * self.length) - 1


@dataclass
class Message:
    name: str
    body: Any          # a Struct, or a function that makes one of the widths
    flags: int = 0
    order: int = 0     # creation order; stored if the header requires it

    def encoded(self, w):
        return self.body if isinstance(self.body, Struct) else self.body(w)


def nil(size=0):
    return Message("nil", Struct(("bytes", bytes(size))))


def raw(name, content, flags=0):
    return Message(name, Struct(("bytes", content)), flags)


def dataspace(w, shape, maximum=None, version=2, kind=1):
    """`shape` None: the null dataspace; an UNLIMITED in `maximum` is all bits of the field."""
    if shape is None:
        shape, kind = (), 2
    elif not shape and kind == 1:
        kind = 0
    made = Struct(("version", version, 1), ("rank", len(shape), 1),
                  ("flags", int(maximum is not None), 1))
    if version == 1:
        made.add("reserved", 0, 1).add("reserved too", 0, 4)
    else:
        made.add("type", kind, 1)
    for i, size in enumerate(shape):
        made.add(f"size {i}", size, w.length)
    for i, size in enumerate(maximum or ()):
        made.add(f"maximum {i}", w.unlimited if size is UNLIMITED else size, w.length)
    return made


def link_info(w, heap=None, names=None, tracked=None, order=None):
    """`tracked`: the maximum creation index; `order`: whether there is an index of it."""
    made = Struct(("version", 0, 1), ("flags", (tracked is not None) | 2 * bool(order), 1))
    if tracked is not None:
        made.add("maximum creation index", tracked, 8)
    made.add("heap", heap, w.offset).add("name index", names, w.offset)
    if order:
        made.add("order index", None if order is True else order, w.offset)
    return made


def attribute_info(w, heap, names, tracked=None, order=None):
    made = Struct(("version", 0, 1), ("flags", (tracked is not None) | 2 * bool(order), 1))
    if tracked is not None:
        made.add("maximum creation index", tracked, 2)
    made.add("heap", heap, w.offset).add("name index", names, w.offset)
    if order:
        made.add("order index", None if order is True else order, w.offset)
    return made


def group_info(w, phase=None, estimates=None):
    made = Struct(("version", 0, 1), ("flags", bool(phase) | 2 * bool(estimates), 1))
    if phase:
        made.add("maximum compact", phase[0], 2).add("minimum dense", phase[1], 2)
    if estimates:
        made.add("entries", estimates[0], 2).add("name length", estimates[1], 2)
    return made


HARD, SOFT, EXTERNAL = 0, 1, 64


def link(w, name, target, kind=HARD, order=None, charset=None, width=1, typed=None):
    """`target`: a block, an address, or the bytes of the value of another kind of link."""
    typed = kind != HARD if typed is None else typed
    flags = (width.bit_length() - 1 | 4 * (order is not None) | 8 * typed
             | 16 * (charset is not None))
    made = Struct(("version", 1, 1), ("flags", flags, 1))
    if typed:
        made.add("type", kind, 1)
    if order is not None:
        made.add("order", order, 8)
    if charset is not None:
        made.add("character set", charset, 1)
    made.add("name length", len(name), width).add("name", name)
    if kind == HARD:
        return made.add("address", target, w.offset)
    return made.add("value length", len(target), 2).add("value", target)


def fill(w, version=3, allocation=3, when=2, value=None, defined=None):
    """`allocation`: 1 early, 2 late, 3 incremental. `value`: bytes; None: the default."""
    if version == 3:
        made = Struct(("version", 3, 1),
                      ("flags", allocation | when << 2 | 32 * (value is not None), 1))
        if value is not None:
            made.add("size", len(value), 4).add("value", value)
        return made
    defined = value is not None if defined is None else defined
    made = Struct(("version", version, 1), ("allocation", allocation, 1), ("when", when, 1),
                  ("defined", int(defined), 1))
    if version == 1 or defined:
        made.add("size", len(value or b""), 4).add("value", value or b"")
    return made


@dataclass
class Filter:
    number: int
    values: tuple = ()
    name: bytes = b""
    flags: int = 0


DEFLATE, SHUFFLE, FLETCHER32 = 1, 2, 3


def filters(w, pipeline, version=2):
    made = Struct(("version", version, 1), ("count", len(pipeline), 1))
    if version == 1:
        made.add("reserved", 0, 6)
    for i, each in enumerate(pipeline):
        part = Struct(("id", each.number, 2))
        name = each.name
        if version == 1 and name:
            name = name.ljust(-(-(len(name) + 1) // 8) * 8, b"\0")
        if version == 1 or each.number >= 256:
            part.add("name length", len(name), 2)
        part.add("flags", each.flags, 2).add("values", len(each.values), 2).add("name", name)
        for k, value in enumerate(each.values):
            part.add(f"value {k}", value, 4)
        if version == 1 and len(each.values) % 2:
            part.add("padding", 0, 4)
        made.add(f"filter {i}", part)
    return made


def attribute(w, name, type, shape=(), value=b"", version=3, type_body=None, flags=0,
              charset=0, space_version=None):
    """`type_body` replaces the body of `type`: a reference to a committed datatype, with flags 1."""
    space = dataspace(w, shape, version=space_version or (1 if version == 1 else 2))
    body = type_body or type.encode()
    made = Struct(("version", version, 1), ("flags", flags, 1), ("name size", len(name), 2),
                  ("datatype size", Computed(lambda: size_of(body)), 2),
                  ("dataspace size", Computed(lambda: size_of(space)), 2))
    if version == 3:
        made.add("character set", charset, 1)

    def part(word, content):
        made.add(word, content)
        if version == 1 and size_of(content) % 8:
            made.add(f"{word} padding", bytes(-size_of(content) % 8))

    part("name", name)
    part("datatype", body)
    part("dataspace", space)
    return made.add("value", value)


def symbol_table(w, tree, heap):
    return Struct(("tree", tree, w.offset), ("heap", heap, w.offset))


def k_values(w, chunk=32, internal=16, leaf=4):
    return Struct(("version", 0, 1), ("chunk", chunk, 2), ("internal", internal, 2),
                  ("leaf", leaf, 2))


def reference_count(w, count):
    return Struct(("version", 0, 1), ("count", count, 4))


def shared(w, target, version=3, kind=2):
    """A message that is stored elsewhere."""
    made = Struct(("version", version, 1), ("type", kind, 1))
    if version == 1:
        made.add("reserved", 0, 6).add("heap offset", 0, w.length)
    return made.add("address", target, w.offset)


def cache_image(w, address, size):
    return Struct(("version", 0, 1), ("address", address, w.offset), ("size", size, w.length))


def driver(w, name=b"NCSAfami", content=bytes(8)):
    return Struct(("version", 0, 1), ("name", name), ("size", len(content), 2),
                  ("content", content))
