"""III.I and IV.A.2.p of the File Format Specification: messages that several headers share."""

import numpy as np

from generators.hdf5 import *
from generators.hdf5.blocks import Block, Checksum, Struct
from generators.hdf5.btree2 import write_tree
from generators.hdf5.fractal_heap import write_heap
from generators.hdf5.library import Library, share_messages, shared_fill_values, shared_messages

ATTRIBUTES, LIST, TREE = 0x1000, 0, 1
TYPE = 12
CUTOFF = 5


def _bytes(struct):
    made = bytearray()
    struct.write(made)
    return bytes(made)


def shared(count=3, kind=LIST, unused=0, cutoffs=(CUTOFF, 0), types=(ATTRIBUTES,), in_header=False, groups=0):
    """The attributes of the root group lie in the heap of shared messages; the last `unused` of them are not used.
    `types`: of the indexes; all but the first are empty. `in_header`: another message is in the header of /g.
    `groups`: so many groups have all of the attributes."""
    def made():
        f = empty()
        f.extension = [Message("shared table", Struct(("version", 0, 1), ("table", None, 8), ("indexes", len(types), 1)))]
        def uses(number):
            return [Message("attribute", Struct(("version", 3, 1), ("kind", 1, 1), ("id", bytes(8))), flags=2)
                    for _ in range(number)]

        f.root.header.extra = uses(count - unused)
        if groups:
            f.root.header.phase, f.root.info = (count, 0), {"phase": (groups, 0)}
        for i in range(groups):
            f.root.links[f"{i}"] = Group(header=Header(extra=uses(count), phase=(count, 0)), info=None)
        own = Attribute(b"own\0", U8, (), b"\7")
        if in_header:
            f.root.links["g"] = Group(attributes=[own])
        image, w = f.image, f.w
        objects = [Attribute(b"a%d\0" % i, U8, (), bytes([i])).encode(f) for i in range(count)]
        heap, ids = write_heap(Heap(id_length=8, bits=40), objects, "shared", w, image)
        for path, number in [("/", count - unused), *((f"/{i}", count) for i in range(groups))]:
            header = f[f"OHDR {path}"]
            for i in range(number):
                header["attribute.id" if i == 0 else f"attribute {i}.id"] = ids[i]
        records = [(hash_of(_bytes(each)), i) for i, each in enumerate(objects)]
        if kind == TREE:
            records.sort()
        rows = [Struct(("location", 0, 1), ("hash", code, 4), ("count", groups + (i < count - unused), 4),
                       ("id", Struct(*((name, value, width) if width else (name, value)
                                       for name, (value, width) in ids[i].fields.items()))))
                for code, i in records]
        if in_header:
            code = hash_of(_bytes(own.encode(f)))
            at = sorted([*(hash for hash, _ in records), code]).index(code) if kind == TREE else len(rows)
            rows.insert(at, Struct(("location", 1, 1), ("hash", code, 4), ("reserved", 0, 1), ("type", TYPE, 1),
                                   ("index", 0, 2), ("header", f["OHDR /g"], 8)))
        if kind == LIST:
            index = image.add(Block("SMLI", ""))
            index.add("signature", b"SMLI")
            for i, row in enumerate(rows):
                index.add(f"record {i}", row)
            index.add("checksum", Checksum())
            if cutoffs[0] > len(rows):
                index.add("behind", bytes(17 * (cutoffs[0] - len(rows))))
        else:
            index = write_tree(Tree(node_size=512), 7, rows, 17, "shared", w, image)
        table = image.add(Block("SMTB", ""))
        table.add("signature", b"SMTB")
        for i, mask in enumerate(types):
            used = i == 0
            table.add(f"index {i}" if i else "index", Struct(
                ("version", 0, 1), ("kind", kind if used else LIST, 1), ("types", mask, 2), ("minimum", 10, 4),
                ("list cutoff", cutoffs[0], 2), ("tree cutoff", cutoffs[1], 2),
                ("messages", len(rows) if used else 0, 2), ("address", index if used else None, 8),
                ("heap", heap if used else None, 8)))
        table.add("checksum", Checksum())
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
changed("h5-sohm-index-types-once", "instead-of-its-own", "The index of attributes has the type of another index instead.",
        {"SMTB: index.types": 2}, base=shared(types=(ATTRIBUTES, 2)))
