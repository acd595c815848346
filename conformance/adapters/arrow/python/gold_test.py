"""Tests that the adapter reads the integration files of apache/arrow as their gold JSON states, cell by cell.
The status is 77 (skipped) if the files are not available."""

import base64
import gzip
import json
import struct
import sys
import unittest
from pathlib import Path

HERE = Path(__file__).resolve().parent
FILES = HERE.parents[4] / "shared/corpus/arrow/integration"
sys.path.insert(0, str(HERE))

from notation import Refused  # noqa: E402
from reading import Reader  # noqa: E402

FLOATS = {"HALF": ">e", "SINGLE": ">f", "DOUBLE": ">d"}
# Compressed files.
REFUSED = {"lz4", "uncompressible_lz4", "zstd", "uncompressible_zstd"}


class Gold:
    """The values of a gold file in the notation of the protocol."""

    def __init__(self, text):
        self.fields, self.encoded, self.words = text["schema"]["fields"], {}, {}
        self.collect(self.fields)
        dictionaries = list(text.get("dictionaries", []))
        while dictionaries:  # a dictionary may have keys of another one
            each = dictionaries.pop(0)
            plain = {key: value for key, value in self.encoded[each["id"]].items() if key != "dictionary"}
            try:
                self.words[each["id"]] = self.column(plain, each["data"]["columns"][0])
            except KeyError:
                dictionaries.append(each)
        self.batches = [[self.column(*pair) for pair in zip(self.fields, batch["columns"])] for batch in text["batches"]]

    def collect(self, fields):
        for field in fields:
            if field.get("dictionary"):
                self.encoded.setdefault(field["dictionary"]["id"], field)
            self.collect(field["children"])

    def column(self, field, column):
        count, type = column["count"], field["type"]
        valid = column.get("VALIDITY", [1] * count)
        if field.get("dictionary"):
            words = self.words[field["dictionary"]["id"]]
            return [words[int(key)] if there else None for key, there in zip(column["DATA"], valid)]
        below = [self.column(*pair) for pair in zip(field["children"], column.get("children", []))]
        values = self.values(type, column, count, below)
        return [value if there else None for value, there in zip(values, valid)]

    def values(self, type, column, count, below):
        name, data = type["name"], column.get("DATA")
        if name == "null":
            return [None] * count
        if name == "bool":
            return [bool(value) for value in data]
        if name == "floatingpoint":
            return [{"bits": struct.pack(FLOATS[type["precision"]], value).hex()} for value in data]
        if name in ("utf8", "largeutf8"):
            return data
        if name in ("binary", "largebinary", "fixedsizebinary"):
            return [{"bytes": base64.b64encode(bytes.fromhex(value)).decode()} for value in data]
        if name == "interval" and type["unit"] == "DAY_TIME":
            return [[str(value["days"]), str(value["milliseconds"])] for value in data]
        if name == "interval" and type["unit"] == "MONTH_DAY_NANO":
            return [[str(value[unit]) for unit in ("months", "days", "nanoseconds")] for value in data]
        if name in ("utf8view", "binaryview"):
            return [self.viewed(view, column["VARIADIC_DATA_BUFFERS"], name) for view in column["VIEWS"]]
        if name in ("listview", "largelistview"):
            return [below[0][int(at):int(at) + int(size)] for at, size in zip(column["OFFSET"], column["SIZE"])]
        if name == "runendencoded":
            ends = [*map(int, below[0])]
            return [value for begin, end, value in zip([0, *ends], ends, below[1]) for _ in range(begin, end)][:count]
        if name in ("list", "largelist", "map"):
            ends = [*map(int, column["OFFSET"])]
            return [below[0][a:b] for a, b in zip(ends, ends[1:])]
        if name == "fixedsizelist":
            size = type["listSize"]
            return [below[0][i * size:(i + 1) * size] for i in range(count)]
        if name == "struct":
            return [[child[i] for child in below] for i in range(count)]
        if name == "union":
            slots = zip(column["TYPE_ID"], column["OFFSET"] if type["mode"] == "DENSE" else range(count))
            return [{"id": id, "value": below[type["typeIds"].index(id)][at]} for id, at in slots]
        return [str(value) for value in data]

    @staticmethod
    def viewed(view, buffers, name):
        if "INLINED" in view and name == "utf8view":
            return view["INLINED"]
        data = bytes.fromhex(view["INLINED"] if "INLINED" in view else buffers[view["BUFFER_INDEX"]])
        begin = view.get("OFFSET", 0)
        data = data[begin:begin + view["SIZE"]]
        return data.decode() if name == "utf8view" else {"bytes": base64.b64encode(data).decode()}


class Integration(unittest.TestCase):
    def test_values(self):
        equal = 0
        for gold in sorted(FILES.glob("*/*.json.gz")):
            name = gold.name.removeprefix("generated_").removesuffix(".json.gz")
            for framing, ending in (("stream", ".stream"), ("file", ".arrow_file")):
                file = gold.with_name(gold.name.replace(".json.gz", ending))
                if not file.exists():
                    continue
                with self.subTest(f"{gold.parent.name}/{file.name}"):
                    if name in REFUSED:
                        with self.assertRaises(Refused):
                            reader = Reader(file.read_bytes(), framing).read()
                            [reader.column_values(batch) for batch in reader.batches]
                        continue
                    reader = Reader(file.read_bytes(), framing).read()
                    found = [reader.column_values(batch) for batch in reader.batches]
                    self.assertEqual(found, Gold(json.loads(gzip.decompress(gold.read_bytes()))).batches)
                    equal += 1
        self.assertGreater(equal, 100)


if __name__ == "__main__":
    if not FILES.is_dir():
        print("skipped: there are no integration files")
        sys.exit(77)
    unittest.main()
