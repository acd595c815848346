"""hepcheck export of RNTuples: every value arrives in the table, and what has no column is refused by name."""

import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

import h5py

SOURCE = pathlib.Path(__file__).resolve().parents[1]
HEPCHECK = pathlib.Path(os.environ["HEPCHECK"]).resolve()
REAL = SOURCE.parent / "shared/corpus/rntuple/rc2"
sys.path.insert(0, str(SOURCE))
from generators.rntuple import base_of, lists, masks, optionals, projected


def run(*arguments):
    return subprocess.run([HEPCHECK, *arguments], capture_output=True, text=True, timeout=120)


class Export(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.into = self.folder / "t.h5"

    def exported(self, base, *options, values=True):
        source = self.folder / "t.root"
        source.write_bytes(base().bytes() if callable(base) else base.bytes())
        return self.table_of(source, *options)

    def table_of(self, source, *options):
        done = run("export", source, "--to", "hep001", f"{self.into}:/t", *options)
        self.assertEqual(done.returncode, 0, done)
        judged = run("validate", "--depth", "full", self.into)
        self.assertEqual(judged.returncode, 0, judged)
        with h5py.File(self.into) as file:
            return {name: (file["t"][name][...].tolist(), file["t"][name].fillvalue)
                    for name in file["t"]}

    def test_numbers_and_texts(self):
        table = self.exported(base_of(
            ("i", "std::int16_t", [[1, -2], [3]], {"encoding": "SplitInt16"}), ("u", "std::uint64_t", [[1, 1 << 63], [0]]),
            ("d", "double", [[0.5, -1.5], [2.0]], {"encoding": "SplitReal64"}), ("b", "bool", [[True, False], [True]]),
            ("c", "char", [[65, 255], [0]]), ("s", "std::string", [["a", ""], ["bcd"]]),
            ("e", "Color", [[1, 2], [3]]), ("a", "std::atomic<float>", [[1.0, 2.0], [3.0]]),
            ("h", "float", [[0.5, -2.0], [1.0]], {"encoding": "Real16"})))
        values = {name: column for name, (column, _) in table.items()}
        self.assertEqual(values, {
            "i": [1, -2, 3], "u": [1, 1 << 63, 0], "d": [0.5, -1.5, 2.0], "b": [1, 0, 1], "c": [65, -1, 0],
            "s": [b"a", b"", b"bcd"], "e": [1, 2, 3], "a": [1.0, 2.0, 3.0], "h": [0.5, -2.0, 1.0]})
        self.assertEqual(table["b"][1], 2)

    def test_missing_values(self):
        for base in (optionals, masks):
            with self.subTest(base):
                self.into.unlink(missing_ok=True)
                (values, fill), = self.exported(base).values()
                self.assertEqual(values[0::2], [1.0, 2.0])
                self.assertEqual(repr(values[1]), repr(float(fill)))

    def test_missing_values_over_clusters(self):
        (values, fill), = self.exported(base_of(
            ("o", "std::optional<std::int32_t>", [[5, None], [None, 7, 8]]))).values()
        self.assertEqual([None if value == fill else value for value in values], [5, None, None, 7, 8])

    def test_deferred_elements_are_zeros(self):
        from generators.rntuple import extended
        table = self.exported(extended)
        self.assertEqual(table["y"][0], [0.0] * 4 + [1.0] * 6 + [2.0] * 5)

    def test_refusals(self):
        source = self.folder / "t.root"
        for type, values in (("std::vector<float>", [[[1.0]]]), ("std::pair<float,float>", [[(1.0, 2.0)]]),
                             ("std::array<float,1>", [[[1.0]]]), ("std::bitset<2>", [[[True, False]]]),
                             ("std::variant<float>", [[(0, 1.0)]])):
            with self.subTest(type):
                source.write_bytes(base_of(("x", "std::int32_t", [[1]]), ("bad", type, values))().bytes())
                strict = run("export", source, "--to", "hep001", f"{self.into}:/t", "--strict")
                self.assertEqual(strict.returncode, 1, strict)
                self.assertFalse(self.into.exists())
                done = run("export", source, "--to", "hep001", f"{self.into}:/t")
                self.assertEqual(done.returncode, 0, done)
                for each in strict, done:
                    self.assertIn(f'refused: field "bad": a column of a table cannot hold {type}\n', each.stderr)
                with h5py.File(self.into) as file:
                    self.assertEqual(file["t/x"][...].tolist(), [1])
                    self.assertNotIn("bad", file["t"])
                self.into.unlink()
                self.assertEqual(list(self.table_of(source, "--skip", "bad", "--strict")), ["x"])
                self.into.unlink()
        done = run("export", source, "--to", "hep001", f"{self.into}:/t", "--skip", "x")
        self.assertEqual(done.returncode, 1, done)
        self.assertIn("no field can be exported", done.stderr)
        self.assertFalse(self.into.exists())

    @unittest.skipUnless(REAL.is_dir(), f"no {REAL}")
    def test_what_was_not_examined(self):
        for source in (REAL.parent / "epoch1/test_bit_rntuple_v1-0-0-0.root", next((REAL.parent / "rc3").glob("*.root"))):
            done = run("export", source, "--to", "hep001", f"{self.into}:/t")
            self.assertEqual(done.returncode, 3, done)
            self.assertFalse(self.into.exists())

    def test_broken_sources_are_refused(self):
        source = self.folder / "t.root"
        made = lists()
        made.ntuple.page("v").values = [1, 1, 4]
        source.write_bytes(made.bytes())
        done = run("export", source, "--to", "hep001", f"{self.into}:/t")
        self.assertEqual(done.returncode, 1)
        self.assertIn("rntuple-column-element-count", done.stderr)

    def test_projected_fields_on_request(self):
        source = self.folder / "t.root"
        source.write_bytes(projected().bytes())
        done = run("export", source, "--to", "hep001", f"{self.into}:/t", "--skip", "v")
        self.assertEqual(done.returncode, 0, done)
        self.assertIn("not exported: n", done.stderr)

    def test_schema_only(self):
        table = self.exported(base_of(("x", "std::int32_t", [[1, 2]])), "--schema-only")
        self.assertEqual(table["x"][0], [])

    def test_arrow(self):
        source, into = self.folder / "t.root", self.folder / "t.arrow"
        source.write_bytes(base_of(("s", "std::string", [["a", "b"]]), ("b", "bool", [[True, False]]))().bytes())
        self.assertEqual(run("export", f"{source}:Events", into).returncode, 0)
        self.assertEqual(run("validate", "--spec", "arrow", into).returncode, 0)

    @unittest.skipUnless(REAL.is_dir(), f"no {REAL}")
    def test_real_files(self):
        table = self.table_of(REAL / "uproot-ntpl001_staff.root")
        self.assertEqual(sum(table["Category"][0]), 1162422)
        self.assertEqual(sum(table["Cost"][0]), 29083929)
        self.assertEqual(sum(map(len, table["Division"][0])), 7811)


if __name__ == "__main__":
    unittest.main()
