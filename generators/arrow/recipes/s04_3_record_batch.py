"""4.3: the record batch message: nodes, buffers, the body."""

from generators.arrow import *

ON_64, UNPADDED = "arrow-buffer-align-64", "arrow-buffer-length-unpadded"


@valid("arrow-node-length-not-negative", base=base_of((field("a", I32), [])))
def no_slots(f):
    "A node of length 0."


@invalid("arrow-node-length-not-negative", base=lists)
def child(f):
    "The node of a child has length -1."
    f.array("a").validity.values, f.array("a").null_count = [], 0
    f.array("a").offsets.values = [0, 0, 0, 0, 0]
    f.array("a.item").length = -1


@invalid("arrow-node-length-not-negative", base=base_of((field("a", I32), [1, 2])))
def smallest(f):
    "The node of a column has the smallest 64-bit integer as its length."
    f.array("a").length = -1 << 63


# Counts -------------------------------------------------------------------------------------------

NODES, BUFFERS = "arrow-batch-node-count", "arrow-batch-buffer-count"
example = base_of((field("col1", STRUCT, field("a", I32), field("b", LIST, field("item", I64)),
                         field("c", F64)), [(1, [2, 3], 0.5), None, (4, [], 1.5)]),
                  (field("col2", UTF8), ["x", None, "yz"]))


@valid(NODES, base=example, keeps=[BUFFERS])
def six(f):
    "The example of the text: 6 nodes and 12 buffers."


@invalid(NODES, base=example)
def one_less(f):
    "One node too few."
    f.batch.list_nodes = lambda nodes: nodes.pop()


@invalid(NODES, base=in_file(example))
def one_more(f):
    "One node too many."
    f.batch.list_nodes = lambda nodes: nodes.append([3, 0])


list_words = base_of((field("a", LIST, field("item", I32), dictionary=0), [0, 1]),
                     dictionaries=[(field("a", LIST, field("item", I32), dictionary=0), [[1], [2]])])


@invalid(NODES, base=list_words)
def child_of_an_encoded_list(f):
    "A dictionary column of lists has a node for the child of the lists."
    f.batch.list_nodes = lambda nodes: nodes.append([2, 0])


@invalid(NODES)
def absent_nodes(f):
    "The batch has no vector of nodes."
    def change(table):
        del table.header.nodes
    f.batches[0].change = change


@invalid(NODES, base=words)
def of_a_dictionary(f):
    "A dictionary batch has two nodes."
    f.dictionary.list_nodes = lambda nodes: nodes.append([3, 0])


@invalid(BUFFERS, base=base_of((field("a", I32), [1, 2])))
def elided_left_out(f):
    "The entry of a bitmap that is left out is left out, too."
    f.array("a").buffers.pop(0)


@invalid(BUFFERS, base=several_file)
def one_surplus(f):
    "An entry more than the columns need."
    f.batch.extra = [Buffer([])]


@invalid(BUFFERS, base=list_words)
def of_the_child(f):
    "A dictionary column of lists has the buffers of the child."
    f.batch.extra = [Buffer([]), Buffer([1, 2], 4)]


@invalid(BUFFERS)
def absent_buffers(f):
    "The batch has no vector of buffers."
    def change(table):
        del table.header.buffers
    f.batches[0].change = change


ORDER = "arrow-batch-preorder"


@valid(ORDER, base=in_file(example))
def struct_first(f):
    "A struct, its children, the next column."


@invalid(ORDER, alias="arrow-primitive-data-size", also=[UNPADDED],
         base=base_of((field("s", STRUCT, field("x", I64)), [(1,), (2,), (3,)]),
                      (field("t", I8), [4, 5, 6])))
def breadth_first(f):
    "The child of a struct follows all columns."
    child = f.array("s").children.pop()
    f.batch.arrays.append(child)


@invalid(ORDER, alias="arrow-batch-column-length",
         base=base_of((field("l", LIST, field("item", I32)), [[1], [2]]), (field("b", I32), [3, 4])))
