"""Tests changes that must not affect a verdict: tables written differently, and irrelevant changes to files.

The generators write the tables, so indexes are recomputed where necessary. HEPCHECK names the program.
"""

import json
import os
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile
import unittest

import h5py
import numpy as np

SOURCE = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(SOURCE))

from generators.hep001 import good_table, small_table  # noqa: E402
from generators.hep001.libhdf5 import has_wide_codes  # noqa: E402
from generators.hep001.write import write  # noqa: E402

HEPCHECK = pathlib.Path(os.environ["HEPCHECK"]).resolve()
FIXTURES = SOURCE / "fixtures/hep001"
MANIFEST = json.loads((FIXTURES / "manifest.json").read_text())["fixtures"]


def reports(paths):
    """For each file, the failed and unchecked results by table and clause, or the reason of its refusal."""
    run = subprocess.run([HEPCHECK, "validate", "--format", "json", *map(str, paths)],
                         capture_output=True, timeout=300)
    judged = []
    for file in json.loads(run.stdout)["files"]:
        judged.append({(table["path"], clause["id"], clause["verdict"], clause["severity"])
                       for table in file["tables"] for clause in table["clauses"]
                       if clause["verdict"] == "fail" or
                       (clause["verdict"] == "not-checked" and clause["level"].startswith("MUST"))}
                      or str(file["error"] and file["error"].split(": ", 1)[-1]))
    return judged


def is_number(dataset):
    """Whether numpy supports it: not every HDF5 datatype has a dtype."""
    try:
        return not has_wide_codes(dataset.id.get_type()) and dataset.dtype.kind in "iuf"
    except (TypeError, ValueError):
        return False


