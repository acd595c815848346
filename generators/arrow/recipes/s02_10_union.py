"""2.10: unions."""

from generators.arrow import *

KNOWN, IN_CHILD = "arrow-union-type-id-known", "arrow-dense-union-offset-in-child"
ASCENDING = "arrow-dense-union-offsets-ascending"


@valid("arrow-union-null-count-zero", base=dense, keeps=["arrow-batch-buffer-count",
                                                         "arrow-union-without-bitmap"])
def nulls_in_the_child(f):
    "A dense union with a null in a child: the null count of the union is 0."


@invalid("arrow-union-null-count-zero", base=dense)
def nulls_of_the_children(f):
    "The null count of a dense union is that of its children."
    f.array("a").null_count = 1


@invalid("arrow-union-null-count-zero", base=in_file(sparse))
def the_length(f):
    "The null count of a sparse union is its length."
    f.array("a").null_count = 6


@invalid("arrow-union-without-bitmap", base=dense, alias="arrow-batch-buffer-count")
def bitmap_before_dense(f):
    "A dense union of V5 with the bitmap that V4 has."
    f.array("a").buffers.insert(0, Buffer([0x0F]))


@invalid("arrow-union-without-bitmap", base=sparse, alias="arrow-batch-buffer-count")
def elided_bitmap_before_sparse(f):
    "A sparse union of V5 with the entry of an empty bitmap."
    f.array("a").buffers.insert(0, Buffer([]))


# Type ids -----------------------------------------------------------------------------------------

@valid("arrow-union-type-ids-buffer-size", base=dense, keeps=["arrow-dense-union-offsets-size"])
def four_bytes(f):
    "4 slots, 4 type ids, 4 offsets."


@invalid("arrow-union-type-ids-buffer-size", base=dense)
def three_bytes(f):
    "4 slots, 3 type ids."
    f.array("a").ids.values.pop()


@invalid("arrow-union-type-ids-buffer-size", base=sparse)
def no_bytes(f):
    "6 slots, no type ids."
    f.array("a").ids.values = []


@valid(KNOWN, base=sparse, keeps=["arrow-union-type-ids-any-values"])
def five_and_seven(f):
    "Type ids 5 and 7."


@invalid(KNOWN, base=dense)
def third_of_two(f):
    "Type id 2 in a union of two children."
    f.array("a").ids.values[3] = 2


@invalid(KNOWN, base=sparse)
def position_for_id(f):
    "Type id 0, the position of the child, where the ids are 5 and 7."
    f.array("a").ids.values[0] = 0


@invalid(KNOWN, base=in_file(dense))
def minus_one(f):
    "Type id -1, which elsewhere marks a null."
    f.array("a").ids.values[1] = -1


# Dense --------------------------------------------------------------------------------------------

@invalid("arrow-dense-union-offsets-size", base=dense)
def three_offsets(f):
    "4 slots, 3 offsets."
    f.array("a").offsets.values.pop()


@invalid("arrow-dense-union-offsets-size", base=dense)
def one_byte_each(f):
    "Offsets of one byte."
    f.array("a").offsets.width = 1


@valid(IN_CHILD, base=dense, keeps=[ASCENDING])
def last_slots(f):
    "Offsets 0, 1, 2 into a child of 3, and 0 into one of 1."


@invalid(IN_CHILD, base=dense)
def length_of_the_child(f):
    "An offset is the length of the child."
    f.array("a").offsets.values[3] = 1


@invalid(IN_CHILD, base=dense)
def negative_offset(f):
    "An offset is -1."
    f.array("a").offsets.values[0] = -1


@invalid(IN_CHILD, base=in_file(dense))
def into_the_union(f):
    "The offsets are the numbers of the slots."
    f.array("a").offsets.values = [0, 1, 2, 3]


@valid(ASCENDING, base=dense, keeps=["arrow-dense-union-child-slots-unused"],
       ambiguity="arrow-dense-offsets-strict")
def equal_neighbours(f):
    "Two slots have the same offset."
    f.array("a").offsets.values = [0, 0, 2, 0]


@valid(ASCENDING, base=dense)
def in_turn(f):
    "Two children in turn: types 0, 1, 0, 1, offsets 0, 0, 1, 1."
    f.batches[0].batch = Batch([array(f.schema.fields[0], [(0, 1.0), (1, 2), (0, 3.0), (1, 4)])])


@invalid(ASCENDING, base=dense)
def one_then_zero(f):
    "Offsets 1, 0 into the same child."
    f.array("a").offsets.values = [1, 0, 2, 0]


@invalid(ASCENDING, base=dense)
def one_child_of_two(f):
    "The offsets into the second child go back, those into the first do not."
    f.batches[0].batch = Batch([array(f.schema.fields[0], [(0, 1.0), (1, 2), (0, 3.0), (1, 4)])])
    f.array("a").offsets.values = [0, 1, 1, 0]


