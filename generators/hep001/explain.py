"""An example of `hepcheck explain` from two HDF5 files: see generators/explain.py."""

import difflib
import json
import os
import re
import shutil
import subprocess
from pathlib import Path

import h5py

from . import h5dump, repair
from .fixes import FIXES, Fix
from .write import write

# The index of a table that violates an unrelated clause is not rebuilt; and an index that is updated
# in place keeps its attributes.
WITHOUT_COMMAND = {"boolean-column-no-fill", "generation-scalar", "generation-uint64",
                   "no-back-pointer", "sorted-boolean-order"}


def _without_indexes(path, bad):
    """A copy of the file without search indexes, for those that must not exist."""
    Path(path).write_bytes(Path(bad).read_bytes())
    with h5py.File(path, "r+") as file:
        for column in file["/events"].values():
            if "SEARCH_INDEX_LIST" in column.attrs:
                del column.attrs["SEARCH_INDEX_LIST"]
        for name in list(file["/events/SEARCH_INDEXES"]):
            del file["/events/SEARCH_INDEXES"][name]


def _pair(*options):
    """The trees of the good and the bad file, in the working directory."""
    return h5dump.dump("good.h5", *options), h5dump.dump("bad.h5", *options)


def _pair_with_fill():
    """The same, with the fill values and no other property."""
    trees = _pair("-p")
    for tree in trees:
        _without_properties(tree, ("STORAGE_LAYOUT", "FILTERS", "ALLOCATION_TIME"))
    return trees


def _without_properties(block, heads):
    block.parts = [part for part in block.parts if not part.head.startswith(heads)]
    for part in block.parts:
        _without_properties(part, heads)


def _with_good_attributes(good, bad, others):
    """If only the bad file has an attribute at all: the file of `others` with a correct one."""
    extra = [c for c in repair.changes(good, bad)]
    if len(extra) != 1 or extra[0].kind != "remove attribute":
        return None
    for other in others:
        write(other.mutated().file, "other.h5")
        tree = h5dump.dump("other.h5")
        for owner, attribute in repair._attributes(tree):
            if owner == extra[0].path and attribute.head == extra[0].bad.head:
                change = repair.Change("attribute", owner, extra[0].name, attribute, extra[0].bad)
                try:
                    repair.code([change], "other.h5", tree)
                    if set(repair.targets(attribute) or ()) <= set(h5dump.paths(bad)):
                        return change
                except repair.Unsupported:
                    continue
    return None


def _under(path, block):
    """A tree with nothing but this attribute."""
    for name in reversed(path.strip("/").split("/")):
        block = h5dump.Block(f'GROUP "{name}"', [block], True)
    return h5dump.Block('GROUP "/"', [block], True)


def _is_odd(dumped):
    """Whether h5dump has no name for a datatype, or the byte order is unusual: not a
    good example."""
    text = "\n".join(dumped.lines())
    return any(words in text for words in ("-bit precision", "not yet implemented", "undefined")) \
        or bool(re.search(r"H5T_(STD|IEEE)_\w+BE\b", text))


def chosen():
    """{clause: the path of its example fixture}"""
    return {clause: fix.path for clause, fix in FIXES.items()}


def _fixed(recipe, fix):
    """The broken table after its fix; if no fix is defined, the table that the recipe mutated."""
    if not fix.change:
        return recipe.base()
    table = recipe.mutated()
    fix.change(table)
    return table


# What the code of `hepcheck repair` leaves to a command, or says in words.
WORDS = re.compile(r"^\s*(#|/\*) (create|write|hepcheck) ", re.M)


