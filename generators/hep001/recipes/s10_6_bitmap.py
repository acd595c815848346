"""HEP001 10.6, BITMAP: form, the values dataset, every bit."""

from generators.hep001 import *
from generators.hep001.recipes.s10_4_chunk_minmax import index, over

ROWS = [1, 2, 3, 1, INT16_FILL, 2, 3, 3, 1, 2]
NUMBERS = over(I16, ROWS, INT16_FILL, kind="BITMAP", indexed=[1, 2, 3])


def indexed(t):
    return index(t).indexed


@invalid("bitmap-rank-2", base=NUMBERS, ambiguity="definitions-bind")
def flat(t):
    "The bitmap has rank 1."
    index(t).values = [b for row in index(t).values for b in row]
    index(t).shape = (6,)


@invalid("bitmap-rank-2", base=NUMBERS)
def rank_three(t):
    "The bitmap has rank 3."
    index(t).shape = (3, 2, 1)


@valid("bitmap-rank-2", slug="no-values", base=over(I16, ROWS, INT16_FILL, kind="BITMAP", indexed=[]))
def no_values(t):
    "No value is indexed: shape {0, 2}."
    index(t).values, index(t).shape = [], (0, 2)


@valid("bitmap-rank-2", slug="no-rows",
       base=over(I16, ROWS, INT16_FILL, kind="BITMAP", indexed=[1], nrows=0))
def no_rows(t):
    "NROWS is 0: shape {1, 0}."


@invalid("bitmap-rows-equal-k", base=NUMBERS)
def one_row_more(t):
    "The bitmap has a row more than values."
    index(t).values.append(bytearray(2))


@invalid("bitmap-rows-equal-k", base=NUMBERS)
def one_value_more(t):
    "The values dataset has an entry more than the bitmap rows."
    index(t).values
    indexed(t).values.append(9)


@valid("bitmap-rows-equal-k", base=over(I16, ROWS, INT16_FILL, kind="BITMAP", indexed=[2]),
       keeps=["bitmap-values-distinct", "bitmap-values-subset"])
def one_value(t):
    "K is 1."


@invalid("bitmap-row-bytes", base=NUMBERS)
def one_byte_short(t):
    "One byte a row for ten rows."
    index(t).values = [row[:1] for row in index(t).values]
    index(t).shape = (3, 1)


@invalid("bitmap-row-bytes", base=NUMBERS)
def no_bytes(t):
    "No byte columns, although there are rows."
    index(t).values, index(t).shape = [], (3, 0)


@valid("bitmap-row-bytes", slug="eight-rows",
       base=over(I16, ROWS[:8], INT16_FILL, kind="BITMAP", indexed=[1, 2, 3]))
def eight_rows(t):
    "Eight rows in one byte."


@valid("bitmap-row-bytes", slug="nine-rows",
       base=over(I16, ROWS[:9], INT16_FILL, kind="BITMAP", indexed=[1, 2, 3]),
       keeps=["bitmap-bit-set", "bitmap-bit-clear"])
def nine_rows(t):
    "Nine rows in two bytes."


@valid("bitmap-residue", base=NUMBERS, keeps=["bitmap-row-bytes", "bitmap-bit-clear"],
       ambiguity="surplus-index-entries",
       revised=newer(kind="invalid", clause="bitmap-pad-bits-zero", fails={"bitmap-pad-bits-zero"},
                     ambiguity=None))
def residue(t):
    "The unused bits of the last byte are set, and a third byte follows."
    for row in index(t).values:
        row[1] |= 0xFC
        row.append(0xFF)
    index(t).shape = (3, 3)


def element(clause, slug, shows, type_id, shape=(3, 2), kind=invalid, **options):
    def mutate(t):
        index(t).values = [b for row in index(t).values for b in row]
        index(t).type, index(t).shape = type_id, shape
    kind(clause, slug, f"The bitmap is stored as {shows}.", base=over(
        I16, [1, 2, 3, 1, INT16_FILL, 2, 3, 2, 1, 2], INT16_FILL, kind="BITMAP",
        indexed=[1, 2, 3]), **options)(mutate)


