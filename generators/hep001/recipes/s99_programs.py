"""HEP001, all sections: conformant tables at which a reader or writer may go astray. The harness
(conformance/protocol.md) hands them to programs; the validator finds nothing in them."""

from generators.hep001 import *


def f32(bits):
    return bits.to_bytes(4, "little")


@valid("consumer-lossless-read", informs={"prefer-fixed-length"})
def awkward_texts(t):
    "Texts that are empty, begin or end with white space, hold quotes, NUL, two forms of a letter."
    t.attrs.update(TITLE=text("", 4), description=text(" two\n\tlines, \"quoted\" \\ "))
    t.column("id").attrs.update(units=text(" m "), description=text(""))
    t.column("energy").attrs.update(units=text("e\u0301"), description=text("\u00e9 "))
    t.add_column("fixed", string(12), [" a ", "\ttab\n", "nul\0inside", "", "\"\\/\u2028"], fill="-")
    t.add_column("variable", string(None), ["e\u0301", "\u00e9", "  ", "\ufeffbom", "\U0001f600"],
                 fill="-")
    t.add_column("raw", string(4), [b"caf\xe9", b"\xff", b"\xc3", b"ok", b"-"], fill="-")


@valid("consumer-lossless-read")
def awkward_numbers(t):
    "Zeros of both signs, payloads of NaN, infinities, integers that no double holds."
    t.add_column("f16", F16, [-0.0, 0.0, b"\x01\x7e", INF, b"\x01\x80"], fill=-1.0)
    t.add_column("f32", F32BE, [-0.0, 0.0, b"\xff\xa1\x23\x45", -INF, b"\0\0\0\1"], fill=FLOAT_FILL)
    t.add_column("f64", F64, [-0.0, 0.0, b"\1\2\3\4\5\6\xf8\xff", INF, 5e-324], fill=FLOAT_FILL)
    t.add_column("i64", I64BE, [-2**63, 2**53 + 1, -2**53 - 1, 2**63 - 1, 0], fill=INT64_FILL)
    t.add_column("u64", U64, [0, 2**53 + 1, 2**63, 2**64 - 2, 1], fill=UINT64_FILL)
    t.add_column("u8", U8, [0, 127, 128, 254, 1], fill=255)


@valid("consumer-lossless-read")
def wide_integers_in_every_role(t):
    "Integers beyond 32 bits, equal in their lower halves: values, codes, labels, fields, elements."
    low, high, below = 5, 2**32 + 5, 5 - 2**33
    numbers = [low, high, below, high, low]
    t.add_column("value", I64BE, numbers, fill=INT64_FILL, chunk=2)
    for kind in ("CHUNK_MINMAX", "SORTED_ROWS"):
        t.add_index("value", kind)
    t.add_index("value", "BITMAP", values=[low, high, below])
    t.add_column("code", enum({"LOW": low, "HIGH": high, "BELOW": below, "MISSING": -1}, I64), numbers, fill=-1)
    t.add_column("unsigned", enum({"LOW": low, "HIGH": 2**62 + 5, "MISSING": 0}, U64),
                 [low, 2**62 + 5, low, 0, 2**62 + 5], fill=0)
    t.add_column("labelled", U8, [0, 1, 2, 1, 0], fill=255)
    t.categorise("labelled", Dataset(I64, [low, high, below], attrs={"ordered": boolean(False)}))
    fields = compound({"a": I64BE, "b": U64})
    t.add_column("fields", fields, [(n, 2**32 + i) for i, n in enumerate(numbers)], fill=(0, 0))
    t.add_column("elements", array(I64, 2), [[n, -n] for n in numbers], fill=[0, 0])


@valid("consumer-lossless-read")
def long_texts(t):
    "Texts of more than 255, 1,024 and 4,096 bytes; those of equal beginnings differ at their ends alone."
    def tall(n, end):
        return "x" * (n - len(end)) + end
    t.attrs.update(TITLE=text(tall(300, " title")), description=text(tall(5000, " of the table")))
    t.column("id").attrs.update(units=text(tall(300, " m")), description=text(tall(1100, " of id")))
    t.column("energy").attrs.update(units=text(tall(300, " s")), description=text(tall(1100, " of energy")))
    t.add_column("kind", U8, [0, 1, 2, 1, 0], fill=255)
    t.categorise("kind", [tall(300, "a"), tall(300, "b"), tall(300, "c")])
    t.add_column("fixed", string(1200), [tall(1100, end) for end in "abcde"], fill="-")
    t.add_column(tall(200, "a"), I32, [1, 2, 3, 4, 5], fill=INT32_FILL)
    t.add_column(tall(200, "b"), I32, [6, 7, 8, 9, 10], fill=INT32_FILL)


