"""HEP001 10.4, CHUNK_MINMAX: form, and the entries of chunks of every sort."""

from generators.hep001 import *

KIND = "CHUNK_MINMAX"


def over(type_id, values, fill, *, chunk=4, nrows=None, kind=KIND, indexed=None, **options):
    """A table of one column `x` with one index; rows at and beyond `nrows` are a reserved tail."""
    def base():
        t = Table("/events", nrows=len(values) if nrows is None else nrows)
        # A chunk may be longer than the column only if the column can grow.
        t.add_column("x", type_id, list(values), fill=fill, chunk=chunk,
                     **({"maxshape": (None,)} if chunk and chunk > len(values) else {}))
        if indexed is not None:  # BITMAP
            options["values"] = list(indexed)
        t.add_index("x", kind, **options)
        return t
    return base


def index(t):
    return t.column("x").indexes[0]


INTEGERS = over(I32, [5, 3, -1, INT32_FILL, 9, 9, 2], INT32_FILL)
REALS = over(F64, [1.5, NAN, -2.0, FLOAT_FILL, NAN, 0.5, 7.0], FLOAT_FILL)


# --- which columns -------------------------------------------------------------------------------

def unorderable(clause, slug, type_id, values, fill, **options):
    """An index that claims to cover a column without an order; its entries are of int32."""
    def base():
        t = Table("/events", nrows=len(values))
        t.add_column("x", type_id, values, fill=fill, chunk=4, maxshape=(None,))
        t.add_column("y", I32, [1, 2, 3], fill=INT32_FILL, chunk=4, maxshape=(None,))
        i = t.add_index("y", KIND)
        i.type, i.values = i.type, i.values
        t.column("y").indexes.remove(i)
        del t.column("y").attrs["SEARCH_INDEX_LIST"]
        t.column("x").attrs["SEARCH_INDEX_LIST"] = refs([i])
        return t
    invalid(clause, slug, f"CHUNK_MINMAX over a column of {options.pop('what')}.", base=base,
            **options)(lambda t: None)


unorderable("minmax-orderable-type", "bitfield", B8, [1, 2, 3], 255, what="bitfields")
unorderable("minmax-orderable-type", "time", TIME32, [1, 2, 3], 0, what="H5T_TIME")
unorderable("minmax-excluded-type", "compound", compound({"re": F32, "im": F32}),
            [(1.0, 2.0)] * 3, (0.0, 0.0), what="compounds")
unorderable("minmax-excluded-type", "object-reference", REF_OBJ, [NULL] * 3, NULL,
            what="object references")
unorderable("minmax-excluded-type", "region-reference", REF_REGION, [NULL] * 3, NULL,
            what="region references")
unorderable("minmax-excluded-type", "array", array(I32, 2), [[1, 2]] * 3, [0, 0], what="arrays")
unorderable("minmax-excluded-type", "sequence", sequence(I32), [[1], [2, 3], []], [],
            what="variable-length sequences", fails={"minmax-excluded-type"},
            informs={"prefer-fixed-length"}, revised=newer(informs={"prefer-list-column"}))


LONG_DOUBLES = over(LONG_DOUBLE, [x87(X87_ONE), x87(X87_ONE + 1), x87(X87_ONE, sign=1), x87(X87_ONE, 0x7FFF, 1),
                                  x87(X87_ONE + 5, 0x7FFF), x87(X87_ONE, 0x4000)], x87(X87_ONE, 0x4000))
BFLOATS = over(BFLOAT16, [1.5, -2.0, NAN, 2.0**100, -0.0, 7.0], 7.0)
OTHER_FLOATS = {"warns": {"minmax-orderable-type"}, "ambiguity": "floats-with-an-order"}


def other_float(slug, shows, base):
    valid("minmax-orderable-type", slug, f"A right CHUNK_MINMAX over {shows}.", base=base,
          **OTHER_FLOATS)(lambda t: None)


other_float("long-double", "80-bit floats, of which some differ in their last bit alone", LONG_DOUBLES)
other_float("bfloat16", "bfloat16", BFLOATS)
other_float("binary128-big-endian", "big-endian floats of 128 bits", over(
    real(16, 15, 112, F64BE), [1.5, -2.0**-1000, NAN, 1e300, 0.5], -1.0))


def ordered(slug, shows, type_id, values, fill, **options):
    valid("minmax-orderable-type", slug, f"CHUNK_MINMAX over {shows}.",
          base=over(type_id, values, fill), **options)(lambda t: None)