element("bitmap-uint8", "uint16", "uint16", U16)
element("bitmap-uint8", "int8", "int8", I8)
element("bitmap-uint8", "bitfield", "an 8-bit bitfield", B8)
element("bitmap-uint8", "big-endian", "H5T_STD_U8BE", U8BE, kind=valid,
        ambiguity="integer-attribute-byte-order")


@invalid("bitmap-bit-set", base=NUMBERS)
def one_bit_cleared(t):
    "The bit of a matching row is clear."
    index(t).values[0][0] &= ~0x08


@invalid("bitmap-bit-set", base=NUMBERS)
def row_of_zeros(t):
    "All bits of a value that occurs are clear."
    index(t).values[1] = bytearray(2)


@invalid("bitmap-bit-clear", base=NUMBERS, ambiguity="bits-of-other-rows")
def one_bit_more(t):
    "The bit of a row with another value is set."
    index(t).values[0][0] |= 0x02


@invalid("bitmap-bit-clear", base=NUMBERS, ambiguity="bits-of-other-rows")
def missing_row(t):
    "The bit of a missing row is set under an ordinary value."
    index(t).values[2][0] |= 0x10


def over_nan(type_id, indexed, rows=(1.0, NAN, 2.0, 1.0)):
    return over(type_id, rows, -1.0, kind="BITMAP", indexed=indexed)


@invalid("bitmap-bit-clear", base=over_nan(F64, [1.0, 2.0]))
def nan_row(t):
    "The bit of a NaN row is set under an ordinary value."
    index(t).values[0][0] |= 0x02


@invalid("bitmap-bit-clear", base=over_nan(F16BE, [2.0, NAN]))
def nan_row_beside_a_nan_entry(t):
    "The bit of a NaN row is set under an ordinary value; NaN is indexed as well."
    index(t).values[0][0] |= 0x02


@invalid("bitmap-bit-clear", base=over_nan(BFLOAT16, [1.0, 2.0]))
def nan_row_of_bfloat16(t):
    "The bit of a bfloat16 row that is NaN is set under an ordinary value."
    index(t).values[1][0] |= 0x02


@invalid("bitmap-bit-clear", base=over_nan(F64, [1.0, NAN]))
def ordinary_row_under_nan(t):
    "NaN is indexed, and the bit of an ordinary row is set under it."
    index(t).values[1][0] |= 0x04


@valid("bitmap-bit-clear", base=over_nan(F64, [1.0, NAN]), ambiguity="bits-of-other-rows")
def nan_rows_under_nan(t):
    "NaN is indexed, and the bit of the NaN row is set under it."
    index(t).values[1][0] |= 0x02


@valid("bitmap-bit-clear", base=over_nan(F64, [1.0, NAN]), ambiguity="bits-of-other-rows")
def no_rows_under_nan(t):
    "NaN is indexed, and no bit is set under it."


@valid("bitmap-bit-clear", ambiguity="bits-of-other-rows", base=over(
    array(F32, 2), [[1, NAN], [1, 2], [1, NAN]], [0, 0], kind="BITMAP", indexed=[[1, NAN], [1, 2]]))
def arrays_with_nan(t):
    "An array with a NaN is indexed, and one of its two rows is set under it."
    index(t).values[0][0] |= 0x04


@invalid("bitmap-bit-clear", slug="array-with-nan", base=over(
    array(F32, 2), [[1, NAN], [1, 2], [1, NAN]], [0, 0], kind="BITMAP", indexed=[[1, NAN], [1, 2]]))
def array_with_nan_under_another(t):
    "The bit of an array with a NaN is set under an array without one."
    index(t).values[1][0] |= 0x01


@invalid("bitmap-bit-set", slug="rows-swapped", base=NUMBERS,
         fails={"bitmap-bit-set", "bitmap-bit-clear"})
def rows_swapped(t):
    "The bitmap rows of two values are exchanged."
    rows = index(t).values
    rows[0], rows[1] = rows[1], rows[0]


