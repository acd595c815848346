"""The sources that decide a verdict, and all of their possible mutants."""

import concurrent.futures
import functools
import hashlib
import json
import pathlib
import re
import subprocess
import sys

import operators
import tree

ROOT = pathlib.Path(__file__).resolve().parents[2]
# The first pattern that matches a path, relative to the root, is its area.
AREAS = {
    "rules": r"validator/formats/hep001/(rules/.*|rule)\.(cpp|h)",
    "derive": r"validator/formats/hep001/derive/.*",
    "model": r"validator/formats/hep001/model/.*",
    "libhdf5": r"validator/formats/hep001/libhdf5/.*",
    "own": r"validator/formats/hep001/(own|reader|storage)/.*",
    "trace": r"validator/(formats/hdf5/trace|trace)/\w+\.(cpp|h)",
    "hdf5": r"validator/formats/hdf5/.*",
    "exchange": r"validator/(formats/hep001/)?exchange/\w+\.(cpp|h)",
    "arrow": r"validator/formats/arrow/.*",
    "rntuple": r"validator/formats/rntuple/.*",
    "tiledb": r"validator/formats/tiledb/.*",
    "engine": r"validator/(formats/hep001/\w+|formats/\w+|isolate/\w+|catalogue/\w+|codec/\w+|\w+)\.(cpp|h)",
    "reports": r"reports/\w+\.(cpp|h)",
    "gate": r"cli/(baseline|limits|config|settings|validate|report_store|examine\w*|output|report"
            r"|specifications|main)\.(cpp|h)",
}
# Tests and their helpers; the sandbox, which does not affect a verdict; writers of files.
OUTSIDE = re.compile(r"_test\.cpp|testing|plugin_for_tests|isolate/sandbox|std_format|_impl"
                     r"|hep001/(reduce|index_file)|copy_file|rewrite")


def area(path: str) -> str | None:
    if OUTSIDE.search(path):
        return None
    return next((name for name, pattern in AREAS.items() if re.fullmatch(pattern, path)), None)


def relative(path: str, folder: str) -> str | None:
    """A path reported by clang, relative to the root; None for paths outside."""
    full = pathlib.Path(folder, path).resolve()
    return str(full.relative_to(ROOT)) if full.is_relative_to(ROOT) else None


def units(build: pathlib.Path):
    """Source (relative to the root) and compile command; sources compiled together are listed separately."""
    for entry in json.loads((build / "compile_commands.json").read_text()):
        path = pathlib.Path(entry["directory"], entry["file"])
        joined = re.findall(r'#include "(/.*\.cpp)"', path.read_text()) if "Unity" in path.parts else ()
        for source in joined or [str(path)]:
            name = relative(source, entry["directory"])
            if name and area(name):
                yield name, entry["command"].replace(entry["file"], source), entry["directory"]


@functools.cache
def content(path: str) -> bytes:
    return (ROOT / path).read_bytes()


def mutants_of(source: str, command: str, folder: str) -> list[dict]:
    """Every mutant of one compilation, including its headers."""
    known = {}

    def wanted(file):
        if file not in known:
            name = relative(file, folder)
            known[file] = name if name and area(name) else None
        return known[file] is not None

    def text(file):
        return content(known[file]) if wanted(file) else None

    finder = operators.Finder(text)
    for declaration in tree.declarations(command, folder, wanted):
        finder.visit(declaration)
    found = []
    for mutant in finder.found.values():
        mutant.file = known[mutant.file]
        found.append(mutant.to_json())
    return found


def prepare(build: pathlib.Path):
    """Configures the build, and creates its generated headers."""
    if not (build / "build.ninja").exists():
        subprocess.run(["cmake", "--preset", "release"], cwd=ROOT, stdout=subprocess.DEVNULL, check=True)
    listed = subprocess.run(["ninja", "-C", str(build), "-t", "targets", "all"], capture_output=True,
                            text=True, check=True).stdout
    headers = re.findall(r"(?m)^(\S+\.h): CUSTOM_COMMAND", listed)
    subprocess.run(["ninja", "-C", str(build), *headers], stdout=subprocess.DEVNULL, check=True)


@functools.cache
def included(path: str) -> frozenset[str]:
    """A source and the sources of the core, the formats and the reports that it includes transitively."""
    found, left = set(), [path]
    while left:
        name = left.pop()
        if name in found or not (ROOT / name).is_file():
            continue
        found.add(name)
        left += re.findall(r'(?m)^#include "((?:validator|reports)/[^"]+)"', content(name).decode())
    return frozenset(found)


def digest(path: str) -> str:
    """The digest of everything that the mutants of a source depend on."""
    made = hashlib.sha256()
    for name in ("operators.py", "tree.py"):
        made.update(pathlib.Path(__file__).with_name(name).read_bytes())
    for name in sorted(included(path)):
        made.update(content(name))
    return made.hexdigest()


def key(mutant: dict) -> str:
    """Identifies a mutant independently of line numbers."""
    text = content(mutant["file"])
    begin = text.rfind(b"\n", 0, mutant["begin"]) + 1
    end = text.find(b"\n", mutant["begin"])
    line = text[begin:end if end >= 0 else len(text)]
    # The number among equal lines of the file.
    nth = text[:begin].count(b"\n" + line + b"\n")
    return f"{mutant['file']}|{line.decode().strip()}|{nth}|{mutant['begin'] - begin}+" \
           f"{mutant['end'] - mutant['begin']}|{mutant['operator']}|{mutant['detail']}"


def find(job):
    (name, command, folder), cache = job
    stamp = f"{command}|{digest(name)}"
    try:
        return name, tree.cached(stamp, cache, lambda: mutants_of(name, command, folder))
    except RuntimeError as error:
        return name, str(error)


def all_mutants(build: pathlib.Path, cache: pathlib.Path, wanted) -> dict[str, dict]:
    """Every mutant of the sources for which wanted(path) holds, by key."""
    jobs = [(unit, cache) for unit in units(build) if wanted(unit[0])]
    found = {}
    with concurrent.futures.ProcessPoolExecutor(2) as pool:
        for count, (name, mutants) in enumerate(pool.map(find, jobs), 1):
            print(f"\r{count}/{len(jobs)} sources", end="", file=sys.stderr, flush=True)
            if isinstance(mutants, str):
                print(f"\n{name}: clang cannot read it: {mutants}", file=sys.stderr)
                continue
            for mutant in mutants:
                if wanted(mutant["file"]):
                    found.setdefault(key(mutant), mutant)
    print(file=sys.stderr)
    return found
