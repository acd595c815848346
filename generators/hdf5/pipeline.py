"""What the filters of a pipeline make of bytes."""

import struct
import zlib

from .checksums import fletcher32
from .messages import DEFLATE, FLETCHER32, SHUFFLE, Filter

NBIT, SCALEOFFSET, LZF = 5, 6, 32000


class _Bits:
    """A sequence of bits, the most significant one of each number first."""

    def __init__(self):
        self.number, self.count = 0, 0

    def add(self, value, bits):
        self.number, self.count = self.number << bits | value, self.count + bits

    def bytes(self):
        padding = -self.count % 8
        return (self.number << padding).to_bytes((self.count + padding) // 8, "big")


def _packed(bits, element, values, at):
    """Packs an element as the client values of n-bit from `at` on describe it. Returns where they end."""
    kind, size = values[at:at + 2]
    if kind == 1:
        order, precision, offset = values[at + 2:at + 5]
        number = int.from_bytes(element[:size], "big" if order else "little")
        bits.add(number >> offset & (1 << precision) - 1, precision)
        return at + 5
    if kind == 2:
        base, begin = values[at + 3], 0
        while begin < size:
            end = _packed(bits, element[begin:], values, at + 2)
            begin += base
        return end
    if kind == 3:
        count, at = values[at + 2], at + 3
        for _ in range(count):
            at = _packed(bits, element[values[at]:], values, at + 1)
        return at
    bits.add(int.from_bytes(element[:size], "big"), 8 * size)
    return at + 2


def nbit(content, values):
    if values[1]:
        return content
    bits, size = _Bits(), values[4]
    for begin in range(0, len(content), size):
        _packed(bits, content[begin:begin + size], values, 3)
    return bits.bytes()


def scale_offset(content, values):
    """Numbers less their minimum. The library adds a byte, unless all bits are kept."""
    scaling, factor, _, _, size, sign, order, filled = values[:8]
    if scaling == 2 and factor == 8 * size:
        return content
    form = (">" if order else "<") + ({4: "f", 8: "d"}[size] if scaling == 0 else
                                      {1: "b", 2: "h", 4: "i", 8: "q"}[size] if sign else
                                      {1: "B", 2: "H", 4: "I", 8: "Q"}[size])
    numbers = [number for number, in struct.iter_unpack(form, content)]
    fill, = struct.unpack("<" + form[1:], struct.pack("<2I", *values[8:10])[:size])
    kept = [number for number in numbers if not filled or number != fill]
    least = min(kept, default=0)
    steps = [round(number * 10 ** factor - least * 10 ** factor) if scaling == 0 else number - least
             for number in kept or [least]]
    width = factor if scaling == 2 and factor else (max(steps) + filled).bit_length()
    if scaling == 2 and not factor and width >= 8 * size:
        width = 8 * size
    head = struct.pack("<I", width) + b"\x08"
    head += (struct.pack("<" + form[1:], least).ljust(8, b"\0") if scaling == 0
             else (least % (1 << (8 * size if width == 8 * size else 64))).to_bytes(8, "little")) + bytes(8)
    if width == 8 * size:
        return head + content
    bits, step = _Bits(), iter(steps)
    for number in numbers:
        bits.add((1 << width) - 1 if filled and number == fill else next(step), width)
    return head + bits.bytes() + bytes(len(numbers) * width % 8 == 0)


def compressed_by_lzf(content):
    """Runs of up to 32 literals, and copies of 3 to 264 bytes from up to 8,192 bytes back."""
    made, literals, at = b"", b"", 0

    def flush():
        nonlocal made, literals
        if literals:
            made += bytes([len(literals) - 1]) + literals
        literals = b""

    while at < len(content):
        length, distance = 0, 0
        for begin in range(max(0, at - 8192), at):
            same = 0
            while same < 264 and at + same < len(content) and content[begin + same] == content[at + same]:
                same += 1
            if same > length:
                length, distance = same, at - begin
        if length < 3:
            literals += content[at:at + 1]
            at += 1
            if len(literals) == 32:
                flush()
            continue
        flush()
        high, low = divmod(distance - 1, 256)
        made += bytes([(length - 2) << 5 | high]) if length < 9 else bytes([7 << 5 | high, length - 9])
        made += bytes([low])
        at += length
    flush()
    return made


def encoded(content, pipeline, mask, element_size):
    for number, each in enumerate(pipeline):
        if mask >> number & 1:
            continue
        if each.number == SHUFFLE:
            whole = len(content) // element_size * element_size
            content = b"".join(content[i:whole:element_size] for i in range(element_size)) \
                + content[whole:]
        elif each.number == DEFLATE:
            content = zlib.compress(content, each.values[0] if each.values else 6)
        elif each.number == NBIT:
            content = nbit(content, each.values)
        elif each.number == SCALEOFFSET:
            content = scale_offset(content, each.values)
        elif each.number == LZF:
            content = compressed_by_lzf(content)
        elif each.number == FLETCHER32:
            content += fletcher32(content).to_bytes(4, "little")
    return content


def gzip(level=6):
    return Filter(DEFLATE, (level,))


def shuffle(element_size=4):
    return Filter(SHUFFLE, (element_size,))


def lzf(chunk_bytes):
    """As h5py sets it: the versions of the filter and of LZF, and the size of a chunk."""
    return Filter(LZF, (4, 261, chunk_bytes), flags=1)


def with_fletcher32():
    return Filter(FLETCHER32)
