"""HEP001 13, reserved names."""

from generators.hep001 import *


# 13.1 Names of HEP001 are in upper case

@valid("names-uppercase")
def no_reserved_name(t):
    "User attributes whose names only contain reserved names: title_long, my_kind, KINDS."
    t.attrs["title_long"] = text("A longer title.")
    t.column("id").attrs["my_kind"] = text("counter")
    t.column("id").attrs["KINDS"] = uint8(3)


@invalid("names-uppercase", ambiguity="lower-case-variants")
def index_columns(t):
    "The table group has an attribute `index_columns`."
    t.attrs["index_columns"] = refs([t.column("id")])


@invalid("names-uppercase", ambiguity="lower-case-variants")
def search_index_list(t):
    "A column has an attribute `Search_Index_List`."
    t.column("id").attrs["Search_Index_List"] = refs([])


@invalid("names-uppercase", ambiguity="lower-case-variants")
def categories(t):
    "A column has an attribute `categories`, a reference to labels outside the table."
    labels = t.file.put("/labels", Dataset(string(6), ["signal", "noise"]))
    t.column("id").attrs["categories"] = ref(labels)


def renamed_index(clause, slug, name, register=invalid, **options):
    @register(clause, slug, f"A search-index dataset is named {name}.", base=good_table, **options)
    def mutate(t):
        t.search_indexes.rename("ts__chunk_minmax", name)


renamed_index("reserved-search-index-name", "kind", "KIND", ambiguity="any-name-but-reserved")
renamed_index("reserved-search-index-name", "nrows", "NROWS", ambiguity="any-name-but-reserved")
renamed_index("reserved-search-index-name", "bitmap", "BITMAP", ambiguity="kind-tokens-as-names",
              warns={"reserved-search-index-name"})
renamed_index("reserved-search-index-name", "lower-case", "bitmap", register=valid)


@valid("reserved-attribute-misuse")
def outside_the_table(t):
    "CLASS, VERSION and TITLE on an image and on a group outside the table."
    image = t.file.put("/images/first", Dataset(U8, [0] * 4, (2, 2)))
    image.attrs.update(CLASS=ascii_text("IMAGE"), VERSION=ascii_text("1.2"))
    t.file.root.children["images"].attrs["TITLE"] = text("Images")


def misuse(slug, shows, owner, name, make, **options):
    @invalid("reserved-attribute-misuse", slug, shows, base=good_table, **options)
    def mutate(t):
        owner(t).attrs[name] = make(t)


misuse("dimension-scale", 'A column is a dimension scale: CLASS = "DIMENSION_SCALE".',
       lambda t: t.column("ts"), "CLASS", lambda t: ascii_text("DIMENSION_SCALE"),
       ambiguity="dimension-scale-columns")
misuse("title-on-column", "A column carries TITLE.",
       lambda t: t.column("ts"), "TITLE", lambda t: text("Time"))
misuse("nrows-on-column", "A column carries NROWS.",
       lambda t: t.column("ts"), "NROWS", lambda t: uint64(10))
misuse("values-on-sorted-rows", "A SORTED_ROWS dataset carries VALUES.",
       lambda t: t.index("ts", "SORTED_ROWS"), "VALUES",
       lambda t: ref(t.index("label", "BITMAP").indexed))
misuse("kind-on-categories", "A categories dataset carries KIND.",
       lambda t: t.column("label").categories, "KIND", lambda t: ascii_text("BITMAP"),
       ambiguity="kind-on-categories")
misuse("valid-min-on-categories", "A categories dataset carries valid_min.",
       lambda t: t.column("label").categories, "valid_min", lambda t: text("noise"))
misuse("categories-on-table", "The table group carries an attribute CATEGORIES.",
       lambda t: t, "CATEGORIES", lambda t: ref(t.column("label").categories))
for place, owner in (("column", lambda t: t.column("ts")), ("table", lambda t: t),
                     ("index", lambda t: t.index("ts", "SORTED_ROWS")),
                     ("categories", lambda t: t.column("label").categories)):
    misuse(f"chunk-bloom-on-{place}", f"A user's attribute on a {place} is named CHUNK_BLOOM.",
           owner, "CHUNK_BLOOM", lambda t: text("yes"), fails=set(),
           warns={"reserved-attribute-misuse"}, ambiguity="kind-tokens-as-names")
misuse("version-on-search-indexes", "The group SEARCH_INDEXES carries VERSION.",
       lambda t: t.search_indexes, "VERSION", lambda t: ascii_text("1.0"))


@valid("reserved-link-name-elsewhere", base=good_table)
def lower_case(t):
    "The values dataset is named `values`, the categories dataset `categories`."
    t.search_indexes.rename("label__values", "values")
    t.categories.rename("label__CATEGORIES", "categories")


@invalid("reserved-link-name-elsewhere", base=good_table, ambiguity="any-name-but-reserved")
def values_named_values(t):
    "The values dataset of a BITMAP is named VALUES."
    t.search_indexes.rename("label__values", "VALUES")


@invalid("reserved-link-name-elsewhere", base=good_table, ambiguity="any-name-but-reserved")
def categories_named_categories(t):
    "A categories dataset is named CATEGORIES."
    t.categories.rename("label__CATEGORIES", "CATEGORIES")


