"""Tests of the ready-made CI gates, as far as possible without the services that they are for."""

import hashlib
import os
import pathlib
import shutil
import subprocess
import sys
import tarfile
import unittest

import yaml

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
from report_testing import BAD, GOOD, Reports  # noqa: E402

SOURCE = HERE.parents[1]
HEPCHECK = pathlib.Path(os.environ["HEPCHECK"]).resolve()


def make_package(folder):
    """A tarball like that of a release, whose program prints "packaged" and its arguments; and its digest."""
    tree = folder / "tree/hepcheck-1/bin"
    tree.mkdir(parents=True)
    (tree / "hepcheck").write_text('#!/bin/sh\necho packaged "$@"\n')
    (tree / "hepcheck").chmod(0o755)
    package = folder / "a package.tar.gz"
    with tarfile.open(package, "w:gz") as archive:
        archive.add(folder / "tree/hepcheck-1", "hepcheck-1")
    return package, hashlib.sha256(package.read_bytes()).hexdigest()


class Gates(Reports):
    def setUp(self):
        super().setUp()
        (self.folder / "bin").mkdir()
        (self.folder / "bin/hepcheck").symlink_to(HEPCHECK)
        self.work = self.folder / "a project"
        self.work.mkdir()
        shutil.copy(GOOD, self.work / "good.h5")
        shutil.copy(BAD, self.work / "bad one.h5")

    def run_in_project(self, *command, **variables):
        env = {"PATH": f"{self.folder}/bin:/usr/bin:/bin", "HOME": str(self.folder),
               "LC_ALL": "C.UTF-8", **variables}
        return subprocess.run(list(map(str, command)), cwd=self.work, env=env, timeout=120,
                              capture_output=True, text=True)


    def git(self, folder, *words):
        result = self.run_in_project("git", "-C", folder, "-c", "user.name=x", "-c",
                                     "user.email=x@example.org", "-c", "init.defaultBranch=main",
                                     *words)
        self.assertEqual(result.returncode, 0, result)
        return result.stdout.strip()

    def commit(self, folder):
        self.git(folder, "add", "-A")
        self.git(folder, "commit", "-qm", "x")
        return self.git(folder, "rev-parse", "HEAD")


class Action(Gates):
    def setUp(self):
        super().setUp()
        self.action = yaml.safe_load((HERE / "github/action.yml").read_text())

    def act(self, **inputs):
        """Runs the script step of the action, with the variables that GitHub would set."""
        (step,) = [s for s in self.action["runs"]["steps"] if "run" in s]
        given = {name: str(each.get("default", "")) for name, each in self.action["inputs"].items()}
        given.update((name.replace("_", "-"), value) for name, value in inputs.items())
        env = {}
        for name, text in step["env"].items():
            word = text.removeprefix("${{ inputs.").removesuffix(" }}")
            self.assertIn(word, given)
            env[name] = given[word]
        self.output, self.summary = self.folder / "output", self.folder / "summary"
        return self.run_in_project("bash", "--noprofile", "--norc", "-eo", "pipefail", "-c",
                                   step["run"], GITHUB_ACTION_PATH=str(HERE / "github"),
                                   GITHUB_OUTPUT=str(self.output),
                                   GITHUB_STEP_SUMMARY=str(self.summary), **env)


class GitHub(Action):
    def test_structure_of_the_action(self):
        self.assertLessEqual({"name", "description", "runs"}, set(self.action))
        self.assertEqual(self.action["runs"]["using"], "composite")
        for each in self.action["inputs"].values():
            self.assertIn("description", each)
        for step in self.action["runs"]["steps"]:
            self.assertTrue(("run" in step) != ("uses" in step))
            self.assertTrue("uses" in step or step["shell"] == "bash")
            # The inputs of a caller must never become shell text.
            self.assertNotIn("${{", step.get("run", ""))

    def test_conformant_project(self):
        result = self.act(paths="good.h5\n")
        self.assertEqual(result.returncode, 0, result)
        self.assertEqual(self.output.read_text(), "status=0\n")
        self.assertIn("conformant", self.summary.read_text())
        self.assertIn("2.1.0", (self.work / "hepcheck.sarif").read_text())

    def test_project_with_violations(self):
        result = self.act(paths="*.h5\n", arguments="--fail-on=should\n--strict\n", sarif="")
        self.assertEqual(result.returncode, 1, result)
        self.assertEqual(self.output.read_text(), "status=1\n")
        self.assertIn("nrows-uint64", self.summary.read_text())
        self.assertIn("bad one.h5", result.stdout)
        self.assertFalse((self.work / "hepcheck.sarif").exists())

    def test_project_with_baseline(self):
        self.run_in_project("hepcheck", "baseline", "create", "--baseline", "k.json", "bad one.h5")
        self.assertEqual(self.act(paths="bad one.h5", baseline="k.json").returncode, 0)

    def test_inputs_are_not_shell_text(self):
        self.act(paths='$(touch "$HOME/caught")`touch "$HOME/caught"`; touch "$HOME/caught"')
        self.assertFalse((self.folder / "caught").exists())

    def test_paths_of_hepcheck_toml(self):
        (self.work / ".git").mkdir()
        (self.work / "hepcheck.toml").write_text('paths = ["good.h5"]\n')
        self.assertEqual(self.act().returncode, 0)

    def test_links_are_not_followed_when_writing(self):
        victim = self.folder / "victim"
        victim.write_text("dear\n")
        (self.work / "hepcheck.sarif").symlink_to(victim)
        self.assertEqual(self.act(paths="good.h5").returncode, 0)
        self.assertEqual(victim.read_text(), "dear\n")
        self.assertIn("2.1.0", (self.work / "hepcheck.sarif").read_text())


