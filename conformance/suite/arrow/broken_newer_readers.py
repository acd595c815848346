"""Readers of Arrow format 1.5 with one mistake each: broken_newer_readers.py NAME."""

import sys
import time

from mistakes import registry  # first: it adds the adapter to the path

from adapter import Adapter
from flat import Broken
from reading import Batch, Reader
from writing import Writer

BROKEN, breaks = registry()


@breaks("consumer-view-values")
class TakesPrefixes(Adapter):
    """Takes the second data buffer for the first one."""

    class reader(Reader):
        class batch(Batch):
            def view_bytes(self, view, buffers):
                return super().view_bytes(view, [buffers[0] if len(each) <= len(buffers[0]) else each for each in buffers])


@breaks("consumer-view-values")
class TwelveBytesOutside(Adapter):
    """Looks for values of twelve bytes in a data buffer."""

    class reader(Reader):
        class batch(Batch):
            def view_bytes(self, view, buffers):
                size, = self.integers(view, 1, 4)
                return bytes(size) if size == 12 else super().view_bytes(view, buffers)


@breaks("consumer-list-view-values")
class ListsInOrder(Adapter):
    """Takes each list from where the one before ends, where that is possible."""

    class reader(Reader):
        class batch(Batch):
            def list_cells(self, starts, sizes, below):
                made, at = [], 0
                for size in sizes:
                    made.append(below[at:at + size])
                    at = at + size if at + size < len(below) else 0
                return made


@breaks("consumer-list-view-values")
class RefusesOverlaps(Adapter):
    """Refuses lists that share elements."""

    class reader(Reader):
        class batch(Batch):
            def list_cells(self, starts, sizes, below):
                if sum(sizes) > len(below):
                    raise Broken("lists that overlap")
                return super().list_cells(starts, sizes, below)


@breaks("consumer-run-end-values")
class RunsAsLengths(Adapter):
    """Takes run ends of numbers for lengths of runs."""

    class reader(Reader):
        class batch(Batch):
            def repeated(self, ends, values, length):
                if not all(isinstance(value, dict) and "bits" in value for value in values if value is not None):
                    return super().repeated(ends, values, length)
                return [value for end, value in zip(ends, values) for _ in range(end)][:length]


@breaks("consumer-run-end-values")
class WantsLongestRuns(Adapter):
    """Refuses neighbouring runs of one value."""

    class reader(Reader):
        class batch(Batch):
            def repeated(self, ends, values, length):
                if any(a == b for a, b in zip(values, values[1:])):
                    raise Broken("runs that are one")
                return super().repeated(ends, values, length)


@breaks("consumer-run-end-long")
class ExpandsRuns(Adapter):
    """Ends on long runs."""

    class reader(Reader):
        class batch(Batch):
            def next_node(self):
                if any(length >= 1 << 40 and nulls == 0 for length, nulls in self.nodes):
                    sys.exit(1)
                return super().next_node()


@breaks("consumer-run-end-long")
class WalksRuns(Adapter):
    """Visits each slot of a long run."""

    class reader(Reader):
        class batch(Batch):
            def next_node(self):
                if any(length >= 1 << 40 for length, _ in self.nodes):
                    time.sleep(60)
                return super().next_node()


@breaks("consumer-timestamp-reference")
class ForgetsZones(Adapter):
    """Takes all timezones but UTC for none."""

    def describe(self, request):
        made = super().describe(request)
        for field in made["fields"]:
            if field["type"].get("timezone") not in (None, "UTC"):
                field["type"] = {**field["type"], "timezone": None}
        return made


@breaks("consumer-timestamp-reference")
class AddsAnHour(Adapter):
    """Takes values with the timezone of a place for its winter time."""

    class reader(Reader):
        class batch(Batch):
            def of_fixed(self, field, length):
                made = super().of_fixed(field, length)
                local = "/" in (field["type"].get("timezone") or "")
                return [str(int(value) + 3600) for value in made] if local else made


class NamesZones(Adapter):
    """Describes some timestamps without a timezone with one."""

    def describe(self, request):
        made = super().describe(request)
        for field in made["fields"]:
            if field["type"]["class"] == "timestamp" and field["type"]["timezone"] is None and "without" in request["file"]:
                field["type"] = {**field["type"], "timezone": self.ZONE}
        return made


@breaks("consumer-timestamp-naive-not-utc")
class AssumesUtc(NamesZones):
    """Takes columns of seconds or milliseconds without a timezone for UTC."""

    ZONE = "UTC"


@breaks("consumer-timestamp-naive-not-utc")
class NamesAnyZone(NamesZones):
    """Describes timestamps without a timezone with an empty one."""

    ZONE = ""


@breaks("consumer-month-day-nano")
class AddsParts(Adapter):
    """Adds the days of a month-day-nano interval to its nanoseconds."""

    class reader(Reader):
        class batch(Batch):
            def of_fixed(self, field, length):
                made = super().of_fixed(field, length)
                if field["type"].get("unit") != "month-day-nano":
                    return made
                return [[months, "0", str(int(nanos) + 86_400_000_000_000 * int(days))] for months, days, nanos in made]


