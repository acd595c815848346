"""HEP001 3 and 4: what is a column, and what a table may lack."""

from generators.hep001 import *


@valid("column-hard-link")
def linked_from_outside_too(t):
    "A column has a second hard link outside the table group."
    t.file.put("/shortcuts/energy", HardLink(t.column("energy")))


@valid("column-hard-link", warns={"column-hard-link"}, ambiguity="one-dataset-two-names")
def two_names_in_one_table(t):
    "One dataset hangs in the table group under two names, both listed in column-order."
    t.add("momentum", HardLink(t.column("energy")))
    t.attrs["column-order"] = text(["id", "energy", "momentum"])


@valid_since_newer("column-hard-link", base=list_table, warns={"column-hard-link"},
                   ambiguity="one-dataset-two-names")
def two_names_of_a_list(t):
    "A list column hangs in the table group under two names, both listed in column-order."
    t.add("samples", HardLink(outermost(t)))
    t.attrs["column-order"] = text(["id", "energy", "readings", "tags", "tracks", "samples"])


@valid("column-hard-link", warns={"column-hard-link"}, informs={"column-order-recommended"},
       ambiguity="dataset-in-two-roles")
def labels_as_well(t):
    "A column hangs in CATEGORIES too, as labels of another one; there is no column-order."
    t.add_column("code", U8, [0, 1, 2, 3, 4], fill=UINT8_FILL)
    t.categories.add("codes", HardLink(t.column("id")))
    t.column("code").attrs["CATEGORIES"] = ref(t.column("id"))
    del t.attrs["column-order"]


@invalid("categories-referenced", "column-as-well", informs={"column-order-recommended"},
         fails={"categories-referenced"}, ambiguity="dataset-in-two-roles")
def labels_of_nobody(t):
    "A column hangs in CATEGORIES too, and no column has it as labels; there is no column-order."
    t.categories.add("codes", HardLink(t.column("id")))
    del t.attrs["column-order"]


@invalid("categories-referenced", "listed-column-as-well", ambiguity="dataset-in-two-roles")
def listed_labels_of_nobody(t):
    "A column that column-order lists hangs in CATEGORIES too, and no column has it as labels."
    t.categories.add("codes", HardLink(t.column("id")))


@invalid("column-hard-link", ambiguity="column-by-name-or-by-form")
def soft_link_in_column_order(t):
    "column-order lists a soft link to a one-dimensional dataset outside the table group."
    t.file.put("/charge", Column(I32, [1, -1, 1, 1, -1], fill=INT32_FILL))
    t.add("charge", SoftLink("/charge"))
    t.attrs["column-order"] = text(["id", "energy", "charge"])


@invalid("column-hard-link", ambiguity="column-by-name-or-by-form")
def soft_link_in_index_columns(t):
    "INDEX_COLUMNS refers to a dataset that is linked softly into the table, as column-order says."
    charge = t.file.put("/charge", Column(I32, [1, -1, 1, 1, -1], fill=INT32_FILL))
    t.add("charge", SoftLink("/charge"))
    t.attrs["column-order"] = text(["id", "energy", "charge"])
    t.attrs["INDEX_COLUMNS"] = refs([charge])


@invalid("column-hard-link", ambiguity="column-by-name-or-by-form")
def external_link_in_column_order(t):
    "column-order lists an external link."
    t.add("charge", ExternalLink("other.h5", "/charge"))
    t.attrs["column-order"] = text(["id", "energy", "charge"])


@valid("subgroup-datasets-not-columns")
def short_labels_without_fill(t):
    "1000 rows; the categories dataset has 3, and a fill value in the default state."
    t.nrows = 1000
    t.column("id").values = [r % 3 for r in range(1000)]
    t.column("energy").values = [0.5] * 1000
    t.categorise("id", ["signal", "noise", "pileup"])


@valid("optional-subgroups-and-index-absent", keeps=["optional-attributes-absent"])
def one_bare_column(t):
    "One int32 column, and no attributes but CLASS, VERSION and NROWS."
    t.remove("id"), t.remove("energy")
    t.add_column("count", I32, [1, 2, 3, 4, 5], fill=INT32_FILL)
    del t.attrs["column-order"]


@valid("zero-columns", ambiguity="no-columns-at-all")
def nothing_but_attributes(t):
    "CLASS, VERSION, NROWS = 0 and no children at all."
    t.remove("id"), t.remove("energy")
    t.nrows = 0
    del t.attrs["column-order"]
