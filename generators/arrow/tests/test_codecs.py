"""Tests that liblz4 and libzstd read the frames that codecs.py writes."""

import ctypes
import ctypes.util
import unittest

from generators.arrow.codecs import (lz4_frame, lz4_repeated, xxh32, zstd_frame, zstd_repeated)

LZ4, ZSTD = (name and ctypes.CDLL(name) for name in map(ctypes.util.find_library, ("lz4", "zstd")))
CONTENTS = [b"", b"a", bytes(range(20)), 700 * b"hepcheck"]


def un_lz4(frame, room):
    context, out, source = ctypes.c_void_p(), ctypes.create_string_buffer(room), 0
    LZ4.LZ4F_createDecompressionContext(ctypes.byref(context), 100)
    LZ4.LZ4F_decompress.restype = ctypes.c_size_t
    made = b""
    while source < len(frame):
        written, taken = ctypes.c_size_t(room), ctypes.c_size_t(len(frame) - source)
        left = LZ4.LZ4F_decompress(context, out, ctypes.byref(written), frame[source:],
                                   ctypes.byref(taken), None)
        assert not LZ4.LZ4F_isError(ctypes.c_size_t(left)), "liblz4 refuses the frame"
        made += out.raw[:written.value]
        source += taken.value
        if not left:
            break
    LZ4.LZ4F_freeDecompressionContext(context)
    return made, source, left


def un_zstd(frame, room):
    out = ctypes.create_string_buffer(room)
    ZSTD.ZSTD_decompress.restype = ctypes.c_size_t
    written = ZSTD.ZSTD_decompress(out, ctypes.c_size_t(room), frame, ctypes.c_size_t(len(frame)))
    assert not ZSTD.ZSTD_isError(ctypes.c_size_t(written)), "libzstd refuses the frame"
    return out.raw[:written]


class Codecs(unittest.TestCase):
    def test_xxh32(self):
        # From the specification of xxHash.
        self.assertEqual(xxh32(b""), 0x02CC5D05)
        self.assertEqual(xxh32(b"abc"), 0x32D153FF)
        self.assertEqual(xxh32(b"Nobody inspects the spammish repetition"), 0xE2293B2F)

    @unittest.skipUnless(LZ4, "there is no liblz4")
    def test_lz4(self):
        for content in CONTENTS:
            for options in ({}, {"checksum": True}, {"stated": True}, {"block": 7}):
                frame = lz4_frame(content, **options)
                self.assertEqual(un_lz4(frame, 1 << 16), (content, len(frame), 0))

    @unittest.skipUnless(LZ4, "there is no liblz4")
    def test_lz4_repeated(self):
        for count in (100, 1 << 20, (8 << 20) + 1000):
            frame = lz4_repeated(7, count)
            self.assertLess(len(frame), count // 200 + 50)
            self.assertEqual(un_lz4(frame, 16 << 20), (count * b"\7", len(frame), 0))

    @unittest.skipUnless(ZSTD, "there is no libzstd")
    def test_zstd(self):
        for content in CONTENTS:
            for options in ({}, {"stated": False}, {"block": 7}, {"checksum": True}):
                if len(content) < 32 or not options.get("checksum"):
                    self.assertEqual(un_zstd(zstd_frame(content, **options), 1 << 16), content)

    @unittest.skipUnless(ZSTD, "there is no libzstd")
    def test_zstd_repeated(self):
        for stated in (False, True):
            frame = zstd_repeated(7, 3 << 20, stated)
            self.assertLess(len(frame), 200)
            self.assertEqual(un_zstd(frame, 4 << 20), (3 << 20) * b"\7")


if __name__ == "__main__":
    unittest.main()
