"""Tests of gating: --fail-on, baselines, hepcheck.toml, several formats, shards, patterns, merging."""

import datetime
import hashlib
import json
import re
import shutil
import unittest

import jsonschema

from report_testing import BAD, FIXTURES, GOOD, SCHEMAS, SHARED, Reports, run


class Gate(Reports):
    def setUp(self):
        super().setUp()
        (self.folder / ".git").mkdir()  # so that the settings of the project apply
        shutil.copy(GOOD, self.folder / "good.h5")
        shutil.copy(BAD, self.folder / "bad.h5")

    def hepcheck(self, *arguments):
        return run(*arguments, cwd=self.folder)

    def validate(self, *arguments):
        return self.hepcheck("validate", *arguments)

    def json_of(self, *arguments):
        return json.loads(self.validate("--format", "json", *arguments).stdout)

    def write(self, name, text):
        (self.folder / name).write_text(text)

    def break_further(self, name="bad.h5"):
        """Adds a defect: a column with a name that clashes with a reserved one."""
        import h5py
        with h5py.File(self.folder / name, "a") as file:
            (table,) = [g for g in file.values() if "CLASS" in g.attrs]
            table.create_dataset("two_dimensional", (2, 2), "i4", chunks=(1, 1))

    def repair(self, name="bad.h5"):
        import h5py
        import numpy
        with h5py.File(self.folder / name, "a") as file:
            (table,) = [g for g in file.values() if "CLASS" in g.attrs]
            rows = int(table.attrs["NROWS"])
            del table.attrs["NROWS"]
            table.attrs.create("NROWS", numpy.uint64(rows))

    def unreadable(self, *names, source=GOOD):
        """Writes later.h5, in which these objects of the table have an unknown version."""
        import h5py
        shutil.copy(source, self.folder / "later.h5")
        with h5py.File(self.folder / "later.h5") as file:
            (table,) = [g for g in file.values() if "CLASS" in g.attrs]
            places = [h5py.h5o.get_info(table[name].id).addr for name in names]
        data = bytearray((self.folder / "later.h5").read_bytes())
        for place in places:
            data[place + 4 if data[place:place + 4] == b"OHDR" else place] = 0xEE
        (self.folder / "later.h5").write_bytes(data)


class FailOn(Gate):
    def test_levels(self):
        self.assertEqual(self.validate("--fail-on", "must", "bad.h5").returncode, 1)
        self.assertEqual(self.validate("--fail-on", "never", "bad.h5").returncode, 0)
        self.assertIn(b"NOT CONFORMANT", self.validate("--fail-on", "never", "bad.h5").stdout)
        self.assertEqual(self.validate("--fail-on", "never", "absent.h5").returncode, 3)
        self.assertEqual(self.validate("--fail-on", "never", "bad.h5", "absent.h5").returncode, 3)
        self.assertEqual(self.validate("--fail-on", "nevr", "bad.h5").returncode, 2)


class Formats(Gate):
    def test_several_at_once(self):
        result = self.validate("--format", "sarif=a.sarif", "--format", "junit=b=c.xml",
                               "--format", "json", "bad.h5")
        self.assertEqual(result.returncode, 1)
        self.assertEqual(json.loads(result.stdout)["files"][0]["path"], "bad.h5")
        self.assertIn("2.1.0", (self.folder / "a.sarif").read_text())
        self.assertIn("<testsuites", (self.folder / "b=c.xml").read_text())

    def test_text_is_printed_if_all_other_formats_go_to_files(self):
        self.assertIn(b"nrows-uint64", self.validate("--format", "json=x.json", "bad.h5").stdout)
        self.assertEqual(self.validate("-q", "--format", "json=x.json", "bad.h5").stdout, b"")

    def test_invalid_arguments(self):
        for words, message in ((["--format", "sarf=x"], "did you mean sarif?"),
                            (["--format", "json="], "no file"),
                            (["--format", "json", "--format", "junit"], "only one")):
            result = self.validate(*words, "bad.h5")
            self.assertEqual(result.returncode, 2)
            self.assertIn(message, result.stderr.decode())

    def test_format_that_cannot_be_written(self):
        result = self.validate("--format", "json=no/x.json", "good.h5")
        self.assertEqual(result.returncode, 3)
        self.assertIn("cannot be written", result.stderr.decode())


