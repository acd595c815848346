"""HEP001 9, row index columns."""

from generators.hep001 import *


@valid("row-index-in-column-order", base=good_table)
def listed_last(t):
    "The row index column is the last in column-order."
    t.attrs["column-order"] = text(["ts", "energy", "label", "name", "row_id"])


@invalid("row-index-in-column-order", base=good_table, ambiguity="row-index-in-order-list")
def omitted(t):
    "column-order omits the row index column."
    t.attrs["column-order"] = text(["ts", "energy", "label", "name"])


@valid("positional-table-omits-index-columns")
def absent(t):
    "Rows are positional, and INDEX_COLUMNS is absent."


@invalid("positional-table-omits-index-columns", ambiguity="empty-index-columns")
def empty_array(t):
    "INDEX_COLUMNS is an empty array."
    t.attrs["INDEX_COLUMNS"] = refs([])


@valid("empty-index-columns-permitted", informs={"positional-table-omits-index-columns"},
       ambiguity="underscore-index-alone")
def with_underscore_index(t):
    "INDEX_COLUMNS is an empty array, and `_index` names a column nevertheless."
    t.attrs["INDEX_COLUMNS"] = refs([])
    t.attrs["_index"] = text("id")


@valid("empty-index-columns-permitted", informs={"positional-table-omits-index-columns"},
       ambiguity="empty-index-columns")
def empty_table(t):
    "INDEX_COLUMNS is an empty array on a table without rows."
    t.nrows = 0
    for column in t.columns().values():
        column.values = []
    t.attrs["INDEX_COLUMNS"] = refs([])