@valid("consumer-lossless-read", base=good_table)
def attributes_of_others(t):
    "Names to which HEP001 gives a meaning on one object stand on others, where they have none."
    t.file.root.attrs.update(TITLE=text("another"), description=text("of the file"),
                             units_vocabulary=text("none"))
    t.attrs["units"] = text("furlong")
    for node in t.categories, t.search_indexes, *t.categories.children.values():
        node.attrs.update(units=text("stone"), description=text("of another object"))


@valid("consumer-identify-only-by-class")
def look_alikes(t):
    "Beside a table lie an Anndata dataframe, a PyTables table, and groups with NROWS alone."
    frame = t.file.put("/frame", Group(attrs={
        "encoding-type": text("dataframe"), "encoding-version": text("0.2.0"),
        "column-order": text(["x"]), "_index": text("x")}))
    frame.add("x", Dataset(I32, [1, 2, 3]))
    pytable = t.file.put("/pytable", Group(attrs={
        "CLASS": ascii_text("TABLE"), "VERSION": ascii_text("1.0"), "NROWS": uint64(3)}))
    pytable.add("x", Dataset(I32, [1, 2, 3]))
    t.file.put("/lower", Group(attrs={"CLASS": ascii_text("column_table"), "NROWS": uint64(0)}))
    t.file.put("/counted", Group(attrs={"NROWS": uint64(0)}))


def later_minor(number):
    @valid("consumer-compare-numeric", f"minor-{number}", f"VERSION is 1.{number}.",
           ambiguity="other-revision")
    def mutate(t):
        t.attrs["VERSION"] = ascii_text(f"1.{number}")


later_minor(9)
later_minor(10)


@valid("consumer-row-count-from-nrows")
def plausible_tail(t):
    "Three rows; seven more in the tail hold plausible values, larger than any row's."
    t.nrows = 3
    t.column("id").values = [10, 11, 12] + [13, 14, 15, 16, 17, 18, 19]
    t.column("energy").values = [0.5, 1.5, 2.5] + [3.5, 4.5, 5.5, 6.5, 7.5, 8.5, 9.5]


def three_columns(t, *names):
    for name in list(t.columns()):
        t.remove(name)
    for i, name in enumerate(names):
        t.add_column(name, I32, [10 * i + r for r in range(5)], fill=INT32_FILL)


@valid("consumer-column-order")
def neither_by_name_nor_by_link(t):
    "column-order is neither the order of names nor that of links, nor one of these reversed."
    three_columns(t, "b", "d", "a", "c")
    t.attrs["column-order"] = text(["c", "b", "d", "a"])


@valid("consumer-units-vocabulary-default")
def own_and_inherited(t):
    "The table's vocabulary is UCUM; one of two columns with units has another one."
    t.attrs["units_vocabulary"] = text("UCUM")
    t.column("id").attrs["units"] = text("m")
    t.column("energy").attrs.update(units=text("s"), units_vocabulary=text("UDUNITS-2"))


@valid("consumer-units-vocabulary-default", base=lambda: small_table("/a/first"),
       tables={"/a/second": {}, "/b": {}, "/c": {}})
def of_four_tables(t):
    "Four tables of one file: each column has the vocabulary of its own table or none."
    others = {"/a/second": "UCUM", "/b": None, "/c": "UDUNITS-2"}
    for path, vocabulary in others.items():
        other = small_table(path, t.file)
        other.column("id").attrs["units"] = text("m")
        if vocabulary:
            other.attrs.update(units_vocabulary=text(vocabulary), TITLE=text("of " + path))
    t.column("id").attrs["units"] = text("m")


@valid("consumer-units-absent-dimensionless")
def vocabulary_without_units(t):
    "The table has a units_vocabulary, and so has a column; no column has units."
    t.attrs["units_vocabulary"] = text("UCUM")
    t.column("energy").attrs["units_vocabulary"] = text("UDUNITS-2")


@valid("consumer-enumerate-columns", base=good_table, informs={"column-order-recommended"})
def no_column_order(t):
    "No column-order; categories and indexes lie in their groups."
    del t.attrs["column-order"]