CONTENT = ["minmax-min-value", "minmax-max-value", "minmax-fill-count-value",
           "minmax-n-full-chunk", "minmax-n-last-chunk"]
ordered("enum", "an enumeration, by code", enum({"RED": 7, "BLUE": -3, "MISSING": 0}),
        [7, -3, 0, 7, -3], 0, keeps=CONTENT)
ordered("boolean", "booleans", BOOL, [1, 0, 0, 1, 1], -1, keeps=["minmax-excluded-type"],
        revised=boolean_with_fill(informs={"boolean-prefer-bitmap"}),
        ambiguity="boolean-columns")
ordered("int8", "int8, where -1 is below 1", I8, [-1, 1, 127, -128, 5], INT8_FILL)
ordered("uint64", "uint64 above 2^63", U64, [2**63, 1, 2**64 - 2, 5, 9], UINT64_FILL)
ordered("int16-big-endian", "big-endian int16", I16BE, [256, 1, -2, 3, 4], INT16_FILL)
ordered("float16", "float16 with infinities", F16, [1.5, INF, -INF, NAN, 2.0], -1.0)
ordered("float32-big-endian", "big-endian float32", F32BE, [0.5, -2.0, NAN, 3.0, 1.0], FLOAT_FILL)
ordered("opaque", "opaque bytes, unsigned", opaque(2), [b"\x7f\0", b"\x80\0", b"\0\0", b"\1\2", b"zz"],
        b"\xff\xff")
ordered("string-bytes", "strings with bytes above 0x7F", string(6),
        ["z", "\u00e9", "", "ab", "a"], "")
ordered("space-padded", "space-padded strings", string(6, pad=SPACEPAD),
        ["b", "a", "abc", "a b", "c"], "none")
ordered("variable-string", "variable-length strings", string(None),
        ["kaon", "pion", "", "muon", "eta"], "", informs={"prefer-fixed-length"},
        keeps=["minmax-excluded-type"])
ordered("odd-width", "24-bit integers", odd_width(I32, 24), [5, 8388607, -8388608, 1, 2], -7)
WIDE_ROWS = [2**64 + 1, -1, 5, -2**70, 2**64, 2**127 - 1]
ordered("int128", "int128", I128, WIDE_ROWS, -7, keeps=CONTENT)
ordered("int128-big-endian", "big-endian int128", I128BE, WIDE_ROWS, -7)
ordered("uint128", "uint128 above 2^127", U128, [2**127, 1, 2**128 - 2, 2**64, 0], 2**128 - 1)
ordered("int72", "integers of 9 bytes", wide(I64, 9), [2**71 - 1, -2**71, 255, 256, -1], -7)
ordered("int64-in-16-bytes", "64-bit integers in 16 bytes, 5 bits up; the other bits are set",
        wide(I64, 16, 64, 5),
        [((v % 2**64) << 5 | 0x1F | 7 << 100).to_bytes(16, "little") for v in (3, -2**63, 2**63 - 1, 0)],
        -7)
ordered("8000-bit", "integers of 1000 bytes", wide(I64BE, 1000), [2**7999 - 1, -2**7999, 0, 1, -1], -7)
ordered("enum-of-int128", "an enumeration over int128, by code",
        enum({"LOW": -5, "HIGH": 7, "MISSING": 0}, I128BE), [7, -5, 0, 7, -5], 0)


# --- form ----------------------------------------------------------------------------------------

@invalid("minmax-rank-1", base=INTEGERS, ambiguity="definitions-bind")
def two_dimensions(t):
    "The index has shape {2, 1}."
    index(t).shape = (2, 1)


@invalid("minmax-rank-1", base=over(I32, [3, 1, 2], INT32_FILL))
def scalar(t):
    "The index of a single chunk is scalar."
    index(t).values, index(t).shape = index(t).values[0], ()


@valid("minmax-rank-1", base=over(I32, [3, 1, 2], INT32_FILL, chunk=8),
       keeps=["minmax-length-chunked", "minmax-short-last-chunk", "minmax-one-column",
              "minmax-several-indexes"])
def one_entry(t):
    "One chunk, larger than the table, and one entry."


@invalid("minmax-length-chunked", base=INTEGERS)
def one_short(t):
    "One entry for two chunks."
    del index(t).values[1]