def child_behind_the_columns(f):
    "The child of a list, which has 5 values, follows the next column."
    f.array("l").children.clear()
    f.batch.arrays.append(array(field("item", I32), [1, 2, 3, 4, 5]))


@invalid(ORDER, alias="arrow-null-count-exact",
         base=base_of((field("s", STRUCT, field("x", I8)), [(None,), (None,), (3,)]),
                      (field("t", I8), [4, None, 6])))
def nodes_alone(f):
    "The nodes stand in breadth-first order, the buffers do not."
    f.batch.list_nodes = lambda nodes: nodes.insert(2, nodes.pop(1))


@invalid(ORDER, alias="arrow-primitive-data-size", also=[UNPADDED],
         base=base_of((field("a", I8), [1, 2, 3]), (field("b", I64), [4, 5, 6])))
def other_columns(f):
    "The columns stand in another order than in the schema."
    f.batch.arrays.reverse()


# Ranges -------------------------------------------------------------------------------------------

NOT_NEGATIVE, LENGTH, IN_BODY = ("arrow-buffer-offset-not-negative", "arrow-buffer-length-not-negative",
                                 "arrow-buffer-in-body")


@valid(IN_BODY, base=base_of((field("a", I32), [*range(16)])), keeps=[NOT_NEGATIVE, LENGTH])
def ends_with_the_body(f):
    "A buffer at 0 that ends with the body."


# One column, whose values are elsewhere, before another that fills the body.
lost = base_of((field("a", I8), [*range(8)]), (field("b", I64), [*range(8)]))


def state(buffer, offset, length):
    """Only its entry is there."""
    buffer.stored, buffer.offset, buffer.length = b"", offset, length


@invalid(NOT_NEGATIVE, base=lost)
def minus_64(f):
    "The offset of a buffer is -64."
    state(f.array("a").data, -64, 8)


@invalid(NOT_NEGATIVE, base=in_file(lost))
def smallest_offset(f):
    "The offset of a buffer is the smallest 64-bit integer."
    state(f.array("a").data, -1 << 63, 8)


@invalid(LENGTH, base=lost)
def minus_1(f):
    "The length of a buffer is -1."
    state(f.array("a").data, 0, -1)


@invalid(LENGTH, base=in_file(lost))
def smallest_length(f):
    "The length of a buffer is the smallest 64-bit integer."
    state(f.array("a").data, 0, -1 << 63)


# 16 offsets fill the first 64 bytes, the data follow.
fifteen = base_of((field("a", BINARY), [b"joe", b"mark", *13 * [b""]]))


@invalid(IN_BODY, base=fifteen)
def one_more_byte(f):
    "A buffer ends one byte beyond the body."
    f.batch.end_align = 8
    f.array("a").data.length = 9


@invalid(IN_BODY, base=fifteen)
def sum_of_2_63(f):
    "Offset and length of a buffer add up to 2^63."
    state(f.array("a").data, 1 << 62, 1 << 62)


@invalid(IN_BODY, base=in_file(fifteen))
def from_the_message(f):
    "The offset of the data is counted from the start of the message."
    f.batch.end_align = 8
    f.array("a").data.offset = 64 + 256


@invalid(IN_BODY, base=fifteen)
def behind_the_body(f):
    "A buffer of one byte at the end of the body."
    state(f.array("a").data, 64, 1)


EMPTY = "arrow-buffer-empty-offset-any"
for name, offset in (("3", 3), ("2-to-40", 1 << 40), ("minus-1", -1)):
    @valid(EMPTY, name, f"An empty buffer at {offset}.", base=in_file(base_of((field("a", I32), [1, 2]))),
           ambiguity="arrow-zero-length-buffers")
    def anywhere(f, offset=offset):
        f.array("a").validity.offset = offset


ALIGNED = "arrow-buffer-offset-aligned"


