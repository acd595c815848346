"""2.1 to 2.4: alignment and padding, lengths, null counts, validity bitmaps."""

from generators.arrow import *

ON_64, PADDED = "arrow-buffer-align-64", "arrow-buffer-length-unpadded"


# 2.1 ----------------------------------------------------------------------------------------------

@valid(ON_64, base=texts)
def three_buffers(f):
    "Validity, offsets and data of a column of texts lie at 0, 64 and 128."


@valid(ON_64, base=ints_file, informs={ON_64}, keeps=["arrow-buffer-offset-aligned"])
def all_on_8(f):
    "The buffers lie at 0 and 8, which is conformant."
    f.batch.align = 8


@invalid(ON_64)
def second_at_8(f):
    "The data buffer lies at 8."
    f.batch.align = 8


@invalid(ON_64, base=several_file)
def all_at_odd_eights(f):
    "The buffers lie on multiples of 8 only, the first one at 8."
    f.batch.align = 8
    f.batch.buffers()[1].before = 8


@valid("arrow-padding-any", base=several, keeps=["arrow-message-body-padded"])
def filled(f):
    "Every byte of the body that is in no buffer is 0xAA."
    f.batch.fill = 0xAA


@invalid("arrow-body-padded-to-8", "next-buffer", "The buffer after 7 bytes of text follows at once.",
         base=base_of((field("s", UTF8), ["joe", "mark"]), (field("i", I32), [1, 2])),
         alias="arrow-buffer-offset-aligned", also=[ON_64])
def next_buffer(f):
    for buffer in f.array("i").buffers:
        buffer.align = 1


@invalid("arrow-body-padded-to-8", "last-buffer", "The body ends with 7 bytes of text.",
         base=base_of((field("s", UTF8), ["joe", "mark"])), alias="arrow-message-body-padded")
def last_buffer(f):
    f.batch.end_align = 1


@valid("arrow-body-padded-to-8", base=base_of((field("s", UTF8), ["joe", "mark"]),
                                              (field("i", I32), [1, 2])), informs={ON_64})
def seven_and_one(f):
    "7 bytes of text, and the next buffer 8 bytes on."
    f.batch.align = 8


# 2.2 ----------------------------------------------------------------------------------------------

def nulls_of(count):
    return Array("Null", count, count, [])


@valid("arrow-batch-length-within-int31", base=nulls)
def largest(f):
    "2147483647 rows of type Null."
    f.batches[0].batch = Batch([nulls_of((1 << 31) - 1)])


@invalid("arrow-batch-length-within-int31", base=nulls)
def one_more(f):
    "2147483648 rows of type Null."
    f.batches[0].batch = Batch([nulls_of(1 << 31)])


@invalid("arrow-batch-length-within-int31", base=base_of((field("a", lists_of(0), field("item", I8)),
                                                          [])))
def empty_lists(f):
    "2^31 fixed-size lists of size 0, whose child has 3 values."
    f.array("a").children = [array(field("item", I8), [1, 2, 3])]
    f.array("a").length = f.batch.length = 1 << 31


@invalid("arrow-batch-length-within-int31", base=lists)
def child_of_nulls(f):
    "A list of one slot, whose child of type Null has 2^31 slots that no offset reaches."
    f.schema.fields = [field("a", LIST, field("item", NULL))]
    made = array(f.schema.fields[0], [[None]])
    made.children = [nulls_of(1 << 31)]
    f.batches[0].batch = Batch([made])


@valid("arrow-lengths-are-int64")
def two_of_eight_bytes(f):
    "A node of length 5 and null count 1 in 16 bytes."


@invalid("arrow-lengths-are-int64", alias="arrow-fb-vector-in-bounds",
         base=base_of((field("a", I32), [1]), (field("b", I32), [2]), (field("c", I32), [3])))
def nodes_of_eight_bytes(f):
    "The nodes of three columns have two 32-bit numbers each."
    message = f.batches[0]
    message.style = Style(last_first=True)
    node = integer(1, 4) + integer(0, 4)
    message.content = lambda metadata: metadata[:-48] + 3 * node


# 2.3 ----------------------------------------------------------------------------------------------

@valid("arrow-node-null-count-not-negative", base=several,
       keeps=["arrow-null-count-exact", "arrow-node-null-count-within-length"])
def zero(f):
    "A null count of 0, and some that are not."


@invalid("arrow-node-null-count-not-negative")
def unknown(f):
    "The null count is -1, which in memory means that it is not known."
    f.array("a").null_count = -1


@invalid("arrow-node-null-count-not-negative")
def smallest(f):
    "The null count is the smallest 64-bit integer."
    f.array("a").null_count = -1 << 63


