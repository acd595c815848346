"""The gate: --fail-on, hepcheck.toml, several formats, shards, patterns, merging."""

import datetime
import json
import shutil
import unittest

from report_testing import BAD, GOOD, Reports, run


class Gate(Reports):
    def setUp(self):
        super().setUp()
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

    def test_text_is_shown_when_all_others_go_to_files(self):
        self.assertIn(b"nrows-uint64", self.validate("--format", "json=x.json", "bad.h5").stdout)
        self.assertEqual(self.validate("-q", "--format", "json=x.json", "bad.h5").stdout, b"")

    def test_wrong_words(self):
        for words, said in ((["--format", "sarf=x"], "did you mean sarif?"),
                            (["--format", "json="], "no file"),
                            (["--format", "json", "--format", "junit"], "only one")):
            result = self.validate(*words, "bad.h5")
            self.assertEqual(result.returncode, 2)
            self.assertIn(said, result.stderr.decode())

    def test_a_form_that_cannot_be_written(self):
        result = self.validate("--format", "json=no/x.json", "good.h5")
        self.assertEqual(result.returncode, 3)
        self.assertIn("cannot be written", result.stderr.decode())


class Configuration(Gate):
    def skip(self, reason='reason = "the writer is being mended"', until=""):
        self.write("hepcheck.toml", f'[[skip]]\nclause = "nrows-uint64"\n{reason}\n{until}\n')
        return self.validate("bad.h5")

    def test_a_skip_and_its_reason(self):
        self.assertEqual(self.skip().returncode, 0)
        (clause,) = [c for c in self.json_of("bad.h5")["files"][0]["tables"][0]["clauses"]
                     if c["id"] == "nrows-uint64"]
        self.assertEqual(clause["verdict"], "not-checked")
        self.assertIn("the writer is being mended", clause["reason"])

    def test_a_skip_without_a_reason(self):
        for reason in ("", 'reason = ""', 'reason = " "', "reason = 3"):
            result = self.skip(reason)
            self.assertEqual(result.returncode, 2)
            self.assertIn(b"reason", result.stderr)

    def test_a_skip_ends_after_its_date(self):
        today = datetime.datetime.now(datetime.timezone.utc).date()
        for days, status in ((-400, 1), (-2, 1), (2, 0), (400, 0)):
            until = today + datetime.timedelta(days)
            result = self.skip(until=f"until = {until}")
            self.assertEqual(result.returncode, status, until)
            self.assertEqual(b"ended on" in result.stderr, bool(status))

    def test_everything_at_once(self):
        (self.folder / "data").mkdir()
        shutil.move(self.folder / "bad.h5", self.folder / "data/bad.h5")
        self.write("hepcheck.toml", 'paths = ["data/*.h5"]\nformats = ["json=out.json", "text"]\n'
                   'fail-on = "never"\nstrict = true\nmax-findings = 5\n')
        result = self.validate()
        self.assertEqual(result.returncode, 0, result)
        self.assertIn(b"nrows-uint64", result.stdout)
        (file,) = json.loads((self.folder / "out.json").read_text())["files"]
        self.assertEqual(file["path"], "data/bad.h5")

    def test_flags_win(self):
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

    def test_beside_the_file(self):
        project = self.folder / "project"
        project.mkdir()
        shutil.copy(BAD, project / "x.h5")
        (project / "gate.toml").write_text('paths = ["x.h5"]\n')
        result = self.validate("--config", "project/gate.toml")
        self.assertIn(b"project/x.h5:", result.stdout)
        self.assertEqual(result.returncode, 1)

    def test_mistakes(self):
        for text, said in (('fail_on = "must"', "did you mean fail-on?"), ("strict = 1", "strict"),
                           ('fail-on = "perhaps"', "perhaps"), ("paths = 3", "paths"),
                           ("= 3", "hepcheck.toml:1"), ('[levels]\nnrows-uint64 = "off"', "level"),
                           ('[levels]\nnrow-uint64 = "info"', "did you mean nrows-uint64?"),
                           ('[[skip]]\nreason = "x"', "clause"), ("skip = 3", "[[skip]]"),
                           ('[[skip]]\nclause = "x-y"\nreason = "x"', "x-y")):
            self.write("hepcheck.toml", text)
            result = self.validate("bad.h5")
            self.assertEqual(result.returncode, 2, text)
            self.assertIn(said, result.stderr.decode(), text)


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
        self.assertEqual(self.validate("--shard", "9/9", "good.h5").returncode, 0)
        for wrong in ("0/3", "4/3", "1", "1/", "/2", "a/b", "1/2x"):
            self.assertEqual(self.validate("--shard", wrong, "good.h5").returncode, 2, wrong)

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

    def test_render_says_what_validate_would_have_said(self):
        hostile = self.hostile()
        self.validate("-q", "--format", "json=all.json", "bad.h5", "run", hostile, "absent.h5")
        for name in ("text", "json", "ndjson", "sarif", "junit", "markdown", "earl", "badge",
                     "badge-svg"):
            direct = self.validate("--format", name, "bad.h5", "run", hostile, "absent.h5").stdout
            stored = self.hepcheck("report", "render", "--format", name, "all.json").stdout
            self.assertEqual(stored, direct, name)

    def test_no_report(self):
        for text in ("", "[]", '{"hepcheck": "0", "spec": "none", "files": []}',
                     '{"hepcheck": "0", "spec": "hep001-2026-06-16", "files": [1]}'):
            self.write("x.json", text)
            result = self.hepcheck("report", "render", "x.json")
            self.assertEqual(result.returncode, 3)
            self.assertIn(b"no report", result.stderr)


if __name__ == "__main__":
    unittest.main()
