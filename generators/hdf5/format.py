"""The HDF5 container format for the generators: see generators/formats.py."""

import zlib

import h5py

from ..recipe import Catalogue
from .bases import extensible
from .further import FURTHER

SWMR, FILE_FORMAT = "hdf5-swmr-2013-10-10", "hdf5-file-format-4.0"


def _summed_up(path, expectations):
    """Adds what the File Format Specification finds beside the clause of a recipe."""
    expected = expectations.get(FILE_FORMAT)
    if not expected:
        return
    for word, clauses in FURTHER.get(path, {}).items():
        getattr(expected, word).update(clauses)
    # The risk profile sums up errors and risks.
    if expected.fails or any(clause.startswith("h5-risk-") for clause in expected.informs):
        expected.informs.add("h5-risk-profile")


catalogue = Catalogue("hdf5", base=extensible, suffix=".h5", overlapping=True,
                      completed=_summed_up)
valid, invalid = catalogue.valid, catalogue.invalid


def changed(clause, slug, shows, fields, **options):
    """A broken file with other values in some fields: {"EAHD: version": 1}. The checksum is computed from
    the new bytes."""
    @invalid(clause, slug, shows, **options)
    def mutate(file):
        for name, value in fields.items():
            block, field = name.split(": ")
            file[block][field] = value(file) if callable(value) else value


def corrupted(clause, slug, shows, name, mask=1, **options):
    """A broken file: a bit of a field ("EAHD: version") was changed, and the checksum was not."""
    @invalid(clause, slug, shows, **options)
    def mutate(file):
        block, field = name.split(": ")
        file[block].corrupt(field, mask)


def make(recipe):
    file = recipe.mutated()
    return file.bytes(), file.path


def made_with():
    return {"HDF5": h5py.version.hdf5_version, "zlib": zlib.ZLIB_RUNTIME_VERSION}
