"""python3 -m generators.explain: the examples of `hepcheck explain`, made from the fixtures.

For each clause that a file can break, one broken fixture and the table that it was bent from: what
h5dump shows of the difference, and code that mends the one into the other. The words are written by
hand, in conformance/explain/hep001/words.toml.
"""

import argparse
import difflib
import json
import multiprocessing
import os
import re
import sys
import tempfile
import tomllib
from pathlib import Path

from . import corpus
from .hep001 import h5dump, mend
from .hep001.recipe import CLAUSES, recipes
from .hep001.table import Table
from .hep001.write import write

ROOT = Path(__file__).parents[1]
EXAMPLES = ROOT / "conformance" / "explain" / "hep001" / "examples.toml"


# h5dump shows the fill value only among the properties, so a difference of codes would look like
# all there is to mend.
WITHOUT_CODE = {"fill-not-a-valid-code"}


def checkable(clause):
    return clause["subject"] == "file" and clause["level"] != "MAY" and not clause.get("emitted_as")


def candidates():
    """Numbers of the recipes of broken files, by the clause that they draw, whatever else."""
    found = {}
    for number in corpus.load_recipes("invalid/*"):
        recipe = recipes[number]
        if recipe.clause in set().union(*recipe.expected.values()) and checkable(
                CLAUSES[recipe.clause]):
            found.setdefault(recipe.clause, []).append(number)
    return found


def good_examples():
    """Numbers of the recipes of conformant files, by the clauses that they keep."""
    found = {}
    for number in corpus.load_recipes("valid/*"):
        for clause in [recipes[number].clause, *recipes[number].keeps]:
            found.setdefault(clause, []).append(number)
    return found


def _written(table, path):
    write(table.file, path)
    return path


def _bent(recipe, path):
    table = recipe.base()
    returned = recipe.bend(table)
    return _written(returned if isinstance(returned, Table) else table, path)


def _without_indexes(path, bad):
    """A copy of the file without search indexes, for those that must not exist."""
    import h5py
    Path(path).write_bytes(Path(bad).read_bytes())
    with h5py.File(path, "r+") as file:
        for column in file["/events"].values():
            if "SEARCH_INDEX_LIST" in column.attrs:
                del column.attrs["SEARCH_INDEX_LIST"]
        for name in list(file["/events/SEARCH_INDEXES"]):
            del file["/events/SEARCH_INDEXES"][name]
    return path


def _pair(recipe, options=()):
    """The trees of the good and the bad file, in the working directory."""
    return h5dump.dump("good.h5", *options), h5dump.dump("bad.h5", *options)


def _with_good_attributes(good, bad, others):
    """Where only the bad file has an attribute at all: the file of `others` that has it right."""
    extra = [c for c in mend.changes(good, bad)]
    if len(extra) != 1 or extra[0].kind != "remove attribute":
        return None
    for number in others:
        _bent(recipes[number], "other.h5")
        tree = h5dump.dump("other.h5")
        for owner, attribute in mend._attributes(tree):
            if owner == extra[0].path and attribute.head == extra[0].bad.head:
                change = mend.Change("attribute", owner, extra[0].name, attribute, extra[0].bad)
                try:
                    mend.code([change], "other.h5", tree)
                    if set(mend.targets(attribute) or ()) <= set(h5dump.paths(bad)):
                        return change
                except mend.Unsupported:
                    continue
    return None


def _under(path, block):
    """A tree with nothing but this attribute."""
    for name in reversed(path.strip("/").split("/")):
        block = h5dump.Block(f'GROUP "{name}"', [block], True)
    return h5dump.Block('GROUP "/"', [block], True)


def _example(task):
    number, others = task
    recipe = recipes[number]
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        try:
            return number, _example_here(recipe, others)
        finally:
            os.chdir("/")


