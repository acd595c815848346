"""Tests with files of the Arrow project: the integration files have no errors, only
the warnings that manual inspection of their bytes confirmed; the files of its fuzzers have at least one error,
which is found quickly and in little memory. Skipped if the files are not next to the source tree."""

import json
import os
import pathlib
import re
import resource
import subprocess
import unittest

HEPCHECK = pathlib.Path(os.environ["HEPCHECK"]).resolve()
REAL = pathlib.Path(__file__).resolve().parents[4] / "shared/corpus/arrow"
SPEC = "arrow-columnar-1.0"
MEMORY = 100 << 20

DATES, TIMES = "w:date-milliseconds-whole-days", "w:time-value-range"
# Expected warnings by the path from integration/ on; other files trigger none.
WARNINGS = {
    r"0\.14\.1/generated_datetime\.": {DATES},
    r"1\.0\.0-(little|big)endian/generated_datetime\.": {DATES, TIMES},
    r"0\.14\.1/generated_decimal\.": {"w:decimal-value-fits-precision"},
    r"(1\.0\.0-littleendian|cpp-21\.0\.0)/generated_custom_metadata\.":
        {"w:metadata-reserved-namespace"},
}
# Files with types newer than format 1.0, whose contents are not examined.
UNCHECKED = r"cpp-21\.0\.0/generated_(binary_view|list_view|run_end_encoded)\."
# The number of files of a directory that trigger them.
COUNTS = {
    ("0.14.1", "w:footer-version-equal"): 3,
    ("0.14.1", "i:message-continuation-present"): 18,
    ("0.14.1", "i:buffer-length-unpadded"): 11,
    ("1.0.0-littleendian", "i:dictionary-index-signed-preferred"): 2,
    ("cpp-21.0.0", "i:type-newer-than-1-0"): 14,
}


LATER = "arrow-columnar-1.5"
# Errors by format 1.5 in files of old releases.
LATER_ERRORS = {
    r"0\.14\.1/generated_(decimal|primitive_no_batches|primitive_zerolength)\.arrow_file":
        {"e:footer-version-identical"},
    r"1\.0\.0-(little|big)endian/generated_datetime\.": {"e:time-within-one-day"},
}
# Without --spec, these are judged by format 1.5.
NEWER = (r"cpp-21\.0\.0/generated_(binary_view|list_view|run_end_encoded|decimal32|decimal64|decimal256|"
         r"interval_mdn|extension)\.")


def examine(paths, spec=SPEC):
    run = subprocess.run([HEPCHECK, "validate", "--spec", spec, "--no-config", "--format", "json",
                          *paths], capture_output=True, timeout=300)
    return dict(zip(paths, json.loads(run.stdout)["files"]))


def within_bounds(path):
    """The exit status for a file, within a second of CPU time and some tens of MiB."""
    def bounded():
        resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))
        resource.setrlimit(resource.RLIMIT_CPU, (1, 2))

    run = subprocess.run([HEPCHECK, "validate", "--spec", SPEC, "--no-config", "--no-isolation",
                          "--jobs", "1", path], capture_output=True, timeout=60, preexec_fn=bounded)
    return run.returncode


def findings(file):
    return {f"{clause['severity'][0]}:{clause['id'].removeprefix('arrow-')}"
            for subject in file["tables"] for clause in subject["clauses"] if clause["findings"]}


