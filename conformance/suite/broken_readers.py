#!/usr/bin/env python3
"""The Python reader with one mistake each: `broken_readers.py NAME`. Used by reader_test.py, which names the
clauses that must detect it."""

import os
import time

from broken import Adapter, broken, runner  # first: it adds the path of the modules below

from h5py import h5d, h5i, h5o

import notation
import reader as good
from reader import Refused, string_attribute

# Files with so many columns that they are given only to the readers whose mistakes they show.
WIDE_INTEGERS = ["valid/2/*-wide-integers-*"]
LONG_TEXTS = ["valid/2/*-long-texts*"]


def children(group_name):
    """Names of the datasets of a reserved group, for readers that infer from names."""
    def names(table):
        try:
            return {name.decode(): h5d.open(h5o.open(table.group, group_name), name)
                    for name in h5o.open(table.group, group_name)}
        except KeyError:
            return {}
    return names


@broken("consumer-row-count-from-nrows", "consumer-not-from-extent", "consumer-ignore-tail-rows",
        shown_by=["valid/7.3/*plausible-tail*"])
class TrustsExtents(good.Reader):
    def row_count(self, table):
        return max([h5d.open(table.group, name.encode()).shape[0] for name in table.names],
                   default=0)


@broken("consumer-rows-below-nrows-are-data")
class DropsTrailingMissingRows(good.Reader):
    def read_column(self, column, first, count):
        made = super().read_column(column, first, count)
        if first + count < column.table.nrows:
            return made
        while made["values"] and made["values"][-1] is None:
            made["values"].pop()
            made.get("labels", [None]).pop()
        return made


@broken("consumer-compare-numeric")
class ComparesVersionAsText(good.Reader):
    def check_version(self, text):
        if text >= "2":
            raise Refused(f"VERSION {text}")


@broken("consumer-compare-numeric")
class RefusesLaterMinors(good.Reader):
    def check_version(self, text):
        if text > "1.0":
            raise Refused(f"VERSION {text}")


@broken("consumer-compare-numeric")
class LooksAtTheFirstDigit(good.Reader):
    def check_version(self, text):
        if text[:1] > "1":
            raise Refused(f"VERSION {text}")


@broken("consumer-refuse-newer-major")
class ReadsEveryVersion(good.Reader):
    def check_version(self, text):
        pass


@broken("consumer-identify-only-by-class")
class TakesEveryGroupWithNrows(good.Reader):
    def is_table(self, group):
        return good.number_attribute(group, "NROWS") is not None


@broken("consumer-identify-by-class", "consumer-compare-numeric", "consumer-treat-as-unit",
        "consumer-diagnose-foreign-descendant")
class ListsNothing(good.Reader):
    def is_table(self, group):
        return False


@broken("consumer-identify-by-class")
class KnowsOnlyTheTopLevel(good.Reader):
    def table_groups(self, file):
        return [(path, group) for path, group in super().table_groups(file)
                if path.count("/") == 1]


@broken("consumer-column-order")
class SortsColumns(good.Reader):
    def column_names(self, table):
        return sorted(super().column_names(table))


@broken("consumer-enumerate-columns")
class NeedsColumnOrder(good.Reader):
    def column_names(self, table):
        names = super().column_names(table)
        return names if good.h5a.exists(table.group, b"column-order") else []


@broken("consumer-diagnose-foreign-descendant")
class SaysNothing(Adapter):
    def answer(self, request):
        return super().answer(request)[0], []


@broken("consumer-units-vocabulary-default")
class NoDefaultVocabulary(good.Reader):
    def units_vocabulary(self, column):
        return string_attribute(column.dataset, "units_vocabulary")


@broken("consumer-units-vocabulary-override")
class TableVocabularyWins(good.Reader):
    def units_vocabulary(self, column):
        return (string_attribute(column.table.group, "units_vocabulary")
                or super().units_vocabulary(column))


@broken("consumer-units-absent-dimensionless")
class VocabularyAsUnits(good.Reader):
    def units(self, column):
        return super().units(column) or self.units_vocabulary(column)


@broken("consumer-canonical-missing-test")
class NanIsMissing(good.Reader):
    def is_missing(self, kind, value, fill):
        return (super().is_missing(kind, value, fill)
                or notation.is_nan(notation.key(kind, value)))


@broken("consumer-nan-branch")
class ComparesNanFills(good.Reader):
    def is_missing(self, kind, value, fill):
        return notation.key(kind, value) == notation.key(kind, fill)


