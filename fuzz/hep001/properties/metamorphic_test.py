"""What must not change a verdict: tables written in another way, files changed where it is free.

Tables come from the generators, so that indexes are computed anew wherever that is due.
HEPCHECK names the program.
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
    """For each file: what failed or was not checked, by table and clause; or why it was refused."""
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
    """One that numpy knows: not every datatype of HDF5 has a dtype."""
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
        """change(path) bends a copy; files that it returns False for are left out."""
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

    # --- written in another way ---------------------------------------------------------------

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
            # Codes behind the tenth row are garbage until they are rows.
            label = table.column("label")
            label.values = [value if value in (0, 1, 2) else label.fill for value in label.values]
            table.nrows = rows
            tables.append(table)
        self.assert_clean(tables)

    def test_place_in_the_file(self):
        self.assert_clean([good_table(at) for at in ("/", "/a", "/a/b/c/d")])

    # --- changed where it is free --------------------------------------------------------------

    def sample(self, step):
        return [FIXTURES / entry["file"] for entry in MANIFEST[::step]]

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

    def test_garbage_behind_the_last_row(self):
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

    def test_objects_beside_the_table(self):
        def change(path):
            with h5py.File(path, "r+") as file:
                if "CLASS" in file.attrs:
                    return False
                file.create_group("beside/deeper").attrs["CLASS"] = "TABLE"
                file["beside/image"] = [[1, 2], [3, 4]]
        self.assert_unchanged(self.sample(11), change)

    def test_from_memory(self):
        """The core driver, by standard input, says what the file's driver says."""
        for path in self.sample(60):
            by_path = subprocess.run([HEPCHECK, "validate", "--format", "json", path],
                                     capture_output=True, timeout=60)
            by_image = subprocess.run([HEPCHECK, "validate", "--format", "json", "-"],
                                      input=path.read_bytes(), capture_output=True, timeout=60)
            self.assertEqual(by_path.returncode, by_image.returncode, path)
            self.assertEqual(json.loads(by_path.stdout)["files"][0]["tables"],
                             json.loads(by_image.stdout)["files"][0]["tables"], path)

    # h5repack 1.14.5 fails on attributes of H5T_STD_REF, so these tables have none.
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


def columns_of(table):
    return [child for child in table.values()
            if isinstance(child, h5py.Dataset) and child.ndim == 1]


if __name__ == "__main__":
    unittest.main()
