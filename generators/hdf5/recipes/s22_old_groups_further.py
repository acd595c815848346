"""III.A.1, III.C and III.D of the File Format Specification: what it asks of old groups beyond SWMR."""

from generators.hdf5 import *

from . import s09_old_groups


@reports("h5-symbol-soft-link-address", "h5-risk-soft-link-dangling")
def in_c(**table):
    """Three soft links to nothing in an old group."""
    made = s09_old_groups.in_c()
    made.at("/c").storage = SymbolTable(**table)
    return made


@reports("h5-symbol-soft-link-address")
def three_old():
    """Old groups, three of them empty, and a soft link."""
    return old()


@reports("h5-symbol-soft-link-address", "h5-risk-soft-link-dangling")
def levels():
    return old_deep()


@valid("h5-btree1-group-key-empty", base=in_c, keeps=[
    "h5-btree1-group-names-in-range", "h5-btree1-group-key-greatest", "h5-symbol-reserved-zero",
    "h5-local-heap-reserved-zero", "h5-local-heap-empty-name", "h5-local-heap-name-aligned",
    "h5-local-heap-empty-list-as-one"])
def three_names(f):
    "A group of three names."


@valid("h5-btree1-inner-not-empty", base=levels, keeps=["h5-btree1-group-names-in-range"])
def three_levels(f):
    "A tree of three levels."


@valid("h5-btree1-underfull-allowed", base=three_old)
def empty_groups(f):
    "Groups whose tree is a leaf without entries."


@valid("h5-btree1-last-chunk-key-any", base=chunk_tree)
def after_the_last(f):
    "The key after the last chunk states 4,096 bytes and the mask 1."
    f["TREE /d"]["key 5.size"], f["TREE /d"]["key 5.mask"] = 4096, 1


@invalid("h5-btree1-inner-not-empty", base=levels, less=levels.reports)
def without_children(f):
    "The root has no child."
    f["TREE / 6"]["used"] = 0


@invalid("h5-btree1-group-key-empty", base=in_c)
def not_empty(f):
    "The first key leads to a text that is not empty."
    text, at = bytearray(f["names /c"]["bytes"]), f["SNOD /c"]["entry 2.value"]
    text[at:at + 1] = b"a"
    f["names /c"]["bytes"] = bytes(text)
    f["TREE /c"]["key 0.name"] = at


@invalid("h5-btree1-group-names-in-range", base=in_c)
def right_key_too_small(f):
    "The key after the node leads to its second name."
    f["TREE /c"]["key 1.name"] = f["SNOD /c"]["entry 1.name"]


@invalid("h5-btree1-group-key-greatest", base=in_c)
def right_key_too_great(f):
    "The key after the node leads to a greater text."
    f["TREE /c"]["key 1.name"] = f["SNOD /c"]["entry 2.value"]


for slug, block, field in (("node", "SNOD /c", "reserved"), ("entry", "SNOD /c", "entry 1.reserved"),
                           ("superblock", "superblock", "root.reserved")):
    changed("h5-symbol-reserved-zero", slug, "A reserved field of a symbol table is not zero.",
            {f"{block}: {field}": 1}, base=in_c)


@valid("h5-symbol-soft-link-address", base=in_c, less=["h5-symbol-soft-link-address"])
def undefined(f):
    "The soft links have an undefined header address."
    for block, entries in (("SNOD /", (3,)), ("SNOD /c", range(3))):
        for i in entries:
            f[block][f"entry {i}.header"] = None


@invalid("h5-symbol-soft-link-address", base=three_old)
def of_the_target(f):
    "A soft link states the header of its target."
    f["SNOD /"]["entry 3.header"] = f["OHDR /a"]


@valid("h5-symbol-cached-with-two-links-allowed", base=three_old)
def two_links(f):
    "A group with two hard links, both of which repeat its tree and heap."
    group = f.root.links["a"]
    f.root.links["d"] = group
    group.header.count = 2


# Local heaps --------------------------------------------------------------------------------------

for slug, value in (("first", 1), ("all", 0xFFFFFF)):
    changed("h5-local-heap-reserved-zero", slug, "Reserved bytes of a local heap are not zero.",
            {"HEAP /c: reserved": value}, base=in_c)


@invalid("h5-local-heap-empty-name", base=three_old)
def a_letter(f):
    "The heap of an empty group begins with a letter; its keys lead elsewhere."
    f["names /c"]["bytes"] = b"a" + bytes(15)
    f["TREE /c"]["key 0.name"] = 8


@invalid("h5-local-heap-name-aligned", base=in_c)
def moved_by_one(f):
    "A name begins one byte after a multiple of eight."
    text = bytearray(f["names /c"]["bytes"])
    at = f["SNOD /c"]["entry 0.name"]
    text[at:at + 3] = b"\0k\0"
    f["names /c"]["bytes"] = bytes(text)
    f["SNOD /c"]["entry 0.name"] = at + 1


@reports(*in_c.reports)
def freed():
    return in_c(free_blocks=3)


@valid("h5-local-heap-free-blocks-apart", base=freed, keeps=["h5-local-heap-name-not-free"])
def three_blocks(f):
    "A heap with three free blocks."


@invalid("h5-local-heap-free-blocks-apart", base=freed)
def over_another(f):
    "The first free block is eight bytes too long."
    f["names /c"]["free size 0"] = f["names /c"]["free size 0"] + 8


@invalid("h5-local-heap-name-not-free", base=freed)
def over_the_last_text(f):
    "The list of free blocks begins eight bytes earlier, over the value of a soft link."
    text, w = f["names /c"]["bytes"], f.w.length
    f["names /c"]["bytes"] = text[:-8] + (len(text) + 2 * w).to_bytes(w, "little")
    f["names /c"]["next free 0"] = 2 * w
    f["HEAP /c"]["free list"] = len(text) - 8


@invalid("h5-local-heap-empty-list-as-one", base=in_c)
def undefined_head(f):
    "The head of the list of free blocks is undefined, as the text says."
    f["HEAP /c"]["free list"] = None


# What follows from another defect ------------------------------------------------------------------

changed("swmr-link-name-not-empty", "not-aligned", "The name of an entry begins inside the empty text of the heap.",
        {"SNOD /c: entry 0.name": 1}, base=in_c, less=["h5-risk-soft-link-dangling"], since="hdf5-file-format-4.0")
changed("h5-object-kind", "nil-in-an-old-group", "The symbol table message of an old group is a NIL message.",
        {"OHDR /c: symbol table.message type": 0}, base=three_old)
changed("swmr-symbol-name-in-heap", "empty-segment", "The segment of a heap has no bytes.", {"HEAP /c: size": 0},
        base=in_c, less=["h5-risk-soft-link-dangling"])
changed("h5-local-heap-empty-name", "under-the-keys", "The heap of a group begins with a letter, and so does its first key.",
        {"names /c: bytes": lambda f: b"a" + f["names /c"]["bytes"][1:]}, base=in_c)
changed("h5-btree1-group-key-greatest", "not-aligned", "An entry leads to the second letter of its name.",
        {"SNOD / 0: entry 0.name": lambda f: f["SNOD / 0"]["entry 0.name"] + 1}, base=levels)
