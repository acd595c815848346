"""Tests of the command line with an additional format that exists only here: its files, its directories, and
malicious directories."""

import hashlib
import json
import os
import pathlib
import socket
import subprocess
import tempfile
import threading
import time
import unittest

HEPCHECK, PLAIN = os.environ["HEPCHECK"], os.environ["HEPCHECK_PLAIN"]
FIXTURES = pathlib.Path(os.environ["HEPCHECK_FIXTURES"])
MANIFEST = json.loads((FIXTURES / "manifest.json").read_text())["fixtures"]
GOOD, BAD, SHORT = b"TOY1\2\1\2", b"TOY1\2\2\1", b"TOY1\3\1\2"


def run(*arguments, program=HEPCHECK, **options):
    return subprocess.run([program, *map(os.fspath, arguments)], capture_output=True, text=True,
                          timeout=120, **options)


class Folder(unittest.TestCase):
    def setUp(self):
        made = tempfile.TemporaryDirectory()
        self.addCleanup(made.cleanup)
        self.folder = pathlib.Path(made.name)
        self.lists = self.folder / "lists"
        self.lists.mkdir()
        (self.lists / "toy.index").write_bytes(b"TOYDIR")

    def put(self, name, content):
        path = self.lists / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)

    def report(self, *arguments, statuses=(0, 1, 3)):
        result = run("validate", "--format", "json", *arguments)
        self.assertIn(result.returncode, statuses, result)
        self.assertRegex(result.stderr, r"^(hepcheck: skipped [^\n]*\n)?$")
        return json.loads(result.stdout)["files"]

    def one(self, *arguments):
        (file,) = self.report(*arguments)
        return file

    def verdicts(self, file):
        return {subject["path"]: subject["verdict"] for subject in file["tables"]}

    def unreadable(self, file):
        return {each["object"]: each["reason"] for each in file["unreadable"]}


class Files(Folder):
    def test_each_fixture_triggers_what_its_manifest_says(self):
        for entry in MANIFEST:
            with self.subTest(entry["file"]):
                file = self.one(FIXTURES / entry["file"])
                (subject,) = file["tables"]
                found = {clause["id"] for clause in subject["clauses"] if clause.get("findings")}
                self.assertEqual(found, {*entry["fails"], *entry["warns"]})
                self.assertEqual(subject["verdict"], "fail" if entry["fails"] else "pass")

    def test_text_report(self):
        result = run("validate", FIXTURES / "invalid/1.2/toy-size--short.toy", FIXTURES)
        self.assertEqual(result.returncode, 1)
        self.assertIn("toy-size", result.stdout)
        self.assertIn("2 bytes of values", result.stdout)

    def test_clauses_are_shown(self):
        self.assertIn("toy-ascending", run("clauses", "--spec", "toy").stdout)
        explained = run("explain", "toy-version")
        self.assertEqual(explained.returncode, 0)
        for text in ("cannot know what the following bytes mean", "Byte 3 is 0x31", "TOY2"):
            self.assertIn(text, explained.stdout)
        self.assertNotEqual(run("explain", "toy-version", program=PLAIN).returncode, 0)

    def test_every_clause_is_covered(self):
        result = run("clauses", "--spec", "toy", "coverage", "--format", "json")
        self.assertEqual(result.returncode, 0, result)
        coverage = json.loads(result.stdout)
        self.assertEqual((coverage["missing"], coverage["disagreements"]), ([], []))
        self.assertEqual(coverage["file"], {"total": 3, "rule": 3, "valid": 3, "broken": 3, "kill": 3})
        self.assertEqual(coverage["accept"], {"total": 1, "fixture": 1})

    def test_other_formats_are_unchanged(self):
        self.assertEqual(run("clauses").stdout, run("clauses", program=PLAIN).stdout)


