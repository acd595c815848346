#!/usr/bin/env python3
"""The Python reader with one mistake each in a member of the protocol: `broken_replies.py NAME`.
Used by reader_test.py, which requires a program for each member that a reader can get wrong."""

import json
import os
import time
import unicodedata

from broken import Adapter, broken, runner  # first: it adds the path of the modules below
from conversation import as_line, serve

from h5py import h5d, h5g, h5l, h5o

import notation
import reader as good
from reader import Refused, Unsupported, string_attribute

LOSSLESS = "consumer-lossless-read"
TINY = ["valid/14.1/*"]
TYPES = ["valid/8.3/any-datatype--one-of-each-class.h5"]
ALL_TYPES = ["valid/8.3/*"]
WORDS = ["valid/2/*awkward-texts*"]
NUMBERS = ["valid/2/*awkward-numbers*"]


def row(clauses, name, members, says, shown_by, base, **body):
    """Registers the program of one row of a table."""
    broken(*clauses.split(), members=members, says=says, shown_by=shown_by)(type(name, (base,), body))


# hello

def hello_with(**changes):
    """An adapter whose hello has other capabilities; None removes one."""
    class Declares(Adapter):
        def hello(self):
            made = super().hello()
            can = made["capabilities"]
            for name, value in changes.items():
                can[name] = value(can[name]) if callable(value) else value
                if value is None:
                    del can[name]
            return made
    return Declares


@broken(members="hello.protocol ok.protocol", says="another protocol than 1")
class SpeaksAnotherProtocol(Adapter):
    def hello(self):
        return {**super().hello(), "protocol": 2}


@broken(members="ok.name", says="no name")
class HasNoName(Adapter):
    def hello(self):
        made = super().hello()
        del made["name"]
        return made


@broken(members="ok.capabilities", says="no capabilities")
class DeclaresNothing(Adapter):
    def hello(self):
        made = super().hello()
        return {"protocol": made["protocol"], "name": made["name"], **made["capabilities"]}


@broken(LOSSLESS, members="capabilities.operations", says="declares query", shown_by=TYPES)
class DeclaresQueries(Adapter):
    def query(self, reader, request):
        raise Unsupported("not yet")


@broken("consumer-refuse-newer-major", members="capabilities.version",
        says="VERSION 10.0|returns its data", shown_by=["invalid/7.2/version-value--major*"])
class ImplementsTwo(hello_with(version="2.0")):
    class reader(good.Reader):
        def check_version(self, text):
            pass


@broken(members="capabilities.version", says="version is")
class VersionWithoutMinor(hello_with(version="1")):
    pass


@broken("consumer-enumerate-columns", members="capabilities.datatypes", says="column time not listed", shown_by=TYPES)
class DeclaresTimes(Adapter):
    class reader(good.Reader):
        def column_names(self, table):
            return [name for name in super().column_names(table)
                    if good.Column(self, table, name).type["class"] != "time"]


@broken("consumer-same-answer-without-index", members="capabilities.indexes", says="BITMAP",
        shown_by=["valid/10.6/bitmap-any-column-type--boolean*"])
class DeclaresNoBitmaps(hello_with(indexes=["CHUNK_MINMAX", "SORTED_ROWS", "CHUNK_BLOOM"])):
    pass


@broken(LOSSLESS, "consumer-verify-mode", members="capabilities.modes", says="verify",
        shown_by=["invalid/10.4/minmax-min-value--above.h5"])
class VerifiesNothing(Adapter):
    def query(self, reader, request):
        mode = "use" if request["indexes"] == "verify" else request["indexes"]
        return super().query(reader, {**request, "indexes": mode})


@broken(LOSSLESS, "consumer-units-vocabulary-default", "consumer-units-vocabulary-override",
        members="capabilities.features", says="units", shown_by=["valid/7.4/consumer-units*"])
class DeclaresUnits(good.Reader):
    def units(self, column):
        return None

    def units_vocabulary(self, column):
        return None


# Requests

