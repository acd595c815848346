"""Tests of hepcheck suite reader: the correct Python reader passes, and every broken one fails exactly the
clauses that it violates."""

import json
import os
import subprocess
import sys
import tempfile
import unittest
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import jsonschema

HERE = Path(__file__).parent
HEPCHECK = os.environ["HEPCHECK"]
ADAPTER = [sys.executable, str(HERE.parent / "adapters" / "python" / "adapter.py")]
OLDER = "hep001-2026-06-16"
# SHOULD clauses that are not followed, which is not a failure.
ADVICE = {"consumer-diagnose-foreign-descendant", "consumer-expose-unknown-datatype"}
sys.path.insert(0, str(HERE))


# The files on which every broken reader runs: small ones for most of the clauses. A reader whose mistake does not show in
# them names others (shown_by).
FILES = ["*consumer-[deihuz]*", "*consumer-co[lm]*", "*consumer-follow-*", "*consumer-nan-*", "*consumer-no-nan-*", "*consumer-no-order-*",
         "*consumer-read-*", "*consumer-rows-*", "invalid/7.2/version-value--major-*", "valid/7.5/*two-beside*",
         "valid/7.5/*two-paths*", "invalid/7.6/no-user-subgroup--prov*", "valid/8.3/compound-fields-atomic--complex*",
         "valid/8.5/nan-fill*signalling*", "valid/8.7/categories-any-name--mis*", "valid/9.2/*",
         "valid/10.3/kind-value--unknown.h5"]


def run(*arguments, command=ADAPTER):
    return subprocess.run([HEPCHECK, "suite", "reader", "--spec", OLDER, *arguments, "--", *command],
                          capture_output=True, text=True)


def failed(report):
    return {clause["id"] for clause in report["clauses"] if clause["verdict"] == "fail"}


def shape(value):
    """Equal for lines of the protocol that differ in their values and in repeated elements only."""
    if isinstance(value, dict):
        return tuple((name, shape(each)) for name, each in sorted(value.items()))
    if isinstance(value, list):
        return ("list", *sorted({shape(each) for each in value}, key=repr))
    return type(value).__name__


class GoodReader(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        with tempfile.TemporaryDirectory() as folder:
            transcript = Path(folder) / "transcript"
            cls.done = run("--format", "json", "--transcript", str(transcript))
            cls.transcript = [json.loads(line) for line in transcript.read_bytes().split(b"\n") if line]
        cls.report = json.loads(cls.done.stdout)

    def test_everything_passes(self):
        self.assertEqual(self.done.returncode, 0, self.done.stdout[-2000:])
        self.assertEqual(failed(self.report), set())
        verdicts = {clause["id"]: clause["verdict"] for clause in self.report["clauses"]}
        self.assertEqual(len(verdicts), 43)
        # Every consumer clause has a check.
        self.assertEqual({id for id, verdict in verdicts.items() if verdict != "pass"}, set())
        self.assertGreater(self.report["files"], 300)

    def test_every_line_matches_the_schema(self):
        schema = json.loads((HERE.parent / "protocol.schema.json").read_text())
        validator = jsonschema.Draft202012Validator(schema)
        self.assertGreater(len(self.transcript), 2000)
        shapes = {shape(line): line for line in self.transcript}
        self.assertGreater(len(shapes), 100)
        for line in shapes.values():
            problem = jsonschema.exceptions.best_match(validator.iter_errors(line))
            self.assertIsNone(problem, f"{problem and problem.message}: {json.dumps(line)[:300]}")
        rows = next(line["reply"] for line in self.transcript if "rows" in line.get("reply", {}).get("ok", {}))
        for wrong in ({"ok": {"rows": [1]}}, {"id": "1"}, {"ok": {}, "error": {}}, {"error": {"kind": "odd"}}):
            self.assertFalse(validator.is_valid({"reply": {**rows, **wrong}}), wrong)


class BrokenReaders(unittest.TestCase):
    def test_each_fails_exactly_its_clauses(self):
        import broken_readers  # noqa: F401 - fills the list
        from broken import BROKEN
        from forks import Forks
        readers = BROKEN["broken_readers"]

        def judge(name):
            wait = ["--timeout", "5"] if name == "Hangs" else []
            files = [word for pattern in FILES + (readers[name].shown_by or []) for word in ("--files", pattern)]
            return run("--format", "json", *wait, *files, command=forks.command(name))

        self.assertGreaterEqual(len(readers), 40)
        names = sorted(readers, key=lambda name: name != "Hangs")  # it takes long but no CPU time
        with Forks("broken_readers") as forks, ThreadPoolExecutor(3) as pool:
            for name, done in zip(names, pool.map(judge, names)):
                with self.subTest(name):
                    report = json.loads(done.stdout)
                    self.assertEqual(failed(report), readers[name].clauses)
                    advice = readers[name].clauses <= ADVICE
                    self.assertEqual(done.returncode, 0 if advice else 1)
                    if name == "ListsNothing":  # then no clause that depends on a table passes
                        self.assertLess(report["totals"]["passed"], 8)


class BrokenReplies(unittest.TestCase):
    def test_each_fails_for_its_member(self):
        import broken
        import broken_replies  # noqa: F401 - fills the list
        broken.check(self, "broken_replies", run, "--files")


if __name__ == "__main__":
    unittest.main()
