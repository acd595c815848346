"""A conformant table as a description that a recipe mutates in one place.

Derived contents are computed when the file is written, so they remain correct when a
recipe changes their source: `column-order` from the columns, NROWS and SOURCE_NROWS from `nrows`,
GENERATION and SOURCE_GENERATION from `generation`, SEARCH_INDEX_LIST from the indexes of a column, the
values and datatype of an index from its column. Assigning to one of these fixes it; the values of an index
are fixed as soon as they are read.
"""

from dataclasses import dataclass, field
from typing import Any

from . import indexes
from .datatypes import F32, F64, I8, I16, I64, U8, U32, U64, string
from .lists import TEXTS, Level, list_level
from .objects import (DEFAULT, NULL_SPACE, UNDEFINED, Dataset, File, Group, ascii_text, boolean,
                      ref, refs, text, uint16, uint32, uint64)

# Table 1 of section 8.5
INT8_FILL, INT16_FILL, INT32_FILL, INT64_FILL = (1 - 2 ** (bits - 1) for bits in (8, 16, 32, 64))
UINT8_FILL, UINT16_FILL, UINT32_FILL, UINT64_FILL = (2 ** bits - 1 for bits in (8, 16, 32, 64))
FLOAT_FILL = 9.9692099683868690e+36
NAN, INF = float("nan"), float("inf")

PROVENANCE = "hepcheck fixture generators, 2026-06-16"
GENERATION = 3  # as of a table that was written to before


@dataclass(eq=False)
class Column(Dataset):
    """`values` contains all rows up to the extent, including the reserved ones at the end."""

    indexes: list = field(default_factory=list, kw_only=True)
    categories: Any = field(default=None, kw_only=True)

    @property
    def fill_value(self):
        return None if self.fill in (DEFAULT, UNDEFINED) else self.fill


class Index(Dataset):
    """A search-index dataset over one column. Reading `values` computes them, once.

    It is stored in extensible chunks, and has the current tokens of the table.
    """

    grows = 0  # the dimension that grows with the table

    def __init__(self, table, column):
        self.table, self.column = table, column
        self._layout = {}
        super().__init__(None)
        self.attrs["KIND"] = ascii_text(self.kind)
        self.attrs["description"] = text(PROVENANCE)
        self.attrs["SOURCE_GENERATION"] = lambda: uint64(self.table.generation)
        self.attrs["SOURCE_NROWS"] = lambda: uint64(self.table.nrows)

    @property
    def chunk(self):
        if self._layout.get("chunk"):
            return self._layout["chunk"]
        return self._can_grow() and tuple(max(length, 1) for length in self.dims())

    @chunk.setter
    def chunk(self, chunk):
        self._layout["chunk"] = chunk

    @property
    def maxshape(self):
        if self._layout.get("maxshape") or not self._can_grow():
            return self._layout.get("maxshape")
        return tuple(None if d == self.grows else length or None
                     for d, length in enumerate(self.dims()))

    @maxshape.setter
    def maxshape(self, maxshape):
        self._layout["maxshape"] = maxshape

    def _can_grow(self):
        """Unless it has another layout, or no dimension that can grow."""
        dims, fixed = self.dims(), self.compact or self.external or self.virtual
        return (not fixed and dims != NULL_SPACE and len(dims) > self.grows) or None

    @property
    def values(self):
        if self._values is None:
            self._values = self._compute()
        return self._values

    @values.setter
    def values(self, values):
        self._values = values

    @property
    def type(self):
        return self._type or self._default_type()

    @type.setter
    def type(self, type_id):
        self._type = type_id

    def _default_type(self):
        return U8


class ChunkMinmax(Index):
    """Values: one dict per chunk with min, max, nan_count, fill_count, n."""

    kind = "CHUNK_MINMAX"

    def _default_type(self):
        return indexes.minmax_type(self.column.type)

    def _compute(self):
        return indexes.chunk_minmax(self.column, self.table.nrows)


class SortedRows(Index):
    """Values: row numbers."""

    kind = "SORTED_ROWS"

    def __init__(self, table, column):
        super().__init__(table, column)
        self.attrs["nan_tail_length"] = lambda: uint64(self._tails()[0])
        self.attrs["fill_tail_length"] = lambda: uint64(self._tails()[1])
        self.attrs["ordered"] = boolean(True)

    def _tails(self):
        return indexes.tail_lengths(self.column, self.table.nrows)

    def _default_type(self):
        return U64

    def _compute(self):
        return indexes.sorted_rows(self.column, self.table.nrows)


