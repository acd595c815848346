"""2.6 and 2.7: binary and lists of variable size, which have offsets."""

from generators.arrow import *

ANY_LENGTH = "arrow-batch-length-within-int31"

numbers = base_of((field("a", LIST, field("item", I32)), [[1, 2, 3], [], [4, 5, 6, 7]]))
large_numbers = base_of((field("a", LARGE_LIST, field("item", I32)), [[1, 2, 3], [], [4, 5, 6, 7]]))
bytes_of_seven = base_of((field("a", BINARY), [b"joe", b"", b"mark"]))
large_texts_of_seven = base_of((field("a", LARGE_UTF8), ["joe", "", "mark"]))
KINDS = {"binary": (bytes_of_seven, large_texts_of_seven), "list": (numbers, large_numbers)}


def cut(buffer, by):
    buffer.content = buffer.bytes("little")[:-by]


for kind, (small, large) in KINDS.items():
    SIZE, FIRST, ASCENDING, IN, ZERO = (
        f"arrow-{kind}-{rule}" for rule in
        ("offsets-size", "first-offset-not-negative", "offsets-ascending",
         "offsets-in-data" if kind == "binary" else "offsets-in-child", "offsets-start-at-zero"))

    @valid(SIZE, "exact", "Four 32-bit offsets for three slots.", base=small,
           keeps=[FIRST, ASCENDING, IN, ZERO])
    def exact(f):
        pass

    @valid(SIZE, "exact-large", "Four 64-bit offsets for three slots.", base=large,
           keeps=[FIRST, ASCENDING, IN, ZERO])
    def exact_large(f):
        pass

    @invalid(SIZE, "last-missing", "The last offset is missing.", base=small)
    def last_missing(f):
        cut(f.array("a").offsets, 4)

    @invalid(SIZE, "one-byte-short", "The offsets lack one byte.", base=in_file(large))
    def one_byte_short(f):
        cut(f.array("a").offsets, 1)

    @invalid(SIZE, "large-of-4-bytes", "The offsets of a large type have 4 bytes.", base=large)
    def large_of_4_bytes(f):
        f.array("a").offsets.width = 4

    @invalid(SIZE, "empty", "Three slots and an empty offsets buffer.", base=small)
    def empty(f):
        f.array("a").offsets.values = []

    @invalid(SIZE, "two-bytes-for-nothing", "No slots, and an offsets buffer of 2 bytes.",
             base=base_of((small().field("a"), [])))
    def two_bytes(f):
        f.array("a").offsets.content = bytes(2)

    @invalid(SIZE, "sum-wraps", "2^63 - 1 slots: the number of offsets is negative in 64 bits.",
             base=small, also=[ANY_LENGTH])
    def sum_wraps(f):
        f.batch.length = f.array("a").length = (1 << 63) - 1

    for name, base, value in (("minus-4", small, -4), ("smallest", large, -1 << 63)):
        @invalid(FIRST, name, f"The first offset is {value}.", base=base)
        def negative(f, value=value):
            f.array("a").offsets.values[0] = value

    @invalid(ASCENDING, "goes-back", "Offsets 0, 5, 3, 7.", base=small,
             ambiguity="arrow-offsets-may-descend")
    def goes_back(f):
        f.array("a").offsets.values[1:3] = 5, 3

    @invalid(ASCENDING, "at-a-null", "A null slot has the offsets 7 and 3.", base=small,
             ambiguity="arrow-offsets-may-descend")
    def at_a_null(f):
        f.array("a").hide(1).offsets.values[1:] = 7, 3, 7

    @invalid(ASCENDING, "in-the-high-word", "64-bit offsets that go back in the high word only.",
             base=large)
    def in_the_high_word(f):
        f.array("a").offsets.values[1] = 1 << 32 | 3

    @invalid(ASCENDING, "last-negative", "The last offset is -1.", base=small)
    def last_negative(f):
        f.array("a").offsets.values[-1] = -1

    @invalid(IN, "one-past", "The last offset is 8, of 7.", base=small)
    def one_past(f):
        f.array("a").offsets.values[-1] = 8

    @invalid(IN, "large-far-past", "The last 64-bit offset is 2^32 + 7: in 32 bits it would fit.",
             base=in_file(large))
    def far_past(f):
        f.array("a").offsets.values[-1] = (1 << 32) + 7

    @invalid(ZERO, "slice", "Offsets that begin at 3.", base=small)
    def of_a_slice(f):
        f.array("a").offsets.values[0] = 3

    @valid(ASCENDING, "equal", "All offsets are equal: every slot is empty.", base=small,
           keeps=[f"arrow-{kind}-{'data' if kind == 'binary' else 'child'}-longer"])
    def equal(f):
        f.array("a").offsets.values[:] = [0, 0, 0, 0]

    EMPTY = f"arrow-{kind}-empty-array-without-offsets"
    empty_array = base_of((small().field("a"), []))

    @valid(EMPTY, "no-bytes", "An array of no slots without an offset.", base=empty_array,
           keeps=[SIZE], ambiguity="arrow-empty-offsets")
    def no_bytes(f):
        f.array("a").offsets.values = []

    @valid(EMPTY, "one-offset", "An array of no slots with one offset.", base=in_file(empty_array),
           keeps=[SIZE])
    def one_offset(f):
        pass

    @valid(EMPTY, "of-a-slice", "An array of no slots with the offsets of what it was cut from.",
           base=empty_array)
    def of_an_empty_slice(f):
        f.array("a").offsets.values = [5, 9, 2, -1]


