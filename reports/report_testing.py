"""Shared by the tests of reports: running the program, and the files to report on, one of them hostile."""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

HEPCHECK = pathlib.Path(os.environ["HEPCHECK"]).resolve()
SOURCE = pathlib.Path(__file__).resolve().parents[1]
SCHEMAS = SOURCE / "reports/schema"
FIXTURES = SOURCE / "fixtures/hep001"
SHARED = SOURCE.parent / "shared"
GOOD = FIXTURES / "valid/14.1/worked-example-accepted--five-rows.h5"
BAD = FIXTURES / "invalid/7.3/nrows-uint64--int64.h5"
sys.path.insert(0, str(SOURCE))
os.environ["SOURCE_DATE_EPOCH"] = "1767225599"  # 2025-12-31T23:59:59Z: makes reports reproducible
PATIENCE = 120  # seconds; every command should finish within ten

# Each is part of a name in the hostile file. None may appear unescaped in a report.
HOSTILE = ["<script>alert(1)</script>", "\x1b[31m", "\u202e", "]]>", "`|*_~[x](http://e.example)",
           "@someone #1 www.e.example", "##[error]no", "--><img src=x>", "&amp;", "\"'", "{0}", "\x9b31m", "%0A::set-env name=x::y"]


def run(*arguments, **options):
    return subprocess.run([HEPCHECK, *map(str, arguments)], capture_output=True,
                          timeout=PATIENCE, **options)


def make_hostile(path):
    """A table whose group, columns and attributes have names that no report may repeat unescaped."""
    import h5py
    with h5py.File(path, "w") as file:
        # Names by accident: invalid UTF-8, and a line that a CI service would execute.
        group = h5py.h5g.create(file.id, b"t\xff\n::error::gotcha")
        table = h5py.Group(group)
        table.attrs["CLASS"] = "COLUMN_TABLE"
        table.attrs["VERSION"] = "<script>\x1b[2J\n::error::version"  # a value that reports show
        table.attrs["<b>\n::error::attribute"] = 1
        for name in HOSTILE:
            table.create_dataset("_" + name.replace("/", ""), (2, 2), "i4")


class Reports(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def hostile(self):
        path = self.folder / "::warning::x\n<i>`|.h5"
        if not path.exists():
            make_hostile(path)
        return path

    def inputs(self):
        """Good, bad, undecided, unreadable, hostile, deadly."""
        from generators.hep001 import hostile
        deadly = self.folder / "deadly.h5"
        hostile.chunk_index_that_points_into_itself(deadly)
        broken = self.folder / "broken.h5"
        broken.write_bytes(GOOD.read_bytes()[1:5000])
        some = sorted((FIXTURES / "invalid").rglob("*.h5"))[::40]
        return [GOOD, BAD, broken, self.hostile(), self.folder / "missing.h5", deadly,
                *some, *sorted((FIXTURES / "valid").rglob("*.h5"))[::60]]

    def report(self, name, *arguments):
        result = run("validate", "--no-config", "--format", name, *arguments)
        self.assertIn(result.returncode, (0, 1, 3), result.stderr)
        # Files of a directory that are not examined are counted.
        rest = [line for line in result.stderr.splitlines() if not line.startswith(b"hepcheck: skipped ")]
        self.assertEqual(rest, [])
        return result.stdout.decode("utf-8")  # always valid UTF-8

    def document(self, *arguments):
        return json.loads(self.report("json", *arguments))
