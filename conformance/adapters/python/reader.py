"""A reader of HEP001 tables on h5py. Every decision that the specification requires is a separate method,
in the terms of the specification."""

import ctypes

import h5py
from h5py import h5a, h5d, h5f, h5g, h5i, h5l, h5o, h5t

import hdf5
import indexes
import notation
from conversation import Refused, Unsupported
from notation import is_nan, key

MAJOR, MINOR = 1, 0


def string_attribute(owner, name):
    """The value of a string attribute in any storage form; None if it is absent."""
    if not h5a.exists(owner, name.encode()):
        return None
    values = string_attributes(owner, name)
    return values[0] if len(values) == 1 else None


def string_attributes(owner, name):
    attribute = h5a.open(owner, name.encode())
    tid = attribute.get_type()
    if tid.get_class() != h5t.STRING:
        return []
    buffer = hdf5.attribute_bytes(attribute)
    count = attribute.get_space().get_simple_extent_npoints()
    values = [notation.decode(tid, ctypes.addressof(buffer) + i * tid.get_size())
              for i in range(count)]
    return [value if isinstance(value, str) else repr(value) for value in values]


def number_attribute(owner, name, default=None):
    """A scalar integer or enumeration attribute."""
    if not h5a.exists(owner, name.encode()):
        return default
    attribute = h5a.open(owner, name.encode())
    tid = attribute.get_type()
    data = hdf5.attribute_bytes(attribute).raw[:tid.get_size()]
    return int(notation.integer(tid.get_super() if tid.get_class() == h5t.ENUM else tid, data))


def references(owner, name):
    """The objects that a HEP001 reference attribute refers to; none if it is absent."""
    if not h5a.exists(owner, name.encode()):
        return []
    attribute = h5a.open(owner, name.encode())
    if not attribute.get_type().equal(hdf5.STD_REF):
        raise Refused(f"{name} is not of datatype H5T_STD_REF")
    return [target for target in hdf5.referenced_objects(attribute) if target is not None]


def decode_all(tid, buffer, count):
    """The elements of a buffer. Equal bytes, pointers included, are decoded once."""
    start, size, data = ctypes.addressof(buffer), tid.get_size(), buffer.raw
    decoded = {}
    for i in range(count):
        element = data[i * size:(i + 1) * size]
        if element not in decoded:
            decoded[element] = notation.decode(tid, start + i * size)
    return [decoded[data[i * size:(i + 1) * size]] for i in range(count)]


class Column:
    def __init__(self, reader, table, name):
        self.reader, self.table, self.name = reader, table, name
        self.dataset = h5d.open(table.group, name.encode())
        self.tid = self.dataset.get_type()
        self.type = notation.describe_type(self.tid)

    def chunk(self, extent):
        plist = self.dataset.get_create_plist()
        if plist.get_layout() == h5d.CHUNKED:
            return plist.get_chunk()[0]
        return max(extent, 1)

    def fill(self):
        """The user-defined fill value in the notation, or None."""
        plist = self.dataset.get_create_plist()
        if plist.fill_value_defined() != h5d.FILL_VALUE_USER_DEFINED:
            return None
        element = hdf5.fill_value(plist, self.tid)
        return notation.decode(self.tid, ctypes.addressof(element))

    def values(self, first, count):
        """Values as stored, missing ones as None."""
        stored = self.stored(first, count)
        fill = self.fill()
        if fill is None:
            return stored
        missing = {}  # by the identity of the value: equal elements share one
        for value in stored:
            if id(value) not in missing:
                missing[id(value)] = self.reader.is_missing(self.type, value, fill)
        return [None if missing[id(value)] else value for value in stored]

    def stored(self, first, count):
        buffer, free = hdf5.read_rows(self.dataset, first, count)
        try:
            return decode_all(self.tid, buffer, count)
        finally:
            free()

    def categories(self):
        """The categories dataset of a categorical column, or None."""
        return self.reader.categories(self)

    def indexes(self):
        """(KIND, dataset) of the search indexes of this column, of the supported kinds."""
        found = [(string_attribute(index, "KIND"), index)
                 for index in self.reader.index_datasets(self)]
        return [(kind, index) for kind, index in found if self.reader.knows_kind(kind)]


