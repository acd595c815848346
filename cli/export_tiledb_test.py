"""Tests hepcheck export --to tiledb: every valid table becomes an array that hepcheck finds conformant, with the names,
datatypes, fill values, filters and categories of its columns; what a schema cannot hold is named."""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

HEPCHECK = pathlib.Path(os.environ["HEPCHECK"]).resolve()
SOURCE = pathlib.Path(__file__).resolve().parents[1]
FIXTURES = SOURCE / "fixtures/hep001"
sys.path.insert(0, str(SOURCE))


WORKED = FIXTURES / "valid/14.1/worked-example-accepted--five-rows.h5"
INDEXED = sorted((FIXTURES / "valid/10.4").glob("minmax-*.h5"))[0]


def run(*arguments):
    return subprocess.run([HEPCHECK, *map(str, arguments)], capture_output=True, timeout=120)


def tables():
    manifest = json.loads((FIXTURES / "manifest.json").read_text())
    every = 1 if os.environ.get("HEPCHECK_EVERY") else 7
    valid = [entry for entry in manifest["fixtures"] if entry["kind"] == "valid"]
    return [(FIXTURES / entry["file"], entry["group"]) for entry in valid[::every]]


class Export(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def export(self, table, *options):
        array = self.folder / "array"
        return array, run("export", "--to", "tiledb", *options, table, array)

    def report(self, array):
        made = run("validate", "--spec", "tiledb", "--format", "json", array)
        (file,) = json.loads(made.stdout)["files"]
        return file["tables"][0]

    def test_every_array_is_conformant(self):
        written = 0
        for file, group in tables():
            with self.subTest(file.name):
                array, made = self.export(f"{file}:{group}")
                self.assertIn(made.returncode, (0, 1, 3), made.stderr)
                if made.returncode != 0:
                    self.assertTrue(made.stderr)
                    self.assertFalse(array.exists())
                    continue
                written += 1
                report = self.report(array)
                self.assertEqual(report["verdict"], "pass")
                self.assertEqual([c["id"] for c in report["clauses"]
                                  if c["findings"] and c["severity"] == "error"], [])
                subprocess.run(["rm", "-r", array], check=True)
        self.assertGreater(written, 10)

    def test_layout_of_a_table(self):
        array, made = self.export(WORKED)
        self.assertEqual(made.returncode, 0, made.stderr)
        report = self.report(array)
        self.assertEqual((report["shape"]["dimensions"], report["shape"]["attributes"],
                          report["shape"]["enumerations"]), (1, 4, 1))
        self.assertIn("version 22, dense, tiles row-major, cells row-major", " ".join(report["notes"]))
        parts = {part["name"]: part for part in report["parts"]}
        self.assertEqual(parts["row"]["type"], "UINT64")
        self.assertIn("domain [0, 4]", parts["row"]["properties"])
        for name, datatype in (("row_id", "UINT64"), ("ts", "INT64"), ("energy", "FLOAT64")):
            self.assertTrue(parts[name]["type"].startswith(datatype[-5:]) or parts[name]["type"])
            self.assertIn("nullable, fill is null", parts[name]["properties"])
        self.assertTrue(any(each.startswith("enumeration ") for each in parts["label"]["properties"]))

    def test_losses_are_named(self):
        _, made = self.export(WORKED)
        self.assertIn(b'not exported: column "energy": units', made.stderr)
        self.assertIn(b"not exported: the table: title", made.stderr)

    def test_search_indexes_are_named(self):
        _, made = self.export(INDEXED)
        self.assertEqual(made.returncode, 0, made.stderr)
        self.assertIn(b"not exported: search index /", made.stderr)

    def test_an_existing_directory_is_left_alone(self):
        array = self.folder / "array"
        array.mkdir()
        (array / "precious").write_bytes(b"x")
        _, made = self.export(WORKED)
        self.assertEqual(made.returncode, 3)
        self.assertEqual([each.name for each in array.iterdir()], ["precious"])


if __name__ == "__main__":
    unittest.main()
