"""HEP001 10.5, SORTED_ROWS: form, permutation, order, ties, tails."""

from generators.hep001 import *
from generators.hep001.recipes.s10_4_chunk_minmax import index, over as over_kind


def over(type_id, values, fill, **options):
    return over_kind(type_id, values, fill, kind="SORTED_ROWS", **options)


INTEGERS = over(I32, [5, 3, -1, INT32_FILL, 9, 3, INT32_FILL], INT32_FILL)
REALS = over(F64, [1.5, NAN, -2.0, FLOAT_FILL, NAN, 0.5, FLOAT_FILL, 7.0], FLOAT_FILL)


def order(clause, slug, shows, base, rows, **options):
    """An index that lists `rows`; its tail lengths are the right ones."""
    def mutate(t):
        index(t).values = list(rows)
    kind = options.pop("kind", invalid)
    kind(clause, slug, shows, base=base, **options)(mutate)


# --- which columns -------------------------------------------------------------------------------

def unorderable(clause, slug, type_id, values, fill, what, **options):
    def base():
        t = Table("/events", nrows=len(values))
        t.add_column("x", type_id, values, fill=fill, chunk=4, maxshape=(None,))
        t.add_column("y", I32, [1, 2, 3], fill=INT32_FILL, chunk=4, maxshape=(None,))
        i = t.add_index("y", "SORTED_ROWS")
        i.values
        t.column("y").indexes.remove(i)
        del t.column("y").attrs["SEARCH_INDEX_LIST"]
        i.attrs["nan_tail_length"], i.attrs["fill_tail_length"] = uint64(0), uint64(0)
        t.column("x").attrs["SEARCH_INDEX_LIST"] = refs([i])
        return t
    invalid(clause, slug, f"SORTED_ROWS over a column of {what}.", base=base,
            **options)(lambda t: None)


unorderable("sorted-orderable-type", "bitfield", B8, [1, 2, 3], 255, "bitfields")
unorderable("sorted-orderable-type", "time", TIME32, [1, 2, 3], 0, "H5T_TIME")
unorderable("sorted-excluded-type", "compound", compound({"re": F32, "im": F32}),
            [(1.0, 2.0)] * 3, (0.0, 0.0), "compounds")
unorderable("sorted-excluded-type", "object-reference", REF_OBJ, [NULL] * 3, NULL,
            "object references")
unorderable("sorted-excluded-type", "region-reference", REF_REGION, [NULL] * 3, NULL,
            "region references")
unorderable("sorted-excluded-type", "array", array(I32, 2), [[1, 2]] * 3, [0, 0], "arrays")
unorderable("sorted-excluded-type", "sequence", sequence(I32), [[1], [2, 3], []], [],
            "variable-length sequences", fails={"sorted-excluded-type"},
            informs={"prefer-fixed-length"}, revised=newer(informs={"prefer-list-column"}))


# --- form ----------------------------------------------------------------------------------------

@invalid("sorted-rank-1", base=INTEGERS)
def two_dimensions(t):
    "The index has shape {NROWS, 1}."
    index(t).shape = (7, 1)


@invalid("sorted-length", base=INTEGERS)
def one_short(t):
    "One element short."
    index(t).values.pop()


@invalid("sorted-length", base=INTEGERS)
def empty(t):
    "No element, although there are rows."
    index(t).values = []


@valid("sorted-length", base=over(I32, [], INT32_FILL), keeps=["sorted-tail-lengths-zero"])
def no_rows(t):
    "NROWS is 0, and so is the extent of the index."


@valid("sorted-permutation", base=over(I32, [7], INT32_FILL), keeps=["sorted-length"])
def one_row(t):
    "One row: the identity."


@valid("sorted-residue", base=over(I32, [5, 3, 1, 4, 2, 9, 8, 7], INT32_FILL, nrows=5),
       keeps=["sorted-length", "sorted-permutation"], ambiguity="surplus-index-entries")
def trailing(t):
    "Three more elements follow the permutation."
    index(t).values += [5, 6, 7]


@valid("sorted-residue", base=over(I32, [5, 3, 1, 4, 2, 9, 0, 7], INT32_FILL, nrows=5),
       ambiguity="sorted-residue-form")
def interleaved(t):
    "Elements at and beyond NROWS stand among the others, left by a truncation."
    index(t).values = [6, 2, 4, 1, 3, 0, 7, 5]


@invalid("sorted-rank-1", base=over(I32, [7], INT32_FILL))
def scalar(t):
    "The index of a single row is scalar."
    index(t).values, index(t).shape = 0, ()


@valid("sorted-residue", base=over(I32, [5, 3, 1, 4, 2, 9, 8, 7], INT32_FILL, nrows=0),
       keeps=["sorted-length", "sorted-tail-lengths-zero"], ambiguity="surplus-index-entries")
