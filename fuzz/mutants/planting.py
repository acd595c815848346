"""Relinks the programs of a build with sources that contain mutants.

Only sources that contain a mutant, or include a header that contains one, are compiled; the new object
replaces the original one. The mutants of a header are compiled into the sources of its own area, the tests
next to it and the properties.
"""

import concurrent.futures
import hashlib
import json
import os
import pathlib
import re
import shlex
import subprocess

import operators
import sources

INCLUDE = b'#include "fuzz/mutants/mutant.h"\n'
# The compiler treats the mutated text as a system header, so it does not cause warnings.
QUIET = b"#pragma GCC system_header\n"
TEST = re.compile(r"_(test|properties)\.cpp")


class Unit:
    """One compilation of the build, of one source or of several that are compiled together."""

    def __init__(self, entry: dict):
        self.folder, self.file = entry["directory"], pathlib.Path(entry["file"])
        self.command = re.sub(r" -MD | -M[FTQ] \S+", " ", entry["command"])
        self.object = re.search(r" -o (\S+)", self.command)[1]
        self.joined = "Unity" in self.file.parts
        paths = re.findall(r'#include "(/.*\.cpp)"', self.file.read_text()) if self.joined else [str(self.file)]
        self.sources = [name for path in paths if (name := sources.relative(path, self.folder))]
        target = re.search(r"CMakeFiles/(\w+)\.dir/", self.object)
        self.archive = f"lib{target[1]}.a" if target else ""

    def takes(self, planted: set[str]) -> bool:
        """Whether its object changes with these mutated sources."""
        for name in self.sources:
            if name in planted:
                return True
            for header in sources.included(name) & planted:
                if sources.area(name) == sources.area(header) or "/properties/" in name \
                        or TEST.search(name) and pathlib.Path(name).parent == pathlib.Path(header).parent:
                    return True
        return False


