"""Tests of hepcheck suite writer: the correct Python writer passes, and every broken one fails exactly the
clauses that it violates."""

import json
import os
import subprocess
import sys
import unittest
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

HERE = Path(__file__).parent
HEPCHECK = os.environ["HEPCHECK"]
ADAPTER = [sys.executable, str(HERE.parent / "adapters" / "python" / "adapter.py")]
OLDER = "hep001-2026-06-16"
# The requests to broken writers that do not name the requests that show their mistake.
TABLES = ["every-index"]
sys.path.insert(0, str(HERE))


def run(*arguments, command=ADAPTER):
    done = subprocess.run([HEPCHECK, "suite", "writer", "--spec", OLDER, "--format", "json", *arguments, "--", *command],
                          capture_output=True, text=True)
    return done, json.loads(done.stdout)


def failed(report):
    return {clause["id"] for clause in report["clauses"] if clause["verdict"] == "fail"}


class GoodWriter(unittest.TestCase):
    def test_everything_passes(self):
        done, report = run("--random", "3")
        self.assertEqual(failed(report), set(), report["notes"])
        self.assertEqual(done.returncode, 0)
        verdicts = {clause["id"]: clause["verdict"] for clause in report["clauses"]
                    if clause["subject"] == "producer"}
        self.assertEqual(len(verdicts), 39)
        self.assertEqual({id for id, verdict in verdicts.items() if verdict != "pass"},
                         {"inplace-atomicity-external", "future-annotations-lowercase"})
        self.assertGreater(len(report["clauses"]), 150)  # including clauses about files
        self.assertTrue(any("crash" in note for note in report["notes"]))


class BrokenWriters(unittest.TestCase):
    def test_each_fails_exactly_its_clauses(self):
        import broken_writers  # noqa: F401 - fills the list
        from broken import BROKEN
        from forks import Forks
        writers = BROKEN["broken_writers"]

        def judge(name):
            wait = ["--timeout", "5"] if name == "Hangs" else []
            tables = [word for table in writers[name].shown_by or TABLES for word in ("--tables", table)]
            return run("--random", "0", *tables, *wait, command=forks.command(name))

        self.assertGreater(len(writers), 15)
        names = sorted(writers, key=lambda name: name != "Hangs")  # it takes long but no CPU time
        with Forks("broken_writers") as forks, ThreadPoolExecutor(3) as pool:
            for name, (done, report) in zip(names, pool.map(judge, names)):
                with self.subTest(name):
                    self.assertEqual(failed(report), writers[name].clauses)
                    self.assertEqual(done.returncode, 1)

    def test_failing_random_table_is_shrunk(self):
        _, report = run("--random", "6", "--tables", "none", command=[sys.executable, str(HERE / "broken_writers.py"), "ForgetsIndexes"])
        clause = next(c for c in report["clauses"]
                      if c["id"] == "append-updates-indexes-before-commit")
        self.assertEqual(clause["verdict"], "fail")
        smallest = min((json.loads(finding["reproduce"]) for finding in clause["findings"]),
                       key=lambda request: len(str(request)))
        self.assertEqual(len(smallest["columns"]), 1)


class BrokenRequests(unittest.TestCase):
    def test_each_fails_for_its_member(self):
        import broken
        import broken_requests  # noqa: F401 - fills the list

        def judge(*arguments, command):
            return subprocess.run([HEPCHECK, "suite", "writer", "--spec", OLDER, "--random", "0", *arguments, "--", *command],
                                  capture_output=True, text=True)
        broken.check(self, "broken_requests", judge, "--tables")


if __name__ == "__main__":
    unittest.main()