def without_rows(t):
    "NROWS is 0, and the index of a former table remains."
    index(t).values = [2, 4, 1, 3, 0, 7, 6, 5]
    index(t).attrs["nan_tail_length"], index(t).attrs["fill_tail_length"] = uint64(0), uint64(0)


@valid("sorted-residue", base=over(F64, [5.0, NAN, 1.0, FLOAT_FILL, 2.0, 9.0, NAN, FLOAT_FILL],
                                   FLOAT_FILL, nrows=5), ambiguity="sorted-residue-form")
def interleaved_tails(t):
    "Rows beyond NROWS stand among the values, in the fill tail and in the NaN tail."
    index(t).values = [2, 4, 0, 5, 3, 7, 1, 6]


@invalid("sorted-permutation", base=over(I32, [5, 3, 1, 4, 2, 9, 0, 7], INT32_FILL, nrows=5))
def row_lost_in_residue(t):
    "Elements beyond NROWS stand among the others, and one row is not there at all."
    index(t).values = [6, 2, 4, 1, 3, 7, 5, 5]


@invalid("sorted-integer-order", base=over(I32, [5, 3, 1, 4, 2, 9, 0, 7], INT32_FILL, nrows=5))
def disorder_in_residue(t):
    "Elements beyond NROWS stand among the others, which are not in order."
    index(t).values = [6, 2, 1, 4, 3, 0, 7, 5]


@invalid("sorted-length", base=over(I32, [7], INT32_FILL))
def empty_for_one_row(t):
    "No element, and there is one row."
    index(t).values = []


@invalid("sorted-unsigned", base=INTEGERS)
def int64(t):
    "The elements are int64."
    index(t).type = I64


@invalid("sorted-unsigned", base=INTEGERS)
def float64(t):
    "The elements are float64."
    index(t).type = F64


@invalid("sorted-unsigned", base=INTEGERS)
def an_enum(t):
    "The elements are an enumeration over uint16."
    index(t).type = enum({"A": 0}, U16)


@valid("sorted-unsigned", base=INTEGERS, keeps=["sorted-wide-enough"])
def uint8(t):
    "uint8 for seven rows."
    index(t).type = U8


@valid("sorted-unsigned", base=INTEGERS, ambiguity="integer-attribute-byte-order")
def big_endian(t):
    "Big-endian uint64."
    index(t).type = U64BE


@valid("sorted-unsigned", base=INTEGERS, keeps=["sorted-permutation"])
def uint128(t):
    "Big-endian integers of 16 bytes."
    index(t).type = wide(U64BE, 16)


@valid("sorted-unsigned", base=INTEGERS, keeps=["sorted-permutation"])
def of_20_bits(t):
    "20 bits of 4 bytes, 3 bits up, with other bits set."
    rows = index(t).values
    index(t).type = odd_width(U32, 20, 3)
    index(t).values = [(row << 3 | 0xFF000007).to_bytes(4, "little") for row in rows]


@invalid("sorted-permutation", base=INTEGERS)
def beyond_64_bits(t):
    "An element of 16 bytes is 2^64, whose lower half is row 0."
    rows = index(t).values
    index(t).type = U128
    index(t).values = [2**64 if row == 0 else row for row in rows]


@invalid("sorted-integer-order", base=INTEGERS)
def of_20_bits_swapped(t):
    "Two elements of 20 bits are exchanged."
    rows = index(t).values
    rows[0], rows[1] = rows[1], rows[0]
    index(t).type = odd_width(U32BE, 20, 3)


@invalid("sorted-wide-enough", base=over(U16, list(range(257)), UINT16_FILL, chunk=64))
def uint8_for_257(t):
    "uint8 for 257 rows."
    index(t).values = [r % 256 for r in range(257)]
    index(t).type = U8


@valid("sorted-wide-enough", slug="uint8-for-256",
       base=over(U16, list(range(256)), UINT16_FILL, chunk=64))
def uint8_for_256(t):
    "uint8 for 256 rows."
    index(t).type = U8


@valid("sorted-wide-enough", ambiguity="wide-enough-for",
       base=over(U16, list(range(300)), UINT16_FILL, chunk=64, nrows=200))
def uint8_for_an_extent_of_300(t):
    "uint8 for 200 rows, in columns with a reserved tail up to row 300."
    index(t).type = U8


# --- permutation and order -----------------------------------------------------------------------

order("sorted-permutation", "twice", "Row 2 is listed twice, row 5 is missing.", INTEGERS,
      [2, 1, 2, 0, 4, 3, 6])
order("sorted-permutation", "beyond", "An element is NROWS.", INTEGERS, [2, 1, 5, 0, 7, 3, 6])
order("sorted-permutation", "from-one", "Rows are counted from 1.", INTEGERS,
      [3, 2, 6, 1, 5, 4, 7])
