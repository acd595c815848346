"""What the broken readers and writers of Arrow share: where the good adapter is, and how to register one
with the clauses that it breaks."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2] / "adapters" / "arrow" / "python"))


def registry():
    """The programs by name, and what registers them."""
    broken = {}

    def breaks(*clauses):
        def register(adapter):
            adapter.clauses = {f"arrow-{clause}" for clause in clauses}
            broken[adapter.__name__] = adapter
            return adapter
        return register
    return broken, breaks
