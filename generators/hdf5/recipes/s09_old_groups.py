"""FF-III.B to FF-III.D: groups by symbol table."""

from generators.hdf5 import *

ALL = ["swmr-local-heap-signature", "swmr-local-heap-version", "swmr-symbol-node-signature",
       "swmr-symbol-node-version", "swmr-symbol-header-address"]


def _only_free_blocks(count):
    """A group without names, whose heap is free blocks of the least size."""
    made = old()
    made.at("/c").storage.free_blocks = count
    return made


# The root remembers its own heap and tree; what is changed is therefore /c, and both places.


def heap_of_c(value):
    return {"OHDR /c: symbol table.heap": value, "SNOD /: entry 2.heap": value}


def in_c():
    """Names in /c, too."""
    made = old()
    made.at("/c").links = {name: soft(b"x") for name in ("k", "l", "m")}
    return made


@valid("swmr-local-heap-signature", base=old, keeps=ALL)
def version_0(f):
    "A file of version 0, as the first library wrote it."


changed("swmr-local-heap-signature", "changed", "A local heap begins with HEAR.",
        {"HEAP /c: signature": b"HEAR"}, base=in_c)
changed("swmr-local-heap-signature", "superblock",
        "The symbol table message names the superblock as heap.", heap_of_c(0), base=in_c)

for version in (1, 255):
    changed("swmr-local-heap-version", f"version-{version}", f"A local heap has version {version}.",
            {"HEAP /c: version": version}, base=in_c)


@valid("swmr-local-heap-segment", base=in_c)
def of_32_bytes(f):
    "A heap of a few names."


changed("swmr-local-heap-segment", "size", "The data segment of a heap has 2^62 bytes.",
        {"HEAP /c: size": 1 << 62}, base=in_c)
changed("swmr-local-heap-segment", "address", "The data segment lies past the file.",
        {"HEAP /c: segment": 1 << 20}, base=in_c)


@valid("swmr-local-heap-free-list", base=old_free)
def one_free_block(f):
    "A heap with a free block of 24 bytes."


@valid("swmr-local-heap-free-list", base=lambda: _only_free_blocks(3))
def as_many_as_fit_in_the_segment(f):
    "A heap with nothing but free blocks after the empty name, each of the least size."


@valid("swmr-local-heap-free-list", base=old)
def undefined(f):
    "An empty list of free blocks, written as an undefined address."
    f["HEAP /"]["free list"] = None


changed("swmr-local-heap-free-list", "head", "The first free block lies beyond the segment.",
        {"HEAP /: free list": 4096}, base=old_free)
changed("swmr-local-heap-free-list", "itself", "A free block names itself as the next.",
        {"names /: next free": lambda f: f["HEAP /"]["free list"]}, base=old_free)
changed("swmr-local-heap-free-list", "next-undefined", "After the only free block comes an undefined one, not the end.",
        {"names /: next free": None}, base=old_free)
changed("swmr-local-heap-free-list", "size", "A free block is larger than the rest of the segment.",
        {"names /: free size": 25}, base=old_free)


# Symbol table nodes -------------------------------------------------------------------------------

changed("swmr-symbol-node-signature", "changed", "A symbol table node begins with SNOE.",
        {"SNOD /c: signature": b"SNOE"}, base=in_c)


@invalid("swmr-symbol-node-signature", base=in_c)
def tree_node(f):
    "A leaf of the group tree leads to a tree node."
    f["TREE /c"]["child 0"] = f["TREE /b"]


for version in (0, 2):
    changed("swmr-symbol-node-version", f"version-{version}",
            f"A symbol table node has version {version}.",
            {"SNOD /c: version": version}, base=in_c)


@valid("swmr-symbol-node-count", base=old)
def as_many_as_fit(f):
    "A full symbol table node: four entries with K 2."


for count in (5, 65535):
    changed("swmr-symbol-node-count", str(count), f"A node of K 2 claims {count} entries.",
            {"SNOD /c: count": count}, base=in_c)


def usual_k():
    """A superblock that says nothing of K over groups that need it."""
    made = in_c()
    made.superblock, made.k_leaf, made.k_internal, made.k_message = 2, 4, 16, False
    return made


@valid("swmr-symbol-node-count", base=usual_k, keeps=["swmr-btree1-entries-used"])
def eight_and_no_k(f):
    "Eight entries in a file that does not say what K is: K is 4."
    f.at("/c").links = {name: soft(b"x") for name in "klmnopqr"}


