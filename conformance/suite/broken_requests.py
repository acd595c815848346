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

ABSENT = object()


def put(container, key, value):
    if value is ABSENT:
        container.pop(key, None)
    else:
        container[key] = value


def asks(name, members, says, files, clauses, change):
    """Registers a writer that receives a modified table."""
    class Writer(good.Writer):
        def write(self, path, table):
            table = {**table, "columns": [dict(column) for column in table["columns"]]}
            change(table)
            return super().write(path, table)
    Writer.__name__ = name
    broken(*clauses.split(), members=members, says=says, shown_by=files)(Writer)


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


def short(most):
    """Texts of at most this many bytes."""
    return lambda text: text[:most] if isinstance(text, str) else text


def in_32_bits(value):
    if isinstance(value, list):
        return [in_32_bits(each) for each in value]
    return value and str((int(value) + 2**31) % 2**32 - 2**31)


def as_single(value):
    return str(int(numpy.float32(int(value))))


# Members of the table, and their values in the modified one.
for name, members, says, files, clauses, change in (
        ("WritesToTheRoot", "path", "requested", "one-row", ANEW, lambda table: "/"),
        ("TidiesTitles", "title", "title", "awkward-texts", ANEW, lambda table: " ".join(table["title"].split())),
        ("TitlesOf255", "title", "title", "long-texts", ANEW, lambda table: short(255)(table["title"])),
        ("DescriptionsOf300", "description", "description", "long-texts", ANEW, lambda table: short(300)(table["description"])),
        ("OneLineDescriptions", "description", "description", "awkward-texts", ANEW,
         lambda table: table["description"].partition("\n")[0]),
        ("NoVocabularyForAll", "units_vocabulary", "units_vocabulary", "units", ANEW, lambda table: None),
        ("LabelsInOrderOfColumns", "row_labels", "row_labels", "row-labels", ANEW,
         lambda table: [column["name"] for column in table["columns"] if column["name"] in table["row_labels"]]),
        ("PreallocatesNothing", "preallocate", "preallocated", "preallocated", ANEW, lambda table: ABSENT),
        ("EightColumnsAreTooMany", "columns", "column", "integers", "column-is-direct-child-dataset",
         lambda table: table["columns"][:7]),
        ("SortsColumns", "columns", "requested", "row-labels", ANEW,
         lambda table: sorted(table["columns"], key=lambda column: column["name"]))):
    asks(name, "description." + members, says, [files], clauses,
         lambda table, members=members, change=change: put(table, members, change(table)))


def narrowed(value):
    return str(int(float(value))) if value and abs(int(value)) < 2**60 else value


def labelled(column, **changes):
    return {**column["categories"], **changes}


def labels_of_eight_bytes(column):
    kind = column["categories"]["type"]
    return labelled(column, type={**kind, "size": 8}) if kind["class"] == "integer" else column["categories"]


# Members of each column, and their values in the modified ones.
STORAGE = "producer-not-require-uniform-storage"
for name, members, says, files, clauses, change in (
        ("NamesForIdentifiers", "name", "column", "names", f"{ANEW} column-is-direct-child-dataset",
         lambda column: column["name"].replace(" ", "_")),
        ("NumbersAsDoubles", "values", "row", "awkward-numbers", ANEW, lambda column: [
            narrowed(value) if column["type"]["class"] == "integer" else value for value in column["values"]]),
        ("TextsForC", "values", "row", "awkward-texts", ANEW, lambda column: [
            value.partition("\0")[0] if isinstance(value, str) else value for value in column["values"]]),
        ("ChoosesFills", "fill", "fill value", "fills", ANEW, lambda column: ABSENT),
        ("DeclaresNoRange", "valid_min valid_max", "valid_m", "fills", ANEW, lambda column: ABSENT),
        ("KnowsNoDomain", "domain", "value of the domain", "domain", "sentinel-in-domain-other-fill", lambda column: ABSENT),
        ("StripsUnits", "units", "units", "awkward-texts", ANEW,
         lambda column: column.get("units") and column["units"].strip()),
        ("OneVocabulary", "units_vocabulary", "units_vocabulary", "units", ANEW, lambda column: None),
        ("DescribesNoColumns", "description", "description", "awkward-texts", ANEW, lambda column: None),
        ("LabelsOfOrderAlone", "categories", "categorical", "labels", ANEW,
         lambda column: column["categories"] if column["categories"]["ordered"] else None),
        ("ChunksOfSixtyFour", "chunk", "chunks of", "one-chunk every-index", STORAGE, lambda column: ABSENT),
        ("NoChecksums", "filters", "filters", "storage", STORAGE,
         lambda column: [name for name in column.get("filters", []) if name != "fletcher32"]),
        ("BuildsNoBitmaps", "indexes", "no index", "every-index", ANEW,
         lambda column: [kind for kind in column["indexes"] if kind != "BITMAP"]),
        ("LabelsOfEightBytes", "categories.type", "categories type", "labels", ANEW, labels_of_eight_bytes),
        ("AlwaysOrdered", "categories.ordered", "ordered", "labels", "producer-ordered-not-true-otherwise",
         lambda column: labelled(column, ordered=True))):
    asks(name, " ".join(each if "." in each else "asked." + each for each in members.split()), says, files.split(), clauses,
         lambda table, members=members, change=change: [
             put(column, each.partition(".")[0], change(column)) for column in table["columns"] for each in members.split()])

