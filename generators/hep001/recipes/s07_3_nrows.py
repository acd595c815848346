"""HEP001 7.3, the NROWS attribute."""

from generators.hep001 import *


def case(clause, slug, shows, attribute, kind=invalid, **options):
    def mutate(t):
        t.attrs["NROWS"] = attribute
    kind(clause, slug, f"NROWS is {shows}.", **options)(mutate)


def freshly_created(t):
    "An empty table: NROWS 0, chunked columns of extent 0 that may grow."
    t.nrows = 0
    for column in t.columns().values():
        column.values, column.chunk, column.maxshape = [], 4, (None,)


valid("zero-length-column", keeps=["nrows-present"])(freshly_created)


@valid("extent-may-exceed-nrows")
def large_tail(t):
    "NROWS is 3, every column has an extent of 1024."
    t.nrows = 3
    for column in t.columns().values():
        column.values = column.values[:3] + [77] * 1021


@invalid("nrows-present")
def absent(t):
    "There is no NROWS attribute."
    del t.attrs["NROWS"]


@invalid("nrows-present")
def lower_case(t):
    "The attribute is called `nrows`."
    t.attrs["nrows"] = t.attrs.pop("NROWS")


case("nrows-uint64", "int64", "an int64", int64(5))
case("nrows-uint64", "uint32", "a uint32", uint32(5))
case("nrows-uint64", "float64", "a float64", float64(5))
case("nrows-uint64", "string", 'the string "5"', ascii_text("5"))
case("nrows-uint64", "precision-48", "an unsigned integer of 8 bytes with a precision of 48 bits",
     attribute(odd_width(U64, 48), 5))
case("nrows-scalar", "shape-1", "a one-element array", uint64([5]))
case("nrows-scalar", "shape-2", "an array of two", uint64([5, 5]))
case("nrows-scalar", "null-dataspace", "stored with a null dataspace", uint64(5).without_value())
case("nrows-uint64", "big-endian", "an H5T_STD_U64BE scalar", attribute(U64BE, 5), kind=valid,
     keeps=["nrows-scalar"], ambiguity="integer-attribute-byte-order")


@valid("nrows-scalar", base=good_table, keeps=["nrows-uint64"])
def one_row(t):
    "A table of one row, with every index family; the other rows are reserved storage."
    t.nrows = 1