@invalid("bitmap-bit-set", slug="one-row-late", base=NUMBERS,
         fails={"bitmap-bit-set", "bitmap-bit-clear"})
def one_row_late(t):
    "Every bit stands one row further on."
    for i, row in enumerate(index(t).values):
        bits = int.from_bytes(row, "little") << 1 & 0x3FF
        index(t).values[i] = bytearray(bits.to_bytes(2, "little"))


@invalid("bitmap-bit-clear", slug="complement", base=NUMBERS,
         fails={"bitmap-bit-set", "bitmap-bit-clear"})
def complement(t):
    "Every bit is the wrong way round."
    for row in index(t).values:
        row[0] ^= 0xFF
        row[1] ^= 0x03


@invalid("bitmap-bit-set", slug="last-row", base=NUMBERS)
def last_row(t):
    "The bit of the last row is clear."
    index(t).values[1][1] &= ~0x02


@invalid("bitmap-bit-set", slug="row-8", base=NUMBERS)
def row_8(t):
    "The bit of row 8, the first of its byte, is clear."
    index(t).values[0][1] &= ~0x01


@invalid("bitmap-bit-clear", slug="tail-value", base=over(
    I16, [1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 1], INT16_FILL, kind="BITMAP", indexed=[1, 2], nrows=9))
def row_of_another_value(t):
    "Row 7 is set under both values."
    index(t).values[0][0] |= 0x80


@invalid("bitmap-bit-set", slug="fill-indexed", base=over(
    I16, ROWS, INT16_FILL, kind="BITMAP", indexed=[1, INT16_FILL]))
def fill_without_rows(t):
    "The fill value is indexed, and the bit of its only row is clear."
    index(t).values[1] = bytearray(2)


def wrong_bit(slug, what, type_id, values, fill, distinct, clause="bitmap-bit-set", **options):
    """The bit of row 0 under the first indexed value is the wrong one."""
    def mutate(t):
        index(t).values[0][0] ^= 1
    invalid(clause, slug, f"One bit is wrong, over {what}.",
            base=over(type_id, values, fill, kind="BITMAP", indexed=distinct), **options)(mutate)


wrong_bit("float-zeros", "zeros of either sign", F64, [-0.0, 0.0, 1.5], FLOAT_FILL, [0.0, 1.5])
wrong_bit("float16", "float16", F16BE, [1.5, NAN, 2.5], -1.0, [1.5, 2.5])
wrong_bit("enum", "an enumeration", enum({"A": 1, "B": 256, "MISSING": 2}, I16BE), [1, 256, 2], 2,
          [1, 256])
wrong_bit("boolean", "booleans", BOOL, [1, 0, 1], -1, [0, 1], "bitmap-bit-clear",
          revised=boolean_with_fill())
wrong_bit("space-padded", "space-padded strings", string(4, pad=SPACEPAD), ["a", "b"], "none",
          ["a", "b"])
wrong_bit("variable-strings", "variable-length strings", string(None), ["a", "", "b"], "none",
          ["", "a"], "bitmap-bit-clear", fails={"bitmap-bit-clear"}, informs={"prefer-fixed-length"})
wrong_bit("opaque", "opaque bytes", opaque(3), [b"abc", b"abd"], b"\0\0\0", [b"abd"],
          "bitmap-bit-clear")
wrong_bit("odd-width", "24-bit integers", odd_width(I32, 24), [-1, 5], -7, [-1])
wrong_bit("compound", "compounds", compound({"a": I32, "b": F32}), [(1, 2.0), (1, 3.0)], (0, 0.0),
          [(1, 2.0)])
wrong_bit("int128", "int128", I128, [2**64 + 1, 1, 2**64 + 1], -7, [2**64 + 1, 1])
wrong_bit("int128-upper-half", "int128 values that differ in the upper half alone", I128BE,
          [1, 2**64 + 1], -7, [2**64 + 1], "bitmap-bit-clear")
wrong_bit("bfloat16", "bfloat16 with zeros of either sign", BFLOAT16, [-0.0, 1.5], -1.0, [0.0, 1.5])