def remembers(operation):
    """Repeats the first reply if the same request is sent about a file with the same name."""
    class Remembers(Adapter):
        replies = {}

        def answer(self, request):
            asked = json.dumps({**request, "id": 0})
            if request["op"] != operation:
                return super().answer(request)
            if asked not in self.replies:
                self.replies[asked] = super().answer(request)
            return self.replies[asked]
    return Remembers


STALE = ["valid/10.6/bitmap-row-bytes--*-rows.h5"]
for name, member, says, operation in (
        ("RemembersDescriptions", "describe.file", "changes between requests", "describe"),
        ("RemembersRows", "in_table.file", "changes between requests", "read"),
        ("RemembersAnswers", "in_table.file", "query of a file that changes", "query")):
    row(LOSSLESS, name, member, says, STALE, remembers(operation))


@broken(LOSSLESS, members="describe.mode", says="describe in mode strict",
        shown_by=["invalid/7.6/no-*"])
class StrictIsLenient(Adapter):
    def describe(self, reader, request):
        return reader.describe(request["file"])


@broken("consumer-identify-by-class", members="in_table.table", says="does not list",
        shown_by=["valid/7.5/*two-beside-an-image*"])
class ReadsTheFirstTable(good.Reader):
    def read(self, path, where, *part):
        return super().read(path, self.table_groups(self.open(path))[0][0], *part)


@broken(LOSSLESS, members="read.columns", says="columns", shown_by=TINY)
class ReadsAllColumns(Adapter):
    def read(self, reader, request):
        return super().read(reader, {key: value for key, value in request.items() if key != "columns"})


@broken(LOSSLESS, members="read.columns", says="columns", shown_by=TYPES)
class ReadsOneColumn(Adapter):
    def read(self, reader, request):
        return super().read(reader, {**request, "columns": request["columns"][:1]}
                            if "columns" in request else request)


def with_part(part):
    """A method that reads another part than requested."""
    def read(self, path, where, names=None, first=0, count=None):
        table = self.table(self.open(path), where)
        whole = count is None and first == 0
        count = table.nrows - first if count is None else count
        first, count = (first, count) if whole else part(table, first, count)
        first = min(max(first, 0), table.nrows)
        return good.Reader.read(self, path, where, names, first, max(0, min(count, table.nrows - first)))
    return read


def beginning_of_chunk(table, first):
    chunk = table.column(table.names[-1]).chunk(table.nrows)
    return first // chunk * chunk


for name, member, says, files, part in (
        ("ShiftsParts", "read.first", "first", TINY, lambda table, first, count: (first + 1, count)),
        ("CountsFromOne", "read.first", "first", TINY, lambda table, first, count: (first - 1, count)),
        ("PartsFromChunks", "read.first", "first", ["valid/8.4/*every-layout*"],
         lambda table, first, count: (beginning_of_chunk(table, first), count)),
        ("CountIsTheEnd", "read.count", "count", TINY, lambda table, first, count: (first, count - first)),
        ("OneRowMore", "read.count", "count", TINY, lambda table, first, count: (first, count + 1)),
        ("ZeroIsAll", "read.count", "count 0", TYPES, lambda table, first, count: (first, count or table.nrows))):
    row(LOSSLESS, name, member, says, files, good.Reader, read=with_part(part))


@broken(LOSSLESS, members="read.count", says="count",
        shown_by=["valid/7.3/consumer-row-count-from-nrows--plausible-tail.h5"])
class ReadsOnIntoTheTail(good.Reader):
    def read(self, path, where, names=None, first=0, count=None):
        table = self.table(self.open(path), where)
        count = table.nrows - first if count is None else count
        extent = table.column(table.names[0]).dataset.shape[0]
        first = min(first, extent)
        return {"columns": [self.read_column(table.column(name), first, min(count, extent - first))
                            for name in (table.names if names is None else names)]}


@broken(LOSSLESS, members="values_of.labels", says="label",
        shown_by=["valid/8.7/consumer-fill-is-missing-category*"])
