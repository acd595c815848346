"""HEP001 8.7, categorical columns."""

from generators.hep001 import *


def categorical_table(at="/events", file=None):
    """A small table with a categorical column `particle` of three labels."""
    t = small_table(at, file)
    t.add_column("particle", I8, [0, 2, INT8_FILL, 1, 2], fill=INT8_FILL)
    t.categorise("particle", ["muon", "pion", "kaon"])
    return t


def labels_of(t):
    return t.column("particle").categories


def rename_labels(t, name):
    t.categories.rename("particle__CATEGORIES", name)


# The CATEGORIES group

@valid("categories-is-group", keeps=["categories-group-no-required-attributes"])
def empty(t):
    "An empty group CATEGORIES without attributes."
    t.add("CATEGORIES", Group())


@invalid("categories-is-group")
def soft_link(t):
    "CATEGORIES is a soft link to a group outside the table."
    t.file.put("/labels", Group())
    t.add("CATEGORIES", SoftLink("/labels"))


@invalid("categories-is-group")
def external_link(t):
    "CATEGORIES is an external link."
    t.add("CATEGORIES", ExternalLink("other.h5", "/labels"))


@invalid("categories-is-group")
def named_datatype(t):
    "CATEGORIES is a committed datatype."
    t.add("CATEGORIES", NamedDatatype(U8))


@valid("categories-holds-all", base=categorical_table, keeps=["categories-only-datasets"])
def two_datasets_inside(t):
    "Two categories datasets, both in CATEGORIES; one is also linked from outside."
    t.add_column("charge", U8, [0, 1, 1, 0, 1], fill=UINT8_FILL)
    labels = t.categorise("charge", ["minus", "plus"])
    t.file.put("/shared/charges", HardLink(labels))


@invalid("categories-holds-all")
def beside_the_table(t):
    "A column refers to a categories dataset next to the table group."
    labels = t.file.put("/labels", Dataset(string(4), ["muon", "pion"]))
    t.add_column("particle", I8, [0, 1, 1, 0, 1], fill=INT8_FILL)
    t.column("particle").attrs["CATEGORIES"] = ref(labels)


FOREIGN = {"subgroup": ("A group lies", Group),
           "named-datatype": ("A committed datatype lies", lambda: NamedDatatype(U8)),
           "soft-link": ("A soft link lies", lambda: SoftLink("/events/id")),
           "external-link": ("An external link lies", lambda: ExternalLink("other.h5", "/labels"))}
for slug, (shows, make) in FOREIGN.items():
    @invalid("categories-only-datasets", slug, f"{shows} in CATEGORIES.", base=categorical_table,
             ambiguity="external-links-inside" if slug == "external-link" else None)
    def foreign(t, make=make):
        t.categories.add("other", make())


@valid("categories-group-no-required-attributes", base=categorical_table)
def user_attribute(t):
    "The group CATEGORIES has a user attribute."
    t.categories.attrs["note"] = vlen_text("label sets")


@valid("categories-any-name", base=categorical_table, keeps=["categories-not-in-column-order"])
def name_of_another_column(t):
    "The labels of `particle` are named `energy`, like another column."
    rename_labels(t, "energy")


@valid("categories-any-name", base=categorical_table)
def misleading_names(t):
    "The labels of two columns have each other's name, with `__` in it."
    t.add_column("charge", U8, [0, 1, 1, 0, 1], fill=UINT8_FILL)
    t.categorise("charge", ["minus", "plus"])
    rename_labels(t, "spare")
    t.categories.rename("charge__CATEGORIES", "particle__CATEGORIES")
    t.categories.rename("spare", "charge__CATEGORIES")


# The column

@valid("categorical-integer")
def odd_integers(t):
    "Codes are big-endian uint64 in one column, 24-bit integers in another."
    t.add_column("wide", U64BE, [0, 1, UINT64_FILL, 1, 2], fill=UINT64_FILL)
    t.categorise("wide", ["a", "b", "c"])
    t.add_column("odd", odd_width(I32, 24), [2, 1, -1, 1, 0], fill=-1)
    t.categorise("odd", t.column("wide").categories)


@valid("categorical-integer", keeps=["code-in-range", "fill-not-a-valid-code"])
def wide_integers(t):
    "Codes are int128, big-endian uint128, and integers of 1000 bytes."
    for name, type_id, fill in (("wide", I128, -1), ("unsigned", wide(U64BE, 16), 2**64),
                                ("long", wide(I64, 1000), -2**7999)):
        t.add_column(name, type_id, [0, 1, fill, 1, 2], fill=fill)
        t.categorise(name, ["a", "b", "c"])


def codes(slug, shows, type_id, values, fill, **options):
    @invalid("categorical-integer", slug, shows, **options)
    def mutate(t):
        t.add_column("particle", type_id, values, fill=fill)
        t.categorise("particle", ["muon", "pion", "kaon"])