class Stamp(Gate):
    def test_stamp_identifies_the_bytes(self):
        sizes = [1, 55, 56, 63, 64, 65, 119, 120, 128, 300_000]
        for size in sizes:
            (self.folder / f"{size}.h5").write_bytes(bytes(i * i % 251 for i in range(size)))
        names = ["bad.h5", "good.h5", *(f"{size}.h5" for size in sizes)]
        document = self.json_of("--stamp", "--strict", "--skip", "nrows-uint64", *names)
        jsonschema.validate(document, json.loads((SCHEMAS / "report.schema.json").read_text()))
        self.assertEqual(document["stamp"], {"date": "2025-12-31T23:59:59Z", "options": [
            "--strict", "--skip=nrows-uint64", "--stamp", "--format=json"]})
        self.assertEqual([(f["path"], f["bytes"], f["sha256"]) for f in document["files"]],
                         [(name, (self.folder / name).stat().st_size,
                           hashlib.sha256((self.folder / name).read_bytes()).hexdigest())
                          for name in names])

    def test_every_format_that_supports_it(self):
        digest = hashlib.sha256((self.folder / "bad.h5").read_bytes()).hexdigest()
        for name in ("text", "json", "json-findings", "ndjson", "sarif", "junit", "junit-clauses",
                     "markdown", "html", "earl"):
            with self.subTest(name):
                stamped = self.validate("--stamp", "--format", name, "bad.h5").stdout.decode()
                for words in (digest, "--stamp") if "junit" not in name else (digest,):
                    self.assertIn(words, stamped)
                self.assertIn("2025-12-31T23:59:59", stamped)
                plain = self.validate("--format", name, "bad.h5").stdout.decode()
                self.assertNotIn(digest, plain)
                self.assertEqual("2025-12-31" in plain, "junit" in name)

    def test_stored_report_contains_it(self):
        whole = self.validate("--stamp", "--format", "json", "bad.h5", "good.h5").stdout
        (self.folder / "x.json").write_bytes(whole)
        for name in ("json", "junit", "sarif", "html"):
            self.assertEqual(self.hepcheck("report", "render", "--format", name, "x.json").stdout,
                             self.validate("--stamp", "--format", name, "bad.h5", "good.h5").stdout
                             .replace(f"--format={name}".encode(), b"--format=json"), name)


class Against(Gate):
    def against(self, name, *arguments):
        return self.validate("--against", "old.json", "--format", name, *arguments).stdout.decode()

    def test_new_gone_and_unchanged_findings(self):
        self.validate("-q", "--format", "json=old.json", "bad.h5", "good.h5")
        same = json.loads(self.against("json", "bad.h5", "good.h5"))
        jsonschema.validate(same, json.loads((SCHEMAS / "report.schema.json").read_text()))
        self.assertEqual((same["against"]["earlier"], same["against"]["still"]), ("old.json", 1))
        self.repair()
        self.break_further("good.h5")
        now = json.loads(self.against("json", "bad.h5", "good.h5"))["against"]
        self.assertEqual([(k["file"], k["clause"]) for k in now["gone"]], [("bad.h5", "nrows-uint64")])
        self.assertEqual({k["file"] for k in now["new"]}, {"good.h5"})
        self.assertEqual(now["still"], 0)
        for name in ("text", "markdown", "html"):
            message = self.against(name, "bad.h5", "good.h5")
            self.assertIn(f"{len(now['new'])} finding{'s' * (len(now['new']) > 1)} new, 1 gone, 0 still there",
                          message.replace("\u202f", ""), name)
            self.assertIn("nrows-uint64", message)

    def test_unexamined_findings_are_not_gone(self):
        self.validate("-q", "--format", "json=old.json", "bad.h5", "good.h5")
        for arguments in (["good.h5"], ["--skip", "nrows-uint64", "bad.h5"]):
            self.assertEqual(json.loads(self.against("json", *arguments))["against"],
                             {"earlier": "old.json", "new": [], "gone": [], "still": 0})

    def test_comparison_does_not_change_verdicts(self):
        self.validate("-q", "--format", "json=old.json", "bad.h5")
        self.assertEqual(self.validate("--against", "old.json", "bad.h5").returncode, 1)
        self.validate("-q", "--format", "json=new.json", "good.h5")
        rendered = self.hepcheck("report", "render", "--against", "old.json", "--format", "text", "new.json")
        self.assertEqual(rendered.returncode, 0)
        self.assertIn(b"since old.json: 0 findings new, 0 gone, 0 still there", rendered.stdout)

    def test_input_that_is_not_a_report(self):
        self.write("old.json", "[]")
        result = self.validate("--against", "old.json", "bad.h5")
        self.assertEqual(result.returncode, 2)
        self.assertIn(b"--against: old.json: not a hepcheck report", result.stderr)


