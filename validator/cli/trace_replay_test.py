"""hepcheck trace record and replay, on programs that append to a table: one that says how many rows
there are before they are there, a careful one, and appends under SWMR."""

import json
import os
import subprocess
import sys
import tempfile
import textwrap
import unittest
from pathlib import Path

import jsonschema

SOURCE = Path(__file__).resolve().parents[2]
HEPCHECK = Path(os.environ["HEPCHECK"]).resolve()

APPEND = SOURCE / "docs/trace/append.py"
SCHEMA = json.loads((SOURCE / "reports/schema/replay.schema.json").read_text())


class Recorded(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.path = Path(self.folder.name)

    def run_in(self, *command, **options):
        return subprocess.run(command, cwd=self.path, capture_output=True, text=True, timeout=300,
                              env={**os.environ, "HDF5_USE_FILE_LOCKING": "FALSE"}, **options)

    def record(self, way, by="both", index="extensible"):
        made = self.run_in(sys.executable, APPEND, "make", "t.h5", index)
        self.assertEqual(0, made.returncode, made.stderr)
        done = self.run_in(HEPCHECK, "trace", "record", "-o", "t.log", "--by", by, "--",
                           sys.executable, APPEND, way, "t.h5")
        self.assertEqual(0, done.returncode, done.stderr)

    def check(self):
        done = self.run_in(HEPCHECK, "trace", "check", "t.log", "--verbose")
        self.assertIn(done.returncode, (0, 1), done.stderr)
        return done

    def replay(self, *options):
        done = self.run_in(HEPCHECK, "trace", "replay", "t.log", "--format", "counts", *options)
        self.assertIn(done.returncode, (0, 1), done.stderr)
        made = json.loads(done.stdout)
        jsonschema.Draft202012Validator(SCHEMA).validate(made)
        (file,) = made
        return done.returncode, file

    def test_commits_first_is_wrong(self):
        self.record("commits_first")
        status, file = self.replay()
        self.assertEqual(1, status)
        self.assertGreater(file["states"]["prefix"]["WRONG"], 0)
        wrong = [each for each in file["examples"] if each["verdict"] == "WRONG"]
        self.assertIn("/t has 100 rows", wrong[0]["why"])
        self.assertEqual(1, len(wrong[0]["fewest"]), wrong[0])

    def test_careful_is_not(self):
        for by in ("preload", "both"):
            with self.subTest(by):
                self.record("careful", by)
                status, file = self.replay()
                self.assertEqual(0, file["states"]["prefix"]["WRONG"], file["examples"])
                self.assertEqual(0, file["states"]["torn"]["WRONG"], file["examples"])
                self.assertGreater(file["states"]["prefix"]["OLD"], 0)
                self.assertGreater(file["states"]["prefix"]["NEW"], 0)

    def test_swmr_appends_keep_all(self):
        for index, clause in (("extensible", "earray-index-block-before-header"),
                              ("tree", "btree2-children-first")):
            with self.subTest(index):
                self.record("swmr", index=index)
                done = self.check()
                self.assertEqual(0, done.returncode, done.stdout)
                for each in (clause, "chunk-before-index", "checksum-written",
                             "index-before-extent", "flush-whole-set", "io-order-kept"):
                    self.assertIn(f"pass swmr-{each}", done.stdout)
                status, file = self.replay("--sample", "4")
                self.assertTrue(file["swmr"])
                prefix = file["states"]["prefix"]
                self.assertEqual(0, prefix["WRONG"] + prefix["DETECTED"], file["examples"])

    def test_what_libhdf5_lets_through(self):
        for way, index, clause in (
                ("creates", "extensible", "append-only"), ("deletes", "extensible", "no-deletion"),
                ("shrinks", "extensible", "no-shrinking"),
                ("far", "fixed", "farray-page-before-block"),
                ("one_flush", "extensible", "commit-attribute-not-covered")):
            with self.subTest(way):
                self.record(way, index=index)
                self.assertRegex(self.check().stdout, f"(error|warning) swmr-{clause} ")

    def test_all_recorders_see_the_same_writes(self):
        counts = set()
        for by in ("preload", "driver", "both"):
            self.record("careful", by)
            file = self.replay("--most", "1")[1]
            counts.add(file["writes"])
        self.assertEqual(1, len(counts), counts)

    def test_streams_are_told_as_unseen(self):
        program = """
        libc = ctypes.CDLL(None)
        libc.fopen.restype = ctypes.c_void_p
        stream = libc.fopen(b"t.h5", b"r+")
        libc.fputs(b"x", ctypes.c_void_p(stream))
        libc.fclose(ctypes.c_void_p(stream))
        """
        made = self.run_in(sys.executable, APPEND, "make", "t.h5")
        self.assertEqual(0, made.returncode, made.stderr)
        self.run_in(HEPCHECK, "trace", "record", "-o", "t.log", "--by", "preload", "--",
                    sys.executable, "-c",
                    "import ctypes, os\n"
                    "fd = os.open('t.h5', os.O_RDWR)\n" + textwrap.dedent(program))
        done = self.run_in(HEPCHECK, "trace", "check", "t.log")
        self.assertEqual(3, done.returncode, done.stdout + done.stderr)
        self.assertIn("does not lead to what the file was", done.stdout)


class Modes(unittest.TestCase):
    def test_locks_keep_section_3(self):
        done = subprocess.run([HEPCHECK, "trace", "modes", "--format", "json"], capture_output=True,
                              text=True, timeout=300)
        self.assertEqual(0, done.returncode, done.stderr)
        made = json.loads(done.stdout)
        self.assertEqual(32, len(made["openings"]))
        pairs = {(each["held"], each["tried"]): each["opened"] for each in made["openings"]
                 if each["locks"]}
        self.assertTrue(pairs["SWMR write", "SWMR read"])
        self.assertFalse(pairs["SWMR write", "read"])
        self.assertFalse(pairs["write", "write"])
        self.assertTrue(made["unchecksummed_refused"])
        self.assertTrue(made["readers_follow"])


if __name__ == "__main__":
    unittest.main()
