"""HEP001 11.3, 11.6 and 11.7 (2026-07-09): growable indexes, pad bits, exhaustive, enumerations."""

from generators.hep001 import *
from generators.hep001.recipes.s10_4_chunk_minmax import index, over

valid, invalid = valid_since_newer, invalid_since_newer
ROWS = [1, 2, 3, 1, INT16_FILL, 2, 3, 3, 1, 2]
NUMBERS = over(I16, ROWS, INT16_FILL, kind="BITMAP", indexed=[1, 2, 3])
INTEGERS = over(I32, [5, 3, -1, INT32_FILL, 9, 9, 2], INT32_FILL)


# Indexes that can grow

def stored(slug, shows, kind, **layout):
    base = over(I32, [5, 3, -1, INT32_FILL, 9, 9, 2], INT32_FILL, kind=kind,
                indexed=[5, 9] if kind == "BITMAP" else None)

    @invalid("index-chunked-growable", slug, shows, base=base, ambiguity="recreated-at-each-update")
    def mutate(t):
        for name, value in layout.items():
            setattr(index(t), name, value)


stored("compact-minmax", "A CHUNK_MINMAX is stored compact.", "CHUNK_MINMAX", compact=True)
stored("fixed-sorted", "A chunked SORTED_ROWS may not grow.", "SORTED_ROWS", maxshape=(7,))
stored("bounded-bloom", "A chunked CHUNK_BLOOM may grow to 100 rows.", "CHUNK_BLOOM",
       maxshape=(100, 8))
stored("bitmap-other-dimension", "A BITMAP is unlimited in its first dimension only.", "BITMAP",
       maxshape=(None, 1))


@invalid("index-chunked-growable", base=INTEGERS)
def contiguous(t):
    "A CHUNK_MINMAX is contiguous."
    index(t)._can_grow = lambda: None


@valid("index-chunked-growable", base=good_table)
def every_family(t):
    "Indexes of every family are chunked, and unlimited in the dimension that grows."


@valid("index-chunked-growable", base=NUMBERS)
def both_dimensions(t):
    "A BITMAP is unlimited in both dimensions; its values dataset is contiguous."
    index(t).maxshape = (None, None)


@valid("index-chunked-growable", base=NUMBERS, keeps=["bitmap-bit-set", "bitmap-bit-clear"])
def chunks_of_two_bitmap_rows(t):
    "A BITMAP in chunks of 2 rows and 1 byte, unlimited in its second dimension."
    index(t).values, index(t).chunk = index(t).values, (2, 1)


# Pad bits

def pad_bits(slug, shows, mutate, base=NUMBERS, **options):
    invalid("bitmap-pad-bits-zero", slug, shows, base=base, **options)(
        lambda t: mutate(index(t).values))


pad_bits("every-row", "The six pad bits of every bitmap row are set.",
         lambda values: [row.__setitem__(1, row[1] | 0xFC) for row in values])
pad_bits("one-bit", "One pad bit is set, in one bitmap row.",
         lambda values: values[1].__setitem__(1, values[1][1] | 0x80))
pad_bits("next-row", "A pad bit shows the first row of the reserved tail.",
         lambda values: values[0].__setitem__(1, values[0][1] | 0x04),
         over(I16, [*ROWS, 1], INT16_FILL, nrows=10, kind="BITMAP", indexed=[1, 2, 3]))
pad_bits("one-row", "NROWS is 1, and the byte is 0xFF.",
         lambda values: values[0].__setitem__(0, 0xFF),
         over(I16, [7], INT16_FILL, kind="BITMAP", indexed=[7]))
pad_bits("complement", "The bitmap of a value was made as the complement of another.",
         lambda values: values.__setitem__(1, bytearray(255 - byte for byte in values[0])),
         over(I16, [1, 2, 2, 1, 2], INT16_FILL, kind="BITMAP", indexed=[1, 2]))


@invalid("bitmap-pad-bits-zero", base=NUMBERS, ambiguity="pad-bits-of-which-byte")
def before_residue(t):
    "A pad bit is set in the byte of the last row; a byte of residue follows."
    for row in index(t).values:
        row.append(0)
    index(t).values[2][1] |= 0x10
    index(t).shape = (3, 3)


@valid("bitmap-pad-bits-zero", base=over(I16, ROWS[:8], INT16_FILL, kind="BITMAP",
                                         indexed=[1, 2, 3]))
def multiple_of_8(t):
    "NROWS is 8: there are no pad bits; a byte of residue follows."
    for row in index(t).values:
        row.append(0xFF)
    index(t).shape = (3, 2)


@valid("bitmap-residue-bytes", base=over(I16, ROWS * 10, INT16_FILL, nrows=9, kind="BITMAP",
                                         indexed=[1, 2, 3]),
       keeps=["bitmap-pad-bits-zero", "bitmap-row-bytes"], ambiguity="pad-bits-of-which-byte")