class LabelsFromTheTop(good.Reader):
    def read_column(self, column, first, count):
        made = super().read_column(column, first, count)
        if "labels" in made:
            made["labels"] = super().read_column(column, 0, count)["labels"]
        return made


# Queries

def asks(change):
    """A query class that receives modified requests."""
    class Query(good.Query):
        def __init__(self, column, predicate):
            super().__init__(column, change(column, dict(predicate)))
    return Query


class Querying(good.Reader):
    query_class = good.Query

    def query(self, path, where, predicate, mode):
        kept, good.Query = good.Query, self.query_class
        try:
            return super().query(path, where, predicate, mode)
        finally:
            good.Query = kept


def matching(test, matches):
    """A query class in which a test has another result; `matches` gets the query, the value and the correct result."""
    class Query(good.Query):
        def matches(self, value, stored):
            right = super().matches(value, stored)
            return matches(self, value, right) if self.test == test else right
    return Query


def is_fill(query, value):
    return value is None and good.key(query.kind, query.column.fill()) == query.low


FILLS = ["valid/8.5/*"]
for name, member, test, files, matches in (
        ("AnswersEqualityAlone", "query.where", "range", TYPES, lambda query, value, right: value is not None),
        ("AsksNanForMissing", "predicate.test", "nan", FILLS, lambda query, value, right: value is None),
        ("InvertsMissing", "predicate.test", "missing", FILLS, lambda query, value, right: value is not None),
        ("FillIsAValue", "predicate.value", "equal", FILLS, lambda query, value, right: right or is_fill(query, value)),
        ("MinExcluded", "predicate.min", "range", TYPES,
         lambda query, value, right: right and (query.low is None or good.key(query.kind, value) > query.low)),
        ("MaxExcluded", "predicate.max", "range", TYPES,
         lambda query, value, right: right and (query.high is None or good.key(query.kind, value) < query.high))):
    row(LOSSLESS, name, member, test, files, Querying, query_class=matching(test, matches))


@broken(LOSSLESS, "consumer-verify-mode", members="query.indexes", says=" none ",
        shown_by=["invalid/10.4/minmax-min-value--above.h5"])
class UsesIndexesAnyway(Adapter):
    def query(self, reader, request):
        mode = "use" if request["indexes"] == "none" else request["indexes"]
        return {"rows": super().query(reader, {**request, "indexes": mode})["rows"]}


@broken(LOSSLESS, members="predicate.column", says="predicate|column", shown_by=["valid/8.3/*integers*"])
class QueriesTheFirstColumn(Adapter):
    def query(self, reader, request):
        table = reader.table(reader.open(request["file"]), request["table"])
        same = [name for name in table.names if table.column(name).type
                == table.column(request["where"]["column"]).type]
        return super().query(reader, {**request, "where": {**request["where"], "column": same[0]}})


@broken(LOSSLESS, members="predicate.value", says="equal", shown_by=NUMBERS)
class ZerosDiffer(Querying):
    class query_class(good.Query):
        def __init__(self, column, predicate):
            super().__init__(column, predicate)
            self.bits = predicate.get("value")

        def matches(self, value, stored):
            return super().matches(value, stored) and (
                self.test != "equal" or not isinstance(value, dict) or "bits" not in value
                or value["bits"] == self.bits["bits"])


@broken(LOSSLESS, members="predicate.value", says="equal", shown_by=ALL_TYPES)
class NearestForEqual(Querying):
    """Treats a value that no row has as the next larger one, as a binary search finds it."""

    class query_class(good.Query):
        def __init__(self, column, predicate):
            super().__init__(column, predicate)
            if self.test == "equal" and self.kind["class"] == "integer":
                keys = [good.key(self.kind, value) for value in column.values(0, column.table.nrows)
                        if value is not None]
                self.low = self.high = min((k for k in keys if k >= self.low), default=self.low)


@broken(LOSSLESS, members="predicate.min", says="range", shown_by=TYPES)
class NoMinIsZero(Querying):
    class query_class(good.Query):
        def __init__(self, column, predicate):
            super().__init__(column, predicate)
            if self.test == "range" and self.low is None and self.kind["class"] in ("integer", "float"):
                self.low = 0


