"""Compression blocks: series of chunks with a header of 9 bytes each (chapter 3)."""

import lzma
import zlib

from .xxh import xxh64


def chunk(tag, content, length):
    return tag + len(content).to_bytes(3, "little") + length.to_bytes(3, "little") + content


def zl(data):
    return chunk(b"ZL\x08", zlib.compress(data, 6), len(data))


def xz(data):
    return chunk(b"XZ\x00", lzma.compress(data, preset=1), len(data))


def cs(data):
    """Old deflate: a deflate stream without header."""
    deflate = zlib.compressobj(6, zlib.DEFLATED, -15)
    return chunk(b"CS\x08", deflate.compress(data) + deflate.flush(), len(data))


def lz4_literals(data):
    """One LZ4 block of literals only."""
    size, made = len(data), bytearray()
    made.append(min(size, 15) << 4)
    if size >= 15:
        made += b"\xff" * ((size - 15) // 255) + bytes([(size - 15) % 255])
    return bytes(made) + data


def l4(data, block=None, checksum=None):
    block = lz4_literals(data) if block is None else block
    checksum = xxh64(block).to_bytes(8, "big") if checksum is None else checksum
    return chunk(b"L4\x01", checksum + block, len(data))


def zstd_frame(data):
    """A Zstandard frame of one raw block."""
    size = len(data)
    header = b"\x28\xb5\x2f\xfd" + b"\xa0" + size.to_bytes(4, "little")
    return header + (size << 3 | 1).to_bytes(3, "little") + data


def zs(data):
    return chunk(b"ZS\x01", zstd_frame(data), len(data))


# By the number of the algorithm in compression settings.
CODECS = {1: zl, 2: xz, 3: cs, 4: l4, 5: zs}
