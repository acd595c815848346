#!/usr/bin/env python3
"""The Python writer with one mistake each in a member of the protocol: `broken_requests.py NAME`.
Used by writer_test.py, which requires a program for each member that a writer can get wrong."""

import os

from broken import Adapter, broken, runner  # first: it adds the path of the modules below

import h5py
import numpy
from h5py import h5f

import writer as good
from reader import Unsupported, references, string_attribute

ANEW, CHANGED = "producer-every-table-conformant", "mutation-follows-section-11"
APPENDED = "append-writes-rows-before-commit"


# write

def asks(members, says, *shown_by, clauses=(ANEW,)):
    """Registers a writer that receives a modified table: a function changes the table and its columns."""
    def register(change):
        class Writer(good.Writer):
            def write(self, path, table):
                table = {**table, "columns": [dict(column) for column in table["columns"]]}
                change(table, table["columns"])
                return super().write(path, table)
        Writer.__name__ = change.__name__
        broken(*clauses, members=members, says=says, shown_by=list(shown_by))(Writer)
    return register


@broken(ANEW, members="write.file", says="no such file", shown_by=["one-row"])
class WritesElsewhere(good.Writer):
    def write(self, path, table):
        return super().write(path + "5", table)


@broken(ANEW, members="write.table", says="requested", shown_by=["one-row"])
class WritesADemo(good.Writer):
    def write(self, path, table):
        return super().write(path, {"path": "/demo", "columns": [
            {"name": "x", "type": good.UINT64, "values": ["1", "2"]}]})


@broken(ANEW, members="write.table", says="unsupported", shown_by=["one-row"])
class WritesNothing(good.Writer):
    def write(self, path, table):
        raise Unsupported("not yet")


@asks("description.path", "requested", "one-row")
def WritesToTheRoot(table, columns):
    table["path"] = "/"


@asks("description.title", "title", "awkward-texts")
def TidiesTitles(table, columns):
    table["title"] = " ".join(table["title"].split())


@asks("description.description", "description", "awkward-texts")
def OneLineDescriptions(table, columns):
    table["description"] = table["description"].partition("\n")[0]


@asks("description.units_vocabulary", "units_vocabulary", "units")
def NoVocabularyForAll(table, columns):
    table["units_vocabulary"] = None


@asks("description.row_labels", "row_labels", "row-labels")
def LabelsInOrderOfColumns(table, columns):
    table["row_labels"] = [column["name"] for column in columns
                           if column["name"] in table["row_labels"]]


@asks("description.preallocate", "preallocated", "preallocated")
def PreallocatesNothing(table, columns):
    del table["preallocate"]


@asks("description.columns", "column", "integers", clauses=["column-is-direct-child-dataset"])
def EightColumnsAreTooMany(table, columns):
    columns[7:] = []


@asks("description.columns", "requested", "row-labels")
def SortsColumns(table, columns):
    columns.sort(key=lambda column: column["name"])


@asks("asked.name", "column", "names", clauses=[ANEW, "column-is-direct-child-dataset"])
def NamesForIdentifiers(table, columns):
    for column in columns:
        column["name"] = column["name"].replace(" ", "_")


@asks("asked.values", "row", "awkward-numbers")
def NumbersAsDoubles(table, columns):
    for column in columns:
        if column["type"]["class"] == "integer":
            column["values"] = [str(int(float(value))) if value and abs(int(value)) < 2**60 else value
                                for value in column["values"]]


@asks("asked.values", "row", "awkward-texts")
def TextsForC(table, columns):
    for column in columns:
        column["values"] = [value.partition("\0")[0] if isinstance(value, str) else value
                            for value in column["values"]]


@asks("asked.fill", "fill value", "fills")
def ChoosesFills(table, columns):
    for column in columns:
        column.pop("fill", None)


@asks("asked.valid_min", "valid_min", "fills")
def RangesThatBeginEarly(table, columns):
    columns[1]["valid_min"] = "9"


@asks("asked.valid_max", "valid_max", "range")
def RangesThatEndEarly(table, columns):
    columns[1]["valid_max"] = "32766"


