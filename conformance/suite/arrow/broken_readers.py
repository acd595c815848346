"""Arrow readers with one mistake each: broken_readers.py NAME. Each names the clauses that it
violates."""

import os
import signal
import sys
import time

from mistakes import registry  # first: it adds the adapter to the path

import notation
import reading
from adapter import Adapter
from reading import Batch, Broken, Reader
from writing import Writer

BROKEN, breaks = registry()


@breaks("consumer-int31-lengths")
class WrapsLengths(Adapter):
    """Stores lengths in 31 bits."""

    def describe(self, request):
        made = super().describe(request)
        for batch in made["batches"]:
            batch["rows"] = str(int(batch["rows"]) % (1 << 31))
        return made


@breaks("consumer-bitmap-or-not")
class TrustsTheNullCount(Adapter):
    """Treats the optional bitmap of a column without nulls as one with nulls, if the column is the only
    one."""

    class reader(Reader):
        class batch(Batch):
            def validity(self, length, nulls, field):
                flags = super().validity(length, nulls, field)
                alone = len(self.nodes) == 1 and nulls == 0
                return [not flag for flag in flags] if alone and self.entries[0][1] else flags


@breaks("consumer-null-slot-ignored")
class LooksUnderNulls(Adapter):
    """Requires UTF-8 even in null strings."""

    class reader(Reader):
        class batch(Batch):
            def with_nulls(self, field, values, valid):
                if field["type"]["class"] == "utf8" and any(isinstance(value, dict) for value in values):
                    raise Broken("text that is not UTF-8")
                return super().with_nulls(field, values, valid)


@breaks("consumer-null-slot-extent")
class PacksValues(Adapter):
    """Concatenates lists and ignores the bytes of null ones."""

    class reader(Reader):
        class batch(Batch):
            def with_nulls(self, field, values, valid):
                made = super().with_nulls(field, values, valid)
                if field["type"]["class"] != "list" or "dictionary" in field or all(valid):
                    return made
                whole = [each for value in values for each in value]
                at, packed = 0, []
                for value in made:
                    packed.append(None if value is None else whole[at:at + len(value)])
                    at += len(value or ())
                return packed


@breaks("consumer-parent-validity-first")
class ShowsHiddenStructs(Adapter):
    """Shows the values of the children of a null struct."""

    class reader(Reader):
        class batch(Batch):
            def with_nulls(self, field, values, valid):
                if [child["name"] for child in field["children"]] != ["name", "age"] or self.version != reading.V5:
                    return super().with_nulls(field, values, valid)
                return [value if there or value[0] else None for value, there in zip(values, valid)]


@breaks("consumer-parent-validity-first")
class HidesChildren(Adapter):
    """Hides slots of a child that a null struct covers, although the child is read by itself."""

    def child(self, batch, values, column, child):
        return [None if whole is None else value
                for whole, value in zip(values, super().child(batch, values, column, child))]


@breaks("consumer-union-nullness-from-child")
class UnionsWithoutNulls(Adapter):
    """Has no nulls in a union: a null float in one is 0."""

    class reader(Reader):
        class batch(Batch):
            def selected(self, id, child, at, below):
                made = super().selected(id, child, at, below)
                floats = any(isinstance(value, dict) for value in below[0])
                if made["value"] is None and floats and self.version == reading.V5 and self.reader.order == "little":
                    made["value"] = {"bits": "00000000"}
                return made


@breaks("consumer-dictionary-null-count", "consumer-converts-unsupported")
class CountsNullWords(Adapter):
    """Counts the nulls among dictionary values instead of the null keys."""

    class reader(Reader):
        class batch(Batch):
            def null_count(self, field, node):
                if "dictionary" not in field:
                    return super().null_count(field, node)
                values = self.columns(self.reader.fields, self.found, self.values)
                return sum(value is None for value in values[self.reader.fields.index(field)])


