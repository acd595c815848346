"""Tests the program without libhdf5: the same verdicts for the corpus, and a refusal of what needs the library.

The environment names the programs: HEPCHECK, and WITHOUT, the same objects linked without the library.
"""

import json
import os
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

FIXTURES = Path(__file__).resolve().parents[1] / "fixtures"
EVERY = os.environ.get("HEPCHECK_EVERY", "0") != "0"
TABLE = FIXTURES / "hep001/valid/14.1/worked-example-accepted--five-rows.h5"


def run(program, *words, **options):
    return subprocess.run([os.environ[program], *map(str, words)], capture_output=True, text=True,
                          timeout=300, **options)


def verdicts(program, files, *words):
    """What a program says about files: all of the report about each of them."""
    made = run(program, "validate", "--no-config", "--format", "json", *words, *files)
    return made.returncode, json.loads(made.stdout)["files"], made.stderr


class Without(unittest.TestCase):
    def test_library_is_not_linked(self):
        made = subprocess.run(["ldd", os.environ["WITHOUT"]], capture_output=True, text=True)
        self.assertNotIn("libhdf5", made.stdout + made.stderr)
        self.assertIn("libhdf5", subprocess.run(["ldd", os.environ["HEPCHECK"]], capture_output=True, text=True).stdout)

    def test_tables(self):
        """table_readers_test compares what both readers return for all of them."""
        files = sorted((FIXTURES / "hep001").rglob("*.h5"))[::1 if EVERY else 3]
        self.assertGreater(len(files), 500)
        status, reports, _ = verdicts("HEPCHECK", files, "--reader", "libhdf5")
        other, without, errors = verdicts("WITHOUT", files)
        self.assertEqual(status, other, errors)
        self.assertEqual(len(reports), len(files))

        def outline(file):
            return file["path"], [
                (subject["path"], subject["verdict"],
                 [(clause["id"], clause["verdict"]) for clause in subject["clauses"]])
                for subject in file[next(key for key in ("subjects", "tables") if key in file)]]
        for expected, found in zip(reports, without):
            self.assertEqual(outline(expected), outline(found))

    def test_other_formats(self):
        for name in ("hdf5", "arrow", "rntuple"):
            files = sorted(path for path in (FIXTURES / name).rglob("*")
                           if path.is_file() and path.suffix != ".json")[::40]
            self.assertGreater(len(files), 3, name)
            self.assertEqual(verdicts("HEPCHECK", files)[:2], verdicts("WITHOUT", files)[:2], name)

    def test_export(self):
        with tempfile.TemporaryDirectory() as folder:
            for program in ("HEPCHECK", "WITHOUT"):
                made = run(program, "export", TABLE, Path(folder) / f"{program}.arrow")
                self.assertEqual(made.returncode, 0, made.stderr)
            self.assertEqual((Path(folder) / "HEPCHECK.arrow").read_bytes(),
                             (Path(folder) / "WITHOUT.arrow").read_bytes())

    def test_refusals(self):
        with tempfile.TemporaryDirectory() as folder:
            table = Path(folder) / "table.h5"
            shutil.copy(TABLE, table)
            before = table.read_bytes()
            arrow = Path(folder) / "table.arrow"
            run("WITHOUT", "export", table, arrow, check=True)
            for words in (["validate", "--reader", "libhdf5", table], ["validate", "--reader", "both", table],
                          ["index", "build", table, "energy", "SORTED_ROWS"],
                          ["import", arrow, f"{folder}/new.h5:/t"]):
                with self.subTest(words[0]):
                    made = run("WITHOUT", *words)
                    self.assertEqual(made.returncode, 3, made)
                    self.assertIn("built without libhdf5", made.stdout + made.stderr)
            self.assertEqual(table.read_bytes(), before)
            self.assertFalse((Path(folder) / "new.h5").exists())


if __name__ == "__main__":
    unittest.main()
