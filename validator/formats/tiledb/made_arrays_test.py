"""Tests with arrays that break several clauses at once, so that no fixture can show them: what is broken otherwise is not
counted."""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

HEPCHECK = pathlib.Path(os.environ["HEPCHECK"]).resolve()
SOURCE = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(SOURCE))

from generators.tiledb import bases, schema  # noqa: E402


class Arrays(unittest.TestCase):
    def findings(self, array):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "a.tar"
            path.write_bytes(array.bytes())
            made = subprocess.run([HEPCHECK, "validate", "--no-config", "--format", "json", path], capture_output=True, timeout=60)
        file = json.loads(made.stdout)["files"][0]
        return {clause["id"].removeprefix("tiledb-") for subject in file["tables"] for clause in subject["clauses"] if clause["findings"]}

    def counted(self, datatype, count, **options):
        """An enumeration of this many values for an attribute of a datatype."""
        attribute = schema.Attribute("a", datatype, enumeration="colours")
        array = schema.Array().schema(bases.dense(attrs=[attribute], enums=[("colours", schema.enumeration_file(0))]))
        return array.enumeration(schema.Enumeration(texts=[f"{i:03}" for i in range(count)], **options))

    COUNTS = {"enum-index-representable", "enum-below-type-max"}

    def test_positions_are_counted_for_integers_alone(self):
        self.assertEqual(self.findings(self.counted(schema.UINT8, 257)) & self.COUNTS, {"enum-index-representable"})
        for datatype in schema.FLOAT32, schema.ASCII, schema.CHAR:
            with self.subTest(datatype):
                found = self.findings(self.counted(datatype, 257))
                self.assertTrue(found)
                self.assertEqual(found & self.COUNTS, set())

    def test_bytes_of_a_variable_dimension_are_no_numbers(self):
        """A current domain whose bounds are in order as bytes, and not as numbers, in the byte order of files."""
        for ranges, ordered in (((b"\x01\0\0\x02", b"\x02\0\0\x01"), True), ((b"\x02\0\0\x01", b"\x01\0\0\x02"), False)):
            with self.subTest(ranges):
                dimension = schema.Dimension("d", schema.INT32, None, None, cell_val_num=schema.VAR)
                made = schema.Schema(22, schema.SPARSE, dims=[dimension], ranges=[ranges])
                found = self.findings(schema.Array().schema(made))
                self.assertTrue(found)
                self.assertEqual("cd-range-ordered" not in found, ordered, found)


if __name__ == "__main__":
    unittest.main()