def _by_the_program(clause):
    """(h5py code, C code) if `hepcheck repair` repairs the clause in bad.h5 and shows all of it as code; the repaired
    file is then good.h5. What it does and what explain shows is thus the same."""
    words = [os.environ["HEPCHECK"], "repair", "bad.h5", "-fo", repair.FILE, "--only", clause, "--format", "json=report",
             "--format", "h5py=python", "--format", "c=c"]
    if subprocess.run(words, capture_output=True).returncode != 0:  # something else is broken
        return None
    subjects = json.loads(Path("report").read_text())["subjects"]
    codes = [Path(name).read_text() for name in ("python", "c")]
    if not any(subject["repaired"] for subject in subjects) or any(map(WORDS.search, codes)):
        return None
    shutil.move(repair.FILE, "good.h5")
    return codes


def example(recipe, others):
    """See generators/explain.py."""
    fix = next((fix for fix in FIXES.values() if fix.path == recipe.path), Fix(recipe.path, None))
    write(_fixed(recipe, fix).file, "good.h5")
    write(recipe.mutated().file, "bad.h5")
    codes = None if fix.change or fix.python else _by_the_program(recipe.clause)
    good, bad = _pair_with_fill() if fix.fill else _pair()
    if good == bad and "SEARCH_INDEXES" in "\n".join(bad.lines()):
        _without_indexes("good.h5", "bad.h5")
        good, bad = _pair()
    if good == bad:
        good, bad = _pair("-p")
    if good == bad:
        return None
    source, steps = "good.h5", list(repair.changes(good, bad))
    better = None if fix.change or codes else _with_good_attributes(good, bad, others)
    shown = h5dump.excerpts(good, bad)
    if better:
        source, steps = "other.h5", [better]
        shown = (_under(better.path, better.good).lines(), shown[1])
    without = recipe.clause in WITHOUT_COMMAND or not fix.hepcheck or codes
    command = None if without else _index_command(steps)
    made = {"good": h5dump.shown(shown[0]), "bad": h5dump.shown(shown[1]),
            "lines": _differing_lines(*shown) + (100 if _is_odd(bad) else 0)}
    if command:
        made["hepcheck"] = command
    try:
        python, c, effects = (fix.python, fix.c, "") if fix.python else \
            (*codes, "") if codes else repair.code(steps, source, good)
        os.rename("bad.h5", repair.FILE)
        exec(compile(python, recipe.path, "exec"), {})
        made["python"], made["c"] = python, c
        if codes:  # to remove something is a last resort
            changes = re.search(r"attrs\.create|H5Awrite|\.write|file\[.*\] = |move|resize", python)
            made["repair"] = 0 if changes else 2
        if effects or fix.effects:
            made["effects"] = " ".join(filter(None, [effects, fix.effects]))
    except repair.Unsupported as reason:
        made["unsupported"] = str(reason)
    except Exception as reason:  # files that h5dump or h5py cannot read
        made["unsupported"] = f"{type(reason).__name__}: {reason}"
    return made


def _differing_lines(good, bad):
    """The number of lines that only one of them has; fewer are simpler."""
    return sum(line[0] in "+-" for line in difflib.ndiff(good, bad))


KINDS = {"chunk_minmax": "CHUNK_MINMAX", "sorted_rows": "SORTED_ROWS", "bitmap": "BITMAP",
         "values": "BITMAP", "chunk_bloom": "CHUNK_BLOOM"}


def _index_command(steps):
    """The command that rebuilds the index, or drops one that must not exist."""
    for step in steps:
        # If the KIND is wrong, the command cannot find the index by its kind.
        if step.kind == "attribute" and step.name == "KIND":
            return None
    served = next((step.path.rsplit("/")[-1] for step in steps
                   if step.kind == "remove attribute" and step.name == "SEARCH_INDEX_LIST"), None)
    for step in steps:
        match = re.fullmatch(r"/events/SEARCH_INDEXES/(\w+?)__(\w+)", step.path)
        if match and match[2] in KINDS:
            place = f"{repair.FILE}:/events {match[1]} {KINDS[match[2]]}"
            if step.kind == "remove":
                column = served or match[1]
                return f"hepcheck index drop {repair.FILE}:/events {column} {KINDS[match[2]]}"
            if step.kind in ("values", "dataset", "attribute", "remove attribute"):
                return f"hepcheck index build {place} --replace"
    return None