@invalid("minmax-length-chunked", base=INTEGERS)
def empty(t):
    "No entry for two chunks."
    index(t).values = []


@valid("minmax-length-chunked", base=over(I32, [4, 3, 2, 1, 8, 7, 6, 5], INT32_FILL),
       keeps=["minmax-n-full-chunk", "minmax-n-last-chunk"])
def exact_multiple(t):
    "NROWS is a multiple of the chunk length."


@valid("minmax-n-last-chunk", base=over(I32, [4, 3, 2, 1, 8], INT32_FILL),
       keeps=["minmax-short-last-chunk"])
def one_row_past(t):
    "The last chunk holds one row: n is 1."


@valid("minmax-short-last-chunk", base=over(I32, [4, 3, 2, 1, 8, 9, 9], INT32_FILL))
def three_rows(t):
    "Seven rows in chunks of four: n is 4, then 3."


CONTIGUOUS = over(I32, [5, 3, INT32_FILL, 9], INT32_FILL, chunk=None)


@invalid("minmax-length-contiguous", base=CONTIGUOUS)
def none(t):
    "No entry for a contiguous column with rows."
    index(t).values = []


@invalid("minmax-length-contiguous", base=CONTIGUOUS, ambiguity="surplus-entries-not-chunked")
def two(t):
    "Two entries for a contiguous column."
    index(t).values.append(dict(index(t).values[0]))


@valid("minmax-length-contiguous", base=CONTIGUOUS, keeps=["independent-storage"],
       ambiguity="layouts-not-chunked")
def compact(t):
    "A compact column has one entry."
    t.column("x").compact = True


@valid("minmax-extra-tail-entries", base=INTEGERS, keeps=["minmax-length-chunked"],
       ambiguity="surplus-index-entries")
def residue(t):
    "Two more entries than data-bearing chunks, full of nonsense."
    index(t).values += [{"min": 1, "max": -1, "nan_count": 9, "fill_count": 9, "n": 9}] * 2


@valid("minmax-extra-tail-entries", slug="no-rows",
       base=over(I32, [5, 3, -1, 2], INT32_FILL, nrows=0), keeps=["tail-index-entries"],
       ambiguity="surplus-index-entries")
def residue_without_rows(t):
    "NROWS is 0, and entries of a former table remain."
    index(t).values = [{"min": 1, "max": 2, "nan_count": 0, "fill_count": 0, "n": 4}]


@invalid("minmax-compound", base=INTEGERS)
def only_minima(t):
    "The index is a list of minima."
    index(t).type, index(t).values = I32, [-1, 2]


@invalid("minmax-compound", base=INTEGERS)
def pairs(t):
    "The index is a list of pairs, an array datatype of two integers."
    index(t).type, index(t).values = array(I32, 2), [[-1, 5], [2, 9]]


def fields(**types):
    return compound(types)


@invalid("minmax-field-set", base=REALS)
def no_nan_count(t):
    "A float column, and no field nan_count."
    index(t).type = fields(min=F64, max=F64, fill_count=U64, n=U64)
    for entry in index(t).values:
        del entry["nan_count"]


@invalid("minmax-field-set", base=INTEGERS, ambiguity="extra-minmax-fields")
def extra_sum(t):
    "A sixth field, sum."
    index(t).type = fields(min=I32, max=I32, nan_count=U64, fill_count=U64, n=U64, sum=I64)
    for entry in index(t).values:
        entry["sum"] = 0


@invalid("minmax-field-set", base=INTEGERS)
def sum_for_nan_count(t):
    "sum stands in the place of nan_count."
    index(t).type = fields(min=I32, max=I32, sum=U64, fill_count=U64, n=U64)
    for entry in index(t).values:
        entry["sum"] = entry.pop("nan_count")


@invalid("minmax-field-set", base=INTEGERS)
def capital_min(t):
    "The field is called Min."
    index(t).type = fields(Min=I32, max=I32, nan_count=U64, fill_count=U64, n=U64)
    for entry in index(t).values:
        entry["Min"] = entry.pop("min")


def reordered(t, *names):
    types = dict(min=I32, max=I32, nan_count=U64, fill_count=U64, n=U64)
    index(t).type = compound({name: types[name] for name in names})
    index(t).values = [{name: entry[name] for name in names} for entry in index(t).values]


@invalid("minmax-field-order", base=INTEGERS)
def max_first(t):
    "max is declared before min."
    reordered(t, "max", "min", "nan_count", "fill_count", "n")


