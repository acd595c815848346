"""HEP001 7.3, the NROWS attribute."""

from generators.hep001 import *


@valid("nrows-present", keeps=["zero-length-column"])
def freshly_created(t):
    "An empty table: NROWS 0, chunked columns of extent 0 that may grow."
    t.nrows = 0
    for column in t.columns().values():
        column.values, column.chunk, column.maxshape = [], 4, (None,)


@invalid("nrows-uint64")
def signed(t):
    "NROWS is a signed 64-bit integer."
    t.attrs["NROWS"] = int64(5)
