"""Checks RNTuples for fuzz/damage: which bytes are under a checksum, so that every change of them must be reported.
No other reader of release candidate 2 is packaged anywhere, so that nothing else reads what passes."""

import functools
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
FIXTURES = HERE.parents[1] / "fixtures/rntuple"
sys.path.insert(0, str(HERE.parents[1]))
from generators import formats


def reads_everything(path):
    return True


def reads_the_same(hepcheck, path):
    return True


@functools.cache
def checksummed(path):
    """[(begin, end, places)]: the bytes from `begin` up to `end` are under a checksum, and an error about one of
    `places` must follow from a change of them. Known for the fixtures."""
    if not pathlib.Path(path).is_relative_to(FIXTURES):
        return []
    name = str(pathlib.Path(path).relative_to(FIXTURES))
    found = []
    for recipe in formats.find("rntuple").recipes(name):
        file = recipe.mutated()
        file.bytes()
        found += [(begin, end, {place}) for begin, end, place in file.sums]
    return found
