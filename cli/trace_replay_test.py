"""Tests of hepcheck trace record and replay on programs that append to a table: one that commits the number of
rows before the rows are written, one that writes in the correct order, and SWMR appends; and on the
appends of the adapters."""

import importlib.util
import json
import os
import subprocess
import sys
import tempfile
import textwrap
import unittest
from pathlib import Path

import h5py
import jsonschema

SOURCE = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(SOURCE))

from generators.hdf5 import bases  # noqa: E402
from generators.hdf5.checksums import lookup3  # noqa: E402
from generators.hdf5.trace import Log  # noqa: E402

HEPCHECK = Path(os.environ["HEPCHECK"]).resolve()

APPEND = SOURCE / "docs/trace/append.py"
SCHEMA = json.loads((SOURCE / "reports/schema/replay.schema.json").read_text())


class Recording(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.path = Path(self.folder.name)

    def run_in(self, *command, **options):
        return subprocess.run(command, cwd=self.path, capture_output=True, text=True, timeout=300,
                              env={**os.environ, "HDF5_USE_FILE_LOCKING": "FALSE"}, **options)

    def record(self, way, by="both", index="extensible", attributes=0):
        made = self.run_in(sys.executable, APPEND, "make", "t.h5", index)
        self.assertEqual(0, made.returncode, made.stderr)
        if attributes:
            with h5py.File(self.path / "t.h5", "r+", libver="latest") as file:
                for i in range(attributes):
                    file["t"].attrs[f"more {i}"] = i
        done = self.run_in(HEPCHECK, "trace", "record", "-o", "t.log", "--by", by, "--",
                           sys.executable, APPEND, way, "t.h5")
        self.assertEqual(0, done.returncode, done.stderr)

    def check(self):
        done = self.run_in(HEPCHECK, "trace", "check", "t.log", "--verbose")
        self.assertIn(done.returncode, (0, 1), done.stderr)
        return done

    def replay(self, *options):
        """(exit status, counts for the single file of the log)."""
        done = self.run_in(HEPCHECK, "trace", "replay", "t.log", "--format", "counts", *options)
        self.assertIn(done.returncode, (0, 1), done.stderr)
        made = json.loads(done.stdout)
        jsonschema.Draft202012Validator(SCHEMA).validate(made)
        (file,) = made
        return done.returncode, file


class Recorded(Recording):
    def test_early_commit_is_wrong(self):
        self.record("commits_first")
        status, file = self.replay()
        self.assertEqual(1, status)
        self.assertGreater(file["states"]["prefix"]["WRONG"], 0)
        wrong = [each for each in file["examples"] if each["verdict"] == "WRONG"]
        self.assertIn("/t has 100 rows, and the column", wrong[0]["why"])
        self.assertEqual(1, len(wrong[0]["fewest"]), wrong[0])

    def test_correct_order_is_not_wrong(self):
        for by in ("preload", "both"):
            with self.subTest(by):
                self.record("careful", by)
                status, file = self.replay()
                self.assertEqual(0, file["states"]["prefix"]["WRONG"], file["examples"])
                self.assertEqual(0, file["states"]["torn"]["WRONG"], file["examples"])
                self.assertGreater(file["states"]["prefix"]["OLD"], 0)
                self.assertGreater(file["states"]["prefix"]["NEW"], 0)

    def test_second_run_over_the_file_of_the_first(self):
        """The program truncates an existing file: the rows that it had before are no yardstick."""
        program = [sys.executable, "-c", textwrap.dedent("""
            import h5py, numpy
            with h5py.File("t.h5", "w", libver="latest") as file:
                t = file.create_group("t")
                t.attrs.create("CLASS", numpy.bytes_("COLUMN_TABLE"))
                t.attrs.create("VERSION", numpy.bytes_("1.0"))
                t.attrs.create("NROWS", numpy.uint64(0))
                x = t.create_dataset("x", (0,), "i4", maxshape=(None,), chunks=(10,))
                file.flush()
                file.swmr_mode = True
                for n in (10, 20):
                    x.resize(n, axis=0)
                    x[n - 10:] = numpy.arange(n - 10, n)
                    x.flush()
                    t.attrs.modify("NROWS", numpy.uint64(n))
                    file.flush()
            """)]
        results = []
        for by in ("preload", "driver"):
            for path in self.path.glob("t.*"):
                path.unlink()
            for run in range(2):
                with self.subTest(by=by, run=run):
                    done = self.run_in(HEPCHECK, "trace", "record", "-o", "t.log", "--by", by, "--", *program)
                    self.assertEqual(0, done.returncode, done.stderr)
                    _, file = self.replay("--sample", "2")
                    self.assertEqual(0, file["states"]["prefix"]["WRONG"], file["examples"])
                    results.append(file["states"]["prefix"])
        self.assertGreater(results[1]["NEW"], 0)

    def test_swmr_appends_satisfy_all_clauses(self):
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

    def test_single_dataset_under_swmr(self):
        """Chunks beyond the current size are residue, and no state is wrong."""
        for index in ("extensible", "tree", "fixed"):
            with self.subTest(index):
                self.record("loose_swmr", index=index)
                _, file = self.replay("--sample", "4")
                prefix = file["states"]["prefix"]
                self.assertEqual((0, 0), (prefix["WRONG"], prefix["DETECTED"]), file["examples"])
                self.assertTrue(prefix["OLD"] and prefix["NEW"] and prefix["RESIDUE"], prefix)
                # After a crash the end of file in the superblock is before the new chunks.
                self.assertTrue(any("h5clear -s, without -i, has cleared the marks" in note
                                    for note in file["notes"]), file["notes"])

    def test_one_of_two_datasets_is_intermediate(self):
        self.record("pair_swmr")
        _, file = self.replay("--sample", "4")
        prefix = file["states"]["prefix"]
        self.assertEqual(0, prefix["WRONG"] + prefix["DETECTED"], file["examples"])
        self.assertGreater(prefix["BETWEEN"], 0)

    def test_single_dataset_without_swmr(self):
        """The size is written before the index, so readers get fill values. The superblock is written at the end
        of the flush, so new chunks are after the end of file that it states."""
        self.record("loose")
        status, file = self.replay("--sample", "4")
        self.assertEqual(1, status)
        self.assertGreater(file["states"]["prefix"]["WRONG"], 0)
        of_prefix = {each["verdict"]: each for each in reversed(file["examples"])
                     if each["states"] == "prefix"}
        self.assertIn("/loose: element", of_prefix["WRONG"]["why"])
        self.assertRegex(of_prefix["WRONG"]["fewest"][0], r"\(OHDR\)$")
        self.assertIn("addr overflow", of_prefix["DETECTED"]["why"])

    def test_uncommitted_rows_are_residue(self):
        self.record("swmr")
        _, file = self.replay("--sample", "4")
        prefix = file["states"]["prefix"]
        self.assertEqual(0, prefix["WRONG"] + prefix["BETWEEN"], file["examples"])
        self.assertGreater(prefix["RESIDUE"], 0)

    def test_nrows_among_many_attributes(self):
        """More than eight attributes are stored in a heap, whose block is the commit."""
        self.record("one_flush", attributes=9)
        self.assertRegex(self.check().stdout,
                         r"FHDB @ \d+: warning swmr-commit-attribute-not-covered ")
        wrong = next(each for each in self.replay("--sample", "4")[1]["examples"]
                     if each["verdict"] == "WRONG")
        self.assertRegex(wrong["fewest"][0], r"\(FHDB\)$")

    def test_torn_superblock_is_not_a_superblock(self):
        self.record("careful")
        _, file = self.replay("--sample", "4")
        why = [each["why"] for each in file["examples"]
               if (each["states"], each["verdict"]) == ("torn", "DETECTED")]
        self.assertTrue(any("checksum" in each for each in why), why)

    def test_end_of_file_address_beyond_the_file(self):
        """The superblock states a larger size than the file has, until the next write."""
        before = bases.extensible(shape=(10,)).bytes()
        block = bytearray(before[:48])
        block[28:36] = (len(before) + 4096).to_bytes(8, "little")
        block[44:48] = lookup3(bytes(block[:44])).to_bytes(4, "little")
        log = Log().opens("/data/file.h5", before)
        log.write(0, bytes(block)).write(0, before[:48]).call("close").record("C")
        (self.path / "t.log").write_bytes(log.bytes)
        _, file = self.replay()
        prefix = file["states"]["prefix"]
        self.assertEqual((2, 1), (prefix["OLD"] + prefix["NEW"], prefix["DETECTED"]), prefix)
        (why,) = [each["why"] for each in file["examples"] if each["states"] == "prefix"]
        self.assertIn("truncated: ", why)

    def test_corruption_that_libhdf5_accepts(self):
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

    def test_stdio_streams_are_reported_as_not_recorded(self):
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
        self.assertIn("do not lead to the final contents", done.stdout)

    def test_named_pipe_is_not_recorded(self):
        """A writer and a reader that open the same pipe also work under the recorder."""
        program = """
        import os, sys, threading
        os.mkfifo("pipe.h5")
        got = []
        reader = threading.Thread(target=lambda: got.append(open("pipe.h5", "rb").read()))
        reader.start()
        with open("pipe.h5", "wb") as pipe:  # opened with truncation, as any file
            pipe.write(b"bytes")
        reader.join()
        assert got == [b"bytes"], got
        with open("was.h5", "wb") as file:
            file.write(b"a file")
        os.remove("was.h5")
        os.mkfifo("was.h5")  # no process ever writes to it
        """
        done = subprocess.run([HEPCHECK, "trace", "record", "-o", "t.log", "--by", "preload", "--",
                               sys.executable, "-c", textwrap.dedent(program)],
                              cwd=self.path, capture_output=True, text=True, timeout=60)
        self.assertEqual(0, done.returncode, done.stderr)
        self.assertNotIn(b"pipe.h5", (self.path / "t.log").read_bytes())


INTEGER = {"class": "integer", "size": 8, "order": "little", "signed": True}
OLD_ROWS, NEW_ROWS = range(10), range(10, 31)
PYTHON = SOURCE / "conformance/adapters/python/adapter.py"


class Adapters(Recording):
    """Each appends to a table with two columns that it wrote itself."""

    def talk(self, request, *program):
        hello = {"id": 1, "op": "hello", "protocol": 1, "spec": "hep001-2026-06-16"}
        lines = "".join(json.dumps(each) + "\n" for each in (hello, {"id": 2, **request}))
        done = self.run_in(*program, input=lines)
        self.assertEqual(0, done.returncode, done.stderr)
        self.assertIn("ok", json.loads(done.stdout.splitlines()[1]), done.stdout)

    def replayed(self, *program, written_by=None):
        """(exit status of the replay, counts) for the append of the program."""
        file = str(self.path / "t.h5")
        columns = [{"name": name, "type": INTEGER, "values": [str(i * 3) for i in OLD_ROWS],
                    "chunk": "4"} for name in "xy"]
        self.talk({"op": "write", "file": file, "table": {"path": "/t", "columns": columns}},
                  *(written_by or program))
        new = [{"name": name, "values": [str(i * 3) for i in NEW_ROWS]} for name in "xy"]
        self.talk({"op": "append", "file": file, "table": "/t", "durable": True, "columns": new},
                  HEPCHECK, "trace", "record", "-o", "t.log", "--", *program)
        self.assertIn(self.run_in(HEPCHECK, "trace", "check", "-q", "t.log").returncode, (0, 1))
        return self.replay("--sample", "6")

    def is_careful(self, *program):
        _, file = self.replayed(*program)
        for states in ("prefix", "any", "dropped"):
            self.assertEqual(0, file["states"][states]["WRONG"], (states, file["examples"]))
        prefix = file["states"]["prefix"]
        self.assertTrue(prefix["OLD"] and prefix["NEW"], prefix)

    def test_python(self):
        self.is_careful(sys.executable, PYTHON)

    def test_cpp(self):
        self.is_careful(os.environ["CPP_ADAPTER"])

    @unittest.skipUnless(importlib.util.find_spec("h5col"), "h5col cannot be imported")
    def test_h5col(self):
        self.is_careful(sys.executable, SOURCE / "conformance/adapters/h5col/adapter.py")

    def test_early_commit_is_wrong(self):
        status, file = self.replayed(
            sys.executable, SOURCE / "conformance/suite/broken_writers.py", "CommitsFirst",
            written_by=(sys.executable, PYTHON))
        self.assertEqual(1, status)
        self.assertGreater(file["states"]["prefix"]["WRONG"], 0)
        first = next(each for each in file["examples"] if each["verdict"] == "WRONG")
        self.assertIn("/t has 31 rows", first["why"])
        self.assertEqual(1, len(first["fewest"]), first)


def rows_on_the_page():
    """{(open mode, attempted mode, locks): "open" or "refused"} as documented in docs/trace.md."""
    page = (SOURCE / "docs/trace.md").read_text()
    lines = page[page.index("| held | tried |"):].split("\n\n")[0].splitlines()[2:]
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    return {(held, tried, locks): is_ for held, tried, on, off, _ in cells
            for locks, is_ in ((True, on), (False, off))}


class Modes(unittest.TestCase):
    def test_locks_match_section_3(self):
        done = subprocess.run([HEPCHECK, "trace", "modes", "--format", "json"], capture_output=True,
                              text=True, timeout=300)
        self.assertEqual(0, done.returncode, done.stderr)
        made = json.loads(done.stdout)
        self.assertEqual(32, len(made["openings"]))
        self.assertTrue(all(each["opened"] == each["should_open"] for each in made["openings"]
                            if each["locks"]))
        self.assertEqual(rows_on_the_page(), {
            (each["held"], each["tried"], each["locks"]): "open" if each["opened"] else "refused"
            for each in made["openings"]})
        self.assertTrue(made["unchecksummed_refused"])
        self.assertTrue(made["readers_follow"])


if __name__ == "__main__":
    unittest.main()