def stored(value, bits=0, size=2):
    """A little-endian number of `size` bytes, with further bits that do not count."""
    return (value | bits).to_bytes(size, "little")


PADDED_BITFIELD = odd_width(B16, 12), [stored(5, 0xF000), stored(7), stored(5), stored(5, 0x8000)], \
    stored(0), [stored(5), stored(7, 0x1000)]
PADDED_ARRAY = array(odd_width(I16, 12), 2), [stored(5, 0xF000) + stored(1), stored(5) + stored(1),
                                              stored(7) + stored(1)], stored(0) * 2, \
    [stored(5, 0x1000) + stored(1, 0x2000)]
NULL_TERMINATED = array(string(4, pad=NULLTERM), 2), \
    [[b"a\0bc", b"zz"], [b"a", b"zz\0z"], [b"b", b"zz"]], [b"", b""], [[b"a\0x", b"zz\0y"]]
SIGNED_ZEROS = array(F64, 2), [[-0.0, 1], [0.0, 1], [2, -0.0]], [9, 9], [[0.0, 1]]
BFLOAT_ZEROS = array(BFLOAT16, 2), [[-0.0, 1], [0.0, 1], [2, -0.0]], [9, 9], [[0.0, 1]]
PADDED_FIELDS = compound({"a": odd_width(U16, 12), "s": string(4, pad=NULLTERM), "f": F32}), \
    [(stored(5, 0xF000), b"x\0yz", -0.0), (stored(5), b"x", 0.0), (stored(5), b"y", 0.0)], \
    (0, b"", 0.0), [(stored(5, 0x1000), b"x\0q", 0.0)]

wrong_bit("bitfield-padding", "bitfields of 12 bits whose other bits are set", *PADDED_BITFIELD)
wrong_bit("array-padding", "arrays of 12-bit integers whose other bits are set", *PADDED_ARRAY)
wrong_bit("array-of-null-terminated", "arrays of strings with bytes after their end",
          *NULL_TERMINATED)
wrong_bit("array-of-zeros", "arrays of floats with zeros of either sign", *SIGNED_ZEROS)
wrong_bit("array-of-infinities", "arrays of floats, infinities and NaN among them", array(F64, 2),
          [[INF, 1], [-INF, 1], [NAN, 1], [INF, 1]], [9, 9], [[INF, 1], [-INF, 1]])
wrong_bit("array-of-small-infinities", "arrays of big-endian float16, infinities among them",
          array(F16BE, 2), [[-INF, 1], [INF, 1], [65504, 1], [NAN, 1]], [9, 9],
          [[-INF, 1], [65504, 1]])
wrong_bit("array-of-bfloat16", "arrays of bfloat16 with zeros of either sign", *BFLOAT_ZEROS)
wrong_bit("compound-padding", "compounds whose fields hold bits that do not count", *PADDED_FIELDS)
wrong_bit("time", "times", TIME32, [1, 2**31, 1], 0, [1])
wrong_bit("sequence", "variable-length sequences of 12-bit integers", sequence(odd_width(I16, 12)),
          [[stored(5, 0xF000)], [stored(5), stored(5)]], [], [[stored(5)]],
          fails={"bitmap-bit-set"}, informs={"prefer-fixed-length"},
          revised=newer(informs={"prefer-list-column"}))


@invalid("bitmap-lsb-first", base=over(U8, [1] * 5 + [2] * 6, UINT8_FILL, kind="BITMAP",
                                       indexed=[1, 2]))
def msb_first_in_the_last_byte(t):
    "Eleven rows, packed from the most significant bit by numpy.packbits."
    index(t).values = [bytearray(b"\xf8\x00"), bytearray(b"\x07\xe0")]


@invalid("bitmap-lsb-first", base=NUMBERS)
def msb_first(t):
    "Bits are packed from the most significant one, numpy's default."
    for row in index(t).values:
        for b in range(len(row)):
            row[b] = int(f"{row[b]:08b}"[::-1], 2)


