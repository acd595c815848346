"""A writer of HEP001 tables on h5py. The steps of chapter 11 are methods, in their order."""

import math

import numpy
from h5py import h5a, h5d, h5f, h5g, h5i, h5p, h5s, h5t

import hdf5
import indexes
import notation
from conversation import Unsupported
from notation import BOOLEAN, Encoder, is_nan, key, make_type
from reader import Reader, references, string_attribute

UINT64 = {"class": "integer", "size": 8, "order": "little", "signed": False}
RECOMMENDED_FLOAT = {2: "7c01", 4: "7cf00000", 8: "479e000000000000"}  # float16: a NaN
CHUNK = 64
PROVENANCE = "built by the hepcheck Python adapter"


def fixed(text, *, ascii=False):
    size = len(text.encode()) + 1 if ascii else max(len(text.encode()), 1)
    return {"class": "string", "size": size, "charset": "ascii" if ascii else "utf-8",
            "padding": "null-term" if ascii else "null-pad"}


def put_attribute(owner, name, kind, value):
    """A scalar attribute, or a one-dimensional one for a list."""
    tid, values = make_type(kind), value if isinstance(value, list) else [value]
    space = h5s.create_simple((len(values),)) if isinstance(value, list) else h5s.create(h5s.SCALAR)
    if h5a.exists(owner, name.encode()):
        h5a.delete(owner, name.encode())
    encoder = Encoder()
    hdf5.write_attribute(owner, name, tid, space, encoder.elements(tid, values))


def put_text(owner, name, text, **options):
    if text is not None:
        put_attribute(owner, name, fixed(text, **options), text)


def unsigned(size):
    return {"class": "integer", "size": size, "order": "little", "signed": False}


# Fill values (8.5)

def candidates(kind):
    """Candidates for the fill value, the recommended one first."""
    cls, size = kind["class"], kind.get("size")
    if cls == "boolean":
        return ["2"]
    if cls == "integer":
        bits = kind.get("precision", 8 * size)
        low, high = (-2**(bits - 1), 2**(bits - 1) - 1) if kind["signed"] else (0, 2**bits - 1)
        return [str(n) for n in ([low + 1, low, high, 0] if kind["signed"] else [high, low, high - 1])]
    if cls == "float":
        nan = {2: "7e00", 4: "7fc00000", 8: "7ff8000000000000"}[size]
        lowest = {2: "fbff", 4: "ff7fffff", 8: "ffefffffffffffff"}[size]
        return [{"bits": bits} for bits in (RECOMMENDED_FLOAT[size], nan, lowest)]
    if cls == "string":
        return ["", "-", "?", "NA"]
    if cls == "enum":
        codes = {code for _, code in kind["members"]}
        missing = [code for name, code in kind["members"] if name == "MISSING"]
        return missing + [code for code in candidates(kind["base"]) if code not in codes]
    if cls == "compound":
        return [[candidates(inner)[0] for _, inner in kind["fields"]]]
    if cls == "array":
        return [candidates(kind["base"])[0:1] * math.prod(kind["dims"])]
    if cls == "vlen":
        return [[], [candidates(kind["base"])[0]]]
    return [notation.raw(byte * size) for byte in (b"\xff", b"\0", b"\xfe", b"\x80")]


def choose_fill(kind, values, low, high, any_value):
    """A fill value that does not occur and is outside the declared range."""
    used = {repr(key(kind, value)) for value in values if value is not None}
    nan_used = any(value is not None and is_nan(key(kind, value)) for value in values)
    for number, fill in enumerate(candidates(kind)):
        found = key(kind, fill)
        if (repr(found) in used or is_nan(found) and nan_used or any_value and number == 0 or
                low is not None and key(kind, low) <= found and found <= key(kind, high)):
            continue
        return fill
    raise Unsupported("no fill value is free")


