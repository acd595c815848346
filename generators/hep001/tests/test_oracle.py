"""Tests of the oracle with external facts: published hash values, and indexes computed by hand.

    python3 -m unittest discover -s generators/tests -t .
"""

import unittest

from generators.hep001 import *
from generators.hep001.indexes import bitmap, chunk_minmax, sorted_rows, tail_lengths


def column(type_id, values, fill, chunk=None):
    return Column(type_id, values, fill=fill, chunk=chunk)


class Murmur3(unittest.TestCase):
    def test_published_values(self):
        self.assertEqual(murmur3_x64_128(b""), (0, 0))
        self.assertEqual(murmur3_x64_128(b"hello"), (0xCBD8A7B341BD9B02, 0x5B1E906A48AE1D19))

    def test_verification_value_of_smhasher(self):
        hashes = b"".join(half.to_bytes(8, "little") for length in range(256)
                          for half in murmur3_x64_128(bytes(range(length)), 256 - length))
        self.assertEqual(murmur3_x64_128(hashes)[0] & 0xFFFFFFFF, 0x6384BA69)


class Indexes(unittest.TestCase):
    def test_order_of_ties_fill_values_and_nan(self):
        energy = column(F64, [2.0, NAN, -1.0, 9.0, 2.0, -0.0, 0.0, NAN], fill=9.0)
        self.assertEqual(sorted_rows(energy, 8), [2, 5, 6, 0, 4, 3, 1, 7])
        self.assertEqual(tail_lengths(energy, 8), (2, 1))

    def test_nan_fill_value_leaves_the_fill_tail_empty(self):
        energy = column(F64, [2.0, NAN, -1.0], fill=NAN)
        self.assertEqual(sorted_rows(energy, 3), [2, 0, 1])
        self.assertEqual(tail_lengths(energy, 3), (1, 0))

    def test_strings_are_sorted_without_padding(self):
        names = column(string(3, pad=SPACEPAD), ["b", "a!", "a", "\u00e9"], fill="")
        self.assertEqual(sorted_rows(names, 4), [2, 1, 0, 3])

    def test_big_endian_and_small_integers(self):
        counts = column(I16BE, [-1, 256, 1], fill=0)
        self.assertEqual(sorted_rows(counts, 3), [0, 2, 1])
        self.assertEqual(canonical_bytes(I16BE, 256), b"\0\1")
        self.assertEqual(canonical_bytes(I8, -1), b"\xff")
        self.assertEqual(canonical_bytes(F32, -0.0), bytes(4))

    def test_minmax_of_a_chunk_without_values_is_the_fill(self):
        energy = column(F32, [1.0, NAN, 7.0, NAN, 3.0], fill=7.0, chunk=2)
        self.assertEqual(chunk_minmax(energy, 5), [
            {"min": 1.0, "max": 1.0, "nan_count": 1, "fill_count": 0, "n": 2},
            {"min": 7.0, "max": 7.0, "nan_count": 1, "fill_count": 1, "n": 2},
            {"min": 3.0, "max": 3.0, "nan_count": 0, "fill_count": 0, "n": 1}])

    def test_bitmap_counts_bits_from_the_least_significant(self):
        label = column(U8, [1, 0, 1, 0, 0, 0, 0, 0, 1, 1], fill=255)
        self.assertEqual(bitmap(label, 9, [0, 1]), [bytearray([0xFA, 0]), bytearray([0x05, 1])])

    def test_bloom_filter_of_one_value(self):
        a, b = murmur3_x64_128((5).to_bytes(4, "little"), 7)
        filters = chunk_bloom(column(U32, [5, 9], fill=9), 2, k=3, m_bits=64, seed=7)
        bits = {g for g in range(64) if filters[0][g // 8] >> g % 8 & 1}
        self.assertEqual(bits, {a % 64, (a + b) % 64, (a + 2 * b) % 64})


if __name__ == "__main__":
    unittest.main()
