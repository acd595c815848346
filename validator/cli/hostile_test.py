"""Files made to harm: each is accounted for, and the file after it is examined all the same."""

import fcntl
import json
import os
import pathlib
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import threading
import time
import unittest
import xml.dom.minidom
import zlib

import h5py
import numpy as np

HEPCHECK = pathlib.Path(os.environ["HEPCHECK"]).resolve()
SOURCE = pathlib.Path(__file__).resolve().parents[2]
GOOD = SOURCE / "fixtures/valid/14.1/worked-example-accepted--five-rows.h5"
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

    def table(self, **values):
        """A file that is being made: file, table group, with the attributes of a table."""
        file = h5py.File(self.path, "w", libver="earliest")
        group = file.create_group("t")
        nrows = values.pop("nrows", 4)
        for name, value in (("CLASS", "COLUMN_TABLE"), ("VERSION", "1.0")):
            group.attrs.create(name, np.bytes_(value))
        group.attrs.create("NROWS", np.uint64(nrows))
        return file, group

    def patch(self, change):
        content = bytearray(self.path.read_bytes())
        change(content)
        self.path.write_bytes(content)


def words_of(file):
    reasons = [file["error"] or ""] + [u["reason"] for u in file["unreadable"]]
    for table in file["tables"]:
        for clause in table["clauses"]:
            reasons.append(clause["reason"] or "")
            reasons += [f["observed"] for f in clause["findings"]]
    return " | ".join(filter(None, reasons))


