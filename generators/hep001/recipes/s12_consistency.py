"""HEP001 12, what holds at all times."""

from generators.hep001 import *


def categorical_table(at="/events", file=None):
    """A small table with a categorical column `particle` of three labels."""
    t = small_table(at, file)
    t.add_column("particle", I8, [0, 2, INT8_FILL, 1, 2], fill=INT8_FILL)
    t.categorise("particle", ["muon", "pion", "kaon"])
    return t


# SEARCH_INDEX_LIST

def name_list(t, *targets):
    """Gives the column `name`, which has one index, a list of the given elements instead."""
    t.column("name").attrs["SEARCH_INDEX_LIST"] = refs(targets)


def bloom(t):
    return t.index("name", "CHUNK_BLOOM")


@valid("search-index-list-resolves", base=good_table)
def by_another_path(t):
    "An element was made by way of a hard link to SEARCH_INDEXES from outside the table."
    t.file.put("/indexes", HardLink(t.search_indexes))
    name_list(t, Reference("/indexes/name__chunk_bloom"))


@valid("search-index-list-resolves", base=good_table, warns={"search-index-list-resolves"},
       ambiguity="same-column-twice")
def same_index_twice(t):
    "Both elements refer to the same index."
    name_list(t, bloom(t), bloom(t))


@invalid("search-index-list-resolves", base=good_table)
def null_element(t):
    "The second element is a null reference."
    name_list(t, bloom(t), NULL)


@invalid("search-index-list-resolves", base=good_table)
def dangling_element(t):
    "The index of a column has been deleted, its list still refers to it."
    bloom(t).deleted = True


@invalid("search-index-list-resolves", base=good_table)
def values_dataset(t):
    "An element refers to the values dataset of a bitmap, next to the bitmap itself."
    bitmap = t.index("label", "BITMAP")
    t.column("label").attrs["SEARCH_INDEX_LIST"] = refs([bitmap, bitmap.indexed])


@invalid("search-index-list-resolves", base=good_table, tables={"/other": {}})
def index_of_another_table(t):
    "An element refers to an index of another table."
    other = good_table("/other", t.file)
    name_list(t, bloom(t), bloom(other))


@invalid("search-index-list-resolves", base=good_table)
def column(t):
    "An element refers to the column itself."
    name_list(t, bloom(t), t.column("name"))


@invalid("search-index-list-resolves", base=good_table)
def group(t):
    "An element refers to the group SEARCH_INDEXES."
    name_list(t, bloom(t), t.search_indexes)


@invalid("search-index-list-resolves", base=good_table)
def another_file(t):
    "An element refers to a dataset in another file."
    name_list(t, bloom(t), elsewhere("other.h5", "/events/SEARCH_INDEXES/name__chunk_bloom"))


# CATEGORIES

@valid("categories-ref-resolves", base=categorical_table)
def by_another_path_to_labels(t):
    "The reference was made by way of a hard link to CATEGORIES from outside the table."
    t.file.put("/labels", HardLink(t.categories))
    t.column("particle").attrs["CATEGORIES"] = ref(Reference("/labels/particle__CATEGORIES"))


def unresolved(slug, shows, target, **options):
    @invalid("categories-ref-resolves", slug, f"CATEGORIES {shows}.", **options)
    def mutate(t):
        t.add_column("particle", I8, [0, 2, INT8_FILL, 1, 2], fill=INT8_FILL)
        t.column("particle").attrs["CATEGORIES"] = ref(target(t))


unresolved("null", "is a null reference", lambda t: NULL)
unresolved("dangling", "refers to a categories dataset that has been deleted",
           lambda t: t.categories.add("labels", Dataset(U8, [1, 2, 3], deleted=True)))
unresolved("column", "refers to a column", lambda t: t.column("id"))
unresolved("group", "refers to the group CATEGORIES", lambda t: t.categories)
unresolved("another-table", "refers to a categories dataset of another table",
           lambda t: categorical_table("/other", t.file).column("particle").categories,
           tables={"/other": {}})
unresolved("another-file", "refers to a dataset in another file",
           lambda t: elsewhere("other.h5", "/events/CATEGORIES/particle"))


@valid("categories-referenced", base=categorical_table)
def by_two_columns(t):
    "Of two categories datasets one is shared by two columns."
    t.add_column("decay", U8, [0, 1, 1, 0, 2], fill=UINT8_FILL)
    t.categorise("decay", t.column("particle").categories)
    t.add_column("charge", U8, [0, 1, 1, 0, 1], fill=UINT8_FILL)
    t.categorise("charge", ["minus", "plus"])


@invalid("categories-referenced", base=categorical_table)
def unused_labels(t):
    "A second categories dataset, to which no column refers."
    t.categories.add("charge__CATEGORIES", Dataset(string(5), ["minus", "plus"]))


@invalid("categories-referenced", base=categorical_table)
def column_deleted(t):
    "The categorical column has been deleted, its labels are still there."
    t.remove("particle")


