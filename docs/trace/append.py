"""Appends to a small file in ways that hepcheck trace distinguishes (docs/trace.md).

    python3 append.py make FILE INDEX     creates a table /t of 40 rows, and datasets /loose and /second that
                                          belong to no table; INDEX: extensible, tree, fixed
    python3 append.py WAY FILE            appends 60 rows, by one of the ways below
"""

import sys

import h5py
import numpy

OLD, NEW, STEP = 40, 100, 20
# The shape of the column determines which index libhdf5 uses for it.
SHAPES = {"extensible": ((OLD,), (None,), (16,)),
          "tree": ((OLD, 4), (None, None), (16, 4)),
          # More than 1024 chunks: a paged array, of which only the first page is in use.
          "fixed": ((OLD,), (40000,), (16,))}


def make(path, index="extensible"):
    shape, most, chunk = SHAPES[index]
    with h5py.File(path, "w", libver="latest") as file:
        table = file.create_group("t")
        table.attrs.create("CLASS", numpy.bytes_("COLUMN_TABLE"))
        table.attrs.create("VERSION", numpy.bytes_("1.0"))
        table.attrs.create("NROWS", numpy.uint64(OLD))
        values = numpy.arange(numpy.prod(shape), dtype="i4").reshape(shape)
        for name in ("t/x", "loose", "second"):
            file.create_dataset(name, data=values, maxshape=most, chunks=chunk)
        file["other"] = numpy.arange(4)


def append(x, begin, end):
    x.resize(end, axis=0)
    row = int(numpy.prod(x.shape[1:]))
    x[begin:end] = numpy.arange(begin * row, end * row, dtype="i4").reshape(-1, *x.shape[1:])


def careful(file):
    """Writes the rows, flushes, and only then writes their number."""
    append(file["t/x"], OLD, NEW)
    file.flush()
    file["t"].attrs.modify("NROWS", numpy.uint64(NEW))
    file.flush()


def commits_first(file):
    file["t"].attrs.modify("NROWS", numpy.uint64(NEW))
    file.flush()
    append(file["t/x"], OLD, NEW)
    file.flush()


def one_flush(file):
    """Writes rows and their number in one flush, under SWMR, where the library orders the writes."""
    file.swmr_mode = True
    append(file["t/x"], OLD, NEW)
    file["t"].attrs.modify("NROWS", numpy.uint64(NEW))
    file.flush()


def swmr(file):
    x = file["t/x"]
    file.swmr_mode = True
    for begin in range(OLD, NEW, STEP):
        append(x, begin, begin + STEP)
        x.flush()


def loose(file):
    """A dataset outside tables: all of its rows count as soon as its size includes them."""
    append(file["loose"], OLD, NEW)
    file.flush()


def loose_swmr(file):
    x = file["loose"]
    file.swmr_mode = True
    for begin in range(OLD, NEW, STEP):
        append(x, begin, begin + STEP)
        x.flush()


def pair_swmr(file):
    """Two such datasets, and one flush for both."""
    file.swmr_mode = True
    for name in ("loose", "second"):
        append(file[name], OLD, NEW)
    file.flush()


def far(file):
    """Writes a distant chunk: in a fixed array, the first one of a new page."""
    x = file["t/x"]
    file.swmr_mode = True
    x.resize(20000, axis=0)
    x[19990:20000] = 7
    x.flush()


def creates(file):
    file.swmr_mode = True
    file.create_dataset("more", (4,), "i4")
    file.flush()


def deletes(file):
    file.swmr_mode = True
    del file["other"]
    file.flush()


def shrinks(file):
    file.swmr_mode = True
    file["t/x"].resize(OLD // 2, axis=0)
    file.flush()


WAYS = (careful, commits_first, one_flush, swmr, loose, loose_swmr, pair_swmr, far, creates, deletes, shrinks)

if __name__ == "__main__":
    if len(sys.argv) < 3 or sys.argv[1] not in ("make", *(way.__name__ for way in WAYS)):
        sys.exit(__doc__ + "\n    " + ", ".join(way.__name__ for way in WAYS))
    if sys.argv[1] == "make":
        make(*sys.argv[2:])
    else:
        with h5py.File(sys.argv[2], "r+", libver="latest") as opened:
            globals()[sys.argv[1]](opened)
