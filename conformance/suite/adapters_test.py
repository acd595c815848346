"""The adapters that others are to copy, what they cannot do, the ways to end a run, and
hepcheck suite compare."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

HERE = Path(__file__).parent
ADAPTERS = HERE.parent / "adapters"
KNOWN = HERE.parent / "known_failures"
HEPCHECK, CPP = os.environ["HEPCHECK"], os.environ["CPP_ADAPTER"]
MINIMAL = [sys.executable, str(ADAPTERS / "minimal" / "adapter.py")]


def suite(*arguments):
    return subprocess.run([HEPCHECK, "suite", *map(str, arguments)], capture_output=True, text=True)


def verdicts(report):
    return {clause["id"]: clause["verdict"] for clause in report["clauses"]}


def failed(report):
    return {id for id, verdict in verdicts(report).items() if verdict == "fail"}


class Cpp(unittest.TestCase):
    def test_reader(self):
        done = suite("reader", "--format", "json", "--known", KNOWN / "cpp.toml", "--", CPP)
        report = json.loads(done.stdout)
        self.assertEqual(done.returncode, 0, done.stdout[-3000:])
        self.assertEqual(failed(report), {"consumer-independent-storage"})
        self.assertEqual(report["totals"]["known"], 1)
        self.assertNotIn("not-checked", verdicts(report).values())

    def test_writer(self):
        done = suite("writer", "--format", "json", "--random", 3, "--", CPP)
        self.assertEqual(done.returncode, 0, done.stdout[-3000:])
        self.assertEqual(failed(json.loads(done.stdout)), set())


class JavaScript(unittest.TestCase):
    def test_reader(self):
        if not shutil.which("node"):
            self.skipTest("there is no node")
        with tempfile.TemporaryDirectory() as folder:
            for file in (ADAPTERS / "javascript").glob("*.*"):
                shutil.copy(file, folder)
            if not self.library_into(Path(folder)):
                self.skipTest("h5wasm is not installed beside the adapter and cannot be fetched")
            done = suite("reader", "--format", "json", "--known", KNOWN / "javascript.toml", "--",
                         "node", Path(folder) / "adapter.mjs")
        report = json.loads(done.stdout)
        self.assertEqual(done.returncode, 0, done.stdout[-3000:])
        self.assertEqual(failed(report), {"consumer-independent-storage"})

    @staticmethod
    def library_into(folder):
        installed = ADAPTERS / "javascript" / "node_modules"
        if installed.exists():
            (folder / "node_modules").symlink_to(installed)
            return True
        if not shutil.which("npm"):
            return False
        try:
            return subprocess.run(["npm", "install", "--no-package-lock", "--no-audit", "--no-fund"],
                                  cwd=folder, capture_output=True, timeout=60).returncode == 0
        except subprocess.TimeoutExpired:
            return False


class Minimal(unittest.TestCase):
    def test_docs_show_the_very_file(self):
        page = (HERE.parents[1] / "docs" / "implementers.md").read_text()
        self.assertIn((ADAPTERS / "minimal" / "adapter.py").read_text().strip(), page)

    def test_it_gets_a_verdict(self):
        done = suite("reader", "--format", "json", "--", *MINIMAL)
        report = json.loads(done.stdout)
        self.assertEqual(done.returncode, 1)  # it has its limits, which the page does not hide
        self.assertGreater(report["totals"]["passed"], 15)
        for id in ("consumer-row-count-from-nrows", "consumer-not-from-extent", "consumer-column-order",
                   "consumer-canonical-missing-test", "consumer-identify-only-by-class"):
            self.assertEqual(verdicts(report)[id], "pass", id)
        self.assertEqual(verdicts(report)["consumer-read-seed"], "not-applicable")

    def test_the_page_shows_what_it_prints(self):
        page = (HERE.parents[1] / "docs" / "implementers.md").read_text()
        start = page.index("FAIL consumer-")
        shown = page[start:page.index("```", start)].split("\n  reproduce")[0]
        done = suite("reader", "--", *MINIMAL)
        self.assertIn(shown, done.stdout)


class Endings(unittest.TestCase):
    FEW = ["--files", "*consumer-nan-branch*"]

    def test_known_failures(self):
        with tempfile.TemporaryDirectory() as folder:
            known = Path(folder) / "known.toml"

            def run(*entries):
                known.write_text("".join(f'[[known]]\n{entry}\nreason = "so"\n' for entry in entries))
                return suite("reader", "--known", known, "--only", "consumer-refuse-newer-major",
                             "--", *MINIMAL)

            failing = 'clause = "consumer-refuse-newer-major"'
            passing = 'clause = "consumer-nan-branch"'
            self.assertEqual(run(failing).returncode, 0)
            self.assertEqual(run(failing + '\nwhere = "invalid/7.2/*"').returncode, 0)
            elsewhere = run(failing + '\nwhere = "valid/*"')
            self.assertEqual(elsewhere.returncode, 1)
            unexpected = run(failing, passing)
            self.assertEqual(unexpected.returncode, 1)
            self.assertIn("UNEXPECTED PASS consumer-nan-branch", unexpected.stdout)
            self.assertEqual(run('clause = "no-such-clause"').returncode, 2)
            known.write_text('[[known]]\nclause = "consumer-nan-branch"\n')
            self.assertEqual(suite("reader", "--known", known, "--", *MINIMAL).returncode, 2)

    def test_a_program_that_cannot_be_run(self):
        for command in (["/no/such/program"], ["true"], ["sh", "-c", "echo hello; cat"]):
            done = suite("reader", *self.FEW, "--timeout", 2, "--", *command)
            self.assertEqual(done.returncode, 3, command)
            self.assertIn("no hello", done.stderr)

    def test_usage(self):
        self.assertEqual(suite("reader").returncode, 2)
        done = suite("reader", "--only", "consumer-nan-brunch", "--", *MINIMAL)
        self.assertEqual(done.returncode, 2)
        self.assertIn("did you mean consumer-nan-branch?", done.stderr)

    def test_files_are_kept_and_else_removed(self):
        with tempfile.TemporaryDirectory() as folder:
            environment = {**os.environ, "TMPDIR": folder}
            subprocess.run([HEPCHECK, "suite", "reader", *self.FEW, "--", *MINIMAL], env=environment,
                           capture_output=True)
            self.assertEqual(os.listdir(folder), [])
            suite("reader", *self.FEW, "--keep", Path(folder) / "kept", "--", *MINIMAL)
            self.assertTrue(list((Path(folder) / "kept").rglob("consumer-nan-branch--*.h5")))


class Compare(unittest.TestCase):
    def test_disagreements_first(self):
        few = ["--files", "*consumer-*", "--files", "invalid/7.2/*"]
        with tempfile.TemporaryDirectory() as folder:
            reports = [Path(folder) / "cpp.json", Path(folder) / "minimal.json"]
            for report, command in zip(reports, ([CPP], MINIMAL)):
                suite("reader", *few, "--format", "json", "--output", report, "--", *command)
            matrix = json.loads(suite("compare", "--format", "json", *reports).stdout)
            text = suite("compare", *reports).stdout
            markdown = suite("compare", "--format", "markdown", *reports).stdout
            self.assertEqual(suite("compare", reports[0], KNOWN / "cpp.toml").returncode, 2)
        self.assertEqual(matrix["programs"],
                         ["hepcheck C++ adapter (reader)", "minimal adapter (reader)"])
        self.assertEqual(len(matrix["clauses"]), 43)
        disagree = [row["disagreement"] for row in matrix["clauses"]]
        self.assertEqual(disagree, sorted(disagree, reverse=True))
        first = {row["clause"]: [p["verdict"] for p in row["programs"]] for row in matrix["clauses"]
                 if row["disagreement"]}
        self.assertEqual(first["consumer-refuse-newer-major"], ["pass", "fail"])
        self.assertIn(f"disagreements: {len(first)}", text)
        self.assertIn("| **consumer-refuse-newer-major** | 7.2 | MUST | pass | fail: ", markdown)


if __name__ == "__main__":
    unittest.main()
