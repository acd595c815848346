"""9.2, 9.3: B-trees of version 2, of chunks; what holds of those of names, too."""

from generators.hdf5 import *

# In btree2_deep: root, and below it inner nodes of which the first has three leaves.
ROOT, FIRST, SECOND, THIRD = (f"BTIN /d {number}" for number in range(4))

HEADER = ["swmr-btree2-header-signature", "swmr-btree2-header-version",
          "swmr-btree2-header-checksum", "swmr-btree2-record-type",
          "swmr-btree2-parameters-as-layout", "swmr-btree2-record-size", "swmr-btree2-node-size",
          "swmr-btree2-percentages", "swmr-btree2-depth", "swmr-btree2-root-defined"]
NODES = ["swmr-btree2-root-records", "swmr-btree2-total-records", "swmr-btree2-node-signature",
         "swmr-btree2-node-version", "swmr-btree2-node-type", "swmr-btree2-node-checksum",
         "swmr-btree2-node-capacity", "swmr-btree2-child-defined", "swmr-btree2-child-records",
         "swmr-btree2-child-total", "swmr-btree2-node-once", "swmr-btree2-record-order",
         "swmr-btree2-record-address"]

@valid("swmr-btree2-depth", base=btree2_deep, keeps=[*HEADER, *NODES])
def depth_2(f):
    "Twenty chunks in a tree of depth 2."


# The header ---------------------------------------------------------------------------------------

changed("swmr-btree2-header-signature", "changed", "The header of a tree begins with BTHE.",
        {"BTHD: signature": b"BTHE"}, base=btree2_leaf)
changed("swmr-btree2-header-signature", "leaf", "The index address is that of a leaf.",
        {"OHDR /d: layout.address": lambda f: f["BTLF"]}, base=btree2_leaf)
for version in (1, 255):
    changed("swmr-btree2-header-version", f"version-{version}",
            f"The header of a tree has version {version}.", {"BTHD: version": version},
            base=btree2_leaf)
for field in ("total", "root"):
    corrupted("swmr-btree2-header-checksum", field, f"The {field} in the header was changed.",
           f"BTHD: {field}", base=btree2_leaf)
changed("swmr-btree2-header-checksum", "zero", "The checksum of the header is 0.",
        {"BTHD: checksum": 0}, base=btree2_leaf)


@valid("swmr-btree2-record-type", base=btree2_leaf)
def both(f):
    "Chunks with filters and without: types 11 and 10."
    f.root.links["e"] = btree2_filtered().at("/d")


changed("swmr-btree2-record-type", "10-for-filtered", "Type 10 in the tree of filtered chunks.",
        {"BTHD: type": 10}, base=btree2_filtered)
changed("swmr-btree2-record-type", "11-for-unfiltered", "Type 11 in the tree of unfiltered chunks.",
        {"BTHD: type": 11}, base=btree2_leaf)
changed("swmr-btree2-record-type", "5", "Type 5, names of links, in the tree of chunks.",
        {"BTHD: type": 5}, base=btree2_leaf)
changed("swmr-btree2-record-type", "links", "Type 8, names of attributes, in the tree of links.",
        {"BTHD: type": 8}, base=dense)

changed("swmr-btree2-parameters-as-layout", "node-size", "The header halves the size of nodes.",
        {"BTHD: node size": 64}, base=btree2_leaf)
changed("swmr-btree2-parameters-as-layout", "split", "The header splits at 98 percent.",
        {"BTHD: split": 98}, base=btree2_leaf)
changed("swmr-btree2-parameters-as-layout", "layout", "The layout doubles the size of nodes.",
        {"OHDR /d: layout.node size": 256}, base=btree2_leaf)


@valid("swmr-btree2-record-size", base=btree2_filtered)
def rank_3_filtered(f):
    "Filtered chunks of three dimensions: records of 39 bytes."
    d = f.at("/d")
    d.shape, d.maximum, d.chunk = (2, 3, 4), (UNLIMITED, 8, UNLIMITED), (2, 3, 4)


