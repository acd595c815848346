"""Tests of hepcheck suite for HDF5 files: the right reader passes, every broken one fails the clause of the file that it
misreads, and real programs read as the published matrix and their lists of known failures say."""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

HERE = Path(__file__).parent
CONFORMANCE = HERE.parents[1]
SOURCE = CONFORMANCE.parent
HEPCHECK = os.environ["HEPCHECK"]
SPEC = "hdf5-file-format-4.0"
ADAPTERS = CONFORMANCE / "adapters" / "hdf5"
KNOWN = CONFORMANCE / "known_failures" / "hdf5"
PAGE = SOURCE / "docs" / "hdf5-readers.md"
PACKAGES = os.environ.get("HDF5_PACKAGES", "")
RIGHT = [sys.executable, str(HERE / "right_reader.py")]
sys.path.insert(0, str(HERE))


def suite(*arguments, command=RIGHT):
    return subprocess.run([HEPCHECK, "suite", "reader", "--spec", SPEC, *map(str, arguments), "--", *map(str, command)],
                          capture_output=True, text=True)


def judged(*arguments, command=RIGHT):
    done = suite("--format", "json", *arguments, command=command)
    return done, json.loads(done.stdout)


def failures(report):
    return {(clause["id"], finding["object"]) for clause in report["clauses"] for finding in clause.get("findings", ())}


def clause_of(file):
    return file.split("/")[2].partition("--")[0]


class RightReader(unittest.TestCase):
    def test_everything_passes(self):
        done, report = judged()
        self.assertEqual(failures(report), set())
        self.assertEqual((done.returncode, report["totals"]["failed"]), (0, 0))
        self.assertEqual({clause["verdict"] for clause in report["clauses"]}, {"pass"})
        self.assertGreater(len(report["clauses"]), 600)
        self.assertEqual(len(report["outcomes"]), report["files"])
        self.assertGreater(report["files"], 2000)
        outcomes = {(each["sound"], each["outcome"]) for each in report["outcomes"]}
        self.assertEqual(outcomes, {(False, "refused"), (True, "right"), (True, "not compared")})

    def test_outcomes_that_are_compared(self):
        """Most sound files have nothing of which the value is not known."""
        _, report = judged("--files", "valid/*")
        compared = sum(each["outcome"] == "right" for each in report["outcomes"])
        self.assertGreater(compared, 0.8 * len(report["outcomes"]))

    def test_messages_match_the_schema(self):
        import jsonschema
        validator = jsonschema.Draft202012Validator(json.loads((CONFORMANCE / "protocol-hdf5.schema.json").read_text()))
        with tempfile.TemporaryDirectory() as folder:
            log = Path(folder) / "log"
            suite("--files", "*valid/IV.A.2.d/*", "--transcript", log)
            lines = [json.loads(line) for line in log.read_text().splitlines()]
            self.assertGreater(len(lines), 50)
            for each in lines:
                for what in each.keys() & {"request", "reply"}:
                    validator.validate(each[what])

    def test_all_formats(self):
        for form in ("text", "markdown", "junit", "sarif", "html", "earl", "ndjson", "badge"):
            with self.subTest(form):
                done = suite("--format", form, "--files", "valid/9.2/*")
                self.assertEqual((done.returncode, done.stderr), (0, ""))
                self.assertTrue(done.stdout)

    def test_no_suite_for_writers(self):
        done = subprocess.run([HEPCHECK, "suite", "writer", "--spec", SPEC, "--", *RIGHT], capture_output=True, text=True)
        self.assertEqual(done.returncode, 2)
        self.assertIn("no suite for writers", done.stderr)