class Baseline(Gate):
    def baseline(self):
        return json.loads((self.folder / "known.json").read_text())

    def create(self, *paths):
        result = self.hepcheck("baseline", "create", "--baseline", "known.json", *paths)
        self.assertEqual(result.returncode, 0, result)

    def clauses(self, *arguments):
        return {c["id"]: c for f in self.json_of(*arguments)["files"] for t in f["tables"]
                for c in t["clauses"] if c["verdict"] == "fail"}

    def test_known_findings_pass_and_a_new_one_fails(self):
        self.create("bad.h5")
        jsonschema.validate(self.baseline(),
                            json.loads((SCHEMAS / "baseline.schema.json").read_text()))
        known = self.validate("--baseline", "known.json", "bad.h5")
        self.assertEqual(known.returncode, 0)
        self.assertIn(b"error (known) nrows-uint64", known.stdout)
        self.break_further()
        result = self.validate("--baseline", "known.json", "bad.h5")
        self.assertEqual(result.returncode, 1)
        found = self.clauses("--baseline", "known.json", "bad.h5")
        self.assertTrue(found.pop("nrows-uint64")["findings"][0]["known"])
        self.assertGreater(len(found), 0)
        for clause in found.values():
            self.assertTrue(all("known" not in f for f in clause["findings"]))

    def test_every_format_marks_known_findings(self):
        self.create("bad.h5")
        self.validate("--baseline", "known.json", "--format", "junit=j", "--format", "sarif=s",
                      "--format", "badge=b", "-q", "bad.h5")
        self.assertNotIn("<failure", (self.folder / "j").read_text())
        (result,) = json.loads((self.folder / "s").read_text())["runs"][0]["results"]
        self.assertEqual((result["baselineState"], result["suppressions"][0]["kind"]),
                         ("unchanged", "external"))
        badge = json.loads((self.folder / "b").read_text())
        self.assertEqual((badge["message"], badge["color"]),
                         ("accepted: 1 known violation", "yellow"))

    def test_gone_findings_are_reported_and_removed(self):
        self.create("bad.h5")
        self.repair()
        result = self.validate("--baseline", "known.json", "bad.h5")
        self.assertEqual(result.returncode, 0)
        self.assertRegex(result.stdout.decode(), r"gone from the baseline: bad.h5:.*nrows-uint64")
        report = self.json_of("--baseline", "known.json", "bad.h5")
        jsonschema.validate(report, json.loads((SCHEMAS / "report.schema.json").read_text()))
        self.assertEqual([g["clause"] for g in report["baseline"]["gone"]], ["nrows-uint64"])
        update = self.hepcheck("baseline", "update", "--baseline", "known.json", "bad.h5")
        self.assertEqual(update.returncode, 0)
        self.assertIn(b"gone: ", update.stdout)
        self.assertEqual(self.baseline()["known"], [])

    def test_unexamined_findings_are_not_gone(self):
        self.create("bad.h5")
        for arguments in (["good.h5"], ["--skip", "nrows-uint64", "bad.h5"], ["absent.h5"]):
            report = self.json_of("--baseline", "known.json", *arguments)
            self.assertEqual(report["baseline"]["gone"], [], arguments)

    def test_update_adds_only_on_request(self):
        self.create("bad.h5")
        before = self.baseline()
        self.break_further()
        self.hepcheck("baseline", "update", "--baseline", "known.json", "bad.h5")
        self.assertEqual(self.baseline(), before)
        self.hepcheck("baseline", "update", "--add", "--baseline", "known.json", "bad.h5")
        self.assertGreater(len(self.baseline()["known"]), len(before["known"]))
        self.assertEqual(self.validate("--baseline", "known.json", "bad.h5").returncode, 0)

    def test_create_never_overwrites(self):
        self.create("bad.h5")
        before = self.baseline()
        result = self.hepcheck("baseline", "create", "--baseline", "known.json", "good.h5")
        self.assertEqual((result.returncode, self.baseline()), (2, before))

    def test_paths_are_relative_to_the_baseline(self):
        self.create("bad.h5")
        other = self.folder / "elsewhere"
        other.mkdir()
        for path in (self.folder / "bad.h5", "../bad.h5"):
            result = run("validate", "--baseline", "../known.json", path, cwd=other)
            self.assertEqual(result.returncode, 0, result)

    def test_additional_equal_findings_are_new(self):
        self.create("bad.h5")
        baseline = self.baseline()
        names = [f"two_{i}" for i in range(4)]
        import h5py
        with h5py.File(self.folder / "bad.h5", "a") as file:
            (table,) = [g for g in file.values() if "CLASS" in g.attrs]
            for name in names:
                table.create_dataset("_" + name, (5,), "i4")
        # Suppressed findings are reported only by their number, without places.
        for most, added in ((2, 0), (2, 1)):
            with h5py.File(self.folder / "bad.h5", "a") as file:
                (table,) = [g for g in file.values() if "CLASS" in g.attrs]
                for i in range(added):
                    table.create_dataset(f"_zz{i}", (5,), "i4")
            if not added:
                self.hepcheck("baseline", "update", "--add", "--max-findings", most,
                              "--baseline", "known.json", "bad.h5")
                self.assertTrue(any("suppressed" in k for k in self.baseline()["known"]))
            status = self.validate("--fail-on", "should", "--max-findings", most, "--baseline",
                                   "known.json", "bad.h5").returncode
            self.assertEqual(status, added)
        self.assertNotEqual(baseline, self.baseline())

    def test_unchecked_clauses_are_known_with_their_reason(self):
        self.unreadable("energy")
        self.assertEqual(self.validate("later.h5").returncode, 3)
        made = self.hepcheck("baseline", "create", "--baseline", "known.json", "later.h5")
        self.assertEqual(made.returncode, 0, made)
        self.assertRegex(made.stdout.decode(), r"known.json: 0 findings and \d+ clauses not checked\n")
        jsonschema.validate(self.baseline(),
                            json.loads((SCHEMAS / "baseline.schema.json").read_text()))
        known = [k for k in self.baseline()["known"] if "not_checked" in k]
        self.assertIn("equal-extents", [k["clause"] for k in known])
        green = self.validate("--baseline", "known.json", "later.h5")
        self.assertEqual(green.returncode, 0, green)
        report = self.json_of("--baseline", "known.json", "later.h5")
        self.assertEqual((report["claim"], report["accepted"]),
                         ("accepted", {"known_unchecked": len(known)}))
        self.assertEqual(report["baseline"]["gone"], [])
        stored = self.folder / "stored.json"
        stored.write_text(json.dumps(report))
        self.assertEqual(json.loads(self.hepcheck("report", "render", "--format", "json",
                                                  stored).stdout), report)

        # Another reason makes an entry different, and so does a clause that is not listed.
        baseline = self.baseline()
        for change in (lambda: known[0].update(not_checked="another reason"),
                       lambda: baseline["known"].remove(known[0])):
            baseline = self.baseline()
            known = [k for k in baseline["known"] if k["clause"] == "equal-extents"]
            change()
            self.write("other.json", json.dumps(baseline))
            self.assertEqual(self.validate("--baseline", "other.json", "later.h5").returncode, 3)
            added = self.hepcheck("baseline", "update", "--add", "--baseline", "other.json", "later.h5")
            self.assertEqual(added.returncode, 0, added)
            self.assertEqual(json.loads((self.folder / "other.json").read_text()), self.baseline())

        # When all objects can be read again, the entries are gone.
        shutil.copy(GOOD, self.folder / "later.h5")
        report = self.json_of("--baseline", "known.json", "later.h5")
        self.assertEqual(report["claim"], "conformant")
        self.assertEqual(len(report["baseline"]["gone"]), len(self.baseline()["known"]))

    def test_clauses_excluded_from_a_run_are_not_known(self):
        self.hepcheck("baseline", "create", "--depth", "structure", "--skip", "nrows-uint64",
                      "--baseline", "known.json", "good.h5")
        self.assertEqual(self.baseline()["known"], [])

    def test_missing_baseline(self):
        for text in ("", "{", "[]", '{"spec": "x", "known": 3}', '{"spec": "x", "known": []}'):
            self.write("known.json", text)
            self.assertEqual(self.validate("--baseline", "known.json", "bad.h5").returncode, 2)
        self.assertEqual(self.validate("--baseline", "absent.json", "bad.h5").returncode, 2)


