"""Messages, streams and files. They are objects until their bytes are requested; a recipe changes
them before that."""

from .arrays import array, values_of
from .codecs import lz4_frame, zstd_frame
from .flatbuffers import Style, flatbuffer, integer
from .tables import HEADERS, V5, Table, pairs

CONTINUATION = b"\xff\xff\xff\xff"
END, OLD_END = CONTINUATION + bytes(4), bytes(4)
MAGIC = b"ARROW1"
FRAMES = {"lz4": lz4_frame, "zstd": zstd_frame}
CODECS = ["lz4", "zstd"]


def up(at, alignment):
    return at + -at % alignment


class Batch:
    """The data of a record batch or of a dictionary: arrays, and their layout in the body.

    `order` lists the buffers in the order of the body, by their indexes; `fill` is the
    byte between them; `tail` follows the last one. `list_nodes` and `list_buffers` receive the correct lists
    of entries and change them in place."""

    def __init__(self, arrays, length=None, compression=None):
        self.arrays = list(arrays)
        self.length = length if length is not None else self.arrays[0].length if arrays else 0
        self.compression = compression
        self.codec = self.method = None  # the stated values, if they are wrong
        self.align, self.order, self.fill, self.tail = 64, None, 0, b""
        self.end_align = None  # alignment of the body, if not that of the buffers
        self.list_nodes = self.list_buffers = lambda entries: None
        self.variadic = None             # False: left out, although there are views
        self.extra = []                  # additional buffers without an array, after all others

    def flat(self):
        return [each for array in self.arrays for each in array.flat()]

    def buffers(self):
        return [buffer for array in self.flat() for buffer in array.buffers] + self.extra

    def _stored(self, buffer, order):
        """The bytes of a buffer in the body."""
        if buffer.stored is not None:
            return buffer.stored
        content = buffer.bytes(order)
        if not self.compression or not content and buffer.frame is None:
            return content
        frame = buffer.frame or FRAMES[self.compression]
        size = len(content) if buffer.prefix is None else buffer.prefix
        return integer(size, 8) + frame(content)

    def laid_out(self, order):
        """The body, and the entries of the buffers."""
        buffers, body, places = self.buffers(), bytearray(), {}
        fill = bytes([self.fill])
        for i in self.order or range(len(buffers)):
            if id(buffers[i]) in places:
                continue  # listed twice, stored once
            body += fill * (-len(body) % (buffers[i].align or self.align) + buffers[i].before)
            content = self._stored(buffers[i], order)
            places[id(buffers[i])] = len(body), len(content)
            body += content
        body += self.tail
        body += fill * (-len(body) % (self.end_align or self.align))
        return bytes(body), [self._entry(buffer, *places[id(buffer)]) for buffer in buffers]

    def _counts(self):
        """The numbers of data buffers of the views."""
        if self.variadic is not None:
            return self.variadic or (None if self.variadic is False else [])
        return [len(each.buffers) - 2 for each in self.flat() if each.is_view] or None

    @staticmethod
    def _entry(buffer, offset, length):
        return [offset if buffer.offset is None else buffer.offset,
                length if buffer.length is None else buffer.length]

    def table(self, entries):
        nodes = [[each.length, each.null_count] for each in self.flat()]
        self.list_nodes(nodes)
        self.list_buffers(entries)
        codec = CODECS.index(self.compression) if self.compression else None
        codec = codec if self.codec is None else self.codec
        compression = None if codec is None else Table("BodyCompression", codec=codec,
                                                       method=self.method or 0)
        return Table("RecordBatch", length=self.length, nodes=nodes, buffers=entries,
                     compression=compression, variadicBufferCounts=self._counts())