def truncated(t):
    "NROWS was truncated from 100 to 9, the index maintained in place: 11 bytes of residue."
    for row in index(t).values:
        row += bytearray(b"\xff\x00\xa5" * 4)[:11]
    index(t).shape = (3, 13)


@invalid("bitmap-lsb-first", "pad-bits", base=over(I16, [1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 1],
                                                   INT16_FILL, kind="BITMAP", indexed=[1, 2]))
def pad_bits_after_the_reversal(t):
    "Bits are packed from the most significant one; eleven rows leave five pad bits."
    for row in index(t).values:
        row[:] = bytes(int(f"{byte:08b}"[::-1], 2) for byte in row)


# exhaustive

def exhaustive(slug, shows, value, base=NUMBERS, clause="bitmap-exhaustive-optional", keeps=(),
               kind=valid, **options):
    @kind(clause, slug, shows, base=base, keeps=keeps, **options)
    def mutate(t):
        index(t).attrs["exhaustive"] = value


def partial(values=ROWS, indexed=(1, 2), type_id=I16, fill=INT16_FILL, nrows=None):
    return over(type_id, values, fill, kind="BITMAP", indexed=indexed, nrows=nrows)


TRUE, FALSE = boolean(True), boolean(False)
exhaustive("false-complete", "exhaustive is FALSE, and every value is listed.", FALSE)
exhaustive("false-partial", "exhaustive is FALSE, and one of three values is not listed.", FALSE,
           partial(), keeps=["bitmap-values-subset"])
valid("bitmap-exhaustive-optional", "absent", "exhaustive is absent, and one value is not listed.",
      base=partial(), keeps=["bitmap-values-subset"])(lambda t: None)
exhaustive("scalar", "exhaustive is a scalar TRUE.", TRUE, clause="bitmap-exhaustive-scalar",
           keeps=["bool-is-enum", "bool-value-is-member"])
exhaustive("shape-1", "exhaustive has shape {1}.", TRUE.shaped(1), kind=invalid,
           clause="bitmap-exhaustive-scalar")
exhaustive("null-dataspace", "exhaustive has a null dataspace.", TRUE.without_value(),
           kind=invalid, clause="bitmap-exhaustive-scalar")
COMPLETE = "bitmap-exhaustive-complete"
exhaustive("missing-unlisted", "exhaustive; a further value is listed, the fill value is not.",
           TRUE, partial(indexed=[1, 2, 3, 9]), COMPLETE)
exhaustive("value-of-the-tail", "exhaustive; a value that only the reserved tail has is not listed.",
           TRUE, partial([*ROWS, 77], [1, 2, 3], nrows=10), COMPLETE)
exhaustive("nan-rows", "exhaustive; NaN rows are not listed, zeros of one sign are.", TRUE,
           partial([0.0, -0.0, NAN, 2.0], [-0.0, 2.0], F64, -1.0), COMPLETE,
           ambiguity="exhaustive-with-nan")
exhaustive("booleans", "exhaustive; FALSE and TRUE of a boolean column are listed.", TRUE,
           partial([0, 1, 1], [0, 1], BOOL, DEFAULT), COMPLETE)
exhaustive("one-unlisted", "exhaustive, and a value that occurs once is not listed.", TRUE,
           partial([*ROWS, 4], [1, 2, 3]), COMPLETE, kind=invalid)
exhaustive("most-frequent-alone", "exhaustive, and only the most frequent value is listed.", TRUE,
           partial(indexed=[3]), COMPLETE, kind=invalid)
exhaustive("nothing-listed", "exhaustive, and no value is listed.", TRUE, lambda: empty_bitmap(),
           COMPLETE, kind=invalid)
exhaustive("false-unlisted", "exhaustive, and FALSE of a boolean column is not listed.", TRUE,
           partial([0, 1, 1], [1], BOOL, DEFAULT), COMPLETE, kind=invalid)
exhaustive("strings", "exhaustive over strings, and one is not listed.", TRUE,
           partial(["a", "b", "", "c"], ["a", "b"], string(4), ""), COMPLETE, kind=invalid)
exhaustive("exhaustive-u8", "exhaustive is over H5T_STD_U8LE.", boolean(1, enum({"FALSE": 0, "TRUE": 1}, U8)),
           clause="bool-base-i8le", kind=invalid)
exhaustive("exhaustive-integer", "exhaustive is a uint8.", uint8(1), clause="bool-not-plain-integer",
           kind=invalid)
exhaustive("exhaustive-opaque", "exhaustive is an opaque byte.", attribute(opaque(1), b"\1"),
           clause="bool-is-enum", kind=invalid)
