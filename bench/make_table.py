"""Writes tables for the benchmark: `make_table.py FILE ROWS plain|compressed [COLUMNS]`, or `... FILE lists N`,
`... FILE many-columns N`, `... FILE many-tables N`. For the container: `... FILE many-datasets N`, `... FILE many-chunks N`.
The structure is written by the fixture generators; columns and indexes of millions of rows are
computed with numpy, because the generators are written for clarity, not for speed.
"""

import sys
from pathlib import Path

import h5py
import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from generators.hep001 import *  # noqa: E402,F403
from generators.hep001.datatypes import BOOL  # noqa: E402
from generators.hep001.indexes import minmax_type  # noqa: E402
from generators.hep001.lists import Level  # noqa: E402
from generators.hep001.objects import Dataset  # noqa: E402
from generators.hep001.table import Column  # noqa: E402
from generators.hep001.write import write  # noqa: E402

CHUNK = 65536                      # rows
BLOOM_K, BLOOM_BITS = 7, 1 << 20   # 16 bits per value
LABELS = ["signal", "noise", "pileup", "cosmic", "halo", "laser", "pedestal", "unknown"]
FILTERS = {"plain": {}, "compressed": {"shuffle": True, "deflate": 4}}


# --- Columns -------------------------------------------------------------------------------------

def timestamps(random, rows):
    values = np.cumsum(random.integers(1, 2000, rows)).astype("<i8")
    values[random.random(rows) < 0.001] = INT64_FILL
    return values


def energies(random, rows):
    values = np.round(random.gamma(2.0, 40.0, rows), 2).astype("<f8")
    values[random.random(rows) < 0.01] = np.nan
    values[random.random(rows) < 0.01] = FLOAT_FILL
    return values


def labels(random, rows):
    weights = np.array([40, 30, 10, 8, 5, 4, 2, 1]) / 100
    values = random.choice(len(LABELS), rows, p=weights).astype("i1")
    values[random.random(rows) < 0.001] = INT8_FILL
    return values


def names(random, rows):
    words = np.array([f"{prefix}{number:05d}".encode()
                      for prefix in ("ECAL", "hcal", "mu", "") for number in range(20000)], "S8")
    return words[random.integers(0, len(words), rows)]


def identifiers(random, rows):
    run = random.integers(300000, 300050, rows).astype("<u8")
    return (run << np.uint64(32)) | random.permutation(rows).astype("<u8")


# --- Indexes -------------------------------------------------------------------------------------

