"""Format 1.5, 4.11 and CanonicalExtensions.rst: extension types."""

from generators.arrow import *

ONCE, RESERVED = "arrow-extension-name-once", "arrow-extension-arrow-prefix-reserved"


def named(name, metadata, type, *children, values=(), nullable=True, dictionary=None):
    """A column of an extension type."""
    return field("a", type, *children, nullable=nullable, dictionary=dictionary,
                 metadata=extension(name, metadata)), list(values)


def keep(clause, slug, shows, *columns, keeps=(), kind=base_of, **options):
    valid_since_later(clause, slug, shows, base=kind(*columns), keeps=keeps, **options)(lambda f: None)


def broken(clause, slug, shows, *columns, base=None, **options):
    invalid_since_later(clause, slug, shows, base=base or base_of(*columns), **options)(lambda f: None)


def in_a_file(*columns):
    return in_file(base_of(*columns))


def mutant(clause, slug, shows, good, change, **options):
    invalid_since_later(clause, slug, shows, base=base_of(good), **options)(change)


def renamed(name=None, metadata=None):
    """Changes name or metadata of the field."""
    def change(f):
        of = f.schema.fields[0]
        now = {each.key: each.value for each in of.custom_metadata}
        now["ARROW:extension:name"] = name or now["ARROW:extension:name"]
        if metadata is not None:
            now["ARROW:extension:metadata"] = metadata
        of.custom_metadata = pairs(now)
    return change


# 4.11 ---------------------------------------------------------------------------------------------

UUID = named("arrow.uuid", "", binary(16), values=[bytes(range(16)), None])
keep(ONCE, "one-name", "One name and one metadata.", UUID)


@invalid_since_later(ONCE, base=base_of(UUID))
def two_names(f):
    "Two names on one field."
    f.field("a").custom_metadata += pairs({"ARROW:extension:name": "my.uuid"})


@invalid_since_later(ONCE, base=in_a_file(UUID))
def two_metadata(f):
    "Two metadata on one field."
    f.field("a").custom_metadata += pairs({"ARROW:extension:metadata": ""})


keep(RESERVED, "others", "Names that begin otherwise.", named("Arrow.uuid", None, I32, values=[1]),
     (field("b", I32, metadata=extension("geoarrow.point")), [2]))
for name in ("arrow.complex", "arrow.JSON", "arrow.uuid2"):
    mutant(RESERVED, name.replace(".", "-").lower(), f"The name {name}.",
           named("my.type", None, I32, values=[1]), renamed(name))
mutant(RESERVED, "arrow-alone", 'The name "arrow.".', named("my.type", None, I32, values=[1]), renamed("arrow."),
       also=["arrow-extension-name-prefixed"])
keep("arrow-extension-any-storage", "nested", "On a struct, and on the element of a list.",
     named("my.point", None, STRUCT, field("x", F64), field("y", F64), values=[(1.0, 2.0)]),
     (field("l", LIST, field("item", I8, metadata=extension("my.small"))), [[1]]))
keep("arrow-extension-on-dictionary", "json", "JSON texts with a dictionary.",
     named("arrow.json", None, UTF8, values=[0, 1, None], dictionary=0),
     kind=lambda *columns: base_of(*columns, dictionaries=[("a", ["[1]", "null"])]),
     keeps=["arrow-json-storage", "arrow-json-values-valid"])

# uuid, json, bool8 --------------------------------------------------------------------------------

keep("arrow-uuid-storage", "binary", "FixedSizeBinary(16), empty metadata.", UUID,
     keeps=["arrow-uuid-metadata-empty"])
keep("arrow-uuid-metadata-empty", "absent", "No metadata.", named("arrow.uuid", None, binary(16), values=[]))
broken("arrow-uuid-storage", "32-bytes", "FixedSizeBinary(32).", named("arrow.uuid", None, binary(32), values=[None]))
broken("arrow-uuid-storage", "texts", "Texts of 36 characters.",
       base=in_a_file(named("arrow.uuid", None, UTF8, values=["00010203-0405-0607-0809-0a0b0c0d0e0f"])))