@unittest.skipUnless((SHARED / "real").is_dir(), "the files of other software are not available")
class RealFiles(Gate):
    """Tables of the reference implementation, with its documented deviation from the specification."""

    def test_known_deviation_passes_and_a_new_defect_fails(self):
        import h5py
        import numpy
        names = sorted(p.name for p in (SHARED / "real").glob("*.h5"))
        for name in names:
            shutil.copy(SHARED / "real" / name, self.folder / name)
            (self.folder / name).chmod(0o644)
        self.assertEqual(self.validate(*names).returncode, 1)
        created = self.hepcheck("baseline", "create", "--baseline", "known.json", *names)
        self.assertEqual(created.returncode, 0, created)
        # HDF5 1.14 cannot read everything that HDF5 2 wrote into some of them.
        known = self.validate("--baseline", "known.json", "--allow-unchecked", *names)
        self.assertEqual(known.returncode, 0, known.stdout[-2000:])
        self.assertIn(b"(known)", known.stdout)

        with h5py.File(self.folder / "h5col_numeric_plain.h5", "a") as file:
            rows = int(file["run"].attrs["NROWS"])
            del file["run"].attrs["NROWS"]
            file["run"].attrs["NROWS"] = numpy.int64(rows)
        result = self.validate("--baseline", "known.json", *names)
        self.assertEqual(result.returncode, 1)
        new = [line for line in result.stdout.decode().splitlines()
               if ": error " in line and "(known)" not in line]
        self.assertEqual(len(new), 1, new)
        self.assertIn("nrows-uint64", new[0])