class Table:
    def __init__(self, reader, group, path):
        self.reader, self.group, self.path = reader, group, path
        self.version = string_attribute(group, "VERSION") or ""
        reader.check_version(self.version)
        self.names = reader.column_names(self)
        self.nrows = reader.row_count(self)

    def column(self, name):
        if name not in self.names:
            raise KeyError(f"{self.path} has no column {name}")
        return Column(self.reader, self, name)


class Reader:
    table_class = Table

    def __init__(self):
        self.diagnostics = []

    # Finding tables

    def open(self, path):
        return h5f.open(path.encode(), h5f.ACC_RDONLY)

    def table_groups(self, file):
        """(path, group) of every table group, each group once, regardless of the number of links to it."""
        seen, found, queue = set(), [], [("/", h5g.open(file, b"/"))]
        while queue:
            path, group = queue.pop(0)
            if hdf5.identity(group) in seen:
                continue
            seen.add(hdf5.identity(group))
            if self.is_table(group):
                found.append((path, group))
                continue
            for name, child in hard_links(group):
                if isinstance(child, h5g.GroupID):
                    queue.append((path.rstrip("/") + "/" + name, child))
        return found

    def is_table(self, group):
        return string_attribute(group, "CLASS") == "COLUMN_TABLE"

    def table(self, file, path):
        group = h5g.open(file, path.encode())
        if not self.is_table(group):
            raise Refused(f"{path} is not a table group")
        return self.table_class(self, group, path)

    def check_version(self, text):
        parts = text.split(".")
        try:
            major = int(parts[0])
        except ValueError:
            raise Refused(f"VERSION {text!r} is none") from None
        if major > MAJOR:
            raise Refused(f"VERSION {text} is of a later major revision than {MAJOR}.{MINOR}")

    # The table

    def row_count(self, table):
        rows = number_attribute(table.group, "NROWS")
        if rows is None:
            raise Refused(f"{table.path} has no NROWS")
        return rows

    def column_names(self, table):
        """The rank-1 datasets directly in the table group, in the order of column-order if there
        is one."""
        names = []
        for link in table.group:
            path = table.path.rstrip("/") + "/" + link.decode()
            if table.group.links.get_info(link).type != h5l.TYPE_HARD:
                self.diagnose(path, "a link that is no hard link")
                continue
            child = h5o.open(table.group, link)
            if self.is_column(child):
                names.append(link.decode())
            elif not (isinstance(child, h5g.GroupID)
                      and link in (b"CATEGORIES", b"SEARCH_INDEXES")):
                self.diagnose(path, "HEP001 does not describe this object")
        if h5a.exists(table.group, b"column-order"):
            order = string_attributes(table.group, "column-order")
            names.sort(key=lambda name: order.index(name) if name in order else len(order))
        return names

    def is_column(self, child):
        return isinstance(child, h5d.DatasetID) and child.get_space().get_simple_extent_ndims() == 1

    def diagnose(self, path, message):
        self.diagnostics.append({"path": path, "message": message})

    def row_labels(self, table):
        names = {hdf5.identity(table.column(name).dataset): name for name in table.names}
        return [names[hdf5.identity(target)] for target in references(table.group, "INDEX_COLUMNS")]

    def is_missing(self, kind, value, fill):
        """The canonical missing-value test (8.5)."""
        return self.are_equal(key(kind, fill), key(kind, value))

    def are_equal(self, one, other):
        """Compares part by part; NaN with any bits is NaN."""
        if isinstance(one, (list, tuple)):
            return len(one) == len(other) and all(map(self.are_equal, one, other))
        return is_nan(other) if is_nan(one) else one == other

    def units(self, column):
        return string_attribute(column.dataset, "units")

    def units_vocabulary(self, column):
        own = string_attribute(column.dataset, "units_vocabulary")
        return own if own is not None else string_attribute(column.table.group, "units_vocabulary")

    def categories(self, column):
        targets = references(column.dataset, "CATEGORIES")
        return targets[0] if targets else None

    def is_ordered(self, dataset):
        return number_attribute(dataset, "ordered", 0) != 0

    def label(self, labels, code):
        return labels[int(code)]

    # Replies

    def describe(self, path, mode="lenient"):
        file = self.open(path)
        tables, refused = [], []
        for where, group in self.table_groups(file):
            try:
                tables.append(self.describe_table(self.table_class(self, group, where)))
            except Refused as refusal:
                refused.append({"path": where, "reason": str(refusal)})
        if mode == "strict" and self.diagnostics:
            raise Refused("objects that HEP001 does not describe")
        return {"tables": tables, "refused": refused}

    def describe_table(self, table):
        return {"path": table.path, "version": table.version, "rows": str(table.nrows),
                "title": string_attribute(table.group, "TITLE"),
                "description": string_attribute(table.group, "description"),
                "row_labels": self.row_labels(table),
                "columns": [self.describe_column(table.column(name)) for name in table.names]}

    def describe_column(self, column):
        made = {"name": column.name, "type": column.type, "units": self.units(column),
                "units_vocabulary": self.units_vocabulary(column),
                "description": string_attribute(column.dataset, "description"),
                "categories": None}
        if (dataset := column.categories()) is not None:
            made["categories"] = {"type": notation.describe_type(dataset.get_type()),
                                  "labels": self.labels(dataset),
                                  "ordered": self.is_ordered(dataset)}
        return made

    def labels(self, dataset):
        tid, count = dataset.get_type(), dataset.get_space().get_simple_extent_npoints()
        buffer, free = hdf5.read_rows(dataset, 0, count)
        try:
            start = ctypes.addressof(buffer)
            return [notation.decode(tid, start + i * tid.get_size()) for i in range(count)]
        finally:
            free()

    def read(self, path, where, names=None, first=0, count=None):
        table = self.table(self.open(path), where)
        count = table.nrows - first if count is None else count
        if first + count > table.nrows:
            raise ValueError(f"{where} has {table.nrows} rows")
        return {"columns": [self.read_column(table.column(name), first, count)
                            for name in (table.names if names is None else names)]}

    def read_column(self, column, first, count):
        made = {"name": column.name, "values": column.values(first, count)}
        if (dataset := column.categories()) is not None:
            labels = self.labels(dataset)
            made["labels"] = [None if code is None else self.label(labels, code)
                              for code in made["values"]]
        return made

    # Queries

    def query(self, path, where, predicate, mode):
        table = self.table(self.open(path), where)
        column = table.column(predicate["column"])
        query = Query(column, predicate)
        if mode in ("none", "default"):  # indexes of the file are not trusted (16)
            return {"rows": query.scan(), "used": []}
        for kind, index in column.indexes():
            candidates = query.candidates(kind, index)
            if candidates is None:
                continue
            rows = query.scan(candidates)
            if mode == "verify" and rows != query.scan():
                self.diagnose(h5i.get_name(index).decode(), "this index hides rows or adds some")
                break
            return {"rows": rows, "used": [kind]}
        return {"rows": query.scan(), "used": []}

    def index_datasets(self, column):
        return references(column.dataset, "SEARCH_INDEX_LIST")

    def knows_kind(self, kind):
        return kind in ("CHUNK_MINMAX", "SORTED_ROWS", "BITMAP", "CHUNK_BLOOM")

    def bloom_seed(self, index):
        return number_attribute(index, "seed")

    def values_dataset(self, index):
        return references(index, "VALUES")[0]

    def query_bytes(self, kind, value):
        """The bytes that a Bloom filter hashes for a value."""
        return indexes.canonical(kind, value)


