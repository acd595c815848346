"""FF-IV.A.2.m, FF-IV.A.2.v: attributes, in the header or dense."""

from generators.hdf5 import *


@valid("swmr-attribute-version", base=attributes)
def one_of_each(f):
    "Attributes of version 1, 2 and 3."
    f.root.attributes = [Attribute(b"version%d\0" % version, U8, (), b"\1", version)
                         for version in (1, 2, 3)]


for version in (0, 4):
    changed("swmr-attribute-version", f"version-{version}", f"An attribute has version {version}.",
            {"OHDR /: attribute.version": version}, base=attributes)
changed("swmr-attribute-version", "dense", "A dense attribute has version 0.",
        {"FHDB /@ 0: object 3.version": 0}, base=attributes_dense)


@valid("swmr-attribute-fits", base=attributes, keeps=["swmr-attribute-name",
                                                      "swmr-attribute-names-unique"])
def class_of_13_bytes(f):
    "CLASS, a string of 13 bytes."
    f.root.attributes = [Attribute(b"CLASS\0", string(13), (), b"ORDINARY_ONE\0")]


@invalid("swmr-attribute-fits", base=lambda: File(Group(attributes=[
    Attribute(b"a\0", U8, (0,))])))
def name_size(f):
    "The size of the name is one byte more than there is, in an attribute without values."
    f["OHDR /"]["attribute.name size"] = 3


@invalid("swmr-attribute-fits", base=attributes)
def value_short(f):
    "The value of an attribute is one byte short."
    f["OHDR /"]["attribute 1.value"] = bytes(7)


changed("swmr-attribute-fits", "datatype-size", "The size of the datatype is 0xffff.",
        {"OHDR /: attribute.datatype size": 0xFFFF}, base=attributes)


for name, value, shows in (("letter", b"CLASSX", "The name of an attribute ends with a letter."),
                           ("in-the-middle", b"CL\0SS\0", "A NUL stands in the middle of a name.")):
    changed("swmr-attribute-name", name, shows, {"OHDR /: attribute.name": value}, base=attributes)


@invalid("swmr-attribute-name", base=attributes)
def no_byte(f):
    "The name of an attribute has no byte, not even its NUL."
    f["OHDR /"]["attribute.name"] = b""
    f["OHDR /"]["attribute.name size"] = 0


@valid("swmr-attribute-flags", base=attributes)
def of_committed_datatype(f):
    "An attribute of a committed datatype."
    f.root.links["t"] = datatype = NamedDatatype(type=I32)
    f.root.attributes = [Attribute(b"a\0", datatype, (), b"\1\0\0\0")]


for flags in (4, 0x80):
    changed("swmr-attribute-flags", f"flags-{flags:02x}",
            f"The flags of an attribute are {flags:#04x}.",
            {"OHDR /: attribute.flags": flags}, base=attributes)


@valid("swmr-attribute-names-unique", base=attributes)
def of_another_case(f):
    "Attributes CLASS and class."
    f.root.attributes[1].name = b"class\0"


@invalid("swmr-attribute-names-unique", base=attributes)
def twice(f):
    "Two attributes VERSION."
    for each in f.root.attributes:
        each.name = b"VERSION\0"


@invalid("swmr-attribute-names-unique", base=attributes_dense)
def compact_and_dense(f):
    "An attribute a3 in the header, and one in the dense storage."
    f.root.header.extra = [Message("attribute", Attribute(b"a3\0", U8, (), b"\1").encode(f))]


@valid("swmr-attribute-info-version", base=attributes_dense)
def twenty_attributes(f):
    "A group with twenty attributes."
    f.root.attributes = [Attribute(b"a%d\0" % number, U8, (), b"\1") for number in range(20)]


changed("swmr-attribute-info-version", "version-1", "An attribute info message has version 1.",
        {"OHDR /: attribute info.version": 1}, base=attributes_dense)


@invalid("swmr-attribute-info-version", base=attributes_dense)
def without_name_index(f):
    "An attribute info message ends before the address of the name index."
    del f["OHDR /"]["attribute info.name index"]


changed("swmr-attribute-info-version", "flag-0",
        "A maximum creation index is announced, but not there.",
        {"OHDR /: attribute info.flags": 1}, base=attributes_dense)
changed("swmr-attribute-info-version", "flag-7",
        "An attribute info message has a flag that means nothing.",
        {"OHDR /: attribute info.flags": 128}, base=attributes_dense)
changed("swmr-attribute-info-version", "heap-undefined",
        "Attributes have a name index, but no heap.",
        {"OHDR /: attribute info.heap": None}, base=attributes_dense)
changed("swmr-attribute-info-version", "index-undefined",
        "Attributes have a heap, but no name index.",
        {"OHDR /: attribute info.name index": None}, base=attributes_dense)