@invalid("minmax-field-order", base=INTEGERS)
def n_first(t):
    "n is declared first."
    reordered(t, "n", "min", "max", "nan_count", "fill_count")


@valid("minmax-field-order", base=INTEGERS,
       keeps=["minmax-compound", "minmax-field-set", "minmax-min-type", "minmax-max-type"])
def gaps(t):
    "The fields lie 4 bytes apart."
    index(t).type = compound(dict(min=I32, max=I32, nan_count=U64, fill_count=U64, n=U64), gap=4)


LETTERS = enum({"A": 1, "B": 2, "MISSING": 0})

for extreme in ("min", "max"):
    def retype(slug, shows, base, extreme_type, of, extreme=extreme, **options):
        types = {"min": of, "max": of, "nan_count": U64, "fill_count": U64, "n": U64}
        types[extreme] = extreme_type

        def mutate(t):
            index(t).values, index(t).type = index(t).values, compound(types)
        kind = options.pop("kind", invalid)
        kind(f"minmax-{extreme}-type", slug, f"{extreme} is {shows}.", base=base, **options)(mutate)

    retype("int64", "int64 over an int32 column", INTEGERS, I64, I32)
    retype("float32", "float32 over a float64 column", REALS, F32, F64)
    retype("float64", "float64 over a float32 column", over(F32, [1.5, NAN, -2.0], FLOAT_FILL), F64,
           F32)
    retype("signed", "int32 over a uint32 column", over(U32, [5, 3, 9], UINT32_FILL), I32, U32)
    retype("code", "an integer over an enumeration", over(LETTERS, [1, 2, 1], 0), I8, LETTERS)
    retype("short-string", "a string of 4 bytes over one of 8",
           over(string(8), ["b", "a", "c"], ""), string(4), string(8))
    retype("byte-order", "little-endian over a big-endian column",
           over(I32BE, [5, 3, 9], INT32_FILL), I32, I32BE, kind=valid,
           warns={f"minmax-{extreme}-type"}, ambiguity="same-datatype-byte-order",
           revised=newer(warns=()))


@invalid("minmax-nan-count-present", base=INTEGERS)
def four_fields(t):
    "An integer column, and no field nan_count."
    index(t).type = fields(min=I32, max=I32, fill_count=U64, n=U64)
    for entry in index(t).values:
        del entry["nan_count"]


@valid("minmax-nan-count-present", base=INTEGERS, keeps=["minmax-nan-count-zero-non-float"])
def nan_count_of_integers(t):
    "An integer column with nan_count, all 0."


for field in ("nan_count", "fill_count", "n"):
    def retyped(slug, shows, count_type, field=field, **options):
        def mutate(t):
            types = dict(min=I32, max=I32, nan_count=U64, fill_count=U64, n=U64)
            types[field] = count_type
            index(t).values, index(t).type = index(t).values, compound(types)
        kind = options.pop("kind", invalid)
        kind(f"minmax-{field.replace('_', '-')}-uint64", slug, f"{field} is {shows}.",
             base=INTEGERS, **options)(mutate)

    retyped("int64", "int64", I64)
    retyped("uint32", "uint32", U32)
    retyped("big-endian", "a big-endian uint64", U64BE, kind=valid,
            ambiguity="integer-attribute-byte-order")


# --- contents ------------------------------------------------------------------------------------

def entry(clause, slug, shows, base, at, **changes):
    options = {word: changes.pop(word) for word in ("fails", "warns", "informs", "ambiguity", "revised")
               if word in changes}
    invalid(clause, slug, shows, base=base, **options)(lambda t: index(t).values[at].update(changes))


entry("minmax-nan-count-value", "zero", "nan_count is 0 in a chunk with a NaN.", REALS, 0,
      nan_count=0)


@invalid("minmax-nan-count-value", base=over(F64, [1.0, NAN, 2.0, NAN], FLOAT_FILL, nrows=3))
def tail_counted(t):
    "nan_count counts a NaN of the reserved tail."
    index(t).values[0]["nan_count"] = 2


@valid("minmax-nan-count-value", base=over(F64, [1.0, NAN, 2.0, NAN, 5.0, NAN], NAN, nrows=5),
       keeps=["minmax-fill-count-value", "nan-fill-permitted"], ambiguity="all-missing-condition")
def nan_fill(t):
    "NaN is the fill value: both counts are the same; the tail's NaN counts in neither."