codes("float", "A float32 column carries CATEGORIES.", F32, [0, 1, 2, 1, 0], FLOAT_FILL)
codes("enum", "An enum column carries CATEGORIES.", enum({"A": 0, "B": 1, "C": 2, "MISSING": -1}),
      [0, 1, 2, 1, -1], -1, ambiguity="enum-as-categorical")
codes("string", "A string column carries CATEGORIES.", string(4),
      ["muon", "pion", "kaon", "pion", ""], "")


@valid("categories-attr-scalar", base=categorical_table)
def scalar(t):
    "CATEGORIES is scalar, and its labels stand under another name outside the table too."
    t.file.put("/shared/labels", HardLink(labels_of(t)))
    t.column("particle").attrs["CATEGORIES"] = ref(Reference("/shared/labels"))


def shaped_reference(count):
    @invalid("categories-attr-scalar", f"shape-{count}", f"CATEGORIES has the shape ({count}).",
             base=categorical_table)
    def mutate(t):
        t.column("particle").attrs["CATEGORIES"] = ref(labels_of(t)).shaped(count)


@invalid("categories-attr-scalar", base=categorical_table)
def null_dataspace(t):
    "CATEGORIES is stored with a null dataspace."
    t.column("particle").attrs["CATEGORIES"] = ref(NULL).without_value()


@invalid("categories-attr-scalar", base=categorical_table)
def no_elements(t):
    "CATEGORIES is an empty array."
    t.column("particle").attrs["CATEGORIES"] = refs([])


shaped_reference(1)
shaped_reference(2)


@valid("categories-directly-under", base=categorical_table)
def linked_from_a_deep_group(t):
    "The labels lie directly in CATEGORIES, and in a deep group outside the table as well."
    t.file.put("/CATEGORIES/deep/labels", HardLink(labels_of(t)))


@invalid("categories-directly-under", fails={"categories-directly-under",
                                             "categories-only-datasets"})
def in_a_subgroup(t):
    "The labels lie in a group `deep` in CATEGORIES."
    t.add_column("particle", I8, [0, 1, 1, 0, 1], fill=INT8_FILL)
    labels = t.categories.add("deep", Group()).add("labels", Dataset(string(4), ["muon", "pion"]))
    t.column("particle").attrs["CATEGORIES"] = ref(labels)


@invalid("categories-directly-under", fails={"categories-directly-under",
                                             "categories-only-datasets"})
def shared_in_a_subgroup(t):
    "Two columns share labels that lie in a group `deep` in CATEGORIES."
    labels = t.categories.add("deep", Group()).add("labels", Dataset(string(4), ["muon", "pion"]))
    for name in ("particle", "parent"):
        t.add_column(name, I8, [0, 1, 1, 0, 1], fill=INT8_FILL)
        t.column(name).attrs["CATEGORIES"] = ref(labels)


# The labels

@valid("categories-rank-1", base=categorical_table)
def one_label(t):
    "A categories dataset of one label."
    labels_of(t).values = ["muon"]
    t.column("particle").values = [0, 0, INT8_FILL, 0, 0]


@valid("categories-rank-1", base=categorical_table)
def no_labels(t):
    "A categories dataset of no labels; every row is missing."
    labels_of(t).values = []
    t.column("particle").values = [INT8_FILL] * 5


@invalid("categories-rank-1", "scalar", base=categorical_table)
def scalar_labels(t):
    "The categories dataset is scalar."
    labels_of(t).values, labels_of(t).shape = "muon", ()
    t.column("particle").values = [0, 0, INT8_FILL, 0, 0]


@invalid("categories-rank-1", base=categorical_table)
def two_dimensional(t):
    "The categories dataset has the shape (3, 1)."
    labels_of(t).shape = (3, 1)


@invalid("categories-rank-1", base=categorical_table)
def null_dataspace(t):
    "The categories dataset has a null dataspace."
    labels_of(t).values, labels_of(t).shape = None, NULL_SPACE


@valid("categories-any-datatype")
def labels_of_many_datatypes(t):
    "Labels: int64, float64 big-endian, variable-length strings, compounds, opaque, with no fill."
    point = compound({"x": I32, "y": I32})
    for name, type_id, labels in (
            ("year", I64, [2024, 2025, 2026]), ("mass", F64BE, [0.5, NAN, 938.3]),
            ("name", string(None), ["muon", "d\u00e9j\u00e0", ""]),
            ("cell", point, [(0, 1), (1, 0), (1, 1)]), ("key", opaque(1), [b"a", b"b", b"c"])):
        t.add_column(name, U8, [0, 1, 2, 1, UINT8_FILL], fill=UINT8_FILL)
        t.categorise(name, Dataset(type_id, labels))