class Configuration(Gate):
    def skip(self, reason='reason = "the writer is being fixed"', until=""):
        self.write("hepcheck.toml", f'[[skip]]\nclause = "nrows-uint64"\n{reason}\n{until}\n')
        return self.validate("bad.h5")

    def test_skip_with_a_reason(self):
        self.assertEqual(self.skip().returncode, 0)
        (clause,) = [c for c in self.json_of("bad.h5")["files"][0]["tables"][0]["clauses"]
                     if c["id"] == "nrows-uint64"]
        self.assertEqual(clause["verdict"], "not-checked")
        self.assertIn("the writer is being fixed", clause["reason"])

    def test_skip_without_a_reason(self):
        for reason in ("", 'reason = ""', 'reason = " "', "reason = 3"):
            result = self.skip(reason)
            self.assertEqual(result.returncode, 2)
            self.assertIn(b"reason", result.stderr)

    def test_skip_expires(self):
        today = datetime.datetime.now(datetime.timezone.utc).date()
        for days, status in ((-400, 1), (-2, 1), (2, 0), (400, 0)):
            until = today + datetime.timedelta(days)
            result = self.skip(until=f"until = {until}")
            self.assertEqual(result.returncode, status, until)
            self.assertEqual(b"ended on" in result.stderr, bool(status))

    def test_all_settings_at_once(self):
        (self.folder / "data").mkdir()
        shutil.move(self.folder / "bad.h5", self.folder / "data/bad.h5")
        self.write("hepcheck.toml", 'paths = ["data/*.h5"]\nformats = ["json=out.json", "text"]\n'
                   'fail-on = "never"\nstrict = true\nmax-findings = 5\n')
        result = self.validate()
        self.assertEqual(result.returncode, 0, result)
        self.assertIn(b"nrows-uint64", result.stdout)
        (file,) = json.loads((self.folder / "out.json").read_text())["files"]
        self.assertEqual(file["path"], "data/bad.h5")

    def test_options_take_precedence(self):
        self.write("hepcheck.toml", 'paths = ["bad.h5"]\nformats = ["json"]\nfail-on = "never"\n')
        self.assertEqual(self.validate().returncode, 0)
        self.assertEqual(self.validate("--fail-on", "must").returncode, 1)
        self.assertEqual(self.validate("--no-config", "bad.h5").returncode, 1)
        result = self.validate("--format", "badge", "good.h5")
        self.assertEqual(json.loads(result.stdout)["message"], "conformant")

    def test_levels(self):
        self.write("hepcheck.toml", '[levels]\nnrows-uint64 = "warning"\n')
        result = self.validate("bad.h5")
        self.assertEqual(result.returncode, 0)
        self.assertIn(b"warning nrows-uint64", result.stdout)

    def test_paths_are_relative_to_the_file(self):
        project = self.folder / "project"
        project.mkdir()
        shutil.copy(BAD, project / "x.h5")
        (project / "gate.toml").write_text('paths = ["x.h5"]\n')
        result = self.validate("--config", "project/gate.toml")
        self.assertIn(b"project/x.h5:", result.stdout)
        self.assertEqual(result.returncode, 1)

    def test_mistakes(self):
        for text, message in (('fail_on = "must"', "did you mean fail-on?"), ("strict = 1", "strict"),
                           ('fail-on = "perhaps"', "perhaps"), ("paths = 3", "paths"),
                           ("= 3", "hepcheck.toml:1"), ('[levels]\nnrows-uint64 = "off"', "level"),
                           ('[levels]\nnrow-uint64 = "info"', "did you mean nrows-uint64?"),
                           ('[[skip]]\nreason = "x"', "clause"), ("skip = 3", "[[skip]]"),
                           ('[[skip]]\nclause = "x-y"\nreason = "x"', "x-y")):
            self.write("hepcheck.toml", text)
            result = self.validate("bad.h5")
            self.assertEqual(result.returncode, 2, text)
            self.assertIn(message, result.stderr.decode(), text)


