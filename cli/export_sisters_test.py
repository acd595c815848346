"""hepcheck export of RNTuples against jsroot: the same macros wrote files of release candidate 2, which are exported, and
of epoch 1, which jsroot reads. Skipped if the files are not next to the source tree, or jsroot is not installed."""

import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

import h5py

SOURCE = pathlib.Path(__file__).resolve().parents[1]
HEPCHECK = pathlib.Path(os.environ["HEPCHECK"]).resolve()
PACKAGES = pathlib.Path(os.environ.get("PACKAGES", "."))
REAL = SOURCE.parent / "shared/corpus/rntuple"
# RNTuple, file of release candidate 2, file of epoch 1, number of rows, the flat fields
SISTERS = [
    ("ntuple", "test_ntuple_int_float", "test_int_float", 10, {"one_integers", "two_floats"}),
    ("ntuple", "test_ntuple_int_5e4", "test_int_5e4", 50_000, {"one_integers"}),
    ("ntuple", "test_ntuple_bit", "test_bit", 10, {"one_bit"}),
    ("ntuple", "test_ntuple_split_3e4", "test_split_3e4", 30_000, {"one_int32", "two_uint32"}),
    ("ntuple", "test_ntuple_stl_containers", "test_stl_containers", 5, {"string"}),
    ("ntuple", "test_ntuple_int_vfloat_tlv_vtlv", "test_int_vfloat_tlv_vtlv", 5, {"one_integers"}),
    ("Staff", "uproot-ntpl001_staff", "ntpl001_staff", 3_354,
     {"Category", "Flag", "Age", "Service", "Children", "Grade", "Step", "Hrweek", "Cost", "Division", "Nation"}),
]


def plain(value):
    """A value as both sides write it."""
    if isinstance(value, bytes):
        return value.decode()
    if isinstance(value, str) and value.lstrip("-").isdigit():
        return int(value)  # beyond 2^53
    return int(value) if isinstance(value, bool) else value


class Sisters(unittest.TestCase):
    def test_values(self):
        with tempfile.TemporaryDirectory() as folder:
            for name, ours, theirs, rows, fields in SISTERS:
                with self.subTest(ours):
                    into = pathlib.Path(folder) / f"{ours}.h5"
                    done = subprocess.run([HEPCHECK, "export", REAL / f"rc2/{ours}.root:{name}", "--to", "hep001", f"{into}:/t"],
                                          capture_output=True, text=True, timeout=60)
                    self.assertEqual(done.returncode, 0, done)
                    with h5py.File(into) as file:
                        columns = {field: file["t"][field][...].tolist() for field in file["t"]}
                    self.assertEqual(set(columns), fields)
                    read = subprocess.run(["node", SOURCE / "generators/rntuple/tests/read.mjs", PACKAGES,
                                           REAL / f"epoch1/{theirs}_rntuple_v1-0-0-0.root", name, *sorted(fields)],
                                          capture_output=True, text=True, timeout=60)
                    self.assertEqual(read.returncode, 0, read)
                    for field, values in json.loads(read.stdout).items():
                        self.assertEqual(len(values), rows)
                        self.assertEqual(list(map(plain, columns[field])), list(map(plain, values)), field)


if __name__ == "__main__":
    if not REAL.is_dir() or not shutil.which("node") or not (PACKAGES / "node_modules/jsroot").is_dir():
        print(f"skipped: no {REAL}, no node or no jsroot in {PACKAGES}")
        sys.exit(77)
    unittest.main()
