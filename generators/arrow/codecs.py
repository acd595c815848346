"""Writes frames of LZ4 and Zstandard without a library: the blocks are stored, or repeat one byte.
(LZ4 frame format 1.6.2, Zstandard RFC 8878.)"""

import re

LZ4_MAGIC, ZSTD_MAGIC = b"\x04\x22\x4d\x18", b"\x28\xb5\x2f\xfd"
_P1, _P2, _P3, _P4, _P5 = 2654435761, 2246822519, 3266489917, 668265263, 374761393


def _rotated(value, bits):
    value &= 0xFFFFFFFF
    return value << bits & 0xFFFFFFFF | value >> 32 - bits


def xxh32(content, seed=0):
    at = 0
    if len(content) >= 16:
        lanes = [seed + _P1 + _P2, seed + _P2, seed, seed - _P1]
        while at + 16 <= len(content):
            for i in range(4):
                word = int.from_bytes(content[at + 4 * i:at + 4 * i + 4], "little")
                lanes[i] = _rotated(lanes[i] + word * _P2, 13) * _P1 & 0xFFFFFFFF
            at += 16
        made = sum(_rotated(lane, bits) for lane, bits in zip(lanes, (1, 7, 12, 18)))
    else:
        made = seed + _P5
    made += len(content)
    while at + 4 <= len(content):
        made = _rotated(made + int.from_bytes(content[at:at + 4], "little") * _P3, 17) * _P4
        at += 4
    for byte in content[at:]:
        made = _rotated(made + byte * _P5, 11) * _P1
    made &= 0xFFFFFFFF
    made = (made ^ made >> 15) * _P2 & 0xFFFFFFFF
    made = (made ^ made >> 13) * _P3 & 0xFFFFFFFF
    return made ^ made >> 16


def lz4_frame(content, *, block=1 << 16, checksum=False, stated=False):
    """A frame of stored blocks of at most `block` bytes; `checksum` adds the checksum of the content,
    `stated` its size in the header."""
    flags = 0x60 | 0x04 * checksum | 0x08 * stated  # version 1, independent blocks
    descriptor = bytes([flags, 0x40]) + (len(content).to_bytes(8, "little") if stated else b"")
    made = LZ4_MAGIC + descriptor + bytes([xxh32(descriptor) >> 8 & 255])
    for at in range(0, len(content), block):
        piece = content[at:at + block]
        made += (len(piece) | 1 << 31).to_bytes(4, "little") + piece
    made += bytes(4)
    return made + (xxh32(content).to_bytes(4, "little") if checksum else b"")


def lz4_repeated(byte, count):
    """A frame of `count` equal bytes: blocks of one literal and one match with itself."""
    descriptor = bytes([0x60, 0x70])
    made = LZ4_MAGIC + descriptor + bytes([xxh32(descriptor) >> 8 & 255])
    while count:
        size = min(count, 4 << 20)
        count -= size
        match = size - 1 - 5 - 4  # one literal before it and five after; the minimum match is 4
        piece = bytes([0x1F, byte, 1, 0]) + b"\xff" * ((match - 15) // 255)
        piece += bytes([(match - 15) % 255, 0x50]) + 5 * bytes([byte])
        made += len(piece).to_bytes(4, "little") + piece
    return made + bytes(4)


def _xxh64(content):
    """Only for less than 32 bytes."""
    p1, p2, p3, p4, p5 = (11400714785074694791, 14029467366897019727, 1609587929392839161,
                          9650029242287828579, 2870177450012600261)
    mask = (1 << 64) - 1

    def rotated(value, bits):
        value &= mask
        return value << bits & mask | value >> 64 - bits

    assert len(content) < 32
    made, at = p5 + len(content), 0
    while at + 8 <= len(content):
        word = int.from_bytes(content[at:at + 8], "little")
        made = rotated(made ^ rotated(word * p2, 31) * p1 & mask, 27) * p1 + p4
        at += 8
    if at + 4 <= len(content):
        word = int.from_bytes(content[at:at + 4], "little")
        made = rotated(made & mask ^ word * p1 & mask, 23) * p2 + p3
        at += 4
    for byte in content[at:]:
        made = rotated(made & mask ^ byte * p5 & mask, 11) * p1
    made &= mask
    made = (made ^ made >> 33) * p2 & mask
    made = (made ^ made >> 29) * p3 & mask
    return made ^ made >> 32


def zstd_frame(content, *, block=1 << 16, checksum=False, stated=True):
    """A frame of raw blocks of at most `block` bytes; one empty block if there is no content."""
    made = _zstd_header(len(content), checksum, stated)
    begins = range(0, len(content), block) or (0,)
    for at in begins:
        piece = content[at:at + block]
        made += ((at == begins[-1]) | len(piece) << 3).to_bytes(3, "little") + piece
    return made + (_xxh64(content).to_bytes(8, "little")[:4] if checksum else b"")


def _zstd_header(size, checksum, stated):
    if stated:  # a single segment, with its size in 8 bytes
        return ZSTD_MAGIC + bytes([0xE0 | 0x04 * checksum]) + size.to_bytes(8, "little")
    return ZSTD_MAGIC + bytes([0x04 * checksum, 7 << 3])  # a window of 128 KiB


def zstd_repeated(byte, count, stated=False):
    """A frame of `count` equal bytes, in blocks that repeat one byte up to 2^17 times."""
    def block(size, last):
        return (last | 1 << 1 | size << 3).to_bytes(3, "little") + bytes([byte])

    whole, rest = divmod(count - 1, 1 << 17)
    return (_zstd_header(count, False, stated) + whole * block(1 << 17, False)
            + block(rest + 1, True))


def zstd_runs(content):
    """A frame in which a run of 100 or more equal bytes takes a few bytes, and the rest is stored."""
    pieces = [match[0] for match in re.finditer(rb"(?s)(.)\1{99,}|.(?:(?!(.)\2{99}).)*", content)]
    blocks = [piece[at:at + (1 << 17)] for piece in pieces for at in range(0, len(piece), 1 << 17)]
    made = _zstd_header(len(content), False, True)
    for i, block in enumerate(blocks):
        repeats = len(block) >= 100 and block == block[:1] * len(block)
        made += ((i == len(blocks) - 1) | repeats << 1 | len(block) << 3).to_bytes(3, "little")
        made += block[:1] if repeats else block
    return made