broken("arrow-uuid-storage", "views", "Binary views.", named("arrow.uuid", None, BINARY_VIEW, values=[b"x"]))
mutant("arrow-uuid-metadata-empty", "object", 'The metadata "{}".', UUID, renamed(metadata="{}"))

TEXTS = ["[1, 2]", "null", '"x\\u00e9"', " 7 ", '{"a": [true, -0.5e+10], "b": {}}', None]
for type, word in ((UTF8, "utf8"), (LARGE_UTF8, "large-utf8"), (UTF8_VIEW, "utf8-view")):
    keep("arrow-json-values-valid", word, f"JSON texts of all kinds: {word}.",
         named("arrow.json", None, type, values=TEXTS), keeps=["arrow-json-storage", "arrow-json-metadata"])
    for slug, text in (("name", "{a: 1}"), ("nan", "NaN"), ("comma", "[1, 2,]"), ("empty", ""),
                       ("two", "{} {}"), ("mark", "\ufeff1"), ("zero", "01"), ("control", '"\t"'),
                       ("surrogate", '"\\ud80"')):
        if type is UTF8 or slug in ("nan", "comma"):
            broken("arrow-json-values-valid", f"{word}-{slug}", f"A value that is not JSON, {slug}: {word}.",
                   named("arrow.json", "{}", type, values=["1", text, text, None]))
broken("arrow-json-values-valid", "of-a-dictionary", "A value of a dictionary is not JSON.",
       base=base_of(named("arrow.json", None, UTF8, values=[0], dictionary=0),
                    dictionaries=[("a", ["[1]", "{]"])]))
keep("arrow-json-metadata", "object", "An empty object, with white space.",
     named("arrow.json", "{ }", UTF8, values=["1"]))
for slug, text in (("null", "null"), ("word", "json"), ("member", '{"charset": "utf-8"}')):
    mutant("arrow-json-metadata", slug, f"The metadata {text}.", named("arrow.json", "{}", UTF8, values=["1"]),
           renamed(metadata=text))
broken("arrow-json-storage", "binary", "Binary storage.", named("arrow.json", None, BINARY, values=[b"1"]))
broken("arrow-json-storage", "struct", "A struct.", named("arrow.json", None, STRUCT, field("x", I8), values=[(1,)]))
broken("arrow-utf8-values-valid", "json-that-is-no-text", "A JSON column with a value that is no text.",
       base=base_of(named("arrow.json", None, UTF8, values=[b"\xff"])))


@valid_since_later("arrow-json-values-valid", base=base_of(
    (field("s", STRUCT, named("arrow.json", None, UTF8)[0]), [("1",), ("2",), (None,)])))
def under_nulls(f):
    "What is under a null, or under a null struct, is not JSON."
    f.array("s").hide(0)
    f.array("s.a").data.content = b"?2"


@invalid_since_later("arrow-buffer-in-body", base=base_of(
    named("arrow.json", None, UTF8_VIEW, values=["[1]", '"a text that a view cannot hold"'])))
def data_of_json_texts(f):
    "The data buffer of JSON texts lies behind the body; the texts are not judged."
    f.array("a").buffers[2].offset = 1 << 20


BOOL8 = named("arrow.bool8", None, I8, values=[0, 1, None])
keep("arrow-bool8-storage", "int8", "0, 1 and null.", BOOL8,
     keeps=["arrow-bool8-metadata-empty", "arrow-bool8-true-is-one"])
for type, value, word in ((U8, 1, "uint8"), (BOOL, True, "bool"), (I16, 1, "int16")):
    broken("arrow-bool8-storage", word, f"Storage {word}.", named("arrow.bool8", None, type, values=[value]))
mutant("arrow-bool8-metadata-empty", "object", 'The metadata "{}".', BOOL8, renamed(metadata="{}"))
for slug, value in (("minus-1", -1), ("two", 2)):
    broken("arrow-bool8-true-is-one", slug, f"True as {value}.", named("arrow.bool8", None, I8, values=[0, 1, value]))
