"""Tests of the output file of hepcheck export and import when the program is killed, terminated by a signal, or
the disk is full: the file has its old or its new content. Also tests the order in which import writes, with
hepcheck trace.
"""

import json
import os
import pathlib
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import unittest

import h5py
import numpy as np

HEPCHECK, RECORDER = (pathlib.Path(os.environ[name]).resolve() for name in ("HEPCHECK", "RECORDER"))
SOURCE = pathlib.Path(__file__).resolve().parents[1]
FIXTURES = SOURCE / "fixtures/hep001/valid"
TABLE = FIXTURES / "12/index-content-correct--every-family.h5"
PATIENCE = 120  # seconds; every command should finish within one
UNFINISHED = ".hepcheck-new-"  # the name of an unfinished new file after a kill
COPY = ".table.h5.hepcheck"  # the name of an unfinished copy
# Number of points of a run that are tested; testing all would take minutes.
POINTS = 12


class Writing(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name) / "files"
        self.folder.mkdir()
        self.arrow = pathlib.Path(folder.name) / "table.arrow"
        self.hepcheck("export", TABLE, self.arrow)
        self.file = self.folder / "table.h5"
        self.log = pathlib.Path(folder.name) / "log"

    def hepcheck(self, *words, status=0):
        done = subprocess.run([HEPCHECK, *map(str, words)], capture_output=True, text=True,
                              timeout=PATIENCE)
        self.assertEqual(done.returncode, status, done.stderr)
        return done

    def start(self, *words, fault="", **options):
        self.log.write_bytes(b"\x89HEPTRC\n\1" + bytes(7))
        process = subprocess.Popen(
            [HEPCHECK, *map(str, words)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            env={**os.environ, "LD_PRELOAD": str(RECORDER), "HEPCHECK_RECORD_FAULT": fault,
                 "HEPCHECK_RECORD_FOLDER": f"{self.folder.resolve()}/",
                 "HEPCHECK_RECORD_LOG": str(self.log),
                 "ASAN_OPTIONS": os.environ.get("ASAN_OPTIONS", "") + ":verify_asan_link_order=0"},
            **options)
        self.addCleanup(self.end, process)
        return process

    def end(self, process):
        if process.poll() is None:
            process.kill()
        process.communicate()

    def finished(self, *words, fault="", **options):
        process = self.start(*words, fault=fault, **options)
        process.out, process.err = process.communicate(timeout=PATIENCE)
        return process

    def contents(self):
        return {path.name: path.read_bytes() for path in self.folder.iterdir()}

    def reset(self, before):
        for path in self.folder.iterdir():
            path.unlink()
        for name, contents in before.items():
            (self.folder / name).write_bytes(contents)

    def ways(self):
        """(arguments, initial content) for every command that writes to the file."""
        into = self.folder / "table.arrow"
        self.hepcheck("import", self.arrow, f"{self.file}:/one", "-q")
        there = self.contents()
        self.reset({})
        yield ("import", self.arrow, f"{self.file}:/one"), {}
        yield ("import", self.arrow, self.file), {}
        yield ("import", self.arrow, f"{self.file}:/two"), there
        yield ("import", self.arrow, f"{self.file}:/two", "--in-place"), there
        yield ("export", TABLE, into, "--batch-rows", "2"), {}
        yield ("export", TABLE, into, "--force"), {"table.arrow": b"dear to somebody"}

    def each_run(self, test):
        """Calls test(arguments, initial content, final content, points at which a fault can occur)."""
        for words, before in self.ways():
            with self.subTest(" ".join(map(str, words))):
                self.reset(before)
                done = self.finished(*words)
                self.assertEqual(done.returncode, 0, done.err)
                after, last = self.contents(), self.last(words, before)
                test(words, before, after, sorted({1 + (last - 1) * i // (POINTS - 1) for i in range(POINTS)}))
            self.reset({})

    def last(self, words, before):
        """The number of the last operation on files of the directory: after it, no fault can occur."""
        low, high = 0, 4096
        while high - low > 1:
            middle = (low + high) // 2
            self.reset(before)
            if self.finished(*words, fault=f"kill@{middle}").returncode == -signal.SIGKILL:
                low = middle
            else:
                high = middle
        self.assertGreater(low, 0)
        return low

    def assert_sound(self):
        if self.file.exists():
            self.hepcheck("validate", "--spec", "auto", self.file)


class Interrupted(Writing):
    def test_killed(self):
        def test(words, before, after, points):
            for point in points:
                self.reset(before)
                done = self.finished(*words, fault=f"kill@{point}")
                self.assertEqual(done.returncode, -signal.SIGKILL)
                now = self.contents()
                unfinished = {name for name in now if name.startswith(UNFINISHED) or name == COPY}
                kept = {name: now[name] for name in now if name not in unfinished}
                if "--in-place" in words and kept not in (before, after):
                    self.assert_sound()
                else:
                    self.assertIn(kept, (before, after), point)
                self.assertLessEqual(len(unfinished), 1)
                # The remaining files do not obstruct another run.
                if kept == before:
                    self.assertEqual(self.finished(*words).returncode, 0)
                    self.assert_sound()
        self.each_run(test)

    def test_signal_removes_unfinished_files(self):
        def test(words, before, after, points):
            for number, point in zip((signal.SIGINT, signal.SIGTERM, signal.SIGHUP), points[1::4]):
                self.reset(before)
                process = self.start(*words, fault=f"stop@{point}")
                _, status = os.waitpid(process.pid, os.WUNTRACED)
                self.assertTrue(os.WIFSTOPPED(status), status)
                process.send_signal(number)
                process.send_signal(signal.SIGCONT)
                process.communicate(timeout=PATIENCE)
                self.assertEqual(process.returncode, -number)
                self.assertIn(self.contents(), (before, after), point)
        self.each_run(test)


class Full(Writing):
    def test_full_disk(self):
        """Either all writes from one point on fail, or a single one."""
        def test(words, before, after, points):
            for fault in ("enospc@{}+", "enospc@{}", "eio@{}"):
                for point in points:
                    self.reset(before)
                    done = self.finished(*words, fault=fault.format(point))
                    where = f"{fault.format(point)}: {done.err}"
                    if done.returncode == 0:
                        self.assertEqual(self.contents(), after, where)
                        continue
                    self.assertEqual(done.returncode, 3, where)
                    self.assertRegex(done.err, r"\Ahepcheck: \S+/table\.(h5|arrow)[^\n]*(No space left on "
                                     r"device|Input/output error)[^\n]*\n\Z")
                    if "its directory could not be written to disk" in done.err:
                        self.assertEqual(self.contents(), after, where)
                    elif "--in-place" in words and "it may be damaged" in done.err:
                        self.assertTrue(fault.endswith("+"), where)
                    else:
                        self.assertEqual(self.contents(), before, where)
        self.each_run(test)

    def test_limit_on_file_size(self):
        for words, before in self.ways():
            with self.subTest(" ".join(map(str, words))):
                self.reset(before)
                size = max([1024, *map(len, before.values())])
                done = self.finished(*words, preexec_fn=lambda size=size: resource.setrlimit(
                    resource.RLIMIT_FSIZE, (size, size)))
                self.assertEqual(done.returncode, 3, done.err)
                self.assertRegex(done.err, r"\Ahepcheck: \S+/table\.(h5|arrow)[^\n]*File too large[^\n]*\n\Z")
                self.assertEqual(self.contents(), before)


class Order(Writing):
    """The order of 12.3 for in-place writes: after a kill or a loss of power at any point, a reader sees no table
    or the complete table, or detects that the file is broken."""

    # Categoricals that share labels, lists of every kind, and variable-length strings.
    TABLES = ("12/index-content-correct--every-family.h5", "8.7/categories-shared--two-widths.h5",
              "9.2/list-values-form--each-of-the-three.h5", "9.2/list-null-entry-empty--null-beside-empty.h5")

    def many_chunks(self):
        """A table in Arrow format with columns of several chunks."""
        path = self.folder / "many.h5"
        with h5py.File(path, "w") as file:
            for name, text in ("CLASS", b"COLUMN_TABLE"), ("VERSION", b"1.0"):
                tid = h5py.h5t.C_S1.copy()
                tid.set_size(len(text) + 1)
                tid.set_strpad(h5py.h5t.STR_NULLTERM)
                scalar = h5py.h5s.create(h5py.h5s.SCALAR)
                h5py.h5a.create(file.id, name.encode(), tid, scalar).write(np.array(text, f"S{len(text) + 1}"))
            file.attrs["NROWS"] = np.uint64(140_000)
            for name, dtype in ("a", "<i2"), ("b", "<u1"):
                file.create_dataset(name, data=np.arange(140_000).astype(dtype) % 100, fillvalue=101)
        return path

    def test_no_reader_sees_a_partial_table(self):
        for table in (*(FIXTURES / name for name in self.TABLES), self.many_chunks()):
            with self.subTest(table.name):
                self.hepcheck("export", table, self.arrow, "--force", "-q")
                self.file.unlink(missing_ok=True)
                self.hepcheck("import", self.arrow, f"{self.file}:/one", "-q")
                self.hepcheck("trace", "record", "-o", self.log, "--", HEPCHECK, "import", "-q", "--in-place",
                              self.arrow, f"{self.file}:/deep/two")
                self.hepcheck("trace", "check", self.log)
                done = self.hepcheck("trace", "replay", self.log, "--format", "counts")
                states, = (file["states"] for file in json.loads(done.stdout))
                for name, verdicts in states.items():
                    self.assertEqual((verdicts["WRONG"], verdicts["BETWEEN"]), (0, 0), name)
                    self.assertGreater(verdicts["OLD"], 0)
                self.assertGreater(states["prefix"]["NEW"], 0)


class Replacing(Writing):
    """What --force does not replace."""

    def test_the_source(self):
        shutil.copy(TABLE, self.file)
        before = self.file.read_bytes()
        link = self.folder / "link.h5"
        link.symlink_to(self.file)
        for name in (self.file, link):
            done = self.hepcheck("export", "-f", self.file, name, status=3)
            self.assertIn("it is the file that is read", done.stderr)
            self.assertEqual(self.file.read_bytes(), before)
        self.assertTrue(link.is_symlink())

    def test_special_files(self):
        fifo = self.folder / "fifo"
        os.mkfifo(fifo)
        for name in (fifo, self.folder):
            done = self.hepcheck("export", "-f", TABLE, name, status=3)
            self.assertIn("it is not a regular file", done.stderr)
        self.assertTrue(fifo.is_fifo())

    def test_values_are_limited(self):
        """A small file that claims many rows is exported up to the limit, and leaves nothing."""
        with h5py.File(self.file, "w") as file:
            table = file.create_group("t")
            for name, value in (("CLASS", "COLUMN_TABLE"), ("VERSION", "1.0")):
                kind = h5py.h5t.C_S1.copy()
                kind.set_size(len(value) + 1)
                attribute = h5py.h5a.create(table.id, name.encode(), kind, h5py.h5s.create(h5py.h5s.SCALAR))
                attribute.write(np.array(value.encode(), dtype=f"S{len(value) + 1}"))
            table.attrs.create("NROWS", np.uint64(2 ** 33))
            table.create_dataset("x", (2 ** 33,), "i8", chunks=(2 ** 20,), fillvalue=-1)
        done = self.hepcheck("export", self.file, self.folder / "out.arrow", status=1)
        self.assertIn("the ratio of the values to the file exceeds the limit", done.stderr)
        self.assertEqual([path.name for path in self.folder.iterdir()], ["table.h5"])


if __name__ == "__main__":
    unittest.main()
