"""TileDB array schemas for the generators: see generators/formats.py."""

import functools
import zlib

from ..recipe import Catalogue
from .bases import dense

catalogue = Catalogue("tiledb-array-schema", base=dense, suffix=".tdb")


def _suffix_of(base):
    return base().suffix


def _registering(register, clause, slug=None, shows=None, change=None, *, base=dense, **options):
    """As a decorator, or with the change as the last argument. Ids go without their prefix."""
    def full(ids):
        return [each if each.startswith("tiledb-") else f"tiledb-{each}" for each in ids]

    for word in ("keeps", "fails", "warns", "informs", "also", "unchecked"):
        if word in options:
            options[word] = full(options[word])
    for word in ("alias", "ambiguity"):
        if options.get(word):
            options[word], = full([options[word]])
    made = register(*full([clause]), slug, shows, base=base, suffix=_suffix_of(base), **options)
    return made(change) if change else made


valid = functools.partial(_registering, catalogue.valid)
invalid = functools.partial(_registering, catalogue.invalid)


def make(recipe):
    made = recipe.mutated()
    assert recipe.path.endswith(made.suffix), f"{recipe.path}: not {made.suffix}"
    return made.bytes(), "/"


def made_with():
    return {"zlib": zlib.ZLIB_RUNTIME_VERSION}