@breaks("consumer-v4-unions")
class V5Unions(Adapter):
    """Expects no bitmap in unions, regardless of the version."""

    class reader(Reader):
        class batch(Batch):
            def has_union_bitmap(self):
                return False


@breaks("consumer-day-time-optional")
class SwapsDayTimes(Adapter):
    """Swaps milliseconds and days."""

    class reader(Reader):
        class batch(Batch):
            def of_fixed(self, field, length):
                values = super().of_fixed(field, length)
                swaps = field["type"].get("unit") == "day-time" and self.reader.order == "little"
                return [value[::-1] for value in values] if swaps else values


@breaks("consumer-unknown-feature")
class IgnoresFeatures(Adapter):
    class reader(Reader):
        def features(self, unknown):
            pass


@breaks("consumer-survives-any-input")
class Crashes(Adapter):
    """Continues after an offset that points outside the input."""

    def answer(self, request):
        reply = super().answer(request)
        if "a block that leaves the file" in str(reply):
            os.kill(os.getpid(), signal.SIGSEGV)
        return reply


@breaks("consumer-survives-any-input")
class Hangs(Adapter):
    def answer(self, request):
        reply = super().answer(request)
        if "a footer that leaves the file" in str(reply):
            time.sleep(1000)
        return reply


@breaks("consumer-old-framing")
class MisreadsOldFraming(Adapter):
    """Treats the old framing as an empty stream."""

    class reader(Reader):
        def messages(self, at, end):
            old = self.framing == "stream" and self.data[:4] != b"\xff\xff\xff\xff"
            for i, message in enumerate(super().messages(at, end)):
                if old and i:
                    return
                yield message


@breaks("consumer-metadata-before-body")
class TrustsBodyLength(Adapter):
    """Allocates the body before it checks its description."""

    class reader(Reader):
        def check(self, tag, header):
            try:
                super().check(tag, header)
            except Broken as defect:
                if "2147483647" in str(defect):
                    os.abort()
                raise


@breaks("consumer-nullable-round-trip")
class AllNullable(Adapter):
    class writer(Writer):
        def schema(self):
            for field in self.fields:
                field["nullable"] = True
            return super().schema()


@breaks("consumer-offset-relative-to-body")
class CountsFromMetadata(Adapter):
    """Assumes that the metadata of all batches have the length of the first."""

    class reader(Reader):
        def messages(self, at, end):
            for table, version, body in super().messages(at, end):
                if table.scalar(1, "B") == 3 and len(table.tables(4)) > 2:
                    body = body[8:] + bytes(8)
                yield table, version, body


@breaks("consumer-bounded-decompression")
class BelievesSizes(Adapter):
    """Allocates the declared size of a compressed buffer without a limit."""

    def answer(self, request):
        reply = super().answer(request)
        if "size-exact" in request.get("file", "") and request["op"] == "read":
            hoard = [bytearray(1 << 26)]
            while True:
                hoard.append(bytearray(b"x") * (1 << 26))
        return reply

    def describe(self, request):
        if "size-exact" in request["file"]:
            return {"fields": [], "batches": []}
        return super().describe(request)


@breaks("consumer-message-kinds-subset")
class CountsTensors(Adapter):
    """Treats a tensor as a batch."""

    class reader(Reader):
        def take(self, table, version, body):
            if table.scalar(1, "B") not in (4, 5):
                return super().take(table, version, body)
            if self.batches:
                self.batches.append(self.batches[-1])


@breaks("consumer-endianness")
class IgnoresByteOrder(Adapter):
    class reader(Reader):
        def schema(self, table):
            super().schema(table)
            self.order = "little"


MARKER = b"\xff\xff\xff\xff" + bytes(4)


@breaks("consumer-both-ends")
class ReadsBehindTheMarker(Adapter):
    class reader(Reader):
        def messages(self, at, end):
            marker = self.data.find(MARKER + MARKER[:4])  # followed by another message
            if self.framing == "stream" and marker > 0:
                self.data = self.data[:marker] + self.data[marker + len(MARKER):]
            return super().messages(at, len(self.data))


