"""The corpus: runs every recipe, writes files and manifest, compares with what is there."""

import hashlib
import importlib
import json
import multiprocessing
import os
import tempfile
from fnmatch import fnmatch
from pathlib import Path

from .hep001.recipe import SPEC, recipes
from .hep001.table import Table
from .hep001.write import write


def load_recipes(only="*"):
    """The numbers of all recipes whose path matches, in order of path."""
    for module in sorted((Path(__file__).parent / "hep001" / "recipes").glob("s*.py")):
        importlib.import_module(f"generators.hep001.recipes.{module.stem}")
    paths = [recipe.path for recipe in recipes]
    twice = {path for path in paths if paths.count(path) > 1}
    if twice:
        raise SystemExit(f"two recipes for one file: {', '.join(sorted(twice))}")
    return sorted((number for number, path in enumerate(paths) if fnmatch(path, only)),
                  key=lambda number: paths[number])


def _make(number):
    """Runs one recipe; the result is its bytes and its manifest entry."""
    recipe = recipes[number]
    try:
        table = recipe.base()
        returned = recipe.bend(table)
        table = returned if isinstance(returned, Table) else table
        with tempfile.TemporaryDirectory() as folder:
            os.chdir(folder)
            write(table.file, "fixture.h5")
            data = Path("fixture.h5").read_bytes()
            os.chdir("/")
    except Exception as error:
        error.add_note(f"in the recipe of {recipe.path}")
        raise
    return data, _entry(recipe, table.path, data)


def _entry(recipe, group, data):
    """A fixture as the manifest describes it."""
    entry = {"file": recipe.path, "sha256": hashlib.sha256(data).hexdigest(), "bytes": len(data),
             "spec": SPEC, "group": group, "kind": recipe.kind, "clause": recipe.clause,
             "keeps": sorted(recipe.keeps), "shows": recipe.shows, **_findings(recipe.expected),
             **recipe.extra}
    if recipe.tables:
        entry["tables"] = [{"group": path, **_findings(expected)} for path, expected in
                           {group: recipe.expected, **recipe.tables}.items()]
    return entry


def _findings(expected):
    return {word: sorted(expected.get(word, ())) for word in ("fails", "warns", "informs")}


def generate(out, only="*"):
    """Writes the files that match into `out`; the manifest too if that is all of them."""
    entries, numbers = [], load_recipes(only)
    # A process for each file: H5T_STD_REF attributes keep a byte of the file's identifier as
    # padding, and identifiers count the files that the process has opened.
    with multiprocessing.get_context("fork").Pool(2, maxtasksperchild=1) as pool:
        for data, entry in pool.imap(_make, numbers):
            path = Path(out) / entry["file"]
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
            entries.append(entry)
    if only == "*":
        manifest = {"schema": 1, "spec": SPEC, "fixtures": entries}
        (Path(out) / "manifest.json").write_text(json.dumps(manifest, indent=1) + "\n")
        _remove_leftovers(Path(out), {entry["file"] for entry in entries})
    return entries


def _remove_leftovers(out, wanted):
    for path in [*out.glob("valid/*/*"), *out.glob("invalid/*/*")]:
        if str(path.relative_to(out)) not in wanted:
            path.unlink()


def differences(committed):
    """What regenerating would change in the committed corpus, one line each."""
    with tempfile.TemporaryDirectory() as fresh:
        generate(fresh)
        new, old = _files(fresh), _files(committed)
        return [f"{name}: " + ("missing" if name not in old else
                               "no recipe makes it" if name not in new else "differs")
                for name in sorted(new.keys() | old.keys()) if new.get(name) != old.get(name)]


def _files(folder):
    root = Path(folder)
    paths = [*root.glob("valid/**/*"), *root.glob("invalid/**/*"), root / "manifest.json"]
    return {str(path.relative_to(root)): path.read_bytes() for path in paths if path.is_file()}