changed("swmr-symbol-node-count", "9-and-no-k",
        "A node claims nine entries in a file that does not say what K is: K is 4.",
        {"SNOD /c: count": 9}, base=usual_k)
changed("swmr-btree1-entries-used", "33-and-no-k",
        "A node of a group claims 33 entries in a file that does not say what K is: K is 16.",
        {"TREE /c: used": 33}, base=usual_k)


@valid("swmr-symbol-order", base=in_c)
def ascending(f):
    "Names k, l, m."


@invalid("swmr-symbol-order", base=in_c)
def exchanged(f):
    "Two entries of a node were exchanged."
    f["SNOD /c"].exchange("entry 0", "entry 1")


@invalid("swmr-symbol-order", base=in_c)
def equal(f):
    "Two entries of a node have one name."
    f["SNOD /c"]["entry 1.name"] = f["SNOD /c"]["entry 0.name"]


@valid("swmr-symbol-name-in-heap", base=in_c, keeps=["swmr-symbol-order"])
def all_of_them(f):
    "All names lie in the heap."


@valid("swmr-symbol-name-in-heap", base=old_dataset)
def lengths_of_4_bytes(f):
    "Offsets of names take as many bytes as lengths: four, where addresses have eight."
    f.w = Widths(8, 4)
    f.at("/d").maximum = (100,)


changed("swmr-symbol-name-in-heap", "behind", "The name of an entry lies beyond the heap.",
        {"SNOD /c: entry 1.name": 999}, base=in_c)


@invalid("swmr-symbol-name-in-heap", base=in_c)
def without_nul(f):
    "The last name of a heap has no NUL."
    names = f["names /c"]["bytes"]
    at = f["SNOD /c"]["entry 2.value"]
    f["SNOD /c"]["entry 2.value"] = f["SNOD /c"]["entry 2.name"]
    f["SNOD /c"]["entry 2.name"] = at
    f["TREE /c"]["key 1.name"] = at
    f["names /c"]["bytes"] = names[:at] + b"x" * (len(names) - at)


changed("swmr-symbol-name-in-heap", "soft-link",
        "The value of a soft link lies beyond the heap.",
        {"SNOD /c: entry 1.value": 999}, base=in_c)
changed("swmr-symbol-name-in-heap", "key", "A key of a group tree lies beyond the heap.",
        {"TREE /c: key 1.name": 4096}, base=in_c)


changed("swmr-link-name-not-empty", "in-a-symbol-table",
        "The name of an entry is the empty text at the beginning of the heap.",
        {"SNOD /c: entry 0.name": 0}, base=in_c)


@valid("swmr-symbol-cache-type", base=old)
def of_each_type(f):
    "Cache type 2 for a soft link, 1 for groups, 0 for a dataset."
    f.k_leaf = 3
    f.root.links["d"] = NamedDatatype(header=Header(version=1), type=I32)


changed("swmr-symbol-cache-type", "3", "The cache type of an entry is 3.",
        {"SNOD /: entry 2.cache type": 3}, base=old)
changed("swmr-symbol-cache-type", "all-bits", "The cache type of an entry is 0xffffffff.",
        {"SNOD /: entry 2.cache type": 0xFFFFFFFF}, base=old)
changed("swmr-symbol-cache-type", "in-the-superblock",
        "The cache type of the root entry in the superblock is 3.",
        {"superblock: root.cache type": 3}, base=old)


@invalid("swmr-symbol-header-address", base=old)
def undefined_with_type_0(f):
    "An entry of cache type 0 has no header address."
    f["SNOD /"]["entry 2.header"] = None
    f["SNOD /"]["entry 2.cache type"] = 0


changed("swmr-symbol-header-address", "undefined-with-type-1",
        "An entry of cache type 1 has no header address.",
        {"SNOD /: entry 2.header": None}, base=old)


@valid("swmr-symbol-scratch-pad", base=old)
def nested(f):
    "A group in a group in a group."
    f.at("/a").links = {"b": Group(header=Header(version=1), storage=SymbolTable())}


changed("swmr-symbol-scratch-pad", "tree", "An entry remembers another tree than its group has.",
        {"SNOD /: entry 2.tree": lambda f: f["TREE /b"]}, base=old)
changed("swmr-symbol-scratch-pad", "superblock",
        "The superblock remembers another heap than the root has.",
        {"superblock: root.heap": lambda f: f["HEAP /b"]}, base=old)
