"""Tests that the demonstration of docs/retry-collision.md behaves as documented, and that hepcheck detects it."""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

HEPCHECK = pathlib.Path(os.environ["HEPCHECK"]).resolve()
HERE = pathlib.Path(__file__).resolve().parent
PAGE = HERE.parent / "docs/retry-collision.md"


class RetryCollision(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(cls.enterClassContext(tempfile.TemporaryDirectory()))
        cls.done = subprocess.run([sys.executable, HERE / "retry_collision.py", "--keep", cls.folder],
                                  capture_output=True, text=True, timeout=60)

    def broken(self, name):
        report = subprocess.run(
            [HEPCHECK, "validate", "--no-config", "--format", "json", "--spec", "hep001-2026-07-09",
             self.folder / f"{name}.h5"], capture_output=True, text=True, timeout=60)
        [table] = json.loads(report.stdout)["files"][0]["tables"]
        self.assertIn(table["verdict"], ("pass", "fail"))
        return {c["id"] for c in table["clauses"] if c["verdict"] == "fail" and c["severity"] == "error"}

    def test_only_the_careless_retry_loses_rows(self):
        self.assertEqual(self.done.returncode, 0, self.done.stderr)
        found = [line for line in self.done.stdout.splitlines() if line.startswith("rows with")]
        self.assertEqual([line.split("finds ")[1] for line in found],
                         ["[], a scan [10]", "[10], a scan [10]", "[10], a scan [10]"])

    def test_page_shows_the_output(self):
        story = self.done.stdout.split("--- ")[1].splitlines()[1:]
        for line in story:
            self.assertIn(line, PAGE.read_text())

    def test_torn_index_that_passes_the_check_is_detected(self):
        self.assertEqual(self.broken("careless"),
                         {"minmax-n-last-chunk", "minmax-min-value", "minmax-max-value"})

    def test_careful_retry_leaves_a_conformant_file(self):
        for name in ("increment", "look"):
            self.assertEqual(self.broken(name), set(), name)


if __name__ == "__main__":
    unittest.main()
