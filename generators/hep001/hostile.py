"""Malicious HDF5 files: see generators/hostile.py."""

import functools
import os
import struct
import threading
import zlib

import h5py
import numpy as np

from generators import hep001
from generators.hep001.objects import elsewhere, refs
from generators.hep001.write import write
from generators.hostile import collector, patch

HOSTILE = []
hostile = collector(HOSTILE, ".h5")


def table(path, nrows=4, libver="earliest"):
    """A file with a group /t that claims to be a table. Returns both."""
    file = h5py.File(path, "w", libver=libver)
    group = file.create_group("t")
    group.attrs.create("CLASS", np.bytes_("COLUMN_TABLE"))
    group.attrs.create("VERSION", np.bytes_("1.0"))
    group.attrs.create("NROWS", np.uint64(nrows))
    return file, group


@functools.cache
def deflated_256_mib():
    return zlib.compress(bytes(256 << 20), 9)


def indexed_column(path, type_id, values, fill, **storage):
    """A table /events whose column x has an index, so that all its values are read."""
    table = hep001.Table("/events", nrows=len(values))
    column = table.add_column("x", type_id, values, fill=fill)
    for name, value in storage.items():
        setattr(column, name, value)
    table.add_index("x", "BITMAP", values=values[:1])
    write(table.file, str(path))


# --- Values ---------------------------------------------------------------------------------------

@hostile({"": "decodes to more than its 1000 bytes|deflate"})
def chunk_that_swells(path):
    "A chunk of 1000 bytes whose deflate stream gives 256 MiB."
    file, group = table(path, nrows=1000)
    column = group.create_dataset("x", (1000,), "i1", chunks=(1000,), compression="gzip",
                                  fillvalue=-1)
    column.id.write_direct_chunk((0,), deflated_256_mib())
    file.close()


@hostile({"memory=60MiB": "out of memory|memory limit"})
def large_chunk(path):
    "An honest chunk of 64 MiB, 64 KiB as stored."
    rows = 64 << 20
    file, group = table(path, nrows=rows)
    column = group.create_dataset("x", (rows,), "i1", chunks=(rows,), compression="gzip",
                                  fillvalue=-1)
    column.id.write_direct_chunk((0,), zlib.compress(bytes(rows)))
    file.close()


# HDF5 1.14 reports only that a filter failed.
@hostile({"memory=100MiB": "filter returned failure|memory allocation failed|more than [0-9]+ bytes come out"})
def chunk_that_swells_in_the_library(path):
    "The same in a column with fields, which the HDF5 library inflates into a growing buffer."
    fields = hep001.compound({"a": hep001.I8, "b": hep001.I8})
    indexed_column(path, fields, [(1, 1)] * 1000, (-1, -1), chunk=1000, deflate=9)
    with h5py.File(path, "r+") as file:
        file["events/x"].id.write_direct_chunk((0,), deflated_256_mib())


@hostile({"ratio=100": "limit of 100 to 1",
          "values-size=32MiB": "limit of 33554432 bytes",
          "time=1,cpu-time=100,ratio=1000000000": "limit of time",
          "cpu-time=1,time=100,ratio=1000000000": "limit of cpu-time"})
def values_without_end(path):
    "A terabyte of rows that were never written, in a few kilobytes."
    file, group = table(path, nrows=1 << 37)
    group.create_dataset("x", (1 << 37,), "i8", chunks=(1 << 20,), fillvalue=7)
    file.close()


@hostile({"chunk-size=1GiB": "a chunk is larger than the limit of 1073741824 bytes"})
def chunk_without_end(path):
    "A compressed chunk of almost 4 GiB."
    file, group = table(path)
    group.create_dataset("x", ((1 << 32) - 8,), "i1", chunks=((1 << 32) - 8,), compression="gzip",
                         fillvalue=-1)
    file.close()


@hostile({"chunks=100000000": "more chunks than the limit of 100000000"})
def chunks_without_end(path):
    "A thousand million chunks of one row."
    file, group = table(path, nrows=1 << 30)
    group.create_dataset("x", (1 << 30,), "i1", chunks=(1,), fillvalue=-1)
    file.close()