@valid("arrow-dense-union-child-slots-unused", base=dense)
def one_unused(f):
    "A child of 3 slots and the offsets 0 and 2."
    made = array(f.schema.fields[0], [(0, 1.5), (0, 2.5), (1, 5)])
    made.offsets.values[1] = 2
    made.children[0] = array(f.schema.fields[0].children[0], [1.5, None, 2.5])
    f.batches[0].batch = Batch([made])


# How many -----------------------------------------------------------------------------------------

def of_children(count, ids=None):
    children = [field(f"c{i}", I8) for i in range(count)]
    last = count - 1 if count <= 128 else 1
    return base_of((field("a", union(DENSE, ids), *children), [(0, 5), (last, 6)]))


@valid("arrow-union-children-limit", base=of_children(128), ambiguity="arrow-union-127-or-128",
       keeps=["arrow-union-type-ids-range"])
def all_ids(f):
    "128 children, the last one used."


other("arrow-union-children-limit", "one-more", "129 children.", of_children(128), of_children(129))


@invalid("arrow-union-children-limit", base=of_children(200),
         also=["arrow-union-type-ids-unique"])
def repeated_ids(f):
    "200 children whose type ids repeat."
    f.field("a").type.typeIds = [i % 128 for i in range(200)]


# Sparse -------------------------------------------------------------------------------------------

SHORTER, LONGER = "arrow-sparse-union-child-not-shorter", "arrow-sparse-union-child-not-longer"
numbers = base_of((field("a", union(SPARSE), field("i", I32), field("j", I64)),
                   [(0, 1), (1, 2), (0, 3), (1, 4), (0, 5), (1, 6)]))


@valid(SHORTER, base=numbers, keeps=[LONGER])
def six_and_six(f):
    "A union of 6 and children of 6."


@invalid(SHORTER, base=numbers)
def five_under_six(f):
    "A child of 5 under a union of 6."
    f.array("a").children[0] = array(field("i", I32), [1, 2, 3, 4, 5])


@invalid(SHORTER, base=numbers)
def as_if_dense(f):
    "The children are those of a dense union."
    f.array("a").children = [array(field("i", I32), [1, 3, 5]), array(field("j", I64), [2, 4, 6])]


@invalid(LONGER, base=numbers, ambiguity="arrow-child-longer-than-parent")
def eight_under_six(f):
    "A child of 8 under a union of 6."
    f.array("a").children[1] = array(field("j", I64), [*range(8)])


@invalid(LONGER, base=in_file(numbers), ambiguity="arrow-child-longer-than-parent")
def slice_not_cut(f):
    "All children have 8 slots under a union of 6."
    f.array("a").children = [array(field("i", I32), [*range(8)]), array(field("j", I64), [*range(8)])]


@valid("arrow-sparse-union-unselected-any", base=sparse,
       keeps=["arrow-sparse-union-unselected-correct"])
def nulls_and_others(f):
    "Slots that are not selected are null, zero, or other values."
    f.array("a").children = [array(field("i", I32), [5, None, 4, 99, None, 0]),
                             array(field("s", UTF8), ["not", "joe", None, "mark", "", "x"])]


@valid("arrow-sparse-union-unselected-any", base=base_of((
    field("a", union(SPARSE), field("i", I8), field("d", UTF8, dictionary=0)),
    [(0, 1), (1, 0), (0, 2)]), dictionaries=[("a.d", ["x"])]))
def key_that_is_none(f):
    "A slot that is not selected has key 77 of a dictionary of one value."
    f.array("a").children[1].data.values[0] = 77


@invalid("arrow-sparse-union-unselected-correct", base=sparse, alias="arrow-utf8-values-valid")
def text_that_is_none(f):
    "A slot that is not selected has a text with the byte FF."
    f.array("a").children[1] = array(field("s", BINARY), [b"\xff", b"joe", b"", b"mark", b"", b"x"])


@invalid("arrow-sparse-union-unselected-correct", alias="arrow-list-offsets-in-child",
         base=base_of((field("a", union(SPARSE), field("i", I8), field("l", LIST, field("item", I8))),
                       [(0, 1), (1, [1, 2]), (0, 3)])))
def list_past_its_child(f):
    "The last slot, which is not selected, is a list that runs past its child."
    f.array("a").children[1].offsets.values[-1] += 1


@invalid("arrow-sparse-union-unselected-correct", alias="arrow-binary-offsets-ascending", base=sparse)
def offsets_that_go_back(f):
    "The offsets of a text that is not selected go back."
    f.array("a").children[1].offsets.values[1] = 2
    f.array("a").children[1].offsets.values[2] = 1
