"""8.2: B-trees of version 1, of chunks and of old groups."""

from generators.hdf5 import *

ALL = ["swmr-btree1-signature", "swmr-btree1-node-type", "swmr-btree1-level",
       "swmr-btree1-key-order", "swmr-btree1-key-range", "swmr-btree1-child-defined",
       "swmr-btree1-node-once", "swmr-btree1-siblings", "swmr-btree1-key-aligned",
       "swmr-btree1-key-last-zero", "swmr-btree1-key-side", "swmr-btree1-entries-used"]


@valid("swmr-btree1-level", base=chunk_tree_deep, keeps=ALL)
def chunks_in_three_levels(f):
    "Seven chunks in a tree of three levels."


@valid("swmr-btree1-level", base=chunk_tree_deep)
def level_147(f):
    "A root at level 147, as libhdf5 makes it with K 1: it splits a full node again and again at its end."
    f.at("/d").storage = ChunkTree(2, levels=147)


@valid("swmr-btree1-key-range", base=old_deep, keeps=[*ALL[:8]])
def names_in_three_levels(f):
    "The tree of a group, in three levels."


changed("swmr-btree1-signature", "leaf", "A leaf begins with TREF.",
        {"TREE /d 3: signature": b"TREF"}, base=chunk_tree_deep)
changed("swmr-btree1-signature", "chunk", "The index address is that of a chunk.",
        {"OHDR /d: layout.address": lambda f: f["chunk /d 0"]}, base=chunk_tree)
changed("swmr-btree1-signature", "group", "The tree of a group begins with TREF.",
        {"TREE /: signature": b"TREF"}, base=lambda: old())

for kind in (0, 2):
    changed("swmr-btree1-node-type", str(kind), f"A node of a chunk tree has type {kind}.",
            {"TREE: type": kind}, base=chunk_tree)
changed("swmr-btree1-node-type", "group", "A node of a group tree has type 1.",
        {"TREE /: type": 1}, base=old)

changed("swmr-btree1-level", "leaf", "A leaf is at level 1.",
        {"TREE /d 0: level": 1}, base=chunk_tree_deep)
changed("swmr-btree1-level", "child", "A node is at the level of the one above it.",
        {"TREE /d 4: level": 2}, base=chunk_tree_deep)
changed("swmr-btree1-level", "255", "The root is at level 255.",
        {"TREE /d 6: level": 255}, base=chunk_tree_deep)


@valid("swmr-btree1-entries-used", base=chunk_tree)
def full(f):
    "A full node: 64 chunks, with K 32."
    f.k_message, f.k_chunk = False, 32
    d = f.at("/d")
    d.shape, d.chunk, d.type = (64,), (1,), U8


def usual_k():
    made = chunk_tree()
    made.k_message, made.k_chunk = False, 32
    return made


usual_k.reports = chunk_tree.reports
changed("swmr-btree1-entries-used", "65-and-no-k",
        "A node of a chunk tree claims 65 entries in a file that does not say what K is: K is 32.",
        {"TREE: used": 65}, base=usual_k)


for used in (9, 65535):
    changed("swmr-btree1-entries-used", str(used), f"A node of K 4 claims {used} entries.",
            {"TREE: used": used}, base=chunk_tree)


# Keys ---------------------------------------------------------------------------------------------

def exchange_offsets(f, one, other, node="TREE"):
    f[node].exchange(f"{one}.offset 0", f"{other}.offset 0")


@invalid("swmr-btree1-key-order", base=chunk_tree)
def exchanged(f):
    "Two keys were exchanged."
    exchange_offsets(f, "key 1", "key 2")


changed("swmr-btree1-key-order", "equal", "Two chunks have the same key.",
        {"TREE: key 2.offset 0": 4}, base=chunk_tree)
changed("swmr-btree1-key-order", "last", "The last key is smaller than the one before it.",
        {"TREE: key 5.offset 0": 12}, base=chunk_tree)


@invalid("swmr-btree1-key-order", base=lambda: old_deep())
def names(f):
    "The keys of a group tree descend."
    f["TREE / 0"].exchange("key 1", "key 2")


changed("swmr-btree1-key-range", "below",
        "The first key of a leaf is smaller than the one above it.",
        {"TREE /d 1: key 0.offset 0": 1}, base=chunk_tree_deep)


@invalid("swmr-btree1-key-range", base=chunk_tree_deep)
def children_exchanged(f):
    "Two children of a node were exchanged, and their siblings with them."
    node = f["TREE /d 4"]
    one, other = f["TREE /d 0"], f["TREE /d 1"]
    node["child 0"], node["child 1"] = other, one
    other["left"], other["right"], one["left"], one["right"] = None, one, other, f["TREE /d 2"]
    f["TREE /d 2"]["left"] = one