@hostile({"": "B-tree|chunk"})
def chunk_index_that_points_into_itself(path):
    "A tree of chunks whose inner nodes have themselves as children."
    file, group = table(path, nrows=1000)
    group.create_dataset("x", (1000,), "i4", chunks=(1,), fillvalue=-1)[:] = np.arange(1000)
    file.close()

    def point_back(content):
        changed = 0
        at = content.find(b"TREE\x01")
        while at >= 0:
            if content[at + 5] > 0:  # not a leaf
                key = 4 + 4 + 8 * 2
                for child in range(struct.unpack_from("<H", content, at + 6)[0]):
                    struct.pack_into("<Q", content, at + 24 + key + child * (key + 8), at)
                    changed += 1
            at = content.find(b"TREE\x01", at + 1)
        assert changed, "the index has no inner node"

    patch(path, point_back)


@hostile({"string-size=500": "a string is longer than the limit of 500 bytes"})
def long_strings(path):
    "Strings of variable length of 1000 bytes."
    indexed_column(path, hep001.string(None), ["a" * 1000] * 4, "")


@hostile({"string-size=500": "a string is longer than the limit of 500 bytes"})
def long_string_in_an_attribute(path):
    "An attribute that is a string of variable length of 1000 bytes."
    file, group = table(path)
    group.attrs["TITLE"] = "d" * 1000
    file.close()


def lie_about_the_first_object_of_a_heap(content):
    heap = content.find(b"GCOL")
    assert heap >= 0, "the file has no global heap"
    struct.pack_into("<Q", content, heap + 16 + 8, 1 << 40)


@hostile({"": "cannot be read|heap"})
def heap_that_lies(path):
    "Strings in a global heap whose first object claims a tebibyte."
    indexed_column(path, hep001.string(None), ["a" * 100, "b", "c", "d"], "")
    patch(path, lie_about_the_first_object_of_a_heap)


@hostile({"": "dangling reference"})
def heap_of_references_that_lies(path):
    "References to regions, in a global heap whose first object claims a tebibyte."
    file, group = table(path)
    column = group.create_dataset("x", (4,), "i4")
    column.attrs.create("SEARCH_INDEX_LIST", [column.regionref[0:2], column.regionref[1:3]],
                        dtype=h5py.regionref_dtype)
    file.close()
    patch(path, lie_about_the_first_object_of_a_heap)


# --- Groups, links and attributes -----------------------------------------------------------------

@hostile({"group-depth=1000": "nested deeper than the limit of 1000 groups"})
def cycle_of_groups(path):
    "100,000 groups, each in the one before, and the first again in the last."
    with h5py.File(path, "w", libver="latest") as file:
        group = file.id
        for _ in range(100_000):
            group = h5py.h5g.create(group, b"g")
        h5py.h5o.link(file.id, group, b"round")


@hostile({"objects=100": "beyond the limit of 100 objects",
          "links=1000": "more links than the limit of 1000"})
def groups_that_hold_each_other(path):
    "300 groups, each of which is in each."
    with h5py.File(path, "w", libver="latest") as file:
        groups = [h5py.h5g.create(file.id, b"%d" % i) for i in range(300)]
        for a in groups:
            for i, b in enumerate(groups):
                h5py.h5o.link(b, a, b"%d" % i)


@hostile({"subjects=20": r"beyond the limit of 20 subjects; later objects were not visited either"})
def many_tables(path):
    "50 empty tables."
    with h5py.File(path, "w") as file:
        for i in range(50):
            file.create_group(f"t{i}").attrs["CLASS"] = np.bytes_("COLUMN_TABLE")


@hostile({"": "no such|dangling|soft|reserved|column"})
def loop_of_soft_links(path):
    "Two soft links that lead to each other, and one that leads to itself."
    file, group = table(path)
    group["a"] = h5py.SoftLink("/t/b")
    group["b"] = h5py.SoftLink("/t/a")
    group["c"] = h5py.SoftLink("c")
    file.close()


@hostile({"attribute-size=64MiB": "limit of 67108864 bytes"})
def large_attribute(path):
    "An attribute of 65 MiB."
    file, group = table(path, libver="latest")
    group.attrs.create("TITLE", np.zeros(65 << 20, "i1"))
    file.close()


@hostile({"": "."})
def attribute_that_claims_four_gibibytes(path):
    "An attribute of 4660 bytes that claims 4 GiB."
    file, group = table(path)
    group.attrs.create("huge", np.zeros(0x1234, "i1"))
    file.close()
    claim = struct.pack("<Q", 0x1234)

    def lie(content):
        at = content.rfind(claim)
        assert at >= 0, "the file does not say how long the attribute is"
        content[at:at + 8] = struct.pack("<Q", 1 << 32)

    patch(path, lie)