broken("arrow-bool8-true-is-one", "in-a-dictionary", "True as 2 in a dictionary, used.",
       base=base_of(named("arrow.bool8", None, I8, values=[0, 1], dictionary=0),
                    dictionaries=[("a", [1, 2])]))
keep("arrow-bool8-true-is-one", "unused-in-a-dictionary", "True as 2 in a dictionary, which no slot uses.",
     named("arrow.bool8", None, I8, values=[0, 2, None], dictionary=0),
     kind=lambda *columns: base_of(*columns, dictionaries=[("a", [1, 2, 0])]))
keep("arrow-bool8-any-nonzero", "minus-1", "True as -1.", named("arrow.bool8", None, I8, values=[-1]),
     informs={"arrow-bool8-true-is-one"})


@valid_since_later("arrow-bool8-true-is-one", base=base_of(BOOL8))
def under_a_null(f):
    "5 under a null."
    f.array("a").data.values[2] = 5


# opaque -------------------------------------------------------------------------------------------

NAMES = '{"type_name": "geometry", "vendor_name": "PostGIS"}'
OPAQUE = named("arrow.opaque", NAMES, BINARY, values=[b"x"])
keep("arrow-opaque-metadata-object", "both-names", "Both names.", OPAQUE, keeps=["arrow-opaque-names-present"])
keep("arrow-opaque-names-present", "escaped", "Escaped member names, more members, the last of two counts.",
     named("arrow.opaque", '{"type\\u005fname": 7, "type_name": "", "vendor_name": "x", "more": [1]}', NULL,
           values=[None]))
for slug, text in (("word", '"geometry"'), ("unquoted", "{type_name: 1}"), ("array", f"[{NAMES}]"),
                   ("comma", NAMES[:-1] + ",}"), ("mark", "\ufeff" + NAMES), ("twice", NAMES + NAMES),
                   ("empty", "")):
    mutant("arrow-opaque-metadata-object", slug, f"Metadata that are no object: {slug}.", OPAQUE,
           renamed(metadata=text))
broken("arrow-opaque-metadata-object", "absent", "No metadata.", named("arrow.opaque", None, BINARY, values=[b"x"]))
for slug, text in (("no-vendor", '{"type_name": "geometry"}'), ("number", '{"type_name": 7, "vendor_name": "x"}'),
                   ("other-case", '{"typeName": "geometry", "vendor_name": "x"}')):
    mutant("arrow-opaque-names-present", slug, f"A name is missing: {slug}.", OPAQUE, renamed(metadata=text))
for type, children, value, word in ((NULL, (), None, "null"), (STRUCT, (field("x", I8),), (1,), "struct")):
    keep("arrow-opaque-any-storage", word, f"On {word}.", named("arrow.opaque", NAMES, type, *children, values=[value]))

# Tensors ------------------------------------------------------------------------------------------

PRODUCT, OBJECT = "arrow-fixed-tensor-shape-product", "arrow-fixed-tensor-metadata-object"
DIMENSIONS, PERMUTATION = "arrow-tensor-dim-names", "arrow-tensor-permutation"


def fixed(size, metadata, type=None):
    return named("arrow.fixed_shape_tensor", metadata, type or lists_of(size), field("item", F32),
                 values=[[1.0] * size, None])


TENSOR = fixed(10, '{"shape": [2, 5]}')
keep("arrow-fixed-tensor-storage", "two-by-five", "Shape [2, 5].", TENSOR, keeps=[OBJECT, PRODUCT])
keep(PRODUCT, "zero", "Shape [0, 7] and lists of 0.", fixed(0, '{"shape": [0, 7]}'))
keep(PRODUCT, "no-dimension", "An empty shape and lists of 1.", fixed(1, '{"shape": []}'))
broken("arrow-fixed-tensor-storage", "list", "A list.", fixed(2, '{"shape": [2]}', LIST))
for slug, text in (("empty", ""), ("dims", '{"dims": [2, 5]}'), ("text", '{"shape": "2x5"}'),
                   ("fraction", '{"shape": [2.5, 4]}'), ("negative", '{"shape": [-2, -5]}'),
                   ("huge", '{"shape": [2, 99999999999999999999]}')):
    mutant(OBJECT, slug, f"The metadata {text}.", TENSOR, renamed(metadata=text))