class Planted:
    """The programs of `build` with numbered mutants, stored in `folder`."""

    def __init__(self, build: pathlib.Path, folder: pathlib.Path, jobs: int = 2):
        self.build, self.folder, self.jobs = build, folder, jobs

    def plant(self, mutants: list[tuple[int, dict]], programs: list[str], say) -> set[int]:
        """Compiles all valid mutants, and links; returns the numbers of those that do not compile."""
        for path in self.folder.glob("**/*"):
            if path.is_file() and os.access(path, os.X_OK):
                path.unlink()  # a program with other mutants
        refused = set()
        units = [Unit(entry) for entry in json.loads((self.build / "compile_commands.json").read_text())]
        while True:
            planted = self.write([entry for entry in mutants if entry[0] not in refused])
            changed = [unit for unit in units if unit.takes(planted)]
            say(f"{len(changed)} compilations")
            complaints = self.compile(changed, planted)
            if not complaints:
                break
            blamed = self.blamed(complaints) - refused
            if not blamed:
                raise RuntimeError(complaints[0][-3000:])
            say(f"{len(blamed)} mutants do not compile; repeating without them")
            refused |= blamed
        self.each([(self.link(program, changed), self.build) for program in programs])
        return refused

    def write(self, mutants: list[tuple[int, dict]]) -> set[str]:
        by_file = {}
        for number, mutant in mutants:
            by_file.setdefault(mutant["file"], []).append((number, mutant))
        for path in self.folder.glob("**/*.h"):
            if str(path.relative_to(self.folder)) not in by_file:
                path.unlink()
        for name, here in by_file.items():
            path = self.folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            text = QUIET + INCLUDE + operators.planted(sources.content(name), here)
            if name.endswith(".h"):
                path.write_bytes(text)
            else:
                # The file name must stay the same, because the program reports the file of a rule.
                beside = self.folder / "text" / name
                beside.parent.mkdir(parents=True, exist_ok=True)
                beside.write_bytes(text)
                path.write_bytes(f'#include "text/{name}"\n'.encode())
        return set(by_file)

    def object(self, unit: Unit) -> pathlib.Path:
        return self.folder / "objects" / f"{hashlib.sha256(unit.object.encode()).hexdigest()[:16]}.o"

    def compile(self, units: list[Unit], planted: set[str]) -> list[str]:
        """The messages of the compiler about units that do not compile."""
        (self.folder / "objects").mkdir(parents=True, exist_ok=True)
        commands = []
        for unit in units:
            file = unit.file
            here = [name for name in unit.sources if name in planted]
            if unit.joined:
                text = unit.file.read_text()
                for name in here:
                    text = text.replace(f'"{sources.ROOT / name}"', f'"{self.folder / name}"')
                file = self.object(unit).with_suffix(".cpp")
                file.write_text(text)
            elif here:
                file = self.folder / here[0]
            words = shlex.split(unit.command.replace(f" -o {unit.object}", "").replace(f" -c {unit.file}", ""))
            commands.append(([words[0], "-I", str(self.folder), *words[1:], "-O1", "-w", "-o", str(self.object(unit)),
                              "-c", str(file)], unit.folder))
        return [run.stderr for run in self.run(commands) if run.returncode]

    def link(self, program: str, units: list[Unit]) -> list[str]:
        """The command that relinks a program, so that definitions come from the mutated objects first."""
        listed = subprocess.run(["ninja", "-C", self.build, "-t", "commands", program], capture_output=True,
                                text=True, check=True).stdout.splitlines()
        words = [word for word in shlex.split(listed[-1]) if word not in (":", "&&")
                 and not word.startswith("-Wl,--dependency-file")]
        at = words.index("-o")
        (self.folder / words[at + 1]).parent.mkdir(parents=True, exist_ok=True)
        words[at + 1] = str(self.folder / words[at + 1])
        archives = {pathlib.Path(word).name for word in words}
        instead = {unit.object: str(self.object(unit)) for unit in units}
        members = [str(self.object(unit)) for unit in units if unit.archive in archives and unit.object not in words]
        words = [instead.get(word, word) for word in words]
        return [*words[:at], "-Wl,--allow-multiple-definition", *members, *words[at:]]

    def each(self, commands):
        for run in self.run(commands):
            if run.returncode:
                raise RuntimeError(run.stderr[-3000:])

    def run(self, commands):
        def one(job):
            return subprocess.run(job[0], cwd=job[1], capture_output=True, text=True, check=False)
        with concurrent.futures.ThreadPoolExecutor(self.jobs) as pool:
            return list(pool.map(one, commands))

    def blamed(self, complaints: list[str]) -> set[int]:
        """The mutants on the lines named by errors or by their instantiations; otherwise the next ones above."""
        numbers, above = set(), set()
        for complaint in complaints:
            for path, line in set(re.findall(r"(?m)(\S+?\.(?:h|cpp)):(\d+):\d+:", complaint)):
                file = (self.build / path).resolve()
                if not file.is_relative_to(self.folder.resolve()) or not file.is_file():
                    continue
                lines = file.read_text().splitlines()
                until = [set(map(int, re.findall(r"mutants::\w+(?:<[^(]*>)?\((\d+)", text)))
                         for text in lines[:int(line)]]
                if len(lines) >= int(line):
                    numbers |= until[-1]
                above |= next(filter(None, reversed(until)), set())
        return numbers or above

    def take_over(self, text: str) -> str:
        """Replaces the path of a program of the build in an argument by the relinked program, if it exists."""
        path = pathlib.Path(text)
        here = self.folder / path.relative_to(self.build) if path.is_relative_to(self.build) else None
        return str(here) if here and here.is_file() else text


def plantable(mutants: list[dict]) -> list[dict]:
    """The mutants that can be compiled in together: the first of two that clash."""
    by_file, kept = {}, []
    for mutant in mutants:
        here = by_file.setdefault(mutant["file"], [])
        if not any(operators.clash(mutant, other) for other in here):
            here.append(mutant)
            kept.append(mutant)
    return kept
