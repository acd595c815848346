#!/usr/bin/env python3
"""A retried append that makes a torn search index pass its validity check (HEP001 of 2026-07-09).

Two programs append to one table. Both follow steps 1 to 6 of section 12.3 exactly, but a
reader that evaluates the validity check of 12.2 loses rows. docs/retry-collision.md describes it.

    retry_collision.py [--keep DIRECTORY]

prints each step and its result, for a retry without precautions and for two with precautions, and ends with
status 0 if only the first one loses rows. It requires only h5py.
"""

import argparse
import ctypes
import pathlib
import tempfile

import h5py
import numpy as np
from h5py import h5a, h5f, h5p, h5s, h5t

CHUNK = 4
OLD = np.arange(8)  # the initial values of the table
MORE = np.array([900, 901, 902, 903])  # the K appended rows
FILL = -(2**63) + 1
ENTRY = np.dtype([("min", "<i8"), ("max", "<i8"),
                  ("nan_count", "<u8"), ("fill_count", "<u8"), ("n", "<u8")])
INDEX = "SEARCH_INDEXES/ts__chunk_minmax"


# --- the table, as the specification requires it

def put_text(item, name, text):
    """A scalar, null-terminated, fixed-length ASCII string."""
    kind = h5t.C_S1.copy()
    kind.set_size(len(text) + 1)
    kind.set_strpad(h5t.STR_NULLTERM)
    attribute = h5a.create(item.id, name.encode(), kind, h5s.create(h5s.SCALAR))
    attribute.write(np.array(text.encode(), f"S{len(text) + 1}"))


def put_number(item, name, value):
    if name in item.attrs:
        item.attrs.modify(name, np.uint64(value))
    else:
        item.attrs.create(name, value, dtype="<u8")


def put_list(column, index):
    """SEARCH_INDEX_LIST with one H5T_STD_REF, which h5py does not support but the HDF5 library does."""
    library, hid = ctypes.CDLL(h5py.defs.__file__), ctypes.c_int64
    library.H5Rcreate_object.argtypes = [hid, ctypes.c_char_p, hid, ctypes.c_void_p]
    library.H5Acreate2.argtypes = [hid, ctypes.c_char_p, hid, hid, hid, hid]
    library.H5Acreate2.restype = hid
    library.H5Awrite.argtypes = [hid, hid, ctypes.c_void_p]
    std_ref = hid.in_dll(library, "H5T_STD_REF_g").value
    reference = ctypes.create_string_buffer(64)
    space = h5s.create_simple((1,))
    assert library.H5Rcreate_object(index.id.id, b".", 0, reference) >= 0
    attribute = library.H5Acreate2(column.id.id, b"SEARCH_INDEX_LIST", std_ref, space.id, 0, 0)
    assert attribute >= 0 and library.H5Awrite(attribute, std_ref, reference) >= 0
    library.H5Aclose(hid(attribute))
    library.H5Rdestroy(reference)


def entries_of(values):
    """A CHUNK_MINMAX entry for each chunk (11.4); none of these values is missing."""
    chunks = [values[i:i + CHUNK] for i in range(0, len(values), CHUNK)]
    return np.array([(c.min(), c.max(), 0, 0, len(c)) for c in chunks], ENTRY)


def make_table(path):
    access = h5p.create(h5p.FILE_ACCESS)
    access.set_libver_bounds(h5f.LIBVER_LATEST, h5f.LIBVER_LATEST)
    h5f.create(str(path).encode(), h5f.ACC_TRUNC, fapl=access).close()
    with opened(path) as file:
        table = file.create_group("events")
        put_text(table, "CLASS", "COLUMN_TABLE")
        put_text(table, "VERSION", "1.0")
        column = table.create_dataset("ts", data=OLD, dtype="<i8", chunks=(CHUNK,),
                                      maxshape=(None,), fillvalue=FILL)
        put_number(table, "GENERATION", 5)
        put_number(table, "NROWS", len(OLD))
        index = table.create_dataset(INDEX, data=entries_of(OLD), chunks=(4,), maxshape=(None,))
        put_text(index, "KIND", "CHUNK_MINMAX")
        put_number(index, "SOURCE_GENERATION", 5)
        put_number(index, "SOURCE_NROWS", len(OLD))
        put_list(column, index)


