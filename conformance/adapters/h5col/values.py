"""Converts what h5col returns, numpy arrays of decoded values with a mask, to the notation of the protocol."""

import h5col
import lists
import notation
import numpy
from reader import string_attribute

LEVELS = lists.Lists(lambda group: string_attribute(group, "CLASS"),
                     lambda group: string_attribute(group, "KIND"), None)


def type_of(column):
    if column.is_list:
        return LEVELS.describe(column.group.id)
    return notation.describe_type(column.dataset.id.get_type())


def label_type(column):
    labels = h5col.references.resolve(column.dataset.parent, column.dataset.attrs["CATEGORIES"])
    return notation.describe_type(labels.id.get_type())


def rows(kind, values, missing):
    return [None if gone else converted(kind, value) for value, gone in zip(values, missing)]


def converted(kind, value):
    """A single value that h5col returned."""
    name = kind["class"]
    if value is None:
        return None
    if name == "list":
        return [converted(kind["base"], element) for element in value]
    if name in ("integer", "enum"):
        return str(int(value))
    if name == "float":
        return notation.real(int.from_bytes(numpy.array(value, f">f{kind['size']}").tobytes()),
                             kind["size"])
    if name in ("string", "text"):
        return str(value)
    return notation.raw(bytes(value))


def python(kind, value):
    """The reverse: the argument that h5col takes for a value; None for a missing one."""
    if value is None:
        return None
    name = kind["class"]
    if name == "list":
        return [python(kind["base"], element) for element in value]
    if name in ("integer", "enum"):
        return int(value)
    if name == "boolean":
        return value == "1"
    if name == "float":
        return numpy.frombuffer(bytes.fromhex(value["bits"]), f">f{kind['size']}")[0]
    if name in ("string", "text"):
        return value if isinstance(value, str) else notation.unraw(value)
    return numpy.void(notation.unraw(value))