order("sorted-permutation", "all-zero", "All elements are 0, as if never written.", INTEGERS,
      [0] * 7)
order("sorted-permutation", "tail-rows", "Rows of the reserved tail are sorted in.",
      over(I32, [5, 3, 1, 4], INT32_FILL, nrows=3), [2, 1, 3])
order("sorted-ties", "descending", "Equal values are listed by decreasing row.", INTEGERS,
      [2, 5, 1, 0, 4, 3, 6])


order("sorted-ties", "zeros", "+0 at row 1 precedes -0 at row 0; no order of values explains it.",
      over(F64, [-0.0, 0.0, 1.0], FLOAT_FILL), [1, 0, 2])
order("sorted-ties", "like-zeros", "+0 at row 1 precedes +0 at row 0.",
      over(F64, [0.0, 0.0, 1.0], FLOAT_FILL), [1, 0, 2])
order("sorted-ties", "like-negative-zeros", "-0 at row 1 precedes -0 at row 0.",
      over(F64, [-0.0, -0.0, 1.0], FLOAT_FILL), [1, 0, 2])
order("sorted-ties", "space-padded", "Equal space-padded strings by decreasing row.",
      over(string(4, pad=SPACEPAD), ["b", "a", "a"], "none"), [2, 1, 0])
order("sorted-ties", "opaque", "Equal opaque values by decreasing row.",
      over(opaque(2), [b"ab", b"ab"], b"\0\0"), [1, 0])
order("sorted-ties", "booleans", "Equal booleans by decreasing row.", over(BOOL, [1, 0, 1], -1),
      [1, 2, 0], revised=boolean_with_fill())


@valid("sorted-ties", base=over(I32, [4] * 6, INT32_FILL))
def all_equal(t):
    "All rows are equal: the identity."


order("sorted-integer-order", "unsigned", "int8 is sorted as unsigned: negatives last.",
      over(I8, [-1, 1, 5], INT8_FILL), [1, 2, 0])
order("sorted-integer-order", "signed", "uint64 is sorted as signed: the largest first.",
      over(U64, [1, 2**63, 5], UINT64_FILL), [1, 0, 2])
order("sorted-integer-order", "raw-bytes", "A big-endian column is sorted by its bytes as they lie.",
      over(I16BE, [256, 1, 2], INT16_FILL), [0, 1, 2])


order("sorted-integer-order", "by-row", "The identity over values that are not in order.", INTEGERS,
      [0, 1, 2, 4, 5, 3, 6])
order("sorted-integer-order", "descending", "Values are in decreasing order, ties too.",
      over(I32, [5, 3, 3, 9], INT32_FILL), [3, 0, 2, 1])
order("sorted-integer-order", "ranks", "The index holds the rank of each row, its own inverse.",
      over(I32, [30, 10, 20], INT32_FILL), [2, 0, 1])
order("sorted-integer-order", "as-float64", "int64 values are compared as float64.",
      over(I64, [2**53 + 1, 2**53], INT64_FILL), [0, 1])
order("sorted-integer-order", "24-bit", "24-bit integers are sorted as unsigned.",
      over(odd_width(I32, 24), [-1, 5], -7), [1, 0])


def sorted_right(clause, slug, shows, type_id, values, fill, **options):
    valid(clause, slug, shows, base=over(type_id, values, fill), **options)(lambda t: None)


sorted_right("sorted-integer-order", "int8", "int8 with -1 and 1.", I8, [1, -1, 0, -128], INT8_FILL,
             keeps=["sorted-orderable-type", "sorted-fill-tail-length-value"])
sorted_right("sorted-integer-order", "odd-width", "24-bit integers.", odd_width(I32, 24),
             [5, -8388608, 8388607, -1], -7)
sorted_right("sorted-integer-order", "uint32-big-endian", "Big-endian uint32.", U32BE,
             [2**31, 1, 256, 2], UINT32_FILL)
sorted_right("sorted-integer-order", "int128", "int128, of which some differ in the upper half alone.",
             I128, [2**64 + 1, -1, 1, -2**64 - 1, 2**127 - 1, -2**127, 1], 0)
sorted_right("sorted-integer-order", "uint128-big-endian", "Big-endian uint128 above 2^127.",
             wide(U64BE, 16), [2**127, 1, 2**128 - 1, 2**64, 0], 7)
sorted_right("sorted-integer-order", "int72", "Integers of 9 bytes.", wide(I64, 9),
             [2**71 - 1, 255, -2**71, -1, 256, 255], -7)
sorted_right("sorted-integer-order", "8000-bit", "Integers of 1000 bytes.", wide(I64, 1000),
             [2**7999 - 1, 0, -2**7999, -1, 1, 0], -7)
sorted_right("sorted-enum-order", "int128", "Codes are int128.",
             enum({"A": -5, "B": 7, "MISSING": 0}, I128), [7, -5, 0, 7, -5], 0)