def opened(path, mode="r+"):
    return h5py.File(path, mode, libver="latest")


# --- the writers: 12.3, step by step

def append(table, maintain, dies=False):
    """Steps 1 to 6. `maintain`: this producer maintains the index; `dies`: it crashes in step 4."""
    column, index = table["ts"], table[INDEX]
    rows, generation = int(table.attrs["NROWS"]), int(table.attrs["GENERATION"])  # 1
    new_rows = rows + len(MORE)
    column.resize((max(column.shape[0], new_rows),))  # 2
    column[rows:new_rows] = MORE  # 3
    if maintain:  # 4: the tokens first, then the contents
        put_number(index, "SOURCE_GENERATION", generation + 1)
        put_number(index, "SOURCE_NROWS", new_rows)
        entries = entries_of(column[:new_rows])
        index.resize((len(entries),))
        if dies:
            return  # the new entry was never written and contains zeros
        index[:] = entries
    put_number(table, "GENERATION", generation + 1)  # 5
    put_number(table, "NROWS", new_rows)  # 6: the commit


def append_after_an_increment(table):
    """A precaution: an additional increment invalidates all indexes that were left behind (12.2)."""
    put_number(table, "GENERATION", int(table.attrs["GENERATION"]) + 1)
    table.file.flush()
    append(table, maintain=False)


def append_after_a_look(table):
    """A precaution: no index that it does not maintain may have the tokens that it will commit."""
    index = table[INDEX]
    generation, rows = int(table.attrs["GENERATION"]), int(table.attrs["NROWS"])
    if tokens(index) == (generation + 1, rows + len(MORE)):
        put_number(index, "SOURCE_GENERATION", generation - 1)
        table.file.flush()
    append(table, maintain=False)


# --- the reader: 12.2, "Consumer validity check"

def tokens(index):
    return int(index.attrs["SOURCE_GENERATION"]), int(index.attrs["SOURCE_NROWS"])


def passes(table):
    return tokens(table[INDEX]) == (int(table.attrs["GENERATION"]), int(table.attrs["NROWS"]))


def rows_equal_to(table, wanted, use_index):
    rows = int(table.attrs["NROWS"])
    values = table["ts"][:rows]
    chunks = range(-(-rows // CHUNK))
    if use_index:
        entries = table[INDEX][:len(chunks)]
        chunks = [c for c in chunks if entries[c]["min"] <= wanted <= entries[c]["max"]]
    return [row for c in chunks for row in range(c * CHUNK, min((c + 1) * CHUNK, rows))
            if values[row] == wanted]


def state(table):
    return "GENERATION {}, NROWS {}; index: SOURCE_GENERATION {}, SOURCE_NROWS {}; the check {}".format(
        int(table.attrs["GENERATION"]), int(table.attrs["NROWS"]), *tokens(table[INDEX]),
        "passes" if passes(table) else "fails")


def run_scenario(path, retry, name):
    """Runs one scenario; returns whether the reader lost rows."""
    print(f"--- {name}")
    make_table(path)
    with opened(path) as file:
        print("the table:             ", state(file["events"]))
        append(file["events"], maintain=True, dies=True)
    with opened(path) as file:
        print("an append dies:        ", state(file["events"]))
        retry(file["events"])
    with opened(path, "r") as file:
        table = file["events"]
        print("another append, no index:", state(table))
        wanted = int(MORE[2])
        found = rows_equal_to(table, wanted, use_index=passes(table))
        there = rows_equal_to(table, wanted, use_index=False)
        print(f"rows with ts == {wanted}: the reader finds {found}, a scan {there}")
        return found != there


STORIES = {
    "careless": (lambda table: append(table, maintain=False), "a retry that keeps steps 1 to 6"),
    "increment": (append_after_an_increment, "a retry that increments GENERATION once more before"),
    "look": (append_after_a_look, "a retry that looks for the tokens that it will commit"),
}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--keep", type=pathlib.Path, metavar="FOLDER", help="leave the files there")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        folder = arguments.keep or pathlib.Path(scratch)
        folder.mkdir(parents=True, exist_ok=True)
        lost = {name: run_scenario(folder / f"{name}.h5", retry, words)
                for name, (retry, words) in STORIES.items()}
    return 0 if lost == {"careless": True, "increment": False, "look": False} else 1


if __name__ == "__main__":
    raise SystemExit(main())
