"""HEP001 8.8 (2026-07-09), boolean columns and nullable booleans; 8.3 and 8.5 next to them."""

from generators.hep001 import *
from generators.hep001.recipes.s10_4_chunk_minmax import index, over

valid, invalid = valid_since_newer, invalid_since_newer
MEMBERS = {"FALSE": 0, "TRUE": 1}
FLAGS = [0, 1, 1, 0, 1]


def flag(t, type_id=BOOL, values=FLAGS, fill=DEFAULT, **options):
    return t.add_column("flag", type_id, list(values), fill=fill, **options)


def column(register, clause, slug, shows, *args, keeps=(), options={}, **of_column):
    def mutate(t):
        flag(t, *args, **of_column)
    register(clause, slug, shows, keeps=keeps, **options)(mutate)


# The exact datatype

for slug, base in (("u8", U8), ("i8-big-endian", I8BE)):
    column(invalid, "boolean-dataset-exact-type", slug, f"A boolean column over {slug.upper()}.",
           enum(MEMBERS, base), options={"ambiguity": "tolerated-boolean-in-files"})
column(valid, "boolean-dataset-exact-type", "true-first",
       "A boolean column whose datatype declares TRUE before FALSE.", enum({"TRUE": 1, "FALSE": 0}),
       keeps=["boolean-column-no-fill", "boolean-column-value",
              "fill-user-defined-unless-boolean"])


# Values

column(invalid, "boolean-column-value", "two", "A row of a boolean column is 2.", BOOL,
       [0, 1, 2, 0, 1])
column(invalid, "boolean-column-value", "minus-one", "A row of a boolean column is -1.", BOOL,
       [0, 1, -1, 0, 1])
column(invalid, "boolean-column-value", "last-row", "The last row of a boolean column is 127.",
       BOOL, [0, 1, 1, 0, 127])
column(valid, "boolean-column-value", "in-the-tail",
       "The reserved tail of a boolean column holds 2 and -1.", BOOL, [0, 1, 1, 0, 1, 2, -1],
       options={"base": lambda: extended(2)})


def extended(rows):
    """A small table whose columns are that much longer than NROWS."""
    t = small_table()
    for each in t.columns().values():
        each.values += each.values[:rows]
    return t


@invalid("boolean-column-value", base=over(BOOL, [0, 1, 1, 0], DEFAULT, kind="BITMAP",
                                           indexed=[0, 1]))
def wrong_value_under_an_index(t):
    "A row is 2; the bitmap shows it as TRUE, which is not judged besides."
    index(t).values
    t.column("x").values[2] = 2


@valid("tail-arbitrary-bytes", "boolean", base=good_table)
def tail_of_every_sort(t):
    "The reserved tail holds codes, enum values, numbers and bytes that no row may have."
    t.column("label").values[10:] = [120, -1, 3, -128, 99, 7]
    t.column("name").values[10:] = [b"\xff\xfe", b"\xed\xa0\x80", b"a\0b", b"\x80" * 8, b"\0x", b""]
    t.add_column("state", enum({"UP": 0, "DOWN": 1}), [0, 1] * 5 + [7, -1, 99, 2, 3, -128],
                 fill=-1)
    flag(t, values=[0, 1] * 5 + [2, -1, 7, 5, 2, 2])


# The fill value

for slug, fill in (("minus-one", -1), ("zero", 0), ("two", 2)):
    column(invalid, "boolean-column-no-fill", slug,
           f"A boolean column has the user-defined fill value {fill}, which no row has.", BOOL,
           [1] * 5 if fill == 0 else FLAGS, fill)
column(valid, "boolean-column-no-fill", "undefined",
       "The fill value of a boolean column is undefined.", BOOL, fill=UNDEFINED)


@invalid("boolean-column-no-fill", base=over(BOOL, [0, 1, 1, 0], DEFAULT, kind="SORTED_ROWS"))
def index_counts_missing_rows(t):
    "The fill value is FALSE, and the index counts the FALSE rows as missing."
    t.column("x").fill = 0


@valid("boolean-column-accepted", keeps=["boolean-column-no-fill", "boolean-column-value"])
def all_false(t):
    "All rows are FALSE, which is the library's default fill value too."
    flag(t, values=[0] * 5)


def indexed_flags(values, chunk=4):
    t = Table("/events", nrows=len(values))
    t.add_column("flag", BOOL, list(values), fill=DEFAULT, chunk=chunk, maxshape=(None,))
    t.add_index("flag", "CHUNK_MINMAX")
    t.add_index("flag", "SORTED_ROWS")
    t.add_index("flag", "BITMAP", values=[0, 1])
    t.add_index("flag", "CHUNK_BLOOM")
    return t


