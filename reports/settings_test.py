"""Tests of settings files that may be untrusted: when they apply, what they may modify, and what is reported."""

import itertools
import json
import os
import re
import shutil
import stat
import subprocess
import unittest
import xml.etree.ElementTree as ElementTree

import jsonschema

from report_testing import BAD, GOOD, HEPCHECK, PATIENCE, SCHEMAS, Reports, run

FORMS = ["text", "json", "json-findings", "ndjson", "sarif", "junit", "junit-clauses", "github", "gitlab",
         "markdown", "html", "earl", "badge", "badge-svg"]
SKIP = '[[skip]]\nclause = "nrows-uint64"\nreason = "a\\u001b[31m reason"\n'


class InProject(Reports):
    """The working directory is the root of a work tree with a broken table."""

    def setUp(self):
        super().setUp()
        self.project = self.folder / "project"
        (self.project / ".git").mkdir(parents=True)
        self.settings = self.project / "hepcheck.toml"
        self.outside = self.folder / "outside"
        self.outside.write_text("dear\n")
        shutil.copy(BAD, self.project / "bad.h5")
        shutil.copy(GOOD, self.project / "good.h5")

    def validate(self, *arguments, cwd=None, **options):
        return run("validate", *arguments, cwd=cwd or self.project, **options)

    def status(self, text, *arguments):
        self.settings.write_text(text)
        return self.validate("-q", *(arguments or ["bad.h5"])).returncode


class WhichCounts(InProject):
    def setUp(self):
        super().setUp()
        self.settings.write_text(SKIP)

    def assert_taken(self, **options):
        result = self.validate("-q", "bad.h5", **options)
        self.assertEqual(result.returncode, 0, result)
        self.assertIn(f"{self.settings}: settings in force".encode(), result.stderr)

    def assert_not_taken(self, reason, cwd=None):
        """Asserts that the settings do not apply, and that the reason is reported, with -q too."""
        folder = cwd or self.project
        for quiet in ([], ["-q"]):
            result = self.validate(*quiet, "bad.h5", cwd=folder)
            self.assertEqual(result.returncode, 1, result)
            (line,) = result.stderr.decode().splitlines()
            self.assertTrue(line.startswith(f"hepcheck: {folder}/hepcheck.toml is not read: "), line)
            self.assertIn(reason, line)
        result = self.validate("--no-config", "bad.h5", cwd=folder)
        self.assertEqual((result.returncode, result.stderr), (1, b""))

    def test_the_top_of_a_work_tree(self):
        self.assert_taken()
        for mark in (".hg", ".jj", ".svn"):
            shutil.move(self.project / ".git", self.project / mark)
            self.assert_taken()
            shutil.move(self.project / mark, self.project / ".git")
        (self.project / ".git").rmdir()
        (self.project / ".git").write_text("gitdir: ../main/.git/worktrees/project\n")
        self.assert_taken()

    def test_plain_directory(self):
        (self.project / ".git").rmdir()
        self.assert_not_taken("not the top of a work tree")
        result = self.validate("--config", "hepcheck.toml", "bad.h5")
        self.assertEqual(result.returncode, 0)

    def test_directory_within_a_work_tree(self):
        inbox = self.project / "inbox"
        inbox.mkdir()
        for name in ("hepcheck.toml", "bad.h5"):
            shutil.copy(self.project / name, inbox)
        self.assert_not_taken("not the top of a work tree", cwd=inbox)

    def test_special_files(self):
        self.settings.rename(self.folder / "elsewhere.toml")
        self.settings.symlink_to(self.folder / "elsewhere.toml")
        self.assert_not_taken("not a regular file")
        self.settings.unlink()
        os.mkfifo(self.settings)
        self.assert_not_taken("not a regular file")
        self.settings.unlink()
        self.settings.mkdir()
        self.assert_not_taken("not a regular file")

    @unittest.skipUnless(os.geteuid() == 0, "only root can give files away")
    def test_another_users(self):
        for path in (self.settings, self.project, self.project / ".git"):
            os.chown(path, 12345, -1)
            self.assert_not_taken("belongs to another user")
            os.chown(path, 0, -1)
        self.assert_taken()

    def test_conflicting_options(self):
        result = self.validate("--no-config", "--config", "hepcheck.toml", "bad.h5")
        self.assertEqual(result.returncode, 2)

    def test_size_limit_of_settings(self):
        self.settings.write_text("# much\n" * 200_000)
        self.assertEqual(self.validate("bad.h5").returncode, 2)
        result = self.validate("--config", "/dev/zero", "bad.h5")
        self.assertEqual(result.returncode, 2)
        self.assertIn(b"too large", result.stderr)
        self.assertEqual(self.validate("--config", "absent.toml", "bad.h5").returncode, 2)