def _example_here(recipe, others):
    _written(recipe.base(), "good.h5")
    _bent(recipe, "bad.h5")
    good, bad = _pair(recipe)
    if good == bad and "SEARCH_INDEXES" in "\n".join(bad.lines()):
        _without_indexes("good.h5", "bad.h5")
        good, bad = _pair(recipe)
    if good == bad:
        good, bad = _pair(recipe, ["-p"])
    if good == bad:
        return None
    source, steps = "good.h5", list(mend.changes(good, bad))
    better = _with_good_attributes(good, bad, others)
    shown = h5dump.excerpts(good, bad)
    if better:
        source, steps = "other.h5", [better]
        shown = (_under(better.path, better.good).lines(), shown[1])
    command = _index_command(steps)
    example = {"fixture": recipe.path, "shows": recipe.shows, "group": "/events",
               "good": h5dump.shown(shown[0]), "bad": h5dump.shown(shown[1]),
               "lines": len(shown[0]) + len(shown[1])}
    if command:
        example["hepcheck"] = command
    try:
        python, c = mend.code(steps, source, good)
        os.rename("bad.h5", mend.FILE)
        exec(compile(python, recipe.path, "exec"), {})
        if recipe.clause in WITHOUT_CODE:
            raise mend.Unsupported("the fill value is at fault, not what h5dump shows")
        example["python"], example["c"] = python, c
    except mend.Unsupported as reason:
        example["unsupported"] = str(reason)
    except Exception as reason:  # what h5dump or h5py cannot read as it is
        example["unsupported"] = f"{type(reason).__name__}: {reason}"
    return example


KINDS = {"chunk_minmax": "CHUNK_MINMAX", "sorted_rows": "SORTED_ROWS", "bitmap": "BITMAP",
         "values": "BITMAP", "chunk_bloom": "CHUNK_BLOOM"}


def _index_command(steps):
    """The command that makes the index anew, or drops one that must not be."""
    for step in steps:
        # Whose KIND is at fault cannot be found by its kind.
        if step.kind == "attribute" and step.name == "KIND":
            return None
    served = next((step.path.rsplit("/")[-1] for step in steps
                   if step.kind == "remove attribute" and step.name == "SEARCH_INDEX_LIST"), None)
    for step in steps:
        match = re.fullmatch(r"/events/SEARCH_INDEXES/(\w+?)__(\w+)", step.path)
        if match and match[2] in KINDS:
            place = f"{mend.FILE}:/events {match[1]} {KINDS[match[2]]}"
            if step.kind == "remove":
                column = served or match[1]
                return f"hepcheck index drop {mend.FILE}:/events {column} {KINDS[match[2]]}"
            if step.kind in ("values", "dataset", "attribute", "remove attribute"):
                return f"hepcheck index build {place} --replace"
    return None


def _rank(number, example):
    """The lower, the better to learn from."""
    recipe = recipes[number]
    code = example.get("python", "")
    return ("unsupported" in example, bool(recipe.extra.get("asserted")), bool(recipe.tables),
            code.count("\n") > 25, bool(recipe.extra.get("ambiguity")),
            sum(map(len, recipe.expected.values())), code.count("\n") // 6, example["lines"],
            recipe.path)


def examples(fixtures=None):
    """The example of each clause: the best of all its fixtures, or the one of these `fixtures`."""
    found, good = candidates(), good_examples()
    tasks = [(number, good.get(clause, [])[:12]) for clause, numbers in found.items()
             for number in numbers if not fixtures or recipes[number].path in fixtures]
    with multiprocessing.get_context("fork").Pool(2, maxtasksperchild=1) as pool:
        made = {number: example for number, example in pool.imap(_example, tasks) if example}
    best = {}
    for clause, numbers in found.items():
        ready = [n for n in numbers if n in made]
        if ready:
            best[clause] = made[min(ready, key=lambda n: _rank(n, made[n]))]
    return best


def _quoted(text):
    """A TOML string that is easy to read."""
    if "\n" in text and "'''" not in text and "\\" not in text:
        return f"'''\n{text}'''"
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def toml(best):
    lines = ["# Made by python3 -m generators.explain from the fixtures; do not edit.", ""]
    for clause in CLAUSES:
        if clause in best:
            lines.append("[[example]]")
            lines.append(f'clause = "{clause}"')
            lines += [f"{key} = {_quoted(best[clause][key])}"
                      for key in ("fixture", "shows", "good", "bad", "hepcheck", "python", "c")
                      if key in best[clause]]
            lines.append("")
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(prog="generators.explain", description=__doc__)
    parser.add_argument("--check", action="store_true",
                        help="write nothing; fail if the committed ones would come out otherwise")
    options = parser.parse_args()
    if options.check:
        committed = EXAMPLES.read_text()
        chosen = {example["fixture"] for example in tomllib.loads(committed)["example"]}
        difference = list(difflib.unified_diff(committed.splitlines(),
                                               toml(examples(chosen)).splitlines(), lineterm=""))
        print("\n".join(difference[:100]) or "the examples are current")
        return 1 if difference else 0
    best = examples()
    EXAMPLES.write_text(toml(best))
    print(f"{len(best)} examples, {sum('python' in each for each in best.values())} with code")
    for clause, each in best.items():
        if "unsupported" in each:
            print(f"{clause}: no code: {each['unsupported']}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
