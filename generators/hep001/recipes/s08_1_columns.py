"""HEP001 8.1 to 8.4, column datasets: shape, extent, name, datatype, storage."""

from generators.hep001 import *


# 8.1 Rank and extent

@valid("column-rank-1", keeps=["extent-ge-nrows"])
def may_grow(t):
    "Columns of exactly NROWS rows whose extent is unlimited."
    for column in t.columns().values():
        column.chunk, column.maxshape = 8, (None,)


@invalid("column-rank-1", ambiguity="column-by-name-or-by-form")
def scalar(t):
    "A scalar dataset lies in the table group."
    t.add("total", Dataset(U32, 60, ()))


@invalid("column-rank-1", ambiguity="column-by-name-or-by-form")
def null_dataspace(t):
    "A dataset with a null dataspace lies in the table group."
    t.add("total", Dataset(U32, None, NULL_SPACE))


@invalid("column-rank-1", ambiguity="column-by-name-or-by-form")
def matrix_in_column_order(t):
    "column-order lists a dataset of shape (NROWS, 1)."
    t.add("charge", Dataset(I8, [1, -1, 1, 1, -1], (5, 1), fill=INT8_FILL))
    t.attrs["column-order"] = text(["id", "energy", "charge"])


@invalid("column-rank-1", ambiguity="column-by-name-or-by-form")
def matrix_in_index_columns(t):
    "INDEX_COLUMNS refers to a dataset of shape (1, NROWS) in the table group."
    bins = t.add("bins", Dataset(I8, [1, 2, 3, 4, 5], (1, 5), fill=INT8_FILL))
    t.attrs["INDEX_COLUMNS"] = refs([bins])


@valid("equal-extents")
def mostly_reserved(t):
    "Every column has 1024 rows, of which 3 are in use."
    t.nrows = 3
    for column in t.columns().values():
        column.values += [7] * 1019
        column.chunk, column.deflate = 1024, 9


@invalid("equal-extents", ambiguity="equal-extents-always")
def interrupted_append(t):
    "One column was extended by two rows, the other was not."
    t.column("id").values += [15, 16]


@invalid("equal-extents", base=good_table, ambiguity="equal-extents-always")
def longer_row_index(t):
    "The row index column is longer than the other columns."
    t.column("row_id").values += [0] * 4


@valid("extent-ge-nrows")
def one_row(t):
    "A table of one row."
    t.nrows = 1
    for column in t.columns().values():
        del column.values[1:]


@invalid("extent-ge-nrows")
def one_row_short(t):
    "NROWS is 5, every column has 4 rows."
    for column in t.columns().values():
        del column.values[4:]


@invalid("extent-ge-nrows")
def huge_nrows(t):
    "NROWS is 2^64 - 1, every column has 5 rows."
    t.attrs["NROWS"] = uint64(2**64 - 1)


@invalid("extent-ge-nrows")
def zero_extent(t):
    "NROWS is 1, every column has extent 0."
    t.nrows = 1
    for column in t.columns().values():
        column.values = []


@invalid("extent-ge-nrows", "one-column", fails={"extent-ge-nrows", "equal-extents"})
def only_one_short(t):
    "NROWS is 5, one of two columns has 4 rows."
    del t.column("energy").values[4:]


# 8.1 Names

@valid("column-name-utf8")
def four_byte_letters(t):
    "Column names of 2, 3 and 4 byte letters, with a zero-width joiner."
    t.rename("id", "\u00b5\u20ac\U0001d6fc")
    t.rename("energy", "\U0001f469\u200d\U0001f52c")


def bytes_in_name(slug, shows, name):
    @invalid("column-name-utf8", slug, f"The name of the only column has {shows}.")
    def mutate(t):
        t.remove("id")
        t.rename("energy", name)
        del t.attrs["column-order"]  # which would have to repeat the name


bytes_in_name("byte-ff", "a byte 0xFF", b"energy\xff")
bytes_in_name("latin-1", "a letter in Latin-1", b"\xe9nergie")
bytes_in_name("overlong", "an overlong form", b"energy\xc1\x81")
bytes_in_name("surrogate", "a surrogate", b"energy\xed\xa0\x80")
bytes_in_name("truncated", "a letter that is cut short", b"energy\xe2\x82")
bytes_in_name("beyond-unicode", "a code point above U+10FFFF", b"energy\xf4\x90\x80\x80")


@valid("column-name-not-reserved", ambiguity="anndata-names-as-column-names")
def not_quite_reserved(t):
    "Columns are named class, Version, ordered, column-order and Valid_Min."
    t.rename("id", "class")
    t.rename("energy", "Version")
    for name in "ordered", "column-order", "Valid_Min":
        t.add_column(name, I8, [1, 2, 3, 4, 5], fill=INT8_FILL)