@valid("categories-shared", keeps=["categories-referenced"])
def two_widths(t):
    "An int8 and a big-endian uint32 column share one categories dataset."
    t.add_column("first", I8, [0, 1, 2, INT8_FILL, 1], fill=INT8_FILL)
    t.add_column("second", U32BE, [2, 2, UINT32_FILL, 1, 0], fill=UINT32_FILL)
    t.categorise("second", t.categorise("first", ["low", "middle", "high"]))


@valid("ordered-optional", base=categorical_table)
def without_ordered(t):
    "The categories dataset has no attribute `ordered`."
    del labels_of(t).attrs["ordered"]


@valid("ordered-scalar", base=categorical_table)
def true(t):
    "`ordered` of the categories dataset is TRUE."
    labels_of(t).attrs["ordered"] = boolean(True)


@invalid("ordered-scalar", base=categorical_table)
def shape_1(t):
    "`ordered` of the categories dataset has the shape (1)."
    labels_of(t).attrs["ordered"] = boolean(True).shaped(1)


@invalid("ordered-scalar", slug="null-dataspace", base=categorical_table)
def ordered_without_value(t):
    "`ordered` of the categories dataset is stored with a null dataspace."
    labels_of(t).attrs["ordered"] = boolean(True).without_value()


# The codes

@valid("code-in-range", base=good_table)
def first_and_last(t):
    "Codes 0 and K-1 and the fill value; in the reserved tail lie codes out of range."
    t.column("label").values[:10] = [0, 2, 0, 2, INT8_FILL, 0, 0, 2, 0, 2]


@valid("code-in-range", base=categorical_table, ambiguity="duplicate-labels")
def duplicate_and_unused_labels(t):
    "A label occurs twice in the categories dataset, another is not used by any row."
    labels_of(t).values = ["muon", "muon", "kaon", "rho"]


def code(slug, shows, value, type_id=None, fill=None, **options):
    @invalid("code-in-range", slug, shows, base=categorical_table, **options)
    def mutate(t):
        particle = t.column("particle")
        if type_id:
            particle.type, particle.fill, particle.values = type_id, fill, [0, 1, 2, fill, 0]
        particle.values[4] = value


code("int128", "There are 3 labels, and a row of an int128 column has the code 7.", 7, I128, -1)
code("int128-upper-half", "A row of a big-endian int128 column has the code 2^64 + 1.", 2**64 + 1,
     I128BE, -1)
code("int72-negative", "A row of integers of 9 bytes has the code -2^70.", -2**70, wide(I64, 9), -1)
code("k", "There are 3 labels, and a row has the code 3.", 3)
code("minus-one", "A row has the code -1, the fill value is -127.", -1,
     ambiguity="definitions-bind")


@invalid("code-in-range", base=categorical_table)
def labels_of_another_column(t):
    "A row has the code 3, which is one only among the labels of another column."
    t.column("particle").values[0] = 3
    t.add_column("charge", U8, [0, 1, 2, 3, 4], fill=UINT8_FILL)
    t.categorise("charge", ["--", "-", "0", "+", "++"])


@invalid("code-in-range", base=good_table)
def in_an_lzf_chunk(t):
    "A row has the code 3; the column is compressed with LZF."
    t.column("label").type, t.column("label").lzf, t.column("label").chunk = I64, True, 16
    t.remove_index(t.index("label", "BITMAP"))
    t.column("label").values[9] = 3


@invalid("code-in-range", base=categorical_table)
def unsigned_above_the_sign_bit(t):
    "A row of a uint64 column has the code 2^63."
    t.column("particle").type, t.column("particle").fill = U64, UINT64_FILL
    t.column("particle").values = [0, 1, 2, 2**63, UINT64_FILL]


# column-order

@invalid("categories-not-in-column-order", base=categorical_table, ambiguity="dataset-in-two-roles")
def column_as_well(t):
    "One dataset hangs in the table group as a column, and in CATEGORIES as labels of another one."
    labels = t.add_column("code", I16, [5, 6, 7, 8, 9], fill=INT16_FILL)
    t.categories.remove("particle__CATEGORIES")
    t.categories.add("codes", HardLink(labels))
    t.column("particle").categories = labels


@invalid("categories-not-in-column-order", base=categorical_table)
def bare_name(t):
    "column-order lists the categories dataset by name."
    t.attrs["column-order"] = text([*t.columns(), "particle__CATEGORIES"])


@invalid("categories-not-in-column-order", base=categorical_table)
def path(t):
    "column-order lists the categories dataset as CATEGORIES/particle__CATEGORIES."
    t.attrs["column-order"] = text([*t.columns(), "CATEGORIES/particle__CATEGORIES"])