@broken("consumer-canonical-missing-test", "consumer-nan-branch",
        "consumer-fill-is-missing-category")
class IgnoresFills(good.Reader):
    def is_missing(self, kind, value, fill):
        return False

    def label(self, labels, code):
        return labels[int(code) % len(labels)] if labels else "?"


@broken("consumer-canonical-missing-test", "consumer-nan-branch",
        "consumer-fill-is-missing-category")
class FillIsZero(IgnoresFills):
    """Uses the default of the library as the fill value."""

    def is_missing(self, kind, value, fill):
        return kind["class"] == "integer" and value == "0"


@broken("consumer-zero-based-codes", "consumer-fill-is-missing-category")
class OneBasedCodes(good.Reader):
    def read_column(self, column, first, count):
        made = super().read_column(column, first, count)
        if "labels" in made:
            labels = self.labels(column.categories()) or [None]
            made["labels"] = [labels[(int(code or 0) - 1) % len(labels)] for code in made["values"]]
        return made


@broken("consumer-follow-categories-reference")
class CategoriesByName(good.Reader):
    def categories(self, column):
        followed = super().categories(column)
        named = children(b"CATEGORIES")(column.table).get(column.name + "__CATEGORIES")
        return named if followed is not None and named is not None else followed


@broken("consumer-integer-truth", shown_by=["valid/6/bool-two-members--*"])
class TruthByPosition(good.Reader):
    """Uses the position of a member of an enumeration as its value."""

    def is_ordered(self, dataset):
        if not good.h5a.exists(dataset, b"ordered"):
            return False
        tid = good.h5a.open(dataset, b"ordered").get_type()
        value = good.number_attribute(dataset, "ordered")
        return [tid.get_member_value(i) for i in range(tid.get_nmembers())].index(value) == 1


@broken("consumer-hierarchy-order")
class SortsRowLabels(good.Reader):
    def row_labels(self, table):
        return sorted(super().row_labels(table))


@broken("consumer-empty-equals-absent")
class FailsWithoutRowLabels(good.Reader):
    def row_labels(self, table):
        labels = super().row_labels(table)
        if not labels and good.h5a.exists(table.group, b"INDEX_COLUMNS"):
            raise ValueError("INDEX_COLUMNS is empty")
        return labels


@broken("consumer-ignore-unknown-kind")
class RefusesUnknownKinds(good.Reader):
    def describe_table(self, table):
        for name in table.names:
            for index in self.index_datasets(table.column(name)):
                if not self.knows_kind(string_attribute(index, "KIND")):
                    raise Refused("an unknown KIND")
        return super().describe_table(table)


@broken("consumer-enumerate-columns")
class HidesCompounds(good.Reader):
    def column_names(self, table):
        return [name for name in super().column_names(table)
                if good.Column(self, table, name).type["class"] != "compound"]


@broken("consumer-expose-unknown-datatype")
class HidesWhatItDoesNotKnow(Adapter):
    """The same for a reader that does not declare compounds."""

    reader = HidesCompounds

    def hello(self):
        made = super().hello()
        made["capabilities"]["datatypes"] = [kind for kind in made["capabilities"]["datatypes"]
                                             if kind != "compound"]
        return made


@broken("consumer-lossless-read", shown_by=["valid/2/*-awkward-numbers*"])
class IntegersAsFloats(good.Reader):
    def read_column(self, column, first, count):
        made = super().read_column(column, first, count)
        if column.type["class"] == "integer":
            made["values"] = [value and str(int(float(value))) for value in made["values"]]
        return made


def narrow(value):
    """An integer as its lower 32 bits, signed."""
    if isinstance(value, list):
        return [narrow(each) for each in value]
    try:
        return str((int(value) + 2**31) % 2**32 - 2**31)
    except (TypeError, ValueError):
        return value


def narrows(*classes):
    """A reader that keeps 32 bits of the integers in values of these classes of datatypes."""
    class Narrows(good.Reader):
        def read_column(self, column, first, count):
            made = super().read_column(column, first, count)
            if column.type["class"] in classes:
                made["values"] = [narrow(value) for value in made["values"]]
            return made
    return Narrows


@broken("consumer-lossless-read", shown_by=WIDE_INTEGERS)
class CodesOf32Bits(narrows("enum")):
    pass


