"""h5col, the reference implementation, as reader and as writer. It is no part of this project: its
adapter is judged where h5col can be imported."""

import importlib.util
import json
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

HERE = Path(__file__).parent
ADAPTERS = HERE.parent / "adapters"
KNOWN = HERE.parent / "known_failures" / "h5col"
HEPCHECK = os.environ["HEPCHECK"]
REVISION = "2026-06-16"


def adapter(name):
    return [sys.executable, ADAPTERS / name / "adapter.py"]


def judge(role, report, program, *options):
    """Judges a program; its report, and how the run ended."""
    done = subprocess.run([HEPCHECK, "suite", role, "--spec", f"hep001-{REVISION}", "--format", "json", "--output", report, *options,
                           "--", *program], capture_output=True, text=True)
    return json.loads(report.read_text()), done


def verdicts(report):
    return {clause["id"]: clause["verdict"] for clause in report["clauses"]}


@unittest.skipUnless(importlib.util.find_spec("h5col"), "h5col cannot be imported")
class H5col(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)

    def path(self, name):
        return Path(self.folder.name) / name

    def as_known(self, role, *options):
        """Fails where it is known to and nowhere else."""
        known = KNOWN / f"{role}-{REVISION}.toml"
        report, done = judge(role, self.path(f"{role}.json"), adapter("h5col"), "--known", known, *options)
        self.assertEqual(done.returncode, 0, done.stdout[-3000:])
        self.assertGreater(report["totals"]["known"], 0)
        return verdicts(report)

    def test_reader(self):
        seen = self.as_known("reader")
        for id in ("consumer-canonical-missing-test", "consumer-nan-branch", "consumer-column-order",
                   "consumer-refuse-newer-major", "consumer-row-count-from-nrows"):
            self.assertEqual(seen[id], "pass", id)
        self.assertEqual(seen["consumer-follow-categories-reference"], "fail")

    def test_writer(self):
        seen = self.as_known("writer", "--random", "3")
        for id in ("append-commit-last", "fill-user-defined", "minmax-min-value",
                   "sorted-permutation", "bitmap-bit-set"):
            self.assertEqual(seen[id], "pass", id)
        self.assertEqual(seen["class-null-terminated"], "fail")

    def test_side_by_side(self):
        """Beside others that read the same files."""
        few = ["--files", "*8.5/consumer-*", "--files", "*8.7/consumer-*"]
        reports = []
        for name in ("h5col", "python", "minimal"):
            reports.append(self.path(f"few-{name}.json"))
            judge("reader", reports[-1], adapter(name), *few)
        done = subprocess.run([HEPCHECK, "suite", "compare", "--format", "json", *reports],
                              capture_output=True, text=True)
        matrix = json.loads(done.stdout)
        self.assertEqual([name.partition(" (")[0] for name in matrix["programs"]],
                         [f"h5col {h5col_version()}", "hepcheck Python adapter", "minimal adapter"])
        cells = {row["clause"]: [program["verdict"] for program in row["programs"]]
                 for row in matrix["clauses"] if row["disagreement"]}
        self.assertEqual(cells["consumer-follow-categories-reference"],
                         ["fail", "pass", "not-applicable"])


def h5col_version():
    import h5col
    return h5col.__version__


if __name__ == "__main__":
    result = unittest.main(exit=False).result
    sys.exit(1 if not result.wasSuccessful() else 77 if result.skipped else 0)
