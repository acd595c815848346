#!/usr/bin/env python3
"""The Python writer with one mistake each: `broken_writers.py NAME`. Used by writer_test.py, which names the
clauses that must detect it."""

import os
import time

from broken import Adapter, broken, runner  # first: it adds the path of the modules below

import h5py
import numpy
from h5py import h5a, h5f, h5i, h5s, h5t

import writer as good


class Appends(good.Writer):
    """An append whose steps a subclass executes in a different order."""

    steps = ("extend", "rows", "indexes", "flush", "commit", "flush")

    def append(self, path, where, columns, durable):
        file = self.open(path)
        table = self.reader.table(file, where)
        old, columns = self.start(table, columns)
        new = old + len(columns[0]["values"])

        def rows():
            for column in columns:
                self.write_values(table.column(column["name"]), old, column["values"])

        do = {"extend": lambda: self.extend(table, new), "rows": rows,
              "indexes": lambda: self.update_indexes(table, new),
              "flush": lambda: h5f.flush(file), "commit": lambda: self.put_rows(table.group, new)}
        for step in self.steps:
            do[step]()
        return {}

    def start(self, table, columns):
        return table.nrows, columns


@broken("append-commit-last", "append-extends-before-write", "append-writes-rows-before-commit",
        "append-updates-indexes-before-commit", "append-durable-flush-before-commit")
class CommitsFirst(Appends):
    steps = ("commit", "flush", "extend", "rows", "indexes", "flush")


@broken("append-commit-last", "append-updates-indexes-before-commit",
        "append-durable-flush-before-commit")
class IndexesLast(Appends):
    steps = ("extend", "rows", "commit", "indexes", "flush")


@broken("append-durable-flush-before-commit")
class FlushesOnce(Appends):
    steps = ("extend", "rows", "indexes", "commit", "flush")


@broken("append-commit-last")
class CommitsTwice(Appends):
    steps = ("extend", "rows", "indexes", "flush", "commit", "commit", "flush")


@broken("append-updates-indexes-before-commit", "append-deletes-unmaintained-indexes",
        shown_by=["every-index", "valid/11.2/append-deletes*"])
class ForgetsIndexes(Appends):
    steps = ("extend", "rows", "flush", "commit", "flush")


@broken("append-deletes-unmaintained-indexes", shown_by=["valid/11.2/append-deletes*"])
class KeepsUnknownIndexes(good.Writer):
    def rebuild_indexes(self, column, rows):
        kinds = [good.string_attribute(index, "KIND")
                 for index in good.references(column.dataset, "SEARCH_INDEX_LIST")]
        for kind in kinds:
            if self.reader.knows_kind(kind):
                self.drop(column, kind)
                self.build_index(column, kind, rows)


@broken("append-commit-last")
class ReplacesNrows(good.Writer):
    @staticmethod
    def put_rows(group, rows):
        h5a.delete(group, b"NROWS")
        h5a.create(group, b"NROWS", h5t.STD_U64LE, h5s.create(h5s.SCALAR)).write(
            numpy.array(rows, numpy.uint64))


@broken("append-reads-nrows", "append-preserves-existing-rows")
class AppendsAtTheFront(Appends):
    """Overwrites the last row, because its count is one too small."""

    def start(self, table, columns):
        if table.nrows == 0 or not columns[0]["values"]:
            return super().start(table, columns)
        return table.nrows - 1, [{**column, "values": [*column["values"][:1], *column["values"]]}
                                 for column in columns]


@broken("append-reads-nrows", shown_by=["integers"])
class AppendsAtTheExtent(Appends):
    """Treats the residue of a truncation as rows."""

    def start(self, table, columns):
        return table.column(table.names[0]).dataset.shape[0], columns


@broken("append-writes-rows-before-commit", shown_by=["strings"])
class LeavesGarbage(good.Writer):
    """Leaves new chunks of variable-length strings as uninitialised memory: lengths, and invalid
    addresses."""

    chunk = 3  # filled by the six rows of the table

    def write(self, path, table):
        columns = [{**column, "chunk": str(self.chunk)} for column in table["columns"]]
        return super().write(path, {**table, "columns": columns})

    def rebuild_indexes(self, column, rows):
        if column.type.get("size") != "variable":
            return super().rebuild_indexes(column, rows)
        for kind, _ in column.indexes():
            self.drop(column, kind)

    def write_values(self, column, first, values):
        if column.type.get("size") != "variable":
            return super().write_values(column, first, values)
        for row in range(first, first + len(values), self.chunk):
            column.dataset.write_direct_chunk((row,), bytes(range(1, 1 + 16 * self.chunk)))