def chunk_minmax(values, fill):
    dtype = np.dtype([("min", values.dtype), ("max", values.dtype), ("nan_count", "<u8"),
                      ("fill_count", "<u8"), ("n", "<u8")])
    entries = np.zeros(-(-len(values) // CHUNK), dtype)
    for entry, start in zip(entries, range(0, len(values), CHUNK)):
        chunk = values[start:start + CHUNK]
        missing, nan = chunk == fill, chunk != chunk
        kept = chunk[~missing & ~nan]
        entry["min"], entry["max"] = kept.min(), kept.max()
        entry["nan_count"], entry["fill_count"], entry["n"] = nan.sum(), missing.sum(), len(chunk)
    return entries


def sorted_rows(values, fill):
    """The permutation, and the lengths of the NaN and fill value ranges at its end."""
    missing, nan = values == fill, values != values
    kept = np.flatnonzero(~missing & ~nan)
    order = kept[np.argsort(values[kept], kind="stable")]
    tails = np.flatnonzero(missing), np.flatnonzero(nan)
    return np.concatenate([order, *tails]).astype("<u8"), len(tails[1]), len(tails[0])


def bitmap(values, indexed):
    return np.stack([np.packbits(values == value, bitorder="little") for value in indexed])


def murmur3_of_uint64(values):
    """Both halves of MurmurHash3_x64_128, with seed 0, of each value as 8 little-endian bytes."""
    def u(number):
        return np.uint64(number)

    def finish(h):
        h = (h ^ (h >> u(33))) * u(0xFF51AFD7ED558CCD)
        h = (h ^ (h >> u(33))) * u(0xC4CEB9FE1A85EC53)
        return h ^ (h >> u(33))

    with np.errstate(over="ignore"):
        k = values * u(0x87C37B91114253D5)
        k = ((k << u(31)) | (k >> u(33))) * u(0x4CF5AD432745937F)
        h1, h2 = k ^ u(8), np.full_like(k, 8)
        h1 = h1 + h2
        h2 = h2 + h1
        h1, h2 = finish(h1), finish(h2)
        h1 = h1 + h2
        return h1, h2 + h1


def chunk_bloom(values, fill):
    filters = np.zeros((-(-len(values) // CHUNK), BLOOM_BITS // 8), "u1")
    for row, start in zip(filters, range(0, len(values), CHUNK)):
        chunk = values[start:start + CHUNK]
        a, b = murmur3_of_uint64(chunk[chunk != fill])
        bits = np.zeros(BLOOM_BITS, bool)
        with np.errstate(over="ignore"):
            for i in range(BLOOM_K):
                bits[(a + np.uint64(i) * b) % np.uint64(BLOOM_BITS)] = True
        row[:] = np.packbits(bits, bitorder="little")
    return filters


# --- The table -----------------------------------------------------------------------------------

class Builder:
    """First describes datasets; their values follow once the structure is in the file."""

    tokens = False  # which state of the table an index describes

    def __init__(self, rows, filters):
        self.table = Table("/events", nrows=rows)
        self.rows, self.filters, self.later = rows, filters, {}

    def column(self, name, type_id, values, fill):
        node = Column(type_id, shape=(self.rows,), fill=fill, chunk=min(CHUNK, self.rows),
                      **self.filters)
        self.later[f"/events/{name}"] = values
        return self.table.add(name, node)

    def index(self, column, name, kind, type_id, values, **attrs):
        node = self._below_search_indexes(name, type_id, values)
        node.attrs.update(KIND=ascii_text(kind), description=text("hepcheck benchmark"), **attrs)
        if self.tokens:
            node.attrs.update(SOURCE_GENERATION=uint64(1), SOURCE_NROWS=uint64(self.rows))
            self.table.attrs["GENERATION"] = uint64(1)
        column.indexes.append(node)
        column.attrs["SEARCH_INDEX_LIST"] = lambda: refs(column.indexes)

    def sorted_rows(self, column, name, values, fill):
        rows, nan_tail, fill_tail = sorted_rows(values, fill)
        self.index(column, name, "SORTED_ROWS", U64, rows, ordered=boolean(True),
                   nan_tail_length=uint64(nan_tail), fill_tail_length=uint64(fill_tail))

    def bitmap(self, column, name, values, indexed):
        listed = self._below_search_indexes(f"{name}__values", I8, np.array(indexed, "i1"))
        self.index(column, f"{name}__bitmap", "BITMAP", U8, bitmap(values, indexed),
                   VALUES=ref(listed), ordered=boolean(False))

    def _below_search_indexes(self, name, type_id, values):
        chunk = tuple(min(CHUNK, length) for length in values.shape)
        node = Dataset(type_id, shape=values.shape, chunk=chunk, **self.filters)
        self.later[f"/events/SEARCH_INDEXES/{name}"] = values
        return self.table.search_indexes.add(name, node)

    def write(self, path):
        write(self.table.file, path)
        with h5py.File(path, "r+") as file:
            for name, values in self.later.items():
                dataset = file[name].id
                dataset.write(h5py.h5s.ALL, h5py.h5s.ALL, np.ascontiguousarray(values),
                              dataset.get_type())


def add_timestamps(b, random, end):
    ts = timestamps(random, b.rows)
    b.index(b.column("ts" + end, I64, ts, INT64_FILL), f"ts{end}__minmax", "CHUNK_MINMAX", minmax_type(I64),
            chunk_minmax(ts, INT64_FILL))


def add_energies(b, random, end):
    energy = energies(random, b.rows)
    column = b.column("energy" + end, F64, energy, FLOAT_FILL)
    b.index(column, f"energy{end}__minmax", "CHUNK_MINMAX", minmax_type(F64),
            chunk_minmax(energy, FLOAT_FILL))
    b.sorted_rows(column, f"energy{end}__sorted", energy, FLOAT_FILL)


def add_labels(b, random, end):
    label = labels(random, b.rows)
    column = b.column("label" + end, I8, label, INT8_FILL)
    b.table.categorise("label" + end, LABELS)
    b.bitmap(column, "label" + end, label, list(range(len(LABELS))))


def add_names(b, random, end):
    name = names(random, b.rows)
    b.sorted_rows(b.column("name" + end, string(8), name, ""), f"name{end}__sorted", name, b"")


def add_identifiers(b, random, end):
    identifier = identifiers(random, b.rows)
    b.index(b.column("id" + end, U64, identifier, UINT64_FILL), f"id{end}__bloom", "CHUNK_BLOOM", U8,
            chunk_bloom(identifier, UINT64_FILL), k=uint16(BLOOM_K), m_bits=uint64(BLOOM_BITS),
            hash_family=ascii_text("murmur3_x64_128_double"), seed=uint32(0))


KINDS = [add_timestamps, add_energies, add_labels, add_names, add_identifiers]


def make_table(path, rows, kind, columns=len(KINDS)):
    """A wide table has several columns of each kind, and two list columns."""
    random = np.random.default_rng(20260616)
    wide = columns > len(KINDS)
    b = Lists(rows, FILTERS[kind]) if wide else Builder(rows, FILTERS[kind])
    for number in range(columns - 2 if wide else columns):
        KINDS[number % len(KINDS)](b, random, f"{number:02d}" if wide else "")
    if wide:
        add_lists(b, rows)
    b.write(path)


# --- Lists ---------------------------------------------------------------------------------------

class Lists(Builder):
    """List columns of random lengths; one in a hundred entries is null."""

    tokens = True

    def __init__(self, rows, filters):
        super().__init__(rows, filters)
        self.random = np.random.default_rng(20260709)

    def level(self, into, name, path, cls, entries):
        """A level with this number of entries, and its number of elements."""
        level = into.add(name, Level())
        level.attrs["CLASS"] = ascii_text(cls)
        if cls == "LIST_COLUMN":
            level.attrs["KIND"] = ascii_text("OFFSETS")
        lengths = self.random.integers(0, 4 if cls == "LIST_COLUMN" else 13, entries)
        present = self.random.random(entries) >= 0.01
        lengths[~present] = 0
        offsets = np.concatenate([[0], np.cumsum(lengths)]).astype("<u8")
        self.member(level, "OFFSETS", path, U64, offsets)
        self.member(level, "MASK", path, BOOL, present.astype("i1"))
        return level, int(offsets[-1])

    def member(self, level, name, path, type_id, values):
        level.add(name, Dataset(type_id, shape=values.shape, chunk=min(CHUNK, len(values))))
        self.later[f"{path}/{name}"] = values


def add_lists(b, entries):
    numbers, count = b.level(b.table, "numbers", "/events/numbers", "LIST_COLUMN", entries)
    b.member(numbers, "VALUES", "/events/numbers", F64, b.random.normal(size=count))
    words, count = b.level(b.table, "words", "/events/words", "LIST_COLUMN", entries)
    texts, count = b.level(words, "VALUES", "/events/words/VALUES", "STRING_VALUES", count)
    characters = b.random.integers(ord("a"), ord("z") + 1, count).astype("u1")
    b.member(texts, "CHARS", "/events/words/VALUES", U8, characters)


def make_lists(path, entries):
    b = Lists(entries, {})
    add_lists(b, entries)
    b.write(path)


# --- Many small objects --------------------------------------------------------------------------

def many_columns(path, count):
    t = Table("/events", nrows=4)
    for number in range(count):
        column = t.add_column(f"c{number:05d}", F32, [0.5, 1.5, 2.5, 3.5], fill=FLOAT_FILL)
        column.attrs["units"] = text("GeV")
    write(t.file, path)


def many_tables(path, count):
    file = File()
    for number in range(count):
        t = Table(f"/run{number // 100:03d}/t{number:05d}", file, nrows=2)
        t.add_column("x", I32, [1, 2], fill=INT32_FILL)
    write(file, path)


# --- Containers as libhdf5 writes them for SWMR readers -------------------------------------------

def many_datasets(path, count):
    """Datasets of two chunks each, a hundred per group."""
    with h5py.File(path, "w", libver="latest") as file:
        for number in range(count):
            dataset = file.create_dataset(f"g{number // 100:04d}/d{number:05d}", (100,), "f4",
                                          chunks=(50,), maxshape=(None,))
            dataset[:] = number


def many_chunks(path, count):
    size, together = 8, 80_000
    with h5py.File(path, "w", libver="latest") as file:
        dataset = file.create_dataset("d", (size * count,), "i1", chunks=(size,), maxshape=(None,))
        for begin in range(0, size * count, together):
            dataset[begin:begin + together] = 1


MANY = {"many-columns": many_columns, "many-tables": many_tables, "many-datasets": many_datasets,
        "many-chunks": many_chunks,
        "lists": make_lists}


def main(path, what, detail, columns=len(KINDS)):
    if what in MANY:
        MANY[what](path, int(detail))
    else:
        make_table(path, int(what), detail, int(columns))


if __name__ == "__main__":
    main(*sys.argv[1:])