class Hostile(Folder):
    def examined(self, *arguments):
        """The report of the file, which has to be followed by that of a good one."""
        result = run("validate", "--format", "json", *arguments, self.path, GOOD)
        self.assertIn(result.returncode, (1, 3), result)
        self.assertEqual(result.stderr, b"")
        bad, good = json.loads(result.stdout)["files"]
        self.assertEqual([t["verdict"] for t in good["tables"]], ["pass"])
        self.assertNotIn("pass", [t["verdict"] for t in bad["tables"]])
        return bad

    def assert_says(self, words, *arguments):
        self.assertRegex(words_of(self.examined(*arguments)), words)

    def test_chunk_that_swells(self):
        # The chunk has 1000 rows; its bytes decode to 256 MiB.
        bomb = zlib.compress(bytes(256 << 20), 9)
        file, group = self.table(nrows=1000)
        column = group.create_dataset("x", (1000,), "i1", chunks=(1000,), compression="gzip")
        column.id.write_direct_chunk((0,), bomb)
        file.close()
        begin = time.monotonic()
        self.examined("--limit", "memory=100MiB")
        self.assertLess(time.monotonic() - begin, 60)

    def test_values_without_end(self):
        # A terabyte of rows that were never written, in a file of a few kilobytes.
        file, group = self.table(nrows=1 << 37)
        group.create_dataset("x", (1 << 37,), "i8", chunks=(1 << 20,), fillvalue=7)
        file.close()
        self.assert_says("limit of 100 to 1|limit of time", "--limit", "ratio=100,time=60")
        self.assert_says("the limit of 33554432 bytes", "--limit", "values-size=32MiB")

    def test_cycle_of_groups(self):
        with h5py.File(self.path, "w", libver="latest") as file:
            group = file.id
            for _ in range(100_000):
                group = h5py.h5g.create(group, b"g")
            h5py.h5o.link(file.id, group, b"round")
        self.assert_says("limit of 1000 groups")

    def test_many_groups_that_hold_each_other(self):
        with h5py.File(self.path, "w", libver="latest") as file:
            groups = [h5py.h5g.create(file.id, b"%d" % i) for i in range(300)]
            for a in groups:
                for i, b in enumerate(groups):
                    h5py.h5o.link(b, a, b"%d" % i)
        bad = self.examined()
        self.assertIn("no table group", bad["error"])
        self.assert_says("limit of 100 objects", "--limit", "objects=100")
        self.assert_says("limit of 1000", "--limit", "links=1000")

    def test_attribute_that_claims_four_gibibytes(self):
        file, group = self.table()
        group.attrs.create("huge", np.zeros(0x1234, "i1"))
        file.close()
        claim = struct.pack("<Q", 0x1234)
        self.patch(lambda content: content.__setitem__(
            slice(content.rfind(claim), content.rfind(claim) + 8), struct.pack("<Q", 1 << 32)))
        self.examined()
        # The library refuses that claim by itself; an honest one meets our own limit.
        file, group = self.table()
        group.attrs.create("large", np.zeros(5000, "i1"))
        file.close()
        self.assert_says("limit of 4096 bytes", "--limit", "attribute-size=4096")

    def test_many_attributes(self):
        file, group = self.table()
        for i in range(50):
            group.attrs[f"a{i}"] = i
        file.close()
        self.assert_says("attributes than the limit of 20", "--limit", "attributes=20")

    def test_chunk_index_that_points_into_itself(self):
        file, group = self.table(nrows=1000)
        column = group.create_dataset("x", (1000,), "i4", chunks=(1,))
        column[:] = np.arange(1000)
        file.close()

        def point_back(content):
            changed = 0
            at = content.find(b"TREE\x01")
            while at >= 0:
                if content[at + 5] > 0:  # an inner node: its children become itself
                    key = 4 + 4 + 8 * 2
                    for child in range(struct.unpack_from("<H", content, at + 6)[0]):
                        struct.pack_into("<Q", content, at + 24 + key + child * (key + 8), at)
                        changed += 1
                at = content.find(b"TREE\x01", at + 1)
            assert changed, "the index has no inner node"

        self.patch(point_back)
        self.assertNotEqual(words_of(self.examined("--limit", "time=30")), "")

    def test_many_chunks(self):
        file, group = self.table(nrows=100)
        group.create_dataset("x", (100,), "i4", chunks=(1,))
        file.close()
        self.assert_says("chunks than the limit of 50", "--limit", "chunks=50")

    def test_files_named_in_the_file_are_never_opened(self):
        # Opening a pipe nobody writes into would hang; reading it would give the rows away.
        secret = self.folder / "secret"
        os.mkfifo(secret)
        file, group = self.table()
        group.create_dataset("x", (4,), "i4", external=[(str(secret), 0, 16)])
        file.close()
        self.assert_says("external files, which are never opened")

        file, group = self.table()
        layout = h5py.VirtualLayout((4,), "i4")
        layout[:] = h5py.VirtualSource(str(secret), "x", (4,))
        group.create_virtual_dataset("x", layout)
        file.close()
        self.assert_says("source files are never opened")

        file, group = self.table()
        group["x"] = h5py.ExternalLink(str(secret), "/t")
        file.close()
        self.examined()

    def test_loop_of_soft_links(self):
        file, group = self.table()
        group["a"] = h5py.SoftLink("/t/b")
        group["b"] = h5py.SoftLink("/t/a")
        file.close()
        self.examined()

    def test_datatype_nested_deep(self):
        # As deep as an object header holds: 8 bytes a level, 64 KiB in all. Made in a thread with
        # room for the library's recursion.
        def make():
            level = bytes([0x19, 0, 0, 0]) + struct.pack("<I", 16)
            integer = bytes([0x10, 8, 0, 0]) + struct.pack("<IHH", 4, 0, 32)
            deep = h5py.h5t.decode(bytes([3, 0]) + level * 7_000 + integer)
            file, group = self.table()
            space = h5py.h5s.create(h5py.h5s.NULL)
            h5py.h5a.create(group.id, b"deep", deep, space)
            file.close()
            self.made = True

        self.made = False
        size = threading.stack_size(512 << 20)
        maker = threading.Thread(target=make)
        maker.start()
        maker.join()
        threading.stack_size(size)
        self.assertTrue(self.made)
        self.examined()

    def test_heap_that_lies(self):
        file, group = self.table()
        column = group.create_dataset("x", (4,), h5py.string_dtype())
        column[:] = ["a" * 100, "b", "c", "d"]
        file.close()

        def lie(content):
            heap = content.find(b"GCOL")
            assert heap >= 0
            struct.pack_into("<Q", content, heap + 16 + 8, 1 << 40)  # size of its first object

        self.patch(lie)
        self.assertNotEqual(words_of(self.examined()), "")

    def test_long_strings(self):
        file, group = self.table()
        group.create_dataset("x", (4,), h5py.string_dtype())[:] = ["a" * 1000] * 4
        group.attrs["description"] = "d" * 1000
        file.close()
        self.assert_says("longer than the limit of 500 bytes", "--limit", "string-size=500")

    def test_limits_of_the_worker(self):
        shutil.copy(GOOD, self.path)
        for limit, name in (("answer=1000", "answer"), ("memory=100kB", "memory|SIG|status")):
            with self.subTest(limit):
                (file,) = json.loads(run("validate", "--format", "json", "--limit", limit,
                                         self.path).stdout)["files"]
                self.assertRegex(file["stopped"]["name"], name)
                self.assertIn(file["stopped"]["name"], file["error"])
                self.assertEqual(file["tables"], [])

    def test_limits_are_named(self):
        for words, said in (("tim=3", "did you mean time?"), ("time", "needs a number"),
                            ("time=soon", "needs a number")):
            result = run("validate", "--limit", words, GOOD)
            self.assertEqual(result.returncode, 2, result)
            self.assertIn(said, result.stderr.decode())


