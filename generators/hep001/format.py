"""The HEP001 format for the generators: see generators/formats.py."""

import contextlib
import functools
import tempfile
import zlib
from pathlib import Path

import h5py

from .. import processes
from ..recipe import Catalogue
from .table import small_table
from .write import write

OLDER, NEWER = "hep001-2026-06-16", "hep001-2026-07-09"
SUCCESSORS = {"column-is-direct-child-dataset": "column-stored-as-dataset-unless-list",
              "consumer-enumerate-columns": "consumer-enumerate-all-columns",
              "fill-user-defined": "fill-user-defined-unless-boolean",
              "bitmap-residue": "bitmap-residue-bytes",
              "bloom-no-composite-column": "bloom-no-compound-array-sequence",
              "index-content-correct": "valid-index-content-correct",
              "append-deletes-unmaintained-indexes": "append-unmaintained-index-left",
              "truncate-updates-or-deletes-indexes": "truncate-unmaintained-index-left"}

catalogue = Catalogue("hep001", base=small_table, suffix=".h5", successors=SUCCESSORS)
valid, invalid = catalogue.valid, catalogue.invalid

valid_since_newer = functools.partial(valid, since=NEWER)
invalid_since_newer = functools.partial(invalid, since=NEWER)


def newer(**options):
    """The different expectations of the newer revision: `revised=newer(fails=...)`."""
    return {NEWER: options}


def make(recipe):
    table = recipe.mutated()
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        if write(table.file, "fixture.h5") and not processes.is_first():
            raise processes.Again
        return Path("fixture.h5").read_bytes(), table.path


def made_with():
    return {"HDF5": h5py.version.hdf5_version, "zlib": zlib.ZLIB_RUNTIME_VERSION}
