"""Tests of the writer of raw structures with published values, and of its consistency."""

import unittest

from generators.hdf5 import *
from generators.hdf5.blocks import Checksum, Computed


class Checksums(unittest.TestCase):
    def test_published_values_of_lookup3(self):
        self.assertEqual(lookup3(b""), 0xDEADBEEF)
        self.assertEqual(lookup3(b"Four score and seven years ago"), 0x17770551)
        self.assertEqual(lookup3(b"Four score and seven years ago", 1), 0xCD628161)

    def test_published_values_of_fletcher32(self):
        # The published values are for big-endian words, so the letters of the text are swapped in pairs.
        self.assertEqual(fletcher32(b"badc\0e"), 0xF04FC729)
        self.assertEqual(fletcher32(b"badcfe"), 0x56502D2A)
        self.assertEqual(fletcher32(b"badcfehg"), 0xEBE19591)
        self.assertEqual(fletcher32(bytes(10)), 0)
        self.assertEqual(fletcher32(b"\xff\xff"), 0xFFFFFFFF)


class Fields(unittest.TestCase):
    def setUp(self):
        self.inner = Struct(("x", 1, 2), ("y", b"yy"))
        self.block = Block("KIND", "/d", ("first", 7, 1), ("inner", self.inner),
                           ("checksum", Checksum()), ("behind", b"zz"), address=100)

    def test_positions_and_sizes(self):
        self.assertEqual(self.block.size(), 11)
        self.assertEqual(self.block.place("inner.y"), (3, 2))
        self.assertEqual(self.block.paths(),
                         ["first", "inner.x", "inner.y", "checksum", "behind"])

    def test_checksum_is_computed_from_changed_fields(self):
        self.block["inner.x"] = 0x0203
        content = self.block.bytes()
        self.assertEqual(content[:5], b"\7\3\2yy")
        self.assertEqual(content[5:9], lookup3(content[:5]).to_bytes(4, "little"))

    def test_corrupted_field_keeps_the_old_checksum(self):
        before = self.block.bytes()
        self.block.corrupt("inner.x", 0x80)
        self.assertEqual(self.block.bytes()[1], before[1] ^ 0x80)
        self.assertEqual(self.block.bytes()[5:9], before[5:9])

    def test_bytes_covered_by_a_checksum(self):
        self.assertEqual(self.block.covered(), [(0, 9)])
        self.block.add("page", Struct(("element", 0, 8), ("checksum", Checksum())))
        self.assertEqual(self.block.covered(), [(0, 9), (11, 23)])
        whole = Block("FHDB", "", ("checksum", Checksum(whole=True)), ("data", bytes(20)))
        self.assertEqual(whole.covered(), [(0, 24)])

    def test_numbers_addresses_and_computed_fields(self):
        numbers = Struct(("none", None, 4), ("at", At(self.block, 2), 2), ("block", self.block, 2),
                         ("size", Computed(self.block.size), 1), ("minus", -1, 2))
        made = bytearray()
        numbers.write(made)
        self.assertEqual(made.hex(" "), "ff ff ff ff 66 00 64 00 0b ff ff")

    def test_missing_field(self):
        with self.assertRaises(AssertionError):
            self.block["inner.z"] = 1
        with self.assertRaises(OverflowError):
            self.block["first"] = 256
            self.block.bytes()


class Structures(unittest.TestCase):
    def test_sizes_with_the_parameters_of_the_library(self):
        """Sizes from the format specification and real files."""
        f = bytewise(300, storage=ExtensibleArray.usual())
        f.bytes()
        self.assertEqual(f["EAHD"].size(), 72)
        self.assertEqual(f["EAIB"].size(), 298)
        self.assertEqual(f["EASB"]["offset"], 240)
        self.assertEqual(f["EADB /d 1"]["offset"], 48)
        self.assertEqual(fixed()["FAHD"].size(), 28)
        self.assertEqual(btree2_leaf()["BTHD"].size(), 38)
        self.assertEqual(dense()["FRHP"].size(), 26 + 12 * 8 + 3 * 8)

    def test_numbers_of_chunks(self):
        dataset = Dataset(shape=(4, 6), maximum=(10, UNLIMITED), chunk=(2, 3))
        self.assertEqual(dataset.number((0, 1)), 5)
        dataset = Dataset(shape=(4, 6), maximum=(20, 10), chunk=(2, 3))
        self.assertEqual(dataset.number((1, 0)), 4)

    def test_element_12345_of_an_array_without_optimisations(self):
        """Super block 13 starts at element 8191."""
        f = bytewise(12346, [12345], storage=ExtensibleArray(32, 1, 1, 2, 10))
        self.assertEqual(f["EASB"]["offset"], 8191)

    def test_user_block_shifts_the_file(self):
        for length, begin in ((0, 0), (1, 512), (512, 512), (513, 1024), (1025, 2048)):
            f = File(user_block=bytes(length))
            self.assertEqual(f.bytes().find(b"\x89HDF"), begin)
            self.assertEqual(f["superblock"]["base"], begin)


if __name__ == "__main__":
    unittest.main()