@invalid("arrow-node-null-count-not-negative", base=lists)
def of_a_child(f):
    "The null count of the child of a list is -1."
    f.array("a.item").null_count = -1


all_null = base_of((field("a", I32), 7 * [None]))


@valid("arrow-node-null-count-within-length", base=all_null,
       keeps=["arrow-null-count-exact", "arrow-validity-present"])
def all_of_them(f):
    "All 7 of 7 slots are null."


@invalid("arrow-node-null-count-within-length", base=all_null)
def one_too_many(f):
    "A null count of 8 for 7 slots."
    f.array("a").null_count = 8


@invalid("arrow-node-null-count-within-length", base=base_of((field("a", I32), [])))
def in_nothing(f):
    "A null count of 1 for no slots."
    f.array("a").null_count = 1


@valid("arrow-null-count-exact", keeps=["arrow-validity-size", "arrow-validity-padding-zero"])
def one_of_five(f):
    "5 slots, bitmap 0x1D, null count 1: the example of the text."


@invalid("arrow-null-count-exact", ambiguity="arrow-bitmap-with-count-zero")
def zero_with_a_null(f):
    "The null count is 0 although bit 1 is zero."
    f.array("a").null_count = 0


@invalid("arrow-null-count-exact", base=ints_file)
def two_for_one(f):
    "The null count is 2 with one zero bit."
    f.array("a").null_count = 2


@invalid("arrow-null-count-exact")
def over_the_padding(f):
    "The null count is that of the 8 bits of the bitmap, of which 5 are used."
    f.array("a").null_count = 4


@invalid("arrow-null-count-exact", base=structs)
def nulls_of_the_child(f):
    "The null count of a struct counts the nulls of its first child, too."
    f.array("a").null_count += 1


@invalid("arrow-null-count-exact",
         base=base_of((field("a", UTF8, dictionary=0), [0, 2, 1]),
                      dictionaries=[("a", ["foo", "bar", None])]))
def nulls_of_the_dictionary(f):
    "A dictionary column without nulls counts the key of a null value."
    f.array("a").with_bitmap().null_count = 1


# 2.4 ----------------------------------------------------------------------------------------------

@valid("arrow-validity-present", base=base_of((field("a", I32), [1, 2, 3, 4, 8])),
       keeps=["arrow-validity-elided"])
def without_nulls(f):
    "No nulls, and an empty validity buffer."


for name, base in (("ints", ints), ("struct", structs), ("list", lists), ("fixed-size-list", fixed_lists),
                   ("texts", texts), ("bools", bools)):
    @invalid("arrow-validity-present", name, f"Nulls but an empty validity buffer: {name}.", base=base)
    def emptied(f):
        f.array("a").validity.values = []


@invalid("arrow-validity-present", base=words_file)
def keys(f):
    "The keys of a dictionary column have a null but no bitmap."
    f.array("a").validity.values = []


@invalid("arrow-validity-present", base=words)
def dictionary_values(f):
    "A dictionary has a null count of 1 but no bitmap."
    f.dictionary.arrays[0].null_count = 1


nine = base_of((field("a", I8), [*range(9)]))


@valid("arrow-validity-size", base=nine)
def two_bytes_for_nine(f):
    "9 slots and a bitmap of 2 bytes."
    f.array("a").with_bitmap()


@invalid("arrow-validity-size", base=nine)
def one_byte_for_nine(f):
    "9 slots and a bitmap of 1 byte."
    f.array("a").with_bitmap().validity.values.pop()


@invalid("arrow-validity-size", base=base_of((field("a", I8), [None, *range(64)])))
def eight_bytes_for_65(f):
    "65 slots and a bitmap of 8 bytes."
    f.array("a").validity.values.pop()


@invalid("arrow-validity-size", base=base_of((field("a", LIST, field("item", I8)),
                                              [[*range(20)], [None]])))
def of_the_parent(f):
    "The bitmap of a list's child is as large as the list would need it."
    f.array("a.item").validity.values = [0xFF]


@valid("arrow-validity-padding-zero", informs={PADDED},
       keeps=["arrow-buffer-length-padded-accepted"])
def seven_zero_bytes(f):
    "Bitmap 0x1D followed by seven zero bytes that belong to the buffer."
    f.array("a").validity.values += 7 * [0]


@invalid("arrow-validity-padding-zero", base=base_of((field("a", I32), [1, 2, 3, 4, 8])),
         ambiguity="arrow-bitmap-tail")
def all_ones(f):
    "Bitmap 0xFF for 5 slots without nulls."
    f.array("a").validity.values = [0xFF]


