"""Tests that forty mutants of a few sources are each killed by a property, a fixture or a unit test.

The sources are compiled with all mutants and replace the original objects of the programs. The selection
depends only on the text of the lines: if a line changes, the other mutants stay selected. A surviving
mutant needs an assertion, or a reason in equivalent.json.
"""

import concurrent.futures
import hashlib
import os
import pathlib
import re
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import equivalent
import planting
import sources
import trials

BUILD = pathlib.Path(os.environ["HEPCHECK_BUILD"])
COUNT = 40
JOBS = 2
# Of one group that is compiled together: each further one costs 12 s of CPU.
SOURCES = [
    "validator/judge.cpp",
    "validator/probe.cpp",
    "validator/finding.cpp",
    "validator/report.cpp",
]
# Programs, and the tests selected from them.
PROGRAMS = {
    "core_properties": "(?!Catalogues|Conveyors|Earl|Escapes|Frames|Incoming|LackedMemory|Lanes|Limits|Messages|Progress|Sarif|Wire|Workers).*",
    "core_test": "Judge.*|Spread.*",
    "conformance_test": "Corpus.EveryFixture.*",
}


class Sample(unittest.TestCase):
    maxDiff = None

    def test_all_are_killed(self):
        found = sources.all_mutants(BUILD, BUILD / "fuzz" / "mutants", SOURCES.__contains__)
        keys = sorted((key for key in found if not equivalent.reason(key)),
                      key=lambda key: hashlib.sha256(key.encode()).digest())
        chosen = planting.plantable([{**found[key], "key": key} for key in keys[:COUNT]])
        with tempfile.TemporaryDirectory() as folder:
            planted = planting.Planted(BUILD, pathlib.Path(folder), JOBS)
            self.assertEqual(planted.plant(list(enumerate(chosen)), list(PROGRAMS), print), set())
            tests = self.tried_out(planted, len(chosen))
            with concurrent.futures.ThreadPoolExecutor(JOBS) as pool:
                fates = list(pool.map(lambda each: trials.fate(each[0], tests, each[1]["file"]), enumerate(chosen)))
        survivors = [f"{mutant['key']}: {fate['fate']}" for mutant, fate in zip(chosen, fates)
                     if fate["fate"] in ("survived", "not reached")]
        self.assertEqual("\n".join(survivors), "")
        self.assertGreater(len(chosen), COUNT - 5)

    def tried_out(self, planted, count):
        tests = []
        for trial in trials.all_trials(BUILD, "unit|property|corpus", planted.take_over):
            program, _, part = trial.name.partition(":")
            if program in PROGRAMS and re.fullmatch(PROGRAMS[program], part):
                tests.append(trial)
        with concurrent.futures.ThreadPoolExecutor(JOBS) as pool:
            for trial, passed in zip(tests, pool.map(lambda trial: trial.try_out(count), tests)):
                self.assertTrue(passed, f"{trial.name} with no mutant on")
        return tests


if __name__ == "__main__":
    unittest.main()
