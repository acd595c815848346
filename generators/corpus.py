"""The corpus of a format: runs its recipes, writes files and manifest, compares them with the committed ones."""

import hashlib
import json
import tempfile
from pathlib import Path

from . import formats, processes


def _make(task):
    """Runs one recipe; the result is the bytes of the fixture and its manifest entry."""
    name, path = task
    format = formats.find(name)
    recipe = format.catalogue.recipes[path]
    data, group = format.make(recipe)
    content = {"file": path, "sha256": hashlib.sha256(data).hexdigest(), "bytes": len(data)}
    return data, format.catalogue.entry(recipe, content, group)


def generate(format, out, only="*"):
    """Writes the files that match to `out`; if these are all files, also the manifest and the versions of
    the libraries."""
    out, entries = Path(out), []
    tasks = [(format.name, recipe.path) for recipe in format.recipes(only)]
    for data, entry in processes.results(_make, tasks, together=50):
        path = out / entry["file"]
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
        entries.append(entry)
    if only == "*":
        _write_json(out / "manifest.json", format.catalogue.manifest(entries))
        _write_json(out / "made-with.json", format.made_with())
        _remove_leftovers(out, {entry["file"] for entry in entries})
    return entries


def _write_json(path, document):
    path.write_text(json.dumps(document, indent=1) + "\n")


def _remove_leftovers(out, wanted):
    for path in [*out.glob("valid/*/*"), *out.glob("invalid/*/*")]:
        if str(path.relative_to(out)) not in wanted:
            path.unlink()


def check(format, committed):
    """Whether regenerating would change the committed corpus, with the differences as messages. Bytes are
    compared if they were written by the same versions of the libraries, and the expectations about
    the files in any case."""
    with tempfile.TemporaryDirectory() as fresh:
        generate(format, fresh)
        made, here = _made_with(committed), format.made_with()
        if made == here:
            compared, new, old = "byte for byte", _files(fresh), _files(committed)
        else:
            compared = f"except for the bytes: made with {_listed(made)}, and here is {_listed(here)}"
            new, old = _expectations(fresh), _expectations(committed)
    changes = [f"{format.name}/{name}: " + ("missing" if name not in old else
                                            "no recipe makes it" if name not in new else "differs")
               for name in sorted(new.keys() | old.keys()) if new.get(name) != old.get(name)]
    words = changes or [f"the corpus of {format.name} is current, {compared}"]
    return not changes, "\n".join(words)


def _made_with(folder):
    path = Path(folder) / "made-with.json"
    return json.loads(path.read_text()) if path.exists() else {}


def _listed(versions):
    listed = " and ".join(f"{library} {version}" for library, version in versions.items())
    return listed or "an unknown library"


def _files(folder):
    root = Path(folder)
    paths = [*root.glob("valid/**/*"), *root.glob("invalid/**/*"), root / "manifest.json"]
    return {str(path.relative_to(root)): path.read_bytes() for path in paths if path.is_file()}


def _expectations(folder):
    """The entries of the manifest by file; for contents only whether the manifest is correct."""
    files = _files(folder)
    manifest = json.loads(files.pop("manifest.json", "{}"))
    entries = {entry["file"]: entry for entry in manifest.pop("fixtures", ())}
    for name, data in files.items():
        entry = entries.setdefault(name, {})
        entry["whole"] = entry.pop("sha256", None) == hashlib.sha256(data).hexdigest()
        entry.pop("bytes", None)
    return {**entries, "manifest.json": manifest}
