"""HEP001 7.6, what may lie below a table group."""

from generators.hep001 import *


@valid("descendants-serve-the-model", base=good_table,
       keeps=["no-multidimensional-dataset", "no-user-subgroup"])
def both_reserved_groups(t):
    "Columns, CATEGORIES and SEARCH_INDEXES; a two-dimensional BITMAP; /provenance outside."
    t.file.put("/provenance", Group())


@invalid("descendants-serve-the-model")
def user_defined_link(t):
    "A link of a user-defined class lies in the table group."
    t.add("elsewhere", UserLink())


@valid("no-named-datatype")
def committed_type_outside(t):
    "A column uses a committed datatype that is next to the table group."
    t.column("id").type = t.file.put("/types/id", NamedDatatype(U32))


@invalid("no-named-datatype", ambiguity="committed-datatypes-inside")
def committed_type_inside(t):
    "A committed datatype, used by a column, lies in the table group."
    t.column("id").type = t.add("id_t", NamedDatatype(U32))


@valid("no-soft-link")
def soft_link_outside(t):
    "A soft link elsewhere in the file leads to a column."
    t.file.put("/shortcuts/energy", SoftLink("/events/energy"))


@invalid("no-soft-link", ambiguity="soft-links-inside")
def alias_of_a_column(t):
    "A soft link in the table group leads to a column of it."
    t.add("momentum", SoftLink("energy"))


@invalid("no-soft-link", base=good_table, ambiguity="soft-links-inside")
def alias_of_the_row_index(t):
    "A soft link leads to the row index column, which has its own hard link."
    t.add("index", SoftLink("row_id"))


@invalid("no-soft-link")
def dangling(t):
    "A soft link in the table group leads nowhere."
    t.add("momentum", SoftLink("/nowhere"))


@valid("external-link-association", warns={"descendants-serve-the-model"},
       ambiguity="external-links-inside")
def raw_data(t):
    "An external link to raw data lies in the table group."
    t.add("raw", ExternalLink("other.h5", "/images"))


@valid("outgoing-references")
def regions_of_an_image(t):
    "A column of region references points into an image outside the table."
    image = t.file.put("/images", Dataset(U8, [0] * 16, (4, 4)))
    t.add_column("slab", REF_REGION, [region_of(image)] * 5, fill=NULL)


@valid("no-nested-table", tables={"/other": {}})
def side_by_side(t):
    "Two tables lie side by side in the root group."
    small_table("/other", t.file)


@invalid("no-nested-table", tables={"/events/inner": {}})
def direct_child(t):
    "A complete table is a child of another table."
    small_table("/events/inner", t.file)


@invalid("no-nested-table", base=good_table, tables={"/events/SEARCH_INDEXES/inner": {}})
def in_search_indexes(t):
    "A complete table lies in SEARCH_INDEXES."
    small_table("/events/SEARCH_INDEXES/inner", t.file)


@invalid("no-multidimensional-dataset")
def image(t):
    "A two-dimensional image lies in the table group."
    t.add("image", Dataset(U8, [0] * 6, (2, 3)))


@invalid("no-multidimensional-dataset", ambiguity="derived-arrays-inside")
def slab_a_row(t):
    "A dataset of shape (NROWS, 4, 4) lies in the table group, as if derived from its rows."
    t.add("slabs", Dataset(U8, [0] * 80, (5, 4, 4), fill=0))


@invalid("no-user-subgroup")
def provenance(t):
    "An empty group `provenance` lies in the table group."
    t.add("provenance", Group())


@invalid("no-user-subgroup")
def anndata_categorical(t):
    "A categorical column is stored as Anndata does it, as a group of codes and categories."
    label = t.add("label", Group())
    label.attrs["encoding-type"] = text("categorical")
    label.add("codes", Dataset(I8, [0, 1, 1, 0, -1]))
    label.add("categories", Dataset(string(6), ["signal", "noise"]))


@invalid("no-user-subgroup")
def lower_case_categories(t):
    "A group `categories` lies in the table group."
    t.add("categories", Group())


@invalid("no-user-subgroup", fails={"no-user-subgroup", "column-order-only-columns"})
def listed_in_column_order(t):
    "A subgroup is listed in column-order."
    t.add("label", Group())
    t.attrs["column-order"] = text(["id", "energy", "label"])