@broken(LOSSLESS, members="predicate.max", says="range", shown_by=["valid/8.3/any-datatype--integers*"])
class BoundsAreSigned(Querying):
    """Compares unsigned numbers as signed ones."""

    class query_class(good.Query):
        def matches(self, value, stored):
            if self.test != "range" or value is None or self.kind["class"] != "integer":
                return super().matches(value, stored)
            half = 1 << 8 * self.kind["size"] - 1

            def signed(number):
                return number - 2 * half if number >= half else number
            found = signed(good.key(self.kind, value))
            return ((self.low is None or found >= signed(self.low))
                    and (self.high is None or found <= signed(self.high)))


# Replies

class Replies(Adapter):
    """Answers correctly, and then modifies the line; only replies to describe."""

    operation = "describe"

    def line(self, request, reply):
        return as_line(request, reply)

    def serve(self):
        def changed(request, reply):
            whole = request["op"] != self.operation
            return as_line(request, reply) if whole else self.line(request, reply)
        serve(self, changed, errors="surrogateescape")


FIVE_ROWS = ["valid/14.1/worked-example-accepted--five-rows.h5"]
for name, members, says, change in (
        ("CountsReplies", "request.id reply.id", "id is not the request's", lambda reply: {**reply, "id": reply["id"] + 1}),
        ("AnswersAnotherQuestion", "request.op", "no tables", lambda reply: {**reply, "ok": Adapter().hello()}),
        ("RepliesWithoutOk", "reply.ok", "needs either", lambda reply: {"id": reply["id"], **reply["ok"]}),
        ("AlwaysHasAnError", "reply.error", "needs either", lambda reply: {"error": None, **reply})):
    row(LOSSLESS, name, members, says, FIVE_ROWS, Replies,
        line=lambda self, request, reply, change=change: as_line(request, change(reply)))


@broken("consumer-diagnose-foreign-descendant", members="reply.diagnostics diagnostic.path",
        says="diagnostic", shown_by=["invalid/7.6/no-user-subgroup--prov*"])
class DiagnosesByName(good.Reader):
    def diagnose(self, path, message):
        super().diagnose(path.rpartition("/")[2], message)


MAJOR = ["invalid/7.2/version-value--major-2.h5"]


@broken("consumer-refuse-newer-major", members="error.kind", says="to be refused", shown_by=MAJOR)
class FailsInsteadOfRefusing(good.Reader):
    def table(self, file, path):
        try:
            return super().table(file, path)
        except Refused as refusal:
            raise ValueError(str(refusal)) from None


@broken("consumer-refuse-newer-major", members="error.message", says="no message", shown_by=MAJOR)
class RefusesWithoutAWord(Replies):
    operation = "read"

    def line(self, request, reply):
        reply.get("error", {}).pop("message", None)
        return super().line(request, reply)


@broken("consumer-refuse-newer-major", members="reply.error", says="exit status|crash", shown_by=MAJOR)
class CrashesInsteadOfRefusing(good.Reader):
    def table(self, file, path):
        try:
            return super().table(file, path)
        except Refused:
            os._exit(3)


@broken("consumer-refuse-newer-major", members="ok.refused", says="neither listed nor refused",
        shown_by=MAJOR)
class RefusesInSilence(good.Reader):
    def describe(self, path, mode="lenient"):
        return {"tables": super().describe(path, mode)["tables"]}


@broken("consumer-refuse-newer-major", members="refusal.path", says="neither listed nor refused",
        shown_by=MAJOR)
class RefusesByName(good.Reader):
    def describe(self, path, mode="lenient"):
        made = super().describe(path, mode)
        for each in made["refused"]:
            each["path"] = each["path"].rpartition("/")[2]
        return made


# describe

def describing(what, change):
    """A method describe_table or describe_column that changes the description."""
    def describe(self, described):
        made = getattr(good.Reader, what)(self, described)
        change(described, made)
        return made
    return {what: describe}