entry("minmax-nan-count-zero-non-float", "fill-count", "nan_count repeats fill_count over integers.",
      INTEGERS, 0, nan_count=1)
LOST = over(F64, [1.5, FLOAT_FILL, NAN, NAN, FLOAT_FILL, 2.5], FLOAT_FILL, chunk=8)
entry("minmax-nan-count-value", "two-nans", "nan_count is 0 in a chunk with two NaNs.", LOST, 0,
      nan_count=0)
entry("minmax-fill-count-value", "two-missing", "fill_count is 0 in a chunk with two missing rows.",
      LOST, 0, fill_count=0)
LOST_AMONG_MANY = over(F64, [FLOAT_FILL if r in (270, 280, 600) else NAN if r in (300, 310, 610)
                             else r for r in range(700)], FLOAT_FILL, chunk=512)
entry("minmax-nan-count-value", "two-nans-of-many",
      "nan_count is 0 in a chunk of 512 rows, two of them NaN.", LOST_AMONG_MANY, 0, nan_count=0)
entry("minmax-fill-count-value", "two-missing-of-many",
      "fill_count is 0 in a chunk of 512 rows, two of them missing.", LOST_AMONG_MANY, 0, fill_count=0)
entry("minmax-fill-count-value", "off-by-one", "fill_count is one too many.", INTEGERS, 0,
      fill_count=2)
entry("minmax-fill-count-value", "nan-fill-uncounted",
      "NaN is the fill value, fill_count 0, nan_count 2.", over(F64, [1.0, NAN, NAN, 4.0], NAN), 0,
      fill_count=0)
entry("minmax-fill-count-value", "default-zero", "fill_count counts zeros instead of the fill.",
      over(I32, [0, 0, 5, INT32_FILL], INT32_FILL), 0, fill_count=2)
entry("minmax-n-full-chunk", "one-less", "n is one less than the chunk length.", INTEGERS, 0, n=3)
entry("minmax-n-full-chunk", "cumulative", "n counts rows from the start of the table.",
      over(I32, list(range(10)), INT32_FILL), 1, n=8)
entry("minmax-n-last-chunk", "counts-tail", "n of the last chunk counts the reserved tail.",
      over(I32, list(range(8)), INT32_FILL, nrows=7), 1, n=4, ambiguity="interrupted-append-index")
entry("minmax-n-last-chunk", "contiguous-extent", "n is the extent of a contiguous column.",
      over(I32, list(range(8)), INT32_FILL, nrows=7, chunk=None), 0, n=8)
entry("minmax-min-value", "above", "min is larger than a value of the chunk.", INTEGERS, 0, min=3)
entry("minmax-min-value", "loose", "min is smaller than every value.", INTEGERS, 0, min=-9,
      ambiguity="loose-bounds")
entry("minmax-min-value", "unsigned", "min of int8 was taken as unsigned.",
      over(I8, [-1, 1, 5], INT8_FILL), 0, min=1)
entry("minmax-min-value", "other-chunk", "min is that of the next chunk.", INTEGERS, 0, min=2)
entry("minmax-max-value", "below", "max is smaller than a value of the chunk.", INTEGERS, 0, max=3)
entry("minmax-max-value", "from-tail", "max is a value of the reserved tail.",
      over(I32, [1, 2, 3, 99], INT32_FILL, nrows=3), 0, max=99)
entry("minmax-max-value", "locale", "max of strings follows a locale.",
      over(string(4), ["a", "Z", "b", "\u00e9"], ""), 0, max="b")
entry("minmax-nan-excluded", "both", "min and max are NaN, since a row is.", REALS, 0, min=NAN,
      max=NAN)
entry("minmax-nan-excluded", "max", "max is NaN.", REALS, 1, max=NAN)
entry("minmax-nan-excluded", "min", "min is NaN, since the first row of the chunk is.",
      over(F64, [NAN, 1.5, -2.0, 4.0], FLOAT_FILL), 0, min=NAN)
entry("minmax-nan-excluded", "nan-fill", "NaN is the fill value, and min of a chunk with values.",
      over(F64, [NAN, 1.5, -2.0, 4.0], NAN), 0, min=NAN)
entry("minmax-nan-excluded", "float16-big-endian", "max of a big-endian float16 column is NaN.",
      over(F16BE, [NAN, 1.5, -2.0, 4.0], -1.0), 0, max=NAN)