exhaustive("exhaustive-third-member", "exhaustive has a third member.",
           boolean(1, enum({"FALSE": 0, "TRUE": 1, "MAYBE": 2})), clause="bool-two-members",
           kind=invalid)
exhaustive("exhaustive-two", "exhaustive is 2, which is not a member.", boolean(2), clause="bool-value-is-member",
           kind=invalid)


def empty_bitmap():
    t = partial(indexed=[])()
    index(t).values, index(t).shape = [], (0, 2)
    return t


@invalid(COMPLETE, base=good_table)
def category_code(t):
    "exhaustive, and a category code that occurs is not listed."
    bitmap = t.index("label", "BITMAP")
    bitmap.indexed.values = [0, 1]
    bitmap.attrs["exhaustive"] = TRUE


@valid(COMPLETE, base=partial([*ROWS, 4], [1, 2, 3]), keeps=["stale-index-accepted"])
def stale(t):
    "exhaustive, and a value is not listed, but the tokens do not agree."
    index(t).attrs["exhaustive"] = TRUE
    index(t).attrs["SOURCE_GENERATION"] = uint64(0)


# Bloom filters over enumerations

STATES = {"UP": 5, "DOWN": 300, "MISSING": -2}


def filters(register, clause, slug, shows, type_id, values, fill, bytes_of=None, keeps=(),
            with_fill=False, **options):
    @register(clause, slug, shows, keeps=keeps, **options,
              base=over(type_id, values, fill, kind="CHUNK_BLOOM", m_bits=256))
    def mutate(t):
        i = index(t)
        if bytes_of:
            i.values = chunk_bloom(t.column("x"), t.nrows, i.k, i.m_bits, i.seed,
                                   bytes_of=bytes_of)
        if with_fill:
            for row in i.values:
                for bit in bloom_bits(canonical_bytes(type_id, fill), i.k, i.m_bits, i.seed):
                    row[bit // 8] |= 1 << bit % 8


def code(size, order="little"):
    return lambda t, v: (v % 256**size).to_bytes(size, order)


filters(valid, "bloom-type", "enum-i16", "CHUNK_BLOOM over an enumeration of int16.",
        enum(STATES, I16), [5, 300, -2, 5], -2,
        keeps=["bloom-canonical-enum", "bloom-no-compound-array-sequence",
               "bloom-enum-fill-not-inserted"])
filters(valid, "bloom-canonical-enum", "i32-big-endian",
        "CHUNK_BLOOM over a big-endian enumeration of int32.", enum(STATES, I32BE),
        [5, 300, -2, 5], -2)
filters(valid, "bloom-canonical-enum", "u8", "CHUNK_BLOOM over an enumeration of uint8.",
        enum({"A": 200, "B": 1, "MISSING": 255}, U8), [200, 1, 255], 255)
filters(invalid, "bloom-canonical-enum", "one-byte", "Codes of an int16 are hashed as one byte.",
        enum(STATES, I16), [5, 300, 5], -2, code(1))
filters(invalid, "bloom-canonical-enum", "member-names", "The names of members are hashed.",
        enum(STATES, I16), [5, 300, 5], -2,
        lambda t, v: {code: name for name, code in STATES.items()}[v].encode())
filters(invalid, "bloom-canonical-enum", "as-stored", "Big-endian codes are hashed as stored.",
        enum(STATES, I16BE), [5, 300, 5], -2, code(2, "big"))
filters(invalid, "bloom-type", "enum-of-three-bytes",
        "CHUNK_BLOOM over an enumeration of three-byte integers.",
        enum({"A": 1, "B": 2, "MISSING": 3}, wide(I32, 3)), [1, 2, 3], 3, code(3),
        ambiguity="integers-with-canonical-bytes")
filters(invalid, "bloom-enum-fill-not-inserted", "missing-inserted",
        "The code of MISSING is in the filter of a chunk that has missing rows.",
        enum(STATES, I16), [5, 300, -2, 5], -2, with_fill=True, ambiguity="fill-code-in-filter")
filters(invalid, "bloom-enum-fill-not-inserted", "all-missing",
        "All rows of a chunk are missing, and the filter has the bits of MISSING.",
        enum(STATES, I16), [-2, -2, -2], -2, with_fill=True, ambiguity="fill-code-in-filter")
filters(valid, "bloom-enum-fill-not-inserted", "all-missing",
        "All rows of a chunk are missing, and the filter is empty.", enum(STATES, I16),
        [-2, -2, -2], -2)
filters(valid, "bloom-enum-fill-not-inserted", "missing-rows",
        "A chunk with missing rows: only the bits of the others.",
        enum({"ZERO": 0, "MISSING": 1}, U8), [0, 1, 0, 1], 1)
