"""Checks for fuzz/damage whether a file that hepcheck passes can be decoded: no other reader of TileDB is available,
so the tile is decoded here, and every byte of what a digest or a checksum of zlib covers must be reported."""

import pathlib
import struct
import sys
import zlib

HERE = pathlib.Path(__file__).resolve().parent
FIXTURES = HERE.parents[1] / "fixtures/tiledb"


def reads_everything(path):
    """Whether chunks with gzip alone decode to the stated lengths. Other pipelines are not decoded here."""
    data = pathlib.Path(path).read_bytes()
    if path.name.endswith(".tar") or len(data) < 34:
        return True
    version, persisted, size, _, _, encryption, pipeline = struct.unpack("<IQQBQBI", data[:34])
    filters = data[34:34 + pipeline]
    if encryption or filters[4:14] != bytes.fromhex("01000000 01 05000000 01".replace(" ", "")):
        return True
    payload = data[34 + pipeline:34 + pipeline + persisted]
    (count,), at, total = struct.unpack("<Q", payload[:8]), 8, 0
    for _ in range(count):
        original, filtered, metadata = struct.unpack("<III", payload[at:at + 12])
        part = payload[at + 12 + metadata:at + 12 + metadata + filtered]
        try:
            if len(zlib.decompress(part)) != original:
                return False
        except zlib.error:
            return False
        at, total = at + 12 + metadata + filtered, total + original
    return total == size and at == len(payload)
