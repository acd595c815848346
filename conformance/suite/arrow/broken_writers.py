"""Arrow writers with one mistake each: broken_writers.py NAME. Each names the clauses that it
violates: clauses about producers, and about the files themselves."""

import sys

from mistakes import registry  # first: it adds the adapter to the path

import notation
from adapter import Adapter
from notation import Refused
from writing import Writer

BROKEN, breaks = registry()


@breaks("producer-every-output-conformant")
class OtherValues(Adapter):
    """Writes strings in upper case."""

    class writer(Writer):
        def of_utf8(self, field, values):
            super().of_utf8(field, [value.upper() if isinstance(value, str) else value for value in values])


@breaks("producer-every-output-conformant")
class LosesMetadata(Adapter):
    class writer(Writer):
        def schema(self):
            self.metadata = []
            return super().schema()


@breaks("producer-every-output-conformant", "null-count-exact")
class WrongNullCount(Adapter):
    """States one null less than there are."""

    class writer(Writer):
        def null_count(self, field, nulls):
            return nulls - (nulls == 1 and field["type"]["class"] == "int")


@breaks("producer-every-output-conformant")
class NeverWrites(Adapter):
    """Fails on what it declares to write."""

    def answer(self, request):
        if request["op"] == "write":
            return {"error": {"kind": "unsupported", "message": "not now"}}
        return super().answer(request)


@breaks("producer-every-output-conformant")
class Fails(Adapter):
    """Fails on maps, which it declares."""

    def write(self, request):
        if any(field["type"]["class"] == "map" for field in request["table"]["fields"]):
            raise Refused("maps")
        return super().write(request)


@breaks("producer-every-output-conformant")
class LeavesNothing(Adapter):
    """Falsely reports that it has written a dictionary."""

    def write(self, request):
        if any("dictionary" in field for field in request["table"]["fields"]):
            return {}
        return super().write(request)


@breaks("producer-aligned-memory", "buffer-align-64")
class AlignsTo8(Adapter):
    class writer(Writer):
        def alignment(self):
            return 8


@breaks("producer-v4-mode")
class OnlyV5(Adapter):
    features = [each for each in Adapter.features if each != "v4"]


@breaks("producer-v4-mode")
class V5Anyway(Adapter):
    """Declares a mode that writes V4, and writes V5."""

    def write(self, request):
        return super().write({**request, "version": "v5"})


@breaks("producer-every-output-conformant", "producer-ends-stream", "message-prefix-complete")
class EndsInAPrefix(Adapter):
    """Writes half of an end marker after a stream without batches."""

    class writer(Writer):
        def end(self):
            if self.framing == "stream" and not self.batches:
                self.out += b"\xff\xff"
            else:
                super().end()


@breaks("producer-every-output-conformant", "producer-no-private-types", "field-type-known")
class PrivateTypes(Adapter):
    """Writes another type instead of intervals."""

    class writer(Writer):
        def schema(self):
            made = super().schema()
            for field in made[1]:
                if field[2] == ("B", notation.TAGS.index("interval")):
                    field[2] = ("B", 200)
            return made


@breaks("producer-every-output-conformant")
class CompressesNothing(Adapter):
    """Declares a codec that it does not use."""

    features = [*Adapter.features, "lz4"]


class Compresses(Adapter):
    """Writes bodies with a codec, whose buffers are stored as they are."""

    features = [*Adapter.features, "lz4"]
    asked = ()

    class writer(Writer):
        codec = None

        def batch(self, fields, columns, rows):
            self.nodes, self.buffers = [], []
            for field, values in zip(fields, columns, strict=True):
                self.array(field, values)
            if self.codec is None:
                return super().batch(fields, columns, rows)
            body, entries = bytearray(), []
            for data in self.buffers:
                stored = b"\xff" * 8 + data if data else b""
                entries.append((len(body), len(stored)))
                body += stored + bytes(-len(stored) % 64)
            return {0: ("q", rows), 1: ("qq", self.nodes), 2: ("qq", entries), 3: {0: ("b", self.codec)}}, bytes(body)

    def write(self, request):
        codec = self.codec(request.get("compression"))
        self.writer = type("Writer", (Compresses.writer,), {"codec": codec})
        return super().write(request)


@breaks()
class Lz4(Compresses):
    """The right one."""

    def codec(self, requested):
        return 0 if requested else None


@breaks("producer-every-output-conformant")
class Zstd(Compresses):
    def codec(self, requested):
        return 1 if requested else None


@breaks("producer-every-output-conformant")
class CompressesAlways(Compresses):
    def codec(self, requested):
        return 0


@breaks("producer-every-output-conformant")
class V4Unasked(Adapter):
    """Writes files in V4, whatever is requested."""

    def write(self, request):
        return super().write({**request, "version": "v4"} if request["framing"] == "file" else request)


@breaks("producer-v4-mode", "message-version-uniform")
class V4AlmostEverywhere(Adapter):
    """The last batch is of V5."""

    class writer(Writer):
        def message(self, kind, header, body):
            before = self.version
            if kind == 3 and self.framing == "stream" and all(field["type"]["class"] != "union" for field in self.fields):
                self.version = 4
            made = super().message(kind, header, body)
            self.version = before
            return made


@breaks("producer-every-output-conformant")
class StreamsAlone(Adapter):
    def write(self, request):
        return super().write({**request, "framing": "stream"})


@breaks("producer-every-output-conformant")
class FilesAlone(Adapter):
    def write(self, request):
        return super().write({**request, "framing": "file"})


class NoMetadata(Adapter):
    features = [each for each in Adapter.features if each != "metadata"]


@breaks("producer-every-output-conformant")
class NullableWithoutNeed(NoMetadata):
    class writer(Writer):
        def schema(self):
            for field in self.fields:
                field["nullable"] = True
            return super().schema()


@breaks("producer-every-output-conformant")
class NullableAsTheFirst(NoMetadata):
    """The other fields are nullable if the first is."""

    class writer(Writer):
        def schema(self):
            for field in self.fields:
                field["nullable"] |= self.fields[0]["nullable"]
            return super().schema()


if __name__ == "__main__":
    BROKEN[sys.argv[1]]().serve()
