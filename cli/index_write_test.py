"""How hepcheck index build and drop treat the file that they write to: who else has it open, what
it is called, who may write to it, and what an interrupted run leaves behind. What crashes and full
disks do to it: conformance/suite/index_crash_test.py.
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
PATIENCE = 120  # seconds; nothing here should take one
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
        """A run that is stopped before that operation on the files of its folder."""
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
    """Programs that have the file open, or change it."""

    def test_a_writer_keeps_us_out(self):
        with h5py.File(self.file, "r+", libver="earliest"):
            self.before = self.file.read_bytes()
            for command in (BUILD, (*REPLACE, "--in-place"), DROP, (*DROP, "--in-place")):
                self.refused(*command, words="table.h5: another program has it open$")
        self.assertEqual(self.names(), {"table.h5"})

    def test_a_reader_goes_on_reading_what_was_there(self):
        with h5py.File(self.file, "r") as opened:
            self.refused(*DROP, "--in-place", words="another program has it open")
            self.index(*DROP)
            self.assertEqual(len(opened["/events/SEARCH_INDEXES"]), 7)
        with h5py.File(self.file, "r") as opened:
            self.assertEqual(len(opened["/events/SEARCH_INDEXES"]), 6)

    def test_we_keep_writers_out_and_not_readers(self):
        process = self.stopped(*BUILD, operation=3)
        with self.assertRaises(BlockingIOError):
            h5py.File(self.file, "r+")
        with h5py.File(self.file, "r") as opened:
            self.assertIn("ts", opened["/events"])
        self.resumed(process, 0)
        self.assertTrue(self.conformant())

    def test_in_place_we_keep_all_out(self):
        process = self.stopped(*BUILD, "--in-place", operation=1)
        with self.assertRaises(BlockingIOError):
            h5py.File(self.file, "r")
        self.resumed(process, 0)
        self.assertTrue(self.conformant())

    def test_locks_can_be_done_without(self):
        with open(self.file) as opened:
            fcntl.flock(opened, fcntl.LOCK_EX)
            self.refused(*BUILD, words="another program has it open")
            self.index(*BUILD, environment={"HDF5_USE_FILE_LOCKING": "FALSE"})

    def test_a_lock_for_a_moment(self):
        # As a builder has it whose copy has just become the file.
        for options in ((), ("--in-place",)):
            with open(self.file) as opened:
                fcntl.flock(opened, fcntl.LOCK_EX)
                process = self.start(*BUILD, *options, "--replace")
                time.sleep(0.1)
            self.finish(process, 0)

    def test_a_file_marked_as_open(self):
        with h5py.File(self.file, "r+", libver="latest") as opened:
            opened.swmr_mode = True  # which lets go of the lock
            self.before = self.file.read_bytes()
            for option in ((), ("--in-place",)):
                self.refused(*BUILD, *option, words="already open for writing")
                self.refused(*DROP, *option, words="already open for writing")

    def change(self):
        with h5py.File(self.file, "r+", locking=False) as opened:
            del opened["/events"].attrs["VERSION"]
        self.before = self.file.read_bytes()

    def test_what_is_changed_meanwhile_is_no_table_to_judge(self):
        for command in (BUILD, REPLACE):
            process = self.stopped(*command, operation=1)
            self.change()
            self.assertRegex(self.resumed(process, 3).err, "the file was changed meanwhile")
            self.assertEqual(self.names(), {"table.h5"})
            shutil.copy(FIXTURE, self.file)

    def test_what_is_changed_meanwhile_is_not_lost(self):
        for command, operation in ((BUILD, 3), (DROP, 4), (REPLACE, 6)):
            process = self.stopped(*command, operation=operation)
            self.change()
            self.assertRegex(self.resumed(process, 3).err, "the file was changed meanwhile")
            self.assertEqual(self.file.read_bytes(), self.before)
            self.assertEqual(self.names(), {"table.h5"})
            shutil.copy(FIXTURE, self.file)

    def test_who_waits_keeps_no_other_out(self):
        # What it waits for is the file by then, which others open with a shared lock.
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
    def test_the_file_that_a_link_leads_to(self):
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

    def test_what_is_in_the_way_stays(self):
        self.copy.symlink_to("elsewhere")
        self.refused(*DROP, words=r"\.table\.h5\.hepcheck is in the way")
        self.assertTrue(self.copy.is_symlink())

    def test_no_file_at_all(self):
        self.refused(*DROP, file=self.folder / "none.h5", words="none.h5: no such file$")
        self.assertEqual(self.names(), {"table.h5"})


class Permissions(Writing):
    def setUp(self):
        super().setUp()
        self.user = {}
        if os.geteuid() == 0:  # for whom nothing is forbidden
            self.folder.chmod(0o777)
            os.chown(self.folder, NOBODY, NOBODY)
            os.chown(self.file, NOBODY, NOBODY)
            self.user = {"user": NOBODY, "group": NOBODY, "extra_groups": []}
            try:
                subprocess.run([HEPCHECK, "--version"], check=True, capture_output=True, **self.user)
            except (OSError, subprocess.CalledProcessError) as error:
                self.skipTest(f"another user cannot run hepcheck: {error}")

    def test_a_file_that_must_not_be_written_to(self):
        self.file.chmod(0o444)
        for option in ((), ("--in-place",)):
            self.refused(*DROP, *option, **self.user,
                         words=r"table\.h5: it cannot be written to \(Permission denied\)$")
        self.assertEqual(self.names(), {"table.h5"})

    def test_a_folder_that_must_not_be_written_to(self):
        self.folder.chmod(0o555)
        self.addCleanup(self.folder.chmod, 0o777)
        self.refused(*DROP, **self.user, words=r"no copy can be made in its folder "
                     r"\(Permission denied\); --in-place writes to the file itself$")
        self.index(*DROP, "--in-place", **self.user)

    def test_a_file_of_somebody_else(self):
        if not self.user:
            self.skipTest("only root can make one")
        os.chown(self.file, 0, 0)
        self.file.chmod(0o666)
        self.refused(*DROP, **self.user, words=r"a copy cannot have its owner .*; --in-place")
        self.assertEqual(self.names(), {"table.h5"})

    def test_the_new_file_is_for_the_same_people(self):
        self.file.chmod(0o640)
        self.index(*DROP)
        status = self.file.stat()
        self.assertEqual(stat.S_IMODE(status.st_mode), 0o640)
        self.assertEqual(status.st_uid, NOBODY if self.user else os.geteuid())

    def test_the_copy_is_for_nobody_else(self):
        self.file.chmod(0o600)
        process = self.stopped(*BUILD, operation=4)
        self.assertEqual(stat.S_IMODE(self.copy.stat().st_mode), 0o600)
        self.resumed(process, 0)


class Interrupted(Writing):
    def test_a_signal_leaves_no_copy(self):
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            process = self.stopped(*BUILD, operation=5)
            self.assertEqual(self.names(), {"table.h5", ".table.h5.hepcheck"})
            process.send_signal(number)
            self.resumed(process, -number)
            self.assertEqual(self.names(), {"table.h5"})
            self.assertEqual(self.file.read_bytes(), self.before)

    def test_in_place_a_signal_waits(self):
        process = self.stopped(*BUILD, "--in-place", operation=5)
        process.send_signal(signal.SIGINT)
        self.resumed(process, -signal.SIGINT)
        self.assertTrue(self.conformant())
        with h5py.File(self.file, "r") as opened:
            self.assertIn("row_id__sorted_rows", opened["/events/SEARCH_INDEXES"])

    def test_a_signal_that_was_ignored_before(self):
        process = self.start(*BUILD, environment={},
                             preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN))
        process.send_signal(signal.SIGHUP)
        self.finish(process, 0)

    def test_a_limit_on_the_size_of_files(self):
        def limit():
            resource.setrlimit(resource.RLIMIT_FSIZE, (len(self.before) // 2,) * 2)
        self.refused(*BUILD, preexec_fn=limit, words=r"no copy of \d+ bytes can be made in its folder "
                     r"\(File too large\); --in-place")
        self.refused(*BUILD, "--in-place", preexec_fn=limit,
                     words=r"it could not be written \(File too large\); it is as it was$")
        self.assertEqual(self.names(), {"table.h5"})


if __name__ == "__main__":
    unittest.main()
