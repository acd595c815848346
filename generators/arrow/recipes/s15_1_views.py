"""Format 1.5, 3.7 and 4.4: binary views, and the numbers of their data buffers."""

from generators.arrow import *

SIZE, LENGTH = "arrow-view-buffer-size", "arrow-view-length-not-negative"
PADDING, INDEX = "arrow-view-inline-padding-zero", "arrow-view-buffer-index-in-range"
RANGE, PREFIX, TEXT = "arrow-view-range-in-buffer", "arrow-view-prefix-equal", "arrow-utf8-view-values-valid"
PRESENT, ONE_EACH = "arrow-variadic-counts-present", "arrow-variadic-counts-one-for-each-view"
POSITIVE, COUNT = "arrow-variadic-counts-not-negative", "arrow-batch-buffer-count"
ALL = [SIZE, LENGTH, PADDING, INDEX, RANGE, PREFIX, TEXT]

LONG, LONGER = "thirteen byte", "a text that is longer than twelve bytes"
VALUES = ["joe", None, "", "twelve bytes", LONG, (LONGER, 1)]
views = base_of((field("a", UTF8_VIEW), VALUES))
binary_views = base_of((field("a", BINARY_VIEW), [b"\xff\0\xfe", None, 13 * b"\x80", b""]))
shorts = base_of((field("a", UTF8_VIEW), ["joe", None, "mark"]))
two_columns = base_of((field("a", UTF8_VIEW), [LONG, LONGER, "x"]),
                      (field("s", STRUCT, field("i", I32), field("b", BINARY_VIEW)),
                       [(1, (LONG, 1)), (2, LONGER), (3, "y")]))
words_of_views = base_of((field("a", UTF8_VIEW, dictionary=0), [0, 1, None]),
                         dictionaries=[("a", ["foo", LONG])])


def keep(clause, slug, shows, base=views, keeps=(), **options):
    valid_since_later(clause, slug, shows, base=base, keeps=keeps, **options)(lambda f: None)


# The buffer of views ------------------------------------------------------------------------------

keep(SIZE, "short-and-long", "Short and long texts, null, empty, in two data buffers.", keeps=ALL)
keep(SIZE, "in-a-file", "The same in a file.", base=in_file(views), keeps=ALL)


@invalid_since_later(SIZE, base=views)
def one_byte_short(f):
    "95 bytes for 6 views."
    f.array("a").buffers[1].content = f.array("a").buffers[1].bytes("little")[:-1]


@invalid_since_later(SIZE, base=shorts, also=["arrow-batch-length-within-int31"])
def product_wraps(f):
    "2^60 slots in 16 bytes; 16 times that is 0 in 64 bits."
    f.schema.fields[0].nullable = True
    made = f.array("a")
    made.length, made.null_count, made.buffers[0] = 1 << 60, 0, Buffer([])
    made.buffers[1].slots = made.views[:1]
    f.batch.length = 1 << 60


@invalid_since_later("arrow-view-no-children", base=views)
def one_child(f):
    "A Utf8View with a child."
    f.field("a").children = [field("item", U8)]


@invalid_since_later("arrow-view-no-children", base=base_of((field("a", BINARY_VIEW), [])))
def no_batch(f):
    "A BinaryView with a child, no batch."
    f.field("a").children = [field("item", U8)]
    f.messages.pop()


@valid_since_later("arrow-view-no-children", base=views)
def no_vector(f):
    "The vector of children is left out."
    del f.field("a").children


# Slots --------------------------------------------------------------------------------------------

def slot(clause, slug, shows, number, base=views, **changes):
    """Changes one view."""
    @invalid_since_later(clause, slug, shows, base=base)
    def mutate(f):
        for name, value in changes.items():
            setattr(f.array("a").views[number], name, value)


keep(LENGTH, "zero", "An empty text.", base=base_of((field("a", UTF8_VIEW), ["", "a"])))
slot(LENGTH, "minus-1", "A length of -1.", 0, length=-1)
slot(LENGTH, "top-bit", "A length of 0x80000010.", 4, length=0x80000010)
slot(LENGTH, "in-big-endian", "A length of -1 in a big-endian stream.", 0,
     base=in_order(1, views), length=-1)
keep(PADDING, "twelve", "A text of 12 bytes, which leaves none.", base=base_of((field("a", UTF8_VIEW),
     ["twelve bytes", "eleven byte", "x"])))
slot(PADDING, "rest-of-another", "Behind joe stands what the view held before.", 0,
     rest=b"joeseph     ")