@valid("swmr-btree2-record-size", base=btree2_filtered)
def layout_5(f):
    "A layout of version 5: sizes of chunks take 8 bytes."
    f.at("/d").layout_version = 5


for further, words in ((1, "one byte more"), (-1, "one byte less"),
                       (8, "that of one dimension more")):
    changed("swmr-btree2-record-size", words.replace(" ", "-"), f"The size of records is {words}.",
            {"BTHD: record size": lambda f, further=further: f["BTHD"]["record size"] + further},
            base=btree2_leaf)


@valid("swmr-btree2-node-size", base=btree2_leaf, keeps=["swmr-btree2-node-capacity"])
def of_512_bytes(f):
    "Nodes of 512 bytes."
    f.at("/d").storage.node_size = 512


def both_places(f, field, value):
    f["BTHD"][field] = f["OHDR /d"][f"layout.{field}"] = value


@invalid("swmr-btree2-node-size", base=btree2_leaf)
def of_12_bytes(f):
    "Nodes of 12 bytes, in which no record fits."
    both_places(f, "node size", 12)


@invalid("swmr-btree2-node-size", base=btree2_deep)
def too_deep(f):
    "So many levels that no record fits next to the pointers of the uppermost."
    both_places(f, "node size", 53)


@valid("swmr-btree2-percentages", base=btree2_leaf)
def at_the_edge(f):
    "Split 100 and merge 49."
    f.at("/d").storage.merge = 49


@invalid("swmr-btree2-percentages", base=dense)
def split_0(f):
    "The tree of a group splits at 0 percent."
    f["BTHD"]["split"] = 0


@invalid("swmr-btree2-percentages", base=btree2_leaf)
def merge_60(f):
    "A tree merges at 60 percent and splits at 100."
    both_places(f, "merge", 60)


for depth in (40, 65535):
    changed("swmr-btree2-depth", str(depth), f"The tree has depth {depth}.",
            {"BTHD: depth": depth}, base=btree2_leaf)

changed("swmr-btree2-root-defined", "total", "A tree of four records has no root.",
        {"BTHD: root": None}, base=btree2_leaf)


@invalid("swmr-btree2-root-defined", base=btree2_leaf)
def at_depth_1(f):
    "A tree of depth 1 has no root and claims no record."
    header = f["BTHD"]
    header["root"], header["root records"], header["total"], header["depth"] = None, 0, 0, 1


@valid("swmr-btree2-empty-root-undefined", base=btree2_leaf)
def made_but_empty(f):
    "A tree that was made and holds nothing."
    f.at("/d").unused = "blocks"


for address, words in ((None, "left"), (0, "0")):
    @invalid("swmr-btree2-empty-root-undefined", f"root-{words}",
             f"A tree without records has a root, {'the old one' if address is None else 'at 0'}.",
             base=btree2_leaf)
    def with_root(f, address=address):
        header = f["BTHD"]
        header["root records"] = header["total"] = 0
        if address is not None:
            header["root"] = address


# Counts -------------------------------------------------------------------------------------------

for count, words in ((3, "one too small"), (5, "one too large"), (0, "0")):
    changed("swmr-btree2-root-records", words.replace(" ", "-"),
            f"The number of records in the root is {words}.", {"BTHD: root records": count},
            base=lambda: btree2_leaf(storage=Tree(256)))

for count, words in ((21, "one too large"), (19, "one too small"),
                     (14, "that of the leaves alone")):
    changed("swmr-btree2-total-records", f"{count}-for-20",
            f"The number of records in the tree is {words}.", {"BTHD: total": count},
            base=btree2_deep)

for count, words in ((1, "one too small"), (3, "one too large")):
    changed("swmr-btree2-child-records", words.replace(" ", "-"),
            f"The number of records in a leaf is {words}.", {f"{FIRST}: child 1 records": count},
            base=btree2_deep)