@invalid("arrow-validity-padding-zero", also=[PADDED])
def surplus_byte(f):
    "A second byte 0xFF after the bitmap of 5 slots."
    f.array("a").validity.values += [0xFF]


@invalid("arrow-validity-padding-zero", base=structs)
def bits_of_the_neighbours(f):
    "The bitmap of a struct was cut from a longer one, whose bits are still there."
    f.array("a").validity.values[0] |= 0xA0


six = base_of((field("a", I32), [0, 1, None, 2, None, 3]))


@valid("arrow-validity-lsb-first", base=six)
def least_significant_first(f):
    "[0, 1, null, 2, null, 3] has the bitmap 0x2B."


@invalid("arrow-validity-lsb-first", base=six, alias="arrow-null-count-exact")
def reversed_bits(f):
    "[0, 1, null, 2, null, 3] with the bitmap 0xD4."
    f.array("a").validity.values = [0xD4]


@valid("arrow-validity-elided", base=several_file)
def one_elided(f):
    "A column without nulls has the entry of a bitmap, with no bytes."


@valid("arrow-validity-elided", base=structs)
def in_a_child(f):
    "A struct and its children without bitmaps."
    f.batches[0].batch = Batch([array(f.schema.fields[0], [("a", 1), ("b", 2)])])


@valid("arrow-validity-allocated-without-nulls", base=base_of((field("a", I32), [1, 2, 3, 4, 8])),
       keeps=["arrow-validity-padding-zero"])
def five_ones(f):
    "Bitmap 0x1F for 5 slots without nulls."
    f.array("a").with_bitmap()


@valid("arrow-nested-own-validity", base=structs, keeps=["arrow-struct-hidden-child-values"])
def either_way_round(f):
    "A null struct slot over valid children, and a valid one over a null child."
    f.batches[0].batch = Batch([array(f.schema.fields[0],
                                      [("joe", 1), (None, 2), ("hidden", 3), ("mark", 4)]).hide(2)])


@valid("arrow-nested-own-validity", base=lists)
def null_list_over_values(f):
    "A null list slot whose child values are valid."
    f.batches[0].batch = Batch([array(f.schema.fields[0], [[1, None], [2, 3], [4]]).hide(1)])


# What is under a null -----------------------------------------------------------------------------

@valid("arrow-null-slot-content-any", base=binaries, keeps=["arrow-utf8-values-valid"])
def bytes_that_are_no_text(f):
    "A null text over the bytes FF FE."
    f.batches[0].batch = Batch([array(f.schema.fields[0], [b"joe", b"\xff\xfe", b"x"]).hide(1)])
    f.schema.fields = [field("a", UTF8)]


@valid("arrow-null-slot-content-any", base=words, keeps=["arrow-dictionary-index-in-range"])
def key_999(f):
    "A null slot of a dictionary column has the key 999."
    f.array("a").data.values[2] = 999


@valid("arrow-null-slot-content-any", base=words_file, keeps=["arrow-dictionary-index-not-negative"])
def key_minus_one(f):
    "A null slot of a dictionary column has the key -1."
    f.array("a").data.values[2] = -1


@valid("arrow-null-slot-content-any", ambiguity="arrow-under-null-parents",
       base=base_of((field("a", STRUCT, field("d", UTF8, dictionary=0)), [None, None]),
                    dictionaries=[("a.d", [])]), keeps=["arrow-dictionary-unused"])
def key_under_a_null_struct(f):
    "Null structs over key 0 of an empty dictionary."


@valid("arrow-null-slot-content-any", base=lists, ambiguity="arrow-under-null-parents",
       keeps=["arrow-list-null-slot-not-empty"])
def text_under_a_null_list(f):
    "A null list over texts that are not UTF-8; a null fixed-size list over a time of 30 hours."
    columns = [field("a", LIST, field("item", UTF8)),
               field("b", lists_of(1), field("item", time(SECOND, 32)))]
    f.schema.fields = columns
    below = array(field("item", BINARY), [b"x", b"\xff", b"\xfe"])
    outer = array(columns[0], [["x"], ["1", "2"]]).hide(1)
    outer.children = [below]
    f.batches[0].batch = Batch([outer, array(columns[1], [[3600], [108000]]).hide(1)])


@valid("arrow-null-slot-content-any", base=fixed_binaries)
def date_decimal_and_time(f):
    "Null slots over a date that is not a whole day, a decimal of 3 digits and a time of 25 hours."
    f.schema.fields = [field("date", DAY_MS), field("decimal", decimal(2)),
                       field("time", time(NANO, 64))]
    f.batches[0].batch = Batch([array(of, [0, value]).hide(1) for of, value in
                                zip(f.schema.fields, (1, 100, 90000 * 10**9))])