order("sorted-integer-order", "int128-low-word", "int128 values are compared by their lower 64 bits.",
      over(I128, [2**64, 5, 7], -7), [0, 1, 2])
order("sorted-integer-order", "int128-signed", "uint128 is sorted as signed: the largest first.",
      over(U128, [1, 2**127, 5], 2**128 - 1), [1, 0, 2])
order("sorted-ties", "int128", "Equal int128 values in decreasing order of row.",
      over(I128, [2**100, 5, 2**100], -7), [1, 2, 0])
order("sorted-enum-order", "int128", "Codes of int128 are sorted as unsigned.",
      over(enum({"LOW": -1, "HIGH": 5, "MISSING": 9}, I128BE), [-1, 5, -1], 9), [1, 0, 2])
OTHER_FLOATS = {"warns": {"sorted-orderable-type"}, "ambiguity": "floats-with-an-order"}
LONG_DOUBLES = over(LONG_DOUBLE, [x87(X87_ONE + 1), x87(X87_ONE), x87(X87_ONE + 5, 0x7FFF), x87(X87_ONE, sign=1),
                                  x87(0, 0), x87(0, 0, 1), x87(X87_ONE, 0x4000)], x87(X87_ONE, 0x4000))
BFLOATS = over(BFLOAT16BE, [1.5, -2.0, NAN, 2.0**100, -0.0, 7.0, 0.0, -INF], 7.0)
valid("sorted-orderable-type", "long-double", "A right SORTED_ROWS over 80-bit floats, of which some "
      "differ in their last bit alone.", base=LONG_DOUBLES, **OTHER_FLOATS)(lambda t: None)
valid("sorted-orderable-type", "bfloat16", "A right SORTED_ROWS over big-endian bfloat16.",
      base=BFLOATS, **OTHER_FLOATS)(lambda t: None)
order("sorted-float-order", "long-double", "80-bit floats are compared as float64.", LONG_DOUBLES,
      [3, 4, 5, 0, 1, 6, 2], fails={"sorted-float-order"}, **OTHER_FLOATS)
order("sorted-float-order", "bfloat16-bits", "bfloat16 values are sorted by their bits.", BFLOATS,
      [4, 6, 0, 3, 1, 7, 5, 2], fails={"sorted-float-order"}, **OTHER_FLOATS)
order("sorted-negative-zero", "bfloat16", "-0 precedes +0 whatever their rows, in bfloat16.",
      over(BFLOAT16, [0.0, -0.0, 1.5], -1.0), [1, 0, 2], fails={"sorted-negative-zero"},
      **OTHER_FLOATS)
order("sorted-nan-tail-last", "bfloat16", "A NaN row of bfloat16 comes first.",
      over(BFLOAT16, [NAN, 1.5, 2.5], -1.0), [0, 1, 2], fails={"sorted-nan-tail-last"},
      **OTHER_FLOATS)
for tail in ("nan", "fill"):
    @invalid(f"sorted-{tail}-tail-length-value", "bfloat16", f"{tail}_tail_length of bfloat16 is wrong: a warning.",
             base=over(BFLOAT16, [1.5, 2.5], -1.0), fails=set(), ambiguity="floats-with-an-order",
             warns={"sorted-orderable-type", f"sorted-{tail}-tail-length-value"})
    def tail_of_other_floats(t, tail=tail):
        index(t).attrs[f"{tail}_tail_length"] = uint64(1)
order("sorted-float-order", "bit-pattern", "Floats are sorted by bit pattern: negatives reversed.",
      over(F32, [-1.0, -2.0, 3.0], FLOAT_FILL), [0, 1, 2])
order("sorted-float-order", "infinity-last-but-one", "+inf precedes a finite value.",
      over(F64, [INF, 1.0, 2.0, NAN], FLOAT_FILL), [1, 0, 2, 3])
order("sorted-float-order", "infinity-in-nan-tail", "+inf stands among the NaN rows, by row.",
      over(F64, [NAN, INF, 1.0, NAN, 2.0], FLOAT_FILL), [2, 4, 0, 1, 3])
order("sorted-float-order", "infinity-in-nan-tail-and-disorder", "+inf stands among the NaN rows, and "
      "two other rows are in the wrong order.", over(F64, [NAN, INF, 1.0, NAN, 2.0], FLOAT_FILL),
      [4, 2, 0, 1, 3], fails={"sorted-float-order", "sorted-nan-tail-last"})
order("sorted-float-order", "infinity-last", "+inf follows the NaN tail.",
      over(F32, [INF, 1.0, FLOAT_FILL, NAN], FLOAT_FILL), [1, 2, 3, 0])
order("sorted-float-order", "float16-bits", "Big-endian float16 is sorted by its bits.",
      over(F16BE, [-1.0, -2.0, 3.0], 100.0), [2, 0, 1])