@valid("bitmap-lsb-first", base=over(I16, [1] + [2] * 6 + [1] + [1], INT16_FILL, kind="BITMAP",
                                     indexed=[1, 2]))
def byte_borders(t):
    "Rows 0, 7 and 8 have the first value."


@valid("bitmap-bit-clear", slug="value-without-rows",
       base=over(I16, ROWS, INT16_FILL, kind="BITMAP", indexed=[1, 44]), ambiguity="values-indexed")
def value_without_rows(t):
    "A value that no row has: all bits clear."


@invalid("bitmap-values-attr-present", base=NUMBERS, ambiguity="additional-attributes-required")
def no_values_attribute(t):
    "No attribute VALUES, and no values dataset either."
    index(t).values, index(t).shape = index(t).values, (3, 2)
    t.search_indexes.remove("x__values")
    del index(t).attrs["VALUES"]


@invalid("bitmap-values-attr-scalar", base=NUMBERS)
def one_element(t):
    "VALUES has shape {1}."
    index(t).attrs["VALUES"] = refs([indexed(t)])


@valid("bitmap-values-attr-scalar", slug="other-name", base=NUMBERS,
       keeps=["bitmap-values-attr-present", "bitmap-values-resolves"])
def other_name(t):
    "The values dataset has a name of its own."
    t.search_indexes.rename("x__values", "distinct")


def leads(slug, shows, target):
    def mutate(t):
        index(t).values, index(t).shape = index(t).values, (3, 2)
        t.search_indexes.remove("x__values")
        index(t).attrs["VALUES"] = ref(target(t))
    invalid("bitmap-values-resolves", slug, f"VALUES is {shows}.", base=NUMBERS)(mutate)


leads("null", "a null reference", lambda t: NULL)
leads("column", "a reference to the column", lambda t: t.column("x"))
leads("outside", "a reference to a dataset outside the table",
      lambda t: t.file.put("/values", Dataset(I16, [1, 2, 3])))
leads("itself", "a reference to the bitmap", index)


@invalid("bitmap-values-resolves", slug="categories", base=good_table)
def categories_dataset(t):
    "VALUES refers to the categories dataset of the column."
    bitmap = t.index("label", "BITMAP")
    bitmap.values, bitmap.shape = bitmap.values, (3, 2)
    t.search_indexes.remove("label__values")
    bitmap.attrs["VALUES"] = ref(t.column("label").categories)


@invalid("bitmap-values-resolves", slug="dangling", base=NUMBERS)
def dangling(t):
    "VALUES refers to a dataset that was deleted."
    index(t).values, index(t).shape = index(t).values, (3, 2)
    indexed(t).deleted = True


@invalid("bitmap-values-rank-1", base=NUMBERS)
def values_of_rank_two(t):
    "The values dataset has shape {3, 1}."
    index(t).values
    indexed(t).shape = (3, 1)


@invalid("bitmap-values-rank-1", slug="scalar",
         base=over(I16, ROWS, INT16_FILL, kind="BITMAP", indexed=[1]))
def scalar_values(t):
    "The values dataset is scalar, with K = 1."
    index(t).values
    indexed(t).values, indexed(t).shape = 1, ()


@valid("bitmap-values-rank-1", slug="none", base=over(I16, ROWS, INT16_FILL, kind="BITMAP", indexed=[]))
def empty_values(t):
    "The values dataset has extent 0."
    index(t).values, index(t).shape = [], (0, 2)


@invalid("bitmap-values-type", base=NUMBERS)
def int32_values(t):
    "int32 values for an int16 column."
    index(t).values
    indexed(t).type = I32


@invalid("bitmap-values-type", base=good_table, ambiguity="bitmap-of-categories")
def labels(t):
    "The values of a categorical column's bitmap are labels."
    bitmap = t.index("label", "BITMAP")
    bitmap.values, bitmap.shape = bitmap.values, (3, 2)
    bitmap.indexed.type, bitmap.indexed.values = string(6), ["signal", "noise", "pileup"]


