"""Generic tiles: headers, pipelines, chunks, and filters that are applied to them."""

import bz2
import hashlib
import struct
import zlib

NONE, GZIP, ZSTD, LZ4, RLE, BZIP2, DOUBLE_DELTA, BIT_WIDTH, BITSHUFFLE, BYTESHUFFLE, POSITIVE_DELTA, \
    ENCRYPTION, MD5, SHA256, DICTIONARY, FLOAT_SCALE, XOR, BITSORT, WEBP, DELTA = range(20)

INT32, INT64, FLOAT32, FLOAT64, CHAR, INT8, UINT8, INT16, UINT16, UINT32, UINT64, ASCII, UTF8, UTF16, \
    UTF32, UCS2, UCS4, ANY = range(18)
DATETIME_DAY, DATETIME_SEC, DATETIME_NS, TIME_NS = 21, 24, 27, 36
BLOB, BOOL, GEOM_WKB, GEOM_WKT = 40, 41, 42, 43
VAR = 0xFFFFFFFF

WIDTHS = {INT64: 8, FLOAT64: 8, UINT64: 8, INT32: 4, FLOAT32: 4, UINT32: 4, UTF32: 4, UCS4: 4,
          INT16: 2, UINT16: 2, UTF16: 2, UCS2: 2}
CODES = {INT32: "i", INT64: "q", FLOAT32: "f", FLOAT64: "d", INT8: "b", UINT8: "B", INT16: "h",
         UINT16: "H", UINT32: "I", UINT64: "Q"}


def width_of(datatype):
    return 8 if 18 <= datatype <= 39 else WIDTHS.get(datatype, 1)


def u8(value):
    return struct.pack("<B", value)


def u16(value):
    return struct.pack("<H", value)


def u32(value):
    return struct.pack("<I", value)


def u64(value):
    return struct.pack("<Q", value)


def values(datatype, *numbers):
    """Numbers of a datatype; bytes are taken as they are."""
    code = "q" if 18 <= datatype <= 39 else CODES.get(datatype, "B")
    return b"".join(each if isinstance(each, bytes) else struct.pack("<" + code, each)
                    for each in numbers)


class Filter:
    def __init__(self, type, options=b""):
        self.type, self.options = type, options


def compressor(type, level=-1, number=None):
    """A compression filter; the compressor has the same number as the filter, with two exceptions."""
    number = {DICTIONARY: 7, DELTA: 8}.get(type, type) if number is None else number
    return Filter(type, struct.pack("<Bi", number, level))


def delta(type, level=-1, reinterpret=ANY):
    made = compressor(type, level)
    made.options += u8(reinterpret)
    return made


def window(type, size=256):
    return Filter(type, u32(size))


def float_scale(scale=1.0, offset=0.0, width=4):
    return Filter(FLOAT_SCALE, struct.pack("<ddQ", scale, offset, width))


def webp(quality=100.0, format=1, lossless=0, y=64, x=192):
    return Filter(WEBP, struct.pack("<fBBHHH", quality, format, lossless, y, x, 0))


class Pipeline:
    def __init__(self, *filters, max_chunk=65536, count=None):
        self.filters, self.max_chunk, self.count = list(filters), max_chunk, count

    def fields(self, name):
        yield f"{name}.max chunk", u32(self.max_chunk)
        yield f"{name}.count", u32(len(self.filters) if self.count is None else self.count)
        for i, each in enumerate(self.filters):
            yield f"{name}.filter {i}.type", u8(each.type)
            yield f"{name}.filter {i}.size", u32(len(each.options))
            yield f"{name}.filter {i}.options", each.options

    def bytes(self):
        return b"".join(content for _, content in self.fields(""))


# --- Applying filters --------------------------------------------------------------------------------


def zstd_frame(data):
    """A frame of one raw block, without a checksum."""
    return bytes.fromhex("28b52ffd") + b"\xa0" + u32(len(data)) + u32(len(data) << 3 | 1)[:3] + data


def lz4_block(data):
    """Literals and nothing else."""
    length = len(data)
    if length < 15:
        return u8(length << 4) + data
    rest, head = length - 15, b"\xf0"
    while rest >= 255:
        head, rest = head + b"\xff", rest - 255
    return head + u8(rest) + data


