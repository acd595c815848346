"""Writing: converts tables of the notation to streams and files. Buffers are aligned to multiples of 64."""
import json
import struct

import notation
from flat import flatbuffer

V4, V5 = 3, 4
MAGIC = b"ARROW1"


class Writer:
    def __init__(self, table, framing, version=V5):
        self.fields, self.metadata = table["fields"], table.get("metadata", [])
        self.batches, self.framing, self.version = table["batches"], framing, version
        self.words, self.keys, self.of_id = {}, {}, {}  # for each dictionary: values, their keys, the field
        self._number(self.fields)

    def _number(self, fields):
        for field in fields:
            if field.get("dictionary"):
                field["id"] = len(self.of_id)
                self.of_id[field["id"]] = field
                self.words[field["id"]], self.keys[field["id"]] = [], {}
            self._number(field["children"])

    def bytes(self):
        records = [self.batch(self.fields, each["columns"], int(each["rows"])) for each in self.batches]
        dictionaries = []
        for id, field in self.of_id.items():  # their values may add words to nested dictionaries
            plain = {key: value for key, value in field.items() if key != "dictionary"}
            dictionaries.append((id, self.batch([plain], [self.words[id]], len(self.words[id]))))
        self.out = bytearray(MAGIC + bytes(2) if self.framing == "file" else b"")
        self.message(1, self.schema(), b"")
        blocks = {2: [], 3: []}
        for id, (table, body) in reversed(dictionaries):
            blocks[2].append(self.message(2, {0: ("q", id), 1: table}, body))
        for table, body in records:
            blocks[3].append(self.message(3, table, body))
        self.end()
        if self.framing == "file":
            footer = flatbuffer({0: ("h", self.version), 1: self.schema(),
                                 **{kind: ("qiiq", found) for kind, found in blocks.items()}})
            self.out += footer + struct.pack("<i", len(footer)) + MAGIC
        return bytes(self.out)

    def schema(self):
        return notation.schema_table(self.fields, self.metadata)

    def end(self):
        self.out += b"\xff\xff\xff\xff" + bytes(4)

    def message(self, kind, header, body):
        metadata = flatbuffer({0: ("h", self.version), 1: ("B", kind), 2: header, 3: ("q", len(body))})
        block = (len(self.out), 8 + len(metadata), 0, len(body))
        self.out += b"\xff\xff\xff\xff" + struct.pack("<i", len(metadata)) + metadata + body
        return block

    def batch(self, fields, columns, rows):
        """The RecordBatch table and the body."""
        self.nodes, self.buffers, self.counts = [], [], []
        for field, values in zip(fields, columns, strict=True):
            self.array(field, values)
        body, entries = bytearray(), []
        for data in self.buffers:
            entries.append((len(body), len(data)))
            body += data + bytes(-len(data) % self.alignment())
        table = {0: ("q", rows), 1: ("qq", self.nodes), 2: ("qq", entries)}
        return {**table, **({4: ("q", self.counts)} if self.counts else {})}, bytes(body)

    def alignment(self):
        return 64

    # Arrays

    def array(self, field, values):
        name = field["type"]["class"]
        nulls = sum(value is None for value in values)
        encoded = bool(field.get("dictionary"))
        if not encoded and (name == "run-end-encoded" or name == "union" and self.version == V5):
            nulls = 0
        self.nodes.append((len(values), self.null_count(field, nulls)))
        if name == "null" and not encoded:
            return
        if encoded or name not in ("union", "run-end-encoded"):
            self.validity(values, nulls)
        elif name == "run-end-encoded":
            pass
        elif self.version == V4:
            self.union_bitmap(values)
        if encoded:
            self.buffers.append(self.encoded(field, values))
        else:
            getattr(self, "of_" + name.replace("-", "_"), self.of_fixed)(field, values)

    def null_count(self, field, nulls):
        return nulls

    def validity(self, values, nulls):
        self.buffers.append(_bits([value is not None for value in values]) if nulls else b"")

    def union_bitmap(self, values):
        """A buffer of metadata version V4."""
        self.validity(values, sum(value is None for value in values))

    def encoded(self, field, values):
        id, index = field["id"], field["dictionary"]["index"]
        words, keys = self.words[id], self.keys[id]
        found = []
        for value in values:
            word = json.dumps(value, sort_keys=True)
            if value is not None and word not in keys:
                keys[word] = len(words)
                words.append(value)
            found.append(0 if value is None else keys[word])
        return _integers(found, index["bits"] // 8)

    def of_fixed(self, field, values):
        type = field["type"]
        name, width = type["class"], _width(type)
        if name == "fixed-size-binary":
            self.buffers.append(b"".join(bytes(width) if value is None else notation.raw(value) for value in values))
        elif name == "interval" and type["unit"] == "day-time":
            self.buffers.append(_integers([int(part) for value in values for part in value or (0, 0)], 4))
        elif name == "interval" and type["unit"] == "month-day-nano":
            self.buffers.append(b"".join(self.interval(value or (0, 0, 0)) for value in values))
        else:
            self.buffers.append(_integers([_number(value) for value in values], width))

    def interval(self, value):
        months, days, nanoseconds = map(int, value)
        return struct.pack("<iiq", months, days, nanoseconds)

    def of_bool(self, field, values):
        self.buffers.append(_bits(values))

    def _variable(self, values, width):
        pieces = [b"" if value is None else notation.raw(value) for value in values]
        self._offsets(pieces, width)
        self.buffers.append(b"".join(pieces))

    def _offsets(self, pieces, width):
        ends = [0]
        for piece in pieces:
            ends.append(ends[-1] + len(piece))
        self.buffers.append(_integers(ends, width))

    def of_utf8(self, field, values):
        self._variable(values, 4)

    of_binary = of_utf8

    def of_large_utf8(self, field, values):
        self._variable(values, 8)

    of_large_binary = of_large_utf8

    def _lists(self, field, values, width):
        self._offsets([value or [] for value in values], width)
        self.array(field["children"][0], [each for value in values for each in value or []])

    def of_list(self, field, values):
        self._lists(field, values, 4)

    of_map = of_list

    def of_large_list(self, field, values):
        self._lists(field, values, 8)

    # Views, list views and run ends, since format 1.5

    def of_utf8_view(self, field, values):
        """Long values go to two data buffers in turn."""
        views, data = [], [bytearray(), bytearray()]
        for value in values:
            piece = b"" if value is None else notation.raw(value)
            into = len(views) % 2
            views.append(self.view(piece, into, len(data[into])))
            if len(piece) > 12:
                data[into] += piece
        self.buffers += [b"".join(views), *map(bytes, data)]
        self.counts.append(len(data))

    of_binary_view = of_utf8_view

    def view(self, piece, index, offset):
        if len(piece) <= 12:
            return struct.pack("<i12s", len(piece), piece)
        return struct.pack("<i4sii", len(piece), piece[:4], index, offset)

    def _list_views(self, field, values, width):
        """The lists in the child lie in the reverse order."""
        below, starts = [], []
        for value in reversed(values):
            starts.insert(0, len(below))
            below += value or []
        self.list_slots(starts, [len(value or []) for value in values], len(below), width)
        self.array(field["children"][0], below)

    def list_slots(self, starts, sizes, length, width):
        self.buffers += [_integers(starts, width), _integers(sizes, width)]

    def of_list_view(self, field, values):
        self._list_views(field, values, 4)

    def of_large_list_view(self, field, values):
        self._list_views(field, values, 8)

    def of_run_end_encoded(self, field, values):
        ends, runs = [], []
        for i, value in enumerate(values):
            if not runs or value != runs[-1]:
                ends.append(i)
                runs.append(value)
            ends[-1] = i + 1
        self.array(field["children"][0], [str(end) for end in self.run_ends(ends)])
        self.array(field["children"][1], runs)

    def run_ends(self, ends):
        return ends

    def of_fixed_size_list(self, field, values):
        size = field["type"]["size"]
        self.array(field["children"][0], [each for value in values for each in value or size * [None]])

    def of_struct(self, field, values):
        for i, child in enumerate(field["children"]):
            self.array(child, [None if value is None else value[i] for value in values])

    def of_union(self, field, values):
        type = field["type"]
        values = [value or {"id": type["ids"][0], "value": None} for value in values]
        self.buffers.append(_integers([value["id"] for value in values], 1))
        if type["mode"] == "sparse":
            for id, child in zip(type["ids"], field["children"]):
                self.array(child, [value["value"] if value["id"] == id else None for value in values])
            return
        columns, offsets = {id: [] for id in type["ids"]}, []
        for value in values:
            offsets.append(len(columns[value["id"]]))
            columns[value["id"]].append(value["value"])
        self.buffers.append(_integers(offsets, 4))
        for id, child in zip(type["ids"], field["children"]):
            self.array(child, columns[id])


def _number(value):
    return 0 if value is None else int(value["bits"], 16) if isinstance(value, dict) else int(value)


def _integers(values, width):
    return b"".join((value % (1 << 8 * width)).to_bytes(width, "little") for value in values)


def _bits(flags):
    made = bytearray((len(flags) + 7) // 8)
    for i, flag in enumerate(flags):
        made[i // 8] |= bool(flag) << i % 8
    return bytes(made)


def _width(type):
    name = type["class"]
    if name in ("int", "float", "decimal", "time"):
        return type["bits"] // 8
    if name == "fixed-size-binary":
        return type["size"]
    if name == "date":
        return 4 if type["unit"] == "day" else 8
    return 4 if name == "interval" and type["unit"] == "year-month" else 8