class Directories(Folder):
    def test_a_directory_is_one_subject(self):
        self.put("a.toy", GOOD)
        self.put("inner/deeper/b.toy", BAD)
        self.put("inner/note.txt", b"anything")
        for arguments in ([self.lists], [str(self.lists) + "/"], ["--no-isolation", self.lists],
                          ["--spec", "toy", self.lists], ["--jobs", "2", self.lists, self.lists]):
            for file in self.report(*arguments):
                self.assertEqual(self.verdicts(file), {"/a.toy": "pass", "/inner/deeper/b.toy": "pass"})
                self.assertEqual(self.unreadable(file), {})
        file = self.one("--level", "should", self.lists)
        self.assertEqual(self.verdicts(file)["/inner/deeper/b.toy"], "fail")

    def test_member_as_argument(self):
        self.put("a.toy", GOOD)
        self.put("inner/b.toy", SHORT)
        self.assertEqual(self.verdicts(self.one(f"{self.lists}:/inner/b.toy")), {"/inner/b.toy": "fail"})
        self.assertEqual(self.verdicts(self.one(self.lists / "inner/b.toy")), {"/": "fail"})

    def test_recursive_search_does_not_enter_a_subject(self):
        self.put("a.toy", GOOD)
        other = self.folder / "other"
        other.mkdir()
        (other / "alone.toy").write_bytes(GOOD)
        (self.folder / "link").symlink_to(self.lists)  # links are not followed
        files = self.report(self.folder)
        self.assertEqual([file["path"] for file in files],
                         sorted(map(str, (self.lists, other / "alone.toy"))))
        shards = [self.one("--shard", f"{k}/2", self.folder)["path"] for k in (1, 2)]
        self.assertEqual(shards, [file["path"] for file in files])
        self.assertEqual(self.one(self.folder / "link")["path"], str(self.folder / "link"))

    def test_unrecognised_directory_is_searched(self):
        (self.lists / "toy.index").write_bytes(b"another")
        self.put("a.toy", GOOD)
        self.assertEqual(self.one(self.lists)["path"], str(self.lists / "a.toy"))

    def test_stamp(self):
        self.put("b.toy", GOOD)
        self.put("a/c.toy", BAD)
        def digest():
            stamped = self.one("--stamp", self.lists)
            self.assertEqual(stamped["bytes"], 20)
            return stamped["sha256"]
        def line(name, content):
            return f"{name}\0a file {len(content)} {hashlib.sha256(content).hexdigest()}\n"
        expected = "a\0a directory\n" + line("a/c.toy", BAD) + line("b.toy", GOOD) + line("toy.index", b"TOYDIR")
        first = digest()
        self.assertEqual(first, hashlib.sha256(expected.encode()).hexdigest())
        (self.lists / "b.toy").rename(self.lists / "d.toy")
        self.assertNotEqual(digest(), first)

    def test_baseline_and_earlier_report(self):
        self.put("inner/b.toy", SHORT)
        baseline, earlier = self.folder / "known", self.folder / "earlier.json"
        self.assertEqual(run("baseline", "create", "--baseline", baseline, self.lists).returncode, 0)
        self.assertIn("/inner/b.toy", baseline.read_text())
        self.assertEqual(run("validate", "--baseline", baseline, self.lists).returncode, 0)
        run("validate", "--format", "json", "-o", earlier, self.lists)
        self.put("c.toy", SHORT)
        self.assertEqual(run("validate", "--baseline", baseline, self.lists).returncode, 1)
        result = run("validate", "--against", earlier, self.lists)
        self.assertIn("/c.toy", result.stdout)

    def test_other_formats_do_not_accept_directories(self):
        self.put("a.toy", GOOD)
        self.assertIn("it is a directory", self.one("--spec", "hdf5", self.lists)["error"])

    def test_commands_for_files_reject_directories(self):
        for command in (["chunks", self.lists], ["layout", self.lists],
                        ["index", "verify", f"{self.lists}:/t", "x", "BITMAP"], ["export", f"{self.lists}:/t", "x.arrow"],
                        ["reduce", f"{self.lists}:/t", "--keep", "sorted-ties", "-o", "x.h5"]):
            with self.subTest(command[0]):
                result = run(*command, cwd=self.folder)
                self.assertIn(result.returncode, (2, 3), result)
                self.assertIn("is a directory", result.stdout + result.stderr)