@valid("boolean-column-accepted", base=lambda: indexed_flags([1, 0, 1, 1, 0, 0, 0, 1, 1]),
       keeps=["minmax-fill-count-value", "sorted-boolean-order", "sorted-fill-tail-length-value",
              "bitmap-bit-set", "bitmap-bit-clear", "bloom-type", "boolean-bitmap-two-values",
              "boolean-prefer-bitmap", "minmax-min-type", "bitmap-values-type"])
def every_family(t):
    "A boolean column with an index of each family: no row is missing."


@valid("boolean-column-accepted", base=lambda: indexed_flags([0] * 6))
def every_family_of_false(t):
    "An index of each family, and all rows are FALSE."


# Contents of indexes over booleans

def boolean_index(clause, slug, shows, kind, values, mutate, indexed=None, **options):
    base = over(BOOL, values, DEFAULT, kind=kind, indexed=indexed)
    if kind == "CHUNK_MINMAX":
        options.setdefault("fails", {clause})
        options["informs"] = {"boolean-prefer-bitmap"}
    invalid(clause, slug, shows, base=base, **options)(lambda t: mutate(index(t)))


def rows(*numbers):
    return lambda i: setattr(i, "values", list(numbers))


boolean_index("sorted-boolean-order", "true-first-without-fill", "TRUE rows come first, no fill value.",
              "SORTED_ROWS", [0, 1, 0], rows(1, 0, 2))
boolean_index("sorted-ties", "booleans-without-fill", "Equal booleans by decreasing row.",
              "SORTED_ROWS", [1, 0, 1], rows(1, 2, 0))
boolean_index("sorted-fill-tail-length-value", "booleans",
              "fill_tail_length counts the FALSE rows of a boolean column.", "SORTED_ROWS",
              [0, 1, 0], lambda i: i.attrs.update(fill_tail_length=uint64(2)))
boolean_index("minmax-fill-count-value", "booleans",
              "fill_count counts the FALSE rows of a boolean column.", "CHUNK_MINMAX", [0, 1, 0],
              lambda i: i.values[0].update(fill_count=2))
boolean_index("minmax-max-value", "booleans-without-fill", "max of a boolean chunk is too low.",
              "CHUNK_MINMAX", [0, 1, 0], lambda i: i.values[0].update(max=0))
boolean_index("bitmap-bit-set", "booleans-without-fill", "The bit of a TRUE row is clear.",
              "BITMAP", [1, 0, 1], lambda i: i.values[1].__setitem__(0, 1), indexed=[0, 1])


def hashed(slug, shows, bytes_of):
    @invalid("bloom-canonical-boolean", slug, shows, base=over(BOOL, [1, 1], DEFAULT,
                                                               kind="CHUNK_BLOOM", m_bits=256))
    def mutate(t):
        i = index(t)
        i.values = chunk_bloom(t.column("x"), t.nrows, i.k, i.m_bits, i.seed, bytes_of=bytes_of)


hashed("0xff-without-fill", "TRUE is hashed as 0xFF, no fill value.", lambda t, v: b"\xff")
hashed("text-without-fill", "TRUE is hashed as its name, no fill value.", lambda t, v: b"TRUE")


# Bitmaps of booleans

def more_values(slug, shows, indexed, rows=(0, 1, 1)):
    invalid("boolean-bitmap-two-values", slug, shows,
            base=over(BOOL, rows, DEFAULT, kind="BITMAP", indexed=indexed))(lambda t: None)


more_values("two", "A bitmap over booleans indexes 0, 1 and 2.", [0, 1, 2])
more_values("minus-one", "A bitmap over booleans indexes 0, 1 and -1.", [0, 1, -1])


invalid("bitmap-values-distinct", "boolean", "A bitmap over booleans indexes FALSE twice.",
        base=over(BOOL, (0, 1, 1), DEFAULT, kind="BITMAP", indexed=[0, 1, 0]))(lambda t: None)


@valid("boolean-bitmap-two-values", base=over(BOOL, [0, 1, 1], DEFAULT, kind="BITMAP", indexed=[1]))
def only_true(t):
    "Only TRUE is indexed."


@invalid("boolean-prefer-bitmap", base=over(BOOL, [0, 1, 1], DEFAULT))
def minmax_alone(t):
    "A boolean column has a CHUNK_MINMAX index and no BITMAP."


@valid("boolean-prefer-bitmap", base=over(BOOL, [0, 1, 1], DEFAULT, kind="BITMAP",
                                          indexed=[0, 1]))
def bitmap_alone(t):
    "A boolean column has a BITMAP."


@invalid("categorical-integer", "boolean", base=small_table)
def boolean_codes(t):
    "A boolean column is categorical."
    flag(t)
    t.categorise("flag", ["no", "yes"])


# Ordinary enumerations and nullable booleans