@valid("consumer-canonical-missing-test")
def fills_of_every_family(t):
    "Fill values other than 0 and NaN: zeros, NaN and empty strings are values."
    t.add_column("int", I8, [0, -127, 5, 0, -127], fill=-127)
    t.add_column("zero", I16, [0, -127, 5, 0, -127], fill=0)
    t.add_column("float", F64, [NAN, -1.0, 0.0, NAN, -1.0], fill=-1.0)
    t.add_column("text", string(4), ["", "NA", "a", "", "NA"], fill="NA")
    t.add_column("empty", string(4), ["", "NA", "a", "", "NA"], fill="")
    t.add_column("enum", enum({"UP": 0, "DOWN": 1, "MISSING": 7}), [0, 7, 1, 0, 7], fill=7)
    t.add_column("opaque", opaque(2), [b"\0\0", b"\xff\xff", b"ab", b"\0\0", b"\xff\xff"],
                 fill=b"\xff\xff")


@valid("consumer-canonical-missing-test", warns={"data-within-valid-range"})
def range_hides_nothing(t):
    "A declared range, whose bounds occur, and so do values below and above it; none is missing."
    for name, fill in ("below", -99), ("above", 99):
        t.add_column(name, I16, [0, 9, -5, 14, fill], fill=fill)
        t.column(name).attrs.update(valid_min=int16(0), valid_max=int16(9))


@valid("consumer-nan-branch")
def payloads(t):
    "The fill value is a quiet NaN; rows are quiet, signalling and negative NaNs of other payloads."
    t.add_column("x", F32, [f32(0x7FC00000), f32(0x7FA12345), f32(0xFFC12345), 1.5, -0.0],
                 fill=f32(0x7FC00000))
    t.add_column("y", F64, [b"\1\2\3\4\5\6\xf0\x7f", NAN, -2.0, INF, -INF], fill=NAN)


def categorical(t, name, type_id, codes, fill, labels):
    t.add_column(name, type_id, codes, fill=fill)
    t.categorise(name, labels)


@valid("consumer-zero-based-codes")
def unsorted_labels(t):
    "Labels that are not sorted; the first and the last are used."
    categorical(t, "kind", U8, [0, 1, 2, 2, 0], 255, ["tau", "electron", "muon"])


@valid("consumer-fill-is-missing-category")
def fills_of_codes(t):
    "The missing code is -1, the largest of its datatype, or the number of labels."
    labels = ["a", "b", "c"]
    categorical(t, "minus", I8, [0, -1, 1, 2, -1], -1, labels)
    categorical(t, "largest", U8, [0, 255, 1, 2, 255], 255, labels)
    categorical(t, "count", U16BE, [0, 3, 1, 2, 3], 3, labels)


@valid("consumer-hierarchy-order")
def against_names_and_links(t):
    "INDEX_COLUMNS is m, z, a; links are in the order a, m, z, column-order is z, a, m."
    three_columns(t, "a", "m", "z")
    t.attrs["column-order"] = text(["z", "a", "m"])
    t.label_rows_by("m", "z", "a")


PAIRS = {"minmax": ("CHUNK_MINMAX", {}), "sorted": ("SORTED_ROWS", {}),
         "bitmap": ("BITMAP", {}), "bloom": ("CHUNK_BLOOM", {"m_bits": 256})}


def pair_of_columns(t, family, first, second):
    for name, values in (f"{family}_a", first), (f"{family}_b", second):
        t.add_column(name, I32, values, fill=INT32_FILL, chunk=2)


@valid("consumer-no-name-inference")
def crossed_index_names(t):
    "Every index is named after the other one of two columns, in all four families."
    for family, (kind, options) in PAIRS.items():
        first, second = [1, 2, 3, 4, 5], [500, 400, 300, 200, 100]
        pair_of_columns(t, family, first, second)
        for name, other, values in (("a", "b", first), ("b", "a", second)):
            if kind == "BITMAP":
                options = {"values": values}
            t.add_index(f"{family}_{name}", kind, f"{family}_{other}__{kind.lower()}", **options)


@valid("consumer-follow-references")
def crossed_values_names(t):
    "The values datasets of two bitmaps have each other's name."
    pair_of_columns(t, "bitmap", [1, 2, 1, 2, 1], [2, 2, 1, 1, 1])
    t.add_index("bitmap_a", "BITMAP", values=[1, 2])
    t.add_index("bitmap_b", "BITMAP", values=[2, 1])
    inside = t.search_indexes
    inside.rename("bitmap_a__values", "aside")
    inside.rename("bitmap_b__values", "bitmap_a__values")
    inside.rename("aside", "bitmap_b__values")