slot(PADDING, "last-byte", "The last byte behind an empty text.", 2, rest=bytes(11) + b"\1")
slot(PADDING, "behind-eleven", "One byte behind 11.", 1,
     base=base_of((field("a", UTF8_VIEW), ["x", "eleven byte"])), rest=b"eleven byte!")
slot(PADDING, "binary", "Zeros are expected behind binary values, too.", 0, base=in_file(binary_views),
     rest=b"\xff\0\xfe\1" + bytes(8))


@invalid_since_later("arrow-view-short-is-inline", alias=PADDING, base=views)
def stored_outside(f):
    "A text of 5 bytes with a buffer index and an offset."
    made = f.array("a")
    made.buffers[2].content += b"short"
    made.views[0] = View(b"short", 0, 15)


@valid_since_later("arrow-view-short-is-inline", base=views)
def border(f):
    "12 bytes inside, 13 outside."


keep(INDEX, "last-of-three", "The last of three data buffers.", base=base_of(
    (field("a", UTF8_VIEW), [LONG, (LONGER, 2), (LONG, 1)])))
slot(INDEX, "behind-the-last", "An index equal to the number of data buffers.", 4, index=2)
slot(INDEX, "minus-1", "The index -1.", 5, index=-1)


@invalid_since_later(INDEX, base=shorts)
def no_data_buffer(f):
    "A long view in an array without data buffers."
    f.array("a").views[2] = View(LONG.encode(), 0, 0)


keep(RANGE, "to-the-end", "The last byte of a text is that of its buffer.")
slot(RANGE, "one-too-far", "A text ends one byte behind its buffer.", 4, offset=3)
slot(RANGE, "minus-1", "The offset -1.", 4, offset=-1)
slot(RANGE, "wraps", "Offset and length wrap in 32 bits.", 4, offset=2147483640)
keep(PREFIX, "of-four-bytes", "Prefixes are the first four bytes.")
slot(PREFIX, "of-another", "The prefix of another text.", 4, prefix=b"a te")
slot(PREFIX, "reversed", "The prefix is reversed, like a number in another byte order.", 5,
     prefix=b"et a", base=in_order(1, views))
slot(PREFIX, "last-byte", "The last byte of a prefix is wrong.", 4, prefix=b"thiR")

ACCENTS = "é" * 6 + "𝄞", "a character of four bytes at the end 𝄞"
keep(TEXT, "accents", "Characters of two and four bytes, inside and outside.", base=base_of(
    (field("a", UTF8_VIEW), ["été", *ACCENTS, None])))


def wrong_text(slug, shows, value, base=views, number=0, shown=None):
    @invalid_since_later(TEXT, slug, shows, base=base)
    def mutate(f):
        made = f.array("a")
        if len(value) <= 12:
            made.views[number] = View(value)
            return
        made.buffers[2].content += value
        made.views[number] = View(value, 0, len(made.buffers[2].content) - len(value))


wrong_text("inline", "FF FE inside a view.", b"\xff\xfe")
wrong_text("behind-seventy", "C0 80 in the last of 71 short texts.", b"a\xc0\x80", number=70,
           base=base_of((field("a", UTF8_VIEW), ["x"] * 70 + [LONG])))
wrong_text("outside", "C0 80 in a long text, at its beginning.", b"\xc0\x80 twelve bytes")
wrong_text("cut", "A long text that ends inside a character.", "twelve bytes é".encode()[:-1])
wrong_text("last-byte", "A long text whose last byte is 80.", b"twelve bytes \x80", base=in_file(views))


@invalid_since_later(TEXT, base=base_of((field("a", UTF8_VIEW), ["é" * 10, LONG])))
def inside_a_character(f):
    "A view that begins inside a character of another one's text."
    view = f.array("a").views[0]
    view.offset, view.length, view.prefix = view.offset + 1, 19, "é".encode()[1:] + "é".encode() + b"\xc3"


@invalid_since_later(TEXT, base=base_of((field("a", UTF8_VIEW), ["é" * 10, LONG])))
def ends_inside_a_character(f):
    "A view that ends inside a character of another one's text."
    f.array("a").views[0].length = 19


@invalid_since_later(TEXT, base=base_of((field("a", UTF8_VIEW), ["é" * 10, LONG, LONGER, LONG])))
def among_other_bytes(f):
    "Two of four texts are wrong; the data also hold bytes that no view covers."
    made = f.array("a")
    made.buffers[2].content += b"\xff\xff"
    made.views[0].length = 19
    made.views[3].offset, made.views[3].prefix = made.views[0].offset + 1, b"\xa9\xc3\xa9\xc3"


