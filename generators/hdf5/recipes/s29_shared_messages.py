"""III.I and IV.A.2.p of the File Format Specification: messages that several headers share."""

from generators.hdf5 import *
from generators.hdf5.blocks import Block, Checksum, Struct
from generators.hdf5.btree2 import write_tree
from generators.hdf5.fractal_heap import write_heap

ATTRIBUTES, LIST, TREE = 0x1000, 0, 1
TYPE = 12
CUTOFF = 5


def _bytes(struct):
    made = bytearray()
    struct.write(made)
    return bytes(made)


def shared(count=3, kind=LIST, unused=0, cutoffs=(CUTOFF, 0)):
    """The attributes of the root group lie in the heap of shared messages; the last `unused` of them are not used."""
    def made():
        f = empty()
        f.extension = [Message("shared table", Struct(("version", 0, 1), ("table", None, 8), ("indexes", 1, 1)))]
        f.root.header.extra = [
            Message("attribute", Struct(("version", 3, 1), ("kind", 1, 1), ("id", bytes(8))), flags=2)
            for _ in range(count - unused)]
        image, w = f.image, f.w
        objects = [Attribute(b"a%d\0" % i, U8, (), bytes([i])).encode(f) for i in range(count)]
        heap, ids = write_heap(Heap(id_length=8, bits=40), objects, "shared", w, image)
        for i in range(count - unused):
            f["OHDR /"]["attribute.id" if i == 0 else f"attribute {i}.id"] = ids[i]
        records = [(hash_of(_bytes(each)), i) for i, each in enumerate(objects)]
        if kind == TREE:
            records.sort()
        rows = [Struct(("location", 0, 1), ("hash", code, 4), ("count", int(i < count - unused), 4),
                       ("id", Struct(*((name, value, width) if width else (name, value)
                                       for name, (value, width) in ids[i].fields.items()))))
                for code, i in records]
        if kind == LIST:
            index = image.add(Block("SMLI", ""))
            index.add("signature", b"SMLI")
            for i, row in enumerate(rows):
                index.add(f"record {i}", row)
            index.add("checksum", Checksum())
            if cutoffs[0] > count:
                index.add("behind", bytes(17 * (cutoffs[0] - count)))
        else:
            index = write_tree(Tree(node_size=512), 7, rows, 17, "shared", w, image)
        table = image.add(Block("SMTB", ""))
        table.add("signature", b"SMTB").add("index", Struct(
            ("version", 0, 1), ("kind", kind, 1), ("types", ATTRIBUTES, 2), ("minimum", 10, 4),
            ("list cutoff", cutoffs[0], 2), ("tree cutoff", cutoffs[1], 2), ("messages", count, 2),
            ("address", index, 8), ("heap", heap, 8))).add("checksum", Checksum())
        f["OHDR extension"]["shared table.table"] = table
        return f
    return made


def hash_of(message):
    return lookup3(message, TYPE)


ALL = ["h5-sohm-message-version", "h5-sohm-message-fits", "h5-sohm-table-checksum", "h5-sohm-index-version",
       "h5-sohm-index-kind", "h5-sohm-index-types", "h5-sohm-index-types-once", "h5-sohm-index-cutoffs",
       "h5-sohm-list-capacity", "h5-sohm-index-addresses", "h5-sohm-list-signature", "h5-sohm-list-checksum",
       "h5-sohm-record-location", "h5-sohm-record-heap-message", "h5-sohm-record-hash", "h5-sohm-record-once",
       "h5-sohm-reference-count", "h5-sohm-reference-count-excess", "h5-sohm-message-minimum",
       "h5-sohm-use-known", "h5-sohm-message-plain"]


@valid("h5-sohm-table-signature", base=shared(), keeps=ALL)
def three_attributes(f):
    "Three attributes in a heap, indexed by a list."


@valid("h5-sohm-count", base=shared(kind=TREE, cutoffs=(2, 1)),
       keeps=["h5-sohm-tree-needed", "h5-sohm-record-order"])
def in_a_tree(f):
    "Three attributes, indexed by a tree."


@valid("h5-sohm-list-unused-any", base=shared())
def behind_the_checksum(f):
    "The space of a list after its checksum is not zero."
    f["SMLI"]["behind"] = b"\xff" * len(f["SMLI"]["behind"])


M = "OHDR extension: shared table"
for version in (1, 0x80):
    changed("h5-sohm-message-version", f"{version}", f"The message has version {version}.",
            {f"{M}.version": version}, base=shared())
for slug, field, value in (("none", "indexes", 0), ("nine", "indexes", 9), ("undefined", "table", None)):
    changed("h5-sohm-message-fits", slug, "The message does not lead to a table of one to eight indexes.",
            {f"{M}.{field}": value}, base=shared())
changed("h5-sohm-table-signature", "changed", "The table begins with SMTC.", {"SMTB: signature": b"SMTC"},
        base=shared())