@valid("consumer-no-order-inference")
def unsorted_values(t):
    "The values of a bitmap are 30, 10, 20, and it has no attribute `ordered`."
    t.add_column("x", I32, [10, 20, 30, 20, 10], fill=INT32_FILL)
    del t.add_index("x", "BITMAP", values=[30, 10, 20]).attrs["ordered"]


@valid("consumer-read-seed")
def seeded(t):
    "The filters were made with the seed 12345; with 0, no value of the column is found."
    t.add_column("x", I32, [7, 8, 9, 10, 11], fill=INT32_FILL, chunk=1)
    t.add_index("x", "CHUNK_BLOOM", k=4, m_bits=512, seed=12345)


@valid("consumer-canonicalize-query")
def stored_in_other_forms(t):
    "Filters over small, big-endian and space-padded values, and over zeros of either sign."
    columns = {"int8": (I8, [1, -1, 5, 7, -9], INT8_FILL),
               "int32be": (I32BE, [1, -1, 5, 7, -9], INT32_FILL),
               "uint64be": (U64BE, [1, 2**63, 5, 7, 9], UINT64_FILL),
               "zeros": (F32, [-0.0, 0.0, 1.0, -0.0, 0.0], FLOAT_FILL),
               "float64be": (F64BE, [-0.0, 0.5, -2.5, 0.0, 1e9], FLOAT_FILL),
               "padded": (string(8, pad=SPACEPAD), ["a", "b c", "muon", "d", "e"], "-"),
               "ascii": (string(8, cset=ASCII, pad=NULLTERM), ["a", "b", "muon", "d", "e"], "-")}
    for name, (type_id, values, fill) in columns.items():
        t.add_column(name, type_id, values, fill=fill, chunk=1)
        t.add_index(name, "CHUNK_BLOOM", k=4, m_bits=512)


@valid("consumer-no-nan-query")
def nan_in_filtered_chunks(t):
    "Filters over chunks that hold NaN; once NaN is the fill value, once it is not."
    values = [1.0, NAN, NAN, 2.0, NAN]
    t.add_column("x", F64, values, fill=FLOAT_FILL, chunk=2)
    t.add_column("y", F32, values, fill=NAN, chunk=2)
    for name in "x", "y":
        t.add_index(name, "CHUNK_BLOOM", k=4, m_bits=512)


@valid("consumer-rows-below-nrows-are-data")
def missing_at_the_end(t):
    "The last two of five rows are missing in every column, and so is the tail."
    for column in t.columns().values():
        column.values = column.values[:3] + [column.fill] * 5


@valid("consumer-rows-below-nrows-are-data")
def all_missing(t):
    "Every value of every row is missing."
    for column in t.columns().values():
        column.values = [column.fill] * 5


def twins(slug, shows, mutate):
    @valid("consumer-descriptive-no-effect", slug, shows)
    def build(t):
        t.add_column("length", F64, [0.0, 1.0, -2.5, 1e9, FLOAT_FILL], fill=FLOAT_FILL)
        mutate(t)


def adorn(t):
    t.attrs.update(units_vocabulary=text("no vocabulary at all"), description=text("x" * 300))
    t.column("id").attrs.update(units=text("((("), description=text("%n%s\n\t\u202e"))
    t.column("energy").attrs.update(units=text("1e3 keV"), units_vocabulary=text(""))
    t.column("length").attrs.update(units=text("km"), description=text("0 means missing"))


twins("plain", "Three columns without units and descriptions.", lambda t: None)
twins("adorned", "The same three columns with units and descriptions, senseless ones too.", adorn)


# Tables that a writer is asked to append to.

def growable(t):
    for column in t.columns().values():
        column.maxshape = (None,)


@valid("retry-overwrites-or-extends", base=good_table)
def residue_of_an_append(t):
    "Columns that may grow; an append died after it had written rows."
    growable(t)
    t.column("ts").values[10:16] = [1, 2, 3, 4, 5, 6]


@valid("append-deletes-unmaintained-indexes", base=good_table, warns={"kind-value"},
       ambiguity="unknown-kind")
def index_of_unknown_kind(t):
    "Columns that may grow; one lists an index of a KIND that another HEP may define."
    growable(t)
    index = t.add_index("row_id", "SORTED_ROWS", "row_id__zones")
    index.attrs["KIND"] = ascii_text("CHUNK_ZONEMAP")
