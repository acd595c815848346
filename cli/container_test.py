"""Tests of hepcheck chunks and hepcheck layout, and of validate with several specifications in one run."""

import json
import os
import pathlib
import re
import subprocess
import tempfile
import unittest

import h5py
import jsonschema
import numpy as np

HEPCHECK = pathlib.Path(os.environ["HEPCHECK"]).resolve()
SOURCE = pathlib.Path(__file__).resolve().parents[1]
FIXTURES = SOURCE / "fixtures/hdf5"
CONTAINER, TABLE = "hdf5-swmr-2013-10-10", "hep001"


def run(*arguments):
    return subprocess.run([HEPCHECK, *map(str, arguments)], capture_output=True, text=True,
                          timeout=60)


def checked(command, path, status=0):
    """The JSON output of chunks or layout, validated against its schema."""
    result = run(command, "--format", "json", path)
    assert result.returncode == status, result
    made = json.loads(result.stdout)
    schema = (SOURCE / f"reports/schema/{command}.schema.json").read_text()
    jsonschema.validate(made, json.loads(schema))
    return made


class Folder(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = pathlib.Path(folder.name) / "x.h5"

    def file(self, **options):
        return h5py.File(self.path, "w", libver="latest", **options)

    def written(self, **options):
        """Two chunked datasets, with 12 chunks in two dimensions and with one chunk, and a contiguous one."""
        with self.file(**options) as file:
            d = file.create_dataset("g/d", (8, 6), "i4", chunks=(2, 2), maxshape=(None, 6))
            d[...] = np.arange(48).reshape(8, 6)
            file["e"] = np.arange(3)
            file.create_dataset("one", data=np.arange(100), chunks=(100,), compression="gzip")
        return self.path


class Workers(Folder):
    def test_parser_runs_in_a_sandbox(self):
        # Only a worker process has this limit.
        for command, target in (("chunks", f"{self.written()}:/g/d"), ("layout", self.path)):
            result = run(command, target, "--limit", "answer=10")
            self.assertEqual((result.returncode, result.stdout), (3, ""))
            self.assertIn("the limit of answer was reached", result.stderr)


class Policy(unittest.TestCase):
    def test_untrusted_files_must_not_be_risky(self):
        """Under the policy, what leads out of the file or needs code is an error; otherwise it is a note."""
        file = FIXTURES / "valid/IV.A.2.l/h5-risk-filter-private--307.h5"

        def judged(*options):
            result = run("validate", "--no-config", "--spec", "hdf5-file-format-4.0", "--format", "json", *options, file)
            subject = json.loads(result.stdout)["files"][0]["tables"][0]
            clause = next(each for each in subject["clauses"] if each["id"] == "h5-risk-filter-plugin")
            return result.returncode, clause["findings"][0]["severity"]

        self.assertEqual(judged(), (3, "info"))
        self.assertEqual(judged("--policy", "none"), (3, "info"))
        self.assertEqual(judged("--policy", "untrusted"), (1, "error"))

    def test_other_clauses_keep_their_severity(self):
        file = SOURCE / "fixtures/hep001/valid/14.1/worked-example-accepted--five-rows.h5"
        plain, strict = (json.loads(run("validate", "--no-config", "--format", "json", *options, file).stdout)["files"][0]["tables"]
                         for options in ([], ["--policy", "untrusted"]))
        self.assertEqual(plain, strict)


class Limits(Folder):
    def test_limits_are_inclusive(self):
        with self.file() as file:
            file.create_group("a/b/c")  # three links, four objects, three groups below the root
        for name, enough in (("links", 3), ("objects", 4), ("group-depth", 3)):
            with self.subTest(name):
                whole = run("validate", "--spec", CONTAINER, self.path, "--limit",
                            f"{name}={enough}")
                self.assertEqual(whole.returncode, 0, whole.stdout)
                less = run("validate", "--spec", CONTAINER, self.path, "--limit",
                           f"{name}={enough - 1}")
                self.assertEqual(less.returncode, 3, less.stdout)
                self.assertIn('"c"', less.stdout)
                self.assertIn(f"the limit of {enough - 1} ", less.stdout)


class Chunks(Folder):
    def test_lines(self):
        path = self.written()
        result = run("chunks", f"{path}:/g/d")
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        lines = result.stdout.splitlines()
        with h5py.File(path) as file:
            dataset = file["g/d"]
            infos = [dataset.id.get_chunk_info(i) for i in range(12)]
        self.assertEqual(lines, sorted(
            f"{i.chunk_offset[0]},{i.chunk_offset[1]} {i.filter_mask} {i.byte_offset} {i.size}"
            for i in infos))

    def test_a_whole_file(self):
        lines = run("chunks", self.written()).stdout.splitlines()
        self.assertEqual([line for line in lines if line.startswith("#")],
                         ["# /g/d 12 chunks, extensible array", "# /one 1 chunk, single chunk"])
        self.assertEqual(len(lines), 15)

    def test_json_has_the_same_content(self):
        path = self.written()
        made = checked("chunks", path)
        self.assertEqual([d["path"] for d in made["datasets"]], ["/g/d", "/one"])
        lines = [",".join(map(str, c["offset"])) + f" {c['mask']} {c['address']} {c['size']}"
                 for c in made["datasets"][0]["chunks"]]
        self.assertEqual(lines, run("chunks", f"{path}:/g/d").stdout.splitlines())
        self.assertEqual(made["datasets"][0]["shape"], [8, 6])
        self.assertEqual(made["datasets"][0]["chunk_shape"], [2, 2])

    def test_addresses_count_from_the_first_byte(self):
        path = self.written(userblock_size=1024)
        for dataset in checked("chunks", path)["datasets"]:
            with h5py.File(path) as file:
                infos = file[dataset["path"]].id
                theirs = {infos.get_chunk_info(i).byte_offset
                          for i in range(infos.get_num_chunks())}
            self.assertEqual({c["address"] for c in dataset["chunks"]}, theirs)

    def test_objects_that_are_not_chunked_datasets(self):
        path = self.written()
        for named, message in (("/e", "not a chunked dataset"), ("/x", "no object /x")):
            result = run("chunks", f"{path}:{named}")
            self.assertEqual((result.returncode, result.stdout), (3, ""))
            self.assertIn(message, result.stderr)

    def test_inputs_that_are_not_hdf5_files(self):
        self.path.write_bytes(b"no container")
        self.assertIn("not an HDF5 file", run("chunks", self.path).stderr)
        self.assertEqual(run("chunks", self.path).returncode, 3)
        self.assertEqual(run("chunks", self.path.parent / "y.h5").returncode, 3)
        checked("chunks", self.path, 3)
        checked("layout", self.path, 3)

    def test_broken_index_is_reported(self):
        path = next(FIXTURES.glob("invalid/*/swmr-farray-page-checksum--*.h5"))
        made = checked("chunks", path, 3)
        self.assertFalse(made["whole"])
        self.assertIn("index is broken", " ".join(made["trouble"]))


class Layout(Folder):
    def test_every_byte_is_accounted_for(self):
        for block in (0, 512):
            path = self.written(userblock_size=block)
            made = checked("layout", path)
            self.assertEqual(made["base"], block)
            self.assertEqual(made["size"], path.stat().st_size)
            self.assertEqual(made["overlaps"], [])
            spans = [(r["address"], r["size"]) for r in made["ranges"] + made["gaps"]]
            reached = made["base"]
            for address, size in sorted(spans):
                self.assertEqual(address, reached)
                reached += size
            self.assertEqual(reached, made["end"])
            raw = [r for r in made["ranges"] if r["kind"] == "raw data"]
            self.assertEqual({r["object"] for r in raw}, {"/g/d", "/e", "/one"})
            self.assertEqual(made["totals"]["raw"], sum(r["size"] for r in raw))
            self.assertEqual(made["totals"]["raw"] + made["totals"]["metadata"]
                             + made["totals"]["gaps"], made["end"] - made["base"])

    def test_overlaps(self):
        path = next(FIXTURES.glob("invalid/*/swmr-metadata-no-overlap--*.h5"))
        made = checked("layout", path)
        self.assertTrue(made["overlaps"])
        for each in made["overlaps"]:
            first, second = (made["ranges"][i] for i in each["ranges"])
            self.assertEqual(each["address"], second["address"])
            self.assertLess(second["address"], first["address"] + first["size"])

    def test_text(self):
        lines = run("layout", self.written()).stdout.splitlines()
        self.assertEqual(lines[0], "0 48 superblock of /")
        self.assertRegex(lines[-1], r"^total: \d+ bytes of metadata \(\d+\.\d % ")


class Fields(Folder):
    def test_every_byte_of_every_structure(self):
        path = self.written()
        result = run("layout", "--fields", "--format", "json", path)
        self.assertEqual(result.returncode, 0, result)
        made = json.loads(result.stdout)
        jsonschema.validate(made, json.loads((SOURCE / "reports/schema/layout.schema.json").read_text()))
        for each in made["ranges"]:
            at = each["address"]
            for field in each["fields"]:
                self.assertEqual(field["address"], at)
                at += field["size"]
            self.assertEqual(at - each["address"], 0 if each["kind"] == "raw data" else each["size"], each)
        names = {field["name"] for each in made["ranges"] for field in each["fields"]}
        for name in ("end of file", "dataspace: rank", "datatype: size", "data layout: class", "link: name"):
            self.assertIn(name, names)
        text = run("layout", "--fields", path).stdout
        self.assertTrue(text.startswith("0 48 superblock of /\n  0 8 signature: 894844460d0a1a0a\n  8 1 version: "))
        self.assertNotIn("fields", run("layout", "--format", "json", path).stdout)

    def test_findings_have_their_bytes(self):
        path = SOURCE / "fixtures/hdf5/invalid/IV.B/h5-region-reference-object-exists--no-collection.h5"
        made = json.loads(run("layout", "--fields", "--format", "json", path).stdout)
        jsonschema.validate(made, json.loads((SOURCE / "reports/schema/layout.schema.json").read_text()))
        errors = [each for each in made["findings"] if each["severity"] == "error"]
        self.assertEqual([each["clause"] for each in errors], ["h5-global-heap-signature"])
        block = next(each for each in made["ranges"] if each["address"] <= errors[0]["address"] < each["address"] + each["size"])
        self.assertEqual((block["kind"], block["object"], errors[0]["object"]), ("OHDR", "/t", "/d"))

    def test_blocks_that_filters_made_have_no_fields(self):
        path = SOURCE / "fixtures/hdf5/valid/III.G/h5-fractal-heap-filtered-decodes--one-block.h5"
        made = json.loads(run("layout", "--fields", "--format", "json", path).stdout)
        blocks = [each["fields"] for each in made["ranges"] if each["kind"] == "FHDB"]
        self.assertTrue(blocks)
        for fields in blocks:
            self.assertEqual([each["name"] for each in fields], ["filtered, fields not shown"])

    def test_a_page(self):
        page = run("layout", "--format", "html", self.written()).stdout
        self.assertTrue(page.startswith("<!doctype html>"))
        self.assertNotRegex(page, r"\b(src|href)=.?https?:")
        data = re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.S)[1]
        self.assertTrue(json.loads(data)["ranges"][0]["fields"])

    def test_one_object(self):
        path = self.written()
        lines = run("show", f"{path}:/g/d").stdout.splitlines()
        self.assertTrue(lines[0].endswith(" OHDR of /g/d"), lines[0])
        self.assertTrue(all(line.endswith(" of /g/d") for line in lines if not line.startswith("  ")))
        self.assertTrue(any(line.endswith(": data layout: class: 2") or " data layout: class: 2" in line for line in lines))
        self.assertEqual(run("show", f"{path}:/nothing").returncode, 3)
        self.assertIn("no object /nothing", run("show", f"{path}:/nothing").stderr)


