"""A copy of the checkout with mutants in it, built."""

import os
import pathlib
import re
import subprocess

import operators
import sources

INCLUDE = b'#include "fuzz/mutants/mutant.h"\n'
# The planted text is a system header to the compiler: what it looks like is no reason for a warning.
QUIET = b"#pragma GCC system_header\n"


class Copy:
    """The checkout again, in `folder`, with numbered mutants; only what changes is written."""

    def __init__(self, folder: pathlib.Path):
        self.folder = folder
        self.build = folder / "build" / "release"
        self.environment = {**os.environ, "CCACHE_BASEDIR": str(folder)}

    def files(self) -> dict[str, bytes]:
        names = subprocess.run(["git", "-C", sources.ROOT, "ls-files", "-z", "-co", "--exclude-standard"],
                               capture_output=True, text=True, check=True).stdout.split("\0")
        return {name: (sources.ROOT / name).read_bytes() for name in names
                if name and (sources.ROOT / name).is_file() and not (sources.ROOT / name).is_symlink()}

    def write(self, mutants: list[tuple[int, dict]]):
        files = self.files()
        by_file = {}
        for number, mutant in mutants:
            by_file.setdefault(mutant["file"], []).append((number, mutant))
        for name, here in by_file.items():
            text = operators.planted(files[name], here)
            if name.endswith(".h"):
                files[name] = QUIET + INCLUDE + text
            else:
                files[name + ".planted"] = QUIET + text
                files[name] = INCLUDE + f'#include "{name}.planted"\n'.encode()
        for name, text in files.items():
            path = self.folder / name
            if not path.exists() or path.read_bytes() != text:
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(text)
                path.chmod((sources.ROOT / name).stat().st_mode if (sources.ROOT / name).exists() else 0o644)

    def make(self, targets: list[str]) -> str:
        """Builds; what the compiler said where it failed, else nothing."""
        if not (self.build / "build.ninja").exists():
            subprocess.run(["cmake", "--preset", "release"], cwd=self.folder, env=self.environment,
                           stdout=subprocess.DEVNULL, check=True)
        run = subprocess.run(["ninja", "-C", str(self.build), "-k", "0", *targets], env=self.environment,
                             capture_output=True, text=True, check=False)
        return run.stdout + run.stderr if run.returncode else ""

    def plant(self, mutants: list[tuple[int, dict]], targets: list[str], say) -> set[int]:
        """Builds with all of the mutants that compile; the numbers of those that do not."""
        refused = set()
        while True:
            self.write([entry for entry in mutants if entry[0] not in refused])
            complaint = self.make(targets)
            if not complaint:
                return refused
            blamed = self.blamed(complaint, refused)
            if not blamed:
                raise RuntimeError(complaint[-3000:])
            say(f"{len(blamed)} mutants do not compile; building without them")
            refused |= blamed

    def blamed(self, complaint: str, refused: set[int]) -> set[int]:
        """The mutants on the lines that errors, or what they were required from, name."""
        numbers = set()
        for block in re.split(r"(?m)^FAILED: ", complaint)[1:]:
            if " error: " not in block:
                continue
            for path, line in set(re.findall(r"(?m)(\S+?\.(?:h|planted)):(\d+):\d+:", block)):
                file = (self.build / path).resolve()
                if not file.is_file():
                    continue
                lines = file.read_text().splitlines()
                if int(line) <= len(lines):
                    numbers |= set(map(int, re.findall(r"mutants::\w+(?:<[^(]*>)?\((\d+)",
                                                       lines[int(line) - 1])))
        return numbers - refused


def plantable(mutants: list[dict]) -> list[dict]:
    """Those that can be planted together: of two that clash, the first."""
    by_file, kept = {}, []
    for mutant in mutants:
        here = by_file.setdefault(mutant["file"], [])
        if not any(operators.clash(mutant, other) for other in here):
            here.append(mutant)
            kept.append(mutant)
    return kept