mutant(PRODUCT, "twelve", "Shape [2, 6], lists of 10.", TENSOR, renamed(metadata='{"shape": [2, 6]}'))
mutant(PRODUCT, "wraps", "A shape whose product wraps in 32 and in 64 bits.", fixed(0, '{"shape": [0]}'),
       renamed(metadata='{"shape": [65536, 65536, 65536, 65536]}'))
keep(DIMENSIONS, "two", "Two names, equal ones.", fixed(10, '{"shape": [2, 5], "dim_names": ["x", "x"]}'))
for slug, text in (("one", '["x"]'), ("numbers", "[1, 2]"), ("null", "null")):
    mutant(DIMENSIONS, slug, f"dim_names {text}.", TENSOR,
           renamed(metadata='{"shape": [2, 5], "dim_names": %s}' % text))
CUBE = fixed(60, '{"shape": [3, 4, 5]}')
keep(PERMUTATION, "three", "A permutation of three.", fixed(60, '{"shape": [3, 4, 5], "permutation": [2, 0, 1]}'))
for slug, text in (("twice", "[0, 0, 1]"), ("from-one", "[1, 2, 3]"), ("two", "[0, 1]"), ("fraction", "[2.0, 0, 1]")):
    mutant(PERMUTATION, slug, f"permutation {text}.", CUBE,
           renamed(metadata='{"shape": [3, 4, 5], "permutation": %s}' % text))

V_STORAGE, V_OBJECT = "arrow-variable-tensor-storage", "arrow-variable-tensor-metadata-object"
UNIFORM, HOLDS = "arrow-variable-tensor-uniform-shape", "arrow-variable-tensor-uniform-holds"
FITS = "arrow-variable-tensor-data-fits-shape"


def variable(metadata, *rows, data=None, shape=None, more=()):
    n = len(rows[0][1]) if rows else 2
    return named("arrow.variable_shape_tensor", metadata, STRUCT, data or field("data", LIST, field("item", F32)),
                 shape or field("shape", lists_of(n), field("item", I32)), *more,
                 values=[row + (0,) * len(more) for row in rows])


SIX = ([1.0] * 6, [2, 3])
keep(V_STORAGE, "two-dimensions", "Shapes (2, 3), (0, 5) and (1, 1).", variable(None, SIX, ([], [0, 5]), ([2.0], [1, 1])),
     keeps=[V_OBJECT, FITS])
keep(V_OBJECT, "empty-object", "An empty object.", variable("{}", SIX))
keep(UNIFORM, "with-null", "uniform_shape with a null.", variable('{"uniform_shape": [2, null]}', SIX, ([1.0] * 2, [2, 1])),
     keeps=[HOLDS])
keep(DIMENSIONS, "variable", "Names and permutation of a variable tensor.",
     variable('{"dim_names": ["x", "y"], "permutation": [1, 0]}', SIX), keeps=[PERMUTATION])
broken(V_STORAGE, "int64", "Sizes of 64 bits.", variable(None, SIX, shape=field("shape", lists_of(2), field("item", I64))))
broken(V_STORAGE, "fixed-data", "Data as lists of fixed size.", variable(None, SIX, data=field("data", lists_of(6), field("item", F32))))
broken(V_STORAGE, "third", "A third child.", variable(None, SIX, more=[field("more", I8)]))
broken(V_STORAGE, "large", "Data as a large list.", variable(None, SIX, data=field("data", LARGE_LIST, field("item", F32))))
broken(V_STORAGE, "other-name", "Data under another name.", variable(None, SIX, data=field("values", LIST, field("item", F32))))
for slug, text in (("array", "[]"), ("null", "null"), ("unquoted", "{uniform_shape: []}")):
    mutant(V_OBJECT, slug, f"The metadata {text}.", variable("{}", SIX), renamed(metadata=text))