@unittest.skipUnless(shutil.which("git"), "no git here")
class SettingsOfTheBase(Action):
    """A pull request that contains its own settings, with an action that uses those of the base branch."""

    LAX = 'fail-on = "never"\npaths = ["good.h5"]\n'

    def setUp(self):
        super().setUp()
        self.git(self.work, "init", "-q")
        (self.work / "known.json").write_text('{"spec": "hep001-2026-07-09", "known": []}\n')

    def act_from(self, base, **inputs):
        return self.act(paths="bad one.h5", settings_from=base, **inputs)

    def test_base_without_settings(self):
        base = self.commit(self.work)
        (self.work / "hepcheck.toml").write_text(self.LAX)
        self.commit(self.work)
        self.assertEqual(self.act(paths="bad one.h5").returncode, 0)
        result = self.act_from(base)
        self.assertEqual((result.returncode, result.stderr), (1, ""))

    def test_base_with_stricter_settings(self):
        (self.work / "hepcheck.toml").write_text('fail-on = "should"\n')
        base = self.commit(self.work)
        (self.work / "hepcheck.toml").write_text(self.LAX)
        self.commit(self.work)
        self.assertEqual(self.act_from(base).returncode, 1)
        self.assertEqual((self.work / "hepcheck.toml").read_text(), 'fail-on = "should"\n')

    def test_links_instead_of_settings(self):
        victim = self.folder / "victim"
        (self.work / "hepcheck.toml").write_text('fail-on = "should"\n')
        (self.work / "sub").mkdir()
        shutil.move(self.work / "known.json", self.work / "sub/known.json")
        base = self.commit(self.work)
        for name in ("hepcheck.toml", "sub/known.json"):
            victim.write_text("dear\n")
            (self.work / name).unlink()
            (self.work / name).symlink_to(victim)
            self.assertEqual(self.act_from(base, baseline="sub/known.json").returncode, 1)
            self.assertEqual(victim.read_text(), "dear\n")
            self.assertFalse((self.work / name).is_symlink())
        away = self.folder / "away"
        shutil.move(self.work / "sub", away)
        (away / "known.json").write_text("dear\n")
        (self.work / "sub").symlink_to(away)
        result = self.act_from(base, baseline="sub/known.json")
        self.assertEqual(result.returncode, 2, result)
        self.assertEqual((away / "known.json").read_text(), "dear\n")

    def test_baseline_of_the_base(self):
        base = self.commit(self.work)
        (self.work / "known.json").unlink()
        self.run_in_project("hepcheck", "baseline", "create", "--baseline", "known.json",
                            "bad one.h5")
        self.commit(self.work)
        self.assertEqual(self.act(paths="bad one.h5", baseline="known.json").returncode, 0)
        self.assertEqual(self.act_from(base, baseline="known.json").returncode, 1)
        for baseline in ("absent.json", "../known.json"):
            self.assertEqual(self.act_from(base, baseline=baseline).returncode, 2)

    def test_baseline_named_in_the_settings_only(self):
        (self.work / "hepcheck.toml").write_text('baseline = "known.json"\n')
        base = self.commit(self.work)
        result = self.act_from(base)
        self.assertEqual(result.returncode, 2)
        self.assertIn("names a baseline", result.stderr)
        self.assertEqual(self.act_from(base, baseline="known.json").returncode, 1)

    def test_missing_commit(self):
        self.commit(self.work)
        for base in ("0" * 40, "absent", "--help"):
            self.assertEqual(self.act_from(base).returncode, 2)