@asks("asked.valid_min asked.valid_max", "valid_m", "fills")
def DeclaresNoRange(table, columns):
    for column in columns:
        column.pop("valid_min", None)
        column.pop("valid_max", None)


@asks("asked.domain", "value of the domain", "domain", clauses=["sentinel-in-domain-other-fill"])
def KnowsNoDomain(table, columns):
    for column in columns:
        column.pop("domain", None)


@asks("asked.units", "units", "awkward-texts")
def StripsUnits(table, columns):
    for column in columns:
        column["units"] = column.get("units") and column["units"].strip()


@asks("asked.units_vocabulary", "units_vocabulary", "units")
def OneVocabulary(table, columns):
    for column in columns:
        column["units_vocabulary"] = None


@asks("asked.description", "description", "awkward-texts")
def DescribesNoColumns(table, columns):
    for column in columns:
        column["description"] = None


@asks("asked.categories", "categorical", "labels")
def LabelsOfOrderAlone(table, columns):
    for column in columns:
        if not column["categories"]["ordered"]:
            column["categories"] = None


@asks("asked.chunk", "chunks of", "one-chunk", "every-index", clauses=["producer-not-require-uniform-storage"])
def ChunksOfSixtyFour(table, columns):
    for column in columns:
        column.pop("chunk", None)


@asks("asked.filters", "filters", "storage", clauses=["producer-not-require-uniform-storage"])
def NoChecksums(table, columns):
    for column in columns:
        column["filters"] = [name for name in column.get("filters", []) if name != "fletcher32"]


@asks("asked.indexes", "no index", "every-index")
def BuildsNoBitmaps(table, columns):
    for column in columns:
        column["indexes"] = [kind for kind in column["indexes"] if kind != "BITMAP"]


@asks("categories.type", "categories type", "labels")
def LabelsOfEightBytes(table, columns):
    for column in columns:
        if column["categories"]["type"]["class"] == "integer":
            column["categories"] = {**column["categories"], "type": {
                **column["categories"]["type"], "size": 8}}


@asks("categories.labels", "column year", "labels")
def SortsLabels(table, columns):
    columns[0]["categories"] = {**columns[0]["categories"], "labels": ["2010", "2020", "2030"]}


@asks("categories.ordered", "ordered", "labels", clauses=["producer-ordered-not-true-otherwise"])
def AlwaysOrdered(table, columns):
    for column in columns:
        column["categories"] = {**column["categories"], "ordered": True}


def types_with(member, change, *shown_by, says="type"):
    """Registers a writer that misreads one member of each datatype."""
    def wrong(kind):
        kind = {name: [[part[0], wrong(part[1])] for part in value] if name == "fields"
                else wrong(value) if name == "base" else value for name, value in kind.items()}
        return {name: change(value) if name == member else value for name, value in kind.items()}

    def types(table, columns):
        for column in columns:
            column["type"] = wrong(column["type"])
    types.__name__ = "Type_" + member
    asks("type." + member + " asked.type", says, *shown_by)(types)


types_with("order", lambda order: "little", "big-endian")
types_with("charset", lambda charset: "utf-8", "strings")
types_with("padding", lambda padding: "null-pad", "strings")
types_with("tag", str.upper, "composites")
types_with("members", lambda members: members[::-1], "big-endian")
types_with("dims", lambda dims: [numpy.prod(dims).item()], "big-endian")


# append

@broken(APPENDED, "append-durable-flush-before-commit", members="append.columns values_of.name", says="row", shown_by=["integers"])
class AppendsByPosition(good.Writer):
    def append(self, path, where, columns, durable):
        names = self.reader.table(self.open(path), where).names
        return super().append(path, where, [{**column, "name": name}
                                            for name, column in zip(names, columns)], durable)


@broken(CHANGED, members="append.columns", says="append no rows", shown_by=["one-row"])
class AppendsSomething(good.Writer):
    def append(self, path, where, columns, durable):
        if not columns[0]["values"]:
            raise ValueError("there is nothing to append")
        return super().append(path, where, columns, durable)