@valid("bitmap-values-type", base=NUMBERS, warns={"bitmap-values-type"}, slug="byte-order",
       ambiguity="same-datatype-byte-order",
       revised=newer(warns=()))
def big_endian_values(t):
    "Big-endian values for a little-endian column."
    index(t).values
    indexed(t).type = I16BE


@invalid("bitmap-values-type", base=over(string(4), ["a", "b"], "", kind="BITMAP", indexed=["a", "b"]))
def other_padding(t):
    "Space-padded values for a null-padded column."
    index(t).values
    indexed(t).type = string(4, pad=SPACEPAD)


@invalid("bitmap-values-type", base=over(compound({"a": I32, "b": I32}), [(1, 2), (3, 4)], (0, 0),
                                         kind="BITMAP", indexed=[(1, 2)]))
def other_fields(t):
    "The second field of the values has another name."
    index(t).values
    indexed(t).type = compound({"a": I32, "c": I32})


@valid("bitmap-values-type", slug="codes", base=good_table, ambiguity="bitmap-of-categories")
def codes(t):
    "The bitmap of a categorical column indexes codes."


@invalid("bitmap-values-distinct", base=over(I16, ROWS, INT16_FILL, kind="BITMAP", indexed=[1, 2, 1]))
def twice(t):
    "A value is listed twice, with the same bits."


def repeated(slug, shows, type_id, values, fill, distinct, **options):
    invalid("bitmap-values-distinct", slug, shows,
            base=over(type_id, values, fill, kind="BITMAP", indexed=distinct), **options)(lambda t: None)


repeated("zeros", "Both zeros are listed.", F64, [0.0, 1.5, -0.0], FLOAT_FILL, [0.0, 1.5, -0.0])
repeated("strings", "A space-padded string is listed twice, far apart.", string(4, pad=SPACEPAD),
         ["a", "b", "c"], "none", ["a", "b", "c", "a"])
repeated("padding", "A bitfield is listed twice, with other bits that do not count.",
         odd_width(B16, 12), [stored(5), stored(7)], stored(0),
         [stored(5), stored(7), stored(5, 0xF000)])
repeated("array-of-zeros", "An array is listed twice, with zeros of either sign.", array(F32, 2),
         [[0.0, 1], [2, 3]], [9, 9], [[0.0, 1], [2, 3], [-0.0, 1]])
repeated("int128", "An int128 value is listed twice.", I128, [2**100, 5], -7, [2**100, 5, 2**100])
repeated("fill", "The fill value is listed twice.", I16, ROWS, INT16_FILL,
         [INT16_FILL, 1, INT16_FILL])


@valid("bitmap-values-subset", base=over(I16, ROWS, INT16_FILL, kind="BITMAP", indexed=[3]),
       ambiguity="values-indexed")
def subset(t):
    "One of three values is indexed."


@valid("bitmap-values-distinct", slug="fill-indexed",
       base=over(I16, ROWS, INT16_FILL, kind="BITMAP", indexed=[3, INT16_FILL]),
       ambiguity="values-indexed")
def fill_indexed(t):
    "The fill value is indexed as well."


def over_type(slug, shows, type_id, values, fill, distinct, **options):
    valid("bitmap-any-column-type", slug, f"A bitmap over {shows}.",
          base=over(type_id, values, fill, kind="BITMAP", indexed=distinct),
          keeps=["bitmap-bit-set"], **options)(lambda t: None)


over_type("compound", "compounds", compound({"a": I32, "b": I32}), [(1, 2), (3, 4), (1, 2)], (0, 0),
          [(1, 2), (3, 4)])
over_type("enum", "an enumeration", enum({"A": 0, "B": 1, "MISSING": 2}), [0, 1, 2, 0], 2, [0, 1])
over_type("opaque", "opaque bytes", opaque(2), [b"ab", b"cd", b"ab"], b"\0\0", [b"ab", b"cd"])
over_type("string", "space-padded strings", string(4, pad=SPACEPAD), ["a", "b", "a"], "none",
          ["a", "b"])
