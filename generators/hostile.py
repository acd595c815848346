"""Malicious files. Each reaches a limit of hepcheck, or uses a feature that hepcheck refuses.

    python3 -m generators.hostile DIRECTORY [FORMAT...]    writes all to DIRECTORY/FORMAT

They are not part of the corpus: some are large, and they do not test a specification. The
tests generate them each time (cli/hostile_test.py). The functions in <format>/hostile.py create the
files of a format:

    HOSTILE = []
    hostile = collector(HOSTILE, ".h5")

    @hostile({"chunk-size=1GiB": "a chunk is larger than the limit of 1073741824 bytes"})
    def chunk_without_end(path):
        "A compressed chunk of almost 4 GiB."
"""

import pathlib
import sys
from dataclasses import dataclass
from typing import Callable

from . import formats


@dataclass(frozen=True)
class Hostile:
    file: str
    shows: str
    make: Callable[[pathlib.Path], None]
    # Values of `--limit`, and the pattern that the report must then match. The file reaches the first
    # limit that is named; with "" the file is refused within the default limits.
    meets: dict
    spec: str = None  # the revision to judge it by, if it is not the default one


def collector(into, suffix, spec=None):
    """A decorator that adds functions to the list of a format."""
    def hostile(meets):
        def collect(make):
            file = make.__name__.replace("_", "-") + suffix
            into.append(Hostile(file, make.__doc__, make, meets, spec))
            return make
        return collect
    return hostile


def patch(path, change):
    content = bytearray(path.read_bytes())
    change(content)
    path.write_bytes(content)


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    for name in sys.argv[2:] or formats.names():
        module = formats.find(name).module("hostile")
        folder = pathlib.Path(sys.argv[1]) / name
        folder.mkdir(parents=True, exist_ok=True)
        for each in module.HOSTILE if module else ():
            path = folder / each.file
            each.make(path)
            print(f"{path.stat().st_size:>10}  {path}: {each.shows}")


if __name__ == "__main__":
    main()