def member(name, value):
    """Changes a member of a description."""
    def change(described, made):
        made[name] = value(described, made)
    return change


def labels(value):
    """Changes the labels of a categorical column."""
    def change(column, made):
        if made["categories"]:
            made["categories"]["labels"] = value(column, made["categories"]["labels"])
    return change


def used(column, all_labels):
    codes = {int(c) for c in column.values(0, column.table.nrows) if c is not None}
    return [label for i, label in enumerate(all_labels) if i in codes]


TEXTS = [*WORDS, "valid/7.4/title*", "valid/7.4/table-description*", "valid/8.6/*"]
for clauses, name, members, says, files, change in (
        ("consumer-identify-by-class consumer-identify-only-by-class", "RootHasNoPath", "table.path",
         "\\bno table|not listed|lists the tables|a table", ["valid/7.1/class-present--on-the-root*"],
         member("path", lambda table, made: made["path"].rstrip("/"))),
        (LOSSLESS, "VersionAsNumber", "table.version", "version", ["valid/7.2/*minor-10*"],
         member("version", lambda table, made: str(float(made["version"])))),
        ("consumer-row-count-from-nrows", "RowsOfTheFirstColumn", "table.rows", "rows", ["valid/8.1/*"],
         member("rows", lambda table, made: str(table.column(table.names[0]).dataset.shape[0]))),
        (LOSSLESS, "NoEmptyTitle", "table.title", "title", TEXTS, member("title", lambda table, made: made["title"] or None)),
        (LOSSLESS, "TitleIsTheDescription", "table.description", " description", TEXTS,
         member("description", lambda table, made: made["description"] or made["title"])),
        (LOSSLESS, "ListsAColumnTwice", "table.columns", "twice", ["valid/3/column-hard-link--two-names*"],
         member("columns", lambda table, made: made["columns"] + made["columns"][-1:]))):
    row(clauses, name, members, says, files, good.Reader, **describing("describe_table", change))

CODES = ["valid/8.7/*"]
FOLLOW = "consumer-follow-categories-reference"
for clauses, name, members, says, files, change in (
        ("consumer-enumerate-columns", "NormalisesNames", "column.name", "column", ["valid/8.1/any-utf8*"],
         member("name", lambda column, made: unicodedata.normalize("NFC", made["name"]).strip())),
        ("consumer-expose-unknown-datatype", "NamesNoType", "column.type", "no type", ["valid/8.3/any-datatype--integers*"],
         lambda column, made: made.pop("type")),
        ("consumer-units-absent-dimensionless", "NoUnitsIsOne", "column.units", "units",
         ["valid/7.4/consumer-units*", "valid/8.6/consumer-units*"],
         member("units", lambda column, made: made["units"] or "1")),
        ("consumer-units-vocabulary-default", "OwnVocabularyOnly", "column.units_vocabulary", "units_vocabulary",
         ["valid/7.4/consumer-units*"],
         member("units_vocabulary", lambda column, made: string_attribute(column.dataset, "units_vocabulary"))),
        (LOSSLESS, "StripsDescriptions", "column.description", "description", ["valid/8.6/*", "valid/13.1/*adorned*"],
         member("description", lambda column, made: made["description"] and " ".join(made["description"].split()))),
        (FOLLOW, "SmallCodesOnly", "column.categories", "categorical", CODES,
         member("categories", lambda column, made: None if made["type"].get("size", 0) > 1 else made["categories"])),
        (LOSSLESS, "LabelsAreText", "categories.type", "categories type", CODES,
         member("categories", lambda column, made: made["categories"] and {
             **made["categories"], "type": {"class": "string", "size": "variable", "charset": "utf-8"}})),
        (FOLLOW, "SortsLabels", "categories.labels", "column", CODES,
         labels(lambda column, all_labels: sorted(all_labels, key=json.dumps))),
        (FOLLOW, "UsedLabelsOnly", "categories.labels", "column", CODES, labels(used))):
    row(clauses, name, members, says, files, good.Reader, **describing("describe_column", change))