class Message:
    """`table` is the Message; anything missing in it comes from the batch. `size` is the stated metadata
    size, `pad` the byte that pads the metadata; for `skews` and `pokes` see flatbuffers.py. `old` selects the
    framing from before 0.15, and `start` is written instead of the continuation."""

    def __init__(self, header, batch=None, body=None, metadata=None, wrap=None):
        self.table = Table("Message", header_type=HEADERS.index((wrap or header).kind),
                           header=wrap or header, custom_metadata=pairs(metadata))
        self.batch, self.body, self.wrap = batch, body, wrap
        self.start = CONTINUATION
        self.size = self.old = self.style = self.body_length = self.content = None
        self.pad, self.further, self.pokes, self.skews = 0, b"", [], {}
        self.cut = 0            # number of bytes missing at the end of the body
        self.change = lambda table: None  # changes the table right before it is written

    @property
    def kind(self):
        return self.table.header.kind if self.table.header is not None else None

    def _table(self, stream):
        """The complete metadata, and the body."""
        table = self.table.copy()
        body = self.body or b""
        if self.batch is not None:
            body, entries = self.batch.laid_out(stream.order)
            data = self.batch.table(entries)
            if self.wrap is None:
                table.header = data
            elif table.header is not None and self.wrap.data is not None:
                table.header.data = data
            if self.body is not None:
                body = self.body
        if "version" not in table.values:
            table.version = stream.version
        table.bodyLength = len(body) if self.body_length is None else self.body_length
        self.change(table)
        return table, body[:len(body) - self.cut]

    def encoded(self, stream):
        """Prefix, metadata, body; and the positions in the metadata, for display."""
        table, body = self._table(stream)
        metadata, self.places = flatbuffer(table, self.style or stream.style or Style(),
                                           self.skews, self.pokes)
        if self.content is not None:
            metadata = self.content(metadata) if callable(self.content) else self.content
        old = stream.old if self.old is None else self.old
        prefix = 4 if old else 8
        metadata += bytes([self.pad]) * (-(len(metadata) + prefix) % 8 + 8 * bool(self.pad))
        metadata += self.further
        size = len(metadata) if self.size is None else self.size
        size = size(len(metadata)) if callable(size) else size
        size = size if isinstance(size, bytes) else integer(size, 4)
        self.stated_size, self.shown = size, table
        return (b"" if old else self.start) + size, metadata, body


def schema_message(schema):
    return Message(schema)


def record_batch(*arrays, length=None, compression=None, metadata=None):
    return Message(Table("RecordBatch"), Batch(arrays, length, compression), metadata=metadata)


def dictionary_batch(id, *arrays, delta=False, compression=None):
    data = Table("RecordBatch")
    return Message(data, Batch(arrays, None, compression),
                   wrap=Table("DictionaryBatch", id=id, data=data, isDelta=delta))


class Stream:
    """`messages` are Messages, or bytes. `end` is the end marker; `behind` follows it."""

    suffix = ".arrows"

    def __init__(self, fields, messages=()):
        self.schema = Table("Schema", fields=list(fields))
        self.messages = [schema_message(self.schema), *messages]
        self.version, self.old, self.style = V5, False, None
        self.end, self.behind, self.cut = None, b"", 0

    # Its contents.
    @property
    def order(self):
        return "big" if self.schema.endianness == 1 else "little"

    @property
    def batches(self):
        return [m for m in self.messages if isinstance(m, Message) and m.kind == "RecordBatch"]

    @property
    def dictionaries(self):
        return [m for m in self.messages if isinstance(m, Message) and m.kind == "DictionaryBatch"]

    @property
    def batch(self):
        """The data of the first record batch."""
        return self.batches[0].batch

    @property
    def dictionary(self):
        """The data of the first dictionary batch."""
        return self.dictionaries[0].batch

    def field(self, path):
        """By names, or by numbers if fields have no names: "point.x"."""
        found = self.schema
        for name in path.split("."):
            among = found.fields if found.kind == "Schema" else found.children
            found = next(each for each in among if each.name == name)
        return found

    def array(self, path, batch=0):
        """The message of a record batch."""
        fields, arrays = self.schema.fields, self.batches[batch].batch.arrays
        for name in path.split("."):
            i = next(i for i, each in enumerate(fields) if each.name == name)
            found, fields, arrays = arrays[i], fields[i].children, arrays[i].children
        return found

    def add(self, *columns, length=None, **options):
        """A batch with these values, column by column."""
        arrays = [array(of, values) for of, values in zip(self.schema.fields, columns)]
        message = record_batch(*arrays, length=length, **options)
        self.messages.append(message)
        return message

    def add_dictionary(self, of, values, **options):
        """The dictionary of a field, or of the field with that path."""
        of = self.field(of) if isinstance(of, str) else of
        message = dictionary_batch(of.dictionary.id, values_of(of, values), **options)
        self.messages.append(message)
        return message

    # Its bytes.
    def _marker(self):
        return self.end if self.end is not None else OLD_END if self.old else END

    def _messages(self, at):
        """Records the position of each message; returns their bytes. A message may be there many times."""
        made, encoded = bytearray(), {}
        for message in self.messages:
            if isinstance(message, Message):
                if id(message) not in encoded:
                    encoded[id(message)] = message.encoded(self)
                prefix, metadata, body = encoded[id(message)]
                message.at, message.lengths = at + len(made), (len(prefix) + len(metadata),
                                                               len(body))
                made += prefix + metadata + body
            else:
                made += message
        return bytes(made)

    def bytes(self):
        made = self._messages(0) + self._marker() + self.behind
        return made[:len(made) - self.cut]


