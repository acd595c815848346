"""Files crafted to harm their reader. Each reaches a limit of hepcheck, or asks for what is refused.

    python3 -m generators.hostile FOLDER [FORMAT...]    writes them all, to FOLDER/FORMAT

They are no part of the corpus: some are large, and they state nothing about a specification. The
tests generate them again each time (cli/hostile_test.py). A format's are made by the functions
of <format>/hostile.py:

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
    # What to ask of `--limit`, and the pattern that the report then matches. The first limit named
    # is the one that the file reaches; with "" the file is refused within the default limits.
    meets: dict


def collector(into, suffix):
    """The decorator that puts a format's functions into its list."""
    def hostile(meets):
        def collect(make):
            file = make.__name__.replace("_", "-") + suffix
            into.append(Hostile(file, make.__doc__, make, meets))
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