@hostile({"attributes=20": "more attributes than the limit of 20"})
def many_attributes(path):
    "50 attributes."
    file, group = table(path)
    for i in range(50):
        group.attrs[f"a{i}"] = i
    file.close()


# --- Datatypes ------------------------------------------------------------------------------------

@hostile({"type-depth=32": "nested deeper than the limit of 32|datatypes? .*limit of 32|more than 64 levels"})
def datatype_nested_deep(path):
    "A datatype inside a datatype, 8,000 times: as deep as an object header holds."
    level = bytes([0x19, 0, 0, 0]) + struct.pack("<I", 16)
    integer = bytes([0x10, 8, 0, 0]) + struct.pack("<IHH", 4, 0, 32)
    failures = []

    def make():
        try:
            deep = h5py.h5t.decode(bytes([3, 0]) + level * 8_000 + integer)
            file, group = table(path)
            h5py.h5a.create(group.id, b"TITLE", deep, h5py.h5s.create(h5py.h5s.NULL))
            file.close()
        except Exception as trouble:
            failures.append(trouble)

    # The library recurses, which takes more than the stack of an ordinary thread.
    before = threading.stack_size(512 << 20)
    maker = threading.Thread(target=make)
    maker.start()
    maker.join()
    threading.stack_size(before)
    if failures:
        raise failures[0]


@hostile({"type-members=100": "limit of 100"})
def datatype_with_many_members(path):
    "A column of 200 fields."
    file, group = table(path)
    group.create_dataset("x", (4,), np.dtype([(f"f{i}", "i1") for i in range(200)]))
    file.close()


# --- Other files ----------------------------------------------------------------------------------
# Opening a pipe without a writer would block; reading another file would disclose its contents.

def secret_beside(path):
    secret = path.with_suffix(".secret")
    if not secret.exists():
        os.mkfifo(secret)
    return str(secret)


@hostile({"": "stored in external files, which are never opened"})
def rows_in_another_file(path):
    "A column whose rows are in an external file."
    file, group = table(path)
    group.create_dataset("x", (4,), "i4", fillvalue=-1,
                         external=[(secret_beside(path), 0, 16)])
    file.close()


@hostile({"": "a virtual dataset; its source files are never opened"})
def virtual_column(path):
    "A virtual dataset over another file."
    file, group = table(path)
    layout = h5py.VirtualLayout((4,), "i4")
    layout[:] = h5py.VirtualSource(secret_beside(path), "x", (4,))
    group.create_virtual_dataset("x", layout, fillvalue=-1)
    file.close()


@hostile({"": "external link"})
def link_to_another_file(path):
    "A column reached through an external link."
    file, group = table(path)
    group["x"] = h5py.ExternalLink(secret_beside(path), "/t")
    file.close()


@hostile({"": r"reference into another file, [^|\\]*\.secret(?: \||$)"})
def reference_to_another_file(path):
    "INDEX_COLUMNS refers to a dataset of another file."
    table = hep001.Table("/events", nrows=4)
    table.add_column("x", hep001.I32, [1, 2, 3, 4], fill=-1)
    table.attrs["INDEX_COLUMNS"] = refs([elsewhere(secret_beside(path), "/events/x")])
    write(table.file, str(path))


# --- The report -----------------------------------------------------------------------------------

@hostile({"answer=100kB": "limit of answer",
          "reports=1MB": "limit of reports was reached: .* exceed 1048576 bytes"})
def much_to_report(path):
    "2,000 columns, each with a name that is not allowed."
    file, group = table(path)
    for i in range(2000):
        group.create_dataset(f"_{i}" + 200 * "x", (4,), "i4")
    file.close()


@hostile({"": r"v\.\.\. \(40000002 bytes\).*o\.\.\. \(10000\d\d bytes\)"})
def long_texts(path):
    "A VERSION of 40 MB, 40 names of 1 MB in column-order, others of 60,000 bytes."
    file, group = table(path, libver="latest")
    del group.attrs["VERSION"]
    group.attrs["VERSION"] = np.bytes_(b"v" * 40_000_000)
    group.attrs["column-order"] = np.array([b"%02d" % i + 999_998 * b"o" for i in range(40)])
    group.attrs.create(60_000 * "a", 1)
    group.create_dataset("_" + 60_000 * "c", (4, 1), "i4")
    group.create_group("g" * 60_000).create_group("h" * 60_000).attrs["CLASS"] = "COLUMN_TABLE"
    file.close()


from . import hostile_lists  # noqa: E402, F401: registers further files
