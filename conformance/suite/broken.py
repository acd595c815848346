"""What the lists of broken programs share: how to register one with the mistake that it makes, and
how to run one."""

import sys
from collections import namedtuple
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "adapters" / "python"))

from adapter import Adapter, serve  # noqa: E402

Broken = namedtuple("Broken", "program clauses shown_by members says")
BROKEN = {}  # by name


def broken(*clauses, shown_by=None, members="", says=""):
    """Registers an adapter, or a reader or writer for one, with the clauses that it breaks; what of
    the suite shows it, if not the usual; the members of the protocol that it gets wrong
    (conformance/suite/protocol.h), and a pattern that each of its findings bears."""
    def register(cls):
        assert cls.__name__ not in BROKEN, cls
        BROKEN[cls.__name__] = Broken(cls, set(clauses), shown_by, members.split(), says)
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
