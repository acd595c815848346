"""III.E of the File Format Specification: collections of variable-length data."""

from generators.hdf5 import *
from generators.hdf5.blocks import Block
from generators.hdf5.global_heap import collection, element

TEXTS = {1: b"one", 2: b"twelve bytes", 3: b"x" * 40}


def strings(objects=TEXTS, size=4096, elements=None, links=None):
    """A file whose root has an attribute of three strings in a collection."""
    def made():
        f = empty()
        f.root.links = links or {}
        heap = collection("/", objects, size)
        heap.address, heap.fixed = 512, True
        values = elements or [(len(objects[i]), i) for i in list(objects)[:3]]
        value = b"".join(length.to_bytes(4, "little") + (512).to_bytes(8, "little")
                         + index.to_bytes(4, "little") for length, index in values)
        f.root.attributes = [Attribute(b"t\0", vlen(U8, text=True), (len(values),), value)]
        f.image.add(heap)
        return f
    return made


ALL = ["h5-global-heap-version", "h5-global-heap-size", "h5-global-heap-object-fits",
       "h5-global-heap-object-once", "h5-global-heap-free-last", "h5-global-heap-reserved-zero",
       "h5-global-heap-object-shared"]


@valid("h5-global-heap-signature", base=strings(), keeps=ALL)
def three_strings(f):
    "Three strings in a collection of 4,096 bytes."


@valid("h5-global-heap-size", base=strings(size=8192))
def of_8192_bytes(f):
    "A collection of 8,192 bytes."


@valid("h5-global-heap-implied-free-allowed", base=strings({1: b"x" * (4096 - 16 - 16 - 8)}))
def eight_bytes_left(f):
    "Eight bytes, which are not zero, follow the only object."
    f["GCOL /"]["rest"] = b"leftover"


@valid("h5-global-heap-count-any", base=strings())
def counts(f):
    "The objects have the reference counts 0, 1 and 255."
    f["GCOL /"]["object 2.count"], f["GCOL /"]["object 3.count"] = 1, 255


@valid("h5-global-heap-unused-allowed", base=strings({**TEXTS, 9: b"nobody's"}))
def one_more(f):
    "Nothing names the fourth object."


changed("h5-global-heap-signature", "changed", "A collection begins with GCOM.",
        {"GCOL /: signature": b"GCOM"}, base=strings())
for version in (0, 2):
    changed("h5-global-heap-version", f"{version}", f"A collection has version {version}.",
            {"GCOL /: version": version}, base=strings())
for size in (0, 4088):
    changed("h5-global-heap-size", f"{size}", f"A collection states {size} bytes.",
            {"GCOL /: size": size}, base=strings())
changed("h5-global-heap-object-fits", "huge", "The third object states 2^63 bytes.",
        {"GCOL /: object 3.size": 1 << 63}, base=strings(elements=[(3, 1), (12, 2)]))
changed("h5-global-heap-object-fits", "one-more", "The third object ends a byte past the collection.",
        {"GCOL /: object 3.size": lambda f: 4096 - f["GCOL /"].place("object 3")[0] - 16 + 1},
        base=strings(elements=[(3, 1), (12, 2)]))
changed("h5-global-heap-object-once", "two", "Two objects have the index 2.",
        {"GCOL /: object 3.index": 2}, base=strings(elements=[(3, 1), (12, 2)]))
for slug, further in (("without-header", -16), ("short", -8), ("zero", None)):
    changed("h5-global-heap-free-last", slug, "The free space does not reach the end of the collection.",
            {"GCOL /: free.size": lambda f, further=further:
             0 if further is None else f["GCOL /"]["free.size"] + further}, base=strings())


@invalid("h5-global-heap-free-last", base=strings(links={"g": Group()}))
def into_the_next_block(f):
    "A collection states 32 bytes more than it has, and so reaches into the header of a group."
    f["OHDR /g"].address, f["OHDR /g"].fixed = 512 + 4096, True
    f["GCOL /"]["size"] = 4096 + 32


# The objects of these sizes are too short for the strings in them.
changed("h5-global-heap-object-fits", "object-cut", "The size of an object in use is 16 bytes too small.",
        {"GCOL /: object 3.size": 24}, base=strings())
changed("h5-global-heap-object-fits", "object-of-0-bytes", "The size of an object in use is 0.",
        {"GCOL /: object 3.size": 0}, base=strings())
changed("h5-global-heap-reserved-zero", "collection", "A reserved byte of a collection is 1.",
        {"GCOL /: reserved": 1}, base=strings())
changed("h5-global-heap-reserved-zero", "object", "The reserved field of an object is 1.",
        {"GCOL /: object 2.reserved": 1}, base=strings())
changed("h5-global-heap-reserved-zero", "free", "The reference count of the free space is 1.",
        {"GCOL /: free.count": 1}, base=strings())


@invalid("h5-global-heap-object-shared", base=strings(elements=[(3, 1), (12, 2), (12, 2)]))
def two_elements(f):
    "Two elements have the same object."