for slug, text in (("one", "[2]"), ("star", '[2, "*"]'), ("negative", "[-1, null]"), ("large", "[2147483648, null]")):
    mutant(UNIFORM, slug, f"uniform_shape {text}.", variable("{}", SIX), renamed(metadata='{"uniform_shape": %s}' % text))
mutant(DIMENSIONS, "variable-one", "One name for two dimensions.", variable("{}", SIX), renamed(metadata='{"dim_names": ["x"]}'))
mutant(PERMUTATION, "variable-twice", "A permutation with a number twice.", variable("{}", SIX), renamed(metadata='{"permutation": [1, 1]}'))
broken(HOLDS, "other-size", "The second tensor has another size than uniform_shape.",
       variable('{"uniform_shape": [2, null]}', SIX, ([1.0] * 6, [3, 2]), ([1.0] * 4, [4, 1])))
broken(FITS, "one-less", "Shape (2, 3), 5 elements.", variable(None, SIX, ([1.0] * 5, [2, 3])))
broken(FITS, "negative", "Shape (-2, -3), 6 elements.", variable(None, ([1.0] * 6, [-2, -3])))
broken(FITS, "wraps", "A shape whose product wraps to 0.",
       variable(None, ([], [65536] * 4)))


@valid_since_later(FITS, base=base_of(variable(None, SIX, ([1.0], [1, 1]), ([1.0], [1, 1]), ([1.0], [1, 1]))))
def nulls(f):
    "Null tensors, null data, a null shape and a null size are not compared."
    f.array("a.shape.item").data.values[2:] = [7, 7, 7, 7, 7, 7]
    f.array("a").hide(1)
    f.array("a.data").hide(2)
    f.array("a.shape.item").hide(7)


def variable_encoded(metadata, rows, *keys):
    """A stream of dictionary-encoded tensors."""
    column, _ = variable(metadata, *rows)
    column.dictionary = encoding(0)
    return base_of((column, list(keys)), dictionaries=[("a", list(rows))])


FIVE = ([1.0] * 5, [2, 3])
OTHER = ([1.0] * 6, [3, 2])
broken(FITS, "in-a-dictionary", "Shape (2, 3), 5 elements, in a dictionary, used twice.",
       base=variable_encoded(None, [SIX, FIVE], 0, 1, 1))
valid_since_later(FITS, "unused-in-a-dictionary", "Shape (2, 3), 5 elements, in a dictionary, which no slot uses.",
                  base=variable_encoded(None, [SIX, FIVE, SIX], 0, 2, None))(lambda f: None)
broken(HOLDS, "in-a-dictionary", "A tensor of another size than uniform_shape in a dictionary, used.",
       base=variable_encoded('{"uniform_shape": [2, null]}', [OTHER, SIX], 0, 1))
valid_since_later(HOLDS, "unused-in-a-dictionary", "A tensor of another size than uniform_shape in a dictionary, not used.",
                  base=variable_encoded('{"uniform_shape": [2, null]}', [OTHER, SIX], 1, None))(lambda f: None)
keep(FITS, "encoded-data", "The data of tensors are dictionary-encoded, which is not followed.",
     variable(None, (0, [2, 3]), data=field("data", LIST, field("item", F32), dictionary=0)),
     kind=lambda *columns: base_of(*columns, dictionaries=[("a.data", [[1.0] * 6])]), outcome="unchecked", unchecked=[FITS])


# Variants -----------------------------------------------------------------------------------------

V_STRUCT, V_META = "arrow-variant-storage-struct", "arrow-variant-metadata-field"
V_EITHER, V_VALUE, V_TYPED = ("arrow-variant-value-or-typed-value", "arrow-variant-value-binary",
                              "arrow-variant-typed-value-type")