def runs(data, cell):
    made, at = b"", 0
    while at < len(data):
        end = at + cell
        while end < len(data) and data[end:end + cell] == data[at:at + cell] \
                and (end - at) // cell < 0xFFFF:
            end += cell
        made += data[at:at + cell] + struct.pack(">H", (end - at) // cell)
        at = end
    return made


def compressed(filter, data, cell):
    number, level = struct.unpack("<Bi", filter.options[:5])
    return {GZIP: lambda: zlib.compress(data, level), ZSTD: lambda: zstd_frame(data),
            LZ4: lambda: lz4_block(data), BZIP2: lambda: bz2.compress(data, 9 if level < 1 else level),
            RLE: lambda: runs(data, cell)}[number]()


def shuffled(data, width):
    whole = len(data) // width * width
    return b"".join(data[i:whole:width] for i in range(width)) + data[whole:]


def applied(filter, metadata, data, tile):
    """(metadata, data) behind a filter."""
    if filter.type in (GZIP, ZSTD, LZ4, RLE, BZIP2):
        parts = ([metadata] if metadata else []) + [data]
        stored = [compressed(filter, part, tile.cell_size) for part in parts]
        table = u32(len(parts) - 1) + u32(1)
        table += b"".join(u32(len(a)) + u32(len(b)) for a, b in zip(parts, stored))
        return table, b"".join(stored)
    if filter.type in (MD5, SHA256):
        digest = hashlib.md5 if filter.type == MD5 else hashlib.sha256
        parts = ([metadata] if metadata else []) + [data]
        table = u32(len(parts) - 1) + u32(1)
        table += b"".join(u64(len(part)) + digest(part).digest() for part in parts)
        return table + metadata, data
    if filter.type in (BYTESHUFFLE, BITSHUFFLE):
        width = width_of(tile.datatype) if filter.type == BYTESHUFFLE else 1
        return u32(1) + u32(len(data)) + metadata, shuffled(data, width)
    if filter.type == ENCRYPTION:
        parts = ([metadata] if metadata else []) + [data]
        table = u32(len(parts) - 1) + u32(1)
        for i, part in enumerate(parts):
            table += u32(len(part)) + u32(len(part)) + bytes([i + 1] * 12) + bytes([i + 65] * 16)
        return table, bytes(255 - byte for part in parts for byte in part)
    if tile.encodes and filter.type in (DELTA, POSITIVE_DELTA, BIT_WIDTH):
        return over_values(filter, metadata, data, tile)
    return metadata, data  # filters that hepcheck does not undo: any bytes will do


def differences(data, width):
    """Values, of which each but the first is the difference from the one before."""
    numbers = [int.from_bytes(data[at:at + width], "little") for at in range(0, len(data), width)]
    return b"".join(((here - before) % (1 << 8 * width)).to_bytes(width, "little")
                    for before, here in zip([0] + numbers, numbers))


def over_values(filter, metadata, data, tile):
    """Delta, positive delta and bit width reduction, in windows of the filter's size."""
    width = width_of(tile.datatype)
    if filter.type == DELTA:
        if filter.options[5] != ANY:
            width = width_of(filter.options[5])
        parts = ([metadata] if metadata else []) + [data]
        stored = [u64(len(part) // width) + differences(part, width) for part in parts]
        table = u32(len(parts) - 1) + u32(1)
        return table + b"".join(u32(len(a)) + u32(len(b)) for a, b in zip(parts, stored)), b"".join(stored)
    size = struct.unpack("<I", filter.options)[0] // width * width
    windows = [data[at:at + size] for at in range(0, len(data), size)]
    table = u32(len(windows))
    if filter.type == POSITIVE_DELTA:
        stored = [bytes(width) + differences(window, width)[width:] for window in windows]
        table += b"".join(window[:width] + u32(len(window)) for window in windows)
        return table + metadata, b"".join(stored)
    stored, table = b"", u32(len(data)) + table
    for window in windows:
        numbers = [int.from_bytes(window[at:at + width], "little") for at in range(0, len(window), width)]
        least = min(numbers)
        bits = next(each for each in (8, 16, 32, 64) if max(numbers) - least < 1 << each)
        least = least if bits < 8 * width else 0
        reduced = b"".join((each - least).to_bytes(bits // 8, "little") for each in numbers)
        table += least.to_bytes(width, "little") + u8(bits) + u32(len(reduced))
        stored += reduced
    return table + metadata, stored


class Chunk:
    def __init__(self, original, metadata, data):
        self.original, self.metadata, self.data = original, metadata, data
        self.filtered = self.metadata_size = None  # as stated, if they differ

    def bytes(self):
        stated = [self.original, len(self.data) if self.filtered is None else self.filtered,
                  len(self.metadata) if self.metadata_size is None else self.metadata_size]
        return struct.pack("<III", *stated) + self.metadata + self.data


class Tile:
    """A tile around decoded bytes. What is None is computed at the end."""

    def __init__(self):
        self.version, self.persisted, self.size = None, None, None
        self.datatype, self.cell_size, self.encryption = CHAR, 1, 0
        self.pipeline = Pipeline(compressor(GZIP, 1))
        self.pipeline_bytes = self.pipeline_size = self.chunk_count = None
        self.piece = None          # bytes of a chunk; the maximum of the pipeline unless given
        self.change = None         # a function that changes the list of chunks
        self.behind_chunks = self.behind = b""
        self.encodes = False       # filters over values are applied, not only named

    def chunks(self, content):
        piece = self.piece or self.pipeline.max_chunk or max(1, len(content))
        made = []
        for at in range(0, max(1, len(content)), piece):
            original = content[at:at + piece]
            metadata, data = b"", original
            for filter in self.pipeline.filters:
                metadata, data = applied(filter, metadata, data, self)
            made.append(Chunk(len(original), metadata, data))
        if self.change:
            self.change(made)
        return made

    def bytes(self, content, version):
        chunks = self.chunks(content)
        count = len(chunks) if self.chunk_count is None else self.chunk_count
        payload = u64(count) + b"".join(each.bytes() for each in chunks) + self.behind_chunks
        pipeline = self.pipeline.bytes() if self.pipeline_bytes is None else self.pipeline_bytes

        def or_else(value, computed):
            return computed if value is None else value

        size = or_else(self.size, sum(each.original for each in chunks))
        return struct.pack("<IQQBQBI", or_else(self.version, version),
                           or_else(self.persisted, len(payload)), size, self.datatype,
                           self.cell_size, self.encryption,
                           or_else(self.pipeline_size, len(pipeline))) + pipeline + payload \
            + self.behind
