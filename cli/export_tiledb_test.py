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


class Arrays(unittest.TestCase):
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


class Export(Arrays):
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
        parts = {part["name"]: part for part in report["shape"]["fields"]}
        self.assertEqual(parts["row"]["datatype"], "UINT64")
        self.assertIn("domain [0, 4]", parts["row"]["properties"])
        for name, datatype in (("row_id", "UINT64"), ("ts", "INT64"), ("energy", "FLOAT32"), ("label", "INT8")):
            self.assertEqual(parts[name]["datatype"], datatype)
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

    def test_a_column_without_a_neutral_type_is_refused_alone(self):
        for name in "5/reference-typed-column-data--object-reference-column.h5", "8.3/any-datatype--floating-point.h5":
            with self.subTest(name):
                array, made = self.export(FIXTURES / "valid" / name)
                self.assertEqual(made.returncode, 0, made.stderr)
                self.assertRegex(made.stderr, rb"refused: column \w+: ")
                self.assertEqual(self.report(array)["verdict"], "pass")
                subprocess.run(["rm", "-r", array], check=True)
                _, made = self.export(FIXTURES / "valid" / name, "--strict")
                self.assertEqual(made.returncode, 1)
                self.assertFalse(array.exists())

    def test_an_existing_directory_is_left_alone(self):
        array = self.folder / "array"
        array.mkdir()
        (array / "precious").write_bytes(b"x")
        _, made = self.export(WORKED)
        self.assertEqual(made.returncode, 3)
        self.assertEqual([each.name for each in array.iterdir()], ["precious"])


class Import(Arrays):
    """The schema of an array becomes a table without values."""

    def imported(self, source, name="back.h5"):
        table = self.folder / name
        return table, run("import", source, f"{table}:/t")

    def schema_uuid(self, array):
        (schema,) = [each.name for each in (array / "__schema").iterdir() if each.is_file()]
        return schema.rsplit("_", 1)[1]  # the digest of the decoded bytes

    def test_there_and_back(self):
        array, made = self.export(WORKED)
        self.assertEqual(made.returncode, 0, made.stderr)
        table, made = self.imported(array)
        self.assertEqual(made.returncode, 0, made.stderr)
        made = run("validate", "--format", "json", table)
        (file,) = json.loads(made.stdout)["files"]
        self.assertEqual([each["verdict"] for each in file["tables"]], ["pass"])
        self.assertEqual(file["tables"][0]["shape"]["nrows"], 5)
        again = self.folder / "again"
        made = run("export", "--to", "tiledb", f"{table}:/t", again)
        self.assertEqual(made.returncode, 0, made.stderr)
        self.assertEqual(self.schema_uuid(again), self.schema_uuid(array))

    def arrays(self):
        from generators.tiledb import ASCII, Attribute, DATETIME_NS, Dimension, UTF16, dense, sparse
        two = [Dimension("x"), Dimension("y")]
        return {"sparse": sparse(), "two": dense(dims=two), "utf16": dense(attrs=[Attribute("a", UTF16)]),
                "date": dense(attrs=[Attribute("t", DATETIME_NS), Attribute("s", ASCII, 8)])}

    def test_what_is_no_table_is_refused_by_name(self):
        for name, why in (("sparse", b"it is sparse"), ("two", b"it has 2 dimensions"),
                          ("utf16", b"a table has no STRING_UTF16")):
            with self.subTest(name):
                source = self.folder / f"{name}.tdb"
                source.write_bytes(self.arrays()[name].bytes())
                table, made = self.imported(source)
                self.assertEqual(made.returncode, 1)
                self.assertIn(why, made.stderr)
                self.assertFalse(table.exists())

    def test_dates_keep_their_unit(self):
        source = self.folder / "date.tdb"
        source.write_bytes(self.arrays()["date"].bytes())
        table, made = self.imported(source)
        self.assertEqual(made.returncode, 0, made.stderr)
        self.assertIn(b"row numbers start at 1", made.stderr)
        _, made = self.export(f"{table}:/t")
        self.assertIn(b'column "t": units', made.stderr)

    def test_missing_enumeration_is_refused(self):
        array, made = self.export(WORKED)
        (schema,) = [each for each in (array / "__schema").iterdir() if each.is_file()]
        alone = self.folder / "alone.tdb"
        alone.write_bytes(schema.read_bytes())
        _, made = self.imported(alone)
        self.assertEqual(made.returncode, 1)
        self.assertIn(b"the file of its enumeration is not here", made.stderr)


if __name__ == "__main__":
    unittest.main()