class Block:
    """An entry of the footer: the position of a message. The numbers are those of the message unless given; a
    callable receives the correct number."""

    def __init__(self, message, offset=None, metadata=None, body=None):
        self.message, self.offset, self.metadata, self.body = message, offset, metadata, body

    def entry(self):
        right = (self.message.at, self.message.lengths[0], self.message.lengths[1])
        stated = [one(other) if callable(one) else other if one is None else one
                  for one, other in zip((self.offset, self.metadata, self.body), right)]
        return [stated[0], stated[1], 0, stated[2]]


class File(Stream):
    """A recipe may change `blocks` and `dictionary_blocks` once it has requested them."""

    suffix = ".arrow"

    def __init__(self, fields, messages=()):
        super().__init__(fields, messages)
        self.magic, self.padding, self.last_magic = MAGIC, bytes(2), MAGIC
        self.gap = b""              # before the stream
        self.footer = Table("Footer")
        self.footer_size = self.footer_style = self.footer_content = None
        self.change_footer = lambda table: None  # changes the footer right before it is written
        self.pokes, self.skews = [], {}
        self._blocks = self._dictionary_blocks = None

    @property
    def blocks(self):
        if self._blocks is None:
            self._blocks = [Block(message) for message in self.batches]
        return self._blocks

    @blocks.setter
    def blocks(self, blocks):
        self._blocks = blocks

    @property
    def dictionary_blocks(self):
        if self._dictionary_blocks is None:
            self._dictionary_blocks = [Block(message) for message in self.dictionaries]
        return self._dictionary_blocks

    @dictionary_blocks.setter
    def dictionary_blocks(self, blocks):
        self._dictionary_blocks = blocks

    def footer_schema(self):
        """A copy of the schema, which may then differ from that of the stream."""
        if self.footer.schema is None:
            self.footer.schema = self.schema.copy()
        return self.footer.schema

    def _footer(self):
        table = self.footer.copy()
        for name, value in (("version", self.version), ("schema", self.schema),
                            ("dictionaries", [b.entry() for b in self.dictionary_blocks]),
                            ("recordBatches", [b.entry() for b in self.blocks])):
            if name not in self.footer.values:
                setattr(table, name, value)
        self.change_footer(table)
        content, self.places = flatbuffer(table, self.footer_style or self.style or Style(),
                                          self.skews, self.pokes)
        if self.footer_content is not None:
            content = self.footer_content(content)
        self.shown = table
        return content

    def bytes(self):
        begin = self.magic + self.padding + self.gap
        made = begin + self._messages(len(begin)) + self._marker() + self.behind
        made += bytes(-len(made) % 8)
        footer = self._footer()
        size = len(footer) if self.footer_size is None else self.footer_size
        self.footer_at = len(made)
        made += footer + (size if isinstance(size, bytes) else integer(size, 4)) + self.last_magic
        return made[:len(made) - self.cut]
