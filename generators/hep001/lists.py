"""List columns (2026-07-09, section 9): nested lists of values as groups of offsets and elements.

A null entry, of a list or of a string, is None. Recipes mutate the members of a level.
"""

from .datatypes import BOOL, U8, U64
from .objects import DEFAULT, Dataset, Group, ascii_text

TEXTS = "texts of any length"  # a leaf of them is a STRING_VALUES group


class Level(Group):
    """A group of CLASS LIST_COLUMN or STRING_VALUES. `elements` is the level or dataset below."""

    @property
    def offsets(self):
        return self.children["OFFSETS"]

    @property
    def mask(self):
        return self.children["MASK"]

    @property
    def elements(self):
        return self.children.get("VALUES") or self.children["CHARS"]

    @property
    def innermost(self):
        below = self.elements
        return below.innermost if isinstance(below, Level) else self

    def replace(self, name, child):
        """Replaces a member by another object or link."""
        self.children[name] = child
        return child


def list_level(entries, leaf, depth=1, fill=DEFAULT, masked=()):
    """The level with these entries; `depth` levels of lists end in a `leaf` of some datatype
    or TEXTS. A level has a MASK if one of its entries is null, or if its depth, counted from the
    outermost, is in `masked`."""
    level = Level()
    level.attrs["CLASS"] = ascii_text("LIST_COLUMN")
    level.attrs["KIND"] = ascii_text("OFFSETS")
    below = _add_offsets(level, entries)
    deeper = {place - 1 for place in masked}
    if depth > 1:
        level.add("VALUES", list_level(below, leaf, depth - 1, fill, deeper))
    elif leaf == TEXTS:
        level.add("VALUES", _texts(below, 0 in deeper))
    else:
        level.add("VALUES", Dataset(leaf, below, fill=fill))
    _add_mask(level, entries, 0 in masked)
    return level


def _texts(entries, masked):
    level = Level()
    level.attrs["CLASS"] = ascii_text("STRING_VALUES")
    encoded = [entry.encode() if isinstance(entry, str) else entry for entry in entries]
    level.add("CHARS", Dataset(U8, _add_offsets(level, encoded)))
    _add_mask(level, entries, masked)
    return level


def _add_offsets(level, entries):
    """Writes the end of each entry, and returns the elements of all of them."""
    offsets, elements = [0], []
    for entry in entries:
        elements += entry or []
        offsets.append(len(elements))
    level.add("OFFSETS", Dataset(U64, offsets))
    return elements


def _add_mask(level, entries, wanted):
    if wanted or None in entries:
        level.add("MASK", Dataset(BOOL, [int(entry is not None) for entry in entries]))