@invalid("arrow-binary-offsets-in-data", base=bytes_of_seven)
def no_data(f):
    "The last offset is 7, the data buffer is empty."
    f.array("a").data.content = b""


@invalid("arrow-binary-offsets-in-data", base=bytes_of_seven,
         also=["arrow-binary-offsets-start-at-zero"])
def slice_not_rebased(f):
    "The data were cut to the slice, the offsets still begin at 3."
    f.array("a").offsets.values[:] = [3, 6, 6, 10]


@valid("arrow-binary-null-slot-not-empty", base=binaries)
def null_over_three_bytes(f):
    '"joe", null over 3 bytes, "x".'
    f.batches[0].batch = Batch([array(f.schema.fields[0], [b"joe", b"???", b"x"]).hide(1)])


@valid("arrow-binary-data-longer", base=bytes_of_seven)
def nine_more(f):
    "The last offset is 7, the data have 16 bytes."
    f.array("a").data.content += b"\xff" * 9


@valid("arrow-binary-any-bytes", base=base_of((field("a", BINARY), [b"\xff\xfe\0", b"\xc0\x80"]),
                                              (field("b", LARGE_BINARY), [b"\xed\xa0\x80", None])))
def no_text(f):
    "Values that are not UTF-8."


@valid("arrow-list-null-slot-not-empty", base=numbers)
def null_over_two_values(f):
    "[[1, 2], null over 2 values, []]."
    f.batches[0].batch = Batch([array(f.schema.fields[0], [[1, 2], [3, 4], []]).hide(1)])


@valid("arrow-list-child-longer", base=numbers)
def two_more(f):
    "The last offset is 7, the child has 9 values."
    f.array("a").children = [array(field("item", I32), [*range(9)])]


@invalid("arrow-list-offsets-in-child", base=base_of((field("a", LIST, field("item", I32)), [[1]])))
def empty_child(f):
    "The last offset is 1, the child has no slots."
    f.array("a").children = [array(field("item", I32), [])]


@invalid("arrow-list-offsets-in-child", base=maps)
def entries_too_short(f):
    "The entries of a map are fewer than its last offset."
    f.array("a").offsets.values[-1] += 1


@valid("arrow-list-offsets-size", base=maps)
def offsets_of_a_map(f):
    "A map of four slots has five offsets."


@invalid("arrow-list-offsets-size", base=maps)
def map_without_the_last(f):
    "A map of four slots has four offsets."
    f.array("a").offsets.values.pop()


@valid("arrow-list-offsets-ascending", base=base_of((
    field("a", LIST, field("item", LIST, field("item", I8))),
    [[[1, 2], [3, 4]], [[5, 6, 7], None, [8]], [[9, 10]]])))
def lists_of_lists(f):
    "The example of the text: lists of lists."
