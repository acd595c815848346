"""The digests equal those of libxxhash, for every length class."""

import ctypes
import ctypes.util
import unittest

from generators.rntuple.xxh import xxh3, xxh64

LENGTHS = [*range(601), 1023, 1024, 1025, 1087, 1088, 2047, 2048, 2049, 4096, 100_000]


class Digests(unittest.TestCase):
    def setUp(self):
        name = ctypes.util.find_library("xxhash") or "libxxhash.so.0"
        try:
            self.library = ctypes.CDLL(name)
        except OSError:
            self.skipTest("no libxxhash")
        self.library.XXH3_64bits.restype = self.library.XXH64.restype = ctypes.c_uint64
        self.content = bytes((i * 7919 + i // 251) & 255 for i in range(max(LENGTHS)))

    def test_xxh3(self):
        for size in LENGTHS:
            content = self.content[:size]
            expected = self.library.XXH3_64bits(content, ctypes.c_size_t(size))
            self.assertEqual(xxh3(content), expected, size)

    def test_xxh64(self):
        for size in LENGTHS:
            content = self.content[:size]
            expected = self.library.XXH64(content, ctypes.c_size_t(size), ctypes.c_uint64(0))
            self.assertEqual(xxh64(content), expected, size)


if __name__ == "__main__":
    unittest.main()
