"""hepcheck reduce: what comes out is smaller, breaks the same clause and no other."""

import hashlib
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time
import unittest

HEPCHECK = pathlib.Path(os.environ["HEPCHECK"]).resolve()
SOURCE = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(SOURCE))
from generators.hep001 import hostile  # noqa: E402

FIXTURES = SOURCE / "fixtures/hep001"
INVALID = [entry for entry in json.loads((FIXTURES / "manifest.json").read_text())["fixtures"]
           if entry["kind"] == "invalid" and len(entry["fails"]) == 1 and not entry["warns"]]


def run(*arguments):
    return subprocess.run([HEPCHECK, *map(str, arguments)], capture_output=True, text=True,
                          timeout=120)


def broken(path, group):
    report = json.loads(run("validate", "--format", "json", f"{path}:{group}").stdout)
    return [clause["id"] for table in report["files"][0]["tables"] for clause in table["clauses"]
            if clause["verdict"] == "fail" and clause["severity"] != "info"]


class Reduce(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def test_keeps_the_clause_and_adds_none(self):
        smaller = 0
        for entry in INVALID[::25]:
            with self.subTest(entry["file"]):
                path, small = FIXTURES / entry["file"], self.folder / "small.h5"
                before = hashlib.sha256(path.read_bytes()).hexdigest()
                clause = entry["fails"][0]
                done = run("reduce", f"{path}:{entry['group']}", "--keep", clause, "-o", small)
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertEqual(broken(small, entry["group"]), [clause])
                self.assertEqual(hashlib.sha256(path.read_bytes()).hexdigest(), before)
                self.assertLessEqual(small.stat().st_size, 2 * path.stat().st_size)
                smaller += objects(small) < objects(path)
        self.assertGreater(smaller, 5)

    def test_says_why_not(self):
        path = FIXTURES / "invalid/7.3/nrows-uint64--int64.h5"
        out = self.folder / "out.h5"
        for arguments, status, words in (
                ((f"{path}:/events", "--keep", "class-present"), 3, "does not break"),
                ((f"{path}:/nothing", "--keep", "class-present"), 3, "/nothing"),
                ((f"{path}", "--keep", "class-present"), 2, "names no group"),
                ((f"{path}:/events", "--keep", "class-presents"), 2, "did you mean"),
                ((f"{path}:/events", "--keep", "class-present", "--limit", "tim=3"), 2, "time?"),
                ((f"{path}:/events", "--keep", "nrows-uint64", "--limit", "memory=1000"), 3,
                 "larger than the limit of memory"),
                ((f"{self.folder}/none.h5:/t", "--keep", "class-present"), 3, "none.h5")):
            done = run("reduce", *arguments, "-o", out)
            self.assertEqual(done.returncode, status, done.stderr)
            self.assertIn(words, done.stderr)
            self.assertFalse(out.exists())

    def test_in_this_process_too(self):
        path = FIXTURES / "invalid/7.3/nrows-uint64--int64.h5"
        out = [self.folder / "a.h5", self.folder / "b.h5"]
        said = [run("reduce", f"{path}:/events", "--keep", "nrows-uint64", "-o", each, *options)
                for each, options in zip(out, ((), ("--no-isolation",)))]
        self.assertEqual([each.returncode for each in said], [0, 0], said)
        self.assertEqual(*(each.stdout.split(":", 1)[1] for each in said))
        self.assertEqual(broken(out[1], "/events"), ["nrows-uint64"])

    def test_no_scratch_files(self):
        path = FIXTURES / "invalid/7.3/nrows-uint64--int64.h5"
        nowhere = dict(os.environ, TMPDIR="/nonexistent")
        done = subprocess.run([HEPCHECK, "reduce", f"{path}:/events", "--keep", "nrows-uint64", "-o",
                               self.folder / "small.h5"], capture_output=True, timeout=120, env=nowhere)
        self.assertEqual(done.returncode, 0, done)


class Isolated(unittest.TestCase):
    """The file is parsed in a worker that is closed in, within limits."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.path, self.out = self.folder / "x.h5", self.folder / "out.h5"
        hostile.values_without_end(self.path)

    def test_time_is_limited_and_nothing_written(self):
        done = run("reduce", f"{self.path}:/t", "--keep", "nrows-uint64", "-o", self.out,
                   "--limit", "time=1,ratio=1000000000")
        self.assertEqual((done.returncode, done.stdout), (3, ""), done)
        self.assertIn("the limit of time was reached", done.stderr)
        self.assertFalse(self.out.exists())

    def test_whoever_parses_is_closed_in(self):
        with subprocess.Popen([HEPCHECK, "reduce", f"{self.path}:/t", "--keep", "nrows-uint64",
                               "-o", self.out, "--limit", "time=2,ratio=1000000000"],
                              stderr=subprocess.PIPE) as process:
            seen = set()
            while process.poll() is None:
                for worker in of(process.pid, f"task/{process.pid}/children").split():
                    if re.search(r"^Seccomp:\s*2$", of(worker, "status"), re.M):
                        seen.add(worker)
                time.sleep(0.01)
        self.assertEqual(len(seen), 1)


def of(process, what):
    try:
        return pathlib.Path(f"/proc/{process}/{what}").read_text()
    except OSError:  # it has ended
        return ""


def objects(path):
    """Links and attributes, everywhere in the file."""
    import h5py
    count = 0
    with h5py.File(path, "r") as file:
        def visit(_, node):
            nonlocal count
            count += 1 + h5py.h5a.get_num_attrs(node.id)
        file.visititems(visit)
    return count


if __name__ == "__main__":
    unittest.main()
