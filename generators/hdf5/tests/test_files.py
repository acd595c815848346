"""Tests that the files have their stated properties: libhdf5 reads the valid ones correctly, and each
broken one differs from its base."""

import fnmatch
import hashlib
import math
import re
import tempfile
import time
import unittest

import h5py
import numpy as np

from generators import formats
from generators.hdf5 import REFERENCE, VLEN, Contiguous, Dataset, Datatype, Group, Virtual
from generators.hdf5.library import Library

FORMAT = formats.find("hdf5")

# Valid files that libhdf5 1.14 cannot read, and the reasons.
UNREAD = {
    "valid/FF-II.A/swmr-superblock-length-size--unlimited-in-4-bytes.h5":
        "it forgets that a size is unlimited where lengths have 4 bytes",
    "valid/FF-IV.A.2/swmr-shared-message-form--version-1-and-lengths-of-four.h5":
        "it forgets that a size is unlimited where lengths have 4 bytes",
    "valid/FF-IV.A.1.a/swmr-ohdr-unknown-message-ignored--that-says-to-fail.h5":
        "the file says that it must not",
    "valid/FF-II.A/swmr-superblock-status-reserved--flags-1.h5":
        "it reads no file that is open for writing",
    "valid/FF-IV.A.2.d/swmr-datatype-class--complex-of-2-0.h5": "it is of HDF5 2.0",
    "valid/FF-IV.A.2.d/swmr-datatype-version--compound-of-version-5.h5": "it is of HDF5 2.0",
    "valid/FF-IV.A.2.i/swmr-layout-version--version-5.h5": "it is of HDF5 2.0",
    "valid/9.2/swmr-btree2-record-size--layout-5.h5": "it is of HDF5 2.0",
    "valid/FF-III.D/swmr-local-heap-free-list--undefined.h5":
        "it takes 1 alone for an empty list, whatever the text says",
    "valid/FF-IV.A.2.d/swmr-datatype-fits--forty-arrays.h5":
        "it works on a type so deep for minutes",
    "valid/FF-IV.A.2.d/swmr-datatype-fits--seventy-arrays.h5":
        "it works on a type so deep for minutes",
    "valid/IV.A.2.d/h5-risk-datatype-depth--32.h5": "it works on a type so deep for half a minute",
    "valid/II.B/h5-driver-family-size--of-4096-bytes.h5": "it is one of several files",
    "valid/II.B/h5-driver-multi-map--split.h5": "it is one of several files",
    "valid/II.B/h5-driver-multi-members--six.h5": "it is one of several files",
    "valid/IV.A.2.d/h5-datatype-bits-reserved--each-class.h5": "it is of HDF5 2.0",
    "valid/IV.A.2.d/h5-datatype-complex-*": "it is of HDF5 2.0",
    "valid/IV.A.2.d/h5-risk-datatype-depth--32.h5": "it works on a type so deep for half a minute",
    "valid/IV.A.2.h/*": "the files of its data do not exist",
    "valid/IV.B/h5-risk-shared-storage--beside.h5": "the files of its data do not exist",
    "valid/IV.A.2.l/h5-scaleoffset-chunk--raw.h5": "it refuses chunks that it packed with all bits",
    "valid/IV.A.2.l/h5-risk-filter-private--307.h5": "it has no such filter",
    # Of virtual datasets it reads version 0 without points, where the extent contains all mappings, and takes the
    # extent without a limit from sources, which do not exist here.
    "valid/III.F/*": "it supports a part of what the text describes",
    "valid/IV.B/h5-vlen-null-allowed--all.h5": "it looks for the object of no elements at the undefined address",
}


def unread(path):
    return any(fnmatch.fnmatchcase(path, pattern) for pattern in UNREAD)


def of_file_format(path):
    """Whether it is a fixture of the file format specification."""
    return not re.match(r"(in)?valid/(\d|FF-)", path)


def read(test, file):
    with tempfile.NamedTemporaryFile() as stored:
        stored.write(file.bytes())
        stored.flush()
        # A SWMR reader ignores the end-of-file address.
        with h5py.File(stored.name, "r", swmr=bool(file.flags & 4)) as found:
            compare(test, file, found)