def reserved(name, register=invalid, **options):
    @register("column-name-not-reserved", name.lower().replace("_", "-"),
              f"A column is named {name}.", **options)
    def mutate(t):
        t.rename("energy", name)


for name in ("CATEGORIES", "SEARCH_INDEXES", "CLASS", "VERSION", "NROWS", "TITLE", "INDEX_COLUMNS",
             "SEARCH_INDEX_LIST", "valid_min", "valid_max", "KIND", "VALUES"):
    reserved(name)
for name in "CHUNK_MINMAX", "SORTED_ROWS", "BITMAP", "CHUNK_BLOOM":
    reserved(name, valid, warns={"column-name-not-reserved"},
             ambiguity="kind-tokens-as-names")


@valid("column-name-no-leading-underscore")
def underscore_inside(t):
    "Columns are named `a_b` and `a__`."
    t.rename("id", "a_b")
    t.rename("energy", "a__")


@invalid("column-name-no-leading-underscore", "id")
def leading_underscore(t):
    "A column is named `_id`."
    t.rename("id", "_id")


@invalid("column-name-no-leading-underscore", "index")
def named_like_the_attribute(t):
    "A column is named `_index`."
    t.rename("id", "_index")


@valid("any-utf8-name", keeps=["column-order-no-duplicates"])
def odd_names(t):
    "Spaces, dots, dashes, signs, digits, an index's name, and \u00e9 both composed and decomposed."
    t.remove("id"), t.remove("energy")
    for name in ("a b", " ", "x.y", "..", "...", "ts__chunk_minmax", "ordered", "caf\u00e9",
                 "cafe\u0301", "Id", "ID", "7", "-", "\\n", "\n", "\u200b", "n" * 200):
        t.add_column(name, I8, [1, 2, 3, 4, 5], fill=INT8_FILL)


# 8.3 Datatypes

@valid("any-datatype")
def integers(t):
    "Integers of 8 to 64 bits, with and without sign, in both byte orders."
    types = {"i8": I8, "i16": I16, "i32": I32, "i64": I64, "u8": U8, "u16": U16, "u32": U32,
             "u64": U64, "i16be": I16BE, "i32be": I32BE, "i64be": I64BE, "u16be": U16BE,
             "u32be": U32BE, "u64be": U64BE}
    for name, type_id in types.items():
        bits = 8 * type_id.get_size()
        least, most = (-2 ** (bits - 1), 2 ** (bits - 1) - 1) if name[0] == "i" else (0, 2**bits - 2)
        fill = least + 1 if name[0] == "i" else most + 1
        t.add_column(name, type_id, [least, most, 1, fill, 0], fill=fill)


@valid("any-datatype")
def floating_point(t):
    "IEEE 754 numbers of 16, 32 and 64 bits in both byte orders; long double."
    for name, type_id in {"f16": F16, "f32": F32, "f64": F64, "f16be": F16BE, "f32be": F32BE,
                          "f64be": F64BE}.items():
        fill = -9.0 if "16" in name else FLOAT_FILL
        t.add_column(name, type_id, [0.5, -INF, fill, NAN, -0.0], fill=fill)
    one, two = (bytes.fromhex(f"0000000000000080{exponent}").ljust(16, b"\0")
                for exponent in ("ff3f", "0040"))
    t.add_column("long double", LONG_DOUBLE, [one] * 5, fill=two)


@valid("any-datatype", keeps=["prefer-fixed-length"])
def fixed_strings(t):
    "Fixed-length strings in every combination of character set and padding."
    for name, pad in ("nullterm", NULLTERM), ("nullpad", NULLPAD), ("spacepad", SPACEPAD):
        t.add_column(name, string(7, pad=pad), ["muon", "d\u00e9j\u00e0", "", "pi", ""], fill="")
        t.add_column(name + " ascii", string(7, cset=ASCII, pad=pad),
                     ["muon", "N/A", "", "pi", ""], fill="N/A")


@valid("any-datatype", informs={"prefer-fixed-length"}, keeps=["fill-user-defined"])
def variable_length_strings(t):
    "Variable-length strings of both character sets; the fill value is the empty string."
    t.add_column("name", string(None), ["muon", "d\u00e9j\u00e0", "", "\u96fb\u5b50", ""], fill="")
    t.add_column("code", string(None, cset=ASCII), ["a", "", "bc", "", "def"], fill="")