@valid("user-attributes-permitted", base=good_table)
def on_every_object(t):
    "User attributes of several datatypes on the table, its columns, groups and indexes."
    t.attrs["history"] = vlen_text("made by hand")
    t.attrs["ANALYSIS"] = attribute(compound({"a": I32, "b": F64}), (1, 2.5))
    t.column("ts").attrs.update(long_name=vlen_text("time stamp"), _FillValue=int64(INT64_FILL),
                                standard_name=text("time"), scale=float64([1.0, 2.0]))
    t.categories.attrs["note"] = uint8(1)
    t.search_indexes.attrs["note"] = boolean(True)
    t.index("ts", "SORTED_ROWS").attrs["Builder"] = text("quick")
    t.column("label").categories.attrs["language"] = text("en")


@valid("descriptive-attributes-lowercase", base=good_table)
def all_in_lower_case(t):
    "units, units_vocabulary, description, valid_min and valid_max, in lower case."
    t.column("ts").attrs.update(units_vocabulary=text("UDUNITS-2"), valid_min=int64(-1000),
                                valid_max=int64(1000))


def descriptive(slug, owner, name, value):
    @invalid("descriptive-attributes-lowercase", slug, f"{owner[0]} has an attribute `{name}`.",
             ambiguity="lower-case-variants")
    def mutate(t):
        owner[1](t).attrs[name] = value


COLUMN = ("A column", lambda t: t.column("id"))
descriptive("units", COLUMN, "Units", text("1"))
descriptive("valid-min", COLUMN, "VALID_MIN", uint32(0))
descriptive("description", ("The table group", lambda t: t), "Description", text("Events."))


def private(slug, column, kind, name, present):
    """An attribute of an index family in upper case: the attribute itself is then absent."""
    @invalid("private-attributes-lowercase", slug, f"{kind} has `{name.upper()}` for `{name}`.",
             base=good_table, fails={present}, alias=present)
    def mutate(t):
        attrs = t.index(column, kind).attrs
        attrs[name.upper()] = attrs.pop(name)


private("m-bits", "name", "CHUNK_BLOOM", "m_bits", "bloom-m-bits-present")
private("seed", "name", "CHUNK_BLOOM", "seed", "bloom-seed-present")
private("nan-tail-length", "ts", "SORTED_ROWS", "nan_tail_length", "sorted-nan-tail-length-present")


@valid("private-attributes-lowercase", base=good_table, keeps=["kind-values-uppercase"])
def as_listed(t):
    "Every family's own attributes in lower case, every KIND in upper case."


@invalid("kind-values-uppercase", base=good_table, fails={"kind-value"}, alias="kind-value")
def chunk_minmax(t):
    "KIND of an index is `Chunk_Minmax`."
    t.index("ts", "CHUNK_MINMAX").attrs["KIND"] = ascii_text("Chunk_Minmax")


# 13.1 and 13.3: names of Anndata

@valid("borrowed-names-exact", base=good_table)
def exact(t):
    "column-order, _index, encoding-type, encoding-version and ordered, spelled as Anndata does."
    t.attrs["encoding-type"] = text("dataframe")
    t.attrs["encoding-version"] = text("0.2.0")


def misspelt(slug, name, value, **severity):
    @invalid("borrowed-names-exact", slug, f"The table group has an attribute `{name}`.",
             ambiguity="lower-case-variants", **severity)
    def mutate(t):
        t.remove("energy")  # with one column nothing recommends column-order
        del t.attrs["column-order"]
        t.attrs[name] = value


misspelt("column-order-underscore", "column_order", text(["id"]), fails={"borrowed-names-exact"})
misspelt("column-order-capitals", "Column-Order", text(["id"]))
misspelt("encoding-type-underscore", "encoding_type", text("dataframe"))
misspelt("index-capital", "_Index", text("id"))


@invalid("borrowed-names-exact", base=good_table, fails={"borrowed-names-exact"},
         ambiguity="lower-case-variants")
def ordered_capitalised(t):
    "A categories dataset has an attribute `Ordered`."
    attrs = t.column("label").categories.attrs
    attrs["Ordered"] = attrs.pop("ordered")


@valid("attribute-names-not-repurposed")
def encoding_of_a_column(t):
    "A column has encoding-type and encoding-version, as Anndata's own columns do."
    t.column("id").attrs["encoding-type"] = text("array")
    t.column("id").attrs["encoding-version"] = text("0.2.0")


def repurposed(slug, shows, owner, name, value, **options):
    @invalid("attribute-names-not-repurposed", slug, shows, base=good_table, **options)
    def mutate(t):
        owner(t).attrs[name] = value


WRONG_OBJECT = {"fails": {"attribute-names-not-repurposed"}}
repurposed("ordered-on-column", "A column has an attribute `ordered`.",
           lambda t: t.column("ts"), "ordered", boolean(True), **WRONG_OBJECT)
repurposed("column-order-on-column", "A column has an attribute `column-order`.",
           lambda t: t.column("ts"), "column-order", text(["ts"]), **WRONG_OBJECT)
repurposed("index-on-categories", "The group CATEGORIES has an attribute `_index`.",
           lambda t: t.categories, "_index", text("label__CATEGORIES"), **WRONG_OBJECT)
repurposed("encoding-version-number", "encoding-version of a column is a number.",
           lambda t: t.column("ts"), "encoding-version", float64(0.2),
           ambiguity="anndata-meaning")


@valid("string-values-not-repurposed")
def dataframe_on_the_table(t):
    'encoding-type of the table group is "dataframe".'
    t.attrs["encoding-type"] = text("dataframe")


@invalid("string-values-not-repurposed", ambiguity="anndata-meaning")
def categorical_table(t):
    'encoding-type of the table group is "categorical".'
    t.attrs["encoding-type"] = text("categorical")


@invalid("string-values-not-repurposed", ambiguity="anndata-meaning")
def dataframe_column(t):
    'encoding-type of a column is "dataframe".'
    t.column("id").attrs["encoding-type"] = text("dataframe")
