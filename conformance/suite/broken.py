"""What broken_readers.py and broken_writers.py share: a list of programs with one mistake each, the
clauses that have to catch them, and how to run one."""

import sys
from collections import namedtuple
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "adapters" / "python"))

from adapter import Adapter, serve  # noqa: E402

Broken = namedtuple("Broken", "program clauses shown_by")
BROKEN = {}  # by name


def broken(*clauses, shown_by=None):
    """Registers an adapter, or a reader or writer for one, with the clauses that it breaks and
    what of the suite shows it, if not the usual."""
    def register(cls):
        BROKEN[cls.__name__] = Broken(cls, set(clauses), shown_by)
        return cls
    return register


def serve_named(role):
    """Runs the program that the command line names; `role` is what of an adapter it replaces."""
    wrong = BROKEN[sys.argv[1]].program
    if issubclass(wrong, Adapter):
        serve(wrong())
    else:
        adapter = Adapter()
        setattr(adapter, role, wrong)
        serve(adapter)