@invalid_since_later("arrow-view-integers-signed", alias=INDEX, base=views)
def index_with_top_bit(f):
    "The index 0x80000000."
    f.array("a").views[4].index = 0x80000000


@invalid_since_later("arrow-view-integers-signed", "offset", "The offset 0xFFFFFFF8.", alias=RANGE,
                     base=views)
def offset_with_top_bit(f):
    f.array("a").views[4].offset = 0xFFFFFFF8


@invalid_since_later("arrow-view-integers-in-stated-endianness", alias=INDEX, base=in_order(1, views))
def little_index(f):
    "A little-endian index in a big-endian stream."
    f.array("a").views[5].index = 1 << 24


keep("arrow-view-integers-in-stated-endianness", "big", "A big-endian stream.",
     base=in_order(1, views), keeps=ALL)


@valid_since_later("arrow-view-null-slot-any", base=base_of((field("a", UTF8_VIEW), [None] * 5)))
def anything(f):
    "Null slots with a length of -1, index 99, a wrong range, bytes behind a short text, FF."
    made = f.array("a").views
    made[0].length = -1
    made[1], made[2] = View(LONG.encode(), 99, 0), View(LONG.encode(), 0, 1000)
    made[3].rest = b"behind it..."
    made[4] = View(b"\xff" * 12)


@valid_since_later("arrow-view-data-shared", base=views)
def one_inside_another(f):
    "Equal views, one inside another's text, bytes that none covers, an empty data buffer."
    made = f.array("a")
    whole = made.views[5]
    made.views[0] = View(LONGER.encode()[5:20], 1, whole.offset + 5)
    made.views[2] = View(LONGER.encode(), 1, whole.offset)
    made.buffers[3].content += b"\xff not covered"
    made.buffers.append(Buffer([]))


keep("arrow-view-no-data-buffers", "shorts", "Three short texts, no data buffer.", base=shorts,
     keeps=[PRESENT])
keep("arrow-view-any-bytes", "binary", "Bytes that are no text.", base=binary_views)


@valid_since_later("arrow-view-empty-array", base=base_of((field("a", UTF8_VIEW), [])))
def slice_that_keeps_its_data(f):
    "No slots, and a data buffer of 100 bytes."
    f.array("a").buffers.append(Buffer(content=100 * b"x"))


# 4.4 ----------------------------------------------------------------------------------------------

keep(PRESENT, "two-columns", "Two view fields, one of them a member of a struct.", base=two_columns,
     keeps=[ONE_EACH, POSITIVE, COUNT])


@invalid_since_later(PRESENT, base=views)
def left_out(f):
    "No variadicBufferCounts."
    f.batch.variadic = False


@invalid_since_later(PRESENT, base=shorts)
def left_out_without_data(f):
    "No variadicBufferCounts, where all texts are short."
    f.batch.variadic = False


@invalid_since_later(PRESENT, base=words_of_views)
def of_a_dictionary(f):
    "A dictionary of views without variadicBufferCounts."
    f.dictionary.variadic = False


def counts(clause, slug, shows, counts, base=two_columns, **options):
    @invalid_since_later(clause, slug, shows, base=base, **options)
    def mutate(f):
        f.batch.variadic = counts


def two_and_one():
    made = base_of((field("a", UTF8_VIEW), [LONG, "x"]), (field("b", UTF8_VIEW), ["y", LONGER]))()
    made.array("a").buffers.append(Buffer([]))
    return made


two_and_one.suffix = views.suffix
counts(ONE_EACH, "one-for-two", "One count for two view fields.", [3])
counts(ONE_EACH, "three-for-two", "Three counts for two view fields.", [1, 0, 2])
counts(ONE_EACH, "for-each-column", "A count for every field.", [1, 0, 0, 2])
counts(ONE_EACH, "for-utf8", "A count for a Utf8 column.", [0], base=texts)
counts(ONE_EACH, "for-an-encoded-column", "A count for a dictionary-encoded column.", [0],
       base=words_of_views)
counts(POSITIVE, "minus-1", "A count of -1.", [-1, 2])
counts(POSITIVE, "sum-fits", "Counts of -1 and 4, whose sum fits.", [-1, 4])
counts("arrow-variadic-counts-fit-buffers", "one-more", "A count of 2 with one data buffer.", [2, 2],
       alias=COUNT)
counts("arrow-variadic-counts-fit-buffers", "2-to-62", "A count of 2^62.", [1, 1 << 62])
counts("arrow-variadic-counts-order", "exchanged", "The counts of two columns are exchanged.", [1, 2],
       alias=SIZE, base=two_and_one)
