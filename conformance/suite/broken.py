"""What broken_readers.py and broken_writers.py share: a list of programs with one mistake each, the
clauses that have to catch them, and how to run one."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "adapters" / "python"))

from adapter import Adapter, serve  # noqa: E402

BROKEN = {}  # name: (class, clauses)


def broken(*clauses):
    """Registers an adapter, or a reader or writer for one, with the clauses that it breaks."""
    def register(cls):
        BROKEN[cls.__name__] = (cls, set(clauses))
        return cls
    return register


def serve_named(role):
    """Runs the program that the command line names; `role` is what of an adapter it replaces."""
    wrong = BROKEN[sys.argv[1]][0]
    if issubclass(wrong, Adapter):
        serve(wrong())
    else:
        adapter = Adapter()
        setattr(adapter, role, wrong)
        serve(adapter)