changed("h5-mtime-old-form", "instead-of-a-table", "The message of the table has the type of an old modification time.",
        {"OHDR extension: shared table.message type": 14}, base=shared())
for cutoffs in ((5, 7), (3, 40)):
    changed("h5-sohm-index-cutoffs", f"{cutoffs[0]}-{cutoffs[1]}", f"The cutoffs are {cutoffs}.",
            {"SMTB: index.tree cutoff": cutoffs[1]}, base=shared(cutoffs=(cutoffs[0], 0)))
changed("h5-sohm-list-capacity", "cutoff-2", "A list of three messages has the cutoff 2.",
        {"SMTB: index.list cutoff": 2}, base=shared())
changed("h5-sohm-list-capacity", "cutoffs-0-and-40", "A list of three messages has the cutoffs 0 and 40.",
        {"SMTB: index.list cutoff": 0, "SMTB: index.tree cutoff": 40}, base=shared())
changed("h5-sohm-index-cutoffs", "of-a-tree", "The cutoffs of a tree of three messages are 2 and 40.",
        {"SMTB: index.tree cutoff": 40}, base=shared(kind=TREE, cutoffs=(2, 1)))
changed("h5-fractal-heap-id-reserved", "of-a-shared-message", "The id in a record has reserved bits; that of its use has none.",
        {"SMLI: record 1.id.kind": 1}, base=shared())
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
changed("h5-sohm-count", "zero", "The table states no messages of a tree of three.",
        {"SMTB: index.messages": 0}, base=shared(kind=TREE, cutoffs=(2, 0)))
changed("h5-sohm-index-addresses", "empty-tree", "An index without messages has an empty tree.",
        {"SMTB: index.messages": 0, "BTHD shared: total": 0, "BTHD shared: root records": 0, "BTHD shared: root": None},
        base=shared(1, kind=TREE, cutoffs=(2, 0), unused=1))
for location in (2, 255):
    changed("h5-sohm-record-location", f"{location}", f"A record has the location {location}.",
            {"SMLI: record 2.location": location}, base=shared(3, unused=1))
changed("h5-sohm-record-location", "in-use", "The record of a message in use has the location 2.",
        {"SMLI: record 2.location": 2}, base=shared())
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


# Several indexes, and messages in headers ----------------------------------------------------------

ONCE, IN_HEADER = "h5-sohm-index-types-once", "h5-sohm-record-header-message"
one_own = shared(in_header=True)


@valid(ONCE, base=shared(types=(ATTRIBUTES, 0x000a, 0x0820)), keeps=ALL)
def three_indexes(f):
    "Three indexes, each of other types; two of them are empty."


@valid(ONCE, base=shared(types=(ATTRIBUTES, 0, 0)), slug="of-nothing")
def of_nothing(f):
    "Two indexes that track no type."


@valid(ONCE, "library-earliest", base=lambda: Library("earliest", share_messages), keeps=ALL + [IN_HEADER],
       also=["h5-risk-hidden-bytes"])
def three_indexes_of_the_library(f):
    "Datasets that share messages by three indexes, as the library writes them."
    f.fill = shared_messages


for clause, slug, number, shows in (
        ("h5-sohm-record-hash", "old-fill-values", 2, "The old messages of fill values of two datasets are one in the heap."),
        (IN_HEADER, "old-fill-value", 1, "The old message of a fill value is indexed in its header.")):
    @valid(clause, slug, shows, base=lambda: Library("earliest", share_messages))
    def old_fills(f, number=number):
        f.fill = lambda file: shared_fill_values(file, number)


for slug, types in (("bit-3", (ATTRIBUTES, 0x000a, 0x0028)), ("the-first", (ATTRIBUTES, 0x002a, 0x1800)),
                    ("all", (0x182a, 0x182a))):
    invalid(ONCE, slug, f"The indexes track the types {', '.join(map(hex, types))}.",
            base=shared(types=types))(lambda f: None)


@valid(IN_HEADER, base=one_own, keeps=ALL)
def of_one_use(f):
    "A record leads to the header of the only object that has the message."


@valid(IN_HEADER, base=shared(in_header=True, kind=TREE, cutoffs=(3, 1)), keeps=["h5-sohm-record-order"])
def record_of_a_tree(f):
    "The same in a tree, between records of messages in the heap."


