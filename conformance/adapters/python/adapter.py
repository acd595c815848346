#!/usr/bin/env python3
"""Speaks the protocol of the harness (conformance/protocol.md) for the Python reader and writer."""

from conversation import Unsupported, serve
from newer import NewerReader, NewerWriter
from reader import Reader
from writer import Writer

PROTOCOL = 1
DATATYPES = ["integer", "other-integer", "float", "other-float", "string", "vlen-string", "enum",
             "opaque", "bitfield", "time", "compound", "array", "vlen", "reference", "boolean"]
LISTS = ["list", "text"]
OLDER = "hep001-2026-06-16"
INDEXES = ["CHUNK_MINMAX", "SORTED_ROWS", "BITMAP", "CHUNK_BLOOM"]


class Adapter:
    name = "hepcheck Python adapter"
    operations = ["describe", "read", "query", "write", "append", "truncate", "update",
                  "add-index", "drop-index"]
    features = ["durable", "chunks", "filters", "preallocation", "categories", "row-labels",
                "units", "descriptions", "reclaim", "provenance"]
    reading = ("describe", "read", "query")
    reader = writer = None  # classes for the specification, unless a program sets its own
    older = False

    def answer(self, request):
        """The body of the reply, and the diagnostics."""
        operation = request["op"]
        if operation == "hello":
            # The rest of the conversation uses this specification.
            self.older = request.get("spec") in (None, OLDER)
            return self.hello(), []
        if operation not in self.operations:
            raise Unsupported(f"no operation {operation}")
        if operation in self.reading:
            program = (self.reader or (Reader if self.older else NewerReader))()
        else:
            program = (self.writer or (Writer if self.older else NewerWriter))()
        return getattr(self, operation.replace("-", "_"))(program, request), program.diagnostics

    def hello(self):
        return {"protocol": PROTOCOL, "name": self.name, "language": "Python",
                "capabilities": {"operations": self.operations, "version": "1.0",
                                 "datatypes": DATATYPES + ([] if self.older else LISTS), "indexes": INDEXES,
                                 "modes": ["lenient", "strict", "none", "use", "verify"],
                                 "features": self.features}}

    def describe(self, reader, request):
        return reader.describe(request["file"], request.get("mode", "lenient"))

    def read(self, reader, request):
        count = request.get("count")
        return reader.read(request["file"], request["table"], request.get("columns"),
                           int(request.get("first", "0")), None if count is None else int(count))

    def query(self, reader, request):
        return reader.query(request["file"], request["table"], request["where"],
                            request["indexes"])

    def write(self, writer, request):
        return writer.write(request["file"], request["table"])

    def append(self, writer, request):
        return writer.append(request["file"], request["table"], request["columns"],
                             request.get("durable", False), **upkeep(request))

    def truncate(self, writer, request):
        return writer.truncate(request["file"], request["table"], int(request["rows"]),
                               request.get("reclaim", False), **upkeep(request))

    def update(self, writer, request):
        return writer.update(request["file"], request["table"], request["column"],
                             [int(row) for row in request["rows"]], request["values"])

    def add_index(self, writer, request):
        return writer.add_index(request["file"], request["table"], request["column"],
                                request["kind"])

    def drop_index(self, writer, request):
        return writer.drop_index(request["file"], request["table"], request["column"],
                                 request["kind"])


def upkeep(request):
    """The maintenance of search indexes, if the request specifies it."""
    return {"indexes": request["indexes"]} if "indexes" in request else {}


if __name__ == "__main__":
    serve(Adapter())