@broken("consumer-treat-as-unit", "consumer-identify-by-class", members="ok.tables", says="twice",
        shown_by=["valid/7.5/*two-paths*"])
class ListsTablesTwice(good.Reader):
    def describe(self, path, mode="lenient"):
        made = super().describe(path, mode)
        return {**made, "tables": made["tables"] * 2}


@broken("consumer-identify-only-by-class", members="ok.tables", says="/soft",
        shown_by=["valid/7.5/*links-of-every-kind*"])
class FollowsSoftLinksToTables(good.Reader):
    def table_groups(self, file):
        found = super().table_groups(file)
        root = h5g.open(file, b"/")
        for name in root:
            if root.links.get_info(name).type == h5l.TYPE_SOFT:
                try:
                    found.append(("/" + name.decode(), h5g.open(root, name)))
                except (KeyError, ValueError):
                    pass
        return found

@broken("consumer-enumerate-columns", members="table.columns", says="listed",
        shown_by=["invalid/7.6/no-soft-link--alias-of-a-column.h5"])
class FollowsSoftLinksToColumns(good.Reader):
    def column_names(self, table):
        names = super().column_names(table)
        for link in table.group:
            if table.group.links.get_info(link).type == h5l.TYPE_SOFT:
                try:
                    child = h5o.open(table.group, link)
                except (KeyError, ValueError):
                    continue
                if isinstance(child, h5d.DatasetID):
                    names.append(link.decode())
        return names


@broken("consumer-hierarchy-order", members="table.row_labels", says="row_labels",
        shown_by=["valid/7.4/underscore-index-*"])
class LabelsByUnderscoreIndex(good.Reader):
    def row_labels(self, table):
        name = string_attribute(table.group, "_index")
        return [name] if name else []

@broken("consumer-integer-truth", members="categories.ordered", says="ordered", shown_by=CODES)
class HavingIsOrdered(good.Reader):
    def is_ordered(self, dataset):
        return good.h5a.exists(dataset, b"ordered")


# Datatypes

def types_with(member, change, *only, classes=None):
    """Registers a reader that reports one member of each datatype incorrectly."""
    def wrong(kind):
        kind = {name: [[part[0], wrong(part[1])] for part in value] if name == "fields"
                else wrong(value) if name == "base" else value for name, value in kind.items()}
        if member in kind and (classes is None or kind["class"] in classes):
            kind[member] = change(kind[member])
        return {name: value for name, value in kind.items() if value is not None}

    row(LOSSLESS, "Type_" + member, "type." + member, "type", list(only) or TYPES, good.Reader,
        **describing("describe_column", lambda column, made: made.update(type=wrong(made["type"]))))


types_with("class", lambda name: {"enum": "integer"}.get(name, name))
types_with("size", lambda size: 8 if isinstance(size, int) else size)
types_with("order", lambda order: "little")
types_with("signed", lambda signed: True)
types_with("precision", lambda precision: None, "valid/8.3/*odd-precision*")
types_with("offset", lambda offset: None, "valid/8.3/*odd-precision*")
types_with("charset", lambda charset: "utf-8", "valid/8.3/*strings*")
types_with("padding", lambda padding: "null-pad", "valid/8.3/*strings*")
types_with("tag", lambda tag: "")
types_with("base", lambda base: {**base, "size": 8}, classes=["enum", "vlen"])
types_with("members", sorted)
types_with("fields", sorted, "valid/8.3/compound*")
types_with("dims", lambda dims: [sum(dims)])
types_with("form", lambda form: "object", "valid/7.6/outgoing-references*")


# Values

def with_values(change):
    """A method that returns other values; `change` gets the column and the stored one, or None for a missing one."""
    def read_column(self, column, first, count):
        made = good.Reader.read_column(self, column, first, count)
        return {**made, "values": [change(column, value) for value in made["values"]]}
    return read_column


def text(change):
    return lambda column, value: change(value) if isinstance(value, str) else value