corrupted("h5-sohm-table-checksum", "messages", "The number of messages was changed.", "SMTB: index.messages",
          base=shared())
changed("h5-sohm-table-checksum", "zero", "The checksum of the table is 0.", {"SMTB: checksum": 0}, base=shared())
for version in (1, 255):
    changed("h5-sohm-index-version", f"{version}", f"An index has version {version}.",
            {"SMTB: index.version": version}, base=shared())
for kind in (2, 255):
    changed("h5-sohm-index-kind", f"{kind}", f"An index is of kind {kind}.", {"SMTB: index.kind": kind},
            base=shared())
for types in (0x1004, 0x9000):
    changed("h5-sohm-index-types", f"{types:#x}", f"An index tracks the types {types:#x}.",
            {"SMTB: index.types": types}, base=shared())
for cutoffs in ((5, 7), (3, 40)):
    changed("h5-sohm-index-cutoffs", f"{cutoffs[0]}-{cutoffs[1]}", f"The cutoffs are {cutoffs}.",
            {"SMTB: index.tree cutoff": cutoffs[1]}, base=shared(cutoffs=(cutoffs[0], 0)))
changed("h5-sohm-list-capacity", "cutoff-2", "A list of three messages has the cutoff 2.",
        {"SMTB: index.list cutoff": 2}, base=shared())
changed("h5-sohm-tree-needed", "below-the-cutoff", "A tree of three messages, which should be a list.",
        {"SMTB: index.tree cutoff": 4, "SMTB: index.list cutoff": 5}, base=shared(kind=TREE, cutoffs=(2, 1)))
changed("h5-sohm-index-addresses", "no-heap", "An index with messages has no heap.", {"SMTB: index.heap": None},
        base=shared())
changed("h5-sohm-index-addresses", "no-index", "Messages without an index.", {"SMTB: index.address": None},
        base=shared())
changed("h5-sohm-index-addresses", "empty", "An index without messages has addresses.",
        {"SMTB: index.messages": 0}, base=shared(1, unused=1))
changed("h5-sohm-list-signature", "changed", "A list begins with SMLJ.", {"SMLI: signature": b"SMLJ"}, base=shared())
corrupted("h5-sohm-list-checksum", "record", "A byte of a record was changed.", "SMLI: record 1.count", base=shared())
changed("h5-sohm-list-checksum", "one-less", "The table states a message less.", {"SMTB: index.messages": 2},
        base=shared())
changed("h5-sohm-count", "one-more", "The table states four messages of a tree of three.",
        {"SMTB: index.messages": 4}, base=shared(kind=TREE, cutoffs=(2, 1)))
for location in (2, 255):
    changed("h5-sohm-record-location", f"{location}", f"A record has the location {location}.",
            {"SMLI: record 2.location": location}, base=shared(3, unused=1))
changed("h5-sohm-record-heap-message", "empty", "A record leads to an object of no bytes.",
        {"SMLI: record 2.id.length": 0}, base=shared(3, unused=1))
changed("h5-sohm-record-hash", "zero", "The hash of a record is 0.", {"SMLI: record 2.hash": 0}, base=shared())


@invalid("h5-sohm-record-hash", base=shared())
def without_the_type(f):
    "The hash of a record has the initial value 0."
    f["SMLI"]["record 2.hash"] = lookup3(_bytes(f["FHDB shared"]["object 2"]))


@invalid("h5-sohm-record-order", base=shared(kind=TREE, cutoffs=(2, 1)))
def exchanged(f):
    "Two records of a tree are exchanged."
    f["BTLF shared"].exchange("record 0", "record 1")


@invalid("h5-sohm-record-once", base=shared(4, unused=1))
def one_twice(f):
    "The last record is that of the first message once more."
    for field in ("hash", "id.offset", "id.length"):
        f["SMLI"][f"record 3.{field}"] = f["SMLI"][f"record 0.{field}"]
    f["SMLI"]["record 3.count"] = 0


changed("h5-sohm-reference-count", "zero", "The reference count of a message in use is 0.",
        {"SMLI: record 1.count": 0}, base=shared())
changed("h5-sohm-reference-count-excess", "1000", "The reference count of a message of one use is 1000.",
        {"SMLI: record 1.count": 1000}, base=shared())
changed("h5-sohm-message-minimum", "200", "Messages of 24 bytes are shared, although from 200 bytes on only.",
        {"SMTB: index.minimum": 200}, base=shared())
changed("h5-sohm-use-known", "other-id", "A use has the id of no record.",
        {"OHDR /: attribute 2.id.offset": 77}, base=shared(), also={"h5-sohm-reference-count-excess"})


@invalid("h5-sohm-message-plain", base=shared())
def cut(f):
    "The version of an attribute in the heap is 9; its hash is right."
    f["FHDB shared"]["object 1.version"] = 9
    f["SMLI"]["record 1.hash"] = hash_of(_bytes(f["FHDB shared"]["object 1"]))