sorted_right("sorted-float-order", "float16-big-endian", "Big-endian float16, subnormals and infinities.",
             F16BE, [6e-8, -6e-8, INF, -INF, 0.0, NAN, -0.0, 65504.0], -1.0)
sorted_right("sorted-float-order", "float32-big-endian", "Big-endian float32.", F32BE,
             [-1.5, 1e-40, -1e-40, FLOAT_FILL, 2.0], FLOAT_FILL)
sorted_right("sorted-float-order", "infinities", "Both infinities.", F64, [INF, 1.0, -INF, 0.0, NAN],
             FLOAT_FILL, keeps=["sorted-nan-tail-last"])
sorted_right("sorted-float-order", "float16", "float16.", F16, [1.5, -2.0, 0.25], -1.0)
order("sorted-boolean-order", "true-first", "TRUE rows come first.", over(BOOL, [0, 1, 0], -1),
      [1, 0, 2], revised=boolean_with_fill())
sorted_right("sorted-boolean-order", "both", "FALSE and TRUE.", BOOL, [1, 0, 1, 0], -1,
             keeps=["sorted-orderable-type"], ambiguity="boolean-columns",
             revised=boolean_with_fill())
order("sorted-boolean-order", "by-row", "FALSE and TRUE rows as they come.",
      over(BOOL, [1, 0, 1, 0], -1), [0, 1, 2, 3], revised=boolean_with_fill())
order("sorted-opaque-order", "by-tag", "Opaque values in decreasing order; a tag is there.",
      over(opaque(2, b"tag"), [b"ab", b"ac"], b"\0\0"), [1, 0])
order("sorted-opaque-order", "signed", "Bytes are compared as signed: 0x80 before 0x7F.",
      over(opaque(1), [b"\x7f", b"\x80"], b"\0"), [1, 0])
order("sorted-opaque-order", "little-endian", "Opaque values are sorted as little-endian numbers.",
      over(opaque(2), [b"\0\2", b"\1\1"], b"\xff\xff"), [1, 0])
sorted_right("sorted-opaque-order", "bytes", "0x7F before 0x80; the tag does not count.",
             opaque(2, b"tag"), [b"\x80\0", b"\x7f\xff", b"\0\1"], b"\xff\xff")
COLOURS = enum({"RED": 2, "BLUE": 7, "GREEN": 1, "MISSING": 9})
order("sorted-enum-order", "by-name", "Enumeration values are sorted by name.",
      over(COLOURS, [2, 7, 1], 9), [1, 2, 0])
order("sorted-enum-order", "by-declaration", "Enumeration values are sorted by declaration.",
      over(COLOURS, [2, 7, 1], 9), [0, 1, 2])
order("sorted-enum-order", "unsigned", "Negative codes are sorted as unsigned.",
      over(enum({"LOW": -1, "HIGH": 5, "MISSING": 9}), [-1, 5, -1], 9), [1, 0, 2])
sorted_right("sorted-enum-order", "uint16-big-endian", "Codes are big-endian uint16.",
             enum({"A": 256, "B": 1, "MISSING": 65535}, U16BE), [256, 1, 65535, 256], 65535)
sorted_right("sorted-enum-order", "by-code", "Codes in another order than names and declaration.",
             COLOURS, [7, 2, 1, 9, 2], 9, keeps=["sorted-excluded-type"])
order("sorted-string-bytewise", "locale", "Strings follow a locale: a, B, c.",
      over(string(4), ["c", "B", "a"], ""), [2, 1, 0])
order("sorted-string-bytewise", "signed-bytes", "Bytes are compared as signed.",
      over(string(4), ["z", "\u00e9"], ""), [1, 0])
order("sorted-string-bytewise", "utf-16", "Strings follow UTF-16 code units.",
      over(string(4), ["\ufffd", "\U0001f600"], ""), [1, 0])
order("sorted-string-bytewise", "by-length", "Shorter strings come first.",
      over(string(4), ["aaa", "b"], ""), [1, 0])
order("sorted-string-bytewise", "prefix-last", "'ab' precedes 'a'.",
      over(string(4), ["a", "ab"], ""), [1, 0])
order("sorted-string-bytewise", "variable-locale", "Variable-length strings are sorted without case.",
      over(string(None), ["B", "a"], ""), [1, 0], fails={"sorted-string-bytewise"},
      informs={"prefer-fixed-length"})
order("sorted-string-bytewise", "space-padded-locale",
      "Space-padded strings are sorted without case.",
      over(string(4, pad=SPACEPAD), ["B", "a"], "none"), [1, 0])
order("sorted-string-bytewise", "cut-at-nul", "A null-padded string was cut at a NUL inside.",
      over(string(4, pad=NULLPAD), ["a\0c", "a\0b"], "none"), [0, 1])