@breaks("consumer-both-ends", "consumer-converts-unsupported")
class WantsTheMarker(Adapter):
    class reader(Reader):
        def messages(self, at, end):
            yield from super().messages(at, end)
            old = self.data[:4] != b"\xff\xff\xff\xff"
            if self.framing == "stream" and not old and self.data[-8:] != MARKER:
                raise Broken("no marker")


@breaks("consumer-random-access")
class InTurnOnly(Adapter):
    """Returns batches in the order of the file, whatever is requested."""

    def read(self, request):
        if "batches" in request:
            request["batches"] = sorted(request["batches"])
        return super().read(request)


@breaks("file-delta-order")
class StreamOrder(Adapter):
    """Applies dictionaries in the order in which they are stored in the file."""

    class reader(Reader):
        def in_order(self, blocks):
            return sorted(blocks)


@breaks("consumer-delta-concatenates")
class DeltasReplace(Adapter):
    """Replaces a dictionary that was never replaced by its deltas."""

    class reader(Reader):
        replaced = False

        def changed(self, before, batch, delta):
            self.replaced |= bool(before) and not delta
            if delta and not self.replaced and self.framing == "stream":
                return [batch]
            return super().changed(before, batch, delta)


@breaks("consumer-replacement")
class AppendsReplacements(Adapter):
    """Treats a repeated dictionary as a delta."""

    class reader(Reader):
        def changed(self, before, batch, delta):
            if before and not delta:
                return [*before, batch]
            return super().changed(before, batch, delta)


@breaks("consumer-unknown-extension")
class RefusesExtensions(Adapter):
    class reader(Reader):
        def schema(self, table):
            super().schema(table)
            names = [value for field in self.fields for key, value in field["metadata"] if key == "ARROW:extension:name"]
            if "uuid" in names:
                raise notation.Refused("the extension type uuid")


@breaks("consumer-converts-unsupported")
class DropsSeconds(Adapter):
    """Returns times in seconds unchanged, as milliseconds."""

    def describe(self, request):
        made = super().describe(request)
        for field in made["fields"]:
            if field["type"] == {"class": "time", "unit": "s", "bits": 32}:
                field["type"] = {**field["type"], "unit": "ms"}
        return made


@breaks("consumer-converts-unsupported")
class SilentAboutMaps(Adapter):
    """Does not declare maps, and does not report them as unsupported."""

    datatypes = [each for each in Adapter.datatypes if each != "map"]

    class reader(Reader):
        def schema(self, table):
            super().schema(table)
            if any(field["type"]["class"] == "map" for field in self.fields):
                raise notation.Refused("something")


class Misdescribed(Adapter):
    """Describes a stream with a mistake that its values do not show."""

    def describe(self, request):
        made = super().describe(request)
        self.mistake(made, made["fields"])
        return made


@breaks("consumer-converts-unsupported")
class DescribesAllAsNullable(Misdescribed):
    def mistake(self, made, fields):
        for field in fields:
            field["nullable"] = True


@breaks("consumer-converts-unsupported")
class NullableAsTheFirst(Misdescribed):
    def mistake(self, made, fields):
        for field in fields:
            field["nullable"] = fields[0]["nullable"]


@breaks("consumer-converts-unsupported")
class NoMetadata(Misdescribed):
    def mistake(self, made, fields):
        made["metadata"] = []


@breaks("consumer-converts-unsupported")
class OtherMetadata(Misdescribed):
    """Takes an empty value for none."""

    def mistake(self, made, fields):
        made["metadata"] = [[key, value] for key, value in made["metadata"] if value]


@breaks("consumer-converts-unsupported")
class InheritedMetadata(Misdescribed):
    """Fields have the metadata of the schema, too."""

    def mistake(self, made, fields):
        for field in fields:
            field["metadata"] = field["metadata"] + made["metadata"]


