"""End-to-end tests of the command line: arguments and files as input, exit status and output as results."""

import json
import os
import pathlib
import pty
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

HEPCHECK = pathlib.Path(os.environ["HEPCHECK"]).resolve()
SOURCE = pathlib.Path(__file__).resolve().parents[1]
FIXTURES = SOURCE / "fixtures/hep001"
SHARED = SOURCE.parent / "shared"
MANIFEST = json.loads((FIXTURES / "manifest.json").read_text())["fixtures"]
REVISIONS = ["hep001-2026-06-16", "hep001-2026-07-09"]
GOOD = FIXTURES / "valid/14.1/worked-example-accepted--five-rows.h5"
BAD = FIXTURES / "invalid/7.3/nrows-uint64--int64.h5"
PATIENCE = 60  # seconds; every command should finish within one


def run(*arguments, stdin=b"", env=None, **options):
    return subprocess.run([HEPCHECK, *map(str, arguments)], input=stdin, capture_output=True,
                          timeout=PATIENCE, env=dict(os.environ, **(env or {})), **options)


def lines(result):
    return result.stdout.decode().splitlines()


def document(*arguments, **options):
    return json.loads(run("validate", "--format", "json", *arguments, **options).stdout)


def expectations(spec):
    """What the manifest expects for one revision (fixtures/README.md)."""
    for entry in MANIFEST:
        if entry["spec"] <= spec <= entry.get("until", REVISIONS[-1]):
            yield {**entry, **entry.get("revisions", {}).get(spec, {})}