class ReportedSettings(InProject):
    MILD = {  # settings that relax a verdict, and the line that must report them
        'fail-on = "never"\n': "relaxed by fail-on: never",
        'depth = "structure"\n': "relaxed by depth: structure",
        'baseline = "known.json"\n': "relaxed by baseline: known.json",
        "allow-unchecked = true\n": "relaxed by allow-unchecked: true",
        "allow-no-tables = true\n": "relaxed by allow-no-tables: true",
        '[levels]\nnrows-uint64 = "warning"\n': "relaxed by levels nrows-uint64: warning",
        '[levels]\nnrows-uint64 = "info"\n': "relaxed by levels nrows-uint64: info",
        SKIP: "relaxed by skip nrows-uint64: a\\x1B[31m reason",
    }
    STRICT = ['fail-on = "should"\n', 'fail-on = "must"\n', "strict = true\n", 'depth = "full"\n',
              "max-findings = 3\n", "allow-unchecked = false\n", '[levels]\nnrows-uint64 = "error"\n']

    def setUp(self):
        super().setUp()
        run("baseline", "create", "--baseline", "known.json", "bad.h5", cwd=self.project)

    def test_on_standard_error(self):
        for text, line in self.MILD.items():
            self.settings.write_text(text)
            for quiet in ([], ["-q"]):
                result = self.validate(*quiet, "bad.h5")
                self.assertEqual(result.stderr.decode().splitlines(), [
                    f"hepcheck: {self.settings}: settings in force",
                    f"hepcheck: {self.settings}: {line}"])
        self.settings.write_text('paths = ["bad.h5"]\n')
        self.assertIn(b": chose the path bad.h5\n", self.validate("-q").stderr)

    def test_settings_that_change_no_verdict(self):
        for text in self.STRICT:
            self.settings.write_text(text)
            self.assertEqual(self.validate("-q", "bad.h5").stderr, b"", text)
            self.assertEqual(self.validate("bad.h5").stderr.decode(),
                             f"hepcheck: {self.settings}: settings in force\n", text)
            (settings,) = json.loads(
                self.validate("--format", "json", "bad.h5").stdout)["settings"]
            self.assertEqual(settings, {"file": "hepcheck.toml", "relaxed": []})

    def test_settings_overridden_by_options_are_not_reported(self):
        self.settings.write_text('fail-on = "never"\npaths = ["bad.h5"]\n')
        result = self.validate("-q", "--fail-on", "must", "bad.h5")
        self.assertEqual((result.returncode, result.stderr), (1, b""))

    def test_relaxed_verdicts_are_marked_in_every_format(self):
        """The report itself contains what a settings file accepts, in every format."""
        self.settings.write_text(SKIP)
        for form in FORMS:
            shown = self.validate("--format", form, "bad.h5").stdout.decode()
            word = "relaxed by" if form not in ("json", "json-findings", "ndjson") else '"relaxed"'
            if form.startswith("badge"):
                word = "accepted: 1 clause skipped"
            self.assertIn(word, shown, form)
            if not form.startswith("badge"):
                self.assertIn("hepcheck.toml", shown, form)
                self.assertIn("nrows-uint64", shown, form)
            self.assertNotIn("\x1b", shown)
            plain = self.validate("--no-config", "--skip", "nrows-uint64", "--format", form, "bad.h5")
            self.assertEqual(word in plain.stdout.decode(), form.startswith("badge"), form)

    def test_formats_match_their_schemas(self):
        self.settings.write_text(SKIP + '[levels]\nclass-present = "info"\n')
        for form, schema in (("json", "report"), ("json-findings", "findings"), ("ndjson", "ndjson"),
                             ("gitlab", "gitlab"), ("sarif", "sarif-subset")):
            for line in [self.validate("--format", form, "bad.h5").stdout.decode()]:
                jsonschema.validate(json.loads(line),
                                    json.loads((SCHEMAS / f"{schema}.schema.json").read_text()))
        document = json.loads(self.validate("--format", "json", "bad.h5").stdout)
        self.assertEqual(document["settings"], [{"file": "hepcheck.toml", "relaxed": [
            {"setting": "levels", "clause": "class-present", "value": "info"},
            {"setting": "skip", "clause": "nrows-uint64", "value": "a\\x1B[31m reason"}]}])
        page = self.validate("--format", "junit", "bad.h5").stdout
        suite = next(iter(ElementTree.fromstring(page)))
        self.assertEqual(suite.get("name"), "settings in force")
        self.assertEqual([case.find("skipped") is None for case in suite], [True, False, False])
        (self.folder / "junit.xml").write_bytes(page)
        subprocess.run(["xmllint", "--noout", "--schema", SCHEMAS / "junit.xsd",
                        self.folder / "junit.xml"], check=True, capture_output=True)

    def test_stored_report_contains_the_settings(self):
        self.settings.write_text(SKIP)
        self.validate("-q", "--format", "json=one.json", "bad.h5")
        shutil.copy(BAD, self.project / "other.h5")
        self.validate("-q", "--format", "json=three.json", "other.h5")
        for form in FORMS:
            self.assertEqual(run("report", "render", "--format", form, "one.json",
                                 cwd=self.project).stdout,
                             # Without a stamp the report does not contain the time at which it was made.
                             re.sub(rb' timestamp="[^"]*"', b"",
                                    self.validate("--format", form, "bad.h5").stdout), form)
        self.settings.write_text('fail-on = "never"\n')
        self.validate("-q", "--format", "json=two.json", "good.h5")
        merged = json.loads(run("report", "merge", "one.json", "two.json", "three.json",
                                cwd=self.project).stdout)
        self.assertEqual([s["relaxed"][0]["setting"] for s in merged["settings"]],
                         ["skip", "fail-on"])