@valid("any-datatype", informs={"prefer-fixed-length"}, revised=newer(informs={"prefer-list-column"}))
def one_of_each_class(t):
    "A column of every datatype class that HDF5 has."
    image = t.file.put("/image", Dataset(U8, [1, 2, 3]))
    t.add_column("integer", U16BE, [1, 2, 3, 4, 5], fill=UINT16_FILL)
    t.add_column("float", F64BE, [1.0, 2.0, 3.0, 4.0, 5.0], fill=NAN)
    t.add_column("time", TIME32, [0, 1, 2, 3, 4], fill=2**32 - 1)
    t.add_column("string", string(3), ["a", "b", "", "d", "e"], fill="")
    t.add_column("bitfield", B16, [1, 2, 4, 8, 0xF00F], fill=0xFFFF)
    t.add_column("opaque", opaque(2, b"raw"), [b"ab", b"cd", b"\0\0", b"\xff\xff", b"ef"],
                 fill=b"\0\0")
    t.add_column("compound", compound({"re": F32, "im": F32}), [(1, 2)] * 5, fill=(0, 0))
    t.add_column("reference", REF_OBJ, [Reference(image)] * 5, fill=NULL)
    t.add_column("enum", enum({"UP": 0, "DOWN": 1, "MISSING": -1}), [0, 1, -1, 1, 0], fill=-1)
    t.add_column("sequence", sequence(I32), [[1], [], [2, 3], [4], []], fill=[])
    t.add_column("array", array(I16, 2, 2), [[[1, 2], [3, 4]]] * 5, fill=[[0, 0], [0, 0]])


@valid("any-datatype")
def odd_precision(t):
    "A 24-bit integer in 4 bytes, a 12-bit integer 4 bits up, a 3-byte bitfield of 20 bits."
    t.add_column("i24", odd_width(I32, 24), [-2**23, -1, 0, 1, 2**23 - 1], fill=-2**23 + 1)
    t.add_column("u12", odd_width(U16, 12, 4), [0, 1, 2, 4094, 4095], fill=4095)
    t.add_column("b20", odd_width(B32, 20), [0, 1, 2**20 - 2, 3, 2**20 - 1], fill=2**20 - 1)


@valid("compound-fields-atomic")
def complex_numbers(t):
    "A compound column with the fields re and im, float64."
    t.add_column("amplitude", compound({"re": F64, "im": F64}), [(0.5, -1.0)] * 5, fill=(0, 0))


@valid("compound-fields-atomic", informs={"prefer-fixed-length"}, ambiguity="logically-atomic")
def atomic_fields_of_many_classes(t):
    "Fields: array of integers, enum, opaque, fixed and variable-length string, reference."
    fields = {"vector": array(F32, 3), "state": enum({"UP": 0, "DOWN": 1}),
              "raw": opaque(2), "name": string(4), "note": string(None), "image": REF_OBJ}
    row = ([1, 2, 3], 0, b"ab", "pi", "long", NULL)
    t.add_column("record", compound(fields), [row] * 5, fill=([0, 0, 0], 1, b"\0\0", "", "", NULL))


def nested(slug, shows, field, value, fill, register=invalid, **options):
    @register("compound-fields-atomic", slug, f"A compound column has a field that is {shows}.",
              **options)
    def mutate(t):
        t.add_column("hit", compound({"n": I32, "inner": field}), [(1, value)] * 5, fill=(0, fill))


POINT = compound({"x": F32, "y": F32})
nested("compound-member", "a compound", POINT, (1, 2), (0, 0), ambiguity="logically-atomic")
nested("array-of-compound", "an array of compounds", array(POINT, 2), [(1, 2), (3, 4)],
       [(0, 0), (0, 0)], ambiguity="logically-atomic")
nested("sequence-of-compound", "a variable-length sequence of compounds", sequence(POINT),
       [(1, 2)], [], fails={"compound-fields-atomic"}, informs={"prefer-fixed-length"})
nested("sequence-of-integer", "a variable-length sequence of integers", sequence(I32), [1, 2], [],
       warns={"compound-fields-atomic"}, informs={"prefer-fixed-length"},
       ambiguity="logically-atomic")


@invalid("prefer-fixed-length", ambiguity="where-possible")
def variable_length_utf8(t):
    "A column of variable-length UTF-8 strings."
    t.add_column("name", string(None), ["muon", "pion", "", "eta", "rho"], fill="")


@invalid("prefer-fixed-length", ambiguity="where-possible",
         revised=newer(clause="prefer-list-column", informs={"prefer-list-column"}))
