"""Tests of hepcheck suite for RNTuples: the right reader passes, every broken one fails the clause of the file that it
misreads, and jsroot reads as its list of known failures says."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

HERE = Path(__file__).parent
CONFORMANCE = HERE.parents[1]
HEPCHECK = os.environ["HEPCHECK"]
SPEC = "rntuple-0.2.0.0"
PACKAGES = os.environ.get("PACKAGES", "")
RIGHT = [sys.executable, str(HERE / "right_reader.py")]
BROKEN = [sys.executable, HERE / "broken_readers.py"]
sys.path.insert(0, str(HERE))


def suite(*arguments, command=RIGHT):
    return subprocess.run([HEPCHECK, "suite", "reader", "--spec", SPEC, *map(str, arguments), "--", *map(str, command)],
                          capture_output=True, text=True)


def judged(*arguments, command=RIGHT):
    done = suite("--format", "json", *arguments, command=command)
    return done, json.loads(done.stdout)


def failures(report):
    return {(clause["id"], finding["object"]) for clause in report["clauses"] for finding in clause.get("findings", ())}


def clause_of(file):
    return file.split("/")[2].partition("--")[0]


class RightReader(unittest.TestCase):
    def test_everything_passes(self):
        done, report = judged()
        self.assertEqual(failures(report), set())
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertGreater(report["files"], 600)
        self.assertEqual(len(report["outcomes"]), report["files"])
        compared = sum(each["outcome"] == "right" for each in report["outcomes"])
        self.assertGreater(compared, 150)
        unchecked = [clause["id"] for clause in report["clauses"] if clause["verdict"] == "not-checked"]
        self.assertEqual([each for each in unchecked if not each.startswith("rntuple-bridge-")], [
            "rntuple-consumer-checksum-cross-check", "rntuple-consumer-metadata-unknown-ignored",
            "rntuple-consumer-metadata-versions"])

    def test_messages_match_the_schema(self):
        import jsonschema
        validator = jsonschema.Draft202012Validator(json.loads((CONFORMANCE / "protocol-rntuple.schema.json").read_text()))
        with tempfile.TemporaryDirectory() as folder:
            log = Path(folder) / "log"
            suite("--files", "*valid/8*", "--transcript", log)
            lines = [json.loads(line) for line in log.read_text().splitlines()]
            self.assertGreater(len(lines), 50)
            for each in lines:
                for what in each.keys() & {"request", "reply"}:
                    validator.validate(each[what])


class BrokenReaders(unittest.TestCase):
    def test_each_fails_its_clause(self):
        from broken_readers import MISTAKES
        self.assertGreater(len(MISTAKES), 35)

        def run(name):
            return judged("--files", MISTAKES[name].file, command=[*BROKEN, name])

        with ThreadPoolExecutor(2) as pool:
            for (name, mistake), (done, report) in zip(MISTAKES.items(), pool.map(run, MISTAKES)):
                with self.subTest(name):
                    self.assertEqual((clause_of(mistake.file), mistake.file) in failures(report), mistake.fails, report["outcomes"])
                    self.assertEqual(done.returncode, int(mistake.fails))
                    self.assertEqual(report["outcomes"][0]["outcome"] == "MALFORMED", name.startswith("malformed"))

    def test_programs_that_end(self):
        from broken_readers import CHECKSUM, INTS
        for name, outcome, limits in (("crashes", "CRASH", []), ("exits", "CRASH", []), ("hangs", "HANG", ["--timeout", 0.3]),
                                      ("fills", "EXHAUSTION", ["--memory", 200]), ("lists_nothing", "MALFORMED", [])):
            with self.subTest(name):
                done, report = judged("--files", INTS, "--files", CHECKSUM, *limits, command=[*BROKEN, name])
                self.assertEqual(done.returncode, 1)
                self.assertEqual([each["outcome"] for each in report["outcomes"]], [outcome] * 2)

    def test_what_must_be_refused(self):
        """A program that reads everything fails the clauses on refusals."""
        done, report = judged("--files", "invalid/1/*", "--files", "invalid/4.1/*bits-defined*", command=[*BROKEN, "reads_everything"])
        self.assertEqual(done.returncode, 1)
        self.assertEqual({clause for clause, _ in failures(report)} & {clause["id"] for clause in report["clauses"]}, {
            "rntuple-consumer-version-not-gating", "rntuple-consumer-unknown-epoch-refused", "rntuple-dialect-named",
            "rntuple-consumer-abort-unknown-feature", "rntuple-consumer-feature-or"})

    def test_a_reader_that_refuses_everything_shows_nothing(self):
        """A refusal counts if the program reads the sound file of which the broken one was made."""
        original = "valid/7.2.1/rntuple-schema-extension-empty--record-of-8.root"
        for name, verdict in (("refuses_everything", "not-checked"), ("refuses_broken", "pass")):
            with self.subTest(name):
                _, report = judged("--files", "invalid/1/*", "--files", "invalid/4.1/*bits-defined*", command=[*BROKEN, name])
                clauses = {clause["id"]: clause for clause in report["clauses"]}
                for id in ("unknown-epoch-refused", "abort-unknown-feature", "feature-or"):
                    clause = clauses[f"rntuple-consumer-{id}"]
                    self.assertEqual(clause["verdict"], verdict, clause)
                    if verdict == "not-checked":
                        self.assertEqual(clause["reason"], "it refuses the sound file, too: no")
                self.assertNotIn(original, {each["file"] for each in report["outcomes"]})

    def test_unexpected_pass_fails(self):
        from broken_readers import INTS
        with tempfile.TemporaryDirectory() as folder:
            known = Path(folder) / "known.toml"
            known.write_text(f'[[known]]\nclause = "{clause_of(INTS)}"\nwhere = "{INTS}"\nreason = "so"\n')
            done = suite("--known", known, "--files", INTS)
            self.assertEqual(done.returncode, 1)
            self.assertIn("UNEXPECTED PASS", done.stdout)


class Coverage(unittest.TestCase):
    def test_every_clause_on_readers_is_in_the_report(self):
        """Those that the coverage counts as judged are judged, and the others have a reason."""
        done = subprocess.run([HEPCHECK, "clauses", "--spec", SPEC, "coverage", "--format", "json"], capture_output=True, text=True)
        coverage = json.loads(done.stdout)["consumer"]
        _, report = judged()
        about = {clause["id"]: clause for clause in report["clauses"] if clause["subject"] == "consumer"}
        self.assertEqual(len(about), coverage["total"])
        self.assertEqual(coverage["judged"], 18)
        without = {id for id, clause in about.items() if clause["verdict"] == "not-checked"}
        self.assertEqual(without, set(coverage["not_judged"]))
        for id in without:
            self.assertNotIn("no check", about[id]["reason"])
        self.assertEqual({about[id]["verdict"] for id in about.keys() - without}, {"pass"})


class Programs(unittest.TestCase):
    def test_jsroot(self):
        if not shutil.which("node") or not (Path(PACKAGES) / "node_modules" / "jsroot").exists():
            self.skipTest("there is no node or no jsroot (see jsroot_packages)")
        done, report = judged("--timeout", 60, "--known", CONFORMANCE / "known_failures" / "rntuple" / "jsroot.toml",
                              command=["node", CONFORMANCE / "adapters" / "rntuple" / "javascript" / "jsroot.mjs", PACKAGES])
        self.assertEqual(report["program"]["name"], "jsroot 7.11.2")
        self.assertEqual(report["unexpected_passes"], [])
        self.assertEqual((done.returncode, done.stderr), (0, ""))


if __name__ == "__main__":
    result = unittest.main(exit=False).result
    sys.exit(1 if not result.wasSuccessful() else 77 if result.skipped else 0)
