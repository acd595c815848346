"""Tests how hepcheck index build and drop treat the file that they modify: concurrent access, names and links,
permissions, and the state after an interrupted run. conformance/suite/index_crash_test.py tests crashes and
full disks.
"""

import fcntl
import os
import pathlib
import re
import resource
import shutil
import signal
import stat
import subprocess
import tempfile
import time
import unittest

import h5py

HEPCHECK, RECORDER = (pathlib.Path(os.environ[name]).resolve() for name in ("HEPCHECK", "RECORDER"))
SOURCE = pathlib.Path(__file__).resolve().parents[1]
FIXTURE = SOURCE / "fixtures/hep001/valid/12/index-content-correct--every-family.h5"
BUILD = ("build", "row_id", "SORTED_ROWS")
REPLACE = ("build", "ts", "SORTED_ROWS", "--replace")
DROP = ("drop", "ts", "CHUNK_MINMAX")
PATIENCE = 120  # seconds; every command should finish within one
NOBODY = 65534


class Writing(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.file = self.folder / "table.h5"
        self.copy = self.folder / ".table.h5.hepcheck"
        shutil.copy(FIXTURE, self.file)
        self.before = self.file.read_bytes()

    def start(self, verb, column, kind, *options, file=None, environment=None, **more):
        process = subprocess.Popen(
            [HEPCHECK, "index", verb, f"{file or self.file}:/events", column, kind, *options,
             "--spec", "auto"],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            env={**os.environ, **(environment or {})}, **more)
        self.addCleanup(self.end, process)
        return process

    def end(self, process):
        if process.poll() is None:
            process.kill()
        process.communicate()

    def finish(self, process, status):
        process.out, process.err = process.communicate(timeout=PATIENCE)
        self.assertEqual(process.returncode, status, process.err)
        self.assertEqual(bool(process.out), status == 0)
        return process

    def index(self, *command, status=0, **options):
        return self.finish(self.start(*command, **options), status)

    def refused(self, *command, words, **options):
        done = self.index(*command, status=3, **options)
        self.assertRegex(done.err, words)
        self.assertEqual(self.file.read_bytes(), self.before)

    def stopped(self, *command, operation):
        """Starts a run that is stopped before this operation on the files of its directory."""
        process = self.start(*command, environment={
            "LD_PRELOAD": str(RECORDER), "HEPCHECK_RECORD_FAULT": f"stop@{operation}",
            "HEPCHECK_RECORD_FOLDER": f"{self.folder.resolve()}/",
            "ASAN_OPTIONS": os.environ.get("ASAN_OPTIONS", "") + ":verify_asan_link_order=0"})
        _, status = os.waitpid(process.pid, os.WUNTRACED)
        self.assertTrue(os.WIFSTOPPED(status), status)
        return process

    def resumed(self, process, status):
        process.send_signal(signal.SIGCONT)
        return self.finish(process, status)

    def names(self):
        return {path.name for path in self.folder.iterdir()}

    def conformant(self):
        return subprocess.run([HEPCHECK, "validate", "--no-config", "-q", self.file],
                              timeout=PATIENCE).returncode == 0


class Others(Writing):
    """Programs that have the file open or modify it."""

    def test_open_writer_excludes_hepcheck(self):
        with h5py.File(self.file, "r+", libver="earliest"):
            self.before = self.file.read_bytes()
            for command in (BUILD, (*REPLACE, "--in-place"), DROP, (*DROP, "--in-place")):
                self.refused(*command, words="table.h5: another program has it open$")
        self.assertEqual(self.names(), {"table.h5"})

    def test_open_reader_keeps_reading_the_old_content(self):
        with h5py.File(self.file, "r") as opened:
            self.refused(*DROP, "--in-place", words="another program has it open")
            self.index(*DROP)
            self.assertEqual(len(opened["/events/SEARCH_INDEXES"]), 7)
        with h5py.File(self.file, "r") as opened:
            self.assertEqual(len(opened["/events/SEARCH_INDEXES"]), 6)

    def test_writers_are_excluded_and_readers_are_not(self):
        process = self.stopped(*BUILD, operation=3)
        with self.assertRaises(BlockingIOError):
            h5py.File(self.file, "r+")
        with h5py.File(self.file, "r") as opened:
            self.assertIn("ts", opened["/events"])
        self.resumed(process, 0)
        self.assertTrue(self.conformant())

    def test_in_place_excludes_all(self):
        process = self.stopped(*BUILD, "--in-place", operation=1)
        with self.assertRaises(BlockingIOError):
            h5py.File(self.file, "r")
        self.resumed(process, 0)
        self.assertTrue(self.conformant())

    def test_without_locks(self):
        with open(self.file) as opened:
            fcntl.flock(opened, fcntl.LOCK_EX)
            self.refused(*BUILD, words="another program has it open")
            self.index(*BUILD, environment={"HDF5_USE_FILE_LOCKING": "FALSE"})

    def test_brief_lock(self):
        # A builder whose copy has just replaced the file holds such a lock.
        for options in ((), ("--in-place",)):
            with open(self.file) as opened:
                fcntl.flock(opened, fcntl.LOCK_EX)
                process = self.start(*BUILD, *options, "--replace")
                time.sleep(0.1)
            self.finish(process, 0)

    def test_file_marked_as_open(self):
        with h5py.File(self.file, "r+", libver="latest") as opened:
            opened.swmr_mode = True  # which releases the lock
            self.before = self.file.read_bytes()
            for option in ((), ("--in-place",)):
                self.refused(*BUILD, *option, words="open for writing")
                self.refused(*DROP, *option, words="open for writing")

    def change(self):
        with h5py.File(self.file, "r+", locking=False) as opened:
            del opened["/events"].attrs["VERSION"]
        self.before = self.file.read_bytes()

    def test_concurrent_change_prevents_a_verdict(self):
        for command in (BUILD, REPLACE):
            process = self.stopped(*command, operation=1)
            self.change()
            self.assertRegex(self.resumed(process, 3).err, "another program changed the file in the meantime")
            self.assertEqual(self.names(), {"table.h5"})
            shutil.copy(FIXTURE, self.file)

    def test_concurrent_change_is_not_lost(self):
        for command, operation in ((BUILD, 3), (DROP, 4), (REPLACE, 6)):
            process = self.stopped(*command, operation=operation)
            self.change()
            self.assertRegex(self.resumed(process, 3).err, "another program changed the file in the meantime")
            self.assertEqual(self.file.read_bytes(), self.before)
            self.assertEqual(self.names(), {"table.h5"})
            shutil.copy(FIXTURE, self.file)

    def test_waiting_process_excludes_no_other(self):
        # By then it waits for the new file, which other programs open with a shared lock.
        first = self.stopped(*BUILD, operation=4)
        waiting = self.start("build", "row_id", "BITMAP")
        self.assertIn("waiting for another hepcheck", waiting.stderr.readline())
        blocked = re.compile(rf"-> FLOCK +ADVISORY +(READ|WRITE) +{waiting.pid} ")
        end = time.monotonic() + PATIENCE
        while not (found := blocked.search(pathlib.Path("/proc/locks").read_text())):
            self.assertLess(time.monotonic(), end)
            time.sleep(0.01)
        self.assertEqual(found[1], "READ")
        self.resumed(first, 0)
        self.finish(waiting, 0)

    def test_builders_wait_for_each_other(self):
        first = self.stopped(*BUILD, operation=4)
        others = [self.start("build", "row_id", kind) for kind in ("BITMAP", "CHUNK_MINMAX")]
        self.assertIn("waiting for another hepcheck", others[0].stderr.readline())
        quiet = self.start(*DROP, "-q")
        self.resumed(first, 0)
        for process in (*others, quiet):
            out, err = process.communicate(timeout=PATIENCE)
            self.assertEqual(process.returncode, 0, err)
            if process is quiet:
                self.assertEqual(out + err, "")
        self.assertTrue(self.conformant())
        with h5py.File(self.file, "r") as opened:
            found = set(opened["/events/SEARCH_INDEXES"])
        self.assertLess({"row_id__sorted_rows", "row_id__bitmap", "row_id__chunk_minmax"}, found)
        self.assertNotIn("ts__chunk_minmax", found)
        self.assertEqual(self.names(), {"table.h5"})


class Names(Writing):
    def test_target_of_symbolic_link(self):
        for name, target in (("link", "table.h5"), ("further", "link")):
            (self.folder / name).symlink_to(target)
        done = self.index(*DROP, file=self.folder / "further")
        self.assertIn("further:/events", done.out)
        self.assertTrue((self.folder / "link").is_symlink())
        self.assertNotEqual(self.file.read_bytes(), self.before)
        self.assertEqual(self.names(), {"table.h5", "link", "further"})

    def test_hard_links(self):
        other = self.folder / "other.h5"
        os.link(self.file, other)
        self.refused(*DROP, words="it has 2 names.*; --in-place writes to the file itself")
        self.index(*DROP, "--in-place")
        self.assertTrue(other.samefile(self.file))
        self.assertNotEqual(other.read_bytes(), self.before)

    def test_obstructing_file_is_kept(self):
        self.copy.symlink_to("elsewhere")
        self.refused(*DROP, words=r"\.table\.h5\.hepcheck exists")
        self.assertTrue(self.copy.is_symlink())

    def test_missing_file(self):
        self.refused(*DROP, file=self.folder / "none.h5", words="none.h5: no such file$")
        self.assertEqual(self.names(), {"table.h5"})


class Permissions(Writing):
    def setUp(self):
        super().setUp()
        self.user = {}
        if os.geteuid() == 0:  # root may do everything
            self.folder.chmod(0o777)
            os.chown(self.folder, NOBODY, NOBODY)
            os.chown(self.file, NOBODY, NOBODY)
            self.user = {"user": NOBODY, "group": NOBODY, "extra_groups": []}
            try:
                subprocess.run([HEPCHECK, "--version"], check=True, capture_output=True, **self.user)
            except (OSError, subprocess.CalledProcessError) as error:
                self.skipTest(f"another user cannot run hepcheck: {error}")

    def test_read_only_file(self):
        self.file.chmod(0o444)
        for option in ((), ("--in-place",)):
            self.refused(*DROP, *option, **self.user,
                         words=r"table\.h5: cannot be written \(Permission denied\)$")
        self.assertEqual(self.names(), {"table.h5"})

    def test_read_only_directory(self):
        self.folder.chmod(0o555)
        self.addCleanup(self.folder.chmod, 0o777)
        self.refused(*DROP, **self.user, words=r"no copy can be created in its directory "
                     r"\(Permission denied\); --in-place writes to the file itself$")
        self.index(*DROP, "--in-place", **self.user)

    def test_file_of_another_user(self):
        if not self.user:
            self.skipTest("only root can create one")
        os.chown(self.file, 0, 0)
        self.file.chmod(0o666)
        self.refused(*DROP, **self.user, words=r"a copy cannot have its owner .*; --in-place")
        self.assertEqual(self.names(), {"table.h5"})

    def test_new_file_has_the_same_permissions(self):
        self.file.chmod(0o640)
        self.index(*DROP)
        status = self.file.stat()
        self.assertEqual(stat.S_IMODE(status.st_mode), 0o640)
        self.assertEqual(status.st_uid, NOBODY if self.user else os.geteuid())

    def test_copy_is_private(self):
        self.file.chmod(0o600)
        process = self.stopped(*BUILD, operation=4)
        self.assertEqual(stat.S_IMODE(self.copy.stat().st_mode), 0o600)
        self.resumed(process, 0)


class Interrupted(Writing):
    def test_signal_removes_the_copy(self):
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            process = self.stopped(*BUILD, operation=5)
            self.assertEqual(self.names(), {"table.h5", ".table.h5.hepcheck"})
            process.send_signal(number)
            self.resumed(process, -number)
            self.assertEqual(self.names(), {"table.h5"})
            self.assertEqual(self.file.read_bytes(), self.before)

    def test_in_place_defers_signals(self):
        process = self.stopped(*BUILD, "--in-place", operation=5)
        process.send_signal(signal.SIGINT)
        self.resumed(process, -signal.SIGINT)
        self.assertTrue(self.conformant())
        with h5py.File(self.file, "r") as opened:
            self.assertIn("row_id__sorted_rows", opened["/events/SEARCH_INDEXES"])

    def test_ignored_signal(self):
        process = self.start(*BUILD, environment={},
                             preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN))
        process.send_signal(signal.SIGHUP)
        self.finish(process, 0)

    def test_limit_on_file_size(self):
        def limit():
            resource.setrlimit(resource.RLIMIT_FSIZE, (len(self.before) // 2,) * 2)
        self.refused(*BUILD, preexec_fn=limit, words=r"no copy of \d+ bytes can be created in its directory "
                     r"\(File too large\); --in-place")
        self.refused(*BUILD, "--in-place", preexec_fn=limit,
                     words=r"it could not be written \(File too large\); it is unchanged$")
        self.assertEqual(self.names(), {"table.h5"})


if __name__ == "__main__":
    unittest.main()