class Writer:
    reader_class = Reader

    def __init__(self):
        self.reader = self.reader_class()

    @property
    def diagnostics(self):
        return []

    def open(self, path):
        return h5f.open(path.encode(), h5f.ACC_RDWR)

    # write

    def write(self, path, table):
        file = h5f.create(path.encode(), h5f.ACC_EXCL)
        links = h5p.create(h5p.LINK_CREATE)
        links.set_create_intermediate_group(True)
        where = table["path"].encode()
        group = h5g.open(file, b"/") if where == b"/" else h5g.create(file, where, lcpl=links)
        rows = len(table["columns"][0]["values"]) if table["columns"] else 0
        extent = max(rows, int(table.get("preallocate") or 0))
        put_text(group, "VERSION", "1.0", ascii=True)
        put_attribute(group, "NROWS", UINT64, "0")
        for name, member in (("TITLE", "title"), ("description", "description"),
                             ("units_vocabulary", "units_vocabulary")):
            put_text(group, name, table.get(member))
        names = [column["name"] for column in table["columns"]]
        if names:
            kind = fixed(max(names, key=lambda name: len(name.encode())))
            put_attribute(group, "column-order", kind, names)
        for column in table["columns"]:
            self.write_column(group, column, extent)
        self.put_row_labels(group, table["path"], table.get("row_labels") or [])
        put_text(group, "CLASS", "COLUMN_TABLE", ascii=True)
        self.put_rows(group, rows)
        for column in table["columns"]:
            for kind in column.get("indexes") or []:
                self.build_index(self.reader.table(file, table["path"]).column(column["name"]), kind)
        return {}

    def write_column(self, group, column, extent):
        kind, tid, values = column["type"], make_type(column["type"]), column["values"]
        low, high = column.get("valid_min"), column.get("valid_max")
        any_value = column.get("domain") == "any"
        fill = column.get("fill")
        if fill is None:
            fill = self.choose_fill(kind, values, low, high, any_value)
        encoder = Encoder()
        plist = h5p.create(h5p.DATASET_CREATE)
        if fill is not None:
            hdf5.set_fill_value(plist, tid, encoder.element(tid, fill))
        plist.set_chunk((int(column.get("chunk") or CHUNK),))
        for name in column.get("filters") or []:
            {"shuffle": plist.set_shuffle, "deflate": lambda: plist.set_deflate(4),
             "fletcher32": plist.set_fletcher32}[name]()
        space = h5s.create_simple((extent,), (h5s.UNLIMITED,))
        dataset = h5d.create(group, column["name"].encode(), tid, space, plist)
        hdf5.write_rows(dataset, 0, len(values), self.encoded(encoder, tid, values, fill))
        if (any_value or self.sentinel_is_a_value(kind, values)) and low is None:
            low, high = self.range_of(kind, values)
        if low is not None:
            numeric = notation.describe_type(tid)
            put_attribute(dataset, "valid_min", numeric, low)
            put_attribute(dataset, "valid_max", numeric, high)
        for name in "units", "units_vocabulary", "description":
            put_text(dataset, name, column.get(name))
        if column.get("categories"):
            self.put_categories(group, dataset, column["name"], column["categories"])

    def choose_fill(self, *given):
        return choose_fill(*given)

    @staticmethod
    def encoded(encoder, tid, values, fill):
        return encoder.elements(tid, [fill if value is None else value for value in values])

    @staticmethod
    def sentinel_is_a_value(kind, values):
        sentinel = candidates(kind)[0]
        return any(value is not None and value == sentinel for value in values)

    @staticmethod
    def range_of(kind, values):
        if kind["class"] not in ("integer", "float"):
            return None, None
        numbers = [value for value in values
                   if value is not None and not is_nan(key(kind, value))]
        return (min(numbers, key=lambda v: key(kind, v)),
                max(numbers, key=lambda v: key(kind, v))) if numbers else (None, None)

    def put_categories(self, group, dataset, name, categories):
        inside = self.subgroup(group, b"CATEGORIES")
        tid, labels, encoder = make_type(categories["type"]), categories["labels"], Encoder()
        made = h5d.create(inside, f"{name}__CATEGORIES".encode(), tid,
                          h5s.create_simple((len(labels),)))
        hdf5.write_rows(made, 0, len(labels), encoder.elements(tid, labels))
        put_attribute(made, "ordered", BOOLEAN, str(int(categories["ordered"])))
        hdf5.write_references(dataset, "CATEGORIES", [h5i.get_name(made).decode()], scalar=True)

    @staticmethod
    def subgroup(group, name):
        return h5g.open(group, name) if name in group else h5g.create(group, name)

    @staticmethod
    def put_row_labels(group, path, names):
        if names:
            hdf5.write_references(group, "INDEX_COLUMNS",
                                  [path.rstrip("/") + "/" + name for name in names], scalar=False)
            put_text(group, "_index", names[0])

    @staticmethod
    def put_rows(group, rows):
        """The commit: NROWS is written in place."""
        h5a.open(group, b"NROWS").write(numpy.array(rows, numpy.uint64))

    # append (11.2)

    def append(self, path, where, columns, durable):
        file = self.open(path)
        table = self.reader.table(file, where)
        old, new = table.nrows, table.nrows + len(columns[0]["values"])
        self.extend(table, new)
        for column in columns:
            self.write_values(table.column(column["name"]), old, column["values"])
        self.update_indexes(table, new)
        if durable:
            h5f.flush(file)
        self.put_rows(table.group, new)
        h5f.flush(file)
        return {}

    @staticmethod
    def extend(table, rows):
        extent = max([rows, *(table.column(name).dataset.shape[0] for name in table.names)])
        for name in table.names:
            dataset = table.column(name).dataset
            if dataset.shape[0] < extent:
                dataset.set_extent((extent,))

    def write_values(self, column, first, values):
        encoder, fill = Encoder(), column.fill()
        hdf5.write_rows(column.dataset, first, len(values),
                        self.encoded(encoder, column.tid, values, fill))

    def update_indexes(self, table, rows):
        """Updates every index to describe `rows` rows; an index that cannot be built is deleted."""
        for name in table.names:
            self.rebuild_indexes(table.column(name), rows)

    def rebuild_indexes(self, column, rows):
        kinds = [string_attribute(index, "KIND") for index in
                 references(column.dataset, "SEARCH_INDEX_LIST")]
        for kind in kinds:
            self.drop(column, kind)
        for kind in kinds:
            if self.reader.knows_kind(kind):
                self.build_index(column, kind, rows)

    # truncate (11.4), update (11.5)

    def truncate(self, path, where, rows, reclaim):
        file = self.open(path)
        table = self.reader.table(file, where)
        self.update_indexes(table, rows)
        self.put_rows(table.group, rows)
        h5f.flush(file)
        if reclaim:
            for name in table.names:
                table.column(name).dataset.set_extent((rows,))
        return {}

    def update(self, path, where, name, rows, values):
        file = self.open(path)
        column = self.reader.table(file, where).column(name)
        kinds = [kind for kind, _ in column.indexes()]
        for index in references(column.dataset, "SEARCH_INDEX_LIST"):
            self.drop(column, string_attribute(index, "KIND"))
        for row, value in zip(rows, values):
            self.write_values(column, row, [value])
        for kind in kinds:
            self.build_index(column, kind)
        h5f.flush(file)
        return {}

    # Indexes

    def add_index(self, path, where, name, kind):
        file = self.open(path)
        self.build_index(self.reader.table(file, where).column(name), kind)
        return {}

    def drop_index(self, path, where, name, kind):
        file = self.open(path)
        self.drop(self.reader.table(file, where).column(name), kind)
        return {}

    def list_indexes(self, column, paths):
        if h5a.exists(column.dataset, b"SEARCH_INDEX_LIST"):
            h5a.delete(column.dataset, b"SEARCH_INDEX_LIST")
        if paths:
            hdf5.write_references(column.dataset, "SEARCH_INDEX_LIST", paths, scalar=False)

    def drop(self, column, kind):
        """First removes the reference from the list, then deletes the index from the file."""
        listed = references(column.dataset, "SEARCH_INDEX_LIST")
        going = [index for index in listed if string_attribute(index, "KIND") == kind]
        self.list_indexes(column, [h5i.get_name(index).decode() for index in listed
                                   if index not in going])
        group = h5g.open(column.table.group, b"SEARCH_INDEXES")
        for index in going:
            for values in references(index, "VALUES"):
                group.unlink(h5i.get_name(values).rpartition(b"/")[2])
            group.unlink(h5i.get_name(index).rpartition(b"/")[2])

    @staticmethod
    def index_name(column, kind):
        return f"{column.name}__{kind.lower()}"

    def build_index(self, column, kind, rows=None):
        """Builds the index completely before it adds the reference."""
        rows = column.table.nrows if rows is None else rows
        index = self.write_content(column, kind, rows)
        put_text(index, "KIND", kind, ascii=True)
        put_text(index, "description", PROVENANCE)
        self.sign(index, column.table, rows)
        listed = [h5i.get_name(other).decode()
                  for other in references(column.dataset, "SEARCH_INDEX_LIST")]
        self.list_indexes(column, [*listed, h5i.get_name(index).decode()])

    def sign(self, index, table, rows):
        """Writes tokens, if the revision has any."""

    def write_content(self, column, kind, rows):
        """The contents of an index for the first rows."""
        group = self.subgroup(column.table.group, b"SEARCH_INDEXES")
        stored, fill = column.stored(0, rows), column.fill()
        keys, nan = [], []
        for value in stored:
            found = key(column.type, value)
            missing = fill is not None and self.reader.is_missing(column.type, value, fill)
            keys.append(None if missing else found)
            nan.append(is_nan(found))
        build = {"CHUNK_MINMAX": self.build_minmax, "SORTED_ROWS": self.build_sorted,
                 "BITMAP": self.build_bitmap, "CHUNK_BLOOM": self.build_bloom}[kind]
        return build(group, self.index_name(column, kind), column, keys, nan, stored, fill)

    @staticmethod
    def dataset(group, name, kind, values):
        """Creates a rank-1 dataset of values in the notation, or a rank-2 array of bytes."""
        encoder = Encoder()
        tid = make_type(kind)
        made = h5d.create(group, name.encode(), tid, h5s.create_simple((len(values),)))
        hdf5.write_rows(made, 0, len(values), encoder.elements(tid, values))
        return made

    @staticmethod
    def bits(group, name, rows, width):
        made = h5d.create(group, name.encode(), h5t.STD_U8LE, h5s.create_simple((len(rows), width)))
        if rows and width:
            made.write(h5s.ALL, h5s.ALL, numpy.frombuffer(b"".join(rows), "u1"), h5t.STD_U8LE)
        return made

    def require_order(self, column):
        if not notation.has_order(column.type):
            raise Unsupported("the datatype has no order")

    def build_minmax(self, group, name, column, keys, nan, stored, fill):
        self.require_order(column)
        stored_as = dict(zip(map(repr, keys), stored))
        entries = [[fill if low is None else stored_as[repr(low)],
                    fill if high is None else stored_as[repr(high)], str(nans), str(fills), str(n)]
                   for low, high, nans, fills, n in
                   indexes.chunk_minmax(keys, column.chunk(len(keys)), None, nan)]
        kind = {"class": "compound", "fields": [["min", column.type], ["max", column.type]] + [
            [field, UINT64] for field in ("nan_count", "fill_count", "n")]}
        return self.dataset(group, name, kind, entries)

    def build_sorted(self, group, name, column, keys, nan, stored, fill):
        self.require_order(column)
        rows, nans, fills = indexes.sorted_rows(keys, nan)
        index = self.dataset(group, name, UINT64, [str(row) for row in rows])
        put_attribute(index, "nan_tail_length", UINT64, str(nans))
        put_attribute(index, "fill_tail_length", UINT64, str(fills))
        put_attribute(index, "ordered", BOOLEAN, "1")
        return index

    def build_bitmap(self, group, name, column, keys, nan, stored, fill):
        distinct = {repr(found): (found, value) for found, value in zip(keys, stored)
                    if found is not None and not is_nan(found)}
        if column.type["class"] == "float":  # both zeros are the same value
            distinct = {found: (found, value) for found, value in distinct.values()}
        values = [value for _, value in distinct.values()]
        index = self.bits(group, name, indexes.bitmap(keys, [k for k, _ in distinct.values()]),
                          (len(keys) + 7) // 8)
        listed = self.dataset(group, f"{column.name}__bitmap_values", column.type, values)
        hdf5.write_references(index, "VALUES", [h5i.get_name(listed).decode()], scalar=True)
        put_attribute(index, "ordered", BOOLEAN, "0")
        return index

    def build_bloom(self, group, name, column, keys, nan, stored, fill):
        if column.type["class"] not in ("integer", "float", "string", "opaque"):
            raise Unsupported("no canonical bytes for the datatype")
        chunk = column.chunk(len(keys))
        k, m_bits = 4, 8 * max(8, -(-10 * chunk // 8))
        index = self.bits(group, name, indexes.chunk_bloom(column.type, keys, chunk, k, m_bits, 0),
                          m_bits // 8)
        put_attribute(index, "k", unsigned(2), str(k))
        put_attribute(index, "m_bits", UINT64, str(m_bits))
        put_text(index, "hash_family", "murmur3_x64_128_double", ascii=True)
        put_attribute(index, "seed", unsigned(4), "0")
        return index
