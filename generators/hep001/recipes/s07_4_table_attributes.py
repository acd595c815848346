"""HEP001 7.4, the optional attributes of the table group."""

from generators.hep001 import *

optional_text("title", "TITLE", value="Run", second="Walk")
optional_text("underscore-index", "_index", value="id", second="energy", of_anndata=True)
optional_text("encoding-type", "encoding-type", value="dataframe", second="array", of_anndata=True)
optional_text("encoding-version", "encoding-version", value="0.2.0", second="0.3.0",
              of_anndata=True)
optional_text("table-description", "description", value="Ten events.", second="More events.")
optional_text("table-units-vocabulary", "units_vocabulary", value="UDUNITS-2", second="UCUM")


# INDEX_COLUMNS

@valid("index-columns-1d", keeps=["index-columns-not-null", "index-columns-resolve-to-column"])
def three_levels(t):
    "INDEX_COLUMNS has three elements, outermost first; one is referred to by another path."
    t.add_column("cell", U8, [0, 1, 2, 3, 4], fill=UINT8_FILL)
    t.file.put("/aliases/cell", HardLink(t.column("cell")))
    t.attrs["INDEX_COLUMNS"] = refs([t.column("energy"), t.column("id"),
                                     Reference("/aliases/cell")])


@invalid("index-columns-1d")
def scalar(t):
    "INDEX_COLUMNS is a scalar reference."
    t.attrs["INDEX_COLUMNS"] = ref(t.column("id"))


@invalid("index-columns-1d")
def two_dimensional(t):
    "INDEX_COLUMNS has the shape (1, 2)."
    t.attrs["INDEX_COLUMNS"] = refs([t.column("id"), t.column("energy")]).shaped(1, 2)


@invalid("index-columns-1d", ambiguity="null-space-as-empty")
def null_dataspace(t):
    "INDEX_COLUMNS is stored with a null dataspace."
    t.attrs["INDEX_COLUMNS"] = refs([]).without_value()


@invalid("index-columns-not-null")
def second_element(t):
    "The second element of INDEX_COLUMNS is a null reference."
    t.attrs["INDEX_COLUMNS"] = refs([t.column("id"), NULL])


@invalid("index-columns-not-null")
def only_element(t):
    "The only element of INDEX_COLUMNS is a null reference."
    t.attrs["INDEX_COLUMNS"] = refs([NULL])


@invalid("index-columns-resolve-to-column")
def dangling(t):
    "INDEX_COLUMNS refers to a column that has been deleted."
    gone = t.add_column("gone", U32, [1, 2, 3, 4, 5], fill=UINT32_FILL, deleted=True)
    t.attrs["INDEX_COLUMNS"] = refs([gone])


@invalid("index-columns-resolve-to-column")
def outside_the_table(t):
    "INDEX_COLUMNS refers to a dataset outside the table group."
    t.attrs["INDEX_COLUMNS"] = refs([t.file.put("/id", Dataset(U32, [1, 2, 3, 4, 5]))])


@invalid("index-columns-resolve-to-column", tables={"/other": {}}, ambiguity="copy-as-a-unit")
def column_of_another_table(t):
    "INDEX_COLUMNS refers to a column of another table in the same file."
    other = small_table("/other", t.file)
    t.attrs["INDEX_COLUMNS"] = refs([other.column("id")])


@invalid("index-columns-resolve-to-column")
def categories_dataset(t):
    "INDEX_COLUMNS refers to a categories dataset."
    t.column("id").values = [0, 1, 1, 0, 2]
    t.attrs["INDEX_COLUMNS"] = refs([t.categorise("id", ["a", "b", "c"])])


@invalid("index-columns-resolve-to-column")
def table_group_itself(t):
    "INDEX_COLUMNS refers to the table group itself."
    t.attrs["INDEX_COLUMNS"] = refs([t])


@invalid("index-columns-resolve-to-column")
def another_file(t):
    "INDEX_COLUMNS refers to a dataset in another file."
    t.attrs["INDEX_COLUMNS"] = refs([elsewhere("other.h5", "/events/id")])


@valid("index-columns-resolve-to-column", warns={"index-columns-resolve-to-column"},
       ambiguity="same-column-twice")
def same_column_twice(t):
    "Both elements of INDEX_COLUMNS refer to the same column."
    t.attrs["INDEX_COLUMNS"] = refs([t.column("id")] * 2)


# column-order

@valid("column-order-1d", keeps=["column-order-fixed-string"])
def one_name(t):
    "column-order has the shape (1) on a table of one column, and is as long as the name."
    t.remove("energy")


