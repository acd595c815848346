"""Sixty mutants of a few sources, each noticed by a property, a fixture or a unit test.

The sources are compiled with all of them and take the place of what the programs of the build were linked
from. Which sixty hangs on the text of their lines alone: where a line changes, others stay. One that
survives wants an assertion, or a reason in equivalent.json.
"""

import concurrent.futures
import hashlib
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import operators
import planting
import sources
import trials

BUILD = pathlib.Path(os.environ["HEPCHECK_BUILD"])
COUNT = 60
JOBS = 2
SOURCES = [
    "validator/judge.cpp",
    "validator/probe.cpp",
    "validator/clause_results.cpp",
    "reports/baseline.cpp",
]
# Programs, and which of their tests.
PROGRAMS = {
    "core_properties": ".*",
    "core_test": "Judge.*|Spread.*",
    "conformance_test": "Corpus.EveryFixture.*",
}


class Planted:
    """A source with its mutants, written into a folder."""

    def __init__(self, source: str, mutants: list[tuple[int, dict]], folder: pathlib.Path):
        command, self.at = next((command, at) for name, command, at in sources.units(BUILD) if name == source)
        planted, shell = folder / f"{source}.planted", folder / source
        shell.parent.mkdir(parents=True, exist_ok=True)
        planted.write_bytes(planting.QUIET + operators.planted(sources.content(source), mutants))
        shell.write_bytes(planting.INCLUDE + f'#include "{source}.planted"\n'.encode())
        self.object = f"{shell}.o"
        self.archive = "lib" + re.search(r" -o \S*CMakeFiles/(\w+)\.dir/", command)[1] + ".a"
        words = shlex.split(re.sub(r" -MD | -(M[FTQ]|o) \S+", " ", command))[:-2]  # without "-c SOURCE"
        self.command = [*words, "-I", str(folder), "-o", self.object, "-c", str(shell)]


def linked(program: str, planted: list[Planted], folder: pathlib.Path) -> list[str]:
    """The command that links a program of the build once more, with planted objects before its archives."""
    listed = subprocess.run(["ninja", "-C", BUILD, "-t", "commands", program], capture_output=True, text=True,
                            check=True).stdout.splitlines()
    words = [word for word in shlex.split(listed[-1]) if word not in (":", "&&")
             and not word.startswith("-Wl,--dependency-file")]
    archives = {pathlib.Path(word).name for word in words}
    at = words.index("-o")
    words[at + 1] = str(folder / program)
    return [*words[:at], "-Wl,--allow-multiple-definition",
            *(each.object for each in planted if each.archive in archives), *words[at:]]


def done(commands):
    with concurrent.futures.ThreadPoolExecutor(JOBS) as pool:
        for run in pool.map(lambda job: subprocess.run(job[0], cwd=job[1], capture_output=True, text=True,
                                                       check=False), commands):
            if run.returncode:
                raise RuntimeError(run.stderr[-3000:])


class Sample(unittest.TestCase):
    maxDiff = None

    def test_all_are_noticed(self):
        found = sources.all_mutants(BUILD, BUILD / "fuzz" / "mutants", SOURCES.__contains__)
        equivalent = json.loads(pathlib.Path(__file__).with_name("equivalent.json").read_text())
        keys = sorted(found.keys() - equivalent.keys(), key=lambda key: hashlib.sha256(key.encode()).digest())
        chosen = planting.plantable([{**found[key], "key": key} for key in keys[:COUNT]])
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            by_source = {source: [] for source in SOURCES}
            for number, mutant in enumerate(chosen):
                by_source[mutant["file"]].append((number, mutant))
            planted = [Planted(source, here, folder) for source, here in by_source.items()]
            done([(each.command, each.at) for each in planted])
            done([(linked(program, planted, folder), BUILD) for program in PROGRAMS])
            tests = self.tried_out(folder, len(chosen))
            with concurrent.futures.ThreadPoolExecutor(JOBS) as pool:
                fates = list(pool.map(lambda each: trials.fate(each[0], tests, each[1]["file"]), enumerate(chosen)))
        survivors = [f"{mutant['key']}: {fate['fate']}" for mutant, fate in zip(chosen, fates)
                     if fate["fate"] in ("survived", "not reached")]
        self.assertEqual("\n".join(survivors), "")
        self.assertGreater(len(chosen), COUNT - 5)

    def tried_out(self, folder, count):
        tests = []
        for trial in trials.all_trials(BUILD):
            program, _, part = trial.name.partition(":")
            if program in PROGRAMS and re.fullmatch(PROGRAMS[program], part):
                trial.command[0] = str(folder / program)
                tests.append(trial)
        with concurrent.futures.ThreadPoolExecutor(JOBS) as pool:
            for trial, passed in zip(tests, pool.map(lambda trial: trial.try_out(count), tests)):
                self.assertTrue(passed, f"{trial.name} with no mutant on")
        return tests


if __name__ == "__main__":
    unittest.main()
