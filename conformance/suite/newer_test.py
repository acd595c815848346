"""hepcheck suite by the revision of 2026-07-09: the good Python adapter passes, every broken one is
caught by the clauses that it breaks."""

import json
import os
import subprocess
import sys
import unittest
from pathlib import Path

HERE = Path(__file__).parent
HEPCHECK = os.environ["HEPCHECK"]
ADAPTER = [sys.executable, str(HERE.parent / "adapters" / "python" / "adapter.py")]
sys.path.insert(0, str(HERE))


def judge(role, *arguments, command=ADAPTER):
    return subprocess.run([HEPCHECK, "suite", role, "--spec", "hep001-2026-07-09", *arguments,
                           "--", *command], capture_output=True, text=True)


def reader(*arguments, command):
    return judge("reader", *arguments, command=command)


def writer(*arguments, command):
    return judge("writer", "--random", "0", *arguments, command=command)


def verdicts(done):
    return {clause["id"]: clause["verdict"] for clause in json.loads(done.stdout)["clauses"]}


class NewerReaders(unittest.TestCase):
    def test_the_good_reader(self):
        done = judge("reader", "--format", "json")
        seen = verdicts(done)
        self.assertEqual({id for id, verdict in seen.items() if verdict != "pass"}, set())
        self.assertEqual(len(seen), 79)
        self.assertEqual(done.returncode, 0)

    def test_broken_readers(self):
        import broken
        import broken_newer_readers  # noqa: F401 - fills the list
        broken.check(self, "broken_newer_readers", reader, "--files")


class NewerWriters(unittest.TestCase):
    def test_the_good_writer(self):
        done = judge("writer", "--format", "json", "--random", "2")
        seen = verdicts(done)
        self.assertNotIn("fail", seen.values())
        for id in ("retry-no-token-collision", "producer-stale-content-fails-check",
                   "producer-tokens-before-content", "append-list-leaf-first", "inplace-generation-flushed"):
            self.assertEqual(seen[id], "pass", id)
        notes = json.loads(done.stdout)["notes"]
        self.assertTrue(any("fails the validity check" in note for note in notes), notes)
        self.assertEqual(done.returncode, 0)

    def test_broken_writers(self):
        import broken
        import broken_newer_writers  # noqa: F401 - fills the list
        broken.check(self, "broken_newer_writers", writer, "--tables")


if __name__ == "__main__":
    unittest.main()
