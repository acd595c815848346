"""Writes a table with a column of 1 GB that takes no space on the disk: big_table.py FILE."""

import sys

import h5py
import numpy as np


def text(group, name, value):
    kind = h5py.h5t.C_S1.copy()
    kind.set_size(len(value) + 1)
    kind.set_strpad(h5py.h5t.STR_NULLTERM)
    attribute = h5py.h5a.create(group.id, name.encode(), kind, h5py.h5s.create(h5py.h5s.SCALAR))
    attribute.write(np.array(value.encode(), f"S{len(value) + 1}"), kind)


def main():
    rows = 125_000_000
    with h5py.File(sys.argv[1], "w") as file:
        table = file.create_group("events")
        text(table, "CLASS", "COLUMN_TABLE")
        text(table, "VERSION", "1.0")
        table.attrs["NROWS"] = np.uint64(rows)
        table.attrs.create("column-order", [b"name"], dtype=h5py.string_dtype("utf-8", 4))
        plist = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
        plist.set_alloc_time(h5py.h5d.ALLOC_TIME_EARLY)
        plist.set_fill_time(h5py.h5d.FILL_TIME_NEVER)
        h5py.h5d.create(table.id, b"name", h5py.h5t.py_create(h5py.string_dtype("utf-8", 8), logical=True),
                        h5py.h5s.create_simple((rows,)), plist)


if __name__ == "__main__":
    main()