@broken("append-removes-list-references")
class LeavesReferences(good.Writer):
    """When appending, deletes the indexes but not the references to them."""

    def update_indexes(self, table, rows):
        for name in table.names:
            column = table.column(name)
            for index in good.references(column.dataset, "SEARCH_INDEX_LIST"):
                group = h5py.Group(good.h5g.open(table.group, b"SEARCH_INDEXES"))
                for values in good.references(index, "VALUES"):
                    del group[h5i.get_name(values).decode()]
                del group[h5i.get_name(index).decode()]


@broken("inplace-updates-or-deletes-indexes")
class UpdatesCellsOnly(good.Writer):
    def update(self, path, where, name, rows, values):
        column = self.reader.table(self.open(path), where).column(name)
        for row, value in zip(rows, values):
            self.write_values(column, row, [value])
        return {}


@broken("truncate-updates-or-deletes-indexes")
class TruncatesRowsOnly(good.Writer):
    def truncate(self, path, where, rows, reclaim):
        table = self.reader.table(self.open(path), where)
        self.put_rows(table.group, rows)
        if reclaim:
            for name in table.names:
                table.column(name).dataset.set_extent((rows,))
        return {}


@broken("reclaim-by-rewrite")
class NeverReclaims(good.Writer):
    def truncate(self, path, where, rows, reclaim):
        return super().truncate(path, where, rows, False)


@broken("sorted-nan-tail-last")
class SortsNanFirst(good.Writer):
    def build_sorted(self, group, name, column, keys, nan, stored, fill):
        index = super().build_sorted(group, name, column, keys, nan, stored, fill)
        rows = h5py.Dataset(index)
        nans = sum(nan)
        if nans:
            rows[...] = numpy.roll(rows[...], nans)
        return index


@broken("producer-every-table-conformant", shown_by=["integers"])
class MissingAsZero(good.Writer):
    """Stores 0 for a missing number."""

    def write_column(self, group, column, extent):
        if column["type"]["class"] == "integer" and not column.get("categories"):
            column = {**column, "values": ["0" if value is None else value
                                           for value in column["values"]]}
        super().write_column(group, column, extent)


@broken("fill-user-defined", shown_by=["names"])
class NoFillValues(good.Writer):
    def write_column(self, group, column, extent):
        kept = good.hdf5.set_fill_value
        plain = column["type"]["class"] in ("integer", "float") and None not in column["values"]
        good.hdf5.set_fill_value = (lambda *_: None) if plain and not column.get("indexes") else kept
        try:
            super().write_column(group, column, extent)
        finally:
            good.hdf5.set_fill_value = kept


@broken("producer-not-require-uniform-storage", shown_by=["storage"])
class OneChunkLength(good.Writer):
    def write(self, path, table):
        chunk = next((column["chunk"] for column in table["columns"] if "chunk" in column), "64")
        columns = [{**column, "chunk": chunk} for column in table["columns"]]
        return super().write(path, {**table, "columns": columns})


@broken("producer-ordered-true-when-meaningful", shown_by=["categories"])
class NeverOrdered(good.Writer):
    def put_categories(self, group, dataset, name, categories):
        super().put_categories(group, dataset, name, {**categories, "ordered": False})


@broken("boolean-fill-gt-1", "producer-every-table-conformant", shown_by=["booleans"])
class NarrowBooleans(good.Writer):
    """Uses a datatype without a value for a missing boolean."""

    def write_column(self, group, column, extent):
        if column["type"]["class"] == "boolean":
            column = {**column, "fill": "1"}
        super().write_column(group, column, extent)


@broken("mutation-follows-section-11", shown_by=["one-row"])
class CrashesOnAppend(Adapter):
    def append(self, writer, request):
        os.abort()


@broken("producer-every-table-conformant", shown_by=["one-row"])
class Hangs(Adapter):
    def write(self, writer, request):
        if len(request["table"]["columns"]) == 1:
            time.sleep(3600)
        return super().write(writer, request)


run = runner(__name__, "writer")