for slug, shows, field, value in (
        ("another-header", "A record leads to a header without such a message.", "header", lambda f: f["OHDR /"]),
        ("no-header", "A record leads to a block that is no header.", "header", lambda f: f["SMTB"]),
        ("undefined", "A record has no address of a header.", "header", None),
        ("outside", "A record leads out of the file.", "header", 1 << 40),
        ("type-3", "A record has a type that its index does not track.", "type", 3),
        ("type-64", "A record has a type beyond all that an index can track.", "type", 64),
        ("hash", "A record has another hash than the message in its header.", "hash", 0)):
    changed(IN_HEADER, slug, shows, {f"SMLI: record 3.{field}": value}, base=one_own)


@invalid(IN_HEADER, base=one_own)
def in_shared_form(f):
    "The message in the header is in shared form itself; its bytes have the hash of the record."
    f["SMLI"]["record 3.header"] = f["OHDR /"]
    f.image.arrange()
    body = f["OHDR /"]["attribute"]
    f["SMLI"]["record 3.hash"] = hash_of(_bytes(body)[4:])


changed("h5-attribute-charset", "in-an-index", "An attribute that a record of shared messages leads to has the character set 2.",
        {"OHDR /g: attribute.character set": 2}, base=one_own)


@invalid("h5-sohm-record-once", base=shared(unused=1, in_header=True))
def header_twice(f):
    "Two records of the message in the same header."
    f["SMLI"]["record 2"] = Struct(*((name, value, width) for name, (value, width)
                                     in f["SMLI"]["record 3"].fields.items()))


# Messages in messages ------------------------------------------------------------------------------

class Patched(Library):
    """A file of the library, whose bytes are changed by `change`."""

    change = None

    def bytes(self):
        made = bytearray(self.written())
        if self.change:
            self.change(made)
        return bytes(made)


def datatypes_in_attributes():
    """Three datasets have the same attribute; its datatype, which that of a dataset is, too, is in the heap by itself."""
    def fill(file):
        for number in range(3):
            file.create_dataset(f"d{number}", (number + 1,), "i4").attrs["pair"] = np.zeros(2, "i4,f8")
            file.create_dataset(f"e{number}", (number + 1,), "i4,f8")

    made = Patched("earliest", share_messages)
    made.fill = fill
    return made


def record_of(data, types):
    """The position of the first record of the index of these types, which is a list."""
    table = data.index(b"SMTB") + 4
    while data[table + 2:table + 4] != types.to_bytes(2, "little"):
        table += 30
    return int.from_bytes(data[table + 14:table + 22], "little") + 4


def changed_record(types, at, value):
    """Changes a byte of the first record, and the checksum of the list."""
    def change(data):
        record = record_of(data, types)
        end = record
        while int.from_bytes(data[end:end + 4], "little") != lookup3(bytes(data[record - 4:end])):
            end += 17
        data[record + at] = value
        data[end:end + 4] = lookup3(bytes(data[record - 4:end])).to_bytes(4, "little")
    return change


@valid("h5-sohm-message-plain", base=datatypes_in_attributes, keeps=ALL)
def parts_in_shared_form(f):
    "Attributes in a heap, whose datatypes are shared themselves."


@invalid("h5-sohm-record-hash", base=datatypes_in_attributes)
def of_an_attribute_with_a_shared_part(f):
    "The hash of the only attribute in the heap is wrong; its datatype is in the heap, too."
    f.change = changed_record(ATTRIBUTES, 1, 0)


@invalid("h5-sohm-record-location", base=datatypes_in_attributes)
def of_a_shared_part(f):
    "The record of the datatype of an attribute, and of datasets, has the location 9."
    f.change = changed_record(0x000a, 0, 9)


@invalid("h5-sohm-index-version", base=datatypes_in_attributes)
def of_the_parts(f):
    "The index of dataspaces and datatypes has version 9; attributes in the heap of another index use it."
    def change(data):
        table = data.index(b"SMTB")
        end = table + 4 + 3 * 30
        data[table + 4] = 9
        data[end:end + 4] = lookup3(bytes(data[table:end])).to_bytes(4, "little")
    f.change = change
