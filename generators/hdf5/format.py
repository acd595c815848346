"""The HDF5 container as the generators know it: see generators/formats.py."""

import functools
import zlib

import h5py

from ..recipe import SETS, Catalogue
from .bases import extensible

TOGETHER = True
catalogue = Catalogue("hdf5-swmr", base=extensible, suffix=".h5")


def _with_what_the_base_draws(register, invalid):
    """Expectations as those of the recipes of any format, but for one thing: what the base itself
    draws (`bases.draws`) is added, unless the sets are given. `also` adds clauses to that, `less`
    takes some away."""

    @functools.wraps(register)
    def registering(clause, *arguments, base=extensible, also=(), less=(), **options):
        if not options.keys() & {*SETS}:
            ids = {*getattr(base, "draws", ()), *also} - {*less}
            if invalid and "outcome" not in options:
                ids.add(_reported_as(clause, options))
            for word in SETS:
                options[word] = {each for each in ids if _set_of(each) == word}
            if invalid and _reported_as(clause, options) != clause:
                options.setdefault("alias", _reported_as(clause, options))
        return register(clause, *arguments, base=base, **options)

    return registering


def _reported_as(clause, options):
    if options.get("alias"):
        return options["alias"]
    others = catalogue.clauses[clause].get("emitted_as", [])
    assert len(others) < 2, f"{clause} is reported as one of {others}: say which by alias="
    return others[0] if others else clause


def _set_of(clause):
    return {"error": "fails", "warning": "warns",
            "info": "informs"}[catalogue.clauses[clause]["default_severity"]]


valid = _with_what_the_base_draws(catalogue.valid, invalid=False)
invalid = _with_what_the_base_draws(catalogue.invalid, invalid=True)


def changed(clause, slug, shows, fields, **options):
    """A broken file with other values in some fields: {"EAHD: version": 1}. The checksum is that of
    the new bytes."""
    @invalid(clause, slug, shows, **options)
    def bend(file):
        for name, value in fields.items():
            block, field = name.split(": ")
            file[block][field] = value(file) if callable(value) else value


def spoilt(clause, slug, shows, name, mask=1, **options):
    """A broken file: a bit of a field ("EAHD: version") was changed, but not the checksum."""
    @invalid(clause, slug, shows, **options)
    def bend(file):
        block, field = name.split(": ")
        file[block].spoil(field, mask)


def make(recipe):
    file = recipe.bent()
    return file.bytes(), file.path


def made_with():
    return {"HDF5": h5py.version.hdf5_version, "zlib": zlib.ZLIB_RUNTIME_VERSION}