@invalid("swmr-btree2-child-records", base=btree2_deep)
def counts_exchanged(f):
    "The numbers of records of two leaves were exchanged."
    f[THIRD].exchange("child 0 records", "child 1 records")


for count, words in ((9, "one too large"), (0, "0")):
    changed("swmr-btree2-child-total", words.replace(" ", "-"),
            f"The number of records below a child is {words}.", {f"{ROOT}: child 0 total": count},
            base=btree2_deep)


@invalid("swmr-btree2-child-total", base=btree2_deep)
def totals_exchanged(f):
    "The totals of two children were exchanged."
    f[ROOT].exchange("child 0 total", "child 1 total")


# Nodes --------------------------------------------------------------------------------------------

changed("swmr-btree2-node-signature", "leaf-for-inner", "An inner node begins with BTLF.",
        {"BTIN: signature": b"BTLF"}, base=btree2_inner)
changed("swmr-btree2-node-signature", "depth-too-large",
        "The depth in the header is one too large.",
        {"BTHD: depth": 1}, base=lambda: btree2_leaf(storage=Tree(256)))
changed("swmr-btree2-node-signature", "depth-too-small",
        "The depth in the header is one too small.",
        {"BTHD: depth": 0}, base=btree2_inner)
changed("swmr-btree2-node-signature", "off-by-8", "A child address is 8 bytes too far.",
        {"BTIN: child 0": lambda f: At(f["BTLF /d 0"], 8)}, base=btree2_inner)

changed("swmr-btree2-node-version", "leaf", "A leaf has version 1.", {"BTLF: version": 1},
        base=btree2_leaf)
changed("swmr-btree2-node-version", "inner", "An inner node has version 1.", {"BTIN: version": 1},
        base=btree2_inner)
changed("swmr-btree2-node-type", "leaf", "A leaf of type 11 in a tree of type 10.",
        {"BTLF: type": 11}, base=btree2_leaf)


@invalid("swmr-btree2-node-type", base=btree2_filtered)
def inner_of_another_type(f):
    "An inner node of type 10 in a tree of type 11."
    d = f.at("/d")
    d.shape, d.chunk, d.type = (2, 4), (1, 1), U8
    d.storage = Tree(256, shape=[4, 3])
    f["BTIN"]["type"] = 10


corrupted("swmr-btree2-node-checksum", "record", "A byte of a record was changed.",
       "BTLF: record 1.offset 1", base=btree2_leaf)
corrupted("swmr-btree2-node-checksum", "child", "A byte of a child pointer was changed.",
       "BTIN: child 1", base=btree2_inner)
changed("swmr-btree2-node-checksum", "zero", "The checksum of a leaf is 0.", {"BTLF: checksum": 0},
        base=btree2_leaf)


@invalid("swmr-btree2-node-checksum", base=btree2_leaf)
def at_the_end(f):
    "The checksum stands at the end of a node that is not full."
    node = f["BTLF"]
    checksum = lookup3(f.bytes_of(node)[:node.place("checksum")[0]]).to_bytes(4, "little")
    node["checksum"] = 0
    node["behind"] = node["behind"][:-4] + checksum


@valid("swmr-btree2-node-capacity", base=lambda: btree2_leaf())
def full_leaf(f):
    "A full leaf of four records."
    f.at("/d").storage.node_size = 10 + 4 * 24


changed("swmr-btree2-node-capacity", "root", "The root claims 65535 records.",
        {"BTHD: root records": 65535}, base=btree2_leaf)
changed("swmr-btree2-node-capacity", "child", "A leaf for four records claims seven.",
        {"BTIN: child 1 records": 7}, base=btree2_inner)