order("sorted-string-bytewise", "of-80-bytes", "A string of 80 bytes precedes a lesser one of 81.",
      over(string(90), ["b" * 80, "a" * 81], ""), [0, 1])
order("sorted-integer-order", "of-80-digits", "A number of 81 digits precedes one of 80.",
      over(wide(I64, 40), [10**80, -10**79], 0), [0, 1])
order("sorted-opaque-order", "of-32-bytes", "32 opaque bytes precede lesser ones.",
      over(opaque(32), [b"b" * 32, b"a" * 32], bytes(32)), [0, 1])
order("sorted-opaque-order", "of-33-bytes", "33 opaque bytes precede lesser ones.",
      over(opaque(33), [b"b" * 33, b"a" * 33], bytes(33)), [0, 1])
order("sorted-string-bytewise", "null-terminated-of-8-bytes",
      "Null-terminated strings of 8 bytes, without a NUL, in decreasing order.",
      over(string(8, pad=NULLTERM), ["b" * 8, "a" * 8], ""), [0, 1])
order("sorted-string-bytewise", "null-padded-of-8-bytes", "Null-padded strings of 8 bytes in decreasing order.",
      over(string(8), ["b" * 8, "a" * 8], ""), [0, 1])
order("sorted-ties", "long-double-subnormal", "Two forms of one 80-bit number by decreasing row.",
      over(LONG_DOUBLE, [x87(X87_ONE, 1), x87(X87_ONE, 0)], x87(X87_ONE)), [1, 0],
      fails={"sorted-ties"}, **OTHER_FLOATS)


@valid("sorted-orderable-type", "long-double-unnormal", **OTHER_FLOATS,
       base=over(LONG_DOUBLE, [x87(1 << 62), x87(X87_ONE)], x87(X87_ONE, 0x4000)))
def long_double_unnormal(t):
    "80-bit floats without their leading bit are not numbers: they are sorted among the NaN rows."
    index(t).values = [1, 0]
    index(t).attrs["nan_tail_length"] = uint64(1)


order("sorted-permutation", "infinity-behind-nan", "A row is listed twice, and +inf after NaN.",
      over(F64, [NAN, INF, 1.0, NAN, 2.0], FLOAT_FILL), [2, 4, 0, 1, 1])
sorted_right("sorted-string-bytewise", "nul-inside", "Null-padded strings with NUL inside.",
             string(4, pad=NULLPAD), ["a\0c", "a\0b", "a", "a\x01"], "none")
sorted_right("sorted-string-bytewise", "space-inside", "Space-padded strings with spaces inside.",
             string(4, pad=SPACEPAD), ["a c", "a b", "a", " a", "a\0"], "none")
sorted_right("sorted-string-bytewise", "prefixes", "'Z' before 'a', 'a' before 'ab', e-acute last.",
             string(6), ["\u00e9", "ab", "a", "Z", "z"], "")
sorted_right("sorted-string-bytewise", "variable", "Variable-length strings.", string(None),
             ["pion", "", "muon", "eta"], "", informs={"prefer-fixed-length"},
             keeps=["sorted-excluded-type"])
order("sorted-string-no-normalization", "nfc", "Both spellings of e-acute count as equal.",
      over(string(8), ["\u00e9", "e\u0301", "f"], ""), [0, 1, 2], alias="sorted-string-bytewise")
order("sorted-string-ascii-as-utf8", "case-insensitive", "ASCII strings are sorted without case.",
      over(string(4, cset=ASCII), ["B", "a"], ""), [1, 0], alias="sorted-string-bytewise")
order("sorted-string-padding-stripped", "spaces-compared", "Spaces that pad are compared.",
      over(string(4, pad=SPACEPAD), ["a", "a\x01"], "none"), [1, 0])
sorted_right("sorted-string-padding-stripped", "space-padded", "'a' before 'a\\x01', space-padded.",
             string(4, pad=SPACEPAD), ["a\x01", "a", "b"], "none")
sorted_right("sorted-string-padding-stripped", "null-terminated", "Null-terminated strings.",
             string(5, pad=NULLTERM), ["b", "ab", "a"], "")
order("sorted-negative-zero", "total-order", "-0 at row 1 precedes +0 at row 0.",
      over(F64, [0.0, -0.0, 1.0], FLOAT_FILL), [1, 0, 2])
sorted_right("sorted-negative-zero", "by-row", "Zeros of either sign by row.", F64,
             [0.0, -0.0, -1.0, 0.0], FLOAT_FILL)

# REALS: values 1.5 nan -2 fill nan 0.5 fill 7, in order: 2 5 0 7, fill 3 6, NaN 1 4
order("sorted-nan-tail-last", "first", "NaN rows come first.",
      over(F64, [1.5, NAN, -2.0, NAN], FLOAT_FILL), [1, 3, 2, 0])