@broken("append-durable-flush-before-commit", "append-durable-flush-after-commit",
        "append-flush-after-commit", members="append.durable", says="no flush", shown_by=["one-row"])
class FlushesUnlessDurable(good.Writer):
    def append(self, path, where, columns, durable):
        kept = h5f.flush
        if durable:
            good.h5f.flush = lambda *_: None
        try:
            return super().append(path, where, columns, not durable)
        finally:
            good.h5f.flush = kept


@broken(APPENDED, members="values_of.values", says="row", shown_by=["all-missing"])
class AppendsZerosForMissing(good.Writer):
    def append(self, path, where, columns, durable):
        return super().append(path, where, [
            {**column, "values": ["0" if value is None and column["name"] == "n" else value
                                  for value in column["values"]]} for column in columns], durable)


@broken("append-preserves-existing-rows", "append-reads-nrows", says="row 7|first row written is 7",
        shown_by=["borders"])
class BeginsAChunkEarly(good.Writer):
    """If the rows fill their chunk, overwrites the last row."""

    def write_values(self, column, first, values):
        if first == 8 and column.name == "n":
            first -= 1
        super().write_values(column, first, values)


@broken("append-writes-rows-before-commit", says="row 11", shown_by=["borders"])
class LeavesAFullChunk(good.Writer):
    """Does not write the last of the new rows if they end with a chunk."""

    def write_values(self, column, first, values):
        if first and (first + len(values)) % column.chunk(first) == 0 and column.name == "n":
            values = values[:-1]
        super().write_values(column, first, values)


@broken(CHANGED, says="the table is empty", shown_by=["empty"])
class NeedsARow(good.Writer):
    def append(self, path, where, columns, durable):
        if self.reader.table(self.open(path), where).nrows == 0:
            raise ValueError("the table is empty")
        return super().append(path, where, columns, durable)


# truncate

@broken("nrows-is-row-count", members="truncate.rows", says="rows", shown_by=["integers"])
class TruncatesOneRowLess(good.Writer):
    def truncate(self, path, where, rows, reclaim):
        return super().truncate(path, where, rows if reclaim else rows + 1, reclaim)


@broken("nrows-is-row-count", members="truncate.rows", says="0 rows", shown_by=["integers"])
class KeepsARow(good.Writer):
    def truncate(self, path, where, rows, reclaim):
        return super().truncate(path, where, rows if reclaim else max(rows, 1), reclaim)


@broken("reclaim-by-rewrite", members="truncate.reclaim", says="rows long", shown_by=["integers"])
class ReclaimsNothing(good.Writer):
    def truncate(self, path, where, rows, reclaim):
        return super().truncate(path, where, rows, False)


@broken(CHANGED, says="valid_m|fill value", shown_by=["fills"])
class ReclaimsWithoutBounds(good.Writer):
    """Reclaims storage by creating the column again without its range."""

    def truncate(self, path, where, rows, reclaim):
        made = super().truncate(path, where, rows, reclaim)
        if reclaim:
            group = h5py.File(path, "r+")[where]
            for name in group:
                for attribute in "valid_min", "valid_max":
                    if isinstance(group[name], h5py.Dataset) and attribute in group[name].attrs:
                        del group[name].attrs[attribute]
        return made


# update

@broken(CHANGED, members="update.column", says="row", shown_by=["every-index"])
class UpdatesTheFirstColumn(good.Writer):
    def update(self, path, where, name, rows, values):
        table = self.reader.table(self.open(path), where)
        same = [other for other in table.names if table.column(other).type == table.column(name).type]
        return super().update(path, where, same[0] if len(same) > 1 else table.names[0], rows,
                              [None if value is None else "7" for value in values]
                              if same[0] == name and table.names[0] != name else values)


@broken(CHANGED, members="update.rows", says="row", shown_by=["integers"])
class UpdatesInOrderOfRows(good.Writer):
    def update(self, path, where, name, rows, values):
        return super().update(path, where, name, sorted(rows), values)


