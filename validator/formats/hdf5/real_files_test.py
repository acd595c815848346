"""Tests that the findings for real containers, valid and broken, match a manual inspection of their bytes. Skipped
if the files are not next to the source tree."""

import json
import os
import pathlib
import re
import subprocess
import unittest

HEPCHECK = pathlib.Path(os.environ["HEPCHECK"]).resolve()
REAL = pathlib.Path(__file__).resolve().parents[4] / "shared/corpus"
SUFFIXES = (".h5", ".hdf5", ".h5ad")

# Expected findings besides clauses on eligibility, by the end of the path. "i:": an info, "w:": a
# warning, "e:": an error; "?": something is not examined, for this reason. Other files trigger nothing.
CUT = {"i:chunk-inside-extent"}
CLOSED = {"w:superblock-status-closed"}
NO_FILL = "i:dataset-has-fill"
CACHE = {"?part of the metadata is in a metadata cache image"}
EXPECTED = {
    "lib_tbogus.h5": {"w:ohdr-no-bogus", "?a message of the unknown type 0x1a"},
    "lib_bad_compound.h5": {NO_FILL, "e:datatype-member-count"},
    "lib_bad_offset.h5": {"e:symbol-name-in-heap"},
    "lib_corrupt_stab_msg.h5": {"e:local-heap-signature"},
    "lib_tbad_msg_count.h5": {"e:ohdr-message-count"},
    "lib_th5s.h5": {NO_FILL, "e:dataspace-rank"},
    "tool_h5clear_fsm_persist_greater.h5": {"e:superblock-eof"},
    "tool_h5clear_fsm_persist_user_greater.h5": {"e:superblock-eof"},
    "tool_h5clear_fsm_persist_less.h5": {"e:block-inside-eof"},
    "tool_h5clear_fsm_persist_noclose.h5": {"e:ohdr-version"},
    "tool_h5clear_status_noclose.h5": CLOSED | {"e:ohdr-version"},
    "tool_h5clear_mdc_image.h5": CACHE,
    "lib_cve_2020_10812.h5": CACHE,
    "cve-2025-6516.h5": CACHE,
    "cve-2025-6857.h5": {"?a driver distributes the addresses over several files"},
    "tool_h5stat_err_old_fill.h5": {NO_FILL, "e:fill-fits"},
    "tool_h5stat_err_old_layout.h5": {"e:layout-rank"},
    "tool_h5stat_err_refcount.h5": {"e:ohdr-reference-message-v2-only"},
    "tool_h5stat_tsohm.h5": {"?a message in the heap of shared messages"},
    "CVE-2018-14460.h5": {NO_FILL, "e:dataspace-fits", "e:fill-fits"},
    "cve-2018-14460.h5": {NO_FILL, "e:dataspace-fits", "e:fill-fits"},
    "CVE-2018-17432.h5": {"e:dataspace-type"},
    "cve-2018-17432.h5": {"e:dataspace-type"},
    "cve-2018-17434.h5": {"e:dataspace-fits"},
    "cve-2018-11206-new.h5": {"e:fill-fits"},
    "cve-2017-17505.h5": {"e:filters-count"},
    "cve-2017-17506.h5": {"e:filters-fit"},
    "cve-2017-17507.h5": {"e:datatype-member-inside"},
    "cve-2017-17508.h5": {"e:datatype-size"},
    "cve-2018-15671.h5": {"e:ohdr-reference-count"},
    "cve-2021-45829.h5": {"e:link-info-heap-and-index"},
    "cve-2021-45830.h5": {"e:ohdr-version"},
    "cve-2021-45833.h5": {NO_FILL, "e:layout-rank"},
    "cve-2021-37501.h5": {"e:dataspace-max"},  # an attribute of 2^62 elements, with a maximum of 0
    "base_addr.h5": {"e:superblock-eof"},
    "corruptfile.h5": {"e:local-heap-segment"},
    "invalid_grps.h5": {"e:link-version"},
    "invalid_sym.h5": {"e:symbol-order"},
    "invalid_symsize.h5": {"e:block-inside-eof"},
    "leaf_internal_k.h5": {"e:metadata-no-overlap", "e:chunk-no-overlap"},
    "offsets_lengths.h5": {"e:superblock-free-space-undefined"},
    "sb_version.h5": {"e:superblock-k-positive"},
    "invalid_dtver.h5": {"i:datatype-array-version"},
    "signature.h5": {"?not an HDF5 file"},
    "json_notahdf5file.h5": {"?not an HDF5 file"},
    "pytables_ex-noattr.h5": {NO_FILL, "i:datatype-array-version"},
    "pytables_non-chunked-table.h5": {"i:datatype-array-version"},
    "test_byteshuffle_compressed_datasets_latest.hdf5": CLOSED,
}
PATTERNS = {
    r"/(fc|lib)_h5fc_(ext|non_v3|ext_none).*\.h5": CUT,
    r"/tool_(latest_)?h5clear_(log|sec2)_v3\.h5": CLOSED,
    r"/cve-2025-6269-\d\.h5": CACHE,
    # Written by filters that hepcheck does not decode, so the contents are not examined.
    r"/(lib_[bl]e_data|lib_filter_error|tool_h5repack_(nbit|soffset|szip))\.h5":
        {"?the chunks, which are filtered by"},
}
# By the File Format Specification: the errors of each file, and of hostile files also what else the clauses of
# values find. Other files have no error.
WHOLE = {
    "lib_bad_compound.h5": {"datatype-member-count"},
    "lib_bad_offset.h5": {"symbol-name-in-heap"},
    "lib_corrupt_stab_msg.h5": {"local-heap-signature"},
    "lib_tbad_msg_count.h5": {"ohdr-message-count"},
    "lib_th5s.h5": {"dataspace-rank"},
    "lib_cve_2020_10810.h5": {"h5-fsinfo-fits"},
    "lib_cve_2020_10812.h5": {"h5-cache-image-inside-file"},
    "tool_h5clear_fsm_persist_greater.h5": {"superblock-eof"},
    "tool_h5clear_fsm_persist_user_greater.h5": {"superblock-eof"},
    "tool_h5clear_fsm_persist_less.h5": {"block-inside-eof"},
    "tool_h5clear_fsm_persist_user_less.h5": {"block-inside-eof"},
    "tool_h5clear_fsm_persist_noclose.h5": {"ohdr-version"},
    "tool_h5clear_status_noclose.h5": {"ohdr-version"},
    "tool_h5stat_err_old_fill.h5": {"fill-fits"},
    "tool_h5stat_err_old_layout.h5": {"layout-rank"},
    "tool_h5stat_err_refcount.h5": {"ohdr-reference-message-v2-only"},
    "CVE-2018-14460.h5": {"dataspace-fits", "fill-fits"},
    "cve-2018-14460.h5": {"dataspace-fits", "fill-fits"},
    "CVE-2018-17432.h5": {"dataspace-type"},
    "cve-2018-17432.h5": {"dataspace-type"},
    "cve-2018-17434.h5": {"dataspace-fits"},
    "cve-2018-11206-new.h5": {"fill-fits"},
    "cve-2017-17505.h5": {"filters-count"},
    "cve-2017-17506.h5": {"filters-fit"},
    "cve-2017-17507.h5": {"datatype-member-inside"},
    "cve-2017-17508.h5": {"datatype-size"},
    "cve-2018-15671.h5": {"ohdr-reference-count"},
    "cve-2021-45829.h5": {"link-info-heap-and-index"},
    "cve-2021-45830.h5": {"ohdr-version", "h5-fsinfo-fits"},
    "cve-2021-45833.h5": {"layout-rank"},
    "cve-2021-37501.h5": {"dataspace-max"},
    "cve-2025-6516.h5": {"h5-cache-image-checksum"},
    "cve-2025-6857.h5": {"h5-driver-block-inside-file", "ohdr-message-count"},
    "base_addr.h5": {"superblock-eof"},
    "corruptfile.h5": {"local-heap-segment"},
    "invalid_grps.h5": {"link-version"},
    "invalid_sym.h5": {"symbol-order"},
    "invalid_symsize.h5": {"block-inside-eof"},
    "leaf_internal_k.h5": {"metadata-no-overlap", "chunk-no-overlap"},
    "offsets_lengths.h5": {"superblock-free-space-undefined"},
    "sb_version.h5": {"superblock-k-positive"},
}
WHOLE_PATTERNS = {r"/cve-2025-6269-\d\.h5": {"h5-cache-image-checksum"}}
# Number of chunks, in number of datasets.
CHUNKS = {"chunked_v4_datasets": (40122, 53), "fixed_array_paged_datasets": (14436, 6),
          "btreev2": (200, 2), "implicit_index_datasets": (16, 2)}