V_LIST, V_OBJECTS = "arrow-variant-list-elements", "arrow-variant-object-fields"
META = field("metadata", BINARY, nullable=False)
VALUE = field("value", BINARY)


def part(name, *children, nullable=False):
    return field(name, STRUCT, *children, nullable=nullable)


def variant(*children, metadata=None):
    return named("arrow.parquet.variant", metadata, STRUCT, *children)


def typed(type, *children, metadata=None):
    return field("typed_value", type, *children, metadata=metadata)


SHREDDED = variant(META, typed(STRUCT, part("event", VALUE, typed(UTF8)), part("list", typed(
    LIST, part("element", VALUE, typed(I64))))))
keep(V_STRUCT, "value", "Metadata and value.", variant(META, VALUE), keeps=[V_META, V_EITHER, V_VALUE,
     "arrow-variant-metadata-key-empty"])
keep(V_TYPED, "shredded", "A shredded object with a text and a list.", SHREDDED, keeps=[V_LIST, V_OBJECTS, V_EITHER])
keep("arrow-variant-field-order-any", "value-first", "The value before the metadata, encoded metadata.",
     variant(VALUE, field("metadata", BINARY, nullable=False, dictionary=0)),
     kind=lambda *columns: base_of(*columns, dictionaries=[(field("", BINARY, dictionary=0), [b""])]))
keep(V_META, "runs", "Metadata in runs of views.", variant(VALUE, runs_of("metadata", BINARY_VIEW, nullable=False)))
for slug, type, options in (("int64", I64, {}), ("decimal", decimal(9, 2, 32), {}), ("time", time(MICRO, 64), {}),
                            ("timestamp", timestamp(NANO, "UTC"), {}),
                            ("uuid", binary(16), {"metadata": extension("arrow.uuid")}), ("null", NULL, {})):
    keep(V_TYPED, slug, f"typed_value: {slug}.", variant(META, typed(type, **options)))
broken(V_STRUCT, "binary", "A variant of bytes.", named("arrow.parquet.variant", None, BINARY, values=[b""]))
broken(V_META, "none", "No metadata.", variant(VALUE))
broken(V_META, "nullable", "The metadata are nullable.", variant(field("metadata", BINARY), VALUE))
broken(V_META, "texts", "The metadata are texts.", variant(field("metadata", UTF8, nullable=False), VALUE))
broken(V_META, "capital", "The metadata are named Metadata.", variant(field("Metadata", BINARY, nullable=False), VALUE))
broken(V_META, "two", "Two fields metadata.", variant(META, META, VALUE))
broken(V_EITHER, "metadata-only", "Neither value nor typed_value.", variant(META))
broken(V_EITHER, "empty-part", "A shredded field of an empty struct.", variant(META, typed(STRUCT, part("event"))))
broken(V_VALUE, "texts", "The value is a text.", variant(META, field("value", UTF8)))
broken(V_VALUE, "second", "A second value, which is a text.", variant(META, VALUE, field("value", UTF8)))
broken(V_VALUE, "inside", "The value of a shredded field is a struct.", variant(META, typed(
    STRUCT, part("event", part("value", field("x", I8))))))
for slug, type in (("uint64", U64), ("float16", F16), ("decimal256", decimal(9, 2, 256)), ("duration", duration(MILLI)),
                   ("timestamp-ms", timestamp(MILLI, "UTC")), ("time32", time(MILLI, 32)), ("binary16", binary(16)),
                   ("zone", timestamp(MICRO, "Europe/Paris")), ("date-ms", DAY_MS)):
    broken(V_TYPED, slug, f"typed_value: {slug}.", variant(META, typed(type)))
