"""2.11 to 2.13: Null, dictionary-encoded arrays, the order of buffers."""

from generators.arrow import *

COUNT = "arrow-null-array-null-count"


@valid(COUNT, base=nulls)
def ten_of_ten(f):
    "10 slots, null count 10."


@invalid(COUNT, base=nulls)
def none_of_ten(f):
    "10 slots, null count 0."
    f.array("a").null_count = 0


@invalid(COUNT, base=in_file(nulls))
def nine_of_ten(f):
    "10 slots, null count 9."
    f.array("a").null_count = 9


between = base_of((field("a", I32), [1, 2]), (field("n", NULL), [None, None]),
                  (field("b", I32), [3, None]))


@valid("arrow-null-array-without-buffers", base=between, keeps=["arrow-batch-buffer-count"])
def between_two(f):
    "A Null column between two of integers."


@invalid("arrow-null-array-without-buffers", base=between)
def with_a_bitmap(f):
    "A Null column with the entry of an empty bitmap."
    f.array("n").buffers.append(Buffer([]))


# 2.12 ---------------------------------------------------------------------------------------------

def keyed(keys, values=("foo", "bar", "baz"), type=UTF8, slots=(0, 1, None, 2), kind=None):
    """A dictionary column with that type of keys."""
    base = base_of((field("a", type, dictionary=encoding(0, keys)), [*slots]),
                   dictionaries=[("a", [*values])])
    return in_file(base) if kind == "file" else base


INDICES, RANGE = "arrow-dictionary-indices-size", "arrow-dictionary-index-in-range"
NEGATIVE = "arrow-dictionary-index-not-negative"


@valid(INDICES, base=keyed(I8, slots=[0, 1, 2, 1, 0, 2]), keeps=[RANGE, NEGATIVE])
def six_bytes(f):
    "Six keys of 8 bits in 6 bytes."


@invalid(INDICES, base=keyed(I16, slots=[0, 1, 2, 1, 0, 2]))
def half_of_them(f):
    "Six keys of 16 bits in 6 bytes."
    f.array("a").data.width = 1


@invalid(INDICES, base=keyed(I32, values=[1, 2, 3], type=I16), keeps=())
def width_of_the_values(f):
    "Keys of 32 bits that are as wide as the values, 16 bits."
    f.array("a").data.width = 2


@valid(NEGATIVE, base=keyed(I8))
def under_a_null(f):
    "A null slot has the key -1."
    f.array("a").data.values[2] = -1


@invalid(NEGATIVE, base=keyed(I32))
def minus_one(f):
    "A valid slot has the key -1, which elsewhere marks a missing category."
    f.array("a").data.values[0] = -1


@invalid(NEGATIVE, base=keyed(I8, kind="file"))
def sign_of_8_bits(f):
    "A valid slot has the 8-bit key 0x80."
    f.array("a").data.values[0] = 0x80


@valid(RANGE, base=keyed(U8, values=[f"v{i}" for i in range(200)], slots=[199, 128]),
       informs={"arrow-dictionary-index-signed-preferred"}, keeps=[NEGATIVE])
def above_127(f):
    "Unsigned 8-bit keys up to 199 of 200 values."


@invalid(RANGE, base=words)
def three_of_three(f):
    "Key 3 of 3 values."
    f.array("a").data.values[0] = 3


@invalid(RANGE, base=in_file(words))
def far_out(f):
    "Key 2147483647 of 3 values, in a file."
    f.array("a").data.values[5] = (1 << 31) - 1


@invalid(RANGE, base=words)
def before_the_delta(f):
    "Key 3 is used one batch before the delta that brings value 3."
    f.array("a").data.values[0] = 3
    f.add_dictionary("a", ["qux"], delta=True)
    f.add([0, 3])


@invalid(RANGE, base=words)
def after_a_shorter_one(f):
    "Key 2 was valid until a dictionary of two values took the place of the first."
    f.add_dictionary("a", ["x", "y"])
    f.add([0, 2])


@invalid(RANGE, base=keyed(U64), also=["arrow-dictionary-index-uint64-avoided"])
def two_to_63(f):
    "An unsigned 64-bit key of 2^63."
    f.array("a").data.values[0] = 1 << 63


@invalid(RANGE, base=base_of((field("a", LIST, field("item", UTF8, dictionary=0)), [[0], [1, 1]]),
                             dictionaries=[("a.item", ["x", "y"])]))
def in_a_list(f):
    "Key 2 of 2 values in the child of a list."
    f.array("a.item").data.values[2] = 2


nested = base_of(
    (field("a", STRUCT, field("inner", UTF8, dictionary=1), dictionary=0), [0, 1, 1]),
    dictionaries=[(field("inner", UTF8, dictionary=1), ["x", "y"]),
                  (field("a", STRUCT, field("inner", UTF8, dictionary=1), dictionary=0),
                   [(0,), (1,)])])


@invalid(RANGE, base=nested)
def in_the_values_of_another(f):
    "The values of a dictionary have key 2 of the 2 values of another."
    f.dictionaries[1].batch.arrays[0].children[0].data.values[1] = 2


