"""Tests of hepcheck suite for the revision of 2026-07-09: the correct Python adapter passes, and every broken one
fails exactly the clauses that it violates."""

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

from sampling import ALL_BUT_THE_LARGEST  # noqa: E402


def judge(role, *arguments, command=ADAPTER):
    return subprocess.run([HEPCHECK, "suite", role, "--spec", "hep001-2026-07-09", *arguments,
                           "--", *command], capture_output=True, text=True)


def reader(*arguments, command):
    return judge("reader", *arguments, command=command)


def writer(*arguments, command):
    return judge("writer", "--random", "0", *arguments, command=command)


def verdicts(done):
    return {clause["id"]: clause["verdict"] for clause in json.loads(done.stdout)["clauses"]}


def found(done):
    return [finding for clause in json.loads(done.stdout)["clauses"] for finding in clause.get("findings", [])]


class NewerReader(unittest.TestCase):
    def test_everything_passes(self):
        done = judge("reader", *ALL_BUT_THE_LARGEST, "--format", "json")
        seen = verdicts(done)
        self.assertEqual({id for id, verdict in seen.items() if verdict != "pass"}, set())
        self.assertEqual(len(seen), 79)
        self.assertEqual(done.returncode, 0)


class BrokenNewerReaders(unittest.TestCase):
    def test_each_fails_exactly_its_clauses(self):
        import broken
        import broken_newer_readers  # noqa: F401 - fills the list
        broken.check(self, "broken_newer_readers", reader, "--files")


class NewerWriter(unittest.TestCase):
    def test_everything_passes(self):
        done = judge("writer", "--format", "json", "--random", "2")
        seen = verdicts(done)
        self.assertNotIn("fail", seen.values(), found(done)[:3])
        for id in ("retry-no-token-collision", "producer-stale-content-fails-check",
                   "producer-tokens-before-content", "append-list-leaf-first", "inplace-generation-flushed",
                   "full-domain-wider-or-no-missing"):
            self.assertEqual(seen[id], "pass", id)
        notes = json.loads(done.stdout)["notes"]
        self.assertTrue(any("fails the validity check" in note for note in notes), notes)
        self.assertEqual(done.returncode, 0)


class BrokenNewerWriters(unittest.TestCase):
    def test_each_fails_exactly_its_clauses(self):
        import broken
        import broken_newer_writers  # noqa: F401 - fills the list
        broken.check(self, "broken_newer_writers", writer, "--tables")

    def test_torn_indexes_of_every_family_become_valid(self):
        """For both kinds of change, in a writer that commits tokens that an index already has."""
        done = writer("--format", "json", "--tables", "*that crashed over *",
                      command=[sys.executable, str(HERE / "broken_newer_writers.py"), "NeverLooksAtResidue"])
        self.assertEqual({finding["object"].partition(",")[0] for finding in found(done)},
                         {f"{change} that crashed over {family}" for change in ("an append", "a truncation")
                          for family in ("CHUNK_MINMAX", "SORTED_ROWS", "BITMAP", "CHUNK_BLOOM")})


if __name__ == "__main__":
    unittest.main()
