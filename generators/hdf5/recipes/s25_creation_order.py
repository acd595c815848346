"""III.A.2 of the File Format Specification: indexes of the order of creation."""

from generators.hdf5 import *

COUNT = 9


@reports("h5-risk-soft-link-dangling")
def in_order():
    """Nine soft links with a creation order, in a tree of names and in one of that order."""
    links = {f"n{i}": soft(b"x", order=i) for i in range(COUNT)}
    return File(Group(links=links, storage=dense_links(), tracked=COUNT, order=Tree(node_size=256)))


def attributes_in_order():
    """The same of attributes."""
    made = attributes_dense()
    made.root.attribute_order = Tree(node_size=256)
    made.root.header.ordered = made.root.header.indexed = True
    return made


ALL = ["h5-btree2-size-of-use", "h5-creation-order-record-order", "h5-creation-order-same-links",
       "h5-creation-order-value", "h5-creation-order-below-maximum"]
LINKS, ATTRIBUTES = "BTLF / order", "BTLF /@order"


@valid("h5-btree2-type-of-use", base=in_order, keeps=ALL)
def links_(f):
    "Nine links in the order of their creation."


@valid("h5-btree2-type-of-use", base=attributes_in_order, keeps=ALL + ["h5-attribute-record-flags"])
def attributes_(f):
    "Ten attributes in the order of their creation."


changed("h5-btree2-type-of-use", "5", "The tree of creation order of links has type 5.",
        {"BTHD / order: type": 5}, base=in_order)
changed("h5-btree2-type-of-use", "8", "The tree of creation order of attributes has type 8.",
        {"BTHD /@order: type": 8}, base=attributes_in_order)
changed("h5-btree2-size-of-use", "16", "The records of creation order of links have 16 bytes.",
        {"BTHD / order: record size": 16}, base=in_order)


changed("h5-creation-order-record-order", "one-of-nine", "The third of nine records has a creation order above all others.",
        {f"{LINKS}: record 2.order": 40}, base=in_order)
changed("h5-fractal-heap-id-reserved", "in-the-order-of-creation",
        "The id of a record of the creation order has reserved bits; the record of its name has none.",
        {f"{LINKS}: record 4.id.kind": 5}, base=in_order)


@invalid("h5-creation-order-record-order", base=in_order)
def exchanged(f):
    "Two records of a leaf are exchanged."
    f[LINKS].exchange("record 2", "record 3")


@invalid("h5-creation-order-same-links", base=in_order)
def one_twice(f):
    "Two records lead to one link, and none to another."
    f[LINKS]["record 4.id.offset"] = f[LINKS]["record 5.id.offset"]


@invalid("h5-creation-order-value", base=in_order)
def last_one_more(f):
    "The last record states a creation order that its link does not have."
    f[LINKS]["record 8.order"] = 9


@invalid("h5-creation-order-value", base=attributes_in_order)
def of_an_attribute(f):
    "The last record of an attribute states another creation order."
    f[ATTRIBUTES]["record 9.order"] = 10


changed("h5-creation-order-value", "of-a-link", "A link states a creation order above the maximum; its record does not.",
        {"FHDB: object 0.order": 40}, base=in_order)


@invalid("h5-creation-order-below-maximum", base=in_order)
def maximum_7(f):
    "The maximum is 7, and a link has the creation order 8."
    f["OHDR /"]["link info.maximum creation index"] = 7


for slug, flags in (("bit-7", 0x80), ("shared-never", 6)):
    changed("h5-attribute-record-flags", slug, f"The flags of an attribute's record are {flags:#x}.",
            {"BTLF /@ 0: record 1.flags": flags}, base=attributes_dense)
changed("h5-attribute-record-flags", "different", "The two records of an attribute have different flags.",
        {"BTLF /@order: record 1.flags": 1}, base=attributes_in_order)
