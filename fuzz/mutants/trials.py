"""The tests that are run on mutants: which mutants each one reaches and kills."""

import collections
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import threading
from dataclasses import dataclass, field

# Tests that build packages, browsers or pages; none of them depends on a verdict.
LEFT_OUT = re.compile(r"formatted|installed_package|man_page|loading|_packages|in_browser|completion"
                      r"|fixtures_are_current|examples_are_current|generator_oracles|fingerprints|architecture"
                      r"|compare_json|clause_page|real_|mutants")


# The machine may be busy, so limits are in seconds of processor time. A test that waits for ever uses none,
# so it is stopped after this multiple of the limit in wall-clock time.
WAIT = 30
MEMORY = 6 << 30  # bytes
OUTPUT = 16 << 30  # tests write sparse files of more than 8 GiB
NONE = -2  # no mutant has this number


def limited(seconds: float) -> list[str]:
    # Hard limits are not changed: hepcheck sets its own limits, which may be higher than these.
    return ["prlimit", f"--cpu={int(seconds) + 1}:", f"--data={MEMORY}:", f"--fsize={OUTPUT}:", "--core=0"]


@dataclass
class Trial:
    """One test, or the tests of one suite of a unit test program."""
    name: str
    kind: str  # corpus, property, replay, unit, program
    command: list[str]
    environment: dict[str, str]
    folder: str
    seconds: float = 0.0  # of processor time
    reached: set[int] = field(default_factory=set)
    killed: collections.Counter = field(default_factory=collections.Counter)  # by source
    sound: bool | None = None  # whether it passes with a mutant number that does not exist; None if not tried

    def run(self, limit: float, **environment) -> tuple[str, float]:
        """passed, failed or "timed out", and the processor time in seconds."""
        with tempfile.TemporaryFile() as sink:
            process = subprocess.Popen(
                [*limited(limit), *self.command], cwd=self.folder, stdin=subprocess.DEVNULL, stdout=sink, stderr=sink,
                env={**os.environ, "GTEST_FAIL_FAST": "1", **self.environment, **environment},
                start_new_session=True)
            alarm = threading.Timer(WAIT * limit, os.killpg, (process.pid, signal.SIGALRM))
            alarm.start()
            _, status, used = os.wait4(process.pid, 0)
            alarm.cancel()
            process.returncode = os.waitstatus_to_exitcode(status)
            # A process that the test left behind.
            try:
                os.killpg(process.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
            stopped = -process.returncode in (signal.SIGXCPU, signal.SIGKILL, signal.SIGALRM)
            return ("timed out" if stopped else "failed" if status else "passed"), used.ru_utime + used.ru_stime

    def try_out(self, count: int) -> bool:
        """Runs it without a mutant and records the mutants it reaches; returns whether it passes."""
        with tempfile.NamedTemporaryFile() as reached:
            reached.write(bytes(count))
            reached.flush()
            fate, self.seconds = self.run(900, HEPCHECK_MUTANTS_REACHED=reached.name)
            self.reached = {number for number, byte in enumerate(pathlib.Path(reached.name).read_bytes()) if byte}
        return fate == "passed"

    def stamp(self) -> str:
        """Changes if a program or a script of the test changes."""
        paths = [pathlib.Path(self.folder, word) for word in (*self.command, *self.environment.values())]
        return json.dumps([self.command, [path.stat().st_mtime_ns for path in paths if path.is_file()]])

    def is_sound(self) -> bool:
        if self.sound is None:
            self.sound = self.run(self.limit, HEPCHECK_MUTANT=str(NONE))[0] == "passed"
            if not self.sound:
                print(f"{self.name} fails with any mutant on, and is left out", file=sys.stderr, flush=True)
        return self.sound

    @property
    def limit(self) -> float:
        return 5 + 5 * self.seconds


def kind(name: str, labels: list[str]) -> str:
    if name.startswith("fuzz_"):
        return "replay"
    if name in ("conformance_test", "two_readers_test", "table_readers_test", "workers_test", "golden_reports_test",
                "golden_exchanges_test", "golden_repairs_test") or name.startswith("commands_"):
        return "corpus"
    return "property" if "fuzz" in labels else "unit" if "unit" in labels else "program"


def suites(command: list[str], folder: str, each: bool) -> list[str]:
    """Filters that divide the tests that a GoogleTest program is told to run into suites, or into single tests."""
    listed = subprocess.run([*command, "--gtest_list_tests"], cwd=folder, capture_output=True, text=True,
                            check=False)
    filters, suite = [], ""
    for line in listed.stdout.splitlines():
        name = line.split("#")[0].rstrip()
        if name.startswith("  "):
            filters.append(f"{suite}{name.strip()}" if each else f"{suite}*")
        elif name.endswith("."):
            suite = name
    return list(dict.fromkeys(filters))


def all_trials(build: pathlib.Path, only: str | None, instead) -> list[Trial]:
    """The tests of a build, of matching kinds, that run a program for which `instead` names a replacement."""
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
        if all(instead(word) == word for word in (*command, *environment.values())):
            continue
        command = [instead(word) for word in command]
        environment = {name: instead(value) for name, value in environment.items()}
        folder = properties.get("WORKING_DIRECTORY", str(build))
        if what == "property" and "RC_PARAMS" in environment:
            environment["RC_PARAMS"] += " noshrink=1"
        # The directory of differing golden files exists only after a test has failed.
        programs = [value for name, value in environment.items() if name != "HEPCHECK_DIFFERING_GOLDEN_FILES"]
        if not all(pathlib.Path(word).exists() for word in (*command[:1], *programs)
                   if pathlib.Path(word).is_relative_to(build)):
            continue  # its program was not built
        if "--gtest_brief=1" in command:
            trials += [Trial(f"{name}:{part}", what, [command[0], f"--gtest_filter={part}"], environment, folder)
                       for part in suites(command, folder, what != "unit")]
        else:
            trials.append(Trial(name, what, command, environment, folder))
    return trials


ALONE = {"corpus", "property", "replay"}  # tests other than unit tests


def order(trial: Trial, file: str) -> tuple:
    """Tests other than unit tests come first, preferably fast ones that have killed other mutants of the source."""
    noticed = 1 + 10 * trial.killed[file] + trial.killed.total()
    return trial.kind not in ALONE, trial.kind == "program", (trial.seconds + 0.05) / noticed


def fate(number: int, trials: list[Trial], file: str = "") -> dict:
    """The result of a mutant with the tests that reach it."""
    tried, spent = 0, 0.0
    reaching = sorted((trial for trial in trials if number in trial.reached), key=lambda each: order(each, file))
    for trial in reaching:
        tried += 1
        result, seconds = trial.run(trial.limit, HEPCHECK_MUTANT=str(number))
        spent += seconds
        if result != "passed" and trial.is_sound():
            trial.killed[file] += 1
            return {"fate": "killed" if result == "failed" else "timed out", "by": trial.name,
                    "kind": trial.kind, "tried": tried, "seconds": round(spent, 2)}
    return {"fate": "survived" if tried else "not reached", "tried": tried, "seconds": round(spent, 2)}