class Blocks(Folder):
    """The blocks that open in the page of validate."""

    def maps(self, *arguments):
        page = run("validate", "--no-config", "--format", "html", *arguments).stdout
        data = json.loads(re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.S)[1])
        return data.get("maps")

    def test_the_fields_are_those_of_layout(self):
        path = FIXTURES / "invalid/IV.B/h5-region-reference-object-exists--no-collection.h5"
        (made,) = self.maps("--depth", "full", path)
        layout = json.loads(run("layout", "--fields", "--format", "json", path).stdout)
        for key in ("size", "base", "end", "ranges", "gaps"):
            self.assertEqual(made[key], layout[key], key)
        self.assertEqual((made["ranges_left_out"], made["fields_left_out"], made["trouble"]), (0, 0, []))
        errors = [each for each in made["findings"] if each["severity"] == "error"]
        self.assertEqual(errors, [each for each in layout["findings"] if each["severity"] == "error"])
        self.assertEqual([each["clause"] for each in errors], ["h5-global-heap-signature"])

    def test_findings_are_those_of_the_report(self):
        path = FIXTURES / "invalid/IV.A.1.a/h5-ohdr-v1-reserved--byte-1.h5"
        clause = "h5-ohdr-v1-reserved"
        (made,) = self.maps(path)
        self.assertEqual([(each["clause"], each["severity"]) for each in made["findings"]], [(clause, "warning")])
        (made,) = self.maps("--skip", clause, path)
        self.assertEqual(made["findings"], [])
        (made,) = self.maps("--fail-on", "should", path)
        self.assertEqual([each["severity"] for each in made["findings"]], ["error"])

    def test_a_page_of_limited_size(self):
        with h5py.File(self.path, "w", libver="earliest") as file:
            for number in range(4000):
                file.create_group(f"g{number:04}")
            place = h5py.h5o.get_info(file["g3000"].id).addr
        content = bytearray(self.path.read_bytes())
        content[place + 1] = 7  # a reserved byte of its header
        self.path.write_bytes(content)
        (made,) = self.maps(self.path)
        lines = len(made["ranges"]) + sum(len(each["fields"]) for each in made["ranges"])
        self.assertLessEqual(lines, 10_000)
        self.assertGreater(made["ranges_left_out"], 0)
        self.assertEqual(made["gaps"], [])
        shown = [each for each in made["ranges"] if each["object"] == "/g3000"]
        self.assertEqual([each["address"] for each in shown], [place])
        self.assertIn({"address": place + 1, "size": 1, "name": "reserved", "value": "7"}, shown[0]["fields"])

    def test_blocks_of_a_larger_file_lack_their_fields(self):
        with self.file() as file:
            for number in range(1500):
                file.create_group(f"g{number:04}").attrs["a"] = number
        (made,) = self.maps(self.path)
        self.assertEqual(made["ranges_left_out"], 0)
        self.assertGreater(made["fields_left_out"], 0)
        empty = [each for each in made["ranges"] if not each["fields"] and each["kind"] != "raw data"]
        self.assertEqual(len(empty), made["fields_left_out"])

    def test_many_files_share_the_page(self):
        path = self.written()
        self.assertTrue(all(self.maps(path)[0]["ranges"]))
        copies = path.parent / "copies"
        copies.mkdir()
        for number in range(200):
            (copies / f"{number}.h5").write_bytes(path.read_bytes())
        maps = self.maps(copies)
        self.assertEqual(len(maps), 200)
        for made in maps:
            self.assertLessEqual(len(made["ranges"]) + sum(len(each["fields"]) for each in made["ranges"]), 50)

    def test_tables_and_stored_reports_have_none(self):
        self.assertIsNone(self.maps(SOURCE / "fixtures/hep001/valid/14.1/worked-example-accepted--five-rows.h5"))
        stored = self.path.parent / "r.json"
        run("validate", "--no-config", "--format", f"json={stored}", self.written())
        self.assertNotIn("maps", json.loads(stored.read_text()))
        self.assertNotIn('"maps"', run("report", "render", "--format", "html", stored).stdout)