for node, field, words in (("BTIN", "child 1", "last"), ("BTIN", "child 0", "first")):
    changed("swmr-btree2-child-defined", words, f"The {words} child of a node has no address.",
            {f"{node}: {field}": None}, base=btree2_inner)
changed("swmr-btree2-child-defined", "at-depth-2",
        "A child of the root of a tree of depth 2 has none.",
        {f"{ROOT}: child 1": None}, base=btree2_deep)

changed("swmr-btree2-node-once", "twice", "Two pointers lead to one leaf.",
        {f"{FIRST}: child 1": lambda f: f[FIRST]["child 0"]}, base=btree2_deep)


@invalid("swmr-btree2-node-once", base=btree2_deep)
def its_own_child(f):
    "A node below the root is its own child."
    f[SECOND]["child 0"] = f[SECOND]
    f[SECOND]["child 0 records"] = 1


# Records ------------------------------------------------------------------------------------------

@invalid("swmr-btree2-record-order", base=btree2_leaf)
def exchanged(f):
    "Two records of a leaf were exchanged."
    f["BTLF"].exchange("record 1", "record 2")


@invalid("swmr-btree2-record-order", base=btree2_inner)
def inner_smaller(f):
    "The record of an inner node is smaller than the last one of its left child."
    inner, leaf = f["BTIN"], f["BTLF /d 0"]
    inner["record 0"], leaf["record 3"] = leaf["record 3"], inner["record 0"]


@invalid("swmr-btree2-record-order", base=btree2_leaf)
def first_above_others(f):
    "The first record of a leaf is above all that follow."
    f["BTLF"]["record 0.offset 0"] = f["BTLF"]["record 0.offset 1"] = 1


@invalid("swmr-btree2-record-order", base=btree2_leaf)
def equal(f):
    "Two records name the same chunk."
    f["BTLF"]["record 2.offset 0"] = 0
    f["BTLF"]["record 2.offset 1"] = 1


changed("swmr-chunk-inside-maximum", "beyond-all",
        "The first record names the last chunk that there can be.",
        {"BTLF: record 0.offset 0": (1 << 64) - 1}, base=btree2_leaf)



@invalid("swmr-chunk-once", alias="swmr-btree2-record-order", base=btree2_leaf)
def two_records(f):
    "A version 2 B-tree has two records of one chunk."
    f["BTLF"]["record 3.offset 1"] = 0


@invalid("swmr-chunk-once", alias="swmr-btree1-key-order", base=chunk_tree)
def two_keys(f):
    "A version 1 B-tree has two keys of one chunk."
    f["TREE"]["key 1.offset 0"] = 0


@valid("swmr-chunk-once", base=btree2_deep)
def twenty(f):
    "Twenty chunks in a tree of depth 2."


changed("swmr-btree2-record-address", "leaf", "A record of a leaf has no address.",
        {"BTLF: record 1.address": None}, base=btree2_leaf)
changed("swmr-btree2-record-address", "inner", "The record of an inner node has no address.",
        {"BTIN: record 0.address": None}, base=btree2_inner)


# What may be --------------------------------------------------------------------------------------

@valid("swmr-btree2-underfull-allowed", base=btree2_inner)
def one_record(f):
    "A leaf of one record in a tree of depth 1."
    f.at("/d").storage.shape = [1, 6]
    f.at("/d").storage.node_size = 256


@valid("swmr-btree2-space-behind-checksum-any", base=btree2_leaf)
def leaf_of_3(f):
    "All bytes after the checksum of a leaf are 0xff."
    f["BTLF"]["behind"] = b"\xff" * len(f["BTLF"]["behind"])


@valid("swmr-btree2-old-nodes-remain", base=btree2_inner)
def shadows(f):
    "Two leaves of the tree that was before lie in the file; nothing leads to them."
    before = btree2_inner()
    before.image.arrange()
    for block in (before["BTLF /d 0"], before["BTLF /d 1"]):
        f.image.add(Block("before", "", ("bytes", block.bytes())))
