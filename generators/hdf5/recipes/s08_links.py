"""FF-IV.A.2.c, FF-IV.A.2.g, FF-IV.A.2.k, FF-III.A.2: groups and links of the new kind."""

from generators.hdf5 import *


@valid("swmr-link-version", base=links, keeps=["swmr-link-message-fits", "swmr-link-target-defined",
                                               "swmr-group-info-version"])
def hard_link(f):
    "A hard link."


for version in (0, 2):
    changed("swmr-link-version", f"version-{version}", f"A link message has version {version}.",
            {"OHDR /: link.version": version}, base=links, less=["swmr-ohdr-reference-count"])
changed("swmr-link-version", "dense", "A dense link has version 0.",
        {"FHDB: object 3.version": 0}, base=dense)


@valid("swmr-link-flags-reserved", base=links)
def flags_1c(f):
    "A soft link with flags 0x1c: type, creation order and character set."
    f.root.links["b"] = soft(b"a", order=1, charset=1)


for flags in (0x20, 0x80):
    changed("swmr-link-flags-reserved", f"flags-{flags:02x}",
            f"The flags of a link are {flags:#x}.",
            {"OHDR /: link.flags": flags}, base=links)
changed("swmr-link-flags-reserved", "dense", "The flags of a dense link are 0x48.",
        {"FHDB: object 3.flags": 0x48}, base=dense)


@valid("swmr-link-type", base=links)
def soft_link(f):
    "A soft link, an external one, and a hard one that says so."
    f.root.links = {"a": Link(f.root.links["a"], HARD, {"typed": True}), "b": soft(b"a"),
                    "c": Link(b"\0other.h5\0/x\0", EXTERNAL)}


for number in (2, 63):
    changed("swmr-link-type", str(number), f"The type of a link is {number}.",
            {"OHDR /: link 1.type": number}, base=links)


@valid("swmr-link-name-not-empty", base=links)
def one_letter(f):
    "A name of one letter, whose length is stored in each of the four widths."
    f.root.links = {name: soft(b"x", width=width)
                    for name, width in (("a", 1), ("b", 2), ("c", 4), ("d", 8))}


@invalid("swmr-link-name-not-empty", base=links)
def length_0(f):
    "The name of a link has length 0."
    f["OHDR /"]["link 1.name"] = b""
    f["OHDR /"]["link 1.name length"] = 0


@invalid("swmr-link-name-not-empty", base=dense)
def dense_length_0(f):
    "The name of a dense link has length 0."
    f["FHDB"]["object 3.name length"] = 0
    f["FHDB"]["object 3.name"] = b""
    f["FHDB"]["object 3.value"] = b"xn3"
    f["FHDB"]["object 3.value length"] = 3


@valid("swmr-link-message-fits", base=links)
def external_link(f):
    "An external link."
    f.root.links["c"] = Link(b"\0other.h5\0/x\0", EXTERNAL)


changed("swmr-link-message-fits", "name", "A name of 255 bytes in a link of a few.",
        {"OHDR /: link.name length": 255}, base=links)
changed("swmr-link-message-fits", "value", "The value of a soft link is longer than its message.",
        {"OHDR /: link 1.value length": 2}, base=links)

changed("swmr-link-target-defined", "undefined", "The address of a hard link is undefined.",
        {"OHDR /: link.address": None}, base=links)


@invalid("swmr-link-target-defined", base=dense)
def dense_undefined(f):
    "The address of a dense hard link is undefined."
    f.root.links["n3"] = Link(None)


@valid("swmr-link-names-unique", base=links)
def of_another_case(f):
    "Links a and A."
    f.root.links["A"] = soft(b"x")


@invalid("swmr-link-names-unique", base=links)
def twice(f):
    "Two links of one name in a header."
    f.root.links = [("a", soft(b"x")), ("a", soft(b"y"))]


@invalid("swmr-link-names-unique", base=dense)
def dense_twice(f):
    "A name twice in a dense group, in two records of the same hash."
    f.root.links = [(f"n{number}", soft(b"x")) for number in (0, 1, 2, 3, 3, 4)]


# Link info, group info ----------------------------------------------------------------------------

@valid("swmr-link-info-version", base=links)
def tracks_creation_order(f):
    "A group that tracks the order of creation of its links."
    f.root.tracked = 2
    f.root.links = {"a": soft(b"x", order=0), "b": soft(b"x", order=1)}


changed("swmr-link-info-version", "version-1", "A link info message has version 1.",
        {"OHDR /a: link info.version": 1}, base=links)