NULLABLE = {"FALSE": 0, "TRUE": 1, "MISSING": 2}

column(valid, "nullable-boolean-accepted", "enum", "An enumeration of FALSE, TRUE and MISSING.",
       enum(NULLABLE), [0, 1, 2, 1, 0], 2, keeps=["nullable-boolean-enum-codes"])
column(valid, "nullable-boolean-accepted", "uint8", "uint8 of 0, 1 and the fill value 255.", U8,
       [0, 1, 255, 1, 0], 255)
column(valid, "nullable-boolean-enum-codes", "i32-big-endian",
       "A nullable boolean over H5T_STD_I32BE.", enum(NULLABLE, I32BE), [0, 1, 2, 1, 0], 2)
column(invalid, "nullable-boolean-enum-codes", "missing-minus-one", "MISSING is -1.",
       enum({**MEMBERS, "MISSING": -1}), [0, 1, -1, 1, 0], -1,
       options={"ambiguity": "nullable-boolean-by-names"})
column(invalid, "nullable-boolean-enum-codes", "missing-255", "MISSING is 255, over uint8.",
       enum({**MEMBERS, "MISSING": 255}, U8), [0, 1, 255, 1, 0], 255,
       options={"ambiguity": "nullable-boolean-by-names"})
column(invalid, "nullable-boolean-enum-codes", "swapped", "FALSE is 1, TRUE is 0.",
       enum({"FALSE": 1, "TRUE": 0, "MISSING": 2}), [0, 1, 2, 1, 0], 2,
       options={"ambiguity": "nullable-boolean-by-names"})
column(valid, "nullable-boolean-enum-codes", "fourth-member",
       "An enumeration that has UNKNOWN besides FALSE, TRUE and MISSING, and other codes.",
       enum({"FALSE": 1, "TRUE": 2, "UNKNOWN": 3, "MISSING": 0}), [1, 2, 0, 3, 1], 0,
       options={"ambiguity": "nullable-boolean-by-names"})

WIDE = {"ambiguity": "wide-boolean-enum"}
column(valid, "fill-user-defined-unless-boolean", "wide-enum",
       "FALSE and TRUE over two bytes, with the fill value -1: an ordinary enumeration.",
       enum(MEMBERS, I16), fill=-1, options=WIDE)
column(invalid, "fill-user-defined-unless-boolean", "wide-enum",
       "FALSE and TRUE over four bytes, without a user-defined fill value.",
       enum(MEMBERS, I32), options=WIDE)
column(invalid, "fill-user-defined-unless-boolean", "nullable-boolean",
       "A nullable boolean without a user-defined fill value.", enum(NULLABLE))
column(invalid, "fill-user-defined-unless-boolean", "uint8-flags",
       "uint8 of zeros and ones, without a user-defined fill value.", U8)
column(invalid, "fill-user-defined-unless-boolean", "full-domain",
       "A uint8 column that needs all 256 values declares no fill value.", U8, range(250, 255),
       options={"ambiguity": "full-domain-without-fill"})
column(invalid, "fill-user-defined-unless-boolean", "lower-case",
       "Members named false and true make no boolean.", enum({"false": 0, "true": 1}))
column(invalid, "fill-outside-logical-range", "ordinary-member",
       "The fill value of an enumeration is an ordinary member.", enum({"UP": 0, "DOWN": 1}),
       [0] * 5, 1, options={"fails": {"enum-fill-not-ordinary-member"},
                            "alias": "enum-fill-not-ordinary-member"})


# MASK on a column; sequences

for slug, value in (("integer", uint8(1)), ("empty-text", text("")), ("array", uint8([1, 0]))):
    @invalid("column-no-mask-attribute", slug, "A column has an attribute MASK.",
             ambiguity="mask-of-a-later-revision")
    def masked(t, value=value):
        t.column("id").attrs["MASK"] = value


@invalid("column-no-mask-attribute", ambiguity="mask-of-a-later-revision")
def reference_to_a_mask(t):
    "MASK of a column refers to booleans outside the table."
    mask = t.file.put("/mask", Dataset(BOOL, [1, 1, 0, 1, 1]))
    t.column("energy").attrs["MASK"] = ref(mask)


@valid("column-no-mask-attribute")
def in_lower_case(t):
    "A column has an attribute `mask`."
    t.column("id").attrs["mask"] = uint8(1)


@invalid("prefer-list-column")
def sequences_of_compounds(t):
    "A column of variable-length sequences of compounds of fixed size."
    t.add_column("hits", sequence(compound({"a": I32, "b": F32})), [[(1, 2.0)], [], [], [], []],
                 fill=[(0, 0.0)])


@valid("prefer-list-column", base=list_table)
def ragged_data_as_lists(t):
    "Ragged data are in list columns."