class Query:
    """A predicate over one column. The result is the matching rows as decimal strings, in order."""

    def __init__(self, column, predicate):
        self.column, self.kind, self.test = column, column.type, predicate["test"]
        self.low = self.high = None
        if self.test == "equal":
            self.low = self.high = key(self.kind, predicate["value"])
        elif self.test == "range":
            if not notation.has_order(self.kind):
                raise Unsupported("the datatype has no order")
            self.low, self.high = (None if predicate.get(side) is None else
                                   key(self.kind, predicate[side]) for side in ("min", "max"))

    def matches(self, value, stored):
        if self.test == "missing":
            return value is None
        if self.test == "nan":
            return is_nan(key(self.kind, stored))
        if value is None or is_nan(found := key(self.kind, value)):
            return False
        if self.test == "equal":
            return found == self.low
        return ((self.low is None or found >= self.low)
                and (self.high is None or found <= self.high))

    def scan(self, candidates=None):
        nrows = self.column.table.nrows
        values = self.column.values(0, nrows)
        stored = self.column.stored(0, nrows) if self.test == "nan" else values
        rows = range(nrows) if candidates is None else sorted(candidates)
        return [str(r) for r in rows if self.matches(values[r], stored[r])]

    def candidates(self, kind, index):
        """Rows that may match, by an index; None if the index cannot answer the query."""
        if self.test == "nan" or self.test == "missing" and kind != "CHUNK_MINMAX":
            return None
        if self.test == "range" and kind in ("BITMAP", "CHUNK_BLOOM"):
            return None
        return {"CHUNK_MINMAX": self.by_minmax, "SORTED_ROWS": self.by_sorted_rows,
                "BITMAP": self.by_bitmap, "CHUNK_BLOOM": self.by_bloom}[kind](index)

    def rows_of_chunk(self, number):
        nrows = self.column.table.nrows
        chunk = self.column.chunk(nrows)
        return range(number * chunk, min((number + 1) * chunk, nrows))

    def chunk_count(self):
        nrows = self.column.table.nrows
        return -(-nrows // self.column.chunk(nrows))

    def elements(self, index):
        """Values of a rank-1 index dataset in the notation."""
        return self.column.reader.labels(index)

    def by_minmax(self, index):
        found, fill = set(), self.column.fill()
        nan_fill = fill is not None and is_nan(key(self.kind, fill))
        for number, entry in enumerate(self.elements(index)[:self.chunk_count()]):
            low, high = entry[:2]
            nan_count, fill_count, n = map(int, entry[2:])
            if self.test == "missing":
                hit = fill_count > 0
            else:
                # min and max are then placeholders. If the fill value is NaN, both counts are equal.
                empty = nan_count == n or fill_count == n or not nan_fill and nan_count + fill_count == n
                low, high = key(self.kind, low), key(self.kind, high)
                hit = not empty and ((self.high is None or low <= self.high)
                                     and (self.low is None or high >= self.low))
            if hit:
                found.update(self.rows_of_chunk(number))
        return found

    def by_sorted_rows(self, index):
        """Binary search: reads only the rows at the two boundaries."""
        nrows = self.column.table.nrows
        rows = [int(r) for r in self.elements(index)]
        if len(rows) > nrows:  # residue of a larger table
            rows = [r for r in rows if r < nrows]
        values = self.column.values(0, nrows)
        keys = [None if value is None else key(self.kind, value) for value in values]
        while rows and (keys[rows[-1]] is None or is_nan(keys[rows[-1]])):
            rows.pop()  # the fill value and NaN ranges at the end
        start, end = 0, len(rows)
        if self.low is not None:
            start = first_row(rows, lambda r: keys[r] is None or keys[r] >= self.low)
        if self.high is not None:
            end = first_row(rows, lambda r: keys[r] is None or keys[r] > self.high)
        return set(rows[start:end])

    def by_bitmap(self, index):
        # A value that is not indexed may occur in any row.
        values = self.elements(self.column.reader.values_dataset(index))
        wanted = [k for k, value in enumerate(values) if key(self.kind, value) == self.low]
        if not wanted:
            return None
        bits = read_bytes(index)[wanted[0]]
        return {r for r in range(self.column.table.nrows) if bits[r >> 3] >> (r & 7) & 1}

    def by_bloom(self, index):
        if is_nan(self.low):
            return None
        k, m_bits = number_attribute(index, "k"), number_attribute(index, "m_bits")
        seed = self.column.reader.bloom_seed(index)
        data = self.column.reader.query_bytes(self.kind, self.low)
        filters = read_bytes(index)[:self.chunk_count()]
        return {r for number, row in enumerate(filters)
                if indexes.bloom_has(row, data, k, m_bits, seed)
                for r in self.rows_of_chunk(number)}


def first_row(rows, test):
    low, high = 0, len(rows)
    while low < high:
        middle = (low + high) // 2
        if test(rows[middle]):
            high = middle
        else:
            low = middle + 1
    return low


def read_bytes(index):
    """The rows of a rank-2 uint8 dataset."""
    rows = h5py.Dataset(index)[...]
    return [bytes(row) for row in rows]


def hard_links(group):
    """(name, object) of every hard link to a group or dataset."""
    for name in group:
        if group.links.get_info(name).type == h5l.TYPE_HARD:
            child = h5o.open(group, name)
            if isinstance(child, (h5g.GroupID, h5d.DatasetID)):
                yield name.decode(), child
