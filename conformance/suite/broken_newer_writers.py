#!/usr/bin/env python3
"""The Python writer of the newer revision with one mistake each: `broken_newer_writers.py NAME`. For
writer_test.py, which runs them with --spec hep001-2026-07-09."""

from broken import broken, serve_named  # first: it finds the modules below

from h5py import h5f, h5i

import lists
import newer as good
import notation
from writer import candidates


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


@broken("retry-no-token-collision", shown_by=["*that died over *"])
class NeverLooksAtResidue(good.NewerWriter):
    def next_generation(self, file, table, rows, indexes):
        generation = good.token(table.group, good.GENERATION)
        return None if generation is None else generation + 1


class CommitsOtherwise(good.NewerWriter):
    """A writer with another order of steps 4 to 6."""

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


if __name__ == "__main__":
    serve_named("writer")