@broken(CHANGED, members="update.rows", says="at no rows", shown_by=["integers"])
class UpdatesSomeRows(good.Writer):
    def update(self, path, where, name, rows, values):
        return super().update(path, where, name, range(min(rows), max(rows) + 1) if not rows else rows, values)


@broken(CHANGED, members="update.values", says="row", shown_by=["integers"])
class UpdatesWithOneValue(good.Writer):
    def update(self, path, where, name, rows, values):
        return super().update(path, where, name, rows, values[:1] * len(rows))


@broken(CHANGED, members="update.column", says="lost the index", shown_by=["every-index"])
class UpdatesDropAllIndexes(good.Writer):
    def update(self, path, where, name, rows, values):
        table = self.reader.table(self.open(path), where)
        for other in table.names:
            for index in references(table.column(other).dataset, "SEARCH_INDEX_LIST"):
                self.drop(table.column(other), string_attribute(index, "KIND"))
        return super().update(path, where, name, rows, values)


# Indexes

@broken(CHANGED, members="add-index.column", says="index|already exists", shown_by=["every-index"])
class BuildsOverTheFirstColumn(good.Writer):
    def add_index(self, path, where, name, kind):
        table = self.reader.table(self.open(path), where)
        return super().add_index(path, where, table.names[0] if name == table.names[-1] else name, kind)


@broken(CHANGED, members="add-index.kind", says="index|is not there", shown_by=["every-index"])
class BuildsBitmapsForFilters(good.Writer):
    def add_index(self, path, where, name, kind):
        if kind != "CHUNK_BLOOM":
            super().add_index(path, where, name, kind)
        return {}


@broken(CHANGED, members="drop-index.column", says="lost the index", shown_by=["every-index"])
class DropsOfEveryColumn(good.Writer):
    def drop_index(self, path, where, name, kind):
        table = self.reader.table(self.open(path), where)
        for other in table.names:
            super().drop_index(path, where, other, kind)
        return {}


@broken(CHANGED, members="drop-index.kind", says="lost the index", shown_by=["every-index"])
class DropsAllIndexes(good.Writer):
    def drop_index(self, path, where, name, kind):
        for index in good.KINDS:
            super().drop_index(path, where, name, index)
        return {}


@broken(CHANGED, members="drop-index.kind", says="lost the index|still there|already exists", shown_by=["every-index"])
class DropsTheFirstIndex(good.Writer):
    def drop_index(self, path, where, name, kind):
        listed = references(self.reader.table(self.open(path), where).column(name).dataset,
                            "SEARCH_INDEX_LIST")
        return super().drop_index(path, where, name, string_attribute(listed[0], "KIND"))


good.KINDS = ("CHUNK_MINMAX", "SORTED_ROWS", "BITMAP", "CHUNK_BLOOM")


# Defects that a writer may leave in a file.

def leaves(says):
    """Registers a writer that modifies the file after writing it."""
    def register(change):
        class Writer(good.Writer):
            def write(self, path, table):
                super().write(path, table)
                change(path)
                return {}
        Writer.__name__ = change.__name__
        broken(ANEW, says=says, shown_by=["one-row"])(Writer)
    return register


@leaves("no such file")
def LeavesNothing(path):
    os.remove(path)


@leaves("empty|not")
def LeavesNoBytes(path):
    os.truncate(path, 0)


@leaves("truncated|eof|end")
def LeavesHalfAFile(path):
    os.truncate(path, os.path.getsize(path) // 2)


@leaves("directory")
def LeavesAFolder(path):
    os.remove(path)
    os.mkdir(path)


@leaves("not a regular file")
def LeavesAPipe(path):
    os.remove(path)
    os.mkfifo(path)


@leaves("cannot|symbolic|loop|links")
def LeavesALoop(path):
    os.remove(path)
    os.symlink(path, path)


@leaves("no single table")
def LeavesTwoTables(path):
    with h5py.File(path, "r+") as file:
        file.copy("/t", "/again")


run = runner(__name__, "writer")
