#!/usr/bin/env python3
"""The Python writer of the newer revision with one mistake each: `broken_newer_writers.py NAME`. For
writer_test.py, which runs them with --spec hep001-2026-07-09."""

import unicodedata

from broken import broken, runner  # first: it adds the path of the modules below

from h5py import h5f, h5i

import lists
import newer as good
import notation
from writer import candidates, unsigned


# Tokens

@broken("append-index-token-values", members="append.indexes", shown_by=["flags"])
class LeavesIndexes(good.NewerWriter):
    def append(self, path, where, columns, durable, indexes=None):
        return super().append(path, where, columns, durable,
                              "leave" if indexes else "maintain")


@broken("append-index-token-values", members="truncate.indexes", shown_by=["flags"])
class LeavesIndexesOfFewerRows(good.NewerWriter):
    def truncate(self, path, where, rows, reclaim, indexes=None):
        return super().truncate(path, where, rows, reclaim, "leave" if indexes else "maintain")


@broken("retry-no-token-collision", shown_by=["*that crashed over *"])
class NeverLooksAtResidue(good.NewerWriter):
    def next_generation(self, file, table, rows, indexes):
        generation = good.token(table.group, good.GENERATION)
        return None if generation is None else generation + 1


class CommitsOtherwise(good.NewerWriter):
    """A writer with a different order of steps 4 to 6."""

    def commit(self, file, table, generation, rows, indexes):
        maintained = [] if indexes == "leave" else [
            each for each in self.all_indexes(table) if self.can_rebuild(*each)]
        if generation is None:
            maintained = []
        self.steps(file, table, generation, rows, maintained)
        h5f.flush(file)

    def tokens(self, generation, rows, maintained):
        for _, index in maintained:
            self.put_tokens(index, generation, rows)

    def contents(self, rows, maintained):
        for column, index in maintained:
            self.rewrite(column, index, rows)


@broken("producer-tokens-before-content", "producer-stale-content-fails-check", shown_by=["flags"])
class ContentsFirst(CommitsOtherwise):
    def steps(self, file, table, generation, rows, maintained):
        self.contents(rows, maintained)
        h5f.flush(file)
        self.tokens(generation, rows, maintained)
        h5f.flush(file)
        if generation is not None:
            good.put_token(table.group, good.GENERATION, generation)
        self.put_rows(table.group, rows)


@broken("append-generation-before-nrows", "append-commit-last", shown_by=["flags"])
class GenerationAtLast(CommitsOtherwise):
    def steps(self, file, table, generation, rows, maintained):
        self.tokens(generation, rows, maintained)
        h5f.flush(file)
        self.contents(rows, maintained)
        h5f.flush(file)
        self.put_rows(table.group, rows)
        if generation is not None:
            good.put_token(table.group, good.GENERATION, generation)


@broken("inplace-generation-flushed", shown_by=["flags"])
class UpdatesInOneGo(good.NewerWriter):
    def update(self, path, where, name, rows, values):
        flush, self.held = h5f.flush, True
        good.h5f.flush = lambda file: None if self.held else flush(file)
        try:
            return super().update(path, where, name, rows, values)
        finally:
            good.h5f.flush = flush

    def put_cells(self, table, column, rows, values):
        super().put_cells(table, column, rows, values)
        self.held = False


@broken("producer-generation-by-one", shown_by=["flags"])
class SkipsGenerations(good.NewerWriter):
    def next_generation(self, file, table, rows, indexes):
        generation = good.token(table.group, good.GENERATION)
        return None if generation is None else generation + 3


@broken("producer-generation-starts-at-zero", shown_by=["flags"])
class StartsAtOne(good.NewerWriter):
    def build_index(self, column, kind, rows=None):
        if good.token(column.table.group, good.GENERATION) is None:
            good.put_token(column.table.group, good.GENERATION, 1)
        super().build_index(column, kind, rows)


@broken("truncate-increments-generation", "producer-generation-incremented-on-commit", shown_by=["flags"])
class TruncatesInOneGeneration(good.NewerWriter):
    def truncate(self, *given, **upkeep):
        self.next_generation = lambda file, table, rows, indexes: good.token(table.group, good.GENERATION)
        return super().truncate(*given, **upkeep)


# New indexes

@broken("producer-new-index-no-increment", shown_by=["flags"])
class IncrementsForNewIndexes(good.NewerWriter):
    def add_index(self, path, where, name, kind):
        file = self.open(path)
        column = self.reader.table(file, where).column(name)
        good.put_token(column.table.group, good.GENERATION, good.token(column.table.group, good.GENERATION) + 1)
        self.build_index(column, kind)
        return {}


@broken("producer-new-index-current-tokens", shown_by=["flags"])
class SignsNewIndexesForMoreRows(good.NewerWriter):
    def sign(self, index, table, rows):
        super().sign(index, table, rows + 1)


@broken("producer-new-index-generation-first", shown_by=["flags"])
class TokensBeforeThereIsAGeneration(good.NewerWriter):
    def build_index(self, column, kind, rows=None):
        super(good.NewerWriter, self).build_index(column, kind, rows)
        if good.token(column.table.group, good.GENERATION) is None:
            good.put_token(column.table.group, good.GENERATION, 0)

    def sign(self, index, table, rows):
        self.put_tokens(index, good.token(table.group, good.GENERATION) or 0, rows)