class Folder(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def file(self, name, content):
        path = self.folder / name
        path.write_bytes(content)
        return path


class BadInput(Folder):
    def refused(self, path, *words, **options):
        result = run("validate", path, **options)
        self.assertEqual(result.returncode, 3, result)
        self.assertEqual(len(lines(result)), 1, result)
        self.assertRegex(result.stderr, rb"^(hepcheck: skipped 1 file: [^\n]*\n)?$")
        for word in ("cannot be examined", *words):
            self.assertIn(word, lines(result)[0])

    def test_dataset_instead_of_group(self):
        column = document(GOOD)["files"][0]["tables"][0]["path"] + "/energy"
        self.refused(f"{GOOD}:{column}", "not a group")

    def test_every_truncation(self):
        # A SWMR reader would accept truncated files, and retry each broken checksum forever.
        content = GOOD.read_bytes()
        for length in (1, 7, 8, 96, 500, 1000, len(content) // 2, len(content) - 1):
            with self.subTest(length=length):
                path = self.file("x.h5", content[:length])
                if length < 8:  # without a whole signature
                    self.refused(path)
                else:
                    self.broken(path, "swmr-superblock-eof")
                    self.assertEqual(run("validate", "--spec", "hep001", path).returncode, 3)

    def broken(self, path, clause, **options):
        """The file cannot be opened for its tables, and the container shows why."""
        result = run("validate", path, **options)
        self.assertEqual(result.returncode, 1, result)
        found = [line for line in lines(result) if ": error " in line]
        self.assertEqual(len(found), 1, result)
        self.assertIn(f": error {clause} ", found[0])
        self.assertIn("HEP001 tables cannot be looked for: ", result.stdout.decode())
        self.assertNotIn(b": cannot be examined", result.stdout)

    def test_damaged_superblock(self):
        content = GOOD.read_bytes()
        for at, clause in ((8, "swmr-superblock-version"), (9, "swmr-superblock-offset-size"),
                           (44, "swmr-superblock-checksum")):
            with self.subTest(at=at):
                self.broken(self.file("x.h5", content[:at] + bytes([content[at] ^ 0x11]) + content[at + 1:]), clause)

    def test_damaged_root_group(self):
        content = GOOD.read_bytes()
        root = int.from_bytes(content[36:44], "little")
        path = self.file("x.h5", content[:root + 4] + b"\x09" + content[root + 5:])
        result = run("validate", path)
        self.assertEqual(result.returncode, 1, result)
        self.assertEqual(result.stdout.count(b": error "), 1, result)
        self.assertIn(b"no HEP001 table was found, and not everything can be read", result.stdout)
        self.assertEqual(run("validate", "--spec", "hep001", path).returncode, 3)
        self.assertEqual(run("validate", "--allow-no-tables", path).returncode, 3)

    def test_standard_input(self):
        self.refused("-", "empty")
        self.refused("-", "not an HDF5 file", stdin=b"hello")
        self.broken("-", "swmr-superblock-eof", stdin=GOOD.read_bytes()[:5000])

    def test_unreadable_file(self):
        path = self.file("x.h5", GOOD.read_bytes())
        path.chmod(0)
        if os.access(path, os.R_OK):
            self.skipTest("this user may read every file")
        self.refused(path, "cannot be read")

    def test_file_without_tables(self):
        import h5py
        path = self.folder / "x.h5"
        with h5py.File(path, "w") as file:
            file["x"] = 1
        self.assertEqual(run("validate", "--spec", "hep001", path).returncode, 3)
        self.assertEqual(run("validate", "--allow-no-tables", path).returncode, 0)
        self.assertEqual(document("--allow-no-tables", path)["files"][0]["tables"], [])


class Status(Folder):
    def status(self, *arguments, **options):
        return run("validate", *arguments, **options).returncode

    def test_clauses_by_pattern_and_by_section(self):
        self.assertEqual(self.status("--only", "nrows-*", BAD), 1)
        self.assertEqual(self.status("--only", "7.3", BAD), 1)
        self.assertEqual(self.status("--only", "7", BAD), 1)
        self.assertEqual(self.status("--only", "7.2,bloom-*", BAD), 0)
        for word in ("nrows-*", "7.3", "7"):
            self.assertEqual(self.status("--skip", word, BAD), 0)
        # Sections have the numbers of the revision that the file is judged by.
        for spec, section, checked in ((REVISIONS[0], "10.1", True), (REVISIONS[1], "10.1", False),
                                       (REVISIONS[0], "11.1", False), (REVISIONS[1], "11.1", True)):
            table = document("--spec", spec, "--only", section, GOOD)["files"][0]["tables"][0]
            verdict = next(c["verdict"] for c in table["clauses"] if c["id"] == "only-datasets")
            self.assertEqual(verdict != "not-checked", checked, (spec, section))

    def test_ids_of_either_revision_if_the_file_selects_it(self):
        older, newer = "bloom-no-composite-column", "source-generation-present"
        for option in ("--skip", "--only"):
            self.assertEqual(self.status("--spec", "auto", option, f"{older},{newer}", GOOD), 0)
            self.assertEqual(self.status("--spec", REVISIONS[0], option, newer, GOOD), 2)
            self.assertEqual(self.status("--spec", REVISIONS[1], option, older, GOOD), 2)

    def test_baseline_written_when_another_revision_was_the_default(self):
        with tempfile.TemporaryDirectory() as folder:
            baseline = pathlib.Path(folder) / "known.json"
            made = run("baseline", "create", "--spec", REVISIONS[0], "--baseline", baseline, BAD)
            self.assertEqual(made.returncode, 0, made)
            self.assertEqual(self.status("--spec", "auto", "--baseline", baseline, BAD), 0)
            self.assertEqual(self.status("--spec", REVISIONS[1], "--baseline", baseline, BAD), 2)
            content = baseline.read_text()
            self.assertIn('"nrows-uint64"', content)
            baseline.write_text(content.replace('"nrows-uint64"', '"no-such-clause"'))
            self.assertEqual(self.status("--spec", "auto", "--baseline", baseline, BAD), 2)

    def test_invalid_arguments(self):
        for arguments, message in (
                ([], "subcommand"), (["vaildate", GOOD], "did you mean validate?"),
                (["validate"], "path is required"),
                (["validate", "--formt", "json", GOOD], "did you mean --format?"),
                (["validate", "--format", "xml", GOOD], "xml"),
                (["validate", "--only", "nrow-uint64", GOOD], "did you mean nrows-uint64?"),
                (["validate", "--skip", "no-such-thing-at-all", GOOD], "no-such-thing-at-all"),
                (["validate", "--only", "nrow-*", GOOD], "did you mean nrows-*?"),
                (["validate", "--skip", "7.33", GOOD], "did you mean 7.3?"),
                (["explain", "arow-fb-*"], "did you mean arrow-fb-*?"),
                (["suite", "reader", "--only", "consmer-*", "--", "x"], "did you mean consumer-*?"),
                (["validate", "--max-findings", "-3", GOOD], "-3"),
                (["validate", "--memory-limit", "lots", GOOD], "lots"),
                (["validate", "--spec", "hep999", GOOD], "hep999"),
                (["clauses", "show", "nrow-uint64"], "nrows-uint64"),
                (["fixtures", "show", "nrow-uint64"], "nrow-uint64"),
                (["explain", "nrow-uint64"], "did you mean nrows-uint64?"),
                (["validate", "--fail-on", "shuold", GOOD], "did you mean should?"),
                (["validate", "--format=jsn", GOOD], "did you mean json?"),
                (["validate", "--spec", "hep001-2026-06-15", GOOD], "did you mean hep001-"),
                (["validate", "--deph=full", GOOD], "did you mean --depth?"),
                (["baseline", "craete", GOOD], "did you mean create?"),
                (["baseline", "create", "--basline", "x", GOOD], "did you mean --baseline?"),
                (["report", "marge", "x.json"], "did you mean merge?"),
                (["clauses", "coverge"], "did you mean coverage?"),
                (["clauses", "coverage", "--format", "jsno"], "did you mean json?"),
                (["index", "biuld"], "did you mean build?"),
                (["index", "build", GOOD, "x", "BITMPA"], "did you mean BITMAP?"),
                (["index", "build", "--seeed", "3"], "did you mean --seed?"),
                (["completion", "bsh"], "did you mean bash?")):
            with self.subTest(arguments=arguments):
                result = run(*arguments)
                self.assertEqual(result.returncode, 2, result)
                self.assertEqual(result.stdout, b"")
                self.assertEqual(len(result.stderr.splitlines()), 1, result.stderr)
                self.assertIn(message, result.stderr.decode())


class Report(Folder):
    def test_json_keys_are_stable(self):
        report = document(BAD)
        self.assertEqual(list(report)[:4], ["hepcheck", "spec", "claim", "files"])
        self.assertEqual(report["spec"], REVISIONS[-1])
        (file,) = report["files"]
        self.assertEqual((file["path"], file["error"]), (str(BAD), None))
        (table,) = file["tables"]
        self.assertEqual(table["verdict"], "fail")
        clauses = {c["id"]: c for c in table["clauses"]}
        listed = run("clauses", "--spec", report["spec"]).stdout.decode()
        checked = [i for i in clauses if f"{i} " in listed]
        self.assertEqual(len(checked), len(table["clauses"]))  # each clause once
        self.assertEqual({c["verdict"] for c in clauses.values()},
                         {"pass", "fail", "not-applicable"})
        broken = clauses["nrows-uint64"]
        self.assertEqual((broken["section"], broken["level"], broken["severity"]),
                         ("7.3", "MUST", "error"))
        (finding,) = broken["findings"]
        self.assertTrue({"object", "observed", "expected", "fix"} <= set(finding))
        for clause in clauses.values():
            if clause["verdict"] in ("not-applicable", "not-checked"):
                self.assertEqual(clause["findings"], [])

    def test_skipped_clauses_are_not_checked_with_a_reason(self):
        table = document("--skip", "nrows-uint64", BAD)["files"][0]["tables"][0]
        skipped = next(c for c in table["clauses"] if c["id"] == "nrows-uint64")
        self.assertEqual(skipped["verdict"], "not-checked")
        self.assertIn("by the user", skipped["reason"])

    def test_max_findings_counts_the_rest(self):
        import h5py
        path = self.folder / "many.h5"
        shutil.copy(GOOD, path)
        with h5py.File(path, "a") as file:
            table = file[document(GOOD)["files"][0]["tables"][0]["path"]]
            for i in range(7):
                table.create_dataset(f"_x{i}", (5,), "i4")
        whole = document(path)["files"][0]["tables"][0]["clauses"]
        some = document("--max-findings", 3, path)["files"][0]["tables"][0]["clauses"]
        pick = lambda clauses: next(
            c for c in clauses if c["id"] == "column-name-no-leading-underscore")
        self.assertEqual(len(pick(whole)["findings"]), 7)
        self.assertEqual(len(pick(some)["findings"]), 3)
        self.assertIn("4 more", run("validate", "--max-findings", 3, path).stdout.decode())

    def test_no_colour_in_pipe(self):
        self.assertNotIn(b"\x1b", run("validate", BAD).stdout)

    def on_terminal(self, *arguments, status=1, **env):
        leader, follower = os.openpty()
        environment = {k: v for k, v in os.environ.items() if k != "NO_COLOR"}
        process = subprocess.Popen([HEPCHECK, "validate", *map(str, arguments)], stdout=follower,
                                   env={**environment, "TERM": "xterm", **env})
        os.close(follower)
        shown = b""
        try:
            while part := os.read(leader, 65536):
                shown += part
        except OSError:  # the other end is closed
            pass
        os.close(leader)
        self.assertEqual(process.wait(PATIENCE), status)
        return shown

    def test_colour_on_terminal_unless_disabled(self):
        for env, colours in (({}, True), ({"NO_COLOR": "1"}, False), ({"TERM": "dumb"}, False)):
            shown = self.on_terminal(BAD, **env)
            self.assertIn(b"nrows-uint64", shown)
            self.assertEqual(b"\x1b[" in shown, colours)

    def test_terminal_groups_equal_findings(self):
        import h5py
        path = self.folder / "many.h5"
        path.write_bytes(GOOD.read_bytes())
        with h5py.File(path, "a") as file:
            (table,) = [g for g in file.values() if "CLASS" in g.attrs]
            for i in range(9):
                table.create_dataset(f"two_dimensional_{i}", (2, 2), "i4", chunks=(1, 1))
        findings = [f for f in document(path)["files"][0]["tables"][0]["clauses"]
                    if len(f["findings"]) == 9][0]["findings"]
        self.assertEqual(len({(f["observed"], f["expected"]) for f in findings}), 1)
        shown = self.on_terminal(path, NO_COLOR="1").decode().replace("\r", "")
        self.assertEqual(shown.count(f"    expected  {findings[0]['expected']}\n"), 1, shown)
        self.assertIn("              and 5 more places (--verbose)\n", shown)
        verbose = self.on_terminal("-v", path, NO_COLOR="1").decode()
        for finding in findings:
            self.assertIn(finding["object"], verbose)

    def test_failing_table_reports_what_was_not_checked(self):
        for shown in (run("validate", "--skip", "class-present", BAD).stdout,
                      self.on_terminal("--skip", "class-present", BAD)):
            self.assertIn(b"not checked: class-present: ", shown)

    def test_quiet_affects_the_terminal_only(self):
        for arguments in (("--format", "text=out.txt"), ("-o", "out.txt"),
                          ("--format", "text", "-o", "out.txt")):
            shown = run("validate", "-q", *arguments, BAD, cwd=self.folder)
            self.assertEqual(shown.stdout, b"")
            written = self.folder / "out.txt"
            self.assertEqual(written.read_bytes(), run("validate", BAD).stdout, arguments)
            written.unlink()

    def test_output_suffix_selects_the_format(self):
        day = {"SOURCE_DATE_EPOCH": "0"}  # JUnit reports contain a date
        for suffix, form in (("html", "html"), ("json", "json"), ("sarif", "sarif"),
                             ("xml", "junit"), ("md", "markdown"), ("svg", "badge-svg"),
                             ("ndjson", "ndjson"), ("jsonld", "earl"), ("txt", "text"),
                             ("log", "text")):
            for command in (("validate", BAD), ("report", "render", "report.json")):
                if command[0] == "report":
                    run("validate", "-o", "report.json", BAD, cwd=self.folder)
                written = self.folder / f"report-x.{suffix}"
                run(*command, "-o", written, cwd=self.folder, env=day)
                shown = run(*command, "--format", form, cwd=self.folder, env=day)
                self.assertEqual(written.read_bytes(), shown.stdout, suffix)
        # An explicit format takes precedence.
        run("validate", "--format", "json", "-o", "page.html", BAD, cwd=self.folder)
        json.loads((self.folder / "page.html").read_text())

    def test_output_file(self):
        out = self.folder / "report.json"
        result = run("validate", "--format", "json", "-o", out, BAD)
        self.assertEqual((result.returncode, result.stdout), (1, b""))
        self.assertEqual(json.loads(out.read_bytes()), document(BAD))
        self.assertEqual(run("validate", "-o", self.folder / "no" / "x", BAD).returncode, 3)

    def test_file_name_that_looks_like_a_group(self):
        inner = self.folder / "a.h5:"
        inner.mkdir()
        shutil.copy(BAD, inner / "b.h5")
        self.assertEqual(document(inner / "b.h5")["files"][0]["error"], None)

    def test_the_file_is_not_changed(self):
        path = self.file("x.h5", GOOD.read_bytes())
        path.chmod(0o444)
        before = path.stat()
        run("validate", path)
        after = path.stat()
        self.assertEqual(path.read_bytes(), GOOD.read_bytes())
        self.assertEqual((before.st_mtime_ns, before.st_size), (after.st_mtime_ns, after.st_size))

    def test_control_codes_in_names_are_escaped(self):
        import h5py
        path = self.folder / "evil\x1b[31m.h5"
        with h5py.File(path, "w") as file:
            table = file.create_group("t\x1b]0;x\x07")
            table.attrs["CLASS"] = "COLUMN_TABLE"
            table.create_dataset("_\x9b\nnew line", (1, 1), "i4")
        shown = run("validate", "--verbose", path).stdout
        self.assertIn(b"error", shown)
        self.assertNotIn(b"\x1b", shown)
        self.assertNotIn(b"\x07", shown)
        self.assertFalse(any(line.startswith(b"new line") for line in shown.splitlines()))


class Resources(Folder):
    def test_memory_and_threads_change_nothing(self):
        paths = [FIXTURES / fixture["file"] for fixture in MANIFEST[::13]]

        def reports(*options):
            return document(*options, *paths)["files"]

        usual = reports()
        for options in (["--memory-limit", "1"], ["--jobs", "1"]):
            for path, expected, made in zip(paths, usual, reports(*options), strict=True):
                self.assertEqual(made, expected, (path, options))
        # A run with a single file uses all threads for that file.
        for path, expected in zip(paths, usual, strict=True):
            made = document("--memory-limit", "64KB", "--jobs", "5", path)["files"]
            self.assertEqual(made, [expected], path)

    def test_invalid_unit_is_explained(self):
        result = run("validate", "--memory-limit", "5XB", GOOD)
        self.assertEqual(result.returncode, 2)
        self.assertIn(b'"5XB" is not a size such as 1000, 512MB or 2GiB', result.stderr)
        self.assertLess(len(result.stderr), 200)

    def test_invalid_numbers_are_rejected(self):
        for option, value in (("--memory-limit", "lots"), ("--jobs", "0"), ("--jobs", "two")):
            self.assertEqual(run("validate", option, value, GOOD).returncode, 2, (option, value))

    def test_numbers_that_overflow_are_rejected(self):
        column = (GOOD, "x", "CHUNK_BLOOM")
        for arguments in (
                ["validate", "--limit", "time=10000000000"], ["validate", "--limit", "time=2e99"],
                ["validate", "--limit", "time=-1"], ["validate", "--limit", "cpu-time=10000000000"],
                ["validate", "--limit", "memory=16EiB"], ["validate", "--limit", f"ratio={2 ** 64}"],
                ["validate", "--memory-limit", "15EiB"], ["validate", "--memory-limit", 2 ** 64],
                ["validate", "--memory-limit", "-1"], ["validate", "--max-findings", 2 ** 64],
                ["validate", "--max-findings", "-1"], ["validate", "--jobs", 2 ** 64],
                ["validate", "--shard", f"1/{2 ** 64}"],
                ["index", "build", *column, "--memory-limit", "15EiB"],
                ["index", "build", *column, "--seed", 2 ** 32],
                ["index", "build", *column, "--bits-per-value", "nan"],
                ["index", "build", *column, "--bits-per-value", "1e999"],
                ["index", "build", *column, "--false-positive-rate", "nan"],
                ["suite", "reader", "--timeout", "nan", "--", "true"],
                ["suite", "reader", "--timeout", "1e300", "--", "true"]):
            result = run(*arguments, *([GOOD] if arguments[0] == "validate" else []))
            self.assertEqual((result.returncode, result.stdout), (2, b""), (arguments, result))
            (line,) = result.stderr.decode().splitlines()
            self.assertIn("--timeout" if arguments[-1] == "true" else arguments[-2], line)
        self.assertEqual(run("validate", "--limit", "time=1000000000,memory=1TiB", GOOD).returncode, 0)


class Words(Folder):
    """Arguments that are repeated in messages contain no control codes and no line breaks."""

    def test_usage_errors(self):
        word = "a\x1b[31m\n::error::x"
        for arguments in (["validate", "--format", word, GOOD], ["validate", "--" + word, GOOD],
                          ["validate", "--only", word, GOOD], ["validate", "--limit", word, GOOD],
                          ["validate", "--spec", word, GOOD], ["explain", word],
                          ["reduce", f"{BAD}:/events", "--keep", word, "-o", self.folder / "x.h5"],
                          ["index", "build", word + "*", "x", "BITMAP"],
                          ["index", "build", GOOD, "x", word]):
            result = run(*arguments)
            self.assertIn(result.returncode, (2, 3), arguments)
            (line,) = result.stderr.decode().splitlines()
            self.assertNotIn("\x1b", line)
            self.assertIn("a\\x1b[31m\\n::error::x", line.lower())

    def test_report_that_cannot_be_written(self):
        file = sorted((FIXTURES / "valid/10.4").glob("*.h5"))[0]
        for arguments in (["validate", file], ["index", "verify", file, "x", "CHUNK_MINMAX"]):
            self.assertEqual(run(*arguments).returncode, 0)
            with open("/dev/full", "wb") as full:
                result = subprocess.run([HEPCHECK, *map(str, arguments)], stdout=full,
                                        stderr=subprocess.PIPE, timeout=PATIENCE)
            self.assertEqual(result.returncode, 3, arguments)


STREAM = SOURCE / "fixtures/arrow/valid/2.2/arrow-lengths-are-int64--two-of-eight-bytes.arrows"


class Directories(Folder):
    """Files are chosen by what they contain, and nothing is left out in silence."""

    def setUp(self):
        super().setUp()
        import h5py
        shutil.copy(GOOD, self.folder / "table_without_suffix")
        shutil.copy(STREAM, self.folder / "stream.dat")
        with h5py.File(self.folder / "plain.nc", "w") as file:
            file["x"] = [1, 2, 3]
        self.file("notes.txt", b"hello")
        self.file("damaged.bin", b"\0\1\2\3" * 100)
        (self.folder / ".git").mkdir()
        self.file(".git/object", b"\0" * 100)

    def examined(self, *arguments):
        result = run("validate", "--format", "json", *arguments, self.folder)
        report = json.loads(result.stdout)
        return {pathlib.Path(file["path"]).name for file in report["files"]}, result

    def test_by_content(self):
        names, result = self.examined()
        self.assertEqual(names, {"table_without_suffix", "stream.dat", "plain.nc"})
        self.assertEqual(result.stderr, b"hepcheck: skipped 2 files: 1 recognised by no format; 1 text, or empty\n")
        self.assertEqual(self.examined("-q")[1].stderr, b"")

    def test_a_specification_looks_at_its_files_and_at_unknown_ones(self):
        names, result = self.examined("--spec", "arrow-columnar-1.0")
        self.assertEqual(names, {"stream.dat", "damaged.bin"})
        self.assertIn(b"2 of another format", result.stderr)
        self.assertEqual(self.examined("--spec", "hdf5")[0], {"table_without_suffix", "plain.nc", "damaged.bin"})

    def test_specifications_that_do_not_apply(self):
        """Each file is judged by what applies to it; a file without a table is no failure if its container was judged."""
        (self.folder / "damaged.bin").unlink()
        names, result = self.examined("--spec", "hdf5", "--spec", "auto")
        report = json.loads(result.stdout)
        self.assertEqual(result.returncode, 0, result)
        self.assertEqual([file["path"] for file in report["files"] if file["error"]], [])
        self.assertEqual({pathlib.Path(f["path"]).name: len(f["tables"]) for f in report["files"]},
                         {"plain.nc": 1, "stream.dat": 1, "table_without_suffix": 2})
        isolated = result.stdout
        self.assertEqual(self.examined("--spec", "hdf5", "--spec", "auto", "--no-isolation")[1].stdout, isolated)

    def test_a_damaged_file_is_examined_by_each(self):
        broken = self.file("broken.h5", GOOD.read_bytes()[1:])
        report = document("--spec", "hdf5", "--spec", "arrow-columnar-1.0", broken)
        self.assertTrue(report["files"][0]["error"])
        self.assertEqual(len(report["files"][0]["tables"]), 1)  # as a stream


class WithoutTables(Folder):
    def message(self, value, *arguments):
        import h5py
        with h5py.File(self.folder / "x.h5", "w") as file:
            file.create_group("t").attrs["CLASS"] = value
        result = run("validate", *arguments, self.folder / "x.h5")
        self.assertEqual(result.returncode, 3)
        return result.stdout.decode()

    def test_the_file_itself_is_examined(self):
        path = self.folder / "x.h5"
        self.message("TABLE", "--spec", "hep001")
        (subject,) = document(path)["files"][0]["tables"]
        self.assertEqual((subject["kind"], subject["spec"], subject["verdict"], subject["chosen_by"]),
                         ("container", "hdf5-file-format-4.0", "pass", "default"))
        for depth, words in (("full", "its structures and stored values, but not what the values mean"),
                             ("structure", "its structures, but no values")):
            said = run("validate", "--depth", depth, path).stdout.decode()
            self.assertIn("no HEP001 table: no group has CLASS = COLUMN_TABLE; examined instead: the HDF5 file "
                          f"itself, {words}\n", said)
            self.assertNotIn("SWMR", said)
        damaged = path.read_bytes()
        path.write_bytes(damaged[:8] + b"\7" + damaged[9:])
        self.assertEqual(run("validate", "--spec", "hdf5", path).returncode, 1)

    def test_swmr_is_asked_for(self):
        path = self.folder / "x.h5"
        self.message("TABLE", "--spec", "hep001")
        for arguments, specs in ((("--swmr",), ["hdf5-swmr-2013-10-10"]),
                                 (("--spec", "hdf5", "--swmr"), ["hdf5-file-format-4.0", "hdf5-swmr-2013-10-10"])):
            subjects = document(*arguments, path)["files"][0]["tables"]
            self.assertEqual([subject.get("spec", specs[0]) for subject in subjects], specs)
            self.assertEqual(["eligible" in subject["shape"] for subject in subjects],
                             [spec.startswith("hdf5-swmr") for spec in specs])

    def test_two_ways_on(self):
        for value in ("TABLE", "ARRAY", "", "COLUMN", "IMAGE"):
            said = self.message(value, "--spec", "hep001")
            self.assertIn("no HEP001 table", said)
            self.assertIn("--spec hdf5", said)
            self.assertIn("--allow-no-tables", said)

    def test_near_misses_are_named(self):
        for value in ("COLUMN-TABLE", "column_table", "Column Table", "COLUMN_TABEL", "COLUMNTABLE", "COLUM_TABLE"):
            self.assertIn(f'the group /t has CLASS = "{value}" instead of "COLUMN_TABLE"', self.message(value))


class UndecodableAttribute(Folder):
    def test_attributes_of_the_newer_revision_are_found_by_name(self):
        """If one attribute cannot be decoded, libhdf5 lists none; tokens are read all the same, and decide which
        revision judges the table."""
        import h5py
        import numpy as np
        path = self.folder / "t.h5"

        def ascii_text(owner, name, value):
            kind = h5py.h5t.C_S1.copy()
            kind.set_size(len(value) + 1)
            attribute = h5py.h5a.create(owner.id, name.encode(), kind, h5py.h5s.create(h5py.h5s.SCALAR))
            attribute.write(np.array(value.encode(), dtype=f"S{len(value) + 1}"))

        with h5py.File(path, "w", libver="earliest") as file:
            table = file.create_group("t")
            ascii_text(table, "CLASS", "COLUMN_TABLE")
            ascii_text(table, "VERSION", "1.0")
            table.attrs.create("NROWS", np.uint64(6))
            table.create_dataset("x", data=np.arange(6, dtype="i4"), chunks=(2,), fillvalue=-99)
        built = run("index", "build", f"{path}:/t", "x", "CHUNK_MINMAX")
        self.assertEqual(built.returncode, 0, built)
        with h5py.File(path, "r+") as file:
            file["t"].attrs["odd"] = np.int32(5)
        data = bytearray(path.read_bytes())
        at = data.rfind(b"odd\0\0\0\0\0") + 8
        self.assertEqual(data[at], 0x10)  # the version and the class of its datatype
        data[at] = 0xF0
        path.write_bytes(data)
        (table,) = document(path)["files"][0]["tables"]
        self.assertEqual(table["sign"], "an attribute GENERATION", table)
        verdicts = {clause["id"]: clause["verdict"] for clause in table["clauses"]}
        self.assertEqual(verdicts["minmax-min-value"], "pass")
        self.assertEqual(verdicts["generation-uint64"], "pass")


class Advice(Folder):
    def test_a_lot_of_advice_is_one_line(self):
        """Errors come first, and the pointer names one of them."""
        import h5py
        path = self.folder / "x.h5"
        with h5py.File(path, "w") as file:
            for i in range(5):
                file[f"d{i}"] = [1, 2, 3]
        said = run("validate", "--swmr", path).stdout.decode()
        self.assertEqual(said.count(": info "), 0)
        self.assertEqual(said.count("(--verbose shows each)"), 1)
        self.assertGreater(run("validate", "--swmr", "-v", path).stdout.decode().count(": info "), 10)

    def test_errors_first(self):
        for fixture in sorted((FIXTURES / "invalid").rglob("*.h5"))[::25]:
            said = run("validate", fixture).stdout.decode()
            ranks = ["error warning info".split().index(word) for word in re.findall(r": (error|warning|info) [a-z]", said)]
            self.assertEqual(ranks, sorted(ranks), fixture)

    def test_unused_words_are_named(self):
        result = run("validate", "--skip", "10.4", BAD)
        self.assertRegex(result.stderr.decode(), "^hepcheck: --skip 10.4: no clause of hep001-2026-07-09; there it is [^\n]*11.4")
        self.assertEqual(run("validate", "--skip", "11.4", BAD).stderr, b"")

    def test_quiet_mentions_an_older_revision(self):
        import h5py
        older = self.folder / "older.h5"
        shutil.copy(FIXTURES / "valid/12/index-content-correct--every-family.h5", older)
        with h5py.File(older, "r+") as file:  # without tokens, it follows the older text
            for name in [*file["events"], *(f"SEARCH_INDEXES/{each}" for each in file["events/SEARCH_INDEXES"]), "."]:
                for token in ("GENERATION", "SOURCE_GENERATION", "SOURCE_NROWS", "exhaustive"):
                    if token in file["events"][name].attrs:
                        del file["events"][name].attrs[token]
        result = run("validate", "-q", older)
        self.assertRegex(result.stderr.decode(),
                         "judged by hep001-2026-06-16 because of search indexes without validity tokens; --spec pins")
        self.assertEqual(run("validate", "-q", "--spec", REVISIONS[0], older).stderr, b"")
        self.assertEqual(run("validate", "-q", GOOD).stderr, b"")

    def test_summary(self):
        result = run("validate", "--summary", BAD, GOOD)
        self.assertEqual(len(lines(result)), 1)
        self.assertEqual(result.returncode, 1)

    def test_colour(self):
        for options, env, wanted in ((["--color", "always"], {}, True), (["--color", "never"], {"CLICOLOR_FORCE": "1"}, False),
                                     ([], {"CLICOLOR_FORCE": "1"}, True), ([], {"CLICOLOR_FORCE": "0"}, False), ([], {}, False)):
            self.assertEqual(b"\x1b[3" in run("validate", *options, BAD, env=env).stdout, wanted, (options, env))


class Output(Folder):
    def test_full_device(self):
        """Short output is still in a buffer when the command ends."""
        for arguments in (("--version",), ("--help",), ("clauses", "show", "nrows-uint64"), ("explain", "nrows-uint64"),
                          ("fixtures", "list"), ("validate", GOOD)):
            with open("/dev/full", "wb") as full:
                result = subprocess.run([HEPCHECK, *map(str, arguments)], stdout=full, stderr=subprocess.PIPE,
                                        timeout=PATIENCE)
            self.assertEqual(result.returncode, 3, arguments)
            self.assertEqual(result.stderr.count(b"\n"), 1, (arguments, result.stderr))

    def test_version_names_the_catalogues(self):
        first, *catalogues = lines(run("--version"))
        self.assertRegex(first, r"^hepcheck \d+\.\d+\.\d+$")
        found = {line.split()[0]: line.split()[-1] for line in catalogues}
        self.assertEqual(set(found), {path.stem for path in (SOURCE / "conformance/clauses").glob("*.toml")})
        self.assertEqual(len(set(found.values())), len(found))
        for digest in found.values():
            self.assertRegex(digest, "^sha256:[0-9a-f]{64}$")

    def test_standard_input_that_never_comes(self):
        with subprocess.Popen([HEPCHECK, "validate", "--limit", "time=1", "-"], stdin=subprocess.PIPE,
                              stdout=subprocess.PIPE) as process:
            self.assertEqual(process.wait(PATIENCE), 3)
            self.assertIn(b"the limit of time was reached while waiting", process.stdout.read())


class Readme(Folder):
    """The terminal output in README.md is what the program prints on a terminal."""

    def on_a_terminal(self, *arguments):
        ours, theirs = pty.openpty()
        with subprocess.Popen([HEPCHECK, *arguments], stdout=theirs, cwd=self.folder,
                              env=dict(os.environ, NO_COLOR="1")) as process:
            os.close(theirs)
            shown = b""
            try:
                while part := os.read(ours, 4096):
                    shown += part
            except OSError:  # the other end is closed
                pass
            process.wait(PATIENCE)
        os.close(ours)
        return shown.decode().replace("\r\n", "\n")

    def test_valid_and_invalid_file(self):
        page = (SOURCE / "README.md").read_text()
        (block,) = re.findall(r"```\n(\$ cp .*?)```", page, re.S)
        commands = [line[2:].split() for line in block.splitlines() if line.startswith("$ ")]
        for command, source, target in (each for each in commands if each[0] == "cp"):
            shutil.copy(SOURCE / source, self.folder / target)
        self.assertEqual(commands[-1][:2], ["./dev", "hepcheck"])
        wanted = block.split(" ".join(commands[-1]) + "\n")[1]
        self.assertEqual(self.on_a_terminal(*commands[-1][2:]), wanted)


class Corpus(Folder):
    def test_export_writes_the_committed_files(self):
        out = self.folder / "corpus"
        self.assertEqual(run("fixtures", "export", out).returncode, 0)
        exported = {p.relative_to(out) for p in out.rglob("*") if p.is_file()}
        for fixture in MANIFEST:
            path = pathlib.Path(fixture["file"])
            self.assertEqual((out / path).read_bytes(), (FIXTURES / path).read_bytes())
            exported.discard(path)
        self.assertLessEqual({str(p) for p in exported}, {"manifest.json", "README.md", "made-with.json"})

    def test_export_of_one_revision(self):
        for spec in REVISIONS:
            out = self.folder / spec
            self.assertEqual(run("fixtures", "export", "--spec", spec, out).returncode, 0)
            manifest = json.loads((out / "manifest.json").read_text())
            self.assertEqual((manifest["spec"], "later" in manifest), (spec, False))
            listed = {entry["file"]: entry for entry in manifest["fixtures"]}
            self.assertEqual({str(p.relative_to(out)) for p in out.rglob("*.h5")}, set(listed))
            for fixture in expectations(spec):
                entry = listed.pop(fixture["file"])
                for key in ("kind", "clause", "fails", "warns", "informs", "ambiguity"):
                    self.assertEqual(entry.get(key), fixture.get(key), fixture["file"])
            self.assertEqual(listed, {})
        self.assertEqual(run("fixtures", "export", "--spec", spec, "--of", "hdf5", out).returncode, 2)

    def test_show(self):
        shown = run("fixtures", "show", "nrows-uint64").stdout.decode()
        self.assertIn("invalid/7.3/nrows-uint64--int64.h5", shown)
        self.assertIn("by       hep001-2026-06-16, hep001-2026-07-09\n", shown)
        shown = run("fixtures", "show", "valid/10.6/bitmap-residue--residue.h5").stdout.decode()
        for line in ("by       hep001-2026-06-16\n", "by       hep001-2026-07-09\n",
                     "fails    bitmap-pad-bits-zero\n"):
            self.assertIn(line, shown)
        self.assertEqual(shown.count("sha256"), 1)

    def test_ambiguities(self):
        for spec in REVISIONS:
            register = json.loads(
                run("clauses", "--spec", spec, "ambiguities", "--format", "json").stdout)
            entries = {entry["id"]: entry for entry in register["ambiguities"]}
            text = run("clauses", "--spec", spec, "ambiguities").stdout.decode()
            marked = {}
            for fixture in expectations(spec):
                if fixture.get("ambiguity"):
                    marked.setdefault(fixture["ambiguity"], []).append(fixture["file"])
            self.assertGreater(len(marked), 20)
            for name, entry in entries.items():
                self.assertIn(f"\n{name} (section {entry['section']})\n", text)
                self.assertEqual(entry["fixtures"], marked.pop(name, []))
            self.assertEqual(marked, {})
        self.assertIn("seed-default", entries)
        self.assertEqual(entries["seed-default"]["clauses"], ["bloom-seed-present", "consumer-read-seed"])
        self.assertIn("seed-default: ", run("clauses", "show", "bloom-seed-present").stdout.decode())
        self.assertIn("depends on the ambiguity seed-default",
                      run("fixtures", "show", "bloom-seed-present").stdout.decode())

    def test_coverage_is_complete(self):
        for spec, least in zip(REVISIONS, (230, 297)):
            coverage = json.loads(
                run("clauses", "--spec", spec, "coverage", "--format", "json").stdout)
            self.assertEqual(json.loads(run("clauses", "coverage", "--spec", spec,
                                            "--format", "json").stdout), coverage)
            file = coverage["file"]
            self.assertGreaterEqual(file["total"], least)
            self.assertEqual([file[k] for k in ("rule", "valid", "broken", "kill")],
                             [file["total"]] * 4)
            self.assertEqual((coverage["missing"], coverage["disagreements"]), ([], []))


def failed(table):
    """The clauses that a table violates, whatever their severity, with the places."""
    return {c["id"]: {f["object"] for f in c["findings"]} for c in table["clauses"]
            if c["verdict"] == "fail"}


def errors(table):
    return {c["id"] for c in table["clauses"]
            if any(f["severity"] == "error" for f in c["findings"])}


@unittest.skipUnless((SHARED / "real").is_dir(), "the files of other software are not available")


class RealFiles(Folder):
    """Files written by h5col 0.4.0, an independent implementation: each revision finds what the documentation
    of h5col admits or the revision does not allow, and nothing else."""

    PADDED = {"class-null-terminated"}
    INDEXED = PADDED | {"no-std-ref-obj"}
    LISTS = PADDED | {"list-class-null-terminated", "list-kind-null-terminated"}
    OLDER = {"h5col_numeric_nobool.h5": PADDED, "h5col_numeric_plain.h5": PADDED,
             "h5col_taxi_zones.h5": INDEXED, "h5col_indexed_truncated.h5": INDEXED,
             "h5col_lists.h5": PADDED | {"no-user-subgroup", "column-order-only-columns"}}
    NEWER = {**OLDER, "h5col_lists.h5": LISTS}
    # They are in datasets and attributes that HDF5 1.14 cannot read.
    NEEDS_HDF5_2 = {"h5col_numeric_plain.h5": {"fill-user-defined"}}

    def table(self, path, spec):
        (table,) = document("--spec", spec, path)["files"][0]["tables"]
        return table

    def test_by_the_older_revision(self):
        for name, expected in self.OLDER.items():
            with self.subTest(name):
                table = self.table(SHARED / "real" / name, REVISIONS[0])
                verdicts = {c["id"]: c["verdict"] for c in table["clauses"]}
                if verdicts["descendants-serve-the-model"] != "not-checked":
                    expected = expected | self.NEEDS_HDF5_2.get(name, set())
                self.assertEqual(errors(table), expected)

    def test_by_the_newer_revision(self):
        for name, expected in self.NEWER.items():
            with self.subTest(name):
                table = self.table(SHARED / "real" / name, REVISIONS[1])
                self.assertEqual(errors(table), expected)
                # What the library cannot read is never reported as absent.
                self.assertNotIn("source-generation-present", failed(table))

    @unittest.skipUnless((SHARED / "corpus/h5col").is_dir(), "these files are not available")
    def test_every_construct_of_the_newer_revision(self):
        tokens = {"generation-present", "source-generation-present", "source-nrows-present"}
        torn = {"minmax-n-last-chunk", "minmax-max-value"}
        expected = {
            "h5col_lists_deep.h5": self.LISTS,
            "h5col_indexed.h5": self.INDEXED, "h5col_indexed_maintained.h5": self.INDEXED,
            "h5col_indexed_stale.h5": self.INDEXED,
            "h5col_retry_collision.h5": self.INDEXED | torn,
            "h5col_untokened_append.h5": self.INDEXED | tokens,
            "h5col_boolean_u8.h5": self.INDEXED | {"boolean-dataset-exact-type",
                                                   "bitmap-values-type"}}
        folder = SHARED / "corpus/h5col"
        self.assertEqual({path.name for path in folder.glob("*.h5")}, expected.keys())
        for name, clauses in expected.items():
            with self.subTest(name):
                table = self.table(folder / name, REVISIONS[1])
                self.assertEqual(errors(table), clauses)
                found = failed(table)
                if name == "h5col_retry_collision.h5":
                    for clause in torn:
                        self.assertEqual(found[clause], {"/obs/SEARCH_INDEXES/ts__chunk_minmax"})
                if name == "h5col_lists_deep.h5":
                    # At every level: of lists of lists, and of strings.
                    self.assertTrue(any(path.count("/") > 2
                                        for path in found["list-class-null-terminated"]), found)
        # The older revision compares the contents of the stale indexes.
        stale = errors(self.table(folder / "h5col_indexed_stale.h5", REVISIONS[0]))
        self.assertGreater(len({c for c in stale if c.startswith(("minmax-", "sorted-"))}), 2)

    def test_revision_is_recognised(self):
        """Either all of them have features of the newer revision, or none."""
        for path in [*(SHARED / "real").glob("*.h5"), *(SHARED / "corpus/h5col").glob("*.h5")]:
            with self.subTest(path.name):
                pinned, by_signs = (self.table(path, spec) for spec in (REVISIONS[-1], "auto"))
                self.assertEqual(errors(by_signs), errors(pinned))

    def test_foreign_files_are_not_judged_as_tables(self):
        paths = [p for folder in ("corpus/hdf5", "corpus/foreign")
                 for p in sorted((SHARED / folder).rglob("*")) if p.is_file()]
        self.assertGreater(len(paths), 100)
        examined = 0
        for file in document(*paths)["files"]:
            with self.subTest(path=file["path"]):
                subjects = [(subject["kind"], subject["path"]) for subject in file["tables"]]
                self.assertIn(subjects, ([], [("container", "/")]))
                # What cannot be read is told beside the container that it is in.
                self.assertTrue(subjects or file["error"] or file["unreadable"])
                self.assertFalse(subjects and file["error"])
                examined += len(subjects)
        self.assertGreater(examined, 80)

    def test_sound_files_without_tables_have_no_error(self):
        for path in [p for p in sorted((SHARED / "corpus/foreign").glob("*")) if p.suffix in (".h5", ".h5ad")
                     and p.name != "json_notahdf5file.h5"]:
            with self.subTest(path=path.name):
                result = run("validate", path)
                self.assertEqual(result.returncode, 0, result)
                self.assertIn(b"conformant", result.stdout)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[1:]])
