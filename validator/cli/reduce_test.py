"""hepcheck reduce: what comes out is smaller, breaks the same clause and no other."""

import hashlib
import json
import os
import pathlib
import subprocess
import tempfile
import unittest

HEPCHECK = pathlib.Path(os.environ["HEPCHECK"]).resolve()
FIXTURES = pathlib.Path(__file__).resolve().parents[2] / "fixtures/hep001"
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
                ((f"{self.folder}/none.h5:/t", "--keep", "class-present"), 3, "cannot be read")):
            done = run("reduce", *arguments, "-o", out)
            self.assertEqual(done.returncode, status, done.stderr)
            self.assertIn(words, done.stderr)
            self.assertFalse(out.exists())


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
