"""Reading: the messages of a stream, the blocks of a file, and arrays cell by cell."""
import base64
import struct

import notation
from flat import Broken, root
from notation import Refused

MOST_SLOTS = 1_000_000  # maximum per array
V4, V5 = 3, 4


class Batch:
    def __init__(self, reader, table, version, body):
        if table is None:
            raise Broken("a batch without data")
        if table.table(3) is not None:
            raise Refused("compression")
        self.reader, self.version, self.body = reader, version, body
        self.length = table.scalar(0, "q")
        self.nodes, self.entries = table.structs(1, "qq"), table.structs(2, "qq")
        self.counts = [count for count, in table.structs(4, "q")]  # of the data buffers of views
        if self.length < 0:
            raise Broken("a batch of a negative length")

    def null_counts(self):
        """The values of the columns, in the order of the schema."""
        counts, at = [], 0
        for field in self.reader.fields:
            if at >= len(self.nodes):
                raise Broken("too few nodes")
            counts.append(str(self.null_count(field, at)))
            at += _nodes(field)
        return counts

    def null_count(self, field, node):
        return self.nodes[node][1]

    def columns(self, fields, dictionaries, known):
        self.node = self.entry = self.view = 0
        self.dictionaries, self.known, self.children = dictionaries, known, []
        made = []
        for field in fields:
            if self.node < len(self.nodes) and self.nodes[self.node][0] != self.length:
                raise Broken("a column of another length than its batch")
            made.append(self.array(field))
            self.children.append(self.last_children)
        return made

    def next_node(self):
        if self.node >= len(self.nodes):
            raise Broken("too few nodes")
        length, nulls = self.nodes[self.node]
        self.node += 1
        if length < 0 or not 0 <= nulls <= length:
            raise Broken("a node of a length or null count that cannot be")
        if length > MOST_SLOTS:
            raise Refused(f"an array of {length} slots")
        return length, nulls

    def buffer(self, least=0):
        if self.entry >= len(self.entries):
            raise Broken("too few buffers")
        offset, length = self.entries[self.entry]
        self.entry += 1
        if length == 0 and least == 0:
            return b""
        if offset < 0 or length < least or offset + length > len(self.body):
            raise Broken("a buffer that leaves the body, or is too short")
        return self.body[self.begin(offset):offset + length]

    def begin(self, offset):
        return offset

    def integers(self, data, count, width, signed=True):
        if count * width > len(data):
            raise Broken("a buffer that is too short")
        return [int.from_bytes(data[at:at + width], self.reader.order, signed=signed)
                for at in range(0, count * width, width)]

    def validity(self, length, nulls, field):
        """One flag per slot."""
        bits = self.buffer()
        if not bits:
            return [True] * length
        return self.flags(bits, length)

    def flags(self, bits, length):
        if (length + 7) // 8 > len(bits):
            raise Broken("a bitmap that is too short")
        return [bool(bits[i // 8] >> i % 8 & 1) for i in range(length)]

    def array(self, field):
        name = field["type"]["class"]
        length, nulls = self.next_node()
        self.last_children = None
        valid = [True] * length
        if name == "null":
            return [None] * length
        if "dictionary" not in field and name == "union":
            if self.has_union_bitmap():
                valid = self.validity(length, nulls, field)
        elif "dictionary" in field or name != "run-end-encoded":
            valid = self.validity(length, nulls, field)
        self.valid = valid
        if "dictionary" in field:
            values = self.keys(field, length, valid)
        elif name == "union":
            values = self.of_union(field, length, valid)
        else:
            values = getattr(self, "of_" + name.replace("-", "_"), self.of_fixed)(field, length)
        return self.with_nulls(field, values, valid)

    def has_union_bitmap(self):
        return self.version == V4

    def with_nulls(self, field, values, valid):
        return [value if there else None for value, there in zip(values, valid)]

    def keys(self, field, length, valid):
        index = field["dictionary"]["index"]
        width = index["bits"] // 8
        keys = self.integers(self.buffer(length * width), length, width, index["signed"])
        if not any(valid):
            return [None] * length
        values = self.reader.values_of(field["id"], self.dictionaries, self.known)
        return [values[key] if there and 0 <= key < len(values) else None for key, there in zip(keys, valid)]

    def of_fixed(self, field, length):
        type = field["type"]
        name = type["class"]
        width = _width(type)
        data = self.buffer(length * width)
        if name == "fixed-size-binary":
            return [_bytes(data[i * width:(i + 1) * width]) for i in range(length)]
        if name == "float":
            return [{"bits": f"{bits:0{2 * width}x}"} for bits in self.integers(data, length, width, False)]
        if name == "interval" and type["unit"] == "day-time":
            parts = self.integers(data, 2 * length, 4)
            return [[str(parts[2 * i]), str(parts[2 * i + 1])] for i in range(length)]
        if name == "interval" and type["unit"] == "month-day-nano":
            return [[str(part) for part in (*self.integers(data[at:], 2, 4), *self.integers(data[at + 8:], 1, 8))]
                    for at in range(0, 16 * length, 16)]
        return [str(value) for value in self.integers(data, length, width, name != "int" or type["signed"])]

    def of_bool(self, field, length):
        return self.flags(self.buffer((length + 7) // 8), length)

    def offsets(self, length, width, end):
        data = self.buffer()
        if not length:
            return [0]
        ends = self.integers(data, length + 1, width)
        if ends[0] < 0 or any(a > b for a, b in zip(ends, ends[1:])):
            raise Broken("offsets that descend")
        if end is not None and ends[-1] > end:
            raise Broken("offsets that leave their values")
        return ends

    def _pieces(self, length, width, make):
        ends, data = self.offsets(length, width, None), self.buffer()
        if ends[-1] > len(data):
            raise Broken("offsets that leave their values")
        return [make(data[a:b]) for a, b in zip(ends, ends[1:])]

    def of_utf8(self, field, length):
        return self._pieces(length, 4, notation.text)

    def of_large_utf8(self, field, length):
        return self._pieces(length, 8, notation.text)

    def of_binary(self, field, length):
        return self._pieces(length, 4, _bytes)

    def of_large_binary(self, field, length):
        return self._pieces(length, 8, _bytes)

    def _lists(self, field, length, width):
        ends, below = self.offsets(length, width, None), self.array(field["children"][0])
        if ends[-1] > len(below):
            raise Broken("offsets that leave their values")
        return [below[a:b] for a, b in zip(ends, ends[1:])]

    def of_list(self, field, length):
        return self._lists(field, length, 4)

    of_map = of_list

    def of_large_list(self, field, length):
        return self._lists(field, length, 8)

    def of_fixed_size_list(self, field, length):
        size, below = field["type"]["size"], self.array(field["children"][0])
        if len(below) < length * size:
            raise Broken("a child that is too short")
        return [below[i * size:(i + 1) * size] for i in range(length)]

    # Views, list views and run ends, since format 1.5

    def _views(self, length, make):
        valid, data = self.valid, self.buffer(16 * length)
        if self.view >= len(self.counts) or not 0 <= self.counts[self.view] <= len(self.entries):
            raise Broken("no number of data buffers, or one that cannot be")
        buffers = [self.buffer() for _ in range(self.counts[self.view])]
        self.view += 1
        return [make(self.view_bytes(data[16 * i:16 * i + 16], buffers)) if there else None
                for i, there in enumerate(valid)]

    def view_bytes(self, view, buffers):
        size, = self.integers(view, 1, 4)
        if size < 0:
            raise Broken("a view of a negative length")
        if size <= 12:
            return view[4:4 + size]
        index, offset = self.integers(view[8:], 2, 4)
        if not 0 <= index < len(buffers) or offset < 0 or offset + size > len(buffers[index]):
            raise Broken("a view that leaves its buffer")
        return buffers[index][offset:offset + size]

    def of_utf8_view(self, field, length):
        return self._views(length, notation.text)

    def of_binary_view(self, field, length):
        return self._views(length, _bytes)

    def _list_views(self, field, length, width):
        starts, sizes = (self.integers(self.buffer(width * length), length, width) for _ in range(2))
        below = self.array(field["children"][0])
        if any(start < 0 or size < 0 or start + size > len(below) for start, size in zip(starts, sizes)):
            raise Broken("a list that leaves its values")
        return self.list_cells(starts, sizes, below)

    def list_cells(self, starts, sizes, below):
        return [below[start:start + size] for start, size in zip(starts, sizes)]

    def of_list_view(self, field, length):
        return self._list_views(field, length, 4)

    def of_large_list_view(self, field, length):
        return self._list_views(field, length, 8)

    def of_run_end_encoded(self, field, length):
        ends, values = (self.array(child) for child in field["children"])
        made = self.repeated([int(end) for end in ends], values, length)
        if len(made) < length:
            raise Broken("runs that end too early")
        return made

    def repeated(self, ends, values, length):
        made = []
        for end, value in zip(ends, values):
            made += [value] * (min(end, length) - len(made))
        return made

    def of_struct(self, field, length):
        below = [self.array(child) for child in field["children"]]
        if any(len(child) < length for child in below):
            raise Broken("a child that is too short")
        self.last_children = below
        return [[child[i] for child in below] for i in range(length)]

    def of_union(self, field, length, valid):
        type = field["type"]
        ids = self.integers(self.buffer(length), length, 1)
        offsets = range(length)
        if type["mode"] == "dense":
            offsets = self.integers(self.buffer(4 * length), length, 4)
        below = [self.array(child) for child in field["children"]]
        self.last_children = None
        if any(id not in type["ids"] for id, there in zip(ids, valid) if there):
            raise Broken("a type id that is none")
        return [self.selected(id, below[type["ids"].index(id)], at, below) if there else None
                for id, at, there in zip(ids, offsets, valid)]

    def selected(self, id, child, at, below):
        if not 0 <= at < len(child):
            raise Broken("a child that is too short")
        return {"id": id, "value": child[at]}


class Reader:
    """One input; `batches` is filled by reading it."""

    batch = Batch

    def __init__(self, data, framing):
        self.data, self.framing = data, framing
        self.fields = self.metadata = None
        self.batches, self.dictionaries, self.known = [], {}, {}

    # Messages

    def messages(self, at, end):
        """(table, version, body) of each message, up to the end marker or the end of the input."""
        while at < end:
            if at + 4 > end:
                raise Broken("the input ends in a prefix")
            size, = struct.unpack_from("<i", self.data, at)
            at += 4
            if size == -1:
                if at + 4 > end:
                    raise Broken("the input ends in a prefix")
                size, = struct.unpack_from("<i", self.data, at)
                at += 4
            if size == 0:
                return
            if size < 0 or at + size > end:
                raise Broken("the metadata leave the input")
            table = root(self.data[at:at + size])
            version = table.scalar(0, "h")
            if version not in (V4, V5):
                raise Refused(f"metadata version {version + 1}")
            at += size
            header = table.table(2)
            self.check(table.scalar(1, "B"), header)
            length = table.scalar(3, "q")
            if length < 0 or at + length > end:
                raise Broken(f"a body of {length} bytes leaves the input")
            yield table, version, self.data[at:at + length]
            at += length

    def check(self, tag, header):
        """Checks a message before its body is read."""
        if header is None:
            raise Broken("a message without a header")
        if tag in (2, 3):
            batch = header.table(1) if tag == 2 else header
            if batch is None:
                raise Broken("a dictionary batch without data")
            batch.structs(1, "qq"), batch.structs(2, "qq")

    def read(self):
        if self.framing == "file":
            self._file()
        else:
            for message in self.messages(0, len(self.data)):
                self.take(*message)
        if self.fields is None:
            raise Broken("no schema")
        return self

    def _file(self):
        data = self.data
        if len(data) < 18 or data[:6] != b"ARROW1" or data[-6:] != b"ARROW1":
            raise Broken("no Arrow file")
        size, = struct.unpack_from("<i", data, len(data) - 10)
        end = len(data) - 10 - size
        if size <= 0 or end < 8:
            raise Broken("a footer that leaves the file")
        footer = root(data[end:end + size])
        schema = footer.table(1)
        if schema is None:
            raise Broken("a footer without a schema")
        self.schema(schema)
        for number in (2, 3):
            blocks = footer.structs(number, "qiiq")
            for offset, _, _, _ in blocks if number == 3 else self.in_order(blocks):
                if offset < 8 or offset >= end:
                    raise Broken("a block that leaves the file")
                for message in self.messages(offset, end):
                    self.take(*message)
                    break

    def in_order(self, blocks):
        """Applies the dictionaries in the order of the footer."""
        return blocks

    def take(self, table, version, body):
        tag, header = table.scalar(1, "B"), table.table(2)
        if tag == 1:
            if self.framing == "stream" and self.fields is not None:
                raise Broken("a second schema")
            if self.fields is None:
                self.schema(header)
        elif tag not in (2, 3):
            raise Refused({4: "tensors", 5: "sparse tensors"}.get(tag, f"messages of kind {tag}"))
        elif self.fields is None:
            raise Broken("no schema before the first batch")
        elif tag == 2:
            self.dictionary(header, version, body)
        else:
            self.record(header, version, body)

    def schema(self, table):
        order = table.scalar(0, "h")
        if order not in (0, 1):
            raise Refused(f"endianness {order}")
        self.order = ["little", "big"][order]
        features = [feature for feature, in table.structs(3, "q") if feature not in (0, 1, 2)]
        self.features(features)
        self.fields = [notation.field(each) for each in table.tables(1)]
        self.metadata = notation.metadata(table, 2)
        self.of_id = {}
        self._collect(self.fields)

    def features(self, unknown):
        if unknown:
            raise Refused(f"feature {unknown[0]}")

    def _collect(self, fields):
        for each in fields:
            if "dictionary" in each:
                self.of_id.setdefault(each["id"], each)
            self._collect(each["children"])

    # Batches

    def dictionary(self, header, version, body):
        id, delta = header.scalar(0, "q"), bool(header.scalar(2, "B"))
        if id not in self.of_id:
            raise Broken(f"a dictionary {id} that no field has")
        batch = self.batch(self, header.table(1), version, body)
        self.dictionaries = {**self.dictionaries, id: self.changed(self.dictionaries.get(id, []), batch, delta)}
        self.known = {}

    def changed(self, before, batch, delta):
        """The batches of a dictionary after a further batch."""
        return [*before, batch] if delta else [batch]

    def values_of(self, id, dictionaries, known):
        if id not in known:
            known[id] = None
            if id not in dictionaries:
                raise Broken(f"no dictionary {id}")
            field = {key: value for key, value in self.of_id[id].items() if key != "dictionary"}
            known[id] = [value for batch in dictionaries[id]
                         for value in batch.columns([field], dictionaries, known)[0]]
        if known[id] is None:
            raise Broken(f"dictionary {id} inside itself")
        return known[id]

    def record(self, header, version, body):
        batch = self.batch(self, header, version, body)
        batch.found, batch.values = self.dictionaries, self.known
        self.batches.append(batch)

    def describe(self):
        def plain(field):
            return {key: [plain(child) for child in value] if key == "children" else value
                    for key, value in field.items() if key != "id"}
        return {"fields": [plain(each) for each in self.fields], "metadata": self.metadata,
                "batches": [{"rows": str(batch.length), "null_counts": batch.null_counts()} for batch in self.batches]}

    def column_values(self, batch):
        return batch.columns(self.fields, batch.found, batch.values)


def _nodes(field):
    if "dictionary" in field:
        return 1
    return 1 + sum(_nodes(child) for child in field["children"])


def _bytes(data):
    return {"bytes": base64.b64encode(data).decode()}


def _width(type):
    name = type["class"]
    if name in ("int", "float", "decimal", "time"):
        if type["bits"] not in (8, 16, 32, 64, 128, 256):
            raise Refused(f"{name} of {type['bits']} bits")
        return type["bits"] // 8
    if name == "fixed-size-binary":
        return type["size"]
    if name == "date":
        return 4 if type["unit"] == "day" else 8
    if name == "interval":
        return {"year-month": 4, "day-time": 8, "month-day-nano": 16}[type["unit"]]
    return 8
