"""FF-IV.A.1, FF-IV.A.2: reference counts, and messages that are stored in another header."""

from generators.hdf5 import *


# Reference counts ---------------------------------------------------------------------------------

def linked_twice(count=2):
    made = extensible(header=Header(count=count))
    made.root.links["e"] = made.root.links["d"]
    return made


@valid("swmr-ohdr-reference-count", base=linked_twice, keeps=["swmr-ohdr-reference-count-excess"])
def two_links(f):
    "A dataset with two hard links, and a reference count of 2."


@valid("swmr-ohdr-reference-count-excess", base=linked_twice)
def count_2(f):
    "A dataset that both /d and /e lead to says so."


@valid("swmr-ohdr-reference-count", base=lambda: old())
def in_version_1(f):
    "Version 1 headers with counts of one and two links."
    f.root.links["d"] = f.root.links["a"]
    f.at("/a").header = Header(version=1, count=2)


@invalid("swmr-ohdr-reference-count")
def count_1_with_two_links(f):
    "A second link to a dataset without a reference count message."
    f.root.links["e"] = f.root.links["d"]


@invalid("swmr-ohdr-reference-count", base=links)
def linked_from_inside(f):
    "A group has a link to itself, and its count is still 1."
    f.at("/a").links = {"self": f.at("/a")}


@invalid("swmr-ohdr-reference-count", base=old)
def version_1_count_0(f):
    "A version 1 header with one link has the count 0."
    f["OHDR /c"]["references"] = 0


@invalid("swmr-ohdr-reference-count", base=linked_twice)
def message_of_2_with_three_links(f):
    "A reference count message of 2, and three links."
    f.root.links["f"] = f.root.links["d"]


@invalid("swmr-ohdr-reference-count-excess")
def count_2_with_one_link(f):
    "A reference count message of 2, and one link."
    f.at("/d").header.count = 2


@invalid("swmr-ohdr-reference-count-excess", base=old)
def version_1_count_3(f):
    "A version 1 header with two links has the count 3."
    f.root.links["d"] = f.root.links["a"]
    f.at("/a").header = Header(version=1, count=3)


@invalid("swmr-ohdr-reference-count-excess")
def message_of_5(f):
    "A reference count message of 5 without a second link."
    f.at("/d").header.count = 5


@valid("swmr-ohdr-reference-message-v2-only", base=linked_twice)
def in_version_2(f):
    "A reference count message in a version 2 header."


@invalid("swmr-ohdr-reference-message-v2-only", base=linked_twice)
def version_1(f):
    "A reference count message has version 1."
    f["OHDR /d"]["reference count.version"] = 1


def old_attribute():
    made = old()
    made.at("/c").attributes = [Attribute(b"a\0", U8, (), b"\1", version=1)]
    return made


changed("swmr-ohdr-reference-message-v2-only", "attribute",
        "An attribute message of a version 1 header became a reference count.",
        {"OHDR /c: attribute.message type": 22}, base=old_attribute)


@invalid("swmr-ohdr-reference-message-v2-only", base=old)
def nil(f):
    "A NIL message of a version 1 header became a reference count of 1."
    f.at("/c").header.extra = [raw("reference count", b"\0\1\0\0\0\0\0\0")]


# Shared messages ----------------------------------------------------------------------------------

def committed():
    """A dataset whose datatype is a committed one."""
    made = extensible()
    made.root.links["t"] = made.at("/d").type = NamedDatatype(type=I32)
    return made


def committed_first():
    """The same; the datatype is read before the dataset."""
    made = committed()
    made.root.links = dict(reversed(made.root.links.items()))
    return made


@valid("swmr-shared-message-form", base=committed, keeps=["swmr-dataset-has-datatype"])
def version_3(f):
    "The datatype of a dataset is a committed datatype."


for version in (1, 2):
    @valid("swmr-shared-message-form", f"version-{version}",
           f"A shared message of version {version} names a committed datatype.", base=committed)
    def of_version(f, version=version):
        f.at("/d").type.shared_by = version


@valid("swmr-shared-message-form", "version-1-and-lengths-of-four",
       "A shared message of version 1 in a file whose lengths have four bytes.", base=committed)
def short_lengths(f):
    f.w = Widths(8, 4)
    f.at("/d").type.shared_by = 1


changed("swmr-shared-message-form", "version-4", "A shared message has version 4.",
        {"OHDR /d: datatype.version": 4}, base=committed)
changed("swmr-shared-message-form", "version-4-known",
        "A shared message has version 4; the datatype that it names was read before.",
        {"OHDR /d: datatype.version": 4}, base=committed_first)
changed("swmr-shared-message-form", "type-3", "A shared message of version 3 has type 3.",
        {"OHDR /d: datatype.type": 3}, base=committed)
changed("swmr-shared-message-form", "group", "A shared datatype message names a group.",
        {"OHDR /d: datatype.address": lambda f: f["OHDR /"]}, base=committed)
for slug, base in (("retyped", committed), ("retyped-first", committed_first)):
    changed("swmr-shared-message-form", slug,
            "The datatype message of a committed datatype became a NIL message" +
            ("." if base is committed else "; the committed datatype comes before its dataset."),
            {"OHDR /t: datatype.message type": 0}, base=base)
changed("swmr-shared-message-form", "undefined", "The address of a shared message is undefined.",
        {"OHDR /d: datatype.address": None}, base=committed)
