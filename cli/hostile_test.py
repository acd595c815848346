"""Tests with malicious files: each is reported, and the file after it is still examined."""

import fcntl
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time
import unittest

import h5py
import numpy as np

HEPCHECK = pathlib.Path(os.environ["HEPCHECK"]).resolve()
SOURCE = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(SOURCE))
from generators import formats
from generators.hep001 import hostile
from generators.hep001.hostile import table

GOOD = SOURCE / "fixtures/hep001/valid/14.1/worked-example-accepted--five-rows.h5"
GOOD_TILE = SOURCE / "fixtures/tiledb/valid/array-schema/tiledb-coords-rle-first--first.tdb"
GOOD_ROOT = SOURCE / "fixtures/rntuple/valid/7.3/rntuple-page-list-elements--all.root"
GOOD_STREAM = SOURCE / "fixtures/arrow/valid/2.2/arrow-lengths-are-int64--two-of-eight-bytes.arrows"
PATIENCE = 120


def run(*arguments, env=None):
    return subprocess.run([HEPCHECK, *map(str, arguments)], capture_output=True, timeout=PATIENCE,
                          stdin=subprocess.DEVNULL, env=dict(os.environ, **(env or {})))


class Folder(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.path = self.folder / "x.h5"


def children(process):
    try:
        return pathlib.Path(f"/proc/{process}/task/{process}/children").read_text().split()
    except OSError:  # the process has ended
        return []


def limit_of(process):
    """The limit on the data of a process; None if it is not set yet or the process has ended."""
    try:
        limits = pathlib.Path(f"/proc/{process}/limits").read_text()
    except OSError:
        return None
    found = re.search(r"Max data size +(\d+)", limits)
    return int(found[1]) if found else None


def words_of(file):
    reasons = [file["error"] or ""] + [u["reason"] for u in file["unreadable"]]
    for table in file["tables"]:
        reasons += table["notes"]
        for clause in table["clauses"]:
            if clause["verdict"] == "not-checked":
                reasons.append(clause["reason"])
            if clause["findings"]:
                reasons += [clause["id"], *(f["observed"] for f in clause["findings"])]
    return " | ".join(filter(None, reasons))


def texts_of(value):
    if isinstance(value, str):
        yield value
    elif isinstance(value, (dict, list)):
        for each in value.values() if isinstance(value, dict) else value:
            yield from texts_of(each)


class Hostile(Folder):
    """The files of generators/FORMAT/hostile.py: each reaches the limit that it was made for."""

    def test_each_reaches_its_limit(self):
        for name in formats.names():
            if module := formats.find(name).module("hostile"):
                self.each_of(name, module.HOSTILE)

    def each_of(self, format, files):
        for each in files:
            self.path = self.folder / each.file
            each.make(self.path)
            for limits, pattern in each.meets.items():
                with self.subTest(each.file, format=format, limits=limits):
                    begin = time.monotonic()
                    arguments = ("--limit", limits) if limits else ()
                    if format != "hep001":  # these files are not recognised as other formats
                        arguments += "--spec", each.spec or format
                    good = {"arrow": GOOD_STREAM, "rntuple": GOOD_ROOT, "tiledb": GOOD_TILE}.get(format, GOOD)
                    self.assertRegex(words_of(self.examined(*arguments, good=good)), pattern)
                    self.assertLess(time.monotonic() - begin, 60)
            self.path.unlink()

    def examined(self, *arguments, good=GOOD):
        """The report on the file; the report on a valid file must follow it."""
        result = run("validate", "--format", "json", *arguments, self.path, good)
        self.assertIn(result.returncode, (1, 3), result)
        self.assertNotRegex(result.stderr, b"(?m)^(?!hepcheck: this system refuses).")
        bad, sound = json.loads(result.stdout)["files"]
        self.assertEqual([t["verdict"] for t in sound["tables"]], ["pass"])
        self.assertNotIn("pass", [t["verdict"] for t in bad["tables"]])
        return bad

    def test_every_limit_is_reached(self):
        (listed,) = re.findall(r"^Limits and their defaults.*?\n((?:  .*\n)+)",
                               run("validate", "--help").stdout.decode(), re.M)
        known = {line.split()[0] for line in listed.splitlines()}
        met = {limits.split("=")[0] for h in hostile.HOSTILE for limits in h.meets if limits}
        # Only a format that consists of directories reaches these: cli/toy/toy_test.py.
        of_directories = {"members", "member-depth", "member-name", "members-size"}
        self.assertEqual(known, met | of_directories)
        self.assertFalse(met & of_directories)

    def test_findings_are_limited(self):
        hostile.much_to_report(self.path)
        bad = self.examined("--max-findings", "3")
        cut = [c for c in bad["tables"][0]["clauses"] if "suppressed" in c]
        self.assertEqual({len(clause["findings"]) for clause in cut}, {3})
        self.assertIn(2000 - 3, [clause["suppressed"] for clause in cut])

    def test_texts_are_bounded(self):
        hostile.long_texts(self.path)
        for name in "text json json-findings ndjson sarif junit junit-clauses github gitlab markdown html earl".split():
            with self.subTest(name):
                report = run("validate", "--format", name, self.path)
                self.assertEqual(report.returncode, 1, report)
                self.assertLess(len(report.stdout), 3_000_000)
                if name == "json":
                    texts = set(texts_of(json.loads(report.stdout)))
        long = {text for text in texts if len(text) > 1000}
        self.assertLessEqual(max(map(len, long)), 2000)
        self.assertTrue(all(re.search(r"\.\.\. \(\d+ bytes(, [0-9a-f]{16})?\)$", t) for t in long))
        # The value, the element, the column and the group.
        for beginning in ('"v', '"00o', "/t/_c", "/t/g"):
            self.assertTrue(any(text.startswith(beginning) for text in long), beginning)

    def test_too_little_memory_to_start(self):
        shutil.copy(GOOD, self.path)
        (file,) = json.loads(run("validate", "--format", "json", "--limit", "memory=100kB",
                                 self.path).stdout)["files"]
        self.assertRegex(file["stopped"]["name"], "memory|SIG|status")
        self.assertIn(file["stopped"]["name"], file["error"])
        self.assertEqual(file["tables"], [])

    def test_names_of_limits(self):
        for words, output in (("tim=3", "did you mean time?"), ("time", "requires a number"),
                            ("time=soon", "requires a number")):
            result = run("validate", "--limit", words, GOOD)
            self.assertEqual(result.returncode, 2, result)
            self.assertIn(output, result.stderr.decode())


@unittest.skipIf(b"__asan_init" in HEPCHECK.read_bytes(), "a sanitizer reserves all memory")
class Memory(Folder):
    """The memory that a run may use with several files in parallel."""

    def limits_of_workers(self, files, limit, enough):
        """The memory limits in bytes of the workers that run in parallel, of at most `enough` of them."""
        process = subprocess.Popen(
            [HEPCHECK, "validate", "--jobs", "4", "--limit",
             f"memory={limit},time=1,cpu-time=100,ratio=1000000000", *files],
            stdout=subprocess.DEVNULL)
        most = []
        while process.poll() is None and len(most) < enough:
            now = [limit_of(worker) for lane in children(process.pid) for worker in children(lane)]
            most = max(most, [each for each in now if each], key=len)
            time.sleep(0.01)
        process.kill()
        process.wait()
        return most

    def test_workers_share_it(self):
        hostile.values_without_end(self.path)
        files = [self.path]
        for i in range(3):
            files.append(self.folder / f"{i}.h5")
            shutil.copy(self.path, files[-1])
        self.assertEqual(self.limits_of_workers(files, "2GiB", 4), 4 * [512 << 20])
        self.assertEqual(self.limits_of_workers(files, "3GiB", 4), 4 * [768 << 20])
        # If the shares would be too small to be useful, fewer workers run in parallel.
        self.assertEqual(self.limits_of_workers(files, "1GiB", 3), 2 * [512 << 20])

    def test_file_that_needs_more_than_its_share(self):
        file, group = table(self.path, libver="latest")
        group.attrs.create("TITLE", np.zeros(200 << 20, "i1"))
        file.close()

        def words(*files, jobs, memory):
            # The library takes the memory; the program's own reader does with less.
            result = run("validate", "--format", "json", "--jobs", jobs, "--reader", "libhdf5", "--limit",
                         f"memory={memory},attribute-size=256MiB", self.path, *files)
            return words_of(json.loads(result.stdout)["files"][0])

        alone = words(jobs=1, memory="2GiB")
        self.assertIn("memory", words(jobs=1, memory="512MiB"))
        self.assertNotIn("memory", alone)
        self.assertEqual(words(GOOD, GOOD, GOOD, jobs=4, memory="2GiB"), alone)


class Unchanged(Folder):
    """Files are never modified, whatever the options, and other users of a file are not disturbed."""

    def setUp(self):
        super().setUp()
        shutil.copy(GOOD, self.path)
        os.utime(self.path, ns=(10**18, 10**18))

    def test_bytes_and_times(self):
        # On a file system without access times (noatime), their comparison cannot fail.
        for arguments in ((), ("--no-isolation",), ("--depth", "structure")):
            for locking in ("TRUE", "FALSE", "BEST_EFFORT"):
                with self.subTest(arguments=arguments, locking=locking):
                    os.utime(self.path, ns=(10**18, 10**18))
                    before = self.path.stat()
                    run("validate", *arguments, self.path, env={"HDF5_USE_FILE_LOCKING": locking})
                    after = self.path.stat()
                    for part in ("st_atime_ns", "st_mtime_ns", "st_ctime_ns", "st_size",
                                 "st_ino", "st_mode", "st_nlink"):
                        self.assertEqual(getattr(before, part), getattr(after, part), part)
                    self.assertEqual(self.path.read_bytes(), GOOD.read_bytes())
        self.assertEqual([p.name for p in self.folder.iterdir()], ["x.h5"])

    def test_read_only_file_and_directory(self):
        self.path.chmod(0o444)
        self.folder.chmod(0o555)
        try:
            self.assertEqual(run("validate", self.path).returncode, 0)
        finally:
            self.folder.chmod(0o755)

    def test_read_only_media(self):
        script = """mount --bind "$1" "$1" && mount -o remount,bind,ro "$1" || exit 99
                    touch "$1/y" 2>/dev/null && exit 98
                    exec "$2" validate "$1/x.h5" """
        try:
            result = subprocess.run(["unshare", "--user", "--map-root-user", "--mount", "sh", "-c",
                                     script, "sh", self.folder, HEPCHECK], capture_output=True,
                                    timeout=PATIENCE)
        except FileNotFoundError:
            self.skipTest("no unshare here")
        if result.returncode == 99 or b"unshare" in result.stderr:
            self.skipTest(f"mounting is not permitted: {result.stderr.decode()}")
        self.assertEqual(result.returncode, 0, result)

    def test_file_locked_by_another_process(self):
        with open(self.path, "r+b") as owner:
            fcntl.flock(owner, fcntl.LOCK_EX)
            self.assertEqual(run("validate", self.path).returncode, 0)
            os.set_blocking(owner.fileno(), True)

    def test_while_a_swmr_writer_has_it_open(self):
        with h5py.File(self.path, "w", libver="latest") as writer:
            group = writer.create_group("t")
            group.attrs.create("CLASS", np.bytes_("COLUMN_TABLE"))
            column = group.create_dataset("x", (4,), "i4", chunks=(4,), maxshape=(None,))
            writer.swmr_mode = True
            column.resize((8,))
            column[:] = range(8)
            writer.flush()
            before = self.path.read_bytes()
            for arguments in ((), ("--no-isolation",)):
                result = run("validate", *arguments, self.path)
                self.assertEqual(result.returncode, 1, result)  # a table with missing parts
                self.assertIn(b"/t", result.stdout)
            self.assertEqual(self.path.read_bytes(), before)
            column[:] = range(8, 16)  # the writer still has its file
            writer.flush()


class Plugins(Folder):
    """Code from the plugin path runs only on request, and only in the worker."""

    def setUp(self):
        super().setUp()
        self.plugins = os.environ["HEPCHECK_PLUGINS"]
        h5py.h5pl.append(self.plugins.encode())
        file, group = table(self.path)
        properties = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
        properties.set_chunk((4,))
        properties.set_fill_value(np.array(-1, "i4"))
        properties.set_filter(333, h5py.h5z.FLAG_MANDATORY, ())
        h5py.h5d.create(group.id, b"x", h5py.h5t.NATIVE_INT32, h5py.h5s.create_simple((4,)),
                        properties)
        group["x"][:] = [1, 2, 3, 4]
        file.close()

    def words(self, *arguments):
        result = run("validate", "--format", "json", *arguments, self.path,
                     env={"HDF5_PLUGIN_PATH": self.plugins})
        return words_of(json.loads(result.stdout)["files"][0])

    def test_plugins_are_loaded_on_request(self):
        self.assertIn("filter 333 (invert) is not available", self.words())
        for arguments in ((), ("--no-isolation",)):
            words = self.words("--allow-plugins", *arguments)
            self.assertNotIn("/t/x", words)
            self.assertNotIn("333", words)


class Damage(unittest.TestCase):
    def test_a_fixed_sample(self):
        for format, sample, pattern in (("hep001", "2", r"[1-9]\d* named a checksum"),
                                        ("hdf5", "1", r"[1-9]\d* under one"),
                                        ("arrow", "2", r"[1-9]\d* still conformant"),
                                        ("tiledb", "2", r"[1-9]\d* still conformant")):
            with self.subTest(format):
                result = subprocess.run([sys.executable, SOURCE / "fuzz/damage", "--sample",
                                         sample, "--seconds", "60", "--format", format],
                                        capture_output=True, timeout=600,
                                        env=dict(os.environ, HEPCHECK=str(HEPCHECK)))
                output = result.stdout.decode()
                self.assertEqual(result.returncode, 0, output + result.stderr.decode())
                print(output)
                self.assertRegex(output, pattern)

    def test_objects_of_the_newer_revision(self):
        result = subprocess.run([sys.executable, SOURCE / "fuzz/damage", "--objects", "--sample", "40"],
                                capture_output=True, timeout=600,
                                env=dict(os.environ, HEPCHECK=str(HEPCHECK)))
        output = result.stdout.decode()
        self.assertEqual(result.returncode, 0, output + result.stderr.decode())
        for clause in ("nothing", "boolean-column-value", "generation-present", "list-mask-value",
                       "list-offsets-first-zero", "list-offsets-non-decreasing",
                       "list-values-extent", "source-generation-uint64", "source-nrows-present",
                       "string-chars-extent", "string-chars-utf8"):
            self.assertRegex(output, rf"\b{clause} [1-9]")

    @unittest.skipUnless((SOURCE.parent / "shared/corpus/hdf5").is_dir(), "the files are not available")
    def test_files_that_are_already_broken(self):
        result = subprocess.run([sys.executable, SOURCE / "fuzz/damage", "--files",
                                 SOURCE.parent / "shared/corpus/hdf5"], capture_output=True,
                                timeout=600, env=dict(os.environ, HEPCHECK=str(HEPCHECK)))
        self.assertEqual(result.returncode, 0, result.stdout.decode() + result.stderr.decode())


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[1:]])