for count in (3, 4):
    @invalid("column-order-complete", f"without-{count}", f"column-order leaves out {count} columns.")
    def left_out(t, count=count):
        for n in range(count):
            t.add_column(f"c{n}", U8, [1, 2, 3, 4, 5], fill=UINT8_FILL)
        t.attrs["column-order"] = text(["id", "energy"])


@invalid("column-order-only-columns", "twice", fails={"column-order-only-columns",
                                                      "column-order-no-duplicates"})
def nothing_twice(t):
    "column-order names what is not there, twice."
    t.attrs["column-order"] = text(["id", "nothing", "energy", "nothing"])


@valid("fill-not-a-valid-code", base=categorical_table)
def fill_is_k(t):
    "The fill value is K, the first code beyond the labels; -1 in another column."
    t.column("particle").fill, t.column("particle").values = 3, [0, 2, 3, 1, 2]
    t.add_column("decay", I64BE, [0, 1, -1, 0, 2], fill=-1)
    t.categorise("decay", t.column("particle").categories)


@valid("fill-not-a-valid-code", base=categorical_table)
def fill_of_int128(t):
    "The fill value of an int128 column is 2^64 + 1, whose lower half is a code."
    t.column("particle").type, t.column("particle").fill = I128, 2**64 + 1
    t.column("particle").values = [0, 1, 2, 2**64 + 1, 0]


def fill_is_code(slug, shows, fill, type_id=I8):
    @invalid("fill-not-a-valid-code", slug, f"There are 3 labels; the fill value is {shows}.",
             base=categorical_table)
    def mutate(t):
        t.column("particle").type, t.column("particle").fill = type_id, fill
        t.column("particle").values = [0, 1, 2, 1, 0]


fill_is_code("zero", "0", 0)
fill_is_code("k-minus-1", "2", 2)
fill_is_code("uint16-big-endian", "1, in a big-endian uint16 column", 1, U16BE)
fill_is_code("int128", "1, in an int128 column", 1, I128)
fill_is_code("12-bit-padding", "1, in 12 bits, with other bits set", b"\x01\xf0", odd_width(U16, 12))


# column-order

@valid("column-order-complete", keeps=["column-order-only-columns"])
def exactly_as_long(t):
    "Both names fill their elements to the last byte."
    t.rename("id", "number")


@valid("column-order-complete")
def null_terminated(t):
    "column-order is null-terminated, with unused bytes, and in another order than the links."
    t.attrs["column-order"] = text(["energy", "id"], 32, pad=NULLTERM)


@valid("column-order-no-duplicates")
def differ_in_case(t):
    "Names that differ only in letter case, or in a trailing space."
    for name in "ID", "id ":
        t.add_column(name, U8, [1, 2, 3, 4, 5], fill=UINT8_FILL)


def order(clause, slug, shows, names, **options):
    @invalid(clause, slug, f"column-order {shows}.", **options)
    def mutate(t):
        t.attrs["column-order"] = text([*t.columns(), *names] if names else ["id"])


order("column-order-complete", "one-omitted", "omits one of two columns", [])
order("column-order-no-duplicates", "one-name-twice", "lists both columns, and one of them twice",
      ["id"])
order("column-order-only-columns", "no-such-name", "lists a name that does not exist", ["mass"])
order("column-order-only-columns", "index", "lists a search-index dataset", ["ts__sorted_rows"],
      base=good_table)
order("column-order-only-columns", "reserved-group", "lists SEARCH_INDEXES", ["SEARCH_INDEXES"],
      base=good_table)
order("column-order-only-columns", "empty-string", "has an empty element", [""])
order("column-order-only-columns", "path", "lists the absolute path of a column besides its name",
      ["/events/id"])


@invalid("column-order-complete", "empty-array")
def no_names(t):
    "column-order is an empty array on a table with columns."
    t.attrs["column-order"] = text([])


@invalid("column-order-complete", "misspelt", fails={"column-order-complete",
                                                     "column-order-only-columns"})
def misspelt(t):
    "column-order spells the name of a column in another letter case."
    t.attrs["column-order"] = text(["id", "Energy"])


# Index contents

@valid("index-content-correct", base=good_table)
def every_family(t):
    "Indexes of all four families on a table with a reserved tail."


def stale(slug, column, kind, edit, found):
    @invalid("index-content-correct", slug, f"A row of `{column}` was edited in place, its {kind} "
             "index was not updated.", base=good_table, fails={found}, alias=found)
    def mutate(t):
        t.index(column, kind).values
        for other in t.column(column).indexes[:]:
            if other.kind != kind:
                t.remove_index(other)
        row, value = edit
        t.column(column).values[row] = value


stale("minmax", "ts", "CHUNK_MINMAX", (3, 71), "minmax-max-value")
stale("sorted", "ts", "SORTED_ROWS", (3, -71), "sorted-integer-order")
stale("bitmap", "label", "BITMAP", (4, 1), "bitmap-bit-set")
stale("bloom", "name", "CHUNK_BLOOM", (0, "gluon"), "bloom-membership")