changed("swmr-link-info-version", "flag-1",
        "An index of creation order is announced, but not there.",
        {"OHDR /a: link info.flags": 2}, base=links)
changed("swmr-link-info-version", "flag-3", "A link info message has a flag that means nothing.",
        {"OHDR /a: link info.flags": 8}, base=links)


@valid("swmr-link-info-heap-and-index", base=empty)
def empty_group(f):
    "An empty group."


changed("swmr-link-info-heap-and-index", "heap-undefined", "There is a name index, but no heap.",
        {"OHDR /: link info.heap": None}, base=dense)
changed("swmr-link-info-heap-and-index", "index-undefined", "There is a heap, but no name index.",
        {"OHDR /: link info.name index": None}, base=dense)


@valid("swmr-group-info-version", base=links)
def with_all_fields(f):
    "A group info message with phase change and estimates."
    f.root.info = {"phase": (8, 6), "estimates": (4, 8)}


for version in (1, 255):
    changed("swmr-group-info-version", f"version-{version}",
            f"A group info message has version {version}.",
            {"OHDR /a: group info.version": version}, base=links)
changed("swmr-group-info-version", "flags-3", "All fields are announced in a message of two bytes.",
        {"OHDR /a: group info.flags": 3}, base=links)
changed("swmr-group-info-version", "flag-3", "A group info message has a flag that means nothing.",
        {"OHDR /a: group info.flags": 8}, base=links)


# Names in a tree ----------------------------------------------------------------------------------

@valid("swmr-dense-name-hash", base=dense_with_rows, keeps=["swmr-dense-record-order"])
def forty_links(f):
    "A group of forty links, by a tree of two levels."


@valid("swmr-dense-record-order", base=attributes_dense, keeps=["swmr-dense-name-hash"])
def ten_attributes(f):
    "A group of ten dense attributes."


@invalid("swmr-dense-name-hash", base=dense)
def hash_changed(f):
    "The hash of a record is one more than that of its name."
    node = f["BTLF"]
    node["record 3.hash"] = node["record 3.hash"] + 1


@invalid("swmr-dense-name-hash", base=attributes_dense)
def hash_of_an_attribute(f):
    "The hash of an attribute is one more than that of its name."
    node = f["BTLF /@ 0"]
    node["record 0.hash"] = node["record 0.hash"] + 1


changed("swmr-dense-name-hash", "name-of-zeros", "The name of a link became two zeros, and its hash did not change.",
        {"FHDB: object 3.name": bytes(2)}, base=dense)


@invalid("swmr-dense-name-hash", base=attributes_dense)
def attribute_not_ascii(f):
    "A letter of the name of an attribute became the byte 0xe1, and its hash did not change."
    block = f["FHDB /@ 0"]
    block["object 0.name"] = b"\xe1" + block["object 0.name"][1:]


@invalid("swmr-dense-name-hash", base=attributes_dense)
def id_of_another(f):
    "The record of an attribute leads to the one before."
    f["BTLF /@ 0"]["record 1.id"] = f["BTLF /@ 0"]["record 0.id"]


@invalid("swmr-dense-name-hash", base=dense)
def ids_exchanged(f):
    "The heap ids of two records were exchanged."
    f["BTLF"].exchange("record 3.id", "record 4.id")


def same_hash():
    """Dense links, two of which have names with the same hash."""
    names = ("a", "b", "c", "d", "e", "f", "g", "c82689", "c96406")
    return File(Group(links={name: soft(b"x") for name in names}, storage=dense_links()))


@valid("swmr-dense-record-order", base=same_hash)
def one_hash_of_two_names(f):
    "Two names have the same hash; they are in the order of their letters."
    assert lookup3(b"c82689") == lookup3(b"c96406")


@invalid("swmr-dense-record-order", base=same_hash)
def two_names_exchanged(f):
    "Two names have the same hash, and are in the wrong order."
    leaf = f["BTLF"]
    hashes = [leaf[f"record {i}.hash"] for i in range(9)]
    first = next(i for i in range(9) if hashes[i] == hashes[i + 1])
    leaf.exchange(f"record {first}.id", f"record {first + 1}.id")


@invalid("swmr-dense-record-order", base=dense)
def records_exchanged(f):
    "Two records of a leaf were exchanged."
    f["BTLF"].exchange("record 3", "record 4")


@invalid("swmr-dense-record-order", base=dense_with_rows)
def smaller_than_above(f):
    "The first record of a leaf is smaller than the one above it: the two were exchanged."
    inner = f["BTIN"]
    leaf = inner["child 1"]
    inner["record 0"], leaf["record 0"] = leaf["record 0"], inner["record 0"]