def wanted(path):
    for end, findings in EXPECTED.items():
        if path.name == end or path.name.endswith("_" + end):
            return findings
    return next((findings for pattern, findings in PATTERNS.items() if re.search(pattern, str(path))),
                set())


def findings(file):
    found, open_for = set(), []
    for subject in file["tables"]:
        for clause in subject["clauses"]:
            if clause["findings"] and not clause["id"].startswith("swmr-eligible"):
                found.add(f"{clause['severity'][0]}:{clause['id'].removeprefix('swmr-')}")
        open_for.append(subject["reason"])
    return found, " ".join(filter(None, [file["error"], *open_for]))


@unittest.skipUnless(REAL.is_dir(), "the files are not here")
class RealFiles(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.paths = sorted(path for folder in ("hdf5", "foreign") for path in
                           (REAL / folder).rglob("*") if path.suffix in SUFFIXES)
        run = subprocess.run([HEPCHECK, "validate", "--spec", "hdf5-swmr-2013-10-10", "--no-config",
                              "--format", "json", *cls.paths], capture_output=True, timeout=300)
        cls.files = json.loads(run.stdout)["files"]

    def test_findings_of_each_file(self):
        self.assertGreater(len(self.paths), 100)
        self.assertEqual(len(self.paths), len(self.files))
        for path, file in zip(self.paths, self.files):
            with self.subTest(path.name):
                found, open_for = findings(file)
                expected = {each for each in wanted(path) if each[0] != "?"}
                self.assertEqual(found, expected)
                reasons = [each[1:] for each in wanted(path) if each[0] == "?"]
                for reason in reasons:
                    self.assertIn(reason, open_for)
                verdicts = {subject["verdict"] for subject in file["tables"]}
                error = any(each[0] == "e" for each in expected)
                self.assertEqual(verdicts, {"fail" if error else "unchecked" if reasons else "pass"}
                                 if file["tables"] else set())

    def test_errors_by_the_file_format_specification(self):
        run = subprocess.run([HEPCHECK, "validate", "--spec", "hdf5-file-format-4.0", "--depth", "full",
                              "--no-config", "--format", "json", *self.paths], capture_output=True,
                             timeout=300)
        files = json.loads(run.stdout)["files"]
        self.assertEqual(len(self.paths), len(files))
        for path, file in zip(self.paths, files):
            with self.subTest(path.name):
                errors = {each[2:] for each in findings(file)[0] if each[0] == "e"}
                expected = next((clauses for end, clauses in WHOLE.items()
                                 if path.name == end or path.name.endswith("_" + end)), None)
                if expected is None:
                    expected = next((clauses for pattern, clauses in WHOLE_PATTERNS.items()
                                     if re.search(pattern, str(path))), set())
                self.assertEqual(errors, expected)

    def test_nothing_expected_is_missing(self):
        names = [path.name for path in self.paths]
        for end in EXPECTED:
            self.assertTrue(any(name == end or name.endswith("_" + end) for name in names), end)

    def test_chunks_are_counted(self):
        for part, counts in CHUNKS.items():
            (path,) = [each for each in self.paths if each.stem == part]
            with self.subTest(part):
                run = subprocess.run([HEPCHECK, "chunks", "--format", "json", path],
                                     capture_output=True, timeout=60)
                self.assertEqual(run.returncode, 0, run.stderr)
                lists = [each["chunks"] for each in json.loads(run.stdout)["datasets"]]
                self.assertEqual((sum(map(len, lists)), len(lists)), counts)


if __name__ == "__main__":
    unittest.main()