@valid(ALIGNED, informs={ON_64},
       base=base_of((field("a", I32), [1, None, 3]), (field("b", I64), [4, 5, 6])))
def at_0_8_and_24(f):
    "Buffers at 0, 8 and 24."
    f.batch.align = 8


@invalid(ALIGNED, base=ints, also=[ON_64])
def at_4(f):
    "A bitmap lies at 0, the values at 4."
    f.array("a").data.align = 4


@invalid(ALIGNED, base=texts, also=[ON_64])
def behind_the_bitmap(f):
    "The offsets follow the one byte of the bitmap."
    f.array("a").offsets.align = 1


@invalid(ALIGNED, base=base_of((field("a", I8), [1, 2, 3]), (field("b", LARGE_UTF8), ["x", "y", "z"])),
         also=[ON_64])
def large_offsets_at_12(f):
    "64-bit offsets at 12."
    f.array("b").validity.align = f.array("b").offsets.align = 4
    f.array("b").offsets.before = 8


OVERLAP = "arrow-buffer-no-overlap"


@valid(OVERLAP, base=base_of((field("a", I64), [*range(8)]), (field("b", I64), [*range(8)])))
def end_to_end(f):
    "Buffers that lie end to end."


@invalid(OVERLAP, base=base_of((field("a", I32), [1, 2]), (field("b", I32), [1, 2])))
def two_columns_over_one(f):
    "Two columns have one data buffer."
    f.batch.arrays[1].buffers[1] = f.batch.arrays[0].buffers[1]


@invalid(OVERLAP, base=in_file(base_of((field("a", BINARY), [b"joe", b"mark"]))),
         also=[ON_64, "arrow-buffer-length-unpadded"])
def four_bytes_into_the_data(f):
    "The offsets buffer ends 4 bytes inside the data."
    f.batch.align = 8
    f.array("a").offsets.length = 20


@valid("arrow-buffer-order", base=two_batches)
def as_listed(f):
    "The buffers lie as they are listed."


@invalid("arrow-buffer-order", base=base_of((field("a", I32), [1, 2]), (field("b", I32), [3, 4])))
def second_column_first(f):
    "The data of the second column lie before those of the first."
    f.batch.order = [0, 2, 3, 1]


GAP = "arrow-body-no-unreferenced-bytes"


@valid(GAP, base=base_of((field("a", I8), [1]), (field("b", I8), [2])))
def gap_of_63(f):
    "63 bytes between two buffers, and 63 after them."


@invalid(GAP, base=base_of((field("a", I8), [1]), (field("b", I8), [2])))
def kibibyte(f):
    "1 KiB between two buffers."
    f.array("b").data.before = 1024


@invalid(GAP, base=nulls)
def no_buffer_at_all(f):
    "A body of 64 bytes and no buffer."
    f.batches[0].body = bytes(64)


@invalid(GAP, base=ints_file)
def at_the_end(f):
    "128 bytes after the last buffer."
    f.batch.tail = bytes(128)


@invalid(GAP, base=ints)
def at_the_start(f):
    "64 bytes before the first buffer."
    f.array("a").validity.before = 64



@valid(UNPADDED, base=large_texts, ambiguity="arrow-buffer-size-padded")
def exact(f):
    "Lengths without padding."


@invalid(UNPADDED, ambiguity="arrow-buffer-size-padded")
def sixty_four(f):
    "64 for five 32-bit integers."
    f.array("a").data.values += 11 * [0]


@invalid(UNPADDED, base=texts, ambiguity="arrow-buffer-size-padded")
def offsets(f):
    "24 for five 32-bit offsets."
    f.array("a").offsets.values.append(0)


for length in (20, 24):
    @valid("arrow-buffer-length-padded-accepted", str(length), f"{length} for five 32-bit integers.",
           informs={UNPADDED} if length > 20 else ())
    def accepted(f, length=length):
        f.array("a").data.length = length