class Picture(Folder):
    """The data from which the report draws a picture of the file."""

    def test_cells_add_up(self):
        path = self.written(userblock_size=512)
        report = json.loads(run("validate", "--no-config", "--spec", CONTAINER, "--format", "json",
                                path).stdout)
        schema = (SOURCE / "reports/schema/report.schema.json").read_text()
        jsonschema.validate(report, json.loads(schema))
        (subject,) = report["files"][0]["tables"]
        layout, totals = subject["layout"], checked("layout", path)["totals"]
        self.assertEqual(layout["size"], path.stat().st_size)
        self.assertEqual(layout["kinds"], ["metadata", "raw data"])
        self.assertEqual([sum(kind) for kind in zip(*layout["cells"])],
                         [totals["metadata"], totals["raw"]])
        self.assertLessEqual(len(layout["cells"]), 256)

    def test_stored_report_contains_it(self):
        stored = self.path.parent / "r.json"
        run("validate", "--no-config", "--spec", CONTAINER, "--spec", "auto", "--format",
            f"json={stored}", self.written())
        again = run("report", "render", "--format", "json", stored)
        self.assertEqual(json.loads(again.stdout), json.loads(stored.read_text()))
        page = run("report", "render", "--format", "html", stored).stdout
        self.assertIn('"layout":{"size":', page)
        self.assertIn('"question":"swmr_eligible"', page)

    def test_figures_count_datasets_once(self):
        path = FIXTURES / "valid/4/swmr-eligible-table-columns--all-columns.h5"
        page = run("validate", "--no-config", "--spec", CONTAINER, "--format", "html", path).stdout
        (count,) = re.findall(r"<dt>of them SWMR-eligible</dt><dd[^>]*>(\d+)</dd>", page)
        with h5py.File(path) as file:
            self.assertEqual(int(count), len(file))