@valid(RANGE, base=base_of((field("a", UTF8, dictionary=0), [0, 4, 2]),
                           kind=File, dictionaries=[("a", ["x", "y"])]))
def delta_behind_the_batch(f):
    "In a file a delta after the batch brings the values of its keys."
    f.add_dictionary("a", ["z", "u", "v"], delta=True)


@valid("arrow-dictionary-duplicates", base=keyed(I32, values=["foo", "bar", "baz", "foo"],
                                                 slots=[3, 0, 1]))
def foo_twice(f):
    "foo, bar, baz, foo."


@valid("arrow-dictionary-null-values", base=keyed(I32, values=["foo", "bar", "baz", "foo", None],
                                                  slots=[0, 4, 3]), keeps=["arrow-null-count-exact"])
def fifth_is_null(f):
    "Key 4 leads to a null value; the null count of the column is 0."


SIGNED, NOT_64 = "arrow-dictionary-index-signed-preferred", "arrow-dictionary-index-uint64-avoided"


@valid(SIGNED, base=keyed(I16))
def int16(f):
    "Signed 16-bit keys."


for name, signed, keys in (("uint8", I8, U8), ("uint16", I16, U16), ("uint32", I32, U32)):
    other(SIGNED, name, f"The keys are {name}.", keyed(signed), keyed(keys))


@valid(NOT_64, base=keyed(I64))
def int64(f):
    "Signed 64-bit keys."


other(NOT_64, "uint64", "Unsigned 64-bit keys.", keyed(I64, kind="file"), keyed(U64, kind="file"))


@valid("arrow-dictionary-any-type", base=base_of(
    (field("a", LIST, field("item", I32), dictionary=0), [1, 0, None, 1]),
    (field("b", F64, dictionary=1), [0, 0, 1, 1]),
    dictionaries=[(field("a", LIST, field("item", I32), dictionary=0), [[1, 2], [3]]),
                  (field("b", F64, dictionary=1), [0.5, 1.5])]))
def lists_and_floats(f):
    "Dictionaries of lists and of floats."


@valid("arrow-dictionary-any-type", base=in_file(base_of(
    (field("a", STRUCT, field("x", I32), field("y", UTF8), dictionary=0), [1, None, 1]),
    dictionaries=[(field("a", STRUCT, field("x", I32), field("y", UTF8), dictionary=0),
                   [(1, "a"), (2, "b")])])))
def structs_with_two_children(f):
    "A dictionary of structs."


# 2.13 ---------------------------------------------------------------------------------------------

LISTING = "arrow-buffer-listing-order"


@valid(LISTING, base=several_file)
def each_in_its_order(f):
    "Columns of five kinds."


@invalid(LISTING, base=base_of((field("a", UTF8), ["joe", "", "mark", "", "", "", "", ""])),
         alias="arrow-binary-offsets-size")
def data_before_offsets(f):
    "The data of a column of texts are listed before its offsets: 7 bytes in the place of 36."
    buffers = f.array("a").buffers
    buffers[1], buffers[2] = buffers[2], buffers[1]


@invalid(LISTING, base=base_of((field("a", I32), [0, 0, 0, 0, 0])), alias="arrow-null-count-exact",
         also=["arrow-primitive-data-size"])
def data_before_validity(f):
    "The values of a column of integers, all 0, are listed before its bitmap of ones."
    f.array("a").with_bitmap()
    f.array("a").buffers.reverse()


def listed_first(name, shows, data, alias, **options):
    """The data of a column of one value are listed before its offsets."""
    @invalid(LISTING, name, shows, base=base_of((field("a", BINARY), [data])), alias=alias, **options)
    def swapped(f):
        buffers = f.array("a").buffers
        buffers[1], buffers[2] = buffers[2], buffers[1]


FROM_ZERO = "arrow-binary-offsets-start-at-zero"
listed_first("letters-that-descend", 'The value "zzzzaaaa" in the place of its offsets.', b"zzzzaaaa",
             "arrow-binary-offsets-ascending", also=[FROM_ZERO])
listed_first("letters-that-ascend", 'The value "aaaazzzz" in the place of its offsets.', b"aaaazzzz",
             "arrow-binary-offsets-in-data", also=[FROM_ZERO])
listed_first("ff", "The value FF FF FF FF 00 00 00 00 in the place of its offsets.",
             b"\xff\xff\xff\xff\0\0\0\0", "arrow-binary-first-offset-not-negative")


@invalid(LISTING, base=base_of((field("a", I8), 5 * [-1])), alias="arrow-primitive-data-size",
         also=["arrow-buffer-length-unpadded", "arrow-validity-padding-zero"])
def values_of_ones(f):
    "The values of a column, all -1, are listed before its bitmap."
    f.array("a").with_bitmap().buffers.reverse()


@invalid(LISTING, base=fixed_lists, alias="arrow-batch-buffer-count")
def data_of_a_fixed_size_list(f):
    "A fixed-size list with a data buffer."
    f.array("a").buffers.append(Buffer([1, 2, 3, 4]))