class GitLab(Gates):
    def test_template(self):
        template = yaml.safe_load((HERE / "gitlab/hepcheck.yml").read_text())
        job = template["hepcheck"]
        script = "set -eo pipefail\n" + "\n".join(job["before_script"] + job["script"])
        variables = {k: str(v) for k, v in template["variables"].items()}
        for paths, status in (("good.h5", 0), ("good.h5 *.h5", 1)):
            result = self.run_in_project("bash", "-c", script,
                                         **{**variables, "HEPCHECK_PATHS": paths})
            self.assertEqual(result.returncode, status, result)
            for report in [*job["artifacts"]["reports"].values(), *job["artifacts"]["paths"]]:
                self.assertGreater((self.work / report).stat().st_size, 0)

    def prepared(self, **variables):
        """The result of the first part of the job without a program on the PATH, and that of the program then."""
        job = yaml.safe_load((HERE / "gitlab/hepcheck.yml").read_text())["hepcheck"]
        self.assertIsNone(shutil.which("hepcheck", path="/usr/bin:/bin"))
        return self.run_in_project("bash", "-ec", job["before_script"][0] + "\nhepcheck x", PATH="/usr/bin:/bin",
                                   **{"HEPCHECK_PACKAGE": "", "HEPCHECK_SHA256": "", **variables})

    def test_without_a_package(self):
        result = self.prepared()
        self.assertEqual(result.returncode, 2)
        self.assertIn("HEPCHECK_PACKAGE", result.stdout)

    def test_with_a_package(self):
        package, digest = make_package(self.folder)
        for given in ("", digest):
            result = self.prepared(HEPCHECK_PACKAGE=str(package), HEPCHECK_SHA256=given)
            self.assertEqual((result.returncode, result.stdout.splitlines()[-1]), (0, "packaged x"), result)
        self.assertNotEqual(self.prepared(HEPCHECK_PACKAGE=str(package), HEPCHECK_SHA256="0" * 64).returncode, 0)
        self.assertIn("digest", self.prepared(HEPCHECK_PACKAGE="https://localhost/x.tar.gz").stderr)


@unittest.skipUnless(shutil.which("pre-commit") and shutil.which("git"), "no pre-commit here")
class PreCommit(Gates):
    def test_hook(self):
        hooks = self.folder / "hooks"
        (hooks / "reports/gates").mkdir(parents=True)
        shutil.copy(SOURCE / ".pre-commit-hooks.yaml", hooks)
        shutil.copy(HERE / "hepcheck", hooks / "reports/gates")
        (self.work / "notes.txt").write_text("no table\n")
        for folder in (hooks, self.work):
            self.git(folder, "init", "-q")
            self.commit(folder)
        def hook(*files):
            return self.run_in_project("pre-commit", "try-repo", hooks, "hepcheck", "--verbose",
                                       "--files", *files)
        good = hook("good.h5", "notes.txt")
        self.assertEqual(good.returncode, 0, good)
        self.assertIn("good.h5:/my_table: conformant", good.stdout)
        bad = hook("good.h5", "bad one.h5")
        self.assertEqual(bad.returncode, 1, bad)
        self.assertIn("nrows-uint64", bad.stdout)
        self.assertIn("Skipped", hook("notes.txt").stdout)


class WhichHepcheck(Gates):
    """reports/gates/hepcheck uses $HEPCHECK, then a package, then the PATH, then the checkout."""

    def test_package(self):
        package, digest = make_package(self.folder)
        cache = self.folder / "cache"

        def gate(**variables):
            return self.run_in_project(HERE / "hepcheck", "a b", HEPCHECK_CACHE=str(cache), **variables)

        for given in ("", digest):
            self.assertEqual(gate(HEPCHECK_PACKAGE=str(package), HEPCHECK_SHA256=given).stdout, "packaged a b\n")
        self.assertEqual([each.name for each in cache.iterdir()], [digest])
        wrong = gate(HEPCHECK_PACKAGE=str(package), HEPCHECK_SHA256="0" * 64)
        self.assertEqual((wrong.returncode, wrong.stdout), (2, ""))
        self.assertIn(digest, wrong.stderr)
        for given, words in (("https://localhost/x.tar.gz", "digest"), ("http://localhost/x.tar.gz", "https URL")):
            refused = gate(HEPCHECK_PACKAGE=given)
            self.assertEqual(refused.returncode, 2)
            self.assertIn(words, refused.stderr)
        # With its digest, a package that is there is used without the tarball.
        package.unlink()
        self.assertEqual(gate(HEPCHECK_PACKAGE="https://localhost/x.tar.gz", HEPCHECK_SHA256=digest).stdout,
                         "packaged a b\n")
        self.assertEqual([each.name for each in cache.iterdir()], [digest])

    def test_search_order(self):
        gate = HERE / "hepcheck"
        self.assertEqual(self.run_in_project(gate, "--version").returncode, 0)
        other = self.folder / "other"
        other.write_text("#!/bin/sh\necho other \"$@\"\n")
        other.chmod(0o755)
        self.assertEqual(self.run_in_project(gate, "a b", HEPCHECK=str(other)).stdout, "other a b\n")
        checkout = self.folder / "checkout"
        (checkout / "reports/gates").mkdir(parents=True)
        shutil.copy(gate, checkout / "reports/gates")
        (checkout / "dev").write_text("#!/bin/sh\necho dev \"$@\"\n")
        (checkout / "dev").chmod(0o755)
        (self.folder / "bin/hepcheck").unlink()
        result = self.run_in_project(checkout / "reports/gates/hepcheck", "x")
        self.assertEqual(result.stdout, "dev hepcheck x\n")


if __name__ == "__main__":
    unittest.main()