# Updates

class UpdatesOtherwise(good.NewerWriter):
    """A writer with a different order of steps; it has only the indexes of the column that changes."""

    def update(self, path, where, name, rows, values):
        file = self.open(path)
        table = self.reader.table(file, where)
        generation = good.token(table.group, good.GENERATION)
        ours = [] if generation is None else [
            each for each in self.all_indexes(table) if each[0].name == name and self.can_rebuild(*each)]
        self.steps(file, table, None if generation is None else generation + 1, ours,
                   lambda: self.put_cells(table, table.column(name), rows, values))
        h5f.flush(file)
        return {}

    def generation(self, file, table, number):
        if number is not None:
            good.put_token(table.group, good.GENERATION, number)
            h5f.flush(file)


@broken("inplace-generation-before-data", "inplace-generation-flushed", shown_by=["flags"])
class CellsBeforeGeneration(UpdatesOtherwise):
    def steps(self, file, table, number, ours, put):
        put()
        self.generation(file, table, number)
        for column, index in ours:
            self.rewrite(column, index, table.nrows)
            self.put_tokens(index, number, table.nrows)


@broken("inplace-content-before-tokens", shown_by=["flags"])
class TokensBeforeContentsInPlace(UpdatesOtherwise):
    def steps(self, file, table, number, ours, put):
        self.generation(file, table, number)
        put()
        for column, index in ours:
            self.put_tokens(index, number, table.nrows)
            self.rewrite(column, index, table.nrows)


@broken("inplace-token-values", shown_by=["flags"])
class TokensOfTheUpdateBefore(UpdatesOtherwise):
    def steps(self, file, table, number, ours, put):
        self.generation(file, table, number)
        put()
        for column, index in ours:
            self.rewrite(column, index, table.nrows)
            self.put_tokens(index, number + 1, table.nrows)


# Fill values

@broken("full-domain-wider-or-no-missing", members="asked.domain", shown_by=["full-domain*"],
        says="has become missing")
class KeepsTheDatatype(good.NewerWriter):
    @staticmethod
    def widened(column):
        return {**column, "fill": candidates(column["type"])[0]}

    @staticmethod
    def range_of(kind, values):
        return None, None


# List columns

@broken("append-list-offsets-last", "append-list-leaf-first", shown_by=["lists"])
class OffsetsFirst(good.NewerWriter):
    def write_values(self, column, first, values):
        if not isinstance(column, good.ListColumn) or first == 0:
            return super().write_values(column, first, values)
        ends = good.lists.read_offsets(column.dataset, first - 1, 1)[1:]
        for value in values:
            ends.append(ends[-1] + len(value or []))
        lists.Lists.put(lists.member(column.dataset, b"OFFSETS"), first + 1,
                        good.numpy.array(ends[1:], "u8"))
        put = lists.Lists.put
        lists.Lists.put = staticmethod(
            lambda dataset, *rest: None if h5i.get_name(dataset) == h5i.get_name(
                lists.member(column.dataset, b"OFFSETS")) else put(dataset, *rest))
        try:
            return super().write_values(column, first, values)
        finally:
            lists.Lists.put = staticmethod(put)


@broken("nullable-boolean-form", "nullable-boolean-enum-preferred", "enum-fill-not-ordinary-member",
        shown_by=["booleans"])
class BooleansFromOne(good.NewerWriter):
    def write_column(self, group, column, extent):
        if column["type"]["class"] == "boolean" and None in column["values"]:
            column = {**column, "type": {**notation.BOOLEAN, "members": [
                ["FALSE", "0"], ["TRUE", "1"], ["UNKNOWN", "2"]]}, "fill": "2"}
        return super().write_column(group, column, extent)


class NullableInBytes(good.NewerWriter):
    fill = None

    def write_column(self, group, column, extent):
        if column["type"]["class"] == "boolean" and None in column["values"]:
            column = {**column, "type": unsigned(1), "fill": self.fill}
        return super().write_column(group, column, extent)


@broken("nullable-boolean-enum-preferred", shown_by=["booleans"])
class NullableInBytesOf255(NullableInBytes):
    fill = "255"


@broken("nullable-boolean-enum-preferred", "nullable-boolean-uint8-fill-255", shown_by=["booleans"])
class NullableInBytesOf2(NullableInBytes):
    fill = "2"


@broken("reclaim-list-by-rewrite", shown_by=["lists"])
class ReclaimsNoLists(good.NewerWriter):
    def truncate(self, *given, **upkeep):
        self.reader.lists = lambda: KeepsItsEnds(good.NewerReader.lists(self.reader))
        return super().truncate(*given, **upkeep)


class KeepsItsEnds:
    """Lists whose storage is never released."""

    def __init__(self, lists):
        self.lists = lists

    def __getattr__(self, name):
        return getattr(self.lists, name)

    def reclaim(self, item, kind, entries):
        pass


@broken("producer-string-no-normalization", "producer-every-table-conformant", shown_by=["lists"])
class NormalizesTexts(good.NewerWriter):
    def write_list(self, group, column):
        return super().write_list(group, {**column, "values": composed(column["values"])})


def composed(value):
    if isinstance(value, list):
        return [composed(each) for each in value]
    return unicodedata.normalize("NFC", value) if isinstance(value, str) else value


run = runner(__name__, "writer")