class Unchanged(Folder):
    """Whatever is asked, the file stays as it is, and nobody who uses it is disturbed."""

    def setUp(self):
        super().setUp()
        shutil.copy(GOOD, self.path)
        os.utime(self.path, ns=(10**18, 10**18))

    def state(self):
        status = self.path.stat()
        times = (status.st_atime_ns, status.st_mtime_ns, status.st_ctime_ns)
        return times, status.st_ino, status.st_mode, self.path.read_bytes()

    def test_bytes_and_times(self):
        # Reading it here changes the access time; so it is asked for first and put back by hand.
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

    def test_read_only_file_and_folder(self):
        self.path.chmod(0o444)
        self.folder.chmod(0o555)
        try:
            self.assertEqual(run("validate", self.path).returncode, 0)
        finally:
            self.folder.chmod(0o755)

    def test_a_lock_of_somebody_else(self):
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
                self.assertEqual(result.returncode, 1, result)  # a table, with much missing
                self.assertIn(b"/t", result.stdout)
            self.assertEqual(self.path.read_bytes(), before)
            column[:] = range(8, 16)  # it still has its file
            writer.flush()


def formats():
    help_text = run("validate", "--help").stdout.decode()
    (known,) = re.findall(r"--format.*?\{(.*?)\}", help_text, re.S)
    return [re.sub(r"\s", "", name) for name in known.split(",")]


class Output(Folder):
    """Nothing in a file reaches the reader of a report as anything but text."""

    NAMES = ["\x1b[31mred\x1b]0;title\x07", "<script>alert(1)</script>",
             "<img src=x onerror=alert(1)>", "\n::error file=x::injected", "%0A::set-env name=x::y",
             "](javascript:alert(1)) **bold** `code` | cell |", "]]><!--", "&lt;b&gt;\"'`$(id)",
             "\u202eevil\u2066", "\x9b31m", "line\r\nnext", "::stop-commands::x"]
    BAD_UTF8 = b"_\xff\xfe\xc3("

    def setUp(self):
        super().setUp()
        file, group = self.table()
        for name in self.NAMES:
            # A leading underscore is a finding, so that every report names the column.
            group.create_dataset("_" + name, (1, 1), "i4").attrs["units"] = name
            group.attrs[name] = name
        h5py.h5d.create(group.id, self.BAD_UTF8, h5py.h5t.NATIVE_INT32,
                        h5py.h5s.create_simple((1, 1)))
        group.attrs["VERSION"] = np.bytes_("<script>alert(2)</script>\x1b[2J")
        file.close()

    def report(self, form, *arguments):
        result = run("validate", "--format", form, *arguments, self.path)
        self.assertEqual(result.returncode, 1, (form, result.stderr))
        return result.stdout

    def test_no_control_codes_in_any_format(self):
        for form in formats():
            for arguments in ((), ("--verbose",)):
                with self.subTest(form, arguments=arguments):
                    shown = self.report(form, *arguments).decode("utf-8")  # valid UTF-8, too
                    self.assertIn("script", shown)
                    bad = re.findall("[\x00-\x08\x0b-\x1f\x7f-\x9f]", shown)
                    self.assertEqual(bad, [])

    def test_no_line_begins_with_words_from_the_file(self):
        for form in formats():
            with self.subTest(form):
                for line in self.report(form).decode().splitlines():
                    self.assertFalse(line.lstrip().startswith(
                        ("::error file=x", "::set-env", "::stop-commands", "next")), line)

    def test_markup_stays_text(self):
        for form in set(formats()) & {"html", "markdown", "junit", "xml"}:
            with self.subTest(form):
                shown = self.report(form).decode()
                for tag in ("<script>alert", "<img src=x"):
                    self.assertNotIn(tag, shown)

    def test_what_is_parsed_still_parses(self):
        for form in formats():
            shown = self.report(form)
            with self.subTest(form):
                if form in ("json", "sarif"):
                    json.loads(shown)
                if form in ("junit", "xml"):
                    xml.dom.minidom.parseString(shown)

    def test_bytes_that_are_no_utf8_are_shown_escaped(self):
        for form in ("text", "json"):
            shown = self.report(form).decode()
            self.assertRegex(shown, r"_\\+xFF\\+xFE\\+xC3\(")


class Damage(unittest.TestCase):
    def test_a_fixed_sample(self):
        result = subprocess.run([sys.executable, SOURCE / "fuzz/damage", "--sample", "4",
                                 "--seconds", "60"], capture_output=True, timeout=600,
                                env=dict(os.environ, HEPCHECK=str(HEPCHECK)))
        self.assertEqual(result.returncode, 0, result.stdout.decode() + result.stderr.decode())
        print(result.stdout.decode())
        self.assertRegex(result.stdout.decode(), r"[1-9]\d* named a checksum")

    @unittest.skipUnless((SOURCE.parent / "shared/corpus/hdf5").is_dir(), "the files are not here")
    def test_files_that_are_broken_already(self):
        result = subprocess.run([sys.executable, SOURCE / "fuzz/damage", "--files",
                                 SOURCE.parent / "shared/corpus/hdf5"], capture_output=True,
                                timeout=600, env=dict(os.environ, HEPCHECK=str(HEPCHECK)))
        self.assertEqual(result.returncode, 0, result.stdout.decode() + result.stderr.decode())


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[1:]])