class Hostile(Folder):
    """Anything except files and directories is reported and never opened."""

    def test_links_pipes_and_sockets(self):
        self.put("a.toy", GOOD)
        secret = self.folder / "secret.toy"
        secret.write_bytes(SHORT)
        outside = self.folder / "outside"
        outside.mkdir()
        (outside / "b.toy").write_bytes(SHORT)
        (self.lists / "file.toy").symlink_to(secret)
        (self.lists / "folder").symlink_to(outside)
        (self.lists / "loop").symlink_to(".")
        (self.lists / "inside.toy").symlink_to("a.toy")
        os.mkfifo(self.lists / "pipe.toy")
        with socket.socket(socket.AF_UNIX) as end:
            end.bind(str(self.lists / "socket.toy"))
            begin = time.monotonic()
            file = self.one(self.lists)
        self.assertLess(time.monotonic() - begin, 30)
        link = "a symbolic link is not examined"
        self.assertEqual(self.verdicts(file), {"/a.toy": "pass"})
        self.assertEqual(self.unreadable(file), {
            "/file.toy": link, "/folder": link, "/inside.toy": link, "/loop": link,
            "/pipe.toy": "a named pipe is not examined", "/socket.toy": "a socket is not examined"})

    def test_index_must_not_be_a_link(self):
        (self.lists / "toy.index").rename(self.folder / "elsewhere")
        (self.lists / "toy.index").symlink_to("../elsewhere")
        self.put("a.toy", GOOD)
        self.assertEqual(self.one(self.lists)["path"], str(self.lists / "a.toy"))
        (self.lists / "toy.index").unlink()
        os.mkfifo(self.lists / "toy.index")  # hepcheck must not wait for it
        self.assertEqual(self.one(self.lists)["path"], str(self.lists / "a.toy"))

    def test_devices(self):
        try:
            os.mknod(self.lists / "zero.toy", 0o600 | 0o020000, os.makedev(1, 5))
        except PermissionError:
            self.skipTest("creating devices is not permitted")
        self.assertEqual(self.unreadable(self.one(self.lists)), {"/zero.toy": "a device is not examined"})

    def test_limits(self):
        for i in range(9):
            self.put(f"{i}.toy", GOOD)
        self.put("x/y/z.toy", GOOD)
        for limit, reason in (("members=12", "more members than the limit of 12 members"),
                              ("member-depth=1", "more directories inside directories than the limit of 1 level"),
                              ("member-name=8", "more bytes in the name of a member than the limit of 8 bytes"),
                              ("members-size=75", "more bytes of all members than the limit of 75 bytes")):
            name, number = limit.split("=")
            with self.subTest(limit):
                self.assertIn(reason, self.one("--limit", limit, self.lists)["error"])
                more = self.one("--limit", f"{name}={int(number) + 1}", self.lists)
                self.assertEqual(set(self.verdicts(more).values()), {"pass"})
                self.assertEqual(len(more["tables"]), 10)

    def test_many_entries(self):
        many = self.folder / "many"
        many.mkdir()
        (many / "toy.index").write_bytes(b"TOYDIR")
        for i in range(50_000):
            os.close(os.open(many / str(i), os.O_CREAT | os.O_WRONLY))
        begin = time.monotonic()
        self.assertIn("more members than the limit of 10000 members", self.one(many)["error"])
        self.assertLess(time.monotonic() - begin, 30)

    def test_more_members_than_file_descriptors(self):
        for i in range(2000):
            self.put(f"{i}.toy", GOOD)
        file = self.one(self.lists)
        self.assertEqual(len(file["tables"]), 2000)
        self.assertEqual(set(self.verdicts(file).values()), {"pass"})

    def test_deep_nesting(self):
        self.put("/".join(["d"] * 40) + "/a.toy", GOOD)
        self.assertIn("more directories inside directories", self.one(self.lists)["error"])

    def test_names(self):
        for name in (b"\x1b[31m.toy", b"\xff\xfe.toy", "\u202e.toy".encode(), b"new\nline.toy", b"$(x).toy"):
            with open(os.fsencode(self.lists) + b"/" + name, "wb") as file:
                file.write(SHORT)
        for form in ("text", "json", "sarif", "junit", "markdown", "github", "html"):
            result = subprocess.run([HEPCHECK, "validate", "--format", form, self.lists],
                                    capture_output=True, timeout=60)
            self.assertEqual(result.returncode, 1, result)
            self.assertNotIn(b"\x1b", result.stdout)
            result.stdout.decode()  # UTF-8
        self.assertEqual(len(self.one(self.lists)["tables"]), 5)

    def test_unreadable_members(self):
        self.put("a.toy", GOOD)
        self.put("closed/b.toy", GOOD)
        self.put("c.toy", GOOD)
        (self.lists / "closed").chmod(0)
        (self.lists / "c.toy").chmod(0)
        self.addCleanup((self.lists / "closed").chmod, 0o700)
        if os.access(self.lists / "c.toy", os.R_OK):
            self.skipTest("this user may read every file")
        file = self.one(self.lists)
        self.assertEqual(self.unreadable(file), {"/c.toy": "it cannot be read", "/closed": "it cannot be read"})

    def test_members_that_change_during_the_run(self):
        """Whichever members are seen, a report is written and the process ends normally."""
        for i in range(200):
            self.put(f"{i}.toy", GOOD)
        stop = threading.Event()

        def change():
            while not stop.is_set():
                for i in range(0, 200, 2):
                    (self.lists / f"{i}.toy").unlink(missing_ok=True)
                for i in range(0, 200, 2):
                    self.put(f"{i}.toy", GOOD[:5] if i % 4 else GOOD)
        changing = threading.Thread(target=change)
        changing.start()
        try:
            for _ in range(15):
                file = self.one(self.lists)
                self.assertNotIn("stop", file)
                for i in range(1, 200, 2):
                    self.assertEqual(self.verdicts(file)[f"/{i}.toy"], "pass")
        finally:
            stop.set()
            changing.join()


if __name__ == "__main__":
    unittest.main()