class BrokenReaders(unittest.TestCase):
    def test_each_fails_its_clause(self):
        from broken_readers import MISTAKES, rounds
        self.assertGreater(len(MISTAKES), 100)
        for number, mistakes in enumerate(rounds()):
            done, report = judged(*(word for file in mistakes for word in ("--files", file)),
                                  command=[sys.executable, HERE / "broken_readers.py", number])
            failed = failures(report)
            self.assertEqual(done.returncode, int(bool(failed)))
            outcomes = {each["file"]: each for each in report["outcomes"]}
            for file, name in mistakes.items():
                with self.subTest(name):
                    self.assertEqual((clause_of(file), file) in failed, MISTAKES[name].fails, outcomes[file])
                    self.assertEqual(outcomes[file]["outcome"] == "MALFORMED", name.startswith("malformed"), outcomes[file])

    def test_programs_that_end(self):
        """A crash, a hang or an exhausted memory is an outcome of a sound and of a broken file."""
        files = "valid/9.2/swmr-btree2-record-type--both.h5", "invalid/9.2/swmr-btree2-record-order--equal.h5"
        for name, outcome, limits in (("crashes", "CRASH", []), ("exits", "CRASH", []), ("hangs", "HANG", ["--timeout", 0.3]),
                                      ("fills", "EXHAUSTION", ["--memory", 200]), ("writes", "MALFORMED", []),
                                      ("babbles", "MALFORMED", []), ("refuses", "CRASH", []), ("lists_nothing", "MALFORMED", [])):
            with self.subTest(name):
                done, report = judged(*(word for file in files for word in ("--files", file)), *limits,
                                      command=[sys.executable, HERE / "broken_readers.py", name])
                self.assertEqual(done.returncode, 1)
                self.assertEqual([each["outcome"] for each in report["outcomes"]], [outcome] * 2)
                self.assertEqual({file for _, file in failures(report)}, {*files})

    def test_refusals(self):
        """A broken file may be refused in any words; a sound one only as unsupported."""
        broken, sound = "invalid/9.2/swmr-btree2-record-order--equal.h5", "valid/9.2/swmr-btree2-record-type--both.h5"
        for kind, fails in (("refused", True), ("failed", True), ("unsupported", False)):
            with self.subTest(kind):
                hello = '{"id": 1, "ok": {"protocol": 1, "name": "odd", "capabilities": {"operations": ["read"]}}}'
                script = (f"read line; echo '{hello}'; n=1; while read line; do n=$((n + 1)); "
                          f"echo '{{\"id\": '$n', \"error\": {{\"kind\": \"{kind}\", \"message\": \"no\"}}}}'; done")
                _, report = judged("--files", broken, "--files", sound, command=["sh", "-c", script])
                self.assertEqual({file for _, file in failures(report)}, {sound} if fails else set())

    def test_what_is_not_declared(self):
        """Values of datatypes, attributes and committed datatypes that a program does not declare may be missing."""
        with tempfile.TemporaryDirectory() as folder:
            program = Path(folder) / "less.py"
            program.write_text(f"""import sys
sys.path.insert(0, {str(HERE)!r})
from right_reader import Reader
class Less(Reader):
    datatypes, features = ["integer"], []
    def read(self, request):
        made = super().read(request)
        made["objects"] = [each for each in made["objects"] if each["kind"] != "type"]
        for each in made["objects"]:
            each.pop("attributes", None)
            if each.get("type", {{}}).get("class", "integer") != "integer":
                each["refused"] = "not declared"
                each.pop("values", None)
        return made
Less().serve()
""")
            files = [word for glob in ("valid/IV.A.2.d/*", "valid/FF-IV.A.2.d/*", "valid/IV.A.2.m/*") for word in ("--files", glob)]
            done, report = judged(*files, command=[sys.executable, program])
            self.assertEqual((failures(report), done.returncode), (set(), 0))

    def test_unexpected_pass_fails(self):
        with tempfile.TemporaryDirectory() as folder:
            known = Path(folder) / "known.toml"
            file = "valid/9.2/swmr-btree2-record-type--both.h5"
            known.write_text(f'[[known]]\nclause = "{clause_of(file)}"\nwhere = "{file}"\nreason = "so"\n')
            done = suite("--known", known, "--files", file)
            self.assertEqual(done.returncode, 1)
            self.assertIn("UNEXPECTED PASS swmr-btree2-record-type", done.stdout)
            # The other file was not read.
            self.assertEqual(suite("--known", known, "--files", "valid/9.2/swmr-btree2-record-size*").returncode, 0)


def fixtures():
    """The entries of the manifest about files of the specification, which is the last one."""
    listed = json.loads((SOURCE / "fixtures/hdf5/manifest.json").read_text())["fixtures"]
    return [each for each in listed if "until" not in each]


def page_rows():
    """{file: outcomes} of the published matrix."""
    rows = re.findall(r"^\| `((?:in)?valid/[^`]+)` \| (.*) \|$", PAGE.read_text(), re.M)
    return {file: [cell.strip("* ") for cell in cells.split(" | ")] for file, cells in rows}