class Claims(Gate):
    """If violations were accepted or clauses left out, no format calls the table conformant; the exit status is 0."""

    FORMS = ("text", "json", "ndjson", "sarif", "junit", "markdown", "html", "earl", "badge",
             "badge-svg")

    def accepted(self, words, counts, *arguments):
        """Asserts that no format claims more than `words`, nor the JSON report more than `counts`."""
        self.assertEqual(self.validate(*arguments).returncode, 0, arguments)
        report = self.json_of(*arguments)
        jsonschema.validate(report, json.loads((SCHEMAS / "report.schema.json").read_text()))
        (table,) = report["files"][0]["tables"]
        for each in (report, table):
            self.assertEqual((each["claim"], each["accepted"]), ("accepted", counts), arguments)
        self.assertEqual(table["verdict"], "pass")
        for form in self.FORMS:
            shown = self.validate("--format", form, *arguments).stdout.decode()
            for green in ("brightgreen", "#1f7a34", ": conformant", ">Conformant", "check_mark",
                          '"claim": "conformant"', '"claim":"conformant"'):
                self.assertNotIn(green, shown, (form, arguments))
            if form not in ("json", "ndjson", "sarif"):
                self.assertIn(f"ccepted: {words}", shown, (form, arguments))
        badge = json.loads(self.validate("--format", "badge", *arguments).stdout)
        self.assertEqual((badge["message"], badge["color"]), (f"accepted: {words}", "yellow"))

    def left_out(self, *arguments):
        """The number of clauses that a run did not check."""
        (table,) = self.json_of(*arguments)["files"][0]["tables"]
        return sum(clause["verdict"] == "not-checked" for clause in table["clauses"])

    def test_known_violation(self):
        self.hepcheck("baseline", "create", "--baseline", "known.json", "bad.h5")
        self.accepted("1 known violation", {"known": 1}, "--baseline", "known.json", "bad.h5")

    def test_skipped_clause(self):
        self.accepted("1 clause skipped", {"skipped": 1}, "--skip", "nrows-uint64", "bad.h5")
        self.accepted("1 clause skipped", {"skipped": 1}, "--skip", "nrows-uint64", "good.h5")

    def test_clauses_that_were_not_requested(self):
        arguments = ("--only", "class-present", "bad.h5")
        n = self.left_out(*arguments)
        self.assertGreater(n, 200)
        self.accepted(f"{n} clauses not selected", {"not_asked": n}, *arguments)

    def test_lowered_level(self):
        for level in ("info", "warning"):
            self.write("hepcheck.toml", f'[levels]\nnrows-uint64 = "{level}"\n')
            self.accepted("1 violation of a lowered level", {"lowered": 1}, "bad.h5")

    def test_structure_only(self):
        arguments = ("--depth", "structure", "--allow-unchecked", "good.h5")
        n = self.left_out(*arguments)
        self.assertGreater(n, 20)
        self.accepted(f"{n} clauses excluded by --depth", {"structure_only": n}, *arguments)

    def test_several_reasons(self):
        arguments = ("--depth", "structure", "--allow-unchecked", "--skip", "nrows-uint64",
                     "bad.h5")
        n = self.left_out(*arguments) - 1
        self.accepted(f"1 clause skipped, {n} clauses excluded by --depth",
                      {"skipped": 1, "structure_only": n}, *arguments)

    def test_settings_without_effect_leave_conformant(self):
        self.hepcheck("baseline", "create", "--baseline", "known.json", "bad.h5")
        self.write("relaxed.toml", 'fail-on = "never"\n[levels]\nnrows-uint64 = "info"\n')
        for arguments in (("--baseline", "known.json"), ("--config", "relaxed.toml"),
                          ("--allow-unchecked",), ("--allow-no-tables",)):
            report = self.json_of(*arguments, "good.h5")
            self.assertEqual(report["claim"], "conformant", arguments)
            self.assertNotIn("accepted", report)

    def test_violation_that_does_not_fail_the_run(self):
        self.assertEqual(self.validate("--fail-on", "never", "bad.h5").returncode, 0)
        self.assertEqual(self.json_of("--fail-on", "never", "bad.h5")["claim"], "not conformant")

    def test_files_without_subjects(self):
        import h5py
        for i in range(3):
            h5py.File(self.folder / f"empty{i}.h5", "w").close()
        paths = ("good.h5", "empty0.h5", "empty1.h5", "empty2.h5")
        self.assertEqual(self.validate("--spec", "hep001", *paths).returncode, 3)
        text = self.validate("--allow-no-tables", *paths)
        self.assertEqual(text.returncode, 0)
        self.assertIn(b"\nempty1.h5: no table group\n", text.stdout)
        self.assertTrue(text.stdout.endswith(b"; 3 files with no table group\n"), text)
        report = self.json_of("--allow-no-tables", *paths)
        self.assertEqual((report["claim"], report["accepted"]),
                         ("accepted", {"files_without_tables": 3}))
        for form in self.FORMS:
            shown = self.validate("--allow-no-tables", "--format", form, *paths).stdout.decode()
            self.assertNotIn("brightgreen", shown)
            if form not in ("badge", "badge-svg", "sarif", "markdown", "html"):
                self.assertIn("empty1.h5", shown, form)

    def test_unreadable_files_do_not_pass(self):
        """They are also included in the counts, and no badge calls them conformant."""
        indexed = FIXTURES / "valid/12/index-content-correct--every-family.h5"
        for source, name, key, unchecked in (
                (GOOD, "energy", "columns",
                 ("equal-extents", "column-rank-1", "extent-ge-nrows")),
                (indexed, "SEARCH_INDEXES/ts__chunk_minmax", "indexes",
                 ("minmax-rank-1", "sorted-permutation", "kind-present"))):
            with self.subTest(name):
                self.unreadable(name, source=source)
                self.assertEqual(self.validate("later.h5").returncode, 3)
                (good,) = self.json_of(source)["files"][0]["tables"]
                (table,) = self.json_of("later.h5")["files"][0]["tables"]
                clauses = {clause["id"]: clause for clause in table["clauses"]}
                for clause in unchecked:
                    self.assertEqual(clauses[clause]["verdict"], "not-checked", clause)
                    self.assertIn("cannot be read", clauses[clause]["reason"])
                self.assertEqual(clauses["nrows-uint64"]["verdict"], "pass")
                count = lambda shape: len(shape) if isinstance(shape, list) else shape  # noqa: E731
                self.assertEqual(count(table["shape"][key]), count(good["shape"][key]))
                badge = json.loads(self.validate("--allow-unchecked", "--format", "badge",
                                                 "later.h5").stdout)
                self.assertTrue(badge["message"].startswith("accepted: "), badge)

    def test_stored_report_makes_the_same_claims(self):
        self.write("hepcheck.toml", '[levels]\nnrows-uint64 = "info"\n')
        report = self.json_of("bad.h5", "good.h5")
        self.assertEqual([t["claim"] for f in report["files"] for t in f["tables"]],
                         ["accepted", "conformant"])
        self.write("now.json", json.dumps(report))
        # A report of an earlier version claims no more than its settings show.
        for each in [report, *(t for f in report["files"] for t in f["tables"])]:
            del each["claim"]
            each.pop("accepted", None)
            for clause in each.get("clauses", []):
                clause.pop("lowered", None)
        self.write("before.json", json.dumps(report))
        for name in ("now.json", "before.json"):
            for arguments in (("render", name), ("merge", name)):
                stored = self.hepcheck("report", *arguments, "--format", "json")
                self.assertEqual(json.loads(stored.stdout),
                                 json.loads((self.folder / "now.json").read_text()), arguments)
            badge = self.hepcheck("report", "render", "--format", "badge", name)
            self.assertEqual(json.loads(badge.stdout)["message"],
                             "1 of 2 tables accepted: 1 violation of a lowered level")