class Bitmap(Index):
    """Values: one bytearray per indexed value. `indexed` is the accompanying values dataset."""

    kind = "BITMAP"
    grows = 1

    def __init__(self, table, column, values):
        super().__init__(table, column)
        self.indexed = Dataset(column.type, values)
        self.attrs["VALUES"] = ref(self.indexed)
        self.attrs["ordered"] = boolean(False)

    def _compute(self):
        return indexes.bitmap(self.column, self.table.nrows, self.indexed.values)

    def dims(self):
        return (len(self.values), -(-self.table.nrows // 8)) if self.shape is None else self.shape


class ChunkBloom(Index):
    """Values: one bytearray per chunk."""

    kind = "CHUNK_BLOOM"

    def __init__(self, table, column, k=3, m_bits=64, seed=0):
        super().__init__(table, column)
        self.k, self.m_bits, self.seed = k, m_bits, seed
        self.attrs["k"] = lambda: uint16(self.k)
        self.attrs["m_bits"] = lambda: uint64(self.m_bits)
        self.attrs["hash_family"] = ascii_text("murmur3_x64_128_double")
        self.attrs["seed"] = lambda: uint32(self.seed)

    def _compute(self):
        return indexes.chunk_bloom(self.column, self.table.nrows, self.k, self.m_bits, self.seed)

    def dims(self):
        return (len(self.values), self.m_bits // 8) if self.shape is None else self.shape


_FAMILIES = {family.kind: family for family in (ChunkMinmax, SortedRows, Bitmap, ChunkBloom)}


class Table(Group):
    """A table group in a file; `path` is its path."""

    def __init__(self, at="/events", file=None, nrows=0):
        super().__init__()
        self.path, self.nrows, self.generation = at, nrows, GENERATION
        if at == "/":
            self.file = File(self)
        else:
            self.file = file or File()
            self.file.put(at, self)
        self.attrs["CLASS"] = ascii_text("COLUMN_TABLE")
        self.attrs["VERSION"] = ascii_text("1.0")
        self.attrs["NROWS"] = lambda: uint64(self.nrows)
        self.attrs["column-order"] = lambda: text([*self.columns(), *self.list_columns()])

    def columns(self):
        """Those that are datasets."""
        return self._children(Column)

    def list_columns(self):
        return self._children(Level)

    def _children(self, kind):
        return {name: child for name, child in self.children.items()
                if isinstance(child, kind) and not child.deleted}

    def column(self, name):
        return self.columns()[name]

    def add_column(self, name, type_id, values, fill, **options):
        return self.add(name, Column(type_id, values, fill=fill, **options))

    def list_column(self, name):
        return self.list_columns()[name]

    def add_list(self, name, leaf, entries, **options):
        """A list column; see lists.list_level."""
        return self.add(name, list_level(entries, leaf, **options))

    def label_rows_by(self, *names):
        """Row index columns, outermost first."""
        self.attrs["INDEX_COLUMNS"] = refs([self.column(name) for name in names])
        self.attrs["_index"] = text(names[0])

    @property
    def categories(self):
        """The CATEGORIES group, created on first use."""
        return self.children.get("CATEGORIES") or self.add("CATEGORIES", Group())

    @property
    def search_indexes(self):
        """The SEARCH_INDEXES group, created on first use."""
        return self.children.get("SEARCH_INDEXES") or self.add("SEARCH_INDEXES", Group())

    def categorise(self, column_name, labels):
        """Makes a column categorical; `labels` is a list of strings or a Dataset."""
        column = self.column(column_name)
        if isinstance(labels, list):
            labels = Dataset(text(labels).type, labels, attrs={"ordered": boolean(False)})
        if labels not in self.categories.children.values():
            self.categories.add(column_name + "__CATEGORIES", labels)
        column.categories = labels
        column.attrs["CATEGORIES"] = lambda: ref(column.categories)
        return labels

    def add_index(self, column_name, kind, name=None, **options):
        """Options: `values` (BITMAP); `k`, `m_bits`, `seed` (CHUNK_BLOOM)."""
        column = self.column(column_name)
        index = _FAMILIES[kind](self, column, **options)
        self.search_indexes.add(name or f"{column_name}__{kind.lower()}", index)
        if kind == "BITMAP":
            self.search_indexes.add(f"{column_name}__values", index.indexed)
        column.indexes.append(index)
        self.attrs.setdefault("GENERATION", lambda: uint64(self.generation))
        column.attrs["SEARCH_INDEX_LIST"] = lambda: refs(column.indexes)
        return index

    def index(self, column_name, kind):
        return next(index for index in self.column(column_name).indexes if index.kind == kind)

    def remove_index(self, index):
        """Removes an index, and its values dataset, from the table and from the list of its column."""
        for node in (index, getattr(index, "indexed", None)):
            if node in self.search_indexes.children.values():
                self.search_indexes.remove(self.search_indexes.name_of(node))
        index.column.indexes.remove(index)
        if not index.column.indexes:
            del index.column.attrs["SEARCH_INDEX_LIST"]


def small_table(at="/events", file=None):
    """The smallest table without findings: two columns of 5 rows, contiguous."""
    t = Table(at, file, nrows=5)
    t.add_column("id", U32, [10, 11, 12, 13, 14], fill=UINT32_FILL)
    t.add_column("energy", F32, [0.5, 1.5, -2.5, 3.5, 4.5], fill=FLOAT_FILL)
    return t


def good_table(at="/events", file=None):
    """A table with all features of HEP001: 10 rows, extent 16, chunks of 4, every family of indexes.

    Rows 10 to 15 are reserved storage full of garbage, which includes all of chunk 3.
    """
    t = Table(at, file, nrows=10)
    t.attrs["TITLE"] = text("Sample run")
    t.add_column("row_id", U64, [100 + r for r in range(16)], fill=UINT64_FILL, chunk=4)
    t.add_column("ts", I64, [50, 40, 40, 70, 10, INT64_FILL, 90, 10, -30, 60,
                             999, -999, 1, 2, 3, 4], fill=INT64_FILL, chunk=4)
    t.add_column("energy", F64, [1.5, NAN, -2.25, FLOAT_FILL, 1.5, 0.0, INF, NAN, FLOAT_FILL, 8.5,
                                 NAN, FLOAT_FILL, -1e9, 1e9, 5.0, 6.0], fill=FLOAT_FILL, chunk=4)
    t.add_column("label", I8, [0, 1, 2, 1, INT8_FILL, 0, 0, 2, 1, 1,
                               99, -5, 0, 1, 2, INT8_FILL], fill=INT8_FILL, chunk=4)
    t.add_column("name", string(8), ["muon", "pion", "", "kaon", "muon", "d\u00e9j\u00e0",
                                     "tau", "", "eta", "rho",
                                     "junk", "", "a", "b", "c", "d"], fill="", chunk=4)
    t.column("energy").attrs["units"] = text("MeV")
    t.column("ts").attrs["units"] = text("s")
    t.column("ts").attrs["description"] = text("Event timestamp.")
    t.label_rows_by("row_id")
    t.categorise("label", ["signal", "noise", "pileup"])
    t.add_index("ts", "CHUNK_MINMAX")
    t.add_index("ts", "SORTED_ROWS")
    t.add_index("energy", "CHUNK_MINMAX")
    t.add_index("energy", "SORTED_ROWS")
    t.add_index("label", "BITMAP", values=[0, 1, 2])
    t.add_index("name", "CHUNK_BLOOM")
    return t


def without_tokens(t):
    """A table and its indexes as a writer of 2026-06-16 leaves them."""
    t.attrs.pop("GENERATION", None)
    for index in (index for column in t.columns().values() for index in column.indexes):
        for token in "SOURCE_GENERATION", "SOURCE_NROWS":
            index.attrs.pop(token, None)


def list_table(at="/events", file=None):
    """The smallest table with a list column of every form: numbers, strings, lists."""
    t = small_table(at, file)
    t.add_list("readings", F32, [[0.5, 1.5], None, [], [2.5], [3.5, 4.5, -1.0]])
    t.add_list("tags", TEXTS, [["muon", "d\u00e9j\u00e0"], [], ["", None, "tau"], [], ["pion"]])
    t.add_list("tracks", I16, [[[1, 2], []], [], None, [None, [3]], [[4, 5, 6]]], depth=2)
    return t


def outermost(t):
    """The levels of a list_table() that a recipe may mutate: each family of rules is tested on all."""
    return t.list_column("readings")


def nested(t):
    return t.list_column("tracks").elements


def texts(t):
    return t.list_column("tags").elements
