#!/usr/bin/env python3
"""A reader and writer of Arrow streams and files that speaks the protocol of the suite and requires only
Python. It reads both byte orders, V4 and V5, and both framings; it does not decompress."""
import json
import pathlib
import sys

import notation
from flat import Broken
from notation import Refused
from reading import Reader
from writing import V4, V5, Writer


class Adapter:
    name = "hepcheck Python adapter for Arrow"
    operations = ["describe", "read", "copy", "write"]
    datatypes = [*(name for name in notation.TAGS[1:] if name not in notation.NEWER), "dictionary"]
    newer = notation.NEWER
    features = ["stream", "file", "batches", "children", "null-counts", "metadata", "v4"]
    reader, writer = Reader, Writer

    def hello(self, request):
        return {"protocol": 1, "name": self.name, "capabilities": {
            "operations": self.operations, "features": self.features,
            "datatypes": self.datatypes + (self.newer if request.get("spec", "") >= "arrow-columnar-1.5" else [])}}

    def open(self, request):
        return self.reader(pathlib.Path(request["file"]).read_bytes(), request["framing"]).read()

    def describe(self, request):
        return self.open(request).describe()

    def read(self, request):
        reader = self.open(request)
        numbers = [int(number) for number in request.get("batches", range(len(reader.batches)))]
        made = []
        for number in numbers:
            batch = reader.batches[number]
            columns = reader.column_values(batch)
            if "child" in request:
                column, child = map(int, request["child"])
                columns = [self.child(batch, columns[column], column, child)]
            made.append({"columns": columns})
        return {"batches": made}

    def child(self, batch, values, column, child):
        """The child by itself, regardless of the validity of the struct."""
        return batch.children[column][child]

    def copy(self, request):
        reader = self.open(request)
        table = {"fields": reader.fields, "metadata": reader.metadata,
                 "batches": [{"rows": str(batch.length), "columns": reader.column_values(batch)}
                             for batch in reader.batches]}
        made = self.writer(table, request["framing"]).bytes()
        pathlib.Path(request["to"]).write_bytes(made)
        return {}

    def write(self, request):
        version = {"v4": V4, "v5": V5}[request.get("version", "v5")]
        made = self.writer(request["table"], request["framing"], version).bytes()
        pathlib.Path(request["file"]).write_bytes(made)
        return {}

    def answer(self, request):
        try:
            return {"ok": getattr(self, request["op"])(request)}
        except Refused as refusal:
            return {"error": {"kind": "refused", "message": str(refusal)}}
        except Broken as defect:
            return {"error": {"kind": "failed", "message": str(defect)}}
        except Exception as error:
            return {"error": {"kind": "failed", "message": repr(error)}}

    def serve(self):
        for line in sys.stdin:
            request = json.loads(line)
            print(json.dumps({"id": request["id"], **self.answer(request)}), flush=True)


if __name__ == "__main__":
    Adapter().serve()