class StrangeDocuments(Gate):
    """Baselines and stored reports are as untrusted as files."""

    HOSTILE = "/t\x1b[31m\u202e\n::set-output name=x::y"

    def test_texts_of_a_baseline_are_escaped(self):
        known = {"file": "bad.h5", "table": self.HOSTILE, "clause": "nrows-uint64", "object": self.HOSTILE}
        for entry in (known, {**known, "not_checked": self.HOSTILE}, {**known, "suppressed": 3}):
            self.write("strange.json", json.dumps({"spec": "auto", "known": [entry]}))
            for command in (("validate", "--baseline"), ("baseline", "update", "--baseline")):
                result = self.hepcheck(*command, "strange.json", "bad.h5")
                self.assertEqual(result.stderr.count(b"\x1b"), 0)
                for raw in (b"\x1b", "\u202e".encode(), b"\n::set-output"):
                    self.assertNotIn(raw, result.stdout + result.stderr, command)

    def test_clauses_of_a_baseline_exist(self):
        entry = {"file": "bad.h5", "table": "/t", "clause": "x\x1b[31m\n::set-output", "object": "/t"}
        self.write("strange.json", json.dumps({"spec": "auto", "known": [entry]}))
        result = self.validate("--baseline", "strange.json", "bad.h5")
        self.assertEqual((result.returncode, result.stdout), (2, b""))
        self.assertEqual(result.stderr.count(b"\n"), 1, result.stderr)
        self.assertNotIn(b"\x1b", result.stderr)
        self.assertIn(b"is unknown", result.stderr)

    def test_deep_documents_are_refused(self):
        self.write("deep.json", "[" * 100_000)
        self.write("hepcheck.toml", ".".join(["a"] * 200_000) + "=1")
        for arguments, status, words in (
                (("report", "render", "deep.json"), 3, b"nested too deeply"),
                (("validate", "--no-config", "--baseline", "deep.json", "bad.h5"), 2, b"nested too deeply"),
                (("suite", "compare", "deep.json"), 2, b"nested too deeply"),
                (("validate", "--config", "hepcheck.toml", "bad.h5"), 2, b"too many parts")):
            result = self.hepcheck(*arguments)
            self.assertEqual(result.returncode, status, (arguments, result))
            self.assertIn(words, result.stderr)

    def test_reports_of_suites_are_escaped(self):
        for text in ("x\x1b[31m", '{"schema": "hepcheck-suite-1", "program": "\x1b\u202e"}', '{"schema": 3}'):
            (self.folder / "\x1bx.json").write_text(text)
            result = self.hepcheck("suite", "compare", "\x1bx.json")
            self.assertEqual(result.returncode, 2)
            self.assertNotIn(b"\x1b", result.stderr)
            self.assertNotIn("\u202e".encode(), result.stderr)
            self.assertNotIn(b"json.exception", result.stderr)

    def test_paths_that_begin_with_points_are_inside(self):
        (self.folder / "..data").mkdir()
        shutil.copy(BAD, self.folder / "..data/x.h5")
        self.hepcheck("baseline", "create", "--baseline", "known.json", "..data/x.h5")
        known = json.loads((self.folder / "known.json").read_text())["known"]
        self.assertEqual({each["file"] for each in known}, {"..data/x.h5"})