# One member of one column.
for name, member, says, files, at, value in (
        ("RangesThatBeginEarly", "asked.valid_min", "valid_min", "fills", 1, lambda column: "9"),
        ("RangesThatEndEarly", "asked.valid_max", "valid_max", "range", 1, lambda column: "32766"),
        ("FillsOf32Bits", "asked.fill", "fill value", "wide", 0, lambda column: in_32_bits(column["fill"])),
        ("RangesOfSingles", "asked.valid_max", "valid_max", "wide", 0, lambda column: as_single(column["valid_max"])),
        ("RangesToTheLargest", "asked.valid_max", "valid_max", "wide", 0, lambda column: max(filter(None, column["values"]))),
        ("LabelsAsSingles", "categories.labels", "column labels", "wide", 2,
         lambda column: labelled(column, labels=list(map(as_single, column["categories"]["labels"])))),
        ("CompoundsOf32Bits", "asked.values", "column compound row", "wide", 3, lambda column: in_32_bits(column["values"])),
        ("ArraysOf32Bits", "asked.values", "column array row", "wide", 4, lambda column: in_32_bits(column["values"])),
        ("SequencesOf32Bits", "asked.values", "column sequence row", "wide", 5, lambda column: in_32_bits(column["values"])),
        ("TextsOf255", "asked.values", "column fixed row", "long-texts", 0, lambda column: list(map(short(255), column["values"]))),
        ("TextsOf4095", "asked.values", "column variable row", "long-texts", 1, lambda column: list(map(short(4095), column["values"]))),
        ("UnitsOf255", "asked.units", "units", "long-texts", 2, lambda column: short(255)(column["units"])),
        ("ColumnsDescribedIn255", "asked.description", "description", "long-texts", 2,
         lambda column: short(255)(column["description"])),
        ("SortsLabels", "categories.labels", "column year", "labels", 0,
         lambda column: labelled(column, labels=["2010", "2020", "2030"]))):
    asks(name, member, says, [files], ANEW, lambda table, at=at, value=value, key=(
        "categories" if member.startswith("categories") else member.partition(".")[2]): put(
            table["columns"][at], key, value(table["columns"][at])))


def types_with(member, change, *shown_by, says="type"):
    """Registers a writer that misreads one member of each datatype."""
    def wrong(kind):
        kind = {name: [[part[0], wrong(part[1])] for part in value] if name == "fields"
                else wrong(value) if name == "base" else value for name, value in kind.items()}
        return {name: change(value) if name == member else value for name, value in kind.items()}

    asks("Type_" + member, "type." + member + " asked.type", says, list(shown_by), ANEW,
         lambda table: [put(column, "type", wrong(column["type"])) for column in table["columns"]])


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

def copy_of_the_table(path):
    with h5py.File(path, "r+") as file:
        file.copy("/t", "/again")


# What happens after the file is written.
for name, says, changes in (
        ("LeavesNothing", "no such file", [os.remove]),
        ("LeavesNoBytes", "empty|not", [lambda path: os.truncate(path, 0)]),
        ("LeavesHalfAFile", "truncated|eof|end", [lambda path: os.truncate(path, os.path.getsize(path) // 2)]),
        ("LeavesAFolder", "directory", [os.remove, os.mkdir]),
        ("LeavesAPipe", "not a regular file", [os.remove, os.mkfifo]),
        ("LeavesALoop", "cannot|symbolic|loop|links", [os.remove, lambda path: os.symlink(path, path)]),
        ("LeavesTwoTables", "no single table", [copy_of_the_table])):
    def write(self, path, table, changes=changes):
        good.Writer.write(self, path, table)
        for change in changes:
            change(path)
        return {}
    broken(ANEW, says=says, shown_by=["one-row"])(type(name, (good.Writer,), {"write": write}))


run = runner(__name__, "writer")
