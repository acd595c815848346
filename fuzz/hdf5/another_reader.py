"""Checks containers for fuzz/damage: whether h5py can read a container that hepcheck passes, and which
bytes are covered by a checksum, so that every change of them must be reported."""

import functools
import pathlib
import sys

import h5py

HERE = pathlib.Path(__file__).resolve().parent
FIXTURES = HERE.parents[1] / "fixtures/hdf5"
sys.path.insert(0, str(HERE.parents[1]))
from generators import formats
from generators.hdf5 import File
from hdf5 import chunk_lists

# Larger datasets are not read; damage may create datasets of any size.
MOST = 1 << 20
# Errors of libhdf5 that the format does not require: about the status flags of a superblock of version
# 0 or 1, which have no meaning; about negative sizes of fill values, which mean that there is none; about
# the bits of numbers, which are not examined; and about chunked dimensions above 2^63, of which it allows any.
STRICTER = ("bad superblock status flags", "bad flag value for superblock",
            "invalid combination of fill-value info", "integer offset", "bitfield offset",
            "sign bit position", "exponent ", "mantissa ", "unusually large # of unused bits",
            "unable to get the next power of 2")
# Groups may contain themselves. (Requesting their addresses makes libhdf5 read more than members.)
DEEPEST = 6


def reads_everything(path):
    """Whether all objects can be read, and all values."""
    try:
        # A file with an active SWMR writer is opened as such; one that is locked is not opened at all.
        with h5py.File(path, "r", swmr=_flags(path) & 4 == 4) as file:
            _walk(file, 0)
    except (OSError, RuntimeError, KeyError) as trouble:
        return _flags(path) & 5 == 1 or any(words in str(trouble) for words in STRICTER)
    except (TypeError, UnicodeError):  # a datatype or a name that h5py does not support
        pass
    return True


def reads_the_same(hepcheck, path):
    """Whether the chunks of the file are where hepcheck says they are, as far as h5py opens it."""
    try:
        return not chunk_lists.differences(hepcheck, path)[0]
    except (OSError, RuntimeError, ValueError):
        return True


def _flags(path):
    with open(path, "rb") as file:
        head = file.read(12)
    return head[11] if len(head) == 12 and head[8] == 3 else 0


def _walk(group, depth):
    if depth > DEEPEST:
        return
    dict(group.attrs.items())
    for name in group:
        if not isinstance(group.get(name, getlink=True), h5py.HardLink):
            continue
        item = group[name]
        if isinstance(item, h5py.Group):
            _walk(item, depth + 1)
        else:
            dict(item.attrs.items())
        if isinstance(item, h5py.Dataset) and item.shape is not None and item.nbytes <= MOST:
            item[()]


@functools.cache
def checksummed(path):
    """[(begin, end, places)]: the bytes from `begin` up to `end` are under a checksum of the block,
    or of the page of a block, at one of `places`. Known for the fixtures that were written field by
    field."""
    if not pathlib.Path(path).is_relative_to(FIXTURES):
        return []
    name = str(pathlib.Path(path).relative_to(FIXTURES))
    found = []
    for recipe in formats.find("hdf5").recipes(name):
        file = recipe.mutated()
        if recipe.path != name or not isinstance(file, File):
            continue
        file.bytes()
        # The bytes of a metadata cache image replace blocks in the file.
        replaced = [entry for image in file.image.blocks if image.kind == "MDCI"
                    for entry in (image[path] for path in image.paths() if path.endswith(".address"))]
        for block in file.image.blocks:
            if any(block is entry for entry in replaced):
                continue
            begin = file.image.base + block.address
            # Without its signature a file is not HDF5, and no block can be named.
            spared = 8 if block.kind == "superblock" else 0
            found += [(begin + max(first, spared), begin + end, {begin, begin + first})
                      for first, end in block.covered()]
    return found
