"""Tests with files that ROOT wrote: those of release candidate 2 have no error, and exactly the remarks that reading
their bytes confirmed; those of other dialects are named and not examined. Skipped if the files are not next to the
source tree."""

import json
import os
import pathlib
import subprocess
import unittest

HEPCHECK = pathlib.Path(os.environ["HEPCHECK"]).resolve()
REAL = pathlib.Path(__file__).resolve().parents[4] / "shared/corpus/rntuple"
KEY, LIST, SUM, FLAGS = ("max-key-size", "no-metadata-list", "page-checksum-stored", "field-flags")
REMARKS = {
    "test_ntuple_index_multicluster": {KEY, SUM},
    "test_rc2": {KEY, LIST},
    "test_uncomp_rc2": {KEY, LIST},
    "unroot_6f7014ed_test_ntuple_stl_containers": {KEY, LIST, SUM, FLAGS},
    "unroot_d2244657_Run2012BC_DoubleMuParked_Muons_rntuple_1000evts": {KEY, LIST, SUM, FLAGS},
    "Run2012BC_DoubleMuParked_Muons_rntuple_1000evts": {"map-rvec-name"},
}
# These have several RNTuples, and a record chain that cannot be walked.
SEVERAL = {"DAOD_TRUTH3_RC2": 3, "test_ntuple_extension_columns": 4}
ENTRIES = {"test_ntuple_int_multicluster": 100_000_000, "uproot-ntpl001_staff": 3354, "test_ntuple_index_multicluster": 200,
           "test_ntuple_int_5e4": 50_000}


def examine(folder):
    paths = sorted((REAL / folder).glob("*.root"))
    run = subprocess.run([HEPCHECK, "validate", "--spec", "rntuple", "--no-config", "--format", "json", *paths],
                         capture_output=True, timeout=300)
    return dict(zip((path.stem for path in paths), json.loads(run.stdout)["files"]))


def findings(file):
    return {(clause["severity"], clause["id"].removeprefix("rntuple-").removeprefix("dialect-"))
            for subject in file["tables"] for clause in subject["clauses"] if clause["findings"]}


@unittest.skipUnless(REAL.is_dir(), f"no {REAL}")
class RealFiles(unittest.TestCase):
    def test_candidate_2(self):
        files = examine("rc2")
        self.assertEqual(len(files), 19)
        for name, file in files.items():
            with self.subTest(name):
                self.assertFalse(file["error"])
                self.assertEqual(findings(file), {("info", each) for each in REMARKS.get(name, ())})
                self.assertEqual(len(file["tables"]), SEVERAL.get(name, 1))
                unchecked = {clause["id"] for subject in file["tables"] for clause in subject["clauses"]
                             if clause["verdict"] == "not-checked"}
                self.assertEqual(unchecked, set())

    def test_other_dialects(self):
        for folder, count, dialect, remarks in (
                ("rc1", 4, "release candidate 1", set()), ("epoch1", 26, "epoch 1", set()),
                ("rc3", 2, "release candidate 3", {("info", "version-release-candidate")})):
            files = examine(folder)
            self.assertEqual(len(files), count)
            for name, file in files.items():
                with self.subTest(name):
                    self.assertEqual(findings(file), remarks)
                    self.assertGreater(len(file["tables"]), 0)
                    for subject in file["tables"]:
                        self.assertEqual(subject["verdict"], "unchecked")
                        self.assertIn(dialect, subject["notes"])


if __name__ == "__main__":
    unittest.main()