def read_library(file):
    # The sources of a virtual dataset are looked for beside the file; for one in memory they all exist.
    with tempfile.NamedTemporaryFile() as stored:
        stored.write(file.bytes())
        stored.flush()
        with h5py.File(stored.name, "r") as found:
            found.visititems(lambda name, item: item[()] if isinstance(item, h5py.Dataset)
                             and item.nbytes <= MOST else None)


def compare(test, file, found):
    for path, node in file.objects().items():
        item = found[path]
        dict(item.attrs)
        for attribute in node.attributes:
            name = attribute.name.rstrip(b"\0")
            if plain(attribute.type) and len(attribute.value) and name.isascii():
                read = item.attrs.get_id(name)
                made = np.empty(read.shape, f"V{read.get_type().get_size()}")
                read.read(made, mtype=read.get_type())
                test.assertEqual(made.tobytes(), attribute.value, f"{path}@{name}")
        if isinstance(node, Group):
            names = [name.decode() for name, _ in node.pairs()]
            test.assertEqual(sorted(item), sorted(names))
        elif isinstance(node, Dataset) and node.shape is not None:
            test.assertEqual(item.shape, node.shape)
            compare_values(test, file, path, item.id, node)


def plain(type):
    """Whether elements have the same bytes in memory: no references and no pointers into heaps."""
    if not isinstance(type, Datatype):
        type = type.type
    return type.number not in (VLEN, REFERENCE) and all(
        plain(value) for _, value, *_ in type.properties if isinstance(value, Datatype))


MOST = 1 << 20  # bytes of a dataset that are compared


def compare_values(test, file, path, dataset, node):
    if isinstance(node.storage, Virtual):
        return  # its values are those of other datasets
    size = math.prod(node.shape) * node.element_size
    if not 0 < size <= MOST or not plain(node.type) or dataset.get_type().get_size() != node.element_size:
        return
    made = np.empty(node.shape, f"V{node.element_size}")
    dataset.read(h5py.h5s.ALL, h5py.h5s.ALL, made, dataset.get_type())
    test.assertEqual(made.tobytes(), stored(file, path, node), path)


def stored(file, path, node):
    """The elements as the recipe stores them."""
    if isinstance(node.storage, Contiguous):
        data = [block for block in file.image.blocks if (block.kind, block.owner) == ("data", path)]
        if data:
            return data[0].bytes()[:math.prod(node.shape) * node.element_size]
    return node.expected()


class Files(unittest.TestCase):
    def test_valid_files_are_read(self):
        for recipe in FORMAT.recipes("valid/*"):
            with self.subTest(recipe.path):
                file = recipe.mutated()
                if isinstance(file, Library):
                    read_library(file)
                elif not unread(recipe.path):
                    read(self, file)

    def test_generation_does_not_depend_on_time(self):
        recipes = FORMAT.recipes("valid/*--library-*")
        first = [recipe.mutated().bytes() for recipe in recipes]
        time.sleep(1.1)
        for recipe, content in zip(recipes, first):
            self.assertEqual(content, recipe.mutated().bytes(), recipe.path)

    def test_broken_ones_differ(self):
        valid = {hashlib.sha256(path.read_bytes()).digest()
                 for path in (FORMAT.fixtures / "valid").glob("*/*.h5")}
        for recipe in FORMAT.recipes("invalid/*"):
            with self.subTest(recipe.path):
                broken = (FORMAT.fixtures / recipe.path).read_bytes()  # which fixtures_are_current compares
                # The bases of the file format specification are often broken themselves, and a sound file
                # may show a risk.
                if not of_file_format(recipe.path):
                    self.assertNotEqual(broken, recipe.base().bytes())
                elif "/h5-risk-" not in recipe.path:
                    self.assertFalse(hashlib.sha256(broken).digest() in valid, "it is a valid fixture, too")


if __name__ == "__main__":
    unittest.main()