@broken("consumer-lossless-read", shown_by=WIDE_INTEGERS)
class FieldsOf32Bits(narrows("compound")):
    pass


@broken("consumer-lossless-read", shown_by=WIDE_INTEGERS)
class ElementsOf32Bits(narrows("array")):
    pass


@broken("consumer-lossless-read", shown_by=WIDE_INTEGERS)
class MembersOf32Bits(good.Reader):
    """The codes of the members of an enumeration."""

    def describe_column(self, column):
        made = super().describe_column(column)
        if made["type"]["class"] == "enum":
            made["type"] = {**made["type"], "members": [[name, narrow(code)] for name, code in made["type"]["members"]]}
        return made


@broken("consumer-follow-categories-reference", shown_by=WIDE_INTEGERS)
class LabelsOf32Bits(good.Reader):
    """The labels of a categorical column that are integers."""

    def labels(self, dataset):
        return [narrow(label) if notation.describe_type(dataset.get_type())["class"] == "integer" else label
                for label in super().labels(dataset)]


def shortens(member, most):
    """A reader that cuts a text of columns."""
    class Shortens(good.Reader):
        def describe_column(self, column):
            made = super().describe_column(column)
            return {**made, member: made[member] and made[member][:most]}
    return Shortens


@broken("consumer-lossless-read", shown_by=LONG_TEXTS)
class DescriptionsOf1024(shortens("description", 1024)):
    pass


@broken("consumer-lossless-read", shown_by=LONG_TEXTS)
class UnitsOf255(shortens("units", 255)):
    pass


@broken("consumer-lossless-read", shown_by=LONG_TEXTS)
class TitlesOf255(good.Reader):
    def describe_table(self, table):
        made = super().describe_table(table)
        return {**made, "title": made["title"] and made["title"][:255]}


@broken("consumer-lossless-read", shown_by=LONG_TEXTS)
class DescriptionsOfTablesOf4096(good.Reader):
    def describe_table(self, table):
        made = super().describe_table(table)
        return {**made, "description": made["description"] and made["description"][:4096]}


@broken("consumer-follow-categories-reference", shown_by=LONG_TEXTS)
class LabelsOf255(good.Reader):
    def labels(self, dataset):
        return [label[:255] if isinstance(label, str) else label for label in super().labels(dataset)]


@broken("consumer-lossless-read", shown_by=LONG_TEXTS)
class TextsOf1024(good.Reader):
    def read_column(self, column, first, count):
        made = super().read_column(column, first, count)
        if column.type["class"] == "string":
            made["values"] = [value[:1024] if isinstance(value, str) else value for value in made["values"]]
        return made


@broken("consumer-units-vocabulary-default")
class VocabularyOfAnotherTable(good.Reader):
    """A table without a vocabulary has that of the table before it."""

    last = None, None

    def units_vocabulary(self, column):
        made = super().units_vocabulary(column)
        file, vocabulary = self.last
        if made is None and file == self.path_read:
            return vocabulary
        self.last = self.path_read, made
        return made

    def open(self, path):
        self.path_read = path
        return super().open(path)


@broken("consumer-independent-storage", shown_by=["valid/8.4/*every-layout*"])
class WantsChunks(good.Reader):
    def read_column(self, column, first, count):
        if column.dataset.get_create_plist().get_layout() == h5d.COMPACT:
            raise ValueError("not chunked")
        return super().read_column(column, first, count)


@broken("consumer-descriptive-no-effect", "consumer-lossless-read")
class ScalesByUnits(good.Reader):
    def read_column(self, column, first, count):
        made = super().read_column(column, first, count)
        if (self.units(column) or "").startswith("k") and column.type["class"] == "float":
            made["values"] = [value and notation.real(int(value["bits"], 16) ^ 1, column.type["size"])
                              for value in made["values"]]
        return made


class Queries(good.Reader):
    """Uses indexes unless the request forbids it."""

    default = "use"

    def query(self, path, where, predicate, mode):
        return super().query(path, where, predicate, self.default if mode == "default" else mode)


@broken("consumer-no-default-trust",
        shown_by=["invalid/10.4/minmax-min-value--above.h5", "invalid/10.5/sorted-permutation--twice.h5"])
class TrustsIndexes(Queries):
    pass


@broken("consumer-no-name-inference", "consumer-same-answer-without-index",
        shown_by=["valid/10.1/any-dataset-name--mis*", "valid/10.2/*crossed-index-names*"])