entry("minmax-fill-excluded", "min", "min is the fill value.", INTEGERS, 0, min=INT32_FILL)
entry("minmax-fill-excluded", "max", "max is the fill value.", REALS, 0, max=FLOAT_FILL)


entry("minmax-fill-count-value", "nan-counted", "fill_count counts a NaN, and the fill is none.",
      REALS, 0, fill_count=2)
entry("minmax-nan-count-value", "fill-counted", "nan_count counts a missing value too.", REALS, 0,
      nan_count=2)
entry("minmax-nan-count-zero-non-float", "strings", "nan_count is 1 over strings.",
      over(string(4), ["a", "", "b"], ""), 0, nan_count=1)
entry("minmax-n-last-chunk", "one-row", "n is 0 in a table of one row.",
      over(I32, [5], INT32_FILL, chunk=None), 0, n=0)
entry("minmax-n-last-chunk", "zero-at-multiple", "n is NROWS modulo the chunk length: 0.",
      over(I32, list(range(8)), INT32_FILL), 1, n=0)
entry("minmax-min-value", "by-stored-bytes", "min of a big-endian column was read the other way round.",
      over(U16BE, [256, 1, 2], UINT16_FILL), 0, min=256)
entry("minmax-min-value", "signed", "min of uint64 was taken as signed.",
      over(U64, [1, 2**63, 5], UINT64_FILL), 0, min=2**63)
entry("minmax-min-value", "negative-half", "min of float16 is 0, above -0.5.",
      over(F16, [0.0, -0.5, 2.0], -1.0), 0, min=0.0)
entry("minmax-max-value", "signed-bytes", "max of opaque values was taken by signed bytes.",
      over(opaque(2), [b"\x7f\0", b"\x80\0"], b"\0\0"), 0, max=b"\x7f\0")
entry("minmax-max-value", "enum-by-name", "max of an enumeration is the last by name.",
      over(enum({"B": 1, "A": 5, "MISSING": 9}), [1, 5, 9], 9), 0, max=1)
entry("minmax-max-value", "boolean", "max of a boolean chunk with both values is FALSE.",
      over(BOOL, [0, 1, 0], -1), 0, max=0,
      revised=boolean_with_fill(informs={"boolean-prefer-bitmap"}))
entry("minmax-min-value", "space-padded", "min of space-padded strings was taken with the spaces.",
      over(string(4, pad=SPACEPAD), ["a", "a\x01"], "none"), 0, min="a\x01")
entry("minmax-max-value", "variable-strings", "max of variable-length strings is the longest.",
      over(string(None), ["b", "aaa"], ""), 0, max="aaa",
      fails={"minmax-max-value"}, informs={"prefer-fixed-length"})
entry("minmax-max-value", "odd-width", "max of 24-bit integers is sign-extended from the wrong bit.",
      over(odd_width(I32, 24), [5, -8388608, 8388607, -1], -7), 0, max=5)

entry("minmax-max-value", "int128-low-word", "max of int128 was taken by the lower 64 bits.",
      over(I128, [2**64 + 1, 5, -1], -7), 0, max=5)
entry("minmax-min-value", "int128-signed", "min of uint128 was taken as signed.",
      over(U128, [1, 2**127, 5], 2**128 - 1), 0, min=2**127)
entry("minmax-min-value", "int72-big-endian", "min of big-endian integers of 9 bytes is not the least.",
      over(wide(I64BE, 9), [2**70, -3, -2**65], -7), 0, min=-3)
entry("minmax-fill-excluded", "int128", "min of an int128 chunk is the fill value.",
      over(I128, [5, -2**100, 7], -2**100), 0, min=-2**100)
entry("minmax-max-value", "bfloat16", "max of bfloat16 is not the greatest.", BFLOATS, 0, max=1.5,
      fails={"minmax-max-value"}, **OTHER_FLOATS)
entry("minmax-max-value", "long-double-last-bit", "max of 80-bit floats differs in the last bit.",
      LONG_DOUBLES, 0, max=x87(X87_ONE), fails={"minmax-max-value"}, **OTHER_FLOATS)
for clause, changes in (("minmax-fill-count-value", {"fill_count": 1}), ("minmax-n-last-chunk", {"n": 9})):
    entry(clause, "bfloat16", f"{', '.join(changes)} of a bfloat16 chunk is wrong: no order, so a warning.",
          over(BFLOAT16, [1.5, 2.5], -1.0), -1, fails=set(), warns={"minmax-orderable-type", clause},
          ambiguity="floats-with-an-order", **changes)