class Metamorphic(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def written(self, number, table):
        path = self.folder / f"{number}.h5"
        write(table.file, str(path))
        return path

    def assert_clean(self, tables):
        paths = [self.written(number, table) for number, table in enumerate(tables)]
        for path, report in zip(paths, reports(paths), strict=True):
            self.assertEqual(report, "None", path.name)

    def assert_unchanged(self, originals, change):
        """change(path) modifies a copy; files for which it returns False are skipped."""
        pairs = []
        for number, original in enumerate(originals):
            copy = self.folder / f"{number}.h5"
            shutil.copy(original, copy)
            if change(copy) is not False:
                pairs.append((original, copy))
        self.assertGreater(len(pairs), 5)
        before = reports([original for original, _ in pairs])
        after = reports([copy for _, copy in pairs])
        for (original, _), was, now in zip(pairs, before, after, strict=True):
            self.assertEqual(was, now, original.relative_to(FIXTURES))

    # --- Written differently ---------------------------------------------------------------

    def test_order_of_creation(self):
        shuffler = random.Random(7)
        tables = []
        for _ in range(4):
            table = good_table()
            names = list(table.children)
            shuffler.shuffle(names)
            table.children = {name: table.children[name] for name in names}
            tables.append(table)
        self.assert_clean(tables)

    def test_chunk_shape(self):
        tables = []
        for rows in (1, 2, 3, 5, 8, 16, 100):
            table = good_table()
            for column in table.columns().values():
                column.chunk, column.maxshape = rows, (None,)
            tables.append(table)
        self.assert_clean(tables)

    def test_filters(self):
        tables = []
        for options in ({"shuffle": True}, {"deflate": 6}, {"fletcher32": True},
                        {"shuffle": True, "deflate": 1, "fletcher32": True}):
            table = good_table()
            for column in table.columns().values():
                for name, value in options.items():
                    setattr(column, name, value)
            tables.append(table)
        self.assert_clean(tables)

    def test_layout(self):
        tables = []
        for compact in (False, True):
            table = good_table()
            for column in table.columns().values():
                column.chunk, column.maxshape, column.compact = None, None, compact
            tables.append(table)
        self.assert_clean(tables)

    def test_truncation_and_append_with_rebuilt_indexes(self):
        tables = []
        for rows in range(17):
            table = good_table()
            # Codes after the tenth row are garbage until they become rows.
            label = table.column("label")
            label.values = [value if value in (0, 1, 2) else label.fill for value in label.values]
            table.nrows = rows
            tables.append(table)
        self.assert_clean(tables)

    def test_place_in_the_file(self):
        self.assert_clean([good_table(at) for at in ("/", "/a", "/a/b/c/d")])

    # --- Changes without influence --------------------------------------------------------------

    def sample(self, step):
        # h5py cannot change objects that it cannot read.
        return [FIXTURES / entry["file"] for entry in MANIFEST[::step] if "unchecked" not in entry]

    def test_user_attributes(self):
        def change(path):
            with h5py.File(path, "r+") as file:
                for table in tables_of(file):
                    table.attrs["instrument"] = "spectrometer"
                    table.attrs["gain"] = [1.5, 2.5]
                    for child in table.values():
                        if isinstance(child, h5py.Dataset) and child.ndim == 1:
                            child.attrs["calibration"] = 3
        self.assert_unchanged(self.sample(9), change)

    def test_garbage_after_the_last_row(self):
        def change(path):
            changed = False
            with h5py.File(path, "r+") as file:
                for table in tables_of(file):
                    rows = table.attrs["NROWS"]
                    if not isinstance(rows, np.integer) or rows < 0:
                        continue
                    for child in columns_of(table):
                        if is_number(child) and child.shape[0] > rows:
                            tail = child[rows:]
                            other = ~tail if tail.dtype.kind in "iu" else -1 - tail
                            child[rows:] = other.astype(tail.dtype)
                            changed = True
            return changed
        self.assert_unchanged(self.sample(3), change)

    def test_objects_next_to_the_table(self):
        def change(path):
            with h5py.File(path, "r+") as file:
                if "CLASS" in file.attrs:
                    return False
                file.create_group("beside/deeper").attrs["CLASS"] = "TABLE"
                file["beside/image"] = [[1, 2], [3, 4]]
        self.assert_unchanged(self.sample(11), change)

    def test_from_memory(self):
        """Standard input, read through the core driver, has the same result as the file."""
        for path in self.sample(60):
            by_path = subprocess.run([HEPCHECK, "validate", "--format", "json", path],
                                     capture_output=True, timeout=60)
            by_image = subprocess.run([HEPCHECK, "validate", "--format", "json", "-"],
                                      input=path.read_bytes(), capture_output=True, timeout=60)
            self.assertEqual(by_path.returncode, by_image.returncode, path)
            self.assertEqual(json.loads(by_path.stdout)["files"][0]["tables"],
                             json.loads(by_image.stdout)["files"][0]["tables"], path)

    # --- List columns and stale indexes ------------------------------------------------------

    def with_lists(self):
        """Fixtures of list columns, except those about lengths and readability of members."""
        about = ("list-", "nested-list-", "string-")
        return [FIXTURES / entry["file"] for entry in MANIFEST
                if entry["clause"].startswith(about)
                and not entry["clause"].startswith("list-offsets-")
                and not entry["clause"].endswith(("-extent", "-rank-1", "-present"))]

    def test_masks_that_hide_nothing(self):
        def change(path):
            changed = False
            with h5py.File(path, "r+") as file:
                for level in levels_of(file):
                    if "MASK" not in level and isinstance(level.get("OFFSETS"), h5py.Dataset):
                        level["MASK"] = np.ones(1000, bool)
                        changed = True
            return changed
        self.assert_unchanged(self.with_lists(), change)

    def test_members_in_other_chunks(self):
        def change(path):
            with h5py.File(path, "r+") as file:
                return any([rewrite(level, name, chunk=length)
                            for length, level in enumerate(levels_of(file), 2)
                            for name in ("OFFSETS", "MASK", "VALUES", "CHARS")])
        self.assert_unchanged(self.with_lists(), change)

    def test_elements_after_the_last_list(self):
        def change(path):
            with h5py.File(path, "r+") as file:
                return any([rewrite(level, name, reserve=b"\xEF\xBB" * 40)
                            for level in levels_of(file)
                            for name in ("OFFSETS", "MASK", "VALUES", "CHARS")])
        self.assert_unchanged(self.with_lists(), change)

    def test_stale_indexes_may_contain_anything(self):
        def change(path):
            changed = False
            with h5py.File(path, "r+") as file:
                for table in tables_of(file):
                    below = table.get("SEARCH_INDEXES")
                    indexes = [each for each in below.values() if "KIND" in each.attrs]
                    for index in indexes:
                        index.attrs.modify("SOURCE_GENERATION", table.attrs["GENERATION"] + np.uint64(1))
                        if is_number(index) and index.size > 0:
                            index[...] = index[...] + index.dtype.type(1)
                            changed = True
            return changed
        valid = [FIXTURES / entry["file"] for entry in MANIFEST
                 if entry["kind"] == "valid" and entry["file"].startswith("valid/10.")
                 and keeps_tokens(FIXTURES / entry["file"])]
        clean = [path for path, report in zip(valid, reports(valid), strict=True) if report == "None"]
        self.assert_unchanged(clean, change)

    # h5repack 1.14.5 fails on attributes of H5T_STD_REF, so these tables do not have them.
    def test_h5repack(self):
        tables = [small_table() for _ in range(6)]
        originals = [self.written(number, table) for number, table in enumerate(tables)]
        copies = []
        for original, options in zip(originals, (
                ["-f", "GZIP=6"], ["-f", "SHUF", "-f", "GZIP=1"], ["-l", "CHUNK=2"], ["-l", "COMPA"],
                ["--low=0", "--high=4"], ["--low=4", "--high=4"]), strict=True):
            copy = original.with_suffix(".repacked.h5")
            subprocess.run(["h5repack", *options, original, copy], check=True, timeout=60)
            copies.append(copy)
        self.assertEqual(reports(originals), reports(copies))
        self.assertEqual(reports(copies), ["None"] * len(copies))


def tables_of(file):
    found = [file["/"]] if "CLASS" in file.attrs and "NROWS" in file.attrs else []

    def visit(_, node):
        if isinstance(node, h5py.Group) and "CLASS" in node.attrs and "NROWS" in node.attrs:
            found.append(node)
    file.visititems(visit)
    return found


def levels_of(file):
    """The groups of list columns and of their strings."""
    found = []

    def visit(_, node):
        if isinstance(node, h5py.Group) and "CLASS" in node.attrs:
            value = node.attrs["CLASS"]
            if isinstance(value, bytes) and value in (b"LIST_COLUMN", b"STRING_VALUES"):
                found.append(node)
    file.visititems(visit)
    return found


def rewrite(level, name, reserve=b"", chunk=None):
    """Replaces a member by a copy in compressed chunks, or with the additional elements in `reserve`. False
    if that is impossible or would change the result."""
    if not isinstance(level.get(name, getlink=True), h5py.HardLink):
        return False
    member = level[name]
    if (not isinstance(member, h5py.Dataset) or not is_number(member) or member.ndim != 1
            or member.size == 0 or len(member.attrs) or h5py.h5o.get_info(member.id).rc > 1
            or reserve and h5py.check_enum_dtype(member.dtype)):
        return False
    size = member.dtype.itemsize
    more = np.frombuffer(reserve[:len(reserve) // size * size], member.dtype)
    values = np.concatenate([member[...], more])
    storage = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
    if chunk:
        storage.set_chunk((min(chunk, len(values)),))
        storage.set_shuffle()
        storage.set_deflate(1)
    datatype = member.id.get_type()  # which numpy may map to another one
    del level[name]
    space = h5py.h5s.create_simple(values.shape)
    h5py.Dataset(h5py.h5d.create(level.id, name.encode(), datatype, space, storage))[...] = values
    return True


def keeps_tokens(path):
    with h5py.File(path) as file:
        return all("GENERATION" in table.attrs and "SEARCH_INDEXES" in table
                   and all("SOURCE_GENERATION" in each.attrs for each in table["SEARCH_INDEXES"].values()
                           if "KIND" in each.attrs)
                   for table in tables_of(file))


def columns_of(table):
    return [child for child in table.values()
            if isinstance(child, h5py.Dataset) and child.ndim == 1]


if __name__ == "__main__":
    unittest.main()