def sequences_of_int32(t):
    "A column of variable-length sequences of int32."
    t.add_column("hits", sequence(I32), [[1, 2], [], [3], [4, 5, 6], []], fill=[-1])


# 8.4 Storage

@valid("independent-storage")
def every_layout(t):
    "Contiguous, compact, and chunked columns with chunks of 1, 7 and 1000 rows."
    t.column("id").compact = True
    t.add_column("one", I8, [1, 2, 3, 4, 5], fill=INT8_FILL, chunk=1, maxshape=(9,))
    t.add_column("seven", I16BE, [1, 2, 3, 4, 5], fill=INT16_FILL, chunk=7, maxshape=(None,))
    t.add_column("thousand", U8, [1, 2, 3, 4, 5], fill=UINT8_FILL, chunk=1000,
                 maxshape=(2000,), shuffle=True, deflate=6)


@valid("independent-storage", base=good_table)
def filters(t):
    "shuffle, deflate, fletcher32, nbit, scale-offset, and combinations of them; indexes too."
    t.column("row_id").deflate = 1
    t.column("ts").shuffle, t.column("ts").deflate = True, 9
    t.column("energy").fletcher32 = True
    t.column("label").scaleoffset = 0
    t.column("name").deflate, t.column("name").fletcher32 = 4, True
    t.add_column("adc", odd_width(U16, 12), [4095] * 16, fill=0, chunk=8, nbit=True)
    sorted_rows = t.index("ts", "SORTED_ROWS")
    sorted_rows.chunk, sorted_rows.shuffle, sorted_rows.deflate = 4, True, 6
    labels = t.column("label").categories
    labels.chunk, labels.fletcher32 = 2, True


@valid("independent-storage", base=good_table)
def lzf(t):
    "LZF, the filter that h5py brings along; chunks that it does not shrink are stored as they are."
    t.column("ts").lzf = True
    t.column("label").lzf, t.column("label").shuffle = True, True
    t.column("name").lzf, t.column("name").fletcher32 = True, True
    t.add_column("run", I32, [7] * 15 + [1], fill=INT32_FILL, chunk=8, lzf=True)
    t.add_index("run", "CHUNK_MINMAX").lzf = True
    t.index("run", "CHUNK_MINMAX").chunk = 2


@valid("independent-storage", base=lambda: Table("/events", nrows=70001),
       keeps=["minmax-length-chunked", "sorted-length", "bitmap-row-bytes", "bloom-rows-chunked"])
def more_than_is_read_at_once(t):
    "70001 rows in chunks that do not divide them, of columns, an order and the bits of a bitmap."
    rows = t.nrows
    options = {"maxshape": (None,), "shuffle": True, "deflate": 9}
    t.add_column("number", I32, [i % 7 for i in range(rows)], fill=INT32_FILL, chunk=30000, **options)
    t.add_column("ratio", F64, [(i % 5) / 2 for i in range(rows)], fill=FLOAT_FILL, chunk=9999, **options)
    t.add_column("name", string(6), [f"n{i % 3}" for i in range(rows)], fill="", chunk=65536, **options)
    t.attrs["column-order"] = text(["number", "ratio", "name"])
    for index, chunk in ((t.add_index("number", "SORTED_ROWS"), 33333),
                         (t.add_index("number", "BITMAP", values=range(7)), (2, 5000)),
                         (t.add_index("ratio", "CHUNK_MINMAX"), 3),
                         (t.add_index("name", "CHUNK_BLOOM"), (2, 3))):
        index.chunk, index.shuffle, index.deflate = chunk, True, 9


@valid("independent-storage", outcome="unchecked")
def virtual_dataset(t):
    "A column is a virtual dataset that shows a dataset of the same file."
    source = t.file.put("/raw/charge", Dataset(I32, [1, -1, 1, 1, -1]))
    t.add_column("charge", I32, [1, -1, 1, 1, -1], fill=INT32_FILL, virtual=source)


@valid("independent-storage", base=lambda: Table("/events", nrows=0))
def never_written(t):
    "Chunked columns of which no chunk has been allocated, and a contiguous one of extent 0."
    t.add_column("a", I32, [], fill=INT32_FILL, chunk=64, maxshape=(None,))
    t.add_column("b", F32, [], fill=FLOAT_FILL, chunk=16, maxshape=(None,), deflate=3)
    t.add_column("c", U8, [], fill=UINT8_FILL)


@valid("independent-storage")
def unallocated_chunks(t):
    "A column without stored data: every row reads as the fill value, that is, missing."
    t.add_column("later", F32, None, shape=(5,), fill=FLOAT_FILL, chunk=2)