@invalid("swmr-btree1-key-range", base=old_deep)
def names_above(f):
    "The last key of a leaf of a group tree is that of the next leaf."
    f["TREE / 0"]["key 2"] = f["TREE / 1"]["key 2"]


changed("swmr-btree1-child-defined", "chunk", "A chunk has no address.",
        {"TREE: child 2": None}, base=chunk_tree)


@invalid("swmr-btree1-child-defined", base=chunk_tree_deep)
def inner(f):
    "The last child of an inner node has no address; its sibling does not know it either."
    f["TREE /d 6"]["child 1"] = None
    f["TREE /d 4"]["right"] = f["TREE /d 1"]["right"] = None


changed("swmr-btree1-node-once", "itself", "A node is its own child.",
        {"TREE /d 4: child 0": lambda f: f["TREE /d 4"]}, base=chunk_tree_deep)
changed("swmr-btree1-node-once", "twice", "Two entries lead to one node.",
        {"TREE /d 4: child 1": lambda f: f["TREE /d 0"]}, base=chunk_tree_deep)

changed("swmr-btree1-siblings", "right", "The first leaf has no right sibling.",
        {"TREE /d 0: right": None}, base=chunk_tree_deep)
changed("swmr-btree1-siblings", "itself", "A leaf is its own left sibling.",
        {"TREE /d 1: left": lambda f: f["TREE /d 1"]}, base=chunk_tree_deep)
changed("swmr-btree1-siblings", "root", "The root has a right sibling.",
        {"TREE: right": lambda f: f["OHDR /"]}, base=chunk_tree)


@valid("swmr-btree1-key-aligned", base=chunk_tree_two_dimensions,
       keeps=["swmr-chunk-size-unfiltered"])
def two_dimensions(f):
    "Keys of two dimensions, in elements."


changed("swmr-btree1-key-aligned", "one-too-large", "The offset of a chunk is one too large.",
        {"TREE: key 1.offset 0": 5}, base=chunk_tree)
changed("swmr-btree1-key-aligned", "second",
        "An offset lies between two chunks in the second dimension.",
        {"TREE: key 1.offset 1": 4}, base=chunk_tree_two_dimensions)


@invalid("swmr-btree1-key-aligned", base=chunk_tree)
def in_chunks(f):
    "The offsets are in chunks instead of elements."
    for number in range(6):
        f["TREE"][f"key {number}.offset 0"] = number


changed("swmr-btree1-key-aligned", "behind-the-last-child",
        "The key after the last chunk does not lie between two chunks.",
        {"TREE: key 5.offset 0": 21}, base=chunk_tree)
changed("swmr-btree1-key-aligned", "inside-the-element",
        "The last offset of the key after the last chunk is not a multiple of the element.",
        {"TREE: key 5.offset 1": 1}, base=chunk_tree)
changed("swmr-btree1-key-last-zero", "4", "The last offset of a key is 4.",
        {"TREE: key 2.offset 1": 4}, base=chunk_tree)
changed("swmr-btree1-key-last-zero", "first",
        "The last offset of the first key is the element size.",
        {"TREE: key 0.offset 1": 4}, base=chunk_tree)


@invalid("swmr-btree1-key-side", base=chunk_tree, ambiguity="swmr-key-side")
def on_the_right(f):
    "A writer that puts the key of a chunk to its right; the first key says nothing."
    tree = f["TREE"]
    for number in range(5, 0, -1):
        tree[f"key {number}.size"] = 16
        tree[f"key {number}.offset 0"] = 4 * number
    tree["key 0.size"] = 0


@invalid("swmr-btree1-key-side", base=chunk_tree_deep, ambiguity="swmr-key-side")
def first_unallocated(f):
    "The first key of a leaf has no size."
    f["TREE /d 0"]["key 0.size"] = 0


@valid("swmr-btree1-unused-entries-any", base=chunk_tree)
def garbage(f):
    "After the five entries of a node all bytes are 0xff."
    f.at("/d").storage.slack = 0xFF


@invalid("swmr-index-btree1-only-old-layout", base=chunk_tree)
def array(f):
    "A layout of version 3 names an extensible array."
    f.root.links["e"] = extensible().at("/d")
    f["OHDR /d"]["layout.address"] = f["EAHD"]
    f.image.add(Block("spare", "", ("bytes", bytes(300))))


@valid("swmr-index-btree1-only-old-layout", base=old_dataset)
def as_of_old(f):
    "A chunked dataset of the first version of the library."