@unittest.skipUnless(REAL.is_dir(), "the files are not here")
class IntegrationFiles(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        paths = [path for path in sorted((REAL / "integration").rglob("*"))
                 if path.suffix in (".stream", ".arrow_file")]
        cls.files = examine(paths)

    def test_all_files_exist(self):
        self.assertEqual(len(self.files), 150)

    def test_no_errors_and_only_expected_warnings(self):
        for path, file in self.files.items():
            name = path.relative_to(REAL / "integration").as_posix()
            with self.subTest(name):
                self.assertIsNone(file["error"])
                expected = set().union(*(findings for pattern, findings in WARNINGS.items()
                                         if re.match(pattern, name)))
                found = {each for each in findings(file) if each[0] != "i"}
                self.assertEqual(found - {"w:footer-version-equal"}, expected)
                unchecked = re.match(UNCHECKED, name)
                self.assertEqual({each["verdict"] for each in file["tables"]},
                                 {"unchecked" if unchecked else "pass"})

    def test_by_format_1_5(self):
        """The errors of old releases, no others, and nothing that is not examined."""
        for path, file in examine([*self.files], LATER).items():
            name = path.relative_to(REAL / "integration").as_posix()
            with self.subTest(name):
                errors = set().union(*(findings for pattern, findings in LATER_ERRORS.items()
                                       if re.match(pattern, name)))
                self.assertEqual({each for each in findings(file) if each[0] == "e"}, errors)
                self.assertEqual({each["verdict"] for each in file["tables"]},
                                 {"fail" if errors else "pass"})

    def test_revision_by_signs(self):
        for path, file in examine([*self.files], "auto").items():
            name = path.relative_to(REAL / "integration").as_posix()
            with self.subTest(name):
                (table,) = file["tables"]
                newer = re.match(NEWER, name) is not None
                self.assertEqual((table["spec"], table["chosen_by"], table["verdict"]),
                                 (LATER, "auto", "pass") if newer else (SPEC, "default", "pass"))

    def test_resource_use_is_bounded(self):
        for path in self.files:
            with self.subTest(path.relative_to(REAL).as_posix()):
                self.assertEqual(within_bounds(path), 3 if re.search(UNCHECKED, str(path)) else 0)

    def test_number_of_recommendations(self):
        for (folder, clause), count in COUNTS.items():
            with self.subTest(f"{folder} {clause}"):
                hit = [path.name for path, file in self.files.items()
                       if path.parent.name == folder and clause in findings(file)]
                self.assertEqual(len(hit), count, hit)

    def test_file_and_stream_are_equal(self):
        figures = ("rows", "batches", "buffers")
        for path, file in self.files.items():
            if path.suffix == ".stream":
                other = self.files[path.with_suffix(".arrow_file")]
                for figure in figures:
                    self.assertEqual(file["tables"][0]["shape"][figure],
                                     other["tables"][0]["shape"][figure], path)


@unittest.skipUnless(REAL.is_dir(), "the files are not here")
class OtherFiles(unittest.TestCase):
    def test_metadata_of_messages(self):
        (file,) = examine([REAL / "arrowjs_test_message_metadata.arrow"]).values()
        self.assertEqual({each for each in findings(file) if each[0] != "i"}, set())

    def test_future_version(self):
        (file,) = examine([REAL / "schema_v6.arrow"]).values()
        self.assertEqual(findings(file), {"e:message-version-readable"})


@unittest.skipUnless(REAL.is_dir(), "the files are not here")
class FuzzFiles(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.paths = [path for kind in ("file", "stream", "tensor")
                     for path in sorted((REAL / f"fuzz-{kind}").iterdir())]

    def test_every_file_has_an_error(self):
        self.assertEqual(len(self.paths), 137)
        for path, file in examine(self.paths).items():
            with self.subTest(path.name):
                self.assertIsNone(file["error"])
                self.assertTrue(any(each[0] == "e" for each in findings(file)), findings(file))

    def test_by_format_1_5(self):
        for path, file in examine(self.paths, LATER).items():
            with self.subTest(path.name):
                self.assertTrue(any(each[0] == "e" for each in findings(file)), findings(file))

    def test_resource_use_is_bounded(self):
        for path in self.paths:
            with self.subTest(path.name):
                self.assertEqual(within_bounds(path), 1)

    def test_tensors(self):
        files = examine([path for path in self.paths if path.parent.name == "fuzz-tensor"])
        (misaligned, sound) = [findings(file) for _, file in sorted(files.items())]
        self.assertIn("e:fb-alignment", misaligned)
        self.assertNotIn("e:fb-alignment", sound)
        self.assertIn("e:stream-message-kinds", sound)


if __name__ == "__main__":
    unittest.main()
