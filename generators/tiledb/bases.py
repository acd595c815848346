"""Valid files and arrays that recipes start from."""

from .schema import *


def dense(version=22, **options):
    """A dense array of one INT32 dimension and one INT32 attribute."""
    return Schema(version, **options)


def sparse(version=22, **options):
    """A sparse array with an integer and a string dimension."""
    options.setdefault("dims", [Dimension("time", INT64, (0, 99), 10),
                                Dimension("place", ASCII, None, None)])
    return Schema(version, SPARSE, **options)


def version(number, make=dense, **options):
    """A base of that version; dimensions of strings came with version 5."""
    def base():
        if make is sparse and number < 5:
            return Schema(number, SPARSE, **options)
        return make(number, **options)
    return base


def colours():
    """An enumeration of three strings."""
    return Enumeration()


def numbers():
    """An enumeration of four INT32 values."""
    return Enumeration("numbers", (), INT32, 1, data=values(INT32, 1, 2, 3, 5))


def labelled():
    """A dense array whose dimension has a label."""
    return dense(labels=[Label()])


def coloured(**options):
    """A schema whose attribute has an enumeration."""
    return dense(attrs=[Attribute("a", INT8, enumeration="colours")],
                 enums=[("colours", enumeration_file(0))], **options)


def array():
    """An array with one schema and its enumeration."""
    return Array().schema(coloured()).enumeration(colours())


def evolved():
    """An array with two schemas: an attribute was added."""
    return Array().schema(dense(), 1).schema(dense(attrs=[Attribute("a"), Attribute("b")]), 2)


def labels_array():
    """The array with the data of a label."""
    return dense(attrs=[Attribute("label", FLOAT64, order=1)], dims=[Dimension("index")])


def labelled_array():
    """An array with a label, whose data are in an array inside it."""
    return Array(**{"__labels/l0/__schema/__1_1_" + UUID(7): labels_array()}).schema(labelled())