class WrittenFiles(InProject):
    def setUp(self):
        super().setUp()
        self.settings.touch()

    def assert_refused(self, name, format="json"):
        """Asserts that the output is refused and everything outside is unchanged."""
        before = sorted((str(p), p.lstat().st_mtime_ns) for p in self.folder.rglob("*")
                        if p != self.settings)
        self.assertEqual(self.status(f"formats = ['{format}={name}']\n"), 2, name)
        self.assertEqual(self.status(f"formats = ['{format}={name}']\n", "good.h5"), 2, name)
        after = sorted((str(p), p.lstat().st_mtime_ns) for p in self.folder.rglob("*")
                       if p != self.settings)
        self.assertEqual(after, before)
        self.assertEqual(self.outside.read_text(), "dear\n")

    def test_names_outside_the_directory(self):
        for name in (self.outside, self.folder / "fresh", "../outside", "../fresh", "a/../../fresh",
                     "./../fresh", "..", ".", "", "/", "a//b", "a/", "/dev/stdout"):
            self.assert_refused(name)

    def test_hidden_places(self):
        for name in (".git/config.worktree", ".git/hooks/pre-commit", ".envrc", ".github/x.yml",
                     "data/.hidden", "./x.json"):
            self.assert_refused(name)

    def test_links(self):
        (self.project / "link").symlink_to(self.outside)
        (self.project / "dangling").symlink_to(self.folder / "fresh")
        (self.project / "up").symlink_to(self.folder)
        (self.project / "inner").mkdir()
        (self.project / "within").symlink_to("inner")
        os.link(self.outside, self.project / "hard")
        for name in ("link", "dangling", "up/outside", "up/fresh", "hard", "within/x.json"):
            self.assert_refused(name)

    def test_special_files(self):
        os.mkfifo(self.project / "pipe")
        (self.project / "folder").mkdir()
        for name in ("pipe", "folder", "absent/x.json"):
            self.assert_refused(name)

    def test_existing_files_that_are_not_reports(self):
        for content in ("# my notes\n", "{}", '{\n "hepcheck": 3}', "[]", "<html>", "\0"):
            (self.project / "notes").write_text(content)
            for form in FORMS:
                self.assert_refused("notes", form)
            self.assertEqual((self.project / "notes").read_text(), content)
        self.assertEqual(self.validate("-q", "--no-config", "--format", "json=notes", "bad.h5")
                         .returncode, 1)  # an option of the user
        self.assertIn("nrows-uint64", (self.project / "notes").read_text())

    def test_settings_file_itself(self):
        self.assert_refused("hepcheck.toml", "text")

    def test_earlier_reports_are_replaced(self):
        formats = ", ".join(f'"{form}=r.{form}"' for form in FORMS)
        self.settings.write_text(f"formats = [{formats}]\n")
        for path in ("bad.h5", "good.h5", "absent.h5", "bad.h5"):
            self.assertEqual(self.validate("-q", path).returncode,
                             {"bad.h5": 1, "good.h5": 0, "absent.h5": 3}[path])
            for form in FORMS:
                shown = self.validate("--format", form, path).stdout
                self.assertEqual((self.project / f"r.{form}").read_bytes(), shown, form)

    def test_each_format_recognises_its_own_reports(self):
        formats = ", ".join(f'"{form}=r.{form}"' for form in FORMS)
        self.settings.write_text(f"formats = [{formats}]\n")
        self.validate("-q", "bad.h5")
        for form, other in itertools.permutations(FORMS, 2):
            self.assert_refused(f"r.{other}", form)
        plain = self.validate("--no-config", "bad.h5").stdout
        (self.project / "plain").write_bytes(plain)
        self.assert_refused("plain", "text")

    def test_empty_file_is_overwritten(self):
        (self.project / "x.json").touch()
        self.assertEqual(self.status('formats = ["json=x.json"]'), 1)
        self.assertIn("nrows-uint64", (self.project / "x.json").read_text())

    def test_file_that_changes_before_it_is_written(self):
        """The file is checked again when it is written."""
        self.settings.write_text('formats = ["json=x", "junit=x"]')
        result = self.validate("-q", "good.h5")
        self.assertEqual(result.returncode, 3)
        self.assertIn(b"x: cannot be written: it is not a junit report", result.stderr)
        json.loads((self.project / "x").read_text())

    def test_paths_are_relative_to_the_settings(self):
        self.settings.write_text('formats = ["json=x.json"]\npaths = ["bad.h5"]\n')
        result = run("validate", "-q", "--config", "project/hepcheck.toml", cwd=self.folder)
        self.assertEqual(result.returncode, 1, result)
        (file,) = json.loads((self.project / "x.json").read_text())["files"]
        self.assertEqual(file["path"], "project/bad.h5")
        self.assertFalse((self.folder / "x.json").exists())

    def test_report_that_would_be_a_script(self):
        """The attack: a name in a data file, and a report written to a file that a shell reads."""
        import h5py
        with h5py.File(GOOD) as source, h5py.File(self.project / "d.h5", "w") as file:
            source.copy("my_table", file, "x;touch RAN;#")
        rc = self.folder / ".bashrc"
        rc.write_text("dear\n")
        for name in (rc, "../.bashrc"):
            self.assertEqual(self.status(f'formats = ["text={name}"]', "d.h5"), 2)
        self.assertEqual(rc.read_text(), "dear\n")