class Objects(Folder):
    def test_object_of_unknown_kind_is_not_examined(self):
        with h5py.File(self.path, "w", libver="earliest") as file:
            file.create_group("g")
            place = h5py.h5o.get_info(file["g"].id).addr
        content = bytearray(self.path.read_bytes())
        self.assertEqual(content[place + 16], 0x11)  # the type of its symbol table message
        content[place + 17] = 2
        self.path.write_bytes(content)
        result = run("validate", "--no-config", "--spec", CONTAINER, self.path)
        self.assertEqual(result.returncode, 3, result.stdout)
        self.assertIn("/g: not examined: an object that is not a group", result.stdout)


class Specifications(Folder):
    def subjects(self, *options):
        result = run("validate", "--no-config", "--format", "json", *options, self.path)
        report = json.loads(result.stdout)
        return result, [(t.get("spec", report["spec"]).split("-")[0], t["path"])
                        for t in report["files"][0]["tables"]]

    def table(self):
        fixture = "valid/14.1/worked-example-accepted--five-rows.h5"
        self.path = SOURCE / "fixtures/hep001" / fixture

    def test_one_run_writes_one_report(self):
        self.table()
        alone = [self.subjects("--spec", each)[1] for each in (CONTAINER, "auto")]
        for options in ((), ("--no-isolation",)):
            result, both = self.subjects("--spec", CONTAINER, "--spec", "auto", *options)
            self.assertEqual(both, alone[0] + alone[1])
            self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(self.subjects("--spec", "auto", "--spec", CONTAINER)[1],
                         alone[1] + alone[0])

    def test_specification_recognised_and_named_is_used_once(self):
        self.table()
        report = json.loads(self.subjects()[0].stdout)
        (table,) = report["files"][0]["tables"]
        chosen = table.get("spec", report["spec"])
        self.assertEqual(self.subjects("--spec", chosen, "--spec", "auto", "--spec", chosen)[1],
                         self.subjects("--spec", chosen)[1])

    def test_named_revision_takes_precedence_over_recognition(self):
        self.table()
        for revision in ("hep001-2026-06-16", "hep001-2026-07-09"):
            for options in ((), ("--no-isolation",)):
                subjects = self.subjects("--spec", revision, "--spec", "auto", *options)[1]
                self.assertEqual(len(subjects), 1, revision)

    def test_table_and_swmr_eligibility(self):
        self.table()
        text = run("validate", "--spec", CONTAINER, "--spec", "auto", self.path).stdout
        with h5py.File(self.path) as file:
            (table,) = [name for name in file if file[name].attrs.get("CLASS") == b"COLUMN_TABLE"]
            columns = [name for name in file[table] if isinstance(file[table][name], h5py.Dataset)]
        for column in columns:
            self.assertRegex(text, rf":/{table}/{column}: SWMR-eligible: \w+.*column of /{table}")
        self.assertRegex(text, rf":/{table}: SWMR-eligible: (yes|no)")

    def test_file_without_a_table_is_judged_as_a_container(self):
        with self.file() as file:
            file["x"] = 1
        for other in ("auto", TABLE):
            result, subjects = self.subjects("--spec", CONTAINER, "--spec", other)
            self.assertEqual(subjects, [("hdf5", "/")])
            self.assertEqual(result.returncode, 0)
            self.assertIsNone(json.loads(result.stdout)["files"][0]["error"])
        self.assertEqual(self.subjects("--spec", TABLE)[0].returncode, 3)

    def test_failure_of_one_specification_does_not_affect_the_other(self):
        self.table()
        whole = self.path.read_bytes()
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = pathlib.Path(folder.name) / "cut.h5"
        self.path.write_bytes(whole[:-1])
        result, subjects = self.subjects("--spec", CONTAINER, "--spec", "auto")
        self.assertEqual(subjects, [("hdf5", "/")])
        self.assertEqual(result.returncode, 1)
        self.assertIn("truncated", json.loads(result.stdout)["files"][0]["error"])

    def test_clause_ids_of_several_specifications(self):
        self.table()
        both = ("--spec", CONTAINER, "--spec", TABLE)
        result, _ = self.subjects(*both, "--only", "nrows-present,swmr-superblock-eof")
        self.assertEqual(result.returncode, 0, result.stdout)
        self.assertEqual(self.subjects("--only", "swmr-superblock-eof")[0].returncode, 3)
        result = run("validate", "--spec", TABLE, "--only", "swmr-superblock-eof", self.path)
        self.assertEqual(result.returncode, 2)

    def test_baseline_covers_all_specifications(self):
        with self.file() as file:
            group = file.create_group("t")
            group.attrs["CLASS"] = np.bytes_("COLUMN_TABLE")
            file["t/x"] = np.arange(3)
        baseline = self.path.parent / "known.json"
        both = ("--spec", CONTAINER, "--spec", TABLE, "--baseline", baseline)
        self.assertEqual(run("baseline", "create", *both, self.path).returncode, 0)
        known = {each["clause"] for each in json.loads(baseline.read_text())["known"]}
        self.assertIn("swmr-eligible-chunked", known)
        self.assertIn("nrows-present", known)
        self.assertNotIn("gone", run("validate", *both, self.path).stdout)
        result = run("validate", "--spec", TABLE, "--baseline", baseline, self.path)
        self.assertEqual(result.returncode, 2)
        self.assertIn("made for", result.stderr)


if __name__ == "__main__":
    unittest.main()
