"""Drops the unused space of every valid container of the corpus that has some, with hepcheck and h5repack, side by side.

    HEPCHECK=build/release/hepcheck python3 docs/repair/space.py [FILE ...] > docs/repair/space.tsv

One line for each file with 8 unused bytes or more: its size and how much of it is unused, then for each tool the size of
the copy, whether it is sound, and whether h5py finds everything of the original in it (everything.py), or what differs.
"""

import concurrent.futures
import json
import pathlib
import sys
import tempfile

from compare import HEPCHECK, ROOT, SPECS, judged, run
from everything import contents


def notes_of(path, *options):
    status, text = run(HEPCHECK, "repair", "-f", "--spec", SPECS[1], "--format", "json", path, *options)
    return [note for subject in json.loads(text)["subjects"] for note in subject["notes"] if "unused" in note] \
        if status in (0, 1) else [f"status {status}"]


def differences(before, after):
    """The kinds of what differs."""
    found = set(before) ^ set(after) and {"objects"} or set()
    for path in set(before) & set(after):
        one, other = before[path], after[path]
        if isinstance(one, dict):
            found |= {key for key in one.keys() | other.keys() if one.get(key) != other.get(key)}
        elif one != other:
            found.add(path)
    return ", ".join(sorted(found))


def everything(path):
    try:
        return contents(path)
    except Exception as error:  # h5py cannot read all of them
        return str(type(error).__name__)


def outcome(path, original, before):
    if not path.exists():
        return "refuses"
    if path.read_bytes() == original.read_bytes():
        return "unchanged"
    after = everything(path)
    same = "not compared" if isinstance(before, str) else after if isinstance(after, str) else differences(before, after) or "same"
    return f"{path.stat().st_size}, {'broken' if judged(path) - judged(original) else 'sound'}, {same}"


def compare(path):
    with tempfile.TemporaryDirectory() as folder:
        notes = notes_of(path, "-n")
        unused = sum(int(note.split()[0]) for note in notes if note[0].isdigit())
        if unused < 8:
            return None
        own, other = pathlib.Path(folder) / "hepcheck.h5", pathlib.Path(folder) / "h5repack.h5"
        stays = notes_of(path, "--compact", "-o", own)
        run("h5repack", path, other)
        before = everything(path)
        return [path.name, path.stat().st_size, unused, outcome(own, path, before), outcome(other, path, before),
                " ".join(stays)]


def main():
    paths = [*map(pathlib.Path, sys.argv[1:])] or sorted((ROOT / "fixtures/hdf5/valid").rglob("*.h5"))
    print("file", "bytes", "unused", "hepcheck repair --compact", "h5repack", "what stays", sep="\t")
    with concurrent.futures.ProcessPoolExecutor(2) as pool:
        for row in pool.map(compare, paths):
            if row:
                print(*row, sep="\t")


if __name__ == "__main__":
    main()
