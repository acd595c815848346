"""The tests that try mutants: which reach which, and which notice."""

import json
import os
import pathlib
import re
import subprocess
import tempfile
import time
from dataclasses import dataclass, field

# What builds packages, browsers or pages; none asks the program for a verdict.
LEFT_OUT = re.compile(r"formatted|installed_package|man_page|loading|_packages|in_browser|completion"
                      r"|fixtures_are_current|examples_are_current|generator_oracles|fingerprints|architecture"
                      r"|compare_json|clause_page|real_|mutants")


@dataclass
class Trial:
    """One test, or the tests of one suite of a program of unit tests."""
    name: str
    kind: str  # corpus, property, replay, unit, program
    command: list[str]
    environment: dict[str, str]
    folder: str
    seconds: float = 0.0
    reached: set[int] = field(default_factory=set)

    def run(self, limit: float, **environment) -> str:
        """passed, failed or "timed out"."""
        with tempfile.TemporaryFile() as sink:
            process = subprocess.Popen(
                self.command, cwd=self.folder, stdin=subprocess.DEVNULL, stdout=sink, stderr=sink,
                env={**os.environ, "GTEST_FAIL_FAST": "1", **self.environment, **environment},
                start_new_session=True)
            try:
                return "failed" if process.wait(limit) else "passed"
            except subprocess.TimeoutExpired:
                return "timed out"
            finally:
                try:
                    os.killpg(process.pid, 9)
                except ProcessLookupError:
                    pass
                process.wait()

    def try_out(self, count: int) -> bool:
        """Runs it with no mutant on, notes what it reaches; whether it passes."""
        with tempfile.NamedTemporaryFile() as reached:
            reached.write(bytes(count))
            reached.flush()
            start = time.monotonic()
            passed = self.run(900, HEPCHECK_MUTANTS_REACHED=reached.name) == "passed"
            self.seconds = time.monotonic() - start
            self.reached = {number for number, byte in enumerate(pathlib.Path(reached.name).read_bytes()) if byte}
        return passed

    @property
    def limit(self) -> float:
        return 10 + 10 * self.seconds


def kind(name: str, labels: list[str]) -> str:
    if name.startswith("fuzz_"):
        return "replay"
    if name in ("conformance_test", "two_readers_test"):
        return "corpus"
    return "property" if "fuzz" in labels else "unit" if "unit" in labels else "program"


def suites(program: str, folder: str, each: bool) -> list[str]:
    """Filters that cut a program of GoogleTest into suites, or into single tests."""
    listed = subprocess.run([program, "--gtest_list_tests"], cwd=folder, capture_output=True, text=True,
                            check=False)
    filters, suite = [], ""
    for line in listed.stdout.splitlines():
        name = line.split("#")[0].rstrip()
        if name.startswith("  "):
            filters.append(f"{suite}{name.strip()}" if each else f"{suite}*")
        elif name.endswith("."):
            suite = name
    return list(dict.fromkeys(filters))


def all_trials(build: pathlib.Path, only: str | None = None) -> list[Trial]:
    listed = json.loads(subprocess.run(["ctest", "--test-dir", str(build), "--show-only=json-v1"],
                                       capture_output=True, text=True, check=True).stdout)
    trials = []
    for test in listed["tests"]:
        properties = {entry["name"]: entry["value"] for entry in test["properties"]}
        name, command = test["name"], test.get("command")
        what = kind(name, properties.get("LABELS", []))
        if not command or LEFT_OUT.search(name) or only and not re.search(only, what):
            continue
        environment = dict(entry.split("=", 1) for entry in properties.get("ENVIRONMENT", []))
        folder = properties.get("WORKING_DIRECTORY", str(build))
        if what == "property" and "RC_PARAMS" in environment:
            environment["RC_PARAMS"] += " noshrink=1"
        if "--gtest_brief=1" in command:
            trials += [Trial(f"{name}:{part}", what, [command[0], f"--gtest_filter={part}"], environment, folder)
                       for part in suites(command[0], folder, what != "unit")]
        else:
            trials.append(Trial(name, what, command, environment, folder))
    return trials


ORDER = ["corpus", "property", "replay", "unit", "program"]
ALONE = {"corpus", "property", "replay"}  # what stands without unit tests


def order(trial: Trial) -> tuple:
    return trial.kind not in ALONE, trial.kind == "program", trial.seconds


def fate(number: int, trials: list[Trial]) -> dict:
    """What becomes of a mutant under the tests that reach it: those without unit tests come first."""
    tried = 0
    start = time.monotonic()
    for trial in sorted((trial for trial in trials if number in trial.reached), key=order):
        tried += 1
        result = trial.run(trial.limit, HEPCHECK_MUTANT=str(number))
        if result != "passed":
            return {"fate": "killed" if result == "failed" else "timed out", "by": trial.name,
                    "kind": trial.kind, "tried": tried, "seconds": round(time.monotonic() - start, 2)}
    return {"fate": "survived" if tried else "not reached", "tried": tried,
            "seconds": round(time.monotonic() - start, 2)}