class IndexesByName(good.Reader):
    def index_datasets(self, column):
        return [index for name, index in children(b"SEARCH_INDEXES")(column.table).items()
                if name.startswith(column.name + "__")
                and string_attribute(index, "KIND") is not None] or super().index_datasets(column)


@broken("consumer-follow-references")
class ValuesByName(good.Reader):
    def values_dataset(self, index):
        path = h5i.get_name(index).decode().replace("__bitmap", "__values")
        try:
            return h5d.open(index, path.encode())
        except KeyError:
            return super().values_dataset(index)


@broken("consumer-read-seed")
class AssumesSeedZero(good.Reader):
    def bloom_seed(self, index):
        seed = super().bloom_seed(index)
        return 0 if seed == 12345 else seed


@broken("consumer-canonicalize-query", shown_by=["valid/10.7/consumer-canonicalize-query--*"])
class HashesNegativeZero(good.Reader):
    def query_bytes(self, kind, value):
        if kind["class"] == "float" and value == 0 and str(value).startswith("-"):
            return b"\0" * (kind["size"] - 1) + b"\x80"
        return super().query_bytes(kind, value)


class BisectsValues(good.Query):
    """Assumes that the values of a bitmap are sorted, and unites the rows between two of them."""

    def candidates(self, kind, index):
        if self.test != "range" or kind != "BITMAP":
            return super().candidates(kind, index)
        values = [notation.key(self.kind, value)
                  for value in self.elements(self.column.reader.values_dataset(index))]
        first = 0 if self.low is None else good.first_row(values, lambda v: v >= self.low)
        last = len(values) if self.high is None else good.first_row(values, lambda v: v > self.high)
        bits = good.read_bytes(index)
        return {r for r in range(self.column.table.nrows)
                if any(bits[k][r >> 3] >> (r & 7) & 1 for k in range(first, last))}


class AsksForNan(good.Query):
    def candidates(self, kind, index):
        if self.test == "nan" and kind == "CHUNK_BLOOM":
            return set()  # no filter contains NaN
        return super().candidates(kind, index)


class UsesWholeIndexes(good.Query):
    """Uses the length of an index instead of NROWS."""

    def by_sorted_rows(self, index):
        keep = self.column.table.nrows
        try:
            self.column.table.nrows = 2 ** 62
            rows = [int(r) for r in self.elements(index)]
            stored = self.column.stored(0, min(self.column.dataset.shape[0], max(rows, default=0) + 1))
            keys = [notation.key(self.kind, value) for value in stored]
            return {r for r in rows if r < len(keys)
                    and (self.low is None or keys[r] >= self.low)
                    and (self.high is None or keys[r] <= self.high)}
        finally:
            self.column.table.nrows = keep

    def scan(self, candidates=None):
        if candidates is not None and max(candidates, default=0) >= self.column.table.nrows:
            return [str(r) for r in sorted(candidates)]
        return super().scan(candidates)


def with_query(cls, *clauses, shown_by=None):
    class Reader(good.Reader):
        def query(self, path, where, predicate, mode):
            kept, good.Query = good.Query, cls
            try:
                return super().query(path, where, predicate, mode)
            finally:
                good.Query = kept
    Reader.__name__ = cls.__name__
    broken(*clauses, shown_by=shown_by)(Reader)


with_query(BisectsValues, "consumer-no-order-inference")
with_query(AsksForNan, "consumer-no-nan-query")
with_query(UsesWholeIndexes, "consumer-index-cutoff", shown_by=["valid/10.5/sorted-residue--trailing.h5"])


# Programs that violate the protocol, on one file.
CRASH, HANG, BABBLE = ("nan-fill-permitted--signalling", "consumer-column-order--",
                       "consumer-identify-only-by-class--")


@broken("consumer-nan-branch")
class Crashes(Adapter):
    def describe(self, reader, request):
        if CRASH in request["file"]:
            os.abort()
        return super().describe(reader, request)


@broken("consumer-column-order")
class Hangs(Adapter):
    def describe(self, reader, request):
        if HANG in request["file"]:
            time.sleep(3600)
        return super().describe(reader, request)


@broken("consumer-identify-only-by-class")
class PrintsNonsense(Adapter):
    def describe(self, reader, request):
        if BABBLE in request["file"]:
            return ["what?"]
        return super().describe(reader, request)


run = runner(__name__, "reader")