keep("arrow-variadic-counts-order", "two-and-one", "Two data buffers, the second one empty, and one.",
     base=two_and_one)
keep("arrow-variadic-counts-fit-buffers", "sum", "Counts and buffers of the layouts add up.",
     base=two_columns)


@valid_since_later("arrow-variadic-counts-absent")
def empty_vector(f):
    "An Int32 column, and an empty vector of counts."
    f.batch.variadic = []


@valid_since_later("arrow-variadic-counts-vary", base=views)
def three_batches(f):
    "Two data buffers, none, and one."
    f.add(["a", None])
    f.add([LONG])


keep("arrow-variadic-counts-dictionary", "of-a-dictionary", "The counts of encoded views are in the dictionary.",
     base=words_of_views)


@invalid_since_later("arrow-variadic-counts-dictionary", alias=ONE_EACH, base=words_of_views)
def in_the_batch(f):
    "The record batch has the count of the dictionary, too."
    f.batch.variadic = [1]


@invalid_since_later("arrow-buffer-listing-newer-layouts", alias=COUNT, base=base_of(
    (field("a", LIST_VIEW, field("item", I8)), [[1, 2], [3]])))
def without_sizes(f):
    "A list view without its buffer of sizes."
    del f.array("a").buffers[2]


keep("arrow-buffer-listing-newer-layouts", "several", "Views, list views and runs side by side.", base=base_of(
    (field("a", UTF8_VIEW), [LONG, "x"]), (field("l", LIST_VIEW, field("item", I8)), [[1], None]),
    (runs_of("r", UTF8), ["y", "y"]), (field("i", I32), [1, 2])), keeps=[COUNT])

# 4.5 ----------------------------------------------------------------------------------------------


@valid_since_later("arrow-compression-of-view-data", base=base_of(
    (field("a", UTF8_VIEW), [40 * "long ", (40 * "longer ", 1), (LONG, 2), "x"]), compression="zstd"))
def zstd(f):
    "Views and two data buffers by Zstandard, the third stored."
    stored = f.array("a").buffers[4]
    stored.prefix, stored.frame = -1, bytes


@invalid_since_later("arrow-compression-buffers-separately", alias="arrow-compression-lz4-frame",
                     base=base_of((field("a", UTF8_VIEW), [40 * "long ", "x"]), compression="lz4"))
def two_codecs(f):
    "The data of views are compressed by Zstandard in a batch that states LZ4."
    f.array("a").buffers[2].frame = zstd_frame


keep("arrow-compression-buffers-separately", "lz4", "Each buffer is a frame of its own.", base=base_of(
    (field("a", UTF8_VIEW), [40 * "long ", "x"]), compression="lz4"))


@valid_since_later("arrow-compression-any-codec-per-batch", base=base_of(
    (field("a", UTF8), [40 * "long "]), compression="lz4"))
def three_codecs(f):
    "A batch by LZ4, one by Zstandard, one without compression."
    f.add([40 * "longer "], compression="zstd")
    f.add(["plain"])


# Keys of maps -------------------------------------------------------------------------------------

SORTED = "arrow-map-keys-sorted-true"


def sorted_views(*values, key=UTF8_VIEW):
    return maps_of(type=SORTED_MAP, key=key, value=I8, values=[[(each, 0) for each in keys] for keys in values])


keep(SORTED, "views", "Sorted keys: short and long views, equal ones among them.",
     base=sorted_views(["", "a", LONGER, LONGER, LONG], [], ["a"]))
keep(SORTED, "views-big-endian", "The same, big-endian.",
     base=in_order(1, sorted_views(["", "a", LONGER, LONGER, LONG], [], ["a"])))
keep(SORTED, "views-of-bytes", "Sorted keys: bytes are compared as unsigned.",
     base=sorted_views([b"\x7f", b"\x80", 13 * b"\xff"], key=BINARY_VIEW))
for slug, shows, keys in (("short", "short views", ["b", "a"]), ("long", "long views", [LONG, LONGER]),
                          ("long-and-short", "a short view after a long one", [LONGER, "a"])):
    invalid_since_later(SORTED, f"views-descend-{slug}", f"Keys that are stated to be sorted descend: {shows}.",
                        base=sorted_views(["a"], keys))(lambda f: None)


@valid_since_later(SORTED, base=sorted_views(["a"], [LONG, LONGER], ["c"]))
def views_under_a_null_map(f):
    "Views that descend under a null slot only."
    f.array("a").hide(1)