def bits(column, value):
    return value.get("bits", "") if isinstance(value, dict) else ""


def one_nan(column, value):
    stored = bits(column, value)
    if stored and notation.is_nan(good.key(column.type, value)):
        return {"bits": {4: "7e00", 8: "7fc00000", 16: "7ff8000000000000"}[len(stored)]}
    return value


def no_negative_zero(column, value):
    stored = bits(column, value)
    return {"bits": stored.replace("8", "0")} if stored.strip("0") == "8" else value


def in_memory_order(column, value):
    if column.type["class"] in ("bitfield", "time") and value is not None:
        return notation.raw(notation.base64.b64decode(value["bytes"])[::-1])
    return value


def with_both(form, other, more):
    """Values of one notation have a second one."""
    return lambda column, value: {**value, other: more} if isinstance(value, dict) and form in value else value


for clause, name, members, says, files, change in (
        ("consumer-canonical-missing-test", "EmptyIsMissing", "values_of.values", "missing", ["valid/8.3/*strings*"],
         lambda column, value: None if value in ("", []) else value),
        (LOSSLESS, "StripsText", "values_of.values", "column", WORDS, text(str.strip)),
        (LOSSLESS, "EndsAtTheFirstNul", "values_of.values", "column", ["valid/10.5/*nul-inside*"],
         text(lambda value: value.partition("\0")[0])),
        (LOSSLESS, "OneNan", "value.bits", "column", NUMBERS, one_nan),
        (LOSSLESS, "NoNegativeZero", "value.bits", "column", ["valid/8.3/any-datatype--floating*"], no_negative_zero),
        (LOSSLESS, "BytesInMemoryOrder", "value.bytes", "column", TYPES, in_memory_order),
        (LOSSLESS, "BitsWithBytes", "value.bytes", "column", ["valid/8.3/any-datatype--floating*"], with_both("bits", "bytes", "AAAA")),
        (LOSSLESS, "BytesWithBits", "value.bits", "column", TYPES, with_both("bytes", "bits", "00"))):
    row(clause, name, members, says, files, good.Reader, read_column=with_values(change))


@broken("consumer-rows-below-nrows-are-data", members="ok.columns", says="0 values", shown_by=FIVE_ROWS)
class LosesTheLastColumn(good.Reader):
    def read(self, *arguments):
        made = super().read(*arguments)
        return {"columns": made["columns"][:-1]}


@broken("consumer-enumerate-columns", members="values_of.name", says="does not list", shown_by=["valid/8.1/any-utf8*"])
class ShortensNames(good.Reader):
    def read_column(self, column, first, count):
        return {**super().read_column(column, first, count), "name": column.name[:3]}


@broken(LOSSLESS, members="values_of.unreadable", says="not read", shown_by=TYPES)
class ReadsNoSequences(good.Reader):
    def read_column(self, column, first, count):
        if column.type["class"] == "vlen":
            return {"name": column.name, "unreadable": "a ragged column"}
        return super().read_column(column, first, count)


@broken("consumer-expose-unknown-datatype", members="value.bits", says="not JSON", shown_by=["valid/8.3/any-datatype--floating*"])
class PrintsNan(Replies):
    operation = "read"

    def line(self, request, reply):
        return super().line(request, reply).replace('"bits": "7f', '"nan": NaN, "bits": "7f')


@broken("consumer-same-answer-without-index", "consumer-may-ignore-indexes", members="ok.rows", says="increasing order",
        shown_by=["valid/10.1/any-dataset-name*"])
class RowsAsFound(Adapter):
    def query(self, reader, request):
        made = super().query(reader, request)
        return {**made, "rows": made["rows"][::-1]}


@broken(LOSSLESS, members="ok.used", says="used", shown_by=["valid/8.3/any-datatype--integers*"])
class SaysItUsedIndexes(Adapter):
    def query(self, reader, request):
        return {**super().query(reader, request), "used": ["CHUNK_MINMAX"]}


run = runner(__name__, "reader")
