"""The Arrow IPC format for the generators: see generators/formats.py."""

import functools
import hashlib

from ..recipe import Catalogue
from .bases import ints
from .flatbuffers import Style

LATER = "arrow-columnar-1.5"
SUCCESSORS = {"arrow-time-value-range": "arrow-time-within-one-day",
              "arrow-footer-version-equal": "arrow-footer-version-identical",
              "arrow-footer-schema-metadata-equal": "arrow-footer-schema-metadata-identical",
              "arrow-footer-blocks-in-stream-order": "arrow-footer-blocks-as-in-stream"}
# Each is a table of 2^31 - 1 rows, which takes ten seconds of CPU to import and to export again.
MANY_ROWS = ["valid/2.2/arrow-batch-length-within-int31--largest.arrows"]
catalogue = Catalogue("arrow-columnar", base=ints, suffix=ints.suffix, successors=SUCCESSORS)


def _named_by_kind(register):
    """The suffix of a fixture is that of its base: .arrows for streams, .arrow for files."""

    @functools.wraps(register)
    def registering(*arguments, base=ints, **options):
        return register(*arguments, base=base, suffix=base.suffix, **options)

    return registering


valid, invalid = _named_by_kind(catalogue.valid), _named_by_kind(catalogue.invalid)

valid_since_later = functools.partial(valid, since=LATER)
invalid_since_later = functools.partial(invalid, since=LATER)


def later(clause, *, broken=(), remarks=()):
    """The different expectation of format 1.5: `revised=later(clause)` for what it allows,
    `revised=later(clause, broken=[clause])` for what it does not."""
    return {LATER: {"kind": "invalid" if broken else "valid", "clause": clause,
                    "fails": set(broken), "warns": set(), "informs": set(remarks), "outcome": None,
                    "alias": None}}


def corrupted(clause, slug, shows, pokes, message=-1, **options):
    """A broken flatbuffer: overwrites numbers of a message, {"header.nodes:count": 9}."""
    @invalid(clause, slug, shows, **options)
    def mutate(stream):
        stream.messages[message].pokes += [*pokes.items()]


def other(clause, slug, shows, good, bad, **options):
    """A broken stream that is not a mutation of the valid one, `good`."""
    invalid(clause, slug, shows, base=good, **options)(lambda _: bad())


# Valid flatbuffers vary in layout, so those of valid fixtures do too.
_STYLES = [Style(), Style(vtables="behind"), Style(vtables="shared", last_first=True),
           Style(defaults=True), Style(fields="id", deep=False),
           Style(vtables="behind", defaults=True, fields="id"), Style(vtables="shared", deep=False)]


def style_of(recipe):
    """Depends on the name of the file only, so that a new recipe does not change the others."""
    if recipe.expected.kind != "valid":
        return Style()
    return _STYLES[hashlib.sha256(recipe.path.encode()).digest()[0] % len(_STYLES)]


def made_of(recipe):
    """The stream or file of a recipe, in its style."""
    stream = recipe.mutated()
    assert recipe.path.endswith(stream.suffix), f"{recipe.path}: not {stream.suffix}"
    stream.style = stream.style or style_of(recipe)
    return stream


def make(recipe):
    return made_of(recipe).bytes(), "/"


def made_with():
    return {}
