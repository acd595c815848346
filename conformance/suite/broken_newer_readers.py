#!/usr/bin/env python3
"""The Python reader of the newer revision with one mistake each: `broken_newer_readers.py NAME`. For
reader_test.py, which runs them with --spec hep001-2026-07-09."""

from broken import broken, runner  # first: it adds the path of the modules below

import lists
import newer as good


# Indexes and their tokens

@broken("consumer-validity-check-before-use", "consumer-stale-index-absent", "consumer-generation-no-order",
        shown_by=["valid/12.2/stale-index-accepted--*generation*"])
class LooksAtRowsAlone(good.NewerReader):
    def is_valid(self, table, index):
        return good.token(index, good.SOURCE_NROWS) == good.token(table.group, "NROWS")


@broken("consumer-no-partial-trust", "consumer-validity-check-before-use", "consumer-stale-index-absent",
        shown_by=["valid/12.2/stale-index-accepted--*nrows*"])
class LooksAtGenerationAlone(good.NewerReader):
    def is_valid(self, table, index):
        return good.token(index, good.SOURCE_GENERATION) == good.token(table.group, good.GENERATION)


# Booleans

@broken("consumer-other-enum-not-boolean", members="column.boolean",
        shown_by=["valid/8.8/nullable-boolean-*"])
class EveryEnumerationIsBoolean(good.NewerReader):
    def is_boolean(self, kind):
        return kind["class"] == "enum"


@broken("consumer-accept-boolean-variants", members="column.boolean",
        shown_by=["valid/8.8/boolean-column-accepted--*"])
class NoBooleans(good.NewerReader):
    def is_boolean(self, kind):
        return False


# List columns

class ListsOtherwise(good.NewerReader):
    levels = None

    def lists(self):
        made = super().lists()
        made.__class__ = self.levels
        return made


class NullIsEmptyLevels(lists.Lists):
    @staticmethod
    def cut(item, first, offsets, elements):
        return [elements[:0] if entry is None else entry
                for entry in lists.Lists.cut(item, first, offsets, elements)]


@broken("consumer-null-list-by-mask", "consumer-null-string-by-mask",
        shown_by=["valid/9.2/list-null-entry-empty--*", "valid/15.2/*"])
class NullIsEmpty(ListsOtherwise):
    levels = NullIsEmptyLevels


@broken("consumer-enumerate-all-columns", "consumer-identify-list-column", members="hello.spec",
        shown_by=["valid/7.6/no-user-subgroup--list-columns.h5"])
class KnowsNoLists(good.NewerReader):
    def is_list_column(self, group):
        return False


run = runner(__name__, "reader")