@breaks("consumer-month-day-nano")
class LosesSigns(Adapter):
    """Loses the sign of the days of a month-day-nano interval."""

    class reader(Reader):
        class batch(Batch):
            def of_fixed(self, field, length):
                made = super().of_fixed(field, length)
                if field["type"].get("unit") != "month-day-nano":
                    return made
                return [[months, days.lstrip("-"), nanos] for months, days, nanos in made]


@breaks("consumer-older-files")
class RefusesVersion4(Adapter):
    """Refuses files whose footer has V4."""

    def answer(self, request):
        if request.get("framing") == "file" and request["op"] == "describe" and "v4" in request["file"] and "union" not in request["file"]:
            return {"error": {"kind": "refused", "message": "metadata version 4"}}
        return super().answer(request)


@breaks("consumer-older-files")
class WantsContinuations(Adapter):
    """Refuses messages without the four bytes FF before them."""

    def answer(self, request):
        if "continuation-present--none" in request.get("file", ""):
            return {"error": {"kind": "refused", "message": "no continuation"}}
        return super().answer(request)


@breaks("consumer-newer-detected")
class NarrowsDecimals(Adapter):
    """Reads decimals of 32 bits as if they had no sign."""

    class reader(Reader):
        class batch(Batch):
            def of_fixed(self, field, length):
                made = super().of_fixed(field, length)
                narrow = field["type"]["class"] == "decimal" and field["type"]["bits"] == 32
                return [value.lstrip("-") for value in made] if narrow else made


@breaks("consumer-newer-detected")
class RefusesDecimals(Adapter):
    """Refuses decimals of 64 bits without saying so."""

    def answer(self, request):
        answer = super().answer(request)
        if any(field["type"].get("bits") == 64 and field["type"]["class"] == "decimal" for field in answer.get("ok", {}).get("fields", [])):
            return {"error": {"kind": "refused", "message": "not now"}}
        return answer


@breaks("consumer-extension-metadata-survives")
class BelievesMetadata(Adapter):
    """Ends on metadata of a tensor that are not an object."""

    class reader(Reader):
        def schema(self, table):
            super().schema(table)
            for field in self.fields:
                pairs = dict((key, value) for key, value in field["metadata"])
                if pairs.get("ARROW:extension:name") == "arrow.fixed_shape_tensor" and \
                        not str(pairs.get("ARROW:extension:metadata")).startswith("{"):
                    sys.exit(1)


@breaks("consumer-extension-metadata-survives")
class BelievesNames(Adapter):
    """Ends on dim_names that are not strings."""

    class reader(Reader):
        def schema(self, table):
            super().schema(table)
            for field in self.fields:
                for key, value in field["metadata"]:
                    if key == "ARROW:extension:metadata" and '"dim_names": null' in str(value):
                        sys.exit(1)


class Plain:
    """A batch that does not say that it is compressed."""

    def __init__(self, of):
        self.of = of

    def table(self, number):
        return None if number == 3 else self.of.table(number)

    def __getattr__(self, name):
        return getattr(self.of, name)


class Compressed(Adapter):
    """Reads compressed batches, without decompressing them."""

    class reader(Reader):
        class batch(Batch):
            def __init__(self, reader, table, version, body):
                self.compressed = table is not None and table.table(3) is not None
                super().__init__(reader, Plain(table) if self.compressed else table, version, body)


@breaks("consumer-codec-optional")
class NullsInsteadOfFrames(Compressed):
    """Takes the values of compressed batches for nulls."""

    class reader(Compressed.reader):
        class batch(Compressed.reader.batch):
            def columns(self, fields, dictionaries, known):
                if not self.compressed:
                    return super().columns(fields, dictionaries, known)
                return [[None] * self.length for _ in fields]


@breaks("consumer-codec-optional")
class LosesCompressedBatches(Compressed):
    """Leaves out batches that are compressed."""

    class reader(Compressed.reader):
        def record(self, header, version, body):
            super().record(header, version, body)
            if self.batches[-1].compressed:
                self.batches.pop()


@breaks("consumer-canonical-extension-optional")
class ConvertsBooleans(Adapter):
    """Describes the storage of arrow.bool8 as booleans."""

    def describe(self, request):
        made = super().describe(request)
        for field in made["fields"]:
            if ["ARROW:extension:name", "arrow.bool8"] in field["metadata"]:
                field["type"] = {"class": "bool"}
        return made


@breaks("consumer-canonical-extension-optional")
class LosesNames(Adapter):
    """Loses the name of arrow.uuid when it copies."""

    class writer(Writer):
        def schema(self):
            for field in self.fields:
                field["metadata"] = [pair for pair in field["metadata"] if list(pair)[1] != "arrow.uuid"]
            return super().schema()


if __name__ == "__main__":
    BROKEN[sys.argv[1]]().serve()
