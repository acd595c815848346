"""Tests of hepcheck trace check: for each clause about writers that a log can show, a log that satisfies it and
one that violates it and no other. The logs are created by generators/hdf5/trace.py."""

import json
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

SOURCE = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(SOURCE))

from generators.hdf5.trace import Log  # noqa: E402
from generators.hdf5.trace_cases import CASES, EA_CHUNKS, EA_INDEX, append, ea  # noqa: E402

HEPCHECK = Path(os.environ["HEPCHECK"]).resolve()


def check(log, *options):
    """(exit status, {clause: verdict}, {clause: findings}) of a log."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "trace.log"
        path.write_bytes(log)
        done = subprocess.run([HEPCHECK, "trace", "check", path, "--format", "json", *options],
                              capture_output=True, text=True, timeout=120)
    report = json.loads(done.stdout) if done.stdout else {"files": []}
    verdicts, findings = {}, {}
    error = done.stderr
    for file in report["files"]:
        error += file["error"] or ""
        for table in file.get("tables", []):
            for each in table["clauses"]:
                verdicts[each["id"]] = each["verdict"]
                findings[each["id"]] = each.get("findings", [])
    return done.returncode, verdicts, findings, error


class Clauses(unittest.TestCase):
    def test_each(self):
        for clause, (good, broken) in CASES.items():
            with self.subTest(clause, log="good"):
                status, verdicts, findings, error = check(good())
                self.assertEqual({}, {key: value for key, value in findings.items() if value},
                                 error)
                self.assertEqual("pass", verdicts.get(clause))
                self.assertEqual(0, status)
            with self.subTest(clause, log="broken"):
                status, verdicts, findings, error = check(broken())
                failed = {key: value for key, value in findings.items() if value}
                self.assertEqual({clause}, set(failed), f"{failed} {error}")


class Logs(unittest.TestCase):
    def test_every_clause_is_tested_or_listed(self):
        _, verdicts, _, _ = check(append())
        self.assertEqual(52, len(verdicts))

    def test_broken_and_too_large(self):
        log = append()
        for wrong, words in ((b"", "empty"), (b"\x89HDF" + log[4:], "not a log"), (log[:-3], "truncated"),
                             (log + b"?" + bytes(23), "unknown kind"),
                             (Log().record("I", b"x").bytes, "not announced"),
                             (Log().record("B", position=1 << 60).bytes, "not examined")):
            with self.subTest(words):
                status, _, _, error = check(wrong)
                self.assertEqual(3, status)
                self.assertIn(words, error)

    def test_file_opened_before_the_log(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "trace.log"
            path.write_bytes(Log().write(0, b"x").bytes)
            done = subprocess.run([HEPCHECK, "trace", "check", path], capture_output=True,
                                  text=True, timeout=120)
        self.assertEqual(3, done.returncode, done.stderr)
        self.assertIn("it was not opened in this log", done.stdout)

    def test_as_swmr(self):
        session = ea(swmr=False, calls=False)
        log = session.write(*EA_INDEX, *EA_CHUNKS, "OHDR /d").close()
        self.assertFalse(check(log)[2].get("swmr-chunk-before-index"))
        self.assertTrue(check(log, "--swmr")[2]["swmr-chunk-before-index"])


if __name__ == "__main__":
    unittest.main()
