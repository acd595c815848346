"""HEP001 as the generators know it: see generators/formats.py."""

import contextlib
import tempfile
import zlib
from pathlib import Path

import h5py

from ..recipe import Catalogue
from .table import small_table
from .write import write

catalogue = Catalogue("hep001", base=small_table, suffix=".h5", drafts=["hep001-2026-07-09"])
valid, invalid = catalogue.valid, catalogue.invalid


def make(recipe):
    """Wants a process for each file: H5T_STD_REF attributes keep a byte of the file's identifier
    as padding, and identifiers count the files that the process has opened."""
    table = recipe.bent()
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        write(table.file, "fixture.h5")
        return Path("fixture.h5").read_bytes(), table.path


def made_with():
    return {"HDF5": h5py.version.hdf5_version, "zlib": zlib.ZLIB_RUNTIME_VERSION}