class Programs(unittest.TestCase):
    """Real programs over a sample of the files. They are known to fail as the lists say, and as the page says; a list of
    other versions says nothing."""

    NAMES = ["h5py 3.13.0 (libhdf5 1.14.5)", "libhdf5 2.2.0 (C)", "h5wasm 0.10.3", "jsfive 0.4.2"]
    LISTS = ["h5py", "libhdf5", "h5wasm", "jsfive"]

    def sample(self, column, share):
        """Every so many-th file, without those on which a program needs its time or its memory, or does not always do the
        same: virtual datasets in a loop end h5wasm by its stack or by its time, and of an array of chunks that does not end
        it shows memory that it did not read, or refuses."""
        listed = [each["file"] for each in fixtures()]
        rows = page_rows()
        slow = {file for file, cells in rows.items() if {"HANG", "EXHAUSTION", "MALFORMED"} & {cells[column]}}
        unstable = "h5-risk-virtual-loop", "swmr-index-fixed-no-unlimited--second"
        return [file for file in listed[column::share] if file not in slow and not any(each in file for each in unstable)]

    def compare(self, column, share, command):
        files = self.sample(column, share)
        done, report = judged("--timeout", 60, "--known", KNOWN / f"{self.LISTS[column]}.toml",
                              *(word for file in files for word in ("--files", file)), command=command)
        if report["program"]["name"] != self.NAMES[column]:
            self.skipTest(f"it is {report['program']['name']}, and the matrix is of {self.NAMES[column]}")
        self.assertEqual(report["unexpected_passes"], [])
        unknown = [finding for clause in report["clauses"] for finding in clause.get("findings", ()) if "known" not in finding]
        self.assertEqual(unknown, [])
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertGreater(len(report["outcomes"]), 2000 // share // 2)
        rows = page_rows()
        for each in report["outcomes"]:
            expected = rows[each["file"]][column] if each["file"] in rows else "right or not compared"
            self.assertIn(each["outcome"], expected, each)

    def test_h5py(self):
        self.compare(0, 8, [sys.executable, ADAPTERS / "python" / "adapter.py"])

    def test_libhdf5(self):
        if not os.environ.get("HDF5_ADAPTER"):
            self.skipTest("the C adapter was not built")
        self.compare(1, 6, [os.environ["HDF5_ADAPTER"]])

    def node(self, column, share, program):
        if not shutil.which("node") or not (Path(PACKAGES) / "node_modules" / "jsfive").exists():
            self.skipTest("there is no node or there are no packages (see suite_hdf5_packages)")
        self.compare(column, share, ["node", ADAPTERS / "javascript" / program, PACKAGES])

    def test_h5wasm(self):
        self.node(2, 8, "h5wasm.mjs")

    def test_jsfive(self):
        self.node(3, 2, "jsfive.mjs")


class Matrix(unittest.TestCase):
    def test_side_by_side(self):
        with tempfile.TemporaryDirectory() as folder:
            reports = []
            for name in "crashes", "lists_nothing":
                reports.append(Path(folder) / f"{name}.json")
                suite("--format", "json", "--output", reports[-1], "--files", "*valid/9.2/swmr-btree2-r*",
                      command=[sys.executable, HERE / "broken_readers.py", name])
            reports.append(Path(folder) / "right.json")
            suite("--format", "json", "--output", reports[-1], "--files", "invalid/9.2/swmr-btree2-r*")

            def compared(*options):
                return subprocess.run([HEPCHECK, "suite", "compare", *options, *map(str, reports)], capture_output=True, text=True)
            matrix = json.loads(compared("--format", "json").stdout)
            row = next(each for each in matrix["files"] if each["file"].startswith("invalid"))
            self.assertEqual([cell["outcome"] for cell in row["programs"]], ["CRASH", "MALFORMED", "refused"])
            self.assertFalse(row["sound"])
            sound = next(each for each in matrix["files"] if each["file"].startswith("valid"))
            self.assertEqual(sound["programs"][2], None)
            page = compared("--files", "--format", "markdown").stdout
            self.assertIn(f"| `{row['file']}` | **CRASH** | **MALFORMED** | refused |\n", page)
            self.assertIn(f"| `{sound['file']}` | **CRASH** | **MALFORMED** |  |\n", page)
            text = compared("--files").stdout
            self.assertIn(f"{row['file']}\n    [1] CRASH [2] MALFORMED [3] refused\n", text)
            self.assertIn("no objects", text)
            self.assertEqual(compared("--files", "--format", "html").returncode, 2)

    def test_reports_without_files(self):
        done = subprocess.run([HEPCHECK, "suite", "compare", "--files", "-"], capture_output=True, text=True)
        self.assertEqual(done.returncode, 2)

    def test_page_has_every_broken_file(self):
        broken = {each["file"] for each in fixtures() if each["kind"] == "invalid"}
        self.assertEqual(sorted(broken - page_rows().keys()), [])
        self.assertEqual(sorted(file for file in page_rows() if not (SOURCE / "fixtures/hdf5" / file).exists()), [])


if __name__ == "__main__":
    result = unittest.main(exit=False).result
    sys.exit(1 if not result.wasSuccessful() else 77 if result.skipped else 0)