over_type("float", "floats with NaN rows", F64, [1.5, NAN, -2.0, 1.5], FLOAT_FILL, [1.5, -2.0])


over_type("float-big-endian", "big-endian floats with both zeros", F32BE, [0.0, -0.0, NAN, 2.5],
          FLOAT_FILL, [-0.0, 2.5])
over_type("boolean", "booleans", BOOL, [1, 0, 1, 1, 0, 0, 0, 1, 1], -1, [0, 1],
          revised=boolean_with_fill())
over_type("variable-string", "variable-length strings", string(None), ["a", "", "b", "a"], "none",
          ["a", ""], informs={"prefer-fixed-length"})
over_type("odd-width", "24-bit integers", odd_width(I32, 24), [5, -1, 8388607], -7, [-1, 5])
over_type("array", "arrays", array(I16, 2), [[1, 2], [3, 4], [1, 2]], [0, 0], [[3, 4], [1, 2]])
over_type("padded-compound", "compounds with gaps between their fields",
          compound({"a": U8, "b": I32}, gap=3), [(1, 2), (3, 4), (1, 2)], (0, 0), [(1, 2)])
over_type("sequence", "variable-length sequences", sequence(I32), [[1], [2, 3], [], [1]], [9],
          [[1], [2, 3]], informs={"prefer-fixed-length"},
          revised=newer(informs={"prefer-list-column"}))
over_type("compound-of-strings", "compounds that hold a variable-length string",
          compound({"a": I32, "s": string(None)}), [(1, "x"), (2, "y"), (1, "x")], (0, ""),
          [(1, "x"), (2, "y")], informs={"prefer-fixed-length"})

over_type("int128", "int128", I128, [2**64 + 1, 1, -1, 2**64 + 1], -7, [2**64 + 1, -1])
over_type("bfloat16", "bfloat16 with NaN rows and both zeros", BFLOAT16BE, [1.5, NAN, -0.0, 0.0], -1.0,
          [0.0, 1.5])
over_type("long-double", "80-bit floats", LONG_DOUBLE,
          [x87(X87_ONE), x87(X87_ONE + 1), x87(0, 0, 1), x87(X87_ONE + 5, 0x7FFF)], x87(X87_ONE, 0x4000),
          [x87(0, 0), x87(X87_ONE)])
over_type("time", "times", TIME32, [1, 2**31, 1, 5], 0, [2**31, 1])
over_type("bitfield-padding", "bitfields of 12 bits whose other bits are set", *PADDED_BITFIELD)
over_type("array-padding", "arrays of 12-bit integers whose other bits are set", *PADDED_ARRAY)
over_type("array-of-null-terminated", "arrays of strings with bytes after their end",
          *NULL_TERMINATED)
over_type("array-of-zeros", "arrays of floats with zeros of either sign", *SIGNED_ZEROS)
over_type("array-of-bfloat16", "arrays of bfloat16 with zeros of either sign", *BFLOAT_ZEROS)
over_type("compound-padding", "compounds whose fields hold bits that do not count", *PADDED_FIELDS)
over_type("array-of-strings-alike", "arrays of strings that are alike when joined",
          array(string(4, pad=NULLTERM), 2), [[b"ab", b""], [b"a", b"b"]], [b"", b""],
          [[b"ab", b""], [b"a", b"b"]])
over_type("sequences-alike", "pairs of sequences that are alike when joined",
          compound({"a": sequence(I32), "b": sequence(I32)}), [([1, 2], []), ([1], [2])], ([], []),
          [([1, 2], []), ([1], [2])], informs={"prefer-fixed-length"},
          warns={"compound-fields-atomic"})
over_type("array-with-nan-fill", "arrays whose fill value has a NaN in it, of which no row is missing",
          array(F64, 2), [[NAN, 1], [NAN, 5], [2, 2]], [NAN, 1], [[2, 2]])
over_type("leading-bit-stored", "floats of 4 bytes whose leading bit is stored", with_leading_bit(F32),
          [b"\0\0\xC0\x3F", b"\0\0\x40\x40"], bytes(4), [b"\0\0\xC0\x3F"], outcome="unchecked",
          unchecked=["bitmap-bit-set", "bitmap-bit-clear", "bitmap-values-distinct"])
