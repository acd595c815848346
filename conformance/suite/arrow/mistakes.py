"""Shared by the broken Arrow readers and writers: adds the correct adapter to the path, and registers a program
with the clauses that it violates."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2] / "adapters" / "arrow" / "python"))


def registry():
    """The programs by name, and the decorator that registers them."""
    broken = {}

    def breaks(*clauses):
        def register(adapter):
            adapter.clauses = {f"arrow-{clause}" for clause in clauses}
            broken[adapter.__name__] = adapter
            return adapter
        return register
    return broken, breaks
