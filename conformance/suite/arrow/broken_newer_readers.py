"""Readers of Arrow format 1.5 with one mistake each: broken_newer_readers.py NAME."""

import sys

from mistakes import registry  # first: it adds the adapter to the path

import notation
from adapter import Adapter
from reading import Batch, Reader

BROKEN, breaks = registry()


@breaks("consumer-view-values")
class TakesPrefixes(Adapter):
    """Takes the second data buffer for the first one."""

    class reader(Reader):
        class batch(Batch):
            def view_bytes(self, view, buffers):
                return super().view_bytes(view, [buffers[0] if len(each) <= len(buffers[0]) else each for each in buffers])


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


@breaks("consumer-run-end-values")
class RunsAsLengths(Adapter):
    """Takes run ends of numbers for lengths of runs."""

    class reader(Reader):
        class batch(Batch):
            def repeated(self, ends, values, length):
                if not all(isinstance(value, dict) and "bits" in value for value in values if value is not None):
                    return super().repeated(ends, values, length)
                return [value for end, value in zip(ends, values) for _ in range(end)][:length]


@breaks("consumer-run-end-long")
class ExpandsRuns(Adapter):
    """Ends on long runs."""

    class reader(Reader):
        class batch(Batch):
            def next_node(self):
                if any(length >= 1 << 40 and nulls == 0 for length, nulls in self.nodes):
                    sys.exit(1)
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


@breaks("consumer-timestamp-naive-not-utc")
class AssumesUtc(Adapter):
    """Takes columns of seconds or milliseconds without a timezone for UTC."""

    def describe(self, request):
        made = super().describe(request)
        for field in made["fields"]:
            if field["type"]["class"] == "timestamp" and field["type"]["timezone"] is None and "without" in request["file"]:
                field["type"] = {**field["type"], "timezone": "UTC"}
        return made


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


@breaks("consumer-older-files")
class RefusesVersion4(Adapter):
    """Refuses files whose footer has V4."""

    def answer(self, request):
        if request.get("framing") == "file" and request["op"] == "describe" and "v4" in request["file"] and "union" not in request["file"]:
            return {"error": {"kind": "refused", "message": "metadata version 4"}}
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


if __name__ == "__main__":
    BROKEN[sys.argv[1]]().serve()
