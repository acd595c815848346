"""Tests that hepcheck finds no error in files that random programs of h5py operations write, and nothing that it does
not examine, except for the values that szip made. See programs.py."""

import json
import os
import pathlib
import subprocess
import tempfile
import unittest

import programs

HEPCHECK = pathlib.Path(os.environ["HEPCHECK"]).resolve()
SEEDS = range(1001, 1061)
SZIP = "the chunks, which are filtered by 4"


def complaints(path, file):
    """What is reported about a file that the library wrote."""
    if file["error"] or file["unreadable"]:
        yield f"{path.name}: {file['error'] or file['unreadable']}"
    for subject in file["tables"]:
        for clause in subject["clauses"]:
            if clause["verdict"] == "fail" and clause["severity"] == "error":
                yield f"{path.name}: {clause['id']}: {clause['findings'][:1]}"
            if clause["verdict"] == "not-checked" and SZIP not in (clause["reason"] or ""):
                yield f"{path.name}: {clause['id']} is not checked: {clause['reason']}"


def all_complaints(paths):
    run = subprocess.run([HEPCHECK, "validate", "--spec", "hdf5", "--depth", "full", "--no-config", "--format", "json",
                          *paths], capture_output=True, timeout=300)
    files = json.loads(run.stdout)["files"]
    assert len(files) == len(paths), (len(files), len(paths))
    return [each for path, file in zip(paths, files) for each in complaints(path, file)]


class Programs(unittest.TestCase):
    def test_no_error(self):
        with tempfile.TemporaryDirectory() as folder:
            made = programs.write(pathlib.Path(folder), SEEDS)
            self.assertGreater(len(made), len(SEEDS) * 0.6)
            self.assertEqual(all_complaints(made), [])


if __name__ == "__main__":
    unittest.main()
