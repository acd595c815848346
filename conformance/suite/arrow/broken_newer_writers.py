"""Writers of Arrow format 1.5 with one mistake each: broken_newer_writers.py NAME. Each names the clauses that it
violates: clauses about producers, and about the files themselves."""

import sys

from mistakes import registry  # first: it adds the adapter to the path

from adapter import Adapter
from writing import Writer

BROKEN, breaks = registry()
CONFORMANT = "producer-every-output-conformant"


def writer(**methods):
    """A class of adapters whose writer has these methods."""
    return type("Changed", (Adapter,), {"writer": type("ChangedWriter", (Writer,), methods)})


@breaks(CONFORMANT, "view-prefix-equal")
class SwapsPrefixes(writer(view=lambda self, piece, index, offset: Writer.view(
        self, piece[:4][::-1] + piece[4:] if len(piece) > 12 else piece, index, offset))):
    """Writes the prefix of a long view from its end."""


@breaks(CONFORMANT)
class CutsViews(writer(view=lambda self, piece, index, offset: Writer.view(self, piece[:12], index, offset))):
    """Cuts long values to what a view holds itself."""


@breaks(CONFORMANT, "view-inline-padding-zero")
class LeavesPadding(writer(view=lambda self, piece, index, offset: Writer.view(self, piece, index, offset)[:15] + (
        b"x" if len(piece) < 12 else Writer.view(self, piece, index, offset)[15:]))):
    """Leaves a byte behind short values."""


@breaks(CONFORMANT, "variadic-counts-present")
class CountsNothing(Adapter):
    """Does not say how many data buffers there are."""

    class writer(Writer):
        def batch(self, fields, columns, rows):
            table, body = super().batch(fields, columns, rows)
            return {key: value for key, value in table.items() if key != 4}, body


@breaks(CONFORMANT, "variadic-counts-one-for-each-view")
class CountsOncePerBatch(Adapter):
    """Writes only the number of data buffers of the first view column."""

    class writer(Writer):
        def batch(self, fields, columns, rows):
            table, body = super().batch(fields, columns, rows)
            return {**table, **({4: ("q", table[4][1][:1])} if 4 in table else {})}, body


@breaks(CONFORMANT)
class ListsInOrder(writer(list_slots=lambda self, starts, sizes, length, width: Writer.list_slots(
        self, [sum(sizes[:i]) for i in range(len(sizes))], sizes, length, width))):
    """States the offsets of lists in their order, but writes them in the reverse order."""


@breaks(CONFORMANT, "list-view-end-in-child")
class EndsAsSizes(writer(list_slots=lambda self, starts, sizes, length, width: Writer.list_slots(
        self, starts, [start + size for start, size in zip(starts, sizes)], length, width))):
    """States where lists end instead of their sizes."""


@breaks(CONFORMANT, "run-ends-ascending")
class LengthsOfRuns(writer(run_ends=lambda self, ends: [
        end - before for before, end in zip([0, *ends], ends)][:-1] + ends[-1:])):
    """States the lengths of all runs but the last."""


@breaks(CONFORMANT, "run-ends-cover-length")
class LastOfRuns(Adapter):
    """Ends the last run one slot too early, where that leaves a slot of it."""

    class writer(Writer):
        def run_ends(self, ends):
            before, *_ = ends[-2:-1] or [0]
            return ends[:-1] + [end - (end - before > 1) for end in ends[-1:]]


@breaks(CONFORMANT)
class RepeatsFirstRun(Adapter):
    """Writes the value of the first run for all runs of numbers."""

    class writer(Writer):
        def of_run_end_encoded(self, field, values):
            number = field["children"][1]["type"]["class"] in ("int", "float")
            super().of_run_end_encoded(field, values[:1] * len(values) if number else values)


@breaks(CONFORMANT)
class LosesSigns(Adapter):
    """Loses the sign of decimals of 32 bits."""

    class writer(Writer):
        def of_fixed(self, field, values):
            narrow = field["type"]["class"] == "decimal" and field["type"]["bits"] == 32
            super().of_fixed(field, [value and value.lstrip("-") for value in values] if narrow else values)


@breaks(CONFORMANT)
class LosesWords(Adapter):
    """Writes only the lower half of decimals of 256 bits, without their sign."""

    class writer(Writer):
        def of_fixed(self, field, values):
            wide = field["type"]["class"] == "decimal" and field["type"]["bits"] == 256
            super().of_fixed(field, [value and str(int(value) % (1 << 128)) for value in values] if wide else values)


@breaks(CONFORMANT)
class SwapsParts(writer(interval=lambda self, value: Writer.interval(self, [value[1], value[0], value[2]]))):
    """Exchanges months and days."""


@breaks(CONFORMANT)
class Milliseconds(writer(interval=lambda self, value: Writer.interval(self, [*value[:2], int(value[2]) // 1_000_000]))):
    """Writes milliseconds instead of nanoseconds."""


if __name__ == "__main__":
    BROKEN[sys.argv[1]]().serve()
