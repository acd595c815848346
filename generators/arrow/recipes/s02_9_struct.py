"""2.9: structs, and the names of fields."""

from generators.arrow import *

SHORTER, LONGER = "arrow-struct-child-not-shorter", "arrow-struct-child-not-longer"
pairs_of_ints = base_of((field("a", STRUCT, field("x", I32), field("y", I32)),
                         [(1, 2), None, (5, 6), (7, 8)]))


# Names --------------------------------------------------------------------------------------------

@valid("arrow-struct-child-name-present", base=structs)
def empty_name(f):
    "A child has an empty name."
    f.field("a.name").name = ""


@invalid("arrow-struct-child-name-present", base=base_of((field("a", STRUCT, field("x", I32)), [(1,)])),
         ambiguity="arrow-field-without-name")
def only_child(f):
    "The only child of a struct has no name."
    del f.field("a.x").name


@invalid("arrow-struct-child-name-present", base=in_file(pairs_of_ints))
def second_child(f):
    "The second child of a struct has no name."
    del f.field("a.y").name


@invalid("arrow-struct-child-name-present", base=maps)
def key_of_a_map(f):
    "The key of a map, which is a child of its entries, has no name."
    del f.field("a.entries.key").name


@valid("arrow-field-name-utf8", base=structs)
def umlaut(f):
    "Fields named größe and 大小."
    f.field("a.age").name, f.field("a").name = "大小", "größe"


for name, shows, content in (("byte-ff", "the byte FF", b"a\xff"), ("cut", "half a character", b"a\xc3"),
                             ("overlong", "an overlong slash", b"\xc0\xaf")):
    @invalid("arrow-field-name-utf8", name, f"The name of a field has {shows}.")
    def not_text(f, content=content):
        f.field("a").name = content


@invalid("arrow-field-name-utf8", base=structs)
def of_a_child(f):
    "The name of a struct's child has a surrogate."
    f.field("a.age").name = b"\xed\xa0\x80"


# Lengths ------------------------------------------------------------------------------------------

@valid(SHORTER, base=pairs_of_ints, keeps=[LONGER])
def equal(f):
    "A struct of 4 and children of 4."


@invalid(SHORTER, base=pairs_of_ints)
def three_under_four(f):
    "A child of 3 under a struct of 4."
    f.array("a").children[1] = array(field("y", I32), [2, 0, 6])


@invalid(SHORTER, base=in_file(pairs_of_ints))
def without_the_null_slot(f):
    "The children have values for the valid slots only."
    f.array("a").children = [array(field("x", I32), [1, 5, 7]), array(field("y", I32), [2, 6, 8])]


@invalid(SHORTER, base=pairs_of_ints)
def nothing(f):
    "A child of no slots."
    f.array("a").children[0] = array(field("x", I32), [])


@invalid(LONGER, base=pairs_of_ints, ambiguity="arrow-child-longer-than-parent")
def five_under_four(f):
    "A child of 5 under a struct of 4."
    f.array("a").children[1] = array(field("y", I32), [2, 0, 6, 8, 9])


@invalid(LONGER, base=pairs_of_ints, ambiguity="arrow-child-longer-than-parent")
def slice_not_cut(f):
    "All children have 8 slots under a struct of 4."
    f.array("a").children = [array(field(name, I32), [*range(8)]) for name in "xy"]


# What is free -------------------------------------------------------------------------------------

@valid("arrow-struct-hidden-child-values", base=structs)
def example_of_the_text(f):
    "A null struct over a valid integer."
    hidden = array(f.schema.fields[0], [("joe", 1), (None, 2), (None, 3), ("mark", 4)]).hide(2)
    f.batches[0].batch = Batch([hidden])


@valid("arrow-struct-without-children", base=base_of((field("a", STRUCT), [(), None, ()])),
       ambiguity="arrow-struct-of-nothing")
def no_fields(f):
    "Structs without fields, one of them null."


@valid("arrow-struct-without-children", base=in_file(base_of((field("a", STRUCT), [(), ()]))))
def absent_children(f):
    "A struct whose vector of children is left out."
    del f.field("a").children