class BaselineOfSettings(InProject):
    def test_baseline_must_be_below_the_settings(self):
        run("baseline", "create", "--baseline", self.folder / "known.json", "bad.h5",
            cwd=self.project)
        (self.project / "link.json").symlink_to(self.folder / "known.json")
        (self.project / "up").symlink_to(self.folder)
        for name in (self.folder / "known.json", "../known.json", "link.json", "up/known.json",
                     "absent.json", ".known.json"):
            self.assertEqual(self.status(f"baseline = '{name}'\n"), 2, name)
        self.settings.unlink()
        run("baseline", "create", "--baseline", "own.json", "bad.h5", cwd=self.project)
        self.assertEqual(self.status("baseline = 'own.json'\n"), 0)
        # An option of the user is accepted.
        self.settings.unlink()
        self.assertEqual(self.validate("--baseline", "link.json", "bad.h5").returncode, 0)

    def test_no_file_is_written_elsewhere(self):
        away = self.folder / "away"
        away.mkdir()
        (self.project / "up").symlink_to(away)
        self.settings.write_text('baseline = "up/known.json"\n')
        for command in (["create"], ["update"], ["update", "--add"]):
            result = run("baseline", *command, "bad.h5", cwd=self.project)
            self.assertEqual(result.returncode, 2, result)
        self.assertEqual(list(away.iterdir()), [])

    def test_planted_temporary_name_of_the_baseline(self):
        """A link next to a baseline is not followed when writing."""
        run("baseline", "create", "--baseline", "known.json", "good.h5", cwd=self.project)
        (self.project / "known.json.new").symlink_to(self.outside)
        process = subprocess.Popen([HEPCHECK, "baseline", "update", "--add", "--baseline",
                                    "known.json", "-"], cwd=self.project, stdin=subprocess.PIPE,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        planted = self.project / f"known.json.new-{process.pid}"
        planted.symlink_to(self.outside)
        _, trouble = process.communicate(BAD.read_bytes(), timeout=PATIENCE)
        self.assertEqual(process.returncode, 3)
        self.assertIn(b"known.json: cannot be written", trouble)
        self.assertEqual(self.outside.read_text(), "dear\n")
        self.assertTrue(planted.is_symlink())
        result = run("baseline", "update", "--add", "--baseline", "known.json", "bad.h5",
                     cwd=self.project)
        self.assertEqual(result.returncode, 0, result)
        self.assertEqual(self.outside.read_text(), "dear\n")
        self.assertEqual(stat.S_IMODE((self.project / "known.json").stat().st_mode),
                         0o666 & ~current_umask())


def current_umask():
    mask = os.umask(0)
    os.umask(mask)
    return mask


if __name__ == "__main__":
    unittest.main()