broken(V_TYPED, "large-list-view", "typed_value: a large list view.", variant(META, typed(LARGE_LIST_VIEW, part("item", VALUE))))
broken(V_LIST, "numbers", "Elements that are numbers.", variant(META, typed(LIST, field("item", I64, nullable=False))))
broken(V_LIST, "nullable", "Elements that are nullable.", variant(META, typed(LIST_VIEW, part("item", VALUE, nullable=True))))
broken(V_OBJECTS, "text", "A field that is a text.", variant(META, typed(STRUCT, field("event", UTF8, nullable=False))))
broken(V_OBJECTS, "nullable", "A field that is nullable.", variant(META, typed(STRUCT, part("event", VALUE, nullable=True))))
mutant("arrow-variant-metadata-key-empty", "object", 'The metadata "{}".', variant(META, VALUE), renamed(metadata="{}"))

# Timestamps ---------------------------------------------------------------------------------------

T_STORAGE, MINUTES = "arrow-timestamp-offset-storage", "arrow-timestamp-offset-range"


def zoned(*minutes, zone="UTC", type=I16, nullable=False, offset=None, names=("timestamp", "offset_minutes"),
          metadata=None):
    return named("arrow.timestamp_with_offset", metadata, STRUCT,
                 field(names[0], timestamp(MICRO, zone), nullable=nullable),
                 offset or field(names[1], type, nullable=False), values=[(0, each) for each in minutes])


keep(T_STORAGE, "ends", "-779, 0 and 780 minutes.", zoned(-779, 0, 780),
     keeps=["arrow-timestamp-offset-metadata-empty", MINUTES])
broken(T_STORAGE, "plus-zero", "The timezone +00:00.", zoned(0, zone="+00:00"))
broken(T_STORAGE, "int32", "Offsets of 32 bits.", zoned(0, type=I32))
broken(T_STORAGE, "names", "The names are exchanged.", zoned(0, names=("offset_minutes", "timestamp")))
broken(T_STORAGE, "nullable", "The timestamp is nullable.", zoned(0, nullable=True))
broken(T_STORAGE, "no-zone", "No timezone.", zoned(0, zone=None))
mutant("arrow-timestamp-offset-metadata-empty", "object", 'The metadata "{}".', zoned(0), renamed(metadata="{}"))
broken(MINUTES, "minus-780", "-780 minutes.", zoned(0, -780))
broken(MINUTES, "fourteen-hours", "840 minutes.", zoned(840, 0))
broken(MINUTES, "in-runs", "A run of 900 minutes.", zoned(0, 900, 900, offset=runs_of("offset_minutes", I16, nullable=False)))


def encoded(column, type, *values):
    """A stream of this column, with its dictionary."""
    return base_of(column, dictionaries=[(field("", type, dictionary=0), list(values))])


ENCODED = field("offset_minutes", I16, nullable=False, dictionary=0)
broken(MINUTES, "in-a-dictionary", "900 minutes in a dictionary, used twice.",
       base=encoded(zoned(0, 1, 1, offset=ENCODED), I16, 60, 900))
valid_since_later(MINUTES, "unused-in-a-dictionary", "900 minutes in a dictionary, which no slot uses.",
                  base=encoded(zoned(0, 0, 2, offset=ENCODED), I16, 60, 900, -779))(lambda f: None)


@valid_since_later(MINUTES, base=encoded(zoned(0, 1, 0, offset=ENCODED), I16, 60, 900))
def used_under_a_null(f):
    "900 minutes in a dictionary, used only under a null struct."
    f.array("a").hide(1)


keep("arrow-timestamp-offset-encoded", "runs", "Offsets in two runs.",
     zoned(60, 60, 120, offset=runs_of("offset_minutes", I16, nullable=False)), keeps=[T_STORAGE, MINUTES])


@valid_since_later(MINUTES, base=base_of(zoned(0, 60, 120, offset=runs_of("offset_minutes", I16, nullable=False))),
                   informs={"arrow-run-ends-not-beyond-length"})
def not_shown(f):
    "Minutes under a null struct and behind the last slot are not looked at."
    f.array("a").hide(1)
    f.array("a.offset_minutes.run_ends").data.values.append(9)
    f.array("a.offset_minutes.run_ends").length = 4
    below = f.array("a.offset_minutes.values")
    below.data.values, below.length = [0, 5000, 120, 5000], 4