order("sorted-nan-tail-last", "before-fill", "The NaN tail stands before the fill tail.", REALS,
      [2, 5, 0, 7, 1, 4, 3, 6], fails={"sorted-nan-tail-last", "sorted-fill-tail-placement"})
order("sorted-nan-tail-last", "first-with-fill", "NaN rows come first; the fill tail is last.", REALS,
      [1, 4, 2, 5, 0, 7, 3, 6])
order("sorted-nan-tail-last", "by-bits", "A negative NaN comes first, as its bits would have it.",
      over(F32, [1.0, b"\0\0\xc0\xff", 2.0, b"\0\0\xc0\x7f"], FLOAT_FILL), [1, 0, 2, 3])
order("sorted-fill-tail-placement", "of-two-rows", "A missing row precedes the only value.",
      over(F64, [FLOAT_FILL, 5.0], FLOAT_FILL), [0, 1])
order("sorted-nan-tail-last", "of-two-rows", "A NaN row precedes the only value.",
      over(F64, [NAN, 5.0], FLOAT_FILL), [0, 1])
order("sorted-nan-tail-last", "of-two-tails", "A NaN row precedes a missing one.",
      over(F64, [NAN, FLOAT_FILL], FLOAT_FILL), [0, 1],
      fails={"sorted-nan-tail-last", "sorted-fill-tail-placement"})
order("sorted-nan-tail-last", "missing-first", "NaN is the fill value; missing rows come first.",
      over(F64, [1.5, NAN, -2.0, NAN], NAN), [1, 3, 2, 0])
order("sorted-nan-tail-order", "nan-fill", "NaN is the fill value; its rows by decreasing row.",
      over(F64, [1.5, NAN, -2.0, NAN], NAN), [2, 0, 3, 1])
order("sorted-nan-tail-order", "descending", "NaN rows by decreasing row.", REALS,
      [2, 5, 0, 7, 3, 6, 4, 1])
sorted_right("sorted-nan-tail-order", "payloads", "NaNs of different payload, by row.", F32,
             [b"\x45\x23\xc1\xff", 1.0, b"\0\0\xc0\x7f", b"\1\0\x80\x7f"], FLOAT_FILL)
order("sorted-fill-tail-placement", "first", "Fill rows come first, by their numeric value.",
      INTEGERS, [3, 6, 2, 1, 5, 0, 4])
order("sorted-fill-tail-placement", "by-value", "Fill rows stand among the values, by their value.",
      over(F64, [1.0, -7.5, -9.0, NAN, -7.5], -7.5), [2, 1, 4, 0, 3])
order("sorted-fill-tail-placement", "empty-strings", "Missing strings, which are empty, come first.",
      over(string(4), ["b", "", "a", ""], ""), [1, 3, 2, 0])
order("sorted-fill-tail-placement", "enum", "MISSING stands where its code would.",
      over(enum({"A": 5, "B": -5, "MISSING": 0}), [5, -5, 0], 0), [1, 2, 0])
sorted_right("sorted-fill-tail-placement", "all-missing", "All rows are missing.", F32,
             [FLOAT_FILL] * 5, FLOAT_FILL, keeps=["sorted-fill-tail-length-value"])
sorted_right("sorted-nan-tail-last", "all-nan", "All rows are NaN.", F64, [NAN] * 5, FLOAT_FILL,
             keeps=["sorted-nan-tail-length-value"])
sorted_right("sorted-fill-tail-placement", "both-tails-only", "Missing rows and NaN, and no value.",
             F64, [NAN, -1.0, NAN, -1.0], -1.0, keeps=["sorted-nan-tail-last"])
sorted_right("sorted-fill-tail-placement", "smallest", "The fill is the smallest value of its type.",
             I16, [5, -32768, 3, -32768], -32768, keeps=["sorted-fill-tail-order"])
order("sorted-fill-tail-order", "descending", "Fill rows by decreasing row.", INTEGERS,
      [2, 1, 5, 0, 4, 6, 3])
sorted_right("sorted-fill-tail-order", "three", "Three fill rows.", I16, [-1, 5, -1, 2, -1], -1)

sorted_right("sorted-fill-tail-placement", "zeros", "The fill is +0; a row of -0 is missing too.",
             F64, [1.0, -0.0, -1.0, 0.0], 0.0, ambiguity="missing-by-value-or-by-bits")


def tail(clause, slug, shows, base, name, value, **options):
    def mutate(t):
        index(t).attrs[name] = value
    invalid(clause, slug, shows, base=base, **options)(mutate)


STRINGS = over(string(4), ["b", "", "a"], "none")
U = uint64  # the attribute, not the function above


tail("sorted-nan-tail-length-value", "zero", "nan_tail_length is 0 with NaN rows.", REALS,
     "nan_tail_length", U(0))
tail("sorted-nan-tail-length-value", "with-fill", "nan_tail_length counts fill rows too.", REALS,
     "nan_tail_length", U(4))