class ManyFiles(Gate):
    def setUp(self):
        super().setUp()
        for name in ("run/a/1.h5", "run/b/c/2.h5", "run/3.h5", "run/.hidden/4.h5", "run/x.txt"):
            path = self.folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(GOOD, path)

    def paths(self, *arguments):
        return [f["path"] for f in self.json_of(*arguments)["files"]]

    def test_patterns(self):
        self.assertEqual(self.paths("run/*.h5"), ["run/3.h5"])
        self.assertEqual(self.paths("run/**/*.h5"), ["run/3.h5", "run/a/1.h5", "run/b/c/2.h5"])
        self.assertEqual(self.paths("run/?/[0-9].h5"), ["run/a/1.h5"])
        self.assertEqual(self.paths(f"{self.folder}/run/*.h5"), [f"{self.folder}/run/3.h5"])
        self.assertEqual(self.validate("run/*.none").returncode, 3)
        shutil.copy(GOOD, self.folder / "[x].h5")
        self.assertEqual(self.paths("[x].h5"), ["[x].h5"])

    def test_shards_cover_everything_once(self):
        whole = self.paths("run", "good.h5")
        parts = [self.paths("--shard", f"{k}/3", "run", "good.h5") for k in (1, 2, 3)]
        self.assertEqual(sorted(sum(parts, [])), sorted(whole))
        empty = self.validate("--shard", "9/9", "good.h5")
        self.assertEqual((empty.returncode, empty.stdout), (0, b""))
        self.assertEqual(empty.stderr, b"hepcheck: shard 9/9 contains none of the 1 file\n")
        for wrong in ("0/3", "4/3", "1", "1/", "/2", "a/b", "1/2x"):
            self.assertEqual(self.validate("--shard", wrong, "good.h5").returncode, 2, wrong)

    def test_order_does_not_depend_on_the_number_of_jobs(self):
        """The inputs include a broken file, a file that is not HDF5, and many others; one bad file stops no other."""
        (self.folder / "run/a/0.h5").write_bytes(b"\x89HDF\r\n\x1a\n" + b"\xff" * 4000)
        for i in range(12):
            shutil.copy(BAD if i % 3 else GOOD, self.folder / f"run/b/{i}.h5")
        inputs = ["run", "good.h5", "absent.h5", "bad.h5"]
        alone = self.json_of("--jobs", 1, *inputs)
        self.assertGreater(len(alone["files"]), 17)
        for jobs in (2, 5, 64):
            self.assertEqual(self.json_of("--jobs", jobs, *inputs), alone)
        self.assertEqual(self.json_of("--no-isolation", *inputs), alone)

    def test_merge_gives_the_whole_report(self):
        paths = ("bad.h5", "good.h5", "run/3.h5", "absent.h5", "run/a/1.h5")
        whole = self.json_of(*sorted(paths))
        for k in (1, 2, 3):
            self.validate("--shard", f"{k}/3", "-q", "--format", f"json={k}.json", *paths)
        merged = self.hepcheck("report", "merge", "3.json", "1.json", "2.json")
        self.assertEqual(merged.returncode, 0)
        self.assertEqual(json.loads(merged.stdout), whole)
        gate = self.hepcheck("report", "merge", "--fail-on", "must", "1.json", "2.json", "3.json")
        self.assertEqual(gate.returncode, 1)

    def test_merge_keeps_the_comparison(self):
        paths = ("bad.h5", "good.h5", "run/3.h5")
        shutil.copy(GOOD, self.folder / "run/3.h5")
        self.validate("-q", "--format", "json=old.json", *paths)
        shutil.copy(BAD, self.folder / "run/3.h5")
        shutil.copy(GOOD, self.folder / "bad.h5")
        whole = self.json_of("--against", "old.json", *sorted(paths))
        self.assertEqual([len(whole["against"][key]) for key in ("new", "gone")], [1, 1])
        for k in (1, 2, 3):
            self.validate("--shard", f"{k}/3", "-q", "--against", "old.json", "--format", f"json={k}.json", *paths)
        merged = json.loads(self.hepcheck("report", "merge", "3.json", "1.json", "2.json").stdout)
        self.assertEqual(merged["against"], whole["against"])

    def test_each_part_is_merged_once(self):
        self.validate("-q", "--format", "json=1.json", "bad.h5", "good.h5")
        self.validate("-q", "--format", "json=2.json", "good.h5:/my_table", "run/3.h5")
        for parts, file in ((("1.json", "1.json"), "bad.h5"), (("1.json", "2.json"), "good.h5")):
            result = self.hepcheck("report", "merge", *parts)
            self.assertEqual((result.returncode, result.stdout), (3, b""))
            self.assertEqual(result.stderr.decode(), f"hepcheck: {parts[1]}: {file} is already in one of the "
                                                     "others\n")

    def test_other_json_is_explained(self):
        self.hepcheck("baseline", "create", "--baseline", "known.json", "bad.h5")
        self.write("half.json", '{"hepcheck": ')
        self.write("kind.json", '{"hepcheck": "0", "spec": 3, "files": {}}')
        for name, message in (("known.json", "this is a baseline"), ("half.json", "invalid or incomplete JSON"),
                           ("kind.json", "is not a string")):
            result = self.hepcheck("report", "render", name)
            self.assertEqual((result.returncode, result.stdout), (3, b""))
            self.assertIn(message, result.stderr.decode())
            self.assertNotIn("exception", result.stderr.decode())

    def test_render_gives_the_output_of_validate(self):
        hostile = self.hostile()
        self.validate("-q", "--format", "json=all.json", "bad.h5", "run", hostile, "absent.h5")
        for name in ("text", "json", "json-findings", "ndjson", "sarif", "junit", "junit-clauses",
                     "github", "gitlab", "markdown", "earl", "badge", "badge-svg"):
            direct = self.validate("--format", name, "bad.h5", "run", hostile, "absent.h5").stdout
            # A report without a stamp does not contain the time at which it was made.
            direct = re.sub(rb' timestamp="[^"]*"', b"", direct)
            stored = self.hepcheck("report", "render", "--format", name, "all.json").stdout
            self.assertEqual(stored, direct, name)

    def test_missing_report(self):
        for text in ("", "[]", '{"hepcheck": "0", "spec": "none", "files": []}',
                     '{"hepcheck": "0", "spec": "hep001-2026-06-16", "files": [1]}'):
            self.write("x.json", text)
            result = self.hepcheck("report", "render", "x.json")
            self.assertEqual(result.returncode, 3)
            self.assertIn(b"not a hepcheck report", result.stderr)


if __name__ == "__main__":
    unittest.main()