@valid("column-order-utf8")
def names_beyond_ascii(t):
    "The column names are not ASCII; the longest fills its element."
    t.rename("id", "num\u00e9ro")
    t.rename("energy", "\u044d\u043d\u0435\u0440\u0433\u0438\u044f")


@invalid("column-order-1d", slug="scalar", ambiguity="definitions-bind")
def one_scalar_name(t):
    "column-order is a scalar string."
    t.attrs["column-order"] = text("id")


@invalid("column-order-1d", slug="two-dimensional")
def names_in_a_matrix(t):
    "column-order has the shape (2, 1)."
    t.attrs["column-order"] = text(["id", "energy"]).shaped(2, 1)


@invalid("column-order-fixed-string", ambiguity="anndata-string-datatypes")
def variable_length(t):
    "column-order holds variable-length strings, as Anndata writes it."
    t.attrs["column-order"] = vlen_text(["id", "energy"])


@invalid("column-order-fixed-string")
def references(t):
    "column-order holds object references to the columns."
    t.attrs["column-order"] = refs([t.column("id"), t.column("energy")])


@invalid("column-order-utf8", ambiguity="declared-character-set")
def ascii(t):
    "column-order is declared ASCII."
    t.attrs["column-order"] = text(["id", "energy"], cset=ASCII)


@invalid("column-order-recommended")
def two_columns(t):
    "A table of two columns has no column-order."
    del t.attrs["column-order"]


@valid("column-order-recommended")
def one_column(t):
    "A table of one column has no column-order."
    t.remove("energy")
    del t.attrs["column-order"]


# _index

@valid("underscore-index-equals-first")
def outer_of_two_levels(t):
    "`_index` names the first of two row index columns."
    t.label_rows_by("energy", "id")


@valid("underscore-index-names-column", ambiguity="underscore-index-alone")
def without_index_columns(t):
    "`_index` names a column, and there is no INDEX_COLUMNS."
    t.attrs["_index"] = text("id")


def second_label(slug, shows, value):
    @invalid("underscore-index-equals-first", slug, f"`_index` {shows}.")
    def mutate(t):
        t.label_rows_by("id", "energy")
        t.attrs["_index"] = text(value)


second_label("second-level", "names the second of two row index columns", "energy")
second_label("absolute-path", "is the absolute path of the first row index column", "/events/id")
second_label("letter-case", "differs from the name of the column in letter case", "ID")


@invalid("underscore-index-names-column")
def no_such_column(t):
    "`_index` names a column that does not exist."
    t.attrs["_index"] = text("row_id")


@invalid("underscore-index-names-column", slug="categories-dataset")
def name_of_categories(t):
    "`_index` names a categories dataset."
    t.column("id").values = [0, 1, 1, 0, 2]
    t.categorise("id", ["a", "b", "c"])
    t.attrs["_index"] = text("id__CATEGORIES")


@invalid("underscore-index-names-column")
def empty(t):
    "`_index` is an empty string."
    t.attrs["_index"] = text("")


# encoding-type, encoding-version

@valid("encoding-pair-any-value")
def type_alone(t):
    "encoding-type is given without encoding-version."
    t.attrs["encoding-type"] = text("dataframe")


@valid("encoding-pair-any-value")
def both(t):
    "encoding-type and encoding-version are given, as Anndata writes them."
    t.attrs["encoding-type"] = text("dataframe")
    t.attrs["encoding-version"] = text("0.2.0")


@valid("title-utf8")
def long_texts(t):
    "TITLE and description in several scripts, of more than 255 bytes."
    t.attrs["TITLE"] = text("\u96fb\u5b50 \u0394E")
    t.attrs["description"] = text("\u00e9v\u00e9nement " * 30)

# Nested datatypes, as they are reported

def nested_arrays(depth):
    type_id = U8
    for _ in range(depth):
        type_id = array(type_id, 1)
    return type_id


for depth in (8, 9):
    @invalid("title-fixed-string", f"arrays-in-arrays-{depth}",
             f"`TITLE` is of arrays, {depth} levels of them.")
    def nested_title(t, depth=depth):
        t.attrs["TITLE"] = Attribute(nested_arrays(depth), b"x")


for count in (6, 7):
    @invalid("title-fixed-string", f"compound-of-{count}", f"`TITLE` is of compounds of {count} fields.")
    def compound_title(t, count=count):
        t.attrs["TITLE"] = Attribute(compound({f"f{n}": U8 for n in range(count)}), (1,) * count)

    @invalid("title-fixed-string", f"enum-of-{count}", f"`TITLE` is of an enumeration of {count} members.")
    def enum_title(t, count=count):
        t.attrs["TITLE"] = Attribute(enum({f"E{n}": n for n in range(count)}), 1)