entry("minmax-nan-count-value", "bfloat16", "The NaN of a bfloat16 chunk was not counted.", BFLOATS,
      0, nan_count=0, fails={"minmax-nan-count-value"}, **OTHER_FLOATS)


@valid("minmax-min-type", base=over(I128, [5, 2**64, -1], -7), slug="int128-byte-order",
       warns={"minmax-min-type", "minmax-max-type"}, ambiguity="same-datatype-byte-order",
       revised=newer(warns=()))
def fields_of_another_byte_order(t):
    "min and max are big-endian over a little-endian int128 column."
    values = index(t).values
    index(t).type = compound({"min": I128BE, "max": I128BE, "nan_count": U64, "fill_count": U64,
                              "n": U64})
    index(t).values = values


@invalid("index-content-correct", slug="chunks-one-row-late",
         base=over(I32, [1, 2, 3, 4, 5, 6, 7, 8], INT32_FILL),
         fails={"minmax-min-value", "minmax-max-value"}, alias="minmax-min-value")
def chunks_one_row_late(t):
    "min and max of each entry are those of four rows one row further on."
    index(t).values[0].update(min=2, max=5)
    index(t).values[1].update(min=6)


@invalid("minmax-max-value", base=over(I32, list(range(20)), INT32_FILL, nrows=16))
def chunks_of_five(t):
    "The last entry was made of a chunk that reaches into the reserved tail."
    index(t).values[3]["max"] = 19


@valid("minmax-min-value", slug="zeros", base=over(F64, [0.0, -0.0, 1.0, -1.0, -0.0, 0.0], FLOAT_FILL))
def zeros(t):
    "Where both zeros are the least or the greatest value, the index may hold either."
    index(t).values[1].update(min=0.0, max=-0.0)


@valid("minmax-all-missing-min-fill", slug="nan-fill", base=over(F32, [NAN] * 5 + [1.0], NAN),
       keeps=["minmax-all-missing-max-fill", "minmax-fill-count-value"])
def only_nan_fill(t):
    "NaN is the fill value and all rows of a chunk have it: min and max are some NaN."
    index(t).values[0].update(min=b"\1\0\x80\x7f", max=b"\x45\x23\xc1\xff")


@valid("minmax-extra-tail-entries", slug="long-tail", base=over(I32, list(range(64)), INT32_FILL, nrows=10),
       keeps=["minmax-n-last-chunk", "minmax-length-chunked"])
def long_tail(t):
    "The extent exceeds NROWS by thirteen chunks, and the index has three entries."


@valid("minmax-several-indexes", slug="on-one-column", base=INTEGERS)
def two_on_one_column(t):
    "A column lists two CHUNK_MINMAX indexes."
    t.add_index("x", KIND, name="again")


@valid("minmax-min-value", slug="missing-chunk-between", base=over(
    I16BE, [5, -3, 7, 1] + [INT16_FILL] * 4 + [2, INT16_FILL, 9, 8, 4], INT16_FILL),
       keeps=["minmax-all-missing-min-fill"])
def missing_chunk_between(t):
    "Of four chunks the second is all missing; the last has one row."


@valid("minmax-min-value", slug="string-with-padding-inside",
       base=over(string(4, pad=SPACEPAD), ["a b", " a", "a", "b"], "none"))
def padding_inside(t):
    "Space-padded strings with spaces inside and in front."


@valid("minmax-length-contiguous", slug="tail", base=over(F32BE, [1.5, NAN, 3.0, NAN, 9.0, -9.0],
                                                          FLOAT_FILL, chunk=None, nrows=3))
def contiguous_tail(t):
    "A contiguous column with a reserved tail: one entry, of the logical rows."


@valid("minmax-n-full-chunk", slug="chunks-of-one", base=over(U8, [3, UINT8_FILL, 0], UINT8_FILL, chunk=1))
def chunks_of_one(t):
    "A chunk is a row."


@valid("minmax-compound", slug="compressed", base=INTEGERS)
def compressed_index(t):
    "The index dataset is itself chunked, shuffled and compressed."
    index(t).values, index(t).chunk, index(t).shuffle, index(t).deflate = index(t).values, 1, True, 6