tail("sorted-nan-tail-length-value", "of-strings", "nan_tail_length is 1 over strings.", STRINGS,
     "nan_tail_length", U(1))
tail("sorted-fill-tail-length-value", "zero", "fill_tail_length is 0 with fill rows.", INTEGERS,
     "fill_tail_length", U(0))
tail("sorted-fill-tail-length-value", "one-more", "fill_tail_length is one too many.", INTEGERS,
     "fill_tail_length", U(3))
tail("sorted-fill-tail-length-value", "with-nan", "fill_tail_length counts NaN rows too.", REALS,
     "fill_tail_length", U(4))
tail("sorted-nan-tail-length-value", "no-rows", "NROWS is 0, and nan_tail_length 1.",
     over(F64, [NAN, 1.0], FLOAT_FILL, nrows=0), "nan_tail_length", U(1))
tail("sorted-fill-tail-length-value", "reserved-tail", "fill_tail_length counts the reserved tail.",
     over(I32, [5, INT32_FILL, 1, INT32_FILL], INT32_FILL, nrows=3), "fill_tail_length", U(2))
NAN_FILL = over(F64, [1.5, NAN, -2.0, NAN], NAN)
tail("sorted-fill-tail-length-value", "nan-fill", "NaN is the fill; both lengths are 2.", NAN_FILL,
     "fill_tail_length", U(2))


@valid("sorted-nan-tail-length-value", slug="nan-fill", base=NAN_FILL,
       keeps=["sorted-fill-tail-length-value"])
def nan_fill(t):
    "NaN is the fill value: missing rows are in the NaN tail, fill_tail_length is 0."


@valid("sorted-tail-lengths-zero", base=over(I32, [3, 1, 2], INT32_FILL),
       keeps=["sorted-nan-tail-length-present", "sorted-fill-tail-length-present"])
def both_zero(t):
    "Both tails are empty."


for name in ("nan_tail_length", "fill_tail_length"):
    clause = "sorted-" + name.replace("_", "-")

    def without(t, name=name):
        index(t).values
        del index(t).attrs[name]

    def upper(t, name=name):
        index(t).values
        index(t).attrs[name.upper()] = U(0)
        del index(t).attrs[name]

    plain = over(I32, [3, 1, 2], INT32_FILL)
    invalid(clause + "-present", "absent", f"No {name}.", base=plain)(without)
    invalid(clause + "-present", "upper-case", f"{name} is spelled in upper case.",
            base=plain)(upper)
    tail(clause + "-scalar", "shape-1", f"{name} has shape {{1}}.", plain, name, U([0]))
    tail(clause + "-uint64", "int64", f"{name} is int64.", plain, name, attribute(I64, 0))
    tail(clause + "-uint64", "uint32", f"{name} is uint32.", plain, name, attribute(U32, 0))
    tail(clause + "-uint64", "float64", f"{name} is float64.", plain, name, attribute(F64, 0.0))
    tail(clause + "-uint64", "text", f"{name} is a string.", plain, name, text("0"))
    valid(clause + "-uint64", "big-endian", f"{name} is a big-endian uint64.", base=plain,
          keeps=[clause + "-scalar"], ambiguity="integer-attribute-byte-order")(
        lambda t, name=name: index(t).attrs.__setitem__(name, attribute(U64BE, 0)))


@invalid("sorted-ordered-present", base=INTEGERS, ambiguity="sorted-ordered-absent")
def no_ordered(t):
    "No attribute ordered."
    del index(t).attrs["ordered"]


@invalid("sorted-ordered-scalar", base=INTEGERS)
def ordered_array(t):
    "ordered has shape {1}."
    index(t).attrs["ordered"] = boolean(True).shaped(1)


@invalid("sorted-ordered-true", base=INTEGERS)
def ordered_false(t):
    "ordered is FALSE."
    index(t).attrs["ordered"] = boolean(False)


@valid("sorted-ordered-true", slug="true", base=INTEGERS,
       keeps=["sorted-ordered-present", "sorted-ordered-scalar"])
def ordered_true(t):
    "ordered is TRUE, scalar."


@invalid("sorted-one-column", base=INTEGERS, ambiguity="one-or-more-columns")
def two_columns(t):
    "Two columns list the same index."
    t.add_column("y", I32, list(t.column("x").values), fill=INT32_FILL, chunk=4)
    t.column("y").attrs["SEARCH_INDEX_LIST"] = refs([index(t)])


@valid("sorted-one-column", base=INTEGERS, keeps=["sorted-rank-1", "sorted-excluded-type"])
def one_each(t):
    "Two columns, an index each; the second is contiguous."
    t.add_column("y", U8, [3, 1, 2, 0, 9, 8, 7], fill=UINT8_FILL)
    t.add_index("y", "SORTED_ROWS")
