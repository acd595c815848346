"""The contents of a file as plain values: attributes, references, datasets, groups, links.

This module does not use HDF5; write.py converts a File to bytes. Objects are compared by identity, and
a reference refers to its target object, so it remains correct if the target is renamed or moved.
"""

from dataclasses import dataclass, field, replace
from math import prod
from typing import Any

from .datatypes import (ASCII, BOOL, F32, F64, I8, I16, I32, I64, NULLPAD, NULLTERM, STD_REF, U8,
                        U16, U32, U64, UTF8, string)

NULL_SPACE = "null"            # shape of an object without any element
DEFAULT, UNDEFINED = "default fill", "undefined fill"  # fill values that are not user-defined


@dataclass
class Attribute:
    """A datatype, a shape (() is scalar) and a value or a nested list of values."""

    type: Any
    value: Any
    shape: Any = ()

    def shaped(self, *dims):
        """The same value in a simple dataspace: a scalar value is repeated to fill it."""
        repeated = dims and self.shape == ()
        value = [self.value] * prod(dims) if repeated else self.value
        return replace(self, value=value, shape=dims)

    def without_value(self):
        """The same datatype over a null dataspace."""
        return replace(self, value=None, shape=NULL_SPACE)


def attribute(type_id, value):
    """An attribute of any datatype; a list makes it one-dimensional. See also Attribute."""
    return Attribute(type_id, value, (len(value),) if isinstance(value, list) else ())


def _number(type_id):
    return lambda value: attribute(type_id, value)


uint8, uint16, uint32, uint64 = _number(U8), _number(U16), _number(U32), _number(U64)
int8, int16, int32, int64 = _number(I8), _number(I16), _number(I32), _number(I64)
float32, float64 = _number(F32), _number(F64)


def text(value, size=None, *, cset=UTF8, pad=NULLPAD):
    """A fixed-length UTF-8 string with the length of the longest value, unless given otherwise."""
    values = value if isinstance(value, list) else [value]
    encoded = [item.encode() if isinstance(item, str) else item for item in values]
    if size is None:
        size = max([1, *(len(item) + (pad == NULLTERM) for item in encoded)])
    return attribute(string(size, cset=cset, pad=pad),
                     encoded if isinstance(value, list) else encoded[0])


def ascii_text(value, size=None, *, pad=NULLTERM):
    return text(value, size, cset=ASCII, pad=pad)


def vlen_text(value, *, cset=UTF8):
    return attribute(string(None, cset=cset, pad=NULLTERM), value)


def boolean(value, type_id=BOOL):
    return attribute(type_id, int(value))


@dataclass(frozen=True, eq=False)
class Reference:
    """The target of one element of a reference: a node of this file, or a path."""

    target: Any
    form: str = "object"       # or "region", "attribute"
    attribute: str = ""
    file: str = ""             # name of another file that the path is in


NULL = Reference(None)


def region_of(target):
    """A region reference that selects the whole of a dataset."""
    return Reference(target, "region")


def attribute_of(target, name):
    return Reference(target, "attribute", attribute=name)


def elsewhere(file, path):
    """A reference to a dataset in another file, which a reader does not have to find."""
    return Reference(path, file=file)


def _reference(target):
    return target if isinstance(target, Reference) else Reference(target)


def ref(target, type_id=STD_REF):
    """A scalar reference attribute to an object, or to the target of a Reference."""
    return attribute(type_id, _reference(target))


def refs(targets, type_id=STD_REF):
    """A one-dimensional reference attribute."""
    return attribute(type_id, [_reference(target) for target in targets])


@dataclass(eq=False)
class Node:
    """Anything with an object header. Attributes may be functions without arguments, which are called late.

    A node marked `deleted` is unlinked after everything else is written, so references to it dangle. If it
    is `unreadable`, the "header" or the "attributes" have an unknown version.
    """

    attrs: dict = field(default_factory=dict, kw_only=True)
    deleted: bool = field(default=False, kw_only=True)
    unreadable: str = field(default="", kw_only=True)


@dataclass(eq=False)
class Dataset(Node):
    """Values may be a function too. The shape is that of the values unless given.

    Storage is contiguous, "compact", or chunked when `chunk` is given.
    """

    type: Any
    values: Any = None
    shape: Any = None
    fill: Any = field(default=DEFAULT, kw_only=True)
    chunk: Any = field(default=None, kw_only=True)       # rows in a chunk, or dimensions
    maxshape: Any = field(default=None, kw_only=True)    # None in it is unlimited
    compact: bool = field(default=False, kw_only=True)
    external: str = field(default="", kw_only=True)      # raw data in another file, not written
    virtual: Any = field(default=None, kw_only=True)     # the source, a Dataset of this file
    shuffle: bool = field(default=False, kw_only=True)
    deflate: Any = field(default=None, kw_only=True)
    lzf: bool = field(default=False, kw_only=True)       # the filter that is part of h5py
    fletcher32: bool = field(default=False, kw_only=True)
    scaleoffset: Any = field(default=None, kw_only=True)
    nbit: bool = field(default=False, kw_only=True)

    @property
    def extent(self):
        return self.dims()[0]

    def dims(self):
        return (len(self.values),) if self.shape is None else self.shape


@dataclass(eq=False)
class Group(Node):
    children: dict = field(default_factory=dict)

    def add(self, name, child):
        """Links an object as `name` (str, or bytes for a name that is not UTF-8), or adds a link."""
        assert name not in self.children, f"there is a child {name!r} already"
        self.children[name] = child
        return child

    def remove(self, name):
        return self.children.pop(name)

    def rename(self, old, new):
        """Keeps the position among the children, so lists derived from it keep their order."""
        self.children = {new if name == old else name: child
                         for name, child in self.children.items()}

    def name_of(self, child):
        return next(name for name, other in self.children.items() if other is child)


@dataclass(eq=False)
class NamedDatatype(Node):
    """A committed datatype; a dataset that has it as its `type` uses it."""

    type: Any


@dataclass(eq=False)
class HardLink:
    """An additional name of an object elsewhere in the file."""

    target: Node


@dataclass(eq=False)
class SoftLink:
    path: str


@dataclass(eq=False)
class ExternalLink:
    file: str
    path: str


@dataclass(eq=False)
class UserLink:
    """A link of a user-defined class, which a reader that has not registered it cannot follow."""

    number: int = 187
    data: bytes = b"somewhere"


class File:
    """A whole file; `root` is its root group."""

    def __init__(self, root=None):
        self.root = root or Group()

    def put(self, path, node):
        """Adds a node at an absolute path, and creates the groups on the path."""
        *parents, name = path.strip("/").split("/")
        group = self.root
        for parent in parents:
            group = group.children.get(parent) or group.add(parent, Group())
        return group.add(name, node)