@valid("minmax-min-value", slug="infinities", base=over(F64, [INF, -INF, NAN, 1.0, 2.0], FLOAT_FILL),
       keeps=["minmax-max-value", "minmax-nan-excluded", "minmax-fill-excluded"])
def infinities(t):
    "Infinities take part; a last chunk has a single value."


@valid("minmax-fill-excluded", base=over(I32, [INT32_FILL, 1, 5, 2, INT32_FILL], INT32_FILL))
def smallest_is_fill(t):
    "The fill value is below every value and in neither field."


@valid("minmax-max-value", slug="string-bytes", base=over(string(4), ["a", "\u00e9", "z", "Z"], ""))
def strings(t):
    "The maximum of strings is that of their bytes."


MISSING = over(I32, [INT32_FILL] * 3, INT32_FILL)
entry("minmax-all-missing-min-fill", "zero", "min is 0 in a chunk of missing values.", MISSING, 0,
      min=0)
entry("minmax-all-missing-min-fill", "nan", "min is NaN in a chunk of NaNs, and the fill is not.",
      over(F64, [NAN, NAN], FLOAT_FILL), 0, min=NAN)
entry("minmax-all-missing-max-fill", "zero", "max is 0 in a chunk of missing values.", MISSING, 0,
      max=0)
entry("minmax-all-missing-max-fill", "type-maximum", "max is the largest int32.", MISSING, 0,
      max=2**31 - 1)


@valid("minmax-all-missing-min-fill", base=over(F64, [NAN, NAN, FLOAT_FILL], FLOAT_FILL),
       keeps=["minmax-all-missing-max-fill", "minmax-nan-count-value"])
def nothing_orderable(t):
    "NaNs and missing values only: min and max are the fill value."


@valid("minmax-all-missing-min-fill", slug="many",
       keeps=["minmax-all-missing-max-fill", "minmax-min-value"],
       base=over(I32, [INT32_FILL] * 600 + [7] * 100, INT32_FILL, chunk=512))
def many_missing(t):
    "512 rows of a chunk are missing, and the first of the next."


@valid("minmax-nan-excluded", slug="many", keeps=["minmax-nan-count-value", "minmax-min-value"],
       base=over(F64, [NAN] * 300 + [FLOAT_FILL] * 300 + [-INF] * 100, FLOAT_FILL, chunk=1024))
def many_nans(t):
    "Hundreds of rows are NaN, then missing, before the first value, which is -inf."


@valid("minmax-all-missing-max-fill", slug="strings", base=over(string(4), ["", "", ""], ""))
def empty_strings(t):
    "Strings that are all missing."


@invalid("minmax-one-column", base=INTEGERS, ambiguity="one-or-more-columns")
def two_columns(t):
    "Two columns list the same index."
    t.add_column("y", I32, list(t.column("x").values), fill=INT32_FILL, chunk=4)
    t.column("y").attrs["SEARCH_INDEX_LIST"] = refs([index(t)])


@valid("minmax-one-column", slug="of-two-names", base=INTEGERS, warns={"column-hard-link"},
       ambiguity="one-dataset-two-names")
def one_dataset_of_two_names(t):
    "The column hangs in the table group under two names: one dataset lists the index."
    t.add("y", HardLink(t.column("x")))
    t.attrs["column-order"] = text(["x", "y"])


@valid("minmax-one-column", slug="one-each", base=INTEGERS, keeps=["minmax-several-indexes"])
def one_each(t):
    "Two columns, an index each."
    t.add_column("y", I32, [1, 2, 3, 4, 5, 6, 7], fill=INT32_FILL, chunk=4)
    t.add_index("y", KIND)


@valid("minmax-several-indexes", base=INTEGERS)
def three_columns(t):
    "Three columns, an index each, chunks of different length."
    for n, chunk in ((2, 2), (3, 16)):
        t.add_column(f"y{n}", I32, [n * r for r in range(7)], fill=INT32_FILL, chunk=chunk,
                     maxshape=(None,))
        t.add_index(f"y{n}", KIND)


@invalid("index-content-correct", base=INTEGERS, fails={"minmax-min-value"},
         alias="minmax-min-value")
def stale_after_edit(t):
    "A cell was changed in place, and the index was not."
    index(t).values
    t.column("x").values[5] = -8


@valid("minmax-excluded-type", slug="categorical", base=good_table)
def categorical(t):
    "CHUNK_MINMAX over the codes of a categorical column."
    t.add_index("label", KIND)