@breaks("consumer-converts-unsupported")
class MetadataOfTheNext(Misdescribed):
    def mistake(self, made, fields):
        pairs = [field["metadata"] for field in fields]
        for field, others in zip(fields, pairs[1:] + pairs[:1]):
            field["metadata"] = others


@breaks("consumer-converts-unsupported")
class NullableLeftOut(Misdescribed):
    """States only that a field is nullable, not that it is none."""

    def mistake(self, made, fields):
        for field in fields:
            if not field["nullable"]:
                del field["nullable"]


@breaks("consumer-converts-unsupported")
class OneBatch(Misdescribed):
    """Describes all batches as one."""

    def mistake(self, made, fields):
        rows = sum(int(batch["rows"]) for batch in made["batches"])
        if len(made["batches"]) > 1:
            made["batches"] = [{**made["batches"][0], "rows": str(rows)}]


@breaks("consumer-converts-unsupported")
class BatchesBackwards(Misdescribed):
    def mistake(self, made, fields):
        made["batches"].reverse()


@breaks("consumer-converts-unsupported")
class NullCountsOfTheLastBatch(Misdescribed):
    def mistake(self, made, fields):
        for batch in made["batches"]:
            batch["null_counts"] = made["batches"][-1]["null_counts"]


@breaks("consumer-converts-unsupported")
class NullCountsOfTheFirstColumn(Misdescribed):
    def mistake(self, made, fields):
        for batch in made["batches"]:
            batch["null_counts"] = batch["null_counts"][:1] * len(fields)


@breaks("consumer-converts-unsupported")
class TimesWithATimezone(Misdescribed):
    """A type has a member of another one."""

    def mistake(self, made, fields):
        for field in fields:
            if field["type"] == {"class": "time", "unit": "s", "bits": 32}:
                field["type"]["timezone"] = "UTC"


@breaks("consumer-converts-unsupported")
class TimesWithASign(Misdescribed):
    def mistake(self, made, fields):
        for field in fields:
            if field["type"] == {"class": "time", "unit": "s", "bits": 32}:
                field["type"]["signed"] = True


@breaks("consumer-random-access")
class JoinsBatches(Adapter):
    """Returns the requested batches as one."""

    def read(self, request):
        made = super().read(request)
        if "batches" in request:
            columns = zip(*(batch["columns"] for batch in made["batches"]))
            made["batches"] = [{"columns": [sum(parts, []) for parts in columns]}]
        return made


@breaks("consumer-null-slot-ignored", "consumer-both-ends", "consumer-converts-unsupported")
class RaggedBatches(Adapter):
    """The second column is in a batch of its own."""

    def read(self, request):
        made = super().read(request)
        if "batches" not in request and len(made["batches"]) == 1 and len(made["batches"][0]["columns"]) == 2:
            first, second = made["batches"][0]["columns"]
            if first:
                made["batches"] = [{"columns": [first, []]}, {"columns": [[], second]}]
        return made


class FloatsWith(Adapter):
    """Returns a further member of each float."""

    def read(self, request):
        made = super().read(request)
        for batch in made["batches"]:
            for cells in batch["columns"]:
                for cell in cells:
                    if isinstance(cell, dict) and "bits" in cell:
                        cell |= self.further
        return made


@breaks("consumer-endianness", "consumer-old-framing", "consumer-bitmap-or-not", "consumer-converts-unsupported")
class CellsOfTwoForms(FloatsWith):
    """Returns the bits of a float, and its bytes as well."""

    further = {"bytes": ""}


@breaks()
class ValuesForDisplay(FloatsWith):
    """A float may have its value for display."""

    further = {"value": "one"}


@breaks()
class ReorderedMetadata(Misdescribed):
    """The order is not significant."""

    def mistake(self, made, fields):
        for each in made, *fields:
            each["metadata"] = each["metadata"][::-1]


if __name__ == "__main__":
    BROKEN[sys.argv[1]]().serve()