EVENTS = Reference("/events")
over_type("reference", "object references", REF_OBJ, [NULL, EVENTS, NULL, EVENTS], Reference("/"),
          [EVENTS])


def other_order(slug, shows, type_id, other, values, fill, distinct):
    """The values dataset is stored in the other byte order."""
    def mutate(t):
        index(t).values
        indexed(t).type = other
    valid("bitmap-values-type", slug, f"Values in another byte order: {shows}.",
          base=over(type_id, values, fill, kind="BITMAP", indexed=distinct),
          warns={"bitmap-values-type"}, ambiguity="same-datatype-byte-order",
          revised=newer(warns=()))(mutate)


other_order("int128-byte-order", "int128", I128, I128BE, [2**64 + 1, 1, -1], -7, [-1, 2**64 + 1])
other_order("array-byte-order", "arrays of int16", array(I16, 2), array(I16BE, 2),
            [[1, 256], [2, 3]], [0, 0], [[2, 3], [1, 256]])
other_order("compound-byte-order", "compounds, of whose fields one has another byte order",
            compound({"a": I16, "b": F32}), compound({"a": I16BE, "b": F32}),
            [(1, 2.0), (256, -0.0)], (0, 0.0), [(256, 0.0), (1, 2.0)])
other_order("bfloat16-byte-order", "bfloat16", BFLOAT16, BFLOAT16BE, [1.5, -0.0], -1.0, [0.0, 1.5])


@valid("bitmap-ordered-scalar", slug="ordinal", base=over(I16, ROWS, INT16_FILL, kind="BITMAP",
                                                          indexed=[3, 1, 2]))
def ordinal(t):
    "ordered is TRUE, and the values are in an order of their own."
    index(t).attrs["ordered"] = boolean(True)


@valid("bitmap-row-bytes", slug="one-row", base=over(I16, [7], INT16_FILL, kind="BITMAP", indexed=[7]))
def one_row(t):
    "One row: one byte."


@valid("bitmap-residue", slug="long-tail", base=over(
    I16, ROWS * 6, INT16_FILL, kind="BITMAP", indexed=[1, 2, 3], nrows=10))
def long_tail(t):
    "The extent exceeds NROWS by many chunks, and bits of rows in the tail are set."
    for row in index(t).values:
        row += bytearray(b"\xaa" * 6)
    index(t).shape = (3, 8)


@valid("bitmap-uint8", slug="compressed", base=NUMBERS)
def compressed(t):
    "The bitmap is chunked both ways, and compressed."
    i = index(t)
    i.values, i.chunk, i.deflate = i.values, (2, 1), 6


@valid("bitmap-ordered-optional", base=NUMBERS, keeps=["bitmap-ordered-scalar"])
def no_ordered(t):
    "No attribute ordered."
    del index(t).attrs["ordered"]


@invalid("bitmap-ordered-scalar", base=NUMBERS)
def ordered_array(t):
    "ordered has shape {1}."
    index(t).attrs["ordered"] = boolean(False).shaped(1)


@valid("bitmap-ordered-scalar", slug="scalar", base=NUMBERS)
def ordered_scalar(t):
    "ordered is scalar and false."


@invalid("bitmap-one-column", base=NUMBERS, ambiguity="one-or-more-columns")
def two_columns(t):
    "Two columns list the same bitmap."
    t.add_column("y", I16, list(t.column("x").values), fill=INT16_FILL, chunk=4)
    t.column("y").attrs["SEARCH_INDEX_LIST"] = refs([index(t)])


@valid("bitmap-one-column", base=NUMBERS)
def a_bitmap_each(t):
    "Two columns, a bitmap each."
    t.add_column("y", I16, [7, 8, 7, 8, 7, 8, 7, 8, 7, 8], fill=INT16_FILL, chunk=4)
    t.add_index("y", "BITMAP", values=[7, 8])
